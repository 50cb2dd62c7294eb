"""What came of a run, before anything is scored: how did questions end, how long did they take, how much do repeats differ?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ankare.evaluation.captured import Capture, Response, Run
from ankare.evaluation.measures.score import outcome


@dataclass(frozen=True, slots=True)
class Variation:
    """How questions that were asked again and again were answered. `cases`: those with two responses or more; of these, how
    many had the same text, the same pages as sources and the same outcome each time. `spread_ms`: the median over cases of the
    longest time less the shortest."""

    cases: int = 0
    same_text: int = 0
    same_sources: int = 0
    same_outcome: int = 0
    spread_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Tokens:
    """What models used, the shadow included. `calls`: answers that models had a part in; `untold`: those of them whose tokens
    were not told, or not all."""

    prompt: int = 0
    completion: int = 0
    calls: int = 0
    untold: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a run. `wall_ms`: of responses; the median and the 95th percentile (nearest rank), None without any."""

    outcomes: Mapping[str, int]
    failures: Mapping[str, int]
    fallbacks: Mapping[str, int]
    median_ms: float | None
    p95_ms: float | None
    tokens: Tokens
    variation: Variation


def tally_of(run: Run) -> Tally:
    """The counts of what a run has captured so far."""
    responses = [one.response for one in run.captures if one.response is not None]
    times = sorted(one.wall_ms for one in run.captures if one.response is not None)
    return Tally(
        outcomes=_counted(outcome(one.response).value for one in run.captures),
        failures=_counted(one.failure.kind.value for one in run.captures if one.failure is not None),
        fallbacks=_counted(one.chain.fallback_reason for one in responses if one.chain.fallback_reason),
        median_ms=_percentile(times, 0.5),
        p95_ms=_percentile(times, 0.95),
        tokens=_tokens(responses),
        variation=_variation(run.captures),
    )


def _counted(words: Iterable[str]) -> Mapping[str, int]:
    return dict(Counter(words).most_common())


def _percentile(ordered: Sequence[float], part: float) -> float | None:
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)] if ordered else None


def _tokens(responses: Iterable[Response]) -> Tokens:
    prompt = completion = calls = untold = 0
    for response in responses:
        if not (response.model_calls or response.chain.calls):
            continue
        calls += 1
        used = _of_shadow(response) if response.chain.shadow else (response.prompt_tokens, response.completion_tokens)
        untold += None in used
        prompt += used[0] or 0
        completion += used[1] or 0
    return Tokens(prompt, completion, calls, untold)


def _of_shadow(response: Response) -> tuple[int | None, int | None]:
    """Of the calls that were made beside the answer, which its own usage leaves out. A call nobody was asked in has none."""
    asked = [call for call in response.chain.calls if call.status != "skipped"]
    prompt, completion = [c.prompt_tokens for c in asked], [c.completion_tokens for c in asked]
    return _sum(prompt), _sum(completion)


def _sum(told: Sequence[int | None]) -> int | None:
    known = [number for number in told if number is not None]
    return sum(known) if len(known) == len(told) else None


def _variation(captures: Iterable[Capture]) -> Variation:
    by_case: dict[str, list[Capture]] = {}
    for one in captures:
        if one.response is not None:
            by_case.setdefault(one.case_id, []).append(one)
    repeated = [found for found in by_case.values() if len(found) > 1]
    spreads = sorted(max(one.wall_ms for one in found) - min(one.wall_ms for one in found) for found in repeated)
    return Variation(
        cases=len(repeated),
        same_text=sum(_same(one.response.markdown for one in found if one.response) for found in repeated),
        same_sources=sum(_same(_pages(one.response) for one in found if one.response) for found in repeated),
        same_outcome=sum(_same(outcome(one.response) for one in found) for found in repeated),
        spread_ms=_percentile(spreads, 0.5),
    )


def _same(values: Iterable[object]) -> bool:
    return len(set(values)) == 1


def _pages(response: Response) -> frozenset[tuple[str, tuple[int, ...]]]:
    return frozenset((source.source, source.pages) for source in response.sources)
