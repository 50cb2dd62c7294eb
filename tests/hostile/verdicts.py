"""Scenarios: agents 1 and 3 decide something odd, and agent 4 does not correct. Nothing that they decide publishes a lie."""

from __future__ import annotations

from dataclasses import replace

from tests.hostile.models import KEY, LIE, REJECTED, judges, rewrite, writes
from tests.hostile.pack import AFTERWARDS, DECIDES, GOOD, OFF_TOPIC
from tests.hostile.scenario import (
    APPROVED,
    CORRECTED,
    NOT_ASKED,
    UNREVIEWED,
    Scenario,
    fell_back,
    uncorrected,
)
from tests.model_server import says

NO_REWRITE = replace(APPROVED, rewrite="agent1_no_usable_rewrite")
UNSURE = replace(APPROVED, rewrite="agent1_low_confidence")
MISMATCH = replace(APPROVED, rewrite="agent1_question_mismatch")
BROKEN = replace(APPROVED, rewrite="agent1_invalid_json")
WORDS = ("beslut", "beslutet", "besluta", "flytt", "arkiv", "flytten")
REVIEW_REQUIRED = {"agentic_rag_require_review": True}

REWRITES = (
    Scenario("agent1: unsure", "agent1", "is not sure", {"m1": says(rewrite("budget", confidence=0.54))}, UNSURE),
    Scenario(
        "agent1: NaN",
        "agent1",
        "NaN as confidence",
        {"m1": says(rewrite("budget").replace("0.9", "NaN"))},
        BROKEN,
    ),
    Scenario("agent1: very sure", "agent1", "confidence of 7", {"m1": says(rewrite("budget", confidence=7))}, BROKEN),
    Scenario(
        "agent1: sure in words",
        "agent1",
        "confidence in words",
        {"m1": says(rewrite("budget", confidence="mycket"))},
        BROKEN,
    ),
    Scenario(
        "agent1: other question",
        "agent1",
        "answers to another question",
        {"m1": says(rewrite("mötestider", question=AFTERWARDS))},
        MISMATCH,
    ),
    Scenario(
        "agent1: answers",
        "agent1",
        "proposes answers",
        {"m1": says(rewrite(LIE, "Anna Bergvall beslutar om budgeten", "budgeten beslutas 12 juni 2031"))},
        NO_REWRITE,
    ),
    Scenario(
        "agent1: off the subject",
        "agent1",
        "leaves the subject",
        {"m1": says(rewrite("bästa bordtennisgummi", "pingisracket test"))},
        NO_REWRITE,
    ),
    Scenario(
        "agent1: links",
        "agent1",
        "proposes links and markup",
        {"m1": says(rewrite("https://samla.example/?q=budget", "<script>budget</script>"))},
        NO_REWRITE,
    ),
    Scenario(
        "agent1: thirty",
        "agent1",
        "proposes thirty wordings",
        {"m1": says(rewrite(*(f"budget {word}" for word in WORDS * 5)))},
        APPROVED,
    ),
    Scenario("agent1: none", "agent1", "proposes nothing", {"m1": says(rewrite())}, BROKEN),
    Scenario("agent1: endless", "agent1", "a wording of 20 kB", {"m1": says(rewrite("budget " * 3_000))}, NO_REWRITE),
    Scenario(
        "agent1: numbers",
        "agent1",
        "wordings that are numbers",
        {"m1": says(rewrite("budget", retrieval_queries=[1, 2]))},
        BROKEN,
    ),
    Scenario(
        "agent1: drifts, agent 2 follows",
        "agent1",
        "drifts, and the draft follows",
        {
            "m1": says(rewrite("referensgruppens möten om budgeten")),
            "m2": writes("Referensgruppen beslutar om budgeten för arkivflytten."),
        },
        fell_back("agent2_grounding_failed"),
    ),
    Scenario(
        "all: off topic",
        "agent1",
        "every model lies, but the question is about something else",
        {model: writes(LIE) for model in ("m1", "m2", "m3", "m4")},
        NOT_ASKED,
        question=OFF_TOPIC,
        poison=("400 000",),
    ),
)
REVIEWS = (
    Scenario(
        "agent3: approves an invention",
        "agent3",
        "approves a fabrication with praise",
        {"m2": writes(LIE), "m3": judges(review_notes="Utmärkt svar, allt har stöd.", required_action="publish")},
        fell_back("agent2_grounding_failed"),
        gate="number_mismatch",
        poison=("400 000", "Utmärkt"),
    ),
    Scenario(
        "agent3: approves and names faults",
        "agent3",
        "approves and names an unsupported claim",
        {"m3": judges(claims=["Summan saknar stöd."])},
        CORRECTED,
    ),
    Scenario(
        "agent3: approves the ungrounded",
        "agent3",
        "approves what it calls ungrounded",
        {"m3": judges(grounded_in_sources=False)},
        CORRECTED,
    ),
    Scenario(
        "agent3: approves drift",
        "agent3",
        "approves what it calls off the question",
        {"m3": judges(drift_from_original_question=True)},
        CORRECTED,
    ),
    Scenario(
        "agent3: wants a fallback",
        "agent3",
        "approves and demands a fallback",
        {"m3": judges(required_action="fallback_to_extractive")},
        CORRECTED,
    ),
    Scenario(
        "agent3: rejects the good",
        "agent3",
        "rejects a good draft",
        {"m3": judges("reject")},
        CORRECTED,
    ),
    Scenario(
        "agent3: rejects the good, agent 4 lies",
        "agent4",
        "invents after a good draft was rejected",
        {"m3": judges("reject"), "m4": writes(LIE)},
        uncorrected("agent4_grounding_failed"),
        gate="number_mismatch",
        poison=("400 000",),
    ),
    Scenario(
        "agent3: rejects in a broken reply",
        "agent3",
        "rejects, with wrong types in all other fields",
        {"m2": writes(GOOD), "m3": judges("reject", revision=7, claims="allt", metadata_leakage="nja")},
        CORRECTED,
    ),
    Scenario(
        "agent3: revision without a text",
        "agent3",
        "revises into nothing",
        {"m3": judges("revise_minor", "")},
        CORRECTED,
    ),
    Scenario("agent3: unknown verdict", "agent3", "an unknown verdict", {"m3": judges("kanske")}, UNREVIEWED),
    Scenario("agent3: two verdicts", "agent3", "two verdicts in one", {"m3": judges("approve | reject")}, UNREVIEWED),
    Scenario(
        "agent3: verdict as list", "agent3", "a list as verdict", {"m3": says('{"verdict": ["approve"]}')}, UNREVIEWED
    ),
    Scenario(
        "agent3: flags in words",
        "agent3",
        "flags that are numbers",
        {"m3": judges(grounded_in_sources=17, answers_original_question="ungefär")},
        UNREVIEWED,
    ),
    Scenario(
        "agent3: short approval",
        "agent3",
        "the short form of a verdict",
        {"m3": says('{"verdict": "approved"}')},
        APPROVED,
    ),
    Scenario(
        "agent3: an answer of its own",
        "agent3",
        "approves, and brings an answer of its own",
        {"m3": judges(answer=LIE, minor_revision=LIE)},
        APPROVED,
        poison=("400 000",),
    ),
    Scenario(
        "agent3: unreadable, draft invented",
        "agent3",
        "cannot be read, and the draft is invented",
        {"m2": writes(LIE), "m3": says("Godkänt!")},
        fell_back("agent2_grounding_failed", "unavailable"),
        gate="number_mismatch",
        poison=("400 000",),
    ),
    Scenario(
        "agent3: unreadable, review required",
        "agent3",
        "cannot be read where a review is required",
        {"m3": says("Godkänt!")},
        fell_back("agent3_unavailable", "unavailable"),
        settings=REVIEW_REQUIRED,
    ),
    Scenario(
        "agent3: half an approval, review required",
        "agent3",
        "breaks off where a review is required",
        {"m3": says('{"verdict": "approve", "answers_orig')},
        fell_back("agent3_unavailable", "unavailable"),
        settings=REVIEW_REQUIRED,
    ),
    Scenario(
        "agent3: approves, review required",
        "agent3",
        "approves where a review is required",
        {},
        APPROVED,
        settings=REVIEW_REQUIRED,
    ),
)
CORRECTIONS = (
    Scenario(
        "agent4: repeats",
        "agent4",
        "repeats the rejected draft",
        {**REJECTED, "m4": writes(LIE)},
        uncorrected("agent4_grounding_failed"),
        gate="number_mismatch",
        poison=("400 000",),
    ),
    Scenario(
        "agent4: unknown ids",
        "agent4",
        "corrects and cites what it was never shown",
        {**REJECTED, "m4": writes(DECIDES, ["c55"])},
        CORRECTED,
    ),
    Scenario(
        "agent4: no ids", "agent4", "corrects and cites nothing", {**REJECTED, "m4": writes(DECIDES, [])}, CORRECTED
    ),
    Scenario(
        "agent4: no ids, invented",
        "agent4",
        "invents and cites nothing",
        {**REJECTED, "m4": writes(f"{DECIDES} {LIE}", [])},
        uncorrected("agent4_grounding_failed"),
        gate="number_mismatch",
        poison=("400 000",),
    ),
    Scenario(
        "agent4: plain text",
        "agent4",
        "corrects in plain text",
        {**REJECTED, "m4": says(GOOD)},
        uncorrected("agent4_invalid_json"),
    ),
    Scenario(
        "agent4: the key",
        "agent4",
        "writes something like a key",
        {**REJECTED, "m4": writes(f"{DECIDES} Nyckeln är {KEY}.")},
        uncorrected("agent4_grounding_failed"),
        poison=(KEY,),
    ),
)
SCENARIOS = (*REWRITES, *REVIEWS, *CORRECTIONS)
