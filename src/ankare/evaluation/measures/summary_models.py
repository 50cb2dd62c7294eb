"""What did a run ask of models, call by call, and what of it is not known?

Read from the details of the rows, which a person may have edited: what is not as it should be is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ankare.evaluation.asking.response_values import count, items, mapping, number, text
from ankare.evaluation.scored import Scored


@dataclass(frozen=True, slots=True)
class AgentUse:
    """One agent over a run. Tokens are sums over the calls that told theirs, `silent` of the answers told none."""

    calls: int = 0
    ms: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    silent: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelUse:
    """`answers` for which a model was asked; `corrected` by agent 4; `truncated`: replies that were probably cut off.

    `without_tokens`: answers of which some call did not tell its tokens. `unpriced`: answers without a cost by what lacked,
    a model that the table of prices does not know or "tokens".
    """

    answers: int = 0
    corrected: int = 0
    truncated: int = 0
    without_tokens: int = 0
    currency: str = ""
    unpriced: Mapping[str, int] = field(default_factory=dict)
    agents: Mapping[str, AgentUse] = field(default_factory=dict)


def model_use(rows: Sequence[Scored]) -> ModelUse:
    """What the rows tell of models, all answers together."""
    calls = [mapping(row.details.get("model_calls")) for row in rows]
    return ModelUse(
        answers=sum(row.values.get("model_calls", 0.0) > 0 for row in rows),
        corrected=sum(one.get("corrected") is True for one in calls),
        truncated=sum(count(one.get("suspected_truncations")) or 0 for one in calls),
        without_tokens=sum(mapping(row.details.get("total_tokens")).get("complete") is False for row in rows),
        currency=currency_of(rows),
        unpriced=dict(Counter(why for row in rows for why in map(text, items(_cost(row).get("missing"))) if why)),
        agents={name: _agent(used) for name, used in _by_agent(rows).items()},
    )


def currency_of(rows: Sequence[Scored]) -> str:
    """The currency of the costs, "" where nothing was priced."""
    return next(filter(None, (text(_cost(row).get("currency")) for row in rows)), "")


def _cost(row: Scored) -> Mapping[str, Any]:
    return mapping(row.details.get("cost"))


def _by_agent(rows: Sequence[Scored]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for name, used in (one for row in rows for one in _agents(row)):
        found.setdefault(name, []).append(used)
    return dict(sorted(found.items()))


def _agents(row: Scored) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, used in mapping(mapping(row.details.get("total_tokens")).get("agents")).items():
        yield str(name), mapping(used)


def _agent(used: Sequence[Mapping[str, Any]]) -> AgentUse:
    return AgentUse(
        calls=sum(count(one.get("calls")) or 0 for one in used),
        ms=round(sum(number(one.get("ms")) or 0.0 for one in used), 3),
        prompt_tokens=sum(count(one.get("prompt_tokens")) or 0 for one in used),
        completion_tokens=sum(count(one.get("completion_tokens")) or 0 for one in used),
        silent=sum(count(one.get("prompt_tokens")) is None for one in used),
        statuses=dict(sorted(Counter(text(one) for used_ in used for one in items(used_.get("statuses"))).items())),
    )
