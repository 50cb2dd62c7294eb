"""One scenario, and everything that is wrong with what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.hostile.models import KEY
from tests.hostile.pack import AFTERWARDS, SUPPORTED
from tests.hostile.scenario import Ending, Scenario
from tests.hostile.stand import Response, Stand, Stands, hanging, sockets, until

SLACK = 60.0
"""Seconds that a busy machine may add to the time of a chain."""
MORE_SOCKETS = 12
NOT_THE_ANSWER = ("answer_id", "agentic_pipeline", "llm_usage", "timing_ms", "timings_ms")
SEARCHED = ("accepted_rewrites", "rejected_rewrites", "retrieval_queries")
"""Wordings of a model that are told because they are searched or turned down, and never shown as an answer."""
MOST_QUERIES, MOST_CHUNKS = 5, 8


@dataclass(frozen=True)
class Outcome:
    """What was seen, why the gate stopped the text ("" where it did not), and what is wrong with it (nothing where the scenario
    holds)."""

    scenario: Scenario
    seen: Ending
    stopped: str
    seconds: float
    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.faults

    @property
    def ok(self) -> bool:
        """Does it hold, or is it known that it does not yet?"""
        return self.holds or bool(self.scenario.gap)


def run(scenario: Scenario, stands: Stands) -> Outcome:
    """Ask the question of the scenario, then a plain one."""
    stand = stands.of(scenario)
    before, control = sockets(), stand.plain(scenario.question)
    stand.does(scenario.does)
    flags = {"enable_synthesis": True} if scenario.synthesis else {"enable_agentic_rag": True}
    response = stand.ask(scenario.question, "application/json", **flags)
    seen = _ending(response, _asked(stand))
    faults = [
        *scenario.ending.differences(seen),
        *_faults(scenario, response, control, stand),
        *_after(stand, before),
    ]
    return Outcome(scenario, seen, _stopped(response), response.seconds, tuple(faults))


def _asked(stand: Stand) -> str:
    return " ".join(dict.fromkeys(str(seen.json["model"]) for seen in stand.models.seen))


def _ending(response: Response, asked: str) -> Ending:
    if response.status != 200:
        return Ending(status=response.status, asked=asked)
    body = response.body
    told = body["agentic_pipeline"]
    return Ending(
        status=200,
        final=told["final_status"],
        origin=body["answer_origin"],
        reason=told["fallback_reason"],
        review=told["review_status"],
        asked=asked,
        rewrite=told["rewrite_reason"],
    )


def _stopped(response: Response) -> str:
    """Why the gate stopped the text; "" where it did not."""
    told = response.body["agentic_pipeline"] if response.status == 200 else {}
    return str((told.get("grounding") or {}).get("reason") or "")


def _faults(scenario: Scenario, response: Response, control: Response, stand: Stand) -> Iterator[str]:
    """What holds for every response, whatever the models did."""
    if KEY in response.text:
        yield "the key stands in the response"
    if response.seconds > stand.seconds + SLACK:
        yield f"it took {response.seconds:.1f} s of {stand.seconds:.0f}"
    if response.status != 200:
        yield from _poisoned(scenario, response.text)
        return
    body = response.body
    yield from _poisoned(scenario, json.dumps(_without_searches(body), ensure_ascii=False))
    yield from _unsupported(scenario, body, control.body)
    yield from _miscounted(scenario, body["agentic_pipeline"], stand)
    if scenario.gate and _stopped(response) != scenario.gate:
        yield f"the gate says {_stopped(response) or 'nothing'}, not {scenario.gate}"


def _poisoned(scenario: Scenario, text: str) -> Iterator[str]:
    for poison in scenario.poison:
        if poison in text:
            yield f"{poison!r} stands in the response"


def _without_searches(body: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: value for name, value in body["agentic_pipeline"].items() if name not in SEARCHED}
    return {**body, "agentic_pipeline": told}


def _unsupported(scenario: Scenario, body: Mapping[str, Any], control: Mapping[str, Any]) -> Iterator[str]:
    """An answer that no model wrote is the control path's, byte for byte; any other consists of what the documents say."""
    if body["answer_origin"] in ("fallback", "extractive", "refusal"):
        for name in body.keys() - NOT_THE_ANSWER:
            if name != "answer_origin" and json.dumps(body[name]) != json.dumps(control[name]):
                yield f"{name} is not that of the control path"
        return
    for claim in body["claims"]:
        if claim["text"] not in (*SUPPORTED, *scenario.stated):
            yield f"published: {claim['text']!r}"
        elif not any(SUPPORTED.get(claim["text"], claim["text"]) in cited["text"] for cited in claim["evidence"]):
            yield f"cited for {claim['text']!r}: {[cited['text'] for cited in claim['evidence']]}"
    shown = body["answer_markdown"]
    for claim in sorted((claim["text"] for claim in body["claims"]), key=len, reverse=True):
        if claim not in shown:
            yield f"not shown: {claim!r}"
    if shown.count("Källor") != 1:
        yield "there is not one list of sources"


def _miscounted(scenario: Scenario, told: Mapping[str, Any], stand: Stand) -> Iterator[str]:
    """What the chain tells of itself: its time, its limits, replies that were cut off, tokens that are missing."""
    seconds = sum(run["ms"] for run in told["agents"]) / 1000
    if seconds > stand.seconds + SLACK:
        yield f"the agents took {seconds:.1f} s of {stand.seconds:.0f}"
    if told["retrieval_query_count"] > MOST_QUERIES or told["context_chunk_count"] > MOST_CHUNKS:
        yield "more was searched or shown than is allowed"
    cut = " ".join(run["agent"] for run in told["agents"] if run["suspected_truncation"])
    if cut != scenario.truncated:
        yield f"told as cut off: {cut or 'nothing'}"
    if scenario.untold and told["usage"]["complete"]:
        yield "tokens that nobody told are not told as missing"


def _after(stand: Stand, sockets_before: int) -> Iterator[str]:
    """The service lives, and nothing of the question is left: no call, no connection."""
    asked = len(stand.models.seen)
    later = stand.ask(AFTERWARDS)
    if later.status != 200 or not _same_answer(later, stand.plain(AFTERWARDS)):
        yield f"a plain question afterwards: {later.status}"
    if not until(lambda: not hanging()):
        yield f"still there: {', '.join(hanging())}"
    if sockets() > sockets_before + MORE_SOCKETS:
        yield f"{sockets() - sockets_before} more sockets are open than before"
    if len(stand.models.seen) != asked:
        yield "a model was asked after the answer"


def _same_answer(one: Response, other: Response) -> bool:
    return all(one.body[name] == other.body[name] for name in one.body.keys() - NOT_THE_ANSWER)
