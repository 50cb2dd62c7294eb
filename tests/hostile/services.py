"""Scenarios: the service of a model refuses, breaks off or never ends, at each agent; and what the shadow makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tests.hostile.forms import ENDINGS_OF_READABLE, ENDINGS_WITHOUT_REPLY, at_each_agent
from tests.hostile.models import HONEST, KEY, LIE, REJECTED, honest, in_turn, judges, writes
from tests.hostile.scenario import (
    APPROVED,
    HASTY,
    MODELS,
    UNREVIEWED,
    Ending,
    Scenario,
    not_rewritten,
    refused,
    uncorrected,
    undrafted,
)
from tests.model_server import (
    Behaviour,
    bad_chunks,
    cut_off,
    drip,
    drip_body,
    drip_headers,
    endless,
    hang_up,
    no_http,
    no_schema,
    refuses,
    reset,
    reset_in_body,
    says,
    stall,
    stall_in_body,
)

ASKED = {"agent1": "m1", "agent2": "m1 m2", "agent3": "m1 m2 m3", "agent4": "m1 m2 m3 m4", "synthesis": "m5"}
TIMED_OUT: Mapping[str, Ending] = {
    "agent1": replace(APPROVED, rewrite="agent_timeout", asked="m1 m2 m3|m2 m3"),
    "agent2": replace(undrafted("agent_timeout"), asked="m1 m2|m1"),
    "agent3": replace(UNREVIEWED, asked="m1 m2 m3|m1 m2"),
    "agent4": replace(uncorrected("agent_timeout"), asked="m1 m2 m3 m4|m1 m2 m3"),
    "synthesis": replace(not_rewritten("agent_timeout"), asked="m5|"),
}
"""On a busy machine the time may be over before the request has come in."""
TURNS_US_AWAY = {
    "402": refuses(402, code="insufficient_quota", message=f"{KEY} is used up"),
    "401": refuses(401, code="invalid_api_key", message=f"Incorrect key {KEY}"),
    "403": refuses(403, code=KEY),
}
NEVER_ENDS: Mapping[str, Behaviour] = {"stalls": stall, "drips without end": drip_body}
NEVER_ENDS_SOMEHOW: Mapping[str, Behaviour] = {
    "stalls in its reply": stall_in_body,
    "drips headers": drip_headers,
    "a slow drip of an honest reply": drip(honest()),
}
GAVE_UP: Mapping[str, Ending] = {
    "agent1": replace(APPROVED, rewrite="provider_error|agent_timeout"),
    "agent2": undrafted("provider_error|agent_timeout"),
    "agent3": UNREVIEWED,
    "agent4": uncorrected("provider_error|agent_timeout"),
    "synthesis": not_rewritten("provider_error|agent_timeout"),
}
"""It is asked again a few times, after waits that are short here; no more than that is sure."""
BREAKS_OFF: Mapping[str, Behaviour] = {
    "resets in mid-reply": reset_in_body,
    "500 always": refuses(500, message=f"{KEY} crashed us"),
}
BREAKS_OFF_SOMEHOW: Mapping[str, Behaviour] = {
    "resets": reset,
    "closes early": cut_off,
    "hangs up": hang_up,
    "broken chunks": bad_chunks,
    "speaks no HTTP": no_http,
    "says more than anyone takes": endless,
}
ONCE = {
    "500 once": in_turn(refuses(500), honest()),
    "429 with a short wait": in_turn(refuses(429, retry_after="0.05"), honest()),
    "a reset once": in_turn(reset, honest()),
}
LONG_WAIT = {"429 with a long wait": refuses(429, retry_after="3600")}


def hasty(scenarios: tuple[Scenario, ...]) -> tuple[Scenario, ...]:
    """With little time for the agent whose model never ends."""
    return tuple(replace(one, hurried=(one.agent,)) for one in scenarios)


def at_agent_2(behaviours: Mapping[str, Behaviour], ending: Ending) -> tuple[Scenario, ...]:
    return tuple(
        Scenario(f"agent2: {name}", "agent2", name, {"m2": behaviour}, ending) for name, behaviour in behaviours.items()
    )


REFUSED = tuple(
    Scenario(
        f"{agent}: {status}",
        agent,
        status,
        {**(REJECTED if agent == "agent4" else {}), MODELS[agent]: behaviour},
        refused(ASKED[agent]),
        synthesis=agent == "synthesis",
    )
    for status, behaviour in TURNS_US_AWAY.items()
    for agent in MODELS
)
WITHOUT_SCHEMA = (
    Scenario(
        "all: response_format refused",
        "agent2",
        "400 for a schema, at every agent",
        {model: no_schema(behaviour) for model, behaviour in HONEST.items()},
        APPROVED,
        alone=True,
    ),
    Scenario(
        "all: response_format refused, 422",
        "agent2",
        "422 for a schema, at every agent",
        {model: no_schema(behaviour, 422) for model, behaviour in HONEST.items()},
        APPROVED,
        alone=True,
    ),
    Scenario(
        "all: response_format refused, lies",
        "agent2",
        "400 for a schema, then invents",
        {**{model: no_schema(behaviour) for model, behaviour in HONEST.items()}, "m2": no_schema(writes(LIE))},
        Ending(final="fallback", origin="fallback", reason="agent2_grounding_failed", review="approved"),
        gate="number_mismatch",
        poison=("400 000",),
        alone=True,
    ),
)
EVERYTHING_STALLS = Scenario(
    "all: stall",
    "agent1",
    "no model ever answers",
    dict.fromkeys(MODELS.values(), stall),
    replace(undrafted("agent_timeout"), rewrite="agent_timeout", asked="m1 m2|m1|m2|"),
    settings={"agentic_rag_timeout_seconds": HASTY},
)

# Shadow mode: whatever the chain does, the user's answer is that of the control path.

SHADOWS: Mapping[str, tuple[Mapping[str, Behaviour], Ending]] = {
    "honest": ({}, APPROVED),
    "agent 2 invents": (
        {"m2": writes(LIE)},
        Ending(reason="agent2_grounding_failed", final="fallback", review="approved"),
    ),
    "agent 2 is unreadable": ({"m2": says("{")}, undrafted("agent2_invalid_json")),
    "agent 3 is unreadable": ({"m3": says("{")}, UNREVIEWED),
    "agent 3 revises": (
        {"m3": judges("revise_minor", LIE)},
        Ending(reason="agent3_revision_new_claim", final="fallback", review="revision"),
    ),
    "agent 4 invents": ({**REJECTED, "m4": writes(LIE)}, uncorrected("agent4_grounding_failed")),
    "402 at agent 1": ({"m1": TURNS_US_AWAY["402"]}, Ending(reason="quota", final="fallback", asked="m1")),
    "401 at agent 2": ({"m2": TURNS_US_AWAY["401"]}, Ending(reason="auth", final="fallback", asked="m1 m2")),
    "402 at agent 3": ({"m3": TURNS_US_AWAY["402"]}, Ending(reason="quota", final="fallback", review="not_run")),
    "429 with a long wait": ({"m2": LONG_WAIT["429 with a long wait"]}, undrafted("provider_error")),
    "a web page": ({"m2": says("<html>")}, undrafted("agent2_invalid_json")),
}
SHADOWED = tuple(
    Scenario(
        f"shadow: {name}",
        "shadow",
        name,
        does,
        replace(ending, origin="extractive"),
        poison=("400 000",),
        settings={"agentic_rag_mode": "shadow"},
    )
    for name, (does, ending) in SHADOWS.items()
)
SHADOW_STALLS = Scenario(
    "shadow: a stall",
    "shadow",
    "stalls in the shadow",
    {"m2": stall},
    replace(TIMED_OUT["agent2"], origin="extractive"),
    settings={"agentic_rag_mode": "shadow"},
    hurried=("agent2",),
)
SCENARIOS = (
    *REFUSED,
    *at_each_agent(LONG_WAIT, ENDINGS_WITHOUT_REPLY),
    *at_each_agent(ONCE, ENDINGS_OF_READABLE),
    *hasty(at_each_agent(NEVER_ENDS, TIMED_OUT)),
    *hasty(at_agent_2(NEVER_ENDS_SOMEHOW, TIMED_OUT["agent2"])),
    *at_each_agent(BREAKS_OFF, GAVE_UP),
    *at_agent_2(BREAKS_OFF_SOMEHOW, GAVE_UP["agent2"]),
    *WITHOUT_SCHEMA,
    EVERYTHING_STALLS,
    *SHADOWED,
    SHADOW_STALLS,
)
