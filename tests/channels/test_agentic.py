"""What becomes of a question in the chain of agents, whatever the agents say?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from ankare.channels.agentic import AgentChain
from ankare.channels.corpus import OpenCorpus
from ankare.channels.way import Way
from ankare.domain.agents import Agent, FinalState, Origin, Pipeline, ReviewState, RunStatus
from ankare.domain.answer import Answer, Refusal
from ankare.domain.cancel import CallCancelledError, CancelToken, cancelled_by
from ankare.domain.reply import Reply
from ankare.errors import ProviderError, ProviderServiceError
from ankare.llm.protocol import Usage
from tests.channels.scripted_agents import (
    DECIDES,
    GOOD,
    INVENTED,
    LEADS,
    OFF_TOPIC,
    QUESTION,
    BlindGate,
    SpiedCorpus,
    build_corpus,
    chain_of,
    cites,
    draft,
    review,
    rewrite,
    said,
)

TIMEOUT = ProviderError("No answer.", kind="timeout")
DOWN = ProviderError("Down.", kind="server", status=500)
WORDING = "beslut om budget"
NO_REWRITE = rewrite()
CUT = '{"answer": "Styrgruppen beslutar om budg'


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> OpenCorpus:
    return build_corpus(tmp_path_factory.mktemp("agents"))


@pytest.fixture
def spied(corpus: OpenCorpus) -> SpiedCorpus:
    return SpiedCorpus(corpus)


def told(reply: Reply) -> Pipeline:
    assert reply.pipeline is not None
    return reply.pipeline


def text_of(reply: Reply) -> str:
    assert isinstance(reply.outcome, Answer)
    return " ".join(claim.text for claim in reply.outcome.claims)


def plain_reply(chain: AgentChain, corpus: Any, question: str = QUESTION) -> Reply:
    return chain.control.reply(question, corpus)


def prompts(provider: Any) -> list[str]:
    return [call.messages[-1]["content"] for call in provider.calls]


# What is published, and what it stands on.


def test_an_approved_draft_that_the_gate_passes_is_published_with_its_evidence(spied: SpiedCorpus) -> None:
    chain, provider = chain_of(GOOD)
    reply = chain.reply(QUESTION, spied)
    record = told(reply)
    assert text_of(reply) == DECIDES
    assert (record.origin, record.final, record.review) == (Origin.REVIEWED, FinalState.APPROVED, ReviewState.APPROVED)
    assert (record.reason, record.fallback_retrieval, record.escalation) == (None, False, None)
    assert [run.agent for run in record.agents] == [Agent.REWRITE, Agent.DRAFT, Agent.REVIEW]
    assert [run.status for run in record.agents] == [RunStatus.OK, RunStatus.OK, RunStatus.APPROVED]
    assert all(claim.citations[0].quote == claim.text for claim in reply.outcome.claims)  # type: ignore[union-attr]
    assert provider.left == 0


def test_only_what_the_answer_used_is_cited(spied: SpiedCorpus) -> None:
    reply = chain_of(GOOD)[0].reply(QUESTION, spied)
    assert len(reply.hits) > 1
    cited = {c.chunk.source for claim in reply.outcome.claims for c in claim.citations}  # type: ignore[union-attr]
    assert cited == {"plan.md"}


def test_a_minor_revision_that_takes_away_is_published(spied: SpiedCorpus) -> None:
    script = (NO_REWRITE, cites(DECIDES, f"{DECIDES} {INVENTED}"), review("revise_minor", DECIDES))
    record = told(reply := chain_of(script)[0].reply(QUESTION, spied))
    assert text_of(reply) == DECIDES
    assert (record.origin, record.final) == (Origin.MINOR_REVISION, FinalState.REVISED)
    assert record.review is ReviewState.REVISION


def test_a_corrected_answer_is_published_after_a_rejection(spied: SpiedCorpus) -> None:
    script = (
        NO_REWRITE,
        cites(DECIDES, INVENTED),
        review("reject", "", "Summan saknar stöd."),
        cites(DECIDES, DECIDES, agent="correction"),
    )
    chain, provider = chain_of(script)
    record = told(reply := chain.reply(QUESTION, spied))
    assert text_of(reply) == DECIDES
    assert (record.origin, record.final, record.escalation) == (Origin.CORRECTED, FinalState.CORRECTED, "agent4")
    assert record.review is ReviewState.REJECTED
    assert "Summan saknar stöd." in prompts(provider)[-1]


def test_the_correction_sees_the_authoritative_evidence_and_the_review_only_what_was_cited(spied: SpiedCorpus) -> None:
    script = (NO_REWRITE, cites(DECIDES, INVENTED), review("reject"), cites(DECIDES, DECIDES, agent="correction"))
    chain, provider = chain_of(script)
    chain.reply(QUESTION, spied)
    _, of_draft, of_review, of_correction = prompts(provider)
    other = "Budgeten följs upp varje kvartal."
    assert other in of_draft
    assert other not in of_review
    assert DECIDES in of_review
    assert other in of_correction


# Agent 1 may widen the search; it never decides what the question is.


@pytest.mark.parametrize(
    ("reply", "reason", "status"),
    [
        (said("inget objekt alls"), "agent1_invalid_json", RunStatus.INVALID),
        (said('{"original_question": "x", "retrieval'), "agent1_invalid_json", RunStatus.INVALID),
        (said(""), "agent1_invalid_json", RunStatus.INVALID),
        (rewrite(WORDING, confidence=0.54), "agent1_low_confidence", RunStatus.OK),
        (rewrite(WORDING, question="Vad kostar en häst?"), "agent1_question_mismatch", RunStatus.RECOVERED),
        (rewrite("häst hage foder"), "agent1_no_usable_rewrite", RunStatus.OK),
        (TIMEOUT, "agent_timeout", RunStatus.TIMEOUT),
        (DOWN, "provider_error", RunStatus.ERROR),
    ],
)
def test_where_agent_1_fails_the_question_alone_is_searched(
    spied: SpiedCorpus, reply: Any, reason: str, status: RunStatus
) -> None:
    record = told(answered := chain_of((reply, *GOOD[1:]))[0].reply(QUESTION, spied))
    assert spied.searched == [QUESTION]
    assert record.rewrite_reason == reason
    assert (record.agents[0].status, record.queries) == (status, (QUESTION,))
    assert (record.origin, record.reason) == (Origin.REVIEWED, None)
    assert text_of(answered) == DECIDES


def test_accepted_wordings_are_searched_and_rejected_ones_told(spied: SpiedCorpus) -> None:
    script = (rewrite(WORDING, "Budgeten är 4 miljoner kronor", "häst hage foder"), *GOOD[1:])
    record = told(chain_of(script)[0].reply(QUESTION, spied))
    assert spied.searched == [QUESTION, WORDING]
    assert [one.query for one in record.accepted] == [WORDING]
    assert all(one.reason for one in record.rejected)
    assert len(record.rejected) == 2


def test_no_more_wordings_are_searched_than_allowed(spied: SpiedCorpus) -> None:
    wordings = ["budget beslut", "budgetbeslut", "beslut om budget", "budgetens beslut", "besluta budget", "budgeten"]
    record = told(chain_of((rewrite(*wordings), *GOOD[1:]), queries=3)[0].reply(QUESTION, spied))
    assert len(record.queries) == len(spied.searched) == 3
    assert "too_many" in {one.reason for one in record.rejected}


def test_agent_2_answers_the_question_and_not_a_wording_of_it(spied: SpiedCorpus) -> None:
    chain, provider = chain_of(GOOD)
    chain.reply(QUESTION, spied)
    of_draft = prompts(provider)[1]
    assert QUESTION in of_draft[of_draft.index("<question") : of_draft.index("</question")]


def test_agent_1_sees_titles_and_no_text_of_the_documents(spied: SpiedCorpus) -> None:
    chain, provider = chain_of(GOOD)
    chain.reply(QUESTION, spied)
    assert "\nPlan" in prompts(provider)[0]
    assert DECIDES not in prompts(provider)[0]


def test_a_drafted_context_holds_no_more_chunks_than_allowed(spied: SpiedCorpus) -> None:
    record = told(chain_of(GOOD, context=2)[0].reply(QUESTION, spied))
    assert len(record.context) == 2


# An off-topic question ends before any model is asked.


def test_an_off_topic_question_asks_no_model_and_cites_nothing(spied: SpiedCorpus) -> None:
    chain, provider = chain_of(())
    reply = chain.reply(OFF_TOPIC, spied)
    record = told(reply)
    assert isinstance(reply.outcome, Refusal)
    assert provider.calls == ()
    assert (record.reason, record.final, record.fallback_retrieval) == ("thin_evidence", FinalState.FALLBACK, False)
    assert (record.agents, record.usage, record.review) == ((), None, ReviewState.NOT_RUN)
    assert reply.outcome == plain_reply(chain, spied, OFF_TOPIC).outcome


def test_no_wording_makes_an_off_topic_question_covered(spied: SpiedCorpus) -> None:
    """Rewrites that drift to the subject of the documents are not even asked for."""
    reply = chain_of((rewrite("budget bäst", question=OFF_TOPIC), *GOOD[1:]))[0].reply(OFF_TOPIC, spied)
    assert isinstance(reply.outcome, Refusal)
    assert spied.searched == [OFF_TOPIC]


# Every way to fall back: retrieval anew on the question alone, and the answer of the control path.

FALLBACKS: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "draft cut off": ((rewrite(WORDING), said(CUT)), {}, "agent2_invalid_json"),
    "draft in wrong types": ((rewrite(WORDING), said({"answer": ["a"]})), {}, "agent2_invalid_json"),
    "draft empty": ((rewrite(WORDING), said("")), {}, "agent2_invalid_json"),
    "short raw text": ((rewrite(WORDING), said("Vet ej.")), {}, "agent2_invalid_json"),
    "no evidence, nothing matches": ((rewrite(WORDING), draft(INVENTED)), {}, "agent2_missing_evidence"),
    "unknown evidence, nothing matches": ((rewrite(WORDING), draft(INVENTED, "c99")), {}, "agent2_unknown_evidence"),
    "draft in time-out": ((rewrite(WORDING), TIMEOUT), {}, "agent_timeout"),
    "draft and service down": ((rewrite(WORDING), DOWN), {}, "provider_error"),
    "approved, not grounded": (
        (rewrite(WORDING), cites(DECIDES, INVENTED), review()),
        {},
        "agent2_grounding_failed",
    ),
    "approved, one sentence not grounded": (
        (rewrite(WORDING), cites(DECIDES, f"{DECIDES} {INVENTED}"), review()),
        {},
        "agent2_grounding_failed",
    ),
    "true, but not by what was cited": (
        (rewrite(WORDING), cites("Budgeten följs upp", DECIDES), review()),
        {},
        "agent2_grounding_failed",
    ),
    "not reviewed, not grounded": (
        (rewrite(WORDING), cites(DECIDES, INVENTED), said("inget objekt")),
        {},
        "agent2_grounding_failed",
    ),
    "review required": (
        (rewrite(WORDING), cites(DECIDES, DECIDES), said("inget objekt")),
        {"require_review": True},
        "agent3_unavailable",
    ),
    "review required, time-out": (
        (rewrite(WORDING), cites(DECIDES, DECIDES), TIMEOUT),
        {"require_review": True},
        "agent3_unavailable",
    ),
    "revision with a new claim": (
        (rewrite(WORDING), cites(DECIDES, DECIDES), review("revise_minor", f"{DECIDES} {LEADS}")),
        {},
        "agent3_revision_new_claim",
    ),
    "revision not grounded": (
        (rewrite(WORDING), cites(DECIDES, f"{DECIDES} {INVENTED}"), review("revise_minor", INVENTED)),
        {},
        "agent3_revision_grounding_failed",
    ),
    "correction not grounded": (
        (
            rewrite(WORDING),
            cites(DECIDES, INVENTED),
            review("reject"),
            cites(DECIDES, INVENTED, agent="correction"),
        ),
        {},
        "agent4_grounding_failed",
    ),
    "correction unreadable": (
        (rewrite(WORDING), cites(DECIDES, INVENTED), review("reject"), said(CUT)),
        {},
        "agent4_invalid_json",
    ),
    "correction in time-out": (
        (rewrite(WORDING), cites(DECIDES, INVENTED), review("reject"), TIMEOUT),
        {},
        "agent_timeout",
    ),
    "correction and service down": (
        (rewrite(WORDING), cites(DECIDES, INVENTED), review("reject"), DOWN),
        {},
        "provider_error",
    ),
}


@pytest.mark.parametrize(("script", "settings", "reason"), FALLBACKS.values(), ids=FALLBACKS.keys())
def test_whatever_fails_ends_in_the_answer_of_the_question_alone(
    spied: SpiedCorpus, script: tuple[Any, ...], settings: dict[str, Any], reason: str
) -> None:
    chain, provider = chain_of(script, **settings)
    reply = chain.reply(QUESTION, spied)
    record = told(reply)
    assert record.reason == reason
    assert (record.final, record.origin) == (FinalState.FALLBACK, Origin.FALLBACK)
    assert record.fallback_retrieval
    assert spied.searched == [QUESTION, WORDING, QUESTION]
    plain = plain_reply(chain, spied)
    assert (reply.outcome, reply.hits) == (plain.outcome, plain.hits)
    assert INVENTED not in text_of(reply)
    assert provider.left == 0


@pytest.mark.parametrize("name", ["approved, not grounded", "revision not grounded", "correction not grounded"])
def test_a_gate_that_passes_everything_would_publish_what_is_invented(spied: SpiedCorpus, name: str) -> None:
    script, settings, _ = FALLBACKS[name]
    assert INVENTED in text_of(chain_of(script, gate=BlindGate(), **settings)[0].reply(QUESTION, spied))


def test_a_fallback_owes_nothing_to_drifted_wordings(spied: SpiedCorpus) -> None:
    """The journal's fault: the answer of a failed chain was made from what the wordings had found."""
    script = (rewrite("budget uppföljning kvartal", "avvikelser mot budget"), said(CUT))
    reply = chain_of(script)[0].reply(QUESTION, spied)
    assert spied.searched[-1] == QUESTION
    assert reply.hits == plain_reply(chain_of(())[0], spied).hits


