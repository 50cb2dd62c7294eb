"""What do models say, honest ones and others? Behaviours for `tests.model_server`, none of which remembers anything."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.hostile.pack import GOOD, QUESTION
from tests.model_server import Behaviour, Line, Seen, reply, says

KEY = "sk-Arkivnyckel-4711"
ALIAS = r'^<(c\d+) key="[0-9a-f]+">'
LIE = "Budgeten för arkivflytten är 400 000 kronor."


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def speaks(make: Callable[[Seen], str], **how: Any) -> Behaviour:
    """Says what `make` makes of the request; `how` as for `says`."""
    return lambda line: says(make(line.request), **how)(line)


def aliases(seen: Seen) -> list[str]:
    """The names of all chunks that a prompt shows."""
    return re.findall(ALIAS, seen.json["messages"][-1]["content"], re.MULTILINE)


# Agent 1.


def rewrite(*queries: str, question: str = QUESTION, **instead: object) -> str:
    return as_json(
        {
            "original_question": question,
            "retrieval_queries": [{"query": query, "purpose": "synonym"} for query in queries],
            "must_keep_focus": ["vem som beslutar"],
            "semantic_terms": [],
            "negative_constraints": [],
            "confidence": 0.9,
            **instead,
        }
    )


# Agents 2 and 4, and the synthesis.


def draft(seen: Seen, answer: object, ids: object = None, **instead: object) -> str:
    """An answer that cites the chunks with these names; None cites all that are shown."""
    cited = aliases(seen) if ids is None else ids
    evidence = (
        [{"chunk_id": one, "claim_supported": str(answer)[:200]} for one in cited] if isinstance(cited, list) else cited
    )
    more = {"answer_scope": "direct", "unsupported_or_uncertain": []} if seen.json["model"] == "m2" else {}
    return as_json({"answer": answer, "evidence_used": evidence, **more, **instead})


def writes(answer: object, ids: object = None, **instead: object) -> Behaviour:
    return speaks(lambda seen: draft(seen, answer, ids, **instead))


def cites(fragment: str, answer: str) -> Behaviour:
    """An answer that cites the one chunk that holds the fragment, whatever else it is shown."""

    def speak(seen: Seen) -> str:
        prompt = seen.json["messages"][-1]["content"]
        before = prompt[: prompt.index(fragment, prompt.index("<evidence"))]
        return draft(seen, answer, re.findall(ALIAS, before, re.MULTILINE)[-1:])

    return speaks(speak)


# Agent 3.


def review(verdict: str = "approve", revision: object = "", claims: object = (), **instead: object) -> str:
    return as_json(
        {
            "unsupported_claims": claims,
            "answers_original_question": True,
            "grounded_in_sources": verdict != "reject",
            "drift_from_original_question": False,
            "metadata_leakage": False,
            "verdict": verdict,
            "minor_revision": revision,
            "review_notes": "" if verdict == "approve" else "Ett påstående saknar stöd.",
            **instead,
        }
    )


def judges(verdict: str = "approve", revision: object = "", claims: object = (), **instead: object) -> Behaviour:
    return says(review(verdict, revision, claims, **instead))


HONEST_TEXT: Mapping[str, Callable[[Seen], str]] = {
    "m1": lambda seen: rewrite("budgetbeslut arkivflytten", "besluta om budgeten"),
    "m2": lambda seen: draft(seen, GOOD),
    "m3": lambda seen: review(),
    "m4": lambda seen: draft(seen, GOOD),
    "m5": lambda seen: draft(seen, GOOD),
}
HONEST: Mapping[str, Behaviour] = {model: speaks(make) for model, make in HONEST_TEXT.items()}
REJECTED: Mapping[str, Behaviour] = {"m2": writes(LIE), "m3": judges("reject", claims=[LIE])}
"""Agents 2 and 3 where agent 4 is to be asked."""


# Ways of saying it.


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """The first behaviour for the first request to a model, the second for the next; the last is repeated."""

    def next_one(line: Line) -> None:
        model = line.request.json["model"]
        before = [seen for seen in list(line.server.seen) if seen.json["model"] == model]
        behaviours[min(len(before), len(behaviours)) - 1](line)

    return next_one


def message(make: Callable[[str], Mapping[str, Any]]) -> Behaviour:
    """The honest reply as another message: `make` gives its fields for the text."""

    def speak(line: Line) -> None:
        text = HONEST_TEXT[line.request.json["model"]](line.request)
        choice = {"index": 0, "message": {"role": "assistant", **make(text)}, "finish_reason": "stop"}
        reply(200, {"id": "1", "model": "a", "choices": [choice]})(line)

    return speak


def honest(form: Callable[[str], str] = str, **how: Any) -> Behaviour:
    """The honest reply of whichever model is asked, in another form; `how` as for `says`."""
    return speaks(lambda seen: form(HONEST_TEXT[seen.json["model"]](seen)), **how)


def cut_at_the_cap(line: Line) -> None:
    """The honest reply, cut off where the model had to stop."""
    text = HONEST_TEXT[line.request.json["model"]](line.request)
    cap = line.request.json["max_tokens"]
    says(text[: len(text) * 2 // 3], finish_reason="length", completion_tokens=cap)(line)
