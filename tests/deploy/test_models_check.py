"""`ankare models check` asks every role once and tells what the service, the form and the time were like."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner, Result

from ankare.cli.main import app
from ankare.domain.agents import Agent
from ankare.errors import SettingsError
from tests.model_server import Behaviour, by_model, model_server, refuses, says, stall

ANSWER = "En vecka har sju dagar."
CITED = {"answer": ANSWER, "evidence_used": [{"chunk_id": "c1", "claim_supported": ANSWER}]}
REPLIES = {
    Agent.REWRITE: {
        "original_question": "Hur många dagar har en vecka?",
        "retrieval_queries": [{"query": "dagar i en vecka", "purpose": "synonym"}],
        "must_keep_focus": ["vecka"],
        "semantic_terms": [],
        "negative_constraints": [],
        "confidence": 0.9,
    },
    Agent.DRAFT: {**CITED, "answer_scope": "direct", "unsupported_or_uncertain": []},
    Agent.REVIEW: {
        "verdict": "approve",
        "answers_original_question": True,
        "grounded_in_sources": True,
        "drift_from_original_question": False,
        "metadata_leakage": False,
        "unsupported_claims": [],
        "minor_revision": "",
        "review_notes": "",
    },
    Agent.CORRECTION: CITED,
    Agent.SYNTHESIS: CITED,
}
VARIABLES = {
    Agent.REWRITE: "ANKARE_AGENT1_MODEL",
    Agent.DRAFT: "ANKARE_AGENT2_MODEL",
    Agent.REVIEW: "ANKARE_AGENT3_MODEL",
    Agent.CORRECTION: "ANKARE_AGENT_CORRECTION_MODEL",
    Agent.SYNTHESIS: "ANKARE_LLM_SYNTHESIS_MODEL",
}


def check(base_url: str, *options: str) -> Result:
    variables = {name: agent.value for agent, name in VARIABLES.items()}
    variables |= {"ANKARE_LLM_BASE_URL": base_url, "ANKARE_LLM_API_KEY": "k-5ecret"}
    return CliRunner().invoke(app, ["models", "check", *options], env=variables)


def roles(**instead: Behaviour) -> Behaviour:
    """A service whose models keep to their form, but for those that are given."""
    return by_model(
        {agent.value: instead.get(agent.name.lower(), says(json.dumps(REPLIES[agent]))) for agent in REPLIES}
    )


def test_every_role_is_asked_once_with_its_own_model() -> None:
    with model_server() as server:
        server.does(roles())
        done = check(f"{server.url}/v1", "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 0, done.output
    assert [(row["role"], row["state"]) for row in told["roles"]] == [(agent.role, "ok") for agent in Agent]
    assert all(row["milliseconds"] > 0 and row["tokens"] for row in told["roles"])
    assert sorted(seen.json["model"] for seen in server.seen) == sorted(agent.value for agent in Agent)


@pytest.mark.parametrize(
    ("instead", "state", "told"),
    [
        ({"draft": says("Sju dagar har en vecka, och det är allt.")}, "note", "agent2_raw_text"),
        ({"review": says("Ja.")}, "FAILED", "agent3_invalid_json"),
        ({"correction": says('{"answer": "En vecka')}, "FAILED", "agent4_invalid_json"),
        ({"rewrite": refuses(401)}, "FAILED", "401"),
        ({"synthesis": stall}, "FAILED", "agent_timeout"),
    ],
    ids=["plain text", "no object", "cut off", "no key", "no reply"],
)
def test_a_role_that_does_not_do_its_part_is_told(instead: dict[str, Behaviour], state: str, told: str) -> None:
    with model_server() as server:
        server.does(roles(**instead))
        done = check(f"{server.url}/v1", "--seconds", "2")
    (role,) = instead
    line = next(line for line in done.stdout.splitlines() if f"{Agent[role.upper()].role} " in line)
    assert line.startswith(state), done.output
    assert told in line
    assert done.exit_code == (1 if state == "FAILED" else 0)
    assert len(done.stdout.splitlines()) == len(Agent), "the others are asked all the same"
    assert "5ecret" not in done.output


def test_no_model_is_told() -> None:
    done = CliRunner().invoke(app, ["models", "check"])
    assert isinstance(done.exception, SettingsError)