# Agent 2 never stops the chain.


def test_a_long_raw_text_is_a_draft_whose_sentences_the_gate_matches(spied: SpiedCorpus) -> None:
    text = f"{DECIDES} {LEADS}"
    chain, provider = chain_of((NO_REWRITE, said(text), review()))
    record = told(reply := chain.reply(QUESTION, spied))
    assert text_of(reply) == text
    assert (record.agents[1].status, record.agents[1].reason) == (RunStatus.RECOVERED, "agent2_raw_text")
    assert "Budgeten följs upp" not in prompts(provider)[2]


@pytest.mark.parametrize(
    "ended",
    [
        {"finish_reason": "length"},
        {"usage": Usage(900, 3600, 4500)},
        {"usage": None, "finish_reason": "length"},
    ],
)
def test_a_raw_text_that_was_cut_off_is_no_draft_however_whole_it_looks(
    spied: SpiedCorpus, ended: dict[str, Any]
) -> None:
    for text in (f"{DECIDES} {LEADS}", f"{DECIDES} {LEADS[:20]}"):
        reply = chain_of((NO_REWRITE, said(text, **ended), review()))[0].reply(QUESTION, spied)
        record = told(reply)
        run = record.agents[1]
        assert (record.reason, record.origin) == ("agent2_invalid_json", Origin.FALLBACK)
        assert (run.status, run.fault, run.suspected_truncation) == (RunStatus.INVALID, "truncated", True)
        assert len(record.agents) == 2
        assert text_of(reply) == text_of(chain_of((NO_REWRITE, said(CUT)))[0].reply(QUESTION, spied))


