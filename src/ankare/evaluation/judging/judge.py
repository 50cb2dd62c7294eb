"""What does a model say of a run's answers?

    tasks -> what is in the cache -> ask for the rest, several at once -> a verdict each, or none

A verdict is kept as soon as it is there, so a run that is stopped goes on where it was, and one that is through asks nothing. A
reply that cannot be read is no verdict; that a service fails is written down; a key or a quota that is refused ends it at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from ankare.errors import ContractError, ProviderError, ProviderServiceError
from ankare.evaluation.judging.prompts import judge_prompt
from ankare.evaluation.judging.reply import read_decision, reply_schema
from ankare.evaluation.judging.tasks import Task
from ankare.evaluation.judging.verdict_cache import Verdict, VerdictCache
from ankare.llm.budget import Budget
from ankare.llm.options import CallOptions
from ankare.llm.protocol import LLMProvider, Usage
from ankare.llm.structured_output import ask_structured

MAX_TOKENS = 2000
"""Of one reply: room for a model that thinks before it decides."""
REPLY_TOKENS = 80
"""What a reply of one sentence and a verdict takes, for the estimate."""
CHARACTERS_PER_TOKEN = 3.5
"""Of Swedish with a vocabulary of today (1,533 were foreseen where 1,585 came), for the estimate."""
FAILURES_IN_A_ROW = 5
"""So many failures, and it is given up: nobody is there."""

Watch = Callable[[int, int], None]
"""Told (done, of) after each verdict that was asked for."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is still to be asked: calls, and about how many tokens."""

    calls: int
    known: int
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Judging:
    """How models are asked. `model`: the name under which verdicts are kept; `seconds`: for one verdict."""

    provider: LLMProvider
    model: str
    seconds: float = 60.0
    at_once: int = 4
    again: bool = False


@dataclass(slots=True)
class Judged:
    """What came of it. `asked`: calls that were answered or failed; `unreadable` and `failed`: of these, by reason.

    Tokens: of the calls that told theirs; `untold`: those that did not. `stopped`: why it ended early, "" where it did not;
    `left`: verdicts that were not asked for then.
    """

    asked: int = 0
    known: int = 0
    unreadable: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    untold: int = 0
    stopped: str = ""
    left: int = 0


def estimate(tasks: Sequence[Task], cache: VerdictCache, judging: Judging) -> Estimate:
    """What `judge` would ask for."""
    open_ = _open(tasks, cache, judging)
    told = sum(task.characters for task in open_.values())
    different = len({task.key(judging.model) for task in tasks})
    return Estimate(len(open_), different - len(open_), round(told / CHARACTERS_PER_TOKEN), REPLY_TOKENS * len(open_))


def judge(tasks: Sequence[Task], cache: VerdictCache, judging: Judging, watch: Watch | None = None) -> Judged:
    """Ask for every verdict that the cache does not hold. Raises OSError where verdicts cannot be kept.

    Alike tasks are asked for once. Ends early, and says why, when the service refuses the key or the quota, and after
    FAILURES_IN_A_ROW failures.
    """
    open_ = list(_open(tasks, cache, judging).items())
    result = Judged(known=len({task.key(judging.model) for task in tasks}) - len(open_))
    total, in_a_row = len(open_), 0
    with ThreadPoolExecutor(judging.at_once, thread_name_prefix="ankare-judge") as pool:
        under_way: set[Future[Verdict]] = set()
        try:
            while (open_ and not result.stopped) or under_way:
                while open_ and not result.stopped and len(under_way) < judging.at_once:
                    key, task = open_.pop(0)
                    under_way.add(pool.submit(_verdict, key, task, judging))
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    verdict = future.result()
                    cache.add(verdict)
                    in_a_row = in_a_row + 1 if verdict.failure else 0
                    _enter(verdict, result)
                    result.stopped = result.stopped or _why_stop(verdict, in_a_row)
                    if watch is not None:
                        watch(result.asked, total)
        finally:
            for future in under_way:
                future.cancel()
    result.left = len(open_)
    return result


def _open(tasks: Sequence[Task], cache: VerdictCache, judging: Judging) -> dict[str, Task]:
    """The tasks that are to be asked for, by their keys, each once."""
    found: dict[str, Task] = {}
    for task in tasks:
        key = task.key(judging.model)
        held = cache.get(key)
        if held is None or (judging.again and held.value is None):
            found.setdefault(key, task)
    return found


def _verdict(key: str, task: Task, judging: Judging) -> Verdict:
    """Ask, and read the reply. Whatever becomes of it is a verdict or the reason why there is none."""
    started = time.perf_counter()
    blank = Verdict(
        key,
        task.measure,
        task.case_id,
        task.repeat,
        task.part,
        judging.model,
        judge_prompt(task.measure).label,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    try:
        reply = ask_structured(
            judging.provider,
            task.messages,
            reply_schema(task.measure),
            budget=Budget(judging.seconds),
            options=CallOptions(model=judging.model or None, temperature=0.0, max_tokens=MAX_TOKENS),
        )
    except ProviderError as error:
        kind = error.kind if not isinstance(error, ProviderServiceError) else f"{_REFUSED}{error.kind}"
        return replace(blank, failure=kind, ms=_ms(started))
    usage = reply.completion.usage or Usage()
    blank = replace(
        blank, prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens, ms=_ms(started)
    )
    try:
        decision = read_decision(task.measure, reply.text)
    except ContractError as error:
        return replace(blank, fault=error.reason)
    return replace(blank, value=decision.value, noncommittal=decision.noncommittal, reason=decision.reason)


_REFUSED = "service_"


def _enter(verdict: Verdict, result: Judged) -> None:
    result.asked += 1
    if verdict.failure:
        result.failed[verdict.failure] = result.failed.get(verdict.failure, 0) + 1
        return
    if verdict.fault:
        result.unreadable[verdict.fault] = result.unreadable.get(verdict.fault, 0) + 1
    if verdict.prompt_tokens is None or verdict.completion_tokens is None:
        result.untold += 1
    else:
        result.prompt_tokens += verdict.prompt_tokens
        result.completion_tokens += verdict.completion_tokens


def _why_stop(verdict: Verdict, in_a_row: int) -> str:
    if verdict.failure.startswith(_REFUSED):
        return f"the service refuses the {'quota' if verdict.failure.endswith('quota') else 'key'}"
    return f"{in_a_row} calls in a row failed ({verdict.failure})" if in_a_row >= FAILURES_IN_A_ROW else ""


def _ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 1)
