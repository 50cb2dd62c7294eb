"""How many tokens did the calls of one answer use, as far as the services tell?

What is not told is told as missing, never as zero: a sum then covers the calls that told theirs, and says that it is not
complete.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock

from ankare.llm.protocol import Usage


@dataclass(frozen=True, slots=True)
class UsageTotal:
    """Tokens of several calls. A field is the sum over the calls that tell it, None where none does.

    `calls_without_usage`: how many of the `calls` told nothing. `complete`: every call told everything.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    calls: int = 0
    calls_without_usage: int = 0
    complete: bool = True

    def as_json(self) -> dict[str, int | bool | None]:
        """The fields under their names; what is missing is null."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def total_usage(told: Iterable[Usage | None]) -> UsageTotal:
    """The sum over calls, None for one that told nothing."""
    usages = [_whole(usage or Usage()) for usage in told]
    return UsageTotal(
        prompt_tokens=_sum(usage.prompt_tokens for usage in usages),
        completion_tokens=_sum(usage.completion_tokens for usage in usages),
        total_tokens=_sum(usage.total_tokens for usage in usages),
        calls=len(usages),
        calls_without_usage=usages.count(Usage()),
        complete=all(None not in _counts(usage) for usage in usages),
    )


class UsageLedger:
    """What each agent used. Safe for many threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._calls: list[tuple[str, Usage | None]] = []

    def add(self, agent: str, usage: Usage | None) -> None:
        """Enter one call that was answered; `usage` None where it told none."""
        with self._lock:
            self._calls.append((agent, usage))

    def agents(self) -> tuple[str, ...]:
        """Those that have an entry, in the order of their first."""
        return tuple(dict.fromkeys(agent for agent, _ in self._entries()))

    def of(self, agent: str) -> UsageTotal:
        """What this agent used; no calls for one without an entry."""
        return total_usage(usage for name, usage in self._entries() if name == agent)

    def total(self) -> UsageTotal:
        """What all of them used."""
        return total_usage(usage for _, usage in self._entries())

    def _entries(self) -> tuple[tuple[str, Usage | None], ...]:
        with self._lock:
            return tuple(self._calls)


def suspected_truncation(usage: Usage | None, cap: int | None, finish_reason: str | None) -> bool:
    """Did the reply probably end because its cap was reached? `cap`: the most tokens that it might hold, None without one.

    A sign, no proof: some services count what a model thinks, and not all tell why a reply ended.
    """
    if finish_reason == "length":
        return True
    used = usage.completion_tokens if usage is not None else None
    return used is not None and cap is not None and used >= cap


def _whole(usage: Usage) -> Usage:
    """The usage, with the total where it follows from its parts."""
    if usage.total_tokens is None and usage.prompt_tokens is not None and usage.completion_tokens is not None:
        return Usage(usage.prompt_tokens, usage.completion_tokens, usage.prompt_tokens + usage.completion_tokens)
    return usage


def _counts(usage: Usage) -> tuple[int | None, ...]:
    return usage.prompt_tokens, usage.completion_tokens, usage.total_tokens


def _sum(counts: Iterable[int | None]) -> int | None:
    told = [count for count in counts if count is not None]
    return sum(told) if told else None