def test_an_object_that_is_whole_is_a_draft_also_at_the_cap(spied: SpiedCorpus) -> None:
    drafted = cites(DECIDES, DECIDES)

    def at_the_cap(messages: Sequence[Any], tools: object) -> Any:
        written = drafted(messages, tools).choices[0].message.content  # type: ignore[union-attr]
        return said(written, finish_reason="length")

    record = told(chain_of((NO_REWRITE, at_the_cap, review()))[0].reply(QUESTION, spied))
    assert record.origin is Origin.REVIEWED


@pytest.mark.parametrize(("ids", "reason"), [((), "agent2_missing_evidence"), (("c99",), "agent2_unknown_evidence")])
def test_a_draft_without_evidence_is_reviewed_by_what_holds_its_sentences(
    spied: SpiedCorpus, ids: tuple[str, ...], reason: str
) -> None:
    chain, provider = chain_of((NO_REWRITE, draft(DECIDES, *ids), review()))
    record = told(reply := chain.reply(QUESTION, spied))
    assert text_of(reply) == DECIDES
    assert record.agents[1].reason == reason
    assert DECIDES in prompts(provider)[2]
    assert "Budgeten följs upp" not in prompts(provider)[2]


def test_an_insufficient_scope_goes_to_the_reviewer_and_stops_nothing(spied: SpiedCorpus) -> None:
    script = (NO_REWRITE, cites(DECIDES, DECIDES, scope="insufficient_evidence"), review())
    chain, provider = chain_of(script)
    record = told(reply := chain.reply(QUESTION, spied))
    assert (text_of(reply), record.scope, record.final) == (DECIDES, "insufficient_evidence", FinalState.APPROVED)
    assert "insufficient_evidence" in prompts(provider)[2]


