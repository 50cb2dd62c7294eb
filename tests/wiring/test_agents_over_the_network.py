"""From settings to an answer, with a model service on the loopback: what does each way to fail end in, and within the time?

The gate is the real one, and so is everything between it and the socket.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ankare.domain.agents import Agent, FinalState, RunStatus
from ankare.domain.answer import Answer
from ankare.domain.reply import Reply
from ankare.engine import Engine
from ankare.errors import ProviderServiceError
from ankare.settings import Settings
from ankare.wiring import open_engine
from tests.channels.scripted_agents import DECIDES, INVENTED, QUESTION, alias_of, build_home
from tests.model_server import (
    Behaviour,
    ModelServer,
    Seen,
    answers,
    by_model,
    cut_off,
    drip_body,
    huge,
    model_server,
    no_schema,
    refuses,
    reset,
    says,
    stall,
    stall_in_body,
)

MODELS = {
    "agent1_model": "m1",
    "agent2_model": "m2",
    "agent3_model": "m3",
    "agent_correction_model": "m4",
    "llm_synthesis_model": "m5",
}
REVIEW = {
    "verdict": "approve",
    "answers_original_question": True,
    "grounded_in_sources": True,
    "drift_from_original_question": False,
    "metadata_leakage": False,
    "unsupported_claims": [],
    "minor_revision": "",
    "review_notes": "",
}
REJECTED = REVIEW | {"verdict": "reject", "grounded_in_sources": False, "review_notes": "Summan saknar stöd."}


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def writes(answer: str) -> Behaviour:
    """A model that writes this answer and cites the chunk that decides."""

    def speak(seen: Seen) -> str:
        cited = [{"chunk_id": alias_of(seen.json["messages"], DECIDES), "claim_supported": answer}]
        more = {"answer_scope": "direct", "unsupported_or_uncertain": []} if seen.json["model"] == "m2" else {}
        return as_json({"answer": answer, "evidence_used": cited, **more})

    return answers(speak)


def proposes(query: str = "budgetbeslut") -> Behaviour:
    return says(
        as_json(
            {
                "original_question": QUESTION,
                "retrieval_queries": [{"query": query, "purpose": "compound"}],
                "must_keep_focus": ["vem"],
                "semantic_terms": [],
                "negative_constraints": [],
                "confidence": 0.9,
            }
        )
    )


HONEST = {"m1": proposes(), "m2": writes(DECIDES), "m3": says(as_json(REVIEW)), "m4": writes(DECIDES)}
REJECTING = HONEST | {"m2": writes(INVENTED), "m3": says(as_json(REJECTED))}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_home(tmp_path_factory.mktemp("network")).path


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def engine_on(server: ModelServer, home: Path, **given: Any) -> Engine:
    settings = Settings(
        home=home, semantic=False, llm_base_url=f"{server.url}/v1", llm_model="house", **(MODELS | given)
    )
    return open_engine(settings)


def asked(server: ModelServer, home: Path, behaviours: dict[str, Behaviour], **given: Any) -> Reply:
    server.does(by_model(behaviours))
    return engine_on(server, home, **given).ask(QUESTION, agentic=True)


def text_of(reply: Reply) -> str:
    assert isinstance(reply.outcome, Answer)
    return " ".join(claim.text for claim in reply.outcome.claims)


def test_four_honest_agents_are_asked_as_their_parts_say(server: ModelServer, home: Path) -> None:
    reply = asked(server, home, HONEST)
    assert (reply.origin, text_of(reply)) == ("agent2_reviewed", DECIDES)
    assert [(s.json["model"], s.json["temperature"], s.json["max_tokens"]) for s in server.seen] == [
        ("m1", 0.0, 2400),
        ("m2", 0.2, 3600),
        ("m3", 0.0, 2000),
    ]
    assert [s.json.get("reasoning_effort") for s in server.seen] == [None, "high", None]
    assert all(s.json["response_format"]["type"] == "json_schema" for s in server.seen)


def test_a_service_that_takes_no_schema_is_asked_in_plain_words(server: ModelServer, home: Path) -> None:
    reply = asked(server, home, {name: no_schema(behaviour) for name, behaviour in HONEST.items()})
    assert reply.origin == "agent2_reviewed"
    assert reply.pipeline is not None
    assert {run.structured for run in reply.pipeline.agents} == {"plain"}


def test_attempts_are_the_forms_that_the_service_was_asked_in(server: ModelServer, home: Path) -> None:
    reply = asked(server, home, HONEST | {"m2": refuses(404)})
    assert reply.pipeline is not None
    assert [run.attempts for run in reply.pipeline.agents] == [1, 3]
    assert [seen.json["model"] for seen in server.seen] == ["m1", "m2", "m2", "m2"]


def test_a_service_that_is_busy_for_a_moment_is_asked_again(server: ModelServer, home: Path) -> None:
    server.does(refuses(429, retry_after="0.01"), HONEST["m1"], refuses(500), HONEST["m2"], HONEST["m3"])
    assert engine_on(server, home).ask(QUESTION, agentic=True).origin == "agent2_reviewed"


FAILING: dict[str, tuple[dict[str, Behaviour], str | None, str]] = {
    "agent 1 stalls": ({"m1": stall}, None, "agent2_reviewed"),
    "agent 1 is reset": ({"m1": reset}, None, "agent2_reviewed"),
    "agent 2 stalls": ({"m2": stall}, "agent_timeout", "fallback"),
    "agent 2 stalls in its reply": ({"m2": stall_in_body}, "agent_timeout", "fallback"),
    "agent 2 drips": ({"m2": drip_body}, "agent_timeout", "fallback"),
    "agent 2 breaks off": ({"m2": cut_off}, "provider_error", "fallback"),
    "agent 2 is down": ({"m2": refuses(500)}, "provider_error", "fallback"),
    "agent 2 says far too much": ({"m2": huge(50_000)}, "agent2_invalid_json", "fallback"),
    "agent 2 invents": ({"m2": writes(INVENTED)}, "agent2_grounding_failed", "fallback"),
    "agent 2 adds": ({"m2": writes(f"{DECIDES} {INVENTED}")}, "agent2_grounding_failed", "fallback"),
    "agent 3 stalls": ({"m3": stall}, None, "agent2_unreviewed"),
    "agent 3 breaks off": ({"m3": says('{"verdict": "approve", "ans')}, None, "agent2_unreviewed"),
    "agent 4 stalls": (REJECTING | {"m4": stall}, "agent_timeout", "fallback"),
    "agent 4 invents": (REJECTING | {"m4": writes(INVENTED)}, "agent4_grounding_failed", "fallback"),
    "agent 4 corrects": (REJECTING, None, "agent4_corrected"),
}


@pytest.mark.parametrize(("instead", "reason", "origin"), FAILING.values(), ids=FAILING.keys())
def test_whatever_a_service_does_the_answer_is_grounded_and_the_reason_told(
    server: ModelServer, home: Path, instead: dict[str, Behaviour], reason: str | None, origin: str
) -> None:
    reply = asked(server, home, HONEST | instead, agentic_rag_timeout_seconds=4)
    assert reply.pipeline is not None
    assert (reply.origin, reply.pipeline.reason) == (origin, reason)
    assert DECIDES in text_of(reply)
    assert "miljoner" not in text_of(reply)


@pytest.mark.parametrize("model", ["m1", "m2", "m3"])
@pytest.mark.parametrize("status", [401, 402, 403])
def test_a_refused_key_or_quota_ends_the_question_at_once(
    server: ModelServer, home: Path, model: str, status: int
) -> None:
    with pytest.raises(ProviderServiceError):
        asked(server, home, HONEST | {model: refuses(status)})
    assert server.seen[-1].json["model"] == model


def test_usage_that_a_service_does_not_tell_is_missing_and_not_zero(server: ModelServer, home: Path) -> None:
    reply = asked(server, home, HONEST | {"m3": says(as_json(REVIEW), usage=None)})
    assert reply.pipeline is not None
    assert reply.pipeline.usage is not None
    assert (reply.pipeline.usage.calls_without_usage, reply.pipeline.usage.complete) == (1, False)
    assert dict(reply.pipeline.usage_by_agent)[Agent.REVIEW].total_tokens is None


def test_an_answer_cut_off_at_its_cap_is_no_answer(server: ModelServer, home: Path) -> None:
    cut = says('{"answer": "Styrgruppen beslutar om bud', finish_reason="length", completion_tokens=3600)
    reply = asked(server, home, HONEST | {"m2": cut})
    assert reply.pipeline is not None
    run = reply.pipeline.agents[1]
    assert (reply.pipeline.reason, run.status, run.suspected_truncation) == (
        "agent2_invalid_json",
        RunStatus.INVALID,
        True,
    )


def test_a_service_that_never_answers_ends_in_a_fallback(server: ModelServer, home: Path) -> None:
    server.does(stall)
    reply = engine_on(server, home, agentic_rag_timeout_seconds=2).ask(QUESTION, agentic=True)
    assert reply.pipeline is not None
    assert (reply.pipeline.reason, reply.pipeline.final) == ("agent_timeout", FinalState.FALLBACK)


def test_a_synthesis_is_asked_of_its_own_model(server: ModelServer, home: Path) -> None:
    server.does(by_model({"m5": writes(DECIDES)}))
    reply = engine_on(server, home).ask(QUESTION, synthesis=True)
    assert reply.origin == "synthesis"
    assert [seen.json["model"] for seen in server.seen] == ["m5"]


def test_the_environment_decides_where_the_caller_says_nothing(server: ModelServer, home: Path) -> None:
    server.does(by_model(HONEST))
    engine = engine_on(server, home, enable_agentic_rag=True)
    assert engine.ask(QUESTION).origin == "agent2_reviewed"
    assert engine.ask(QUESTION, agentic=False).origin == "extractive"