@pytest.mark.parametrize("scope", ["direct", "partial_due_to_thin_evidence"])
def test_an_answer_that_calls_itself_partial_is_told_as_one(spied: SpiedCorpus, scope: str) -> None:
    reply = chain_of((NO_REWRITE, cites(DECIDES, DECIDES, scope=scope), review()))[0].reply(QUESTION, spied)
    assert isinstance(reply.outcome, Answer)
    assert reply.outcome.partial is (scope != "direct")


def test_a_draft_that_repeats_the_question_in_other_words_is_still_a_draft(spied: SpiedCorpus) -> None:
    written = cites(DECIDES, DECIDES)

    def echoing(messages: Sequence[Any], tools: object) -> Any:
        value = json.loads(written(messages, tools).choices[0].message.content)  # type: ignore[union-attr, arg-type]
        return said({"original_question": "Vem är det som beslutar om budgeten?", **value})

    assert told(chain_of((NO_REWRITE, echoing, review()))[0].reply(QUESTION, spied)).origin is Origin.REVIEWED


# Agent 3 approves or does not; a fault of form is neither.


@pytest.mark.parametrize("fault", [said("inget objekt"), said('{"verdict": "approve"'), said(""), TIMEOUT, DOWN])
def test_without_a_review_a_grounded_draft_is_published_and_never_called_approved(
    spied: SpiedCorpus, fault: Any
) -> None:
    chain, provider = chain_of((NO_REWRITE, cites(DECIDES, DECIDES), fault))
    record = told(reply := chain.reply(QUESTION, spied))
    assert text_of(reply) == DECIDES
    assert (record.review, record.final) == (ReviewState.UNAVAILABLE, FinalState.UNAVAILABLE)
    assert (record.origin, record.escalation) == (Origin.UNREVIEWED, None)
    assert record.agents[2].status is RunStatus.UNAVAILABLE
    assert provider.left == 0


def test_a_review_that_contradicts_itself_is_no_approval(spied: SpiedCorpus) -> None:
    contradicting = said(
        {
            "verdict": "approve",
            "answers_original_question": True,
            "grounded_in_sources": True,
            "drift_from_original_question": True,
            "metadata_leakage": False,
            "unsupported_claims": [],
            "minor_revision": "",
            "review_notes": "",
        }
    )
    script = (NO_REWRITE, cites(DECIDES, DECIDES), contradicting, cites(DECIDES, DECIDES, agent="correction"))
    assert told(chain_of(script)[0].reply(QUESTION, spied)).origin is Origin.CORRECTED


def test_one_correction_is_made_and_no_second(spied: SpiedCorpus) -> None:
    script, settings, _ = FALLBACKS["correction not grounded"]
    chain, provider = chain_of(script, **settings)
    record = told(chain.reply(QUESTION, spied))
    assert [run.agent for run in record.agents].count(Agent.CORRECTION) == 1
    assert len(provider.calls) == 4


@pytest.mark.parametrize("name", [name for name in FALLBACKS if "correction" not in name])
def test_nothing_but_a_rejection_leads_to_a_correction(spied: SpiedCorpus, name: str) -> None:
    script, settings, _ = FALLBACKS[name]
    record = told(chain_of(script, **settings)[0].reply(QUESTION, spied))
    assert record.escalation is None
    assert Agent.CORRECTION not in {run.agent for run in record.agents}


# The service's refusals end the question; nobody is answered by what was left over.


@pytest.mark.parametrize("place", [0, 1, 2, 3])
@pytest.mark.parametrize(("kind", "status"), [("quota", 402), ("auth", 401), ("auth", 403)])
def test_a_refused_key_or_quota_ends_the_question_at_once(
    spied: SpiedCorpus, place: int, kind: str, status: int
) -> None:
    whole = [NO_REWRITE, cites(DECIDES, INVENTED), review("reject"), cites(DECIDES, DECIDES, agent="correction")]
    script = [*whole[:place], ProviderServiceError("No.", kind=kind, status=status), *whole]
    chain, provider = chain_of(script)
    with pytest.raises(ProviderServiceError):
        chain.reply(QUESTION, spied)
    assert len(provider.calls) == place + 1


def test_once_nobody_waits_no_further_model_is_asked(spied: SpiedCorpus) -> None:
    token = CancelToken()

    def gone(_messages: Sequence[Any], _tools: object) -> Any:
        token.cancel()
        return GOOD[0]

    chain, provider = chain_of((gone, *GOOD[1:]))
    with cancelled_by(token), pytest.raises(CallCancelledError):
        chain.reply(QUESTION, spied)
    assert len(provider.calls) == 1


# What is recorded.


def test_each_agent_is_asked_as_its_part_says(spied: SpiedCorpus) -> None:
    script = (NO_REWRITE, cites(DECIDES, INVENTED), review("reject"), cites(DECIDES, DECIDES, agent="correction"))
    chain, provider = chain_of(script, models={Agent.DRAFT: "drafter"})
    record = told(chain.reply(QUESTION, spied))
    asked = [(c.options.temperature, c.options.max_tokens, c.options.reasoning_effort) for c in provider.calls]
    assert asked == [(0.0, 2400, None), (0.2, 3600, "high"), (0.0, 2000, None), (0.2, 2000, "high")]
    assert [run.model for run in record.agents] == ["openai/gpt-oss-20b", "drafter", *["openai/gpt-oss-20b"] * 2]
    assert provider.calls[1].options.model == "drafter"
    assert all(run.prompt_version and run.structured == "schema" for run in record.agents)


def test_a_correction_by_a_model_of_120b_is_given_to_the_default(spied: SpiedCorpus) -> None:
    script, settings, _ = FALLBACKS["correction not grounded"]
    chain, provider = chain_of(script, models={Agent.CORRECTION: "openai/gpt-oss-120b"}, **settings)
    record = told(chain.reply(QUESTION, spied))
    assert provider.calls[3].options.model == "openai/gpt-oss-20b"
    assert record.agents[3].model == "openai/gpt-oss-20b"
    assert "120b" in record.warnings[0]


def test_usage_is_summed_and_what_is_missing_is_told(spied: SpiedCorpus) -> None:
    silent = cites(DECIDES, DECIDES)

    def untold(messages: Sequence[Any], tools: object) -> Any:
        return said(silent(messages, tools).choices[0].message.content, usage=None)  # type: ignore[union-attr]

    record = told(chain_of((NO_REWRITE, untold, review()))[0].reply(QUESTION, spied))
    assert record.usage is not None
    assert (record.usage.calls, record.usage.calls_without_usage, record.usage.complete) == (3, 1, False)
    assert record.usage.total_tokens == 240
    assert record.agents[1].usage is None
    assert dict(record.usage_by_agent)[Agent.DRAFT].total_tokens is None


@pytest.mark.parametrize("error", [TIMEOUT, DOWN])
def test_a_call_without_an_answer_leaves_the_sum_incomplete(spied: SpiedCorpus, error: Exception) -> None:
    record = told(chain_of((NO_REWRITE, error))[0].reply(QUESTION, spied))
    assert record.usage is not None
    assert (record.usage.calls, record.usage.calls_without_usage, record.usage.complete) == (2, 1, False)


def test_a_reply_cut_off_at_its_cap_is_suspected_of_truncation(spied: SpiedCorpus) -> None:
    at_the_cap = said(CUT, usage=Usage(900, 3600, 4500), finish_reason="length")
    record = told(chain_of((NO_REWRITE, at_the_cap))[0].reply(QUESTION, spied))
    assert record.agents[1].suspected_truncation
    assert (record.agents[1].fault, record.agents[1].finish_reason) == ("truncated", "length")


def test_a_readable_reply_at_its_cap_is_not_suspected(spied: SpiedCorpus) -> None:
    drafted = cites(DECIDES, DECIDES)

    def at_the_cap(messages: Sequence[Any], tools: object) -> Any:
        written = drafted(messages, tools).choices[0].message.content  # type: ignore[union-attr]
        return said(written, usage=Usage(900, 3600, 4500))

    record = told(chain_of((NO_REWRITE, at_the_cap, review()))[0].reply(QUESTION, spied))
    assert not record.agents[1].suspected_truncation


def test_raw_replies_are_kept_only_where_contracts_are_logged_and_were_broken(spied: SpiedCorpus) -> None:
    for kept in (False, True):
        record = told(chain_of((NO_REWRITE, said(CUT)), log_contracts=kept)[0].reply(QUESTION, spied))
        assert [bool(run.raw) for run in record.agents] == [kept, kept]  # agent 1 proposed nothing
        assert CUT not in repr(record)


def test_steps_are_told_as_they_begin(spied: SpiedCorpus) -> None:
    steps: list[str] = []
    reply = chain_of(GOOD)[0].reply(QUESTION, spied, way=Way(agentic=True, on_step=steps.append))
    expected = ["interpret", "retrieve", "relevance", "rewrite", "merged_retrieval", "draft", "review", "grounding"]
    assert steps == expected
    assert [timing.step for timing in reply.timings] == expected
