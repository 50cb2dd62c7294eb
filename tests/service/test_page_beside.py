"""What the page shows beside an answer is complete, said once, readable, and never markup of a document."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.cite.body import RunFlags, ask_body
from ankare.cite.links import Links
from ankare.cite.markdown import render
from ankare.domain.agents import Agent, AgentRun, FinalState, Mode, Origin, Pipeline, RunStatus, TokenCount
from ankare.domain.answer import Answer, Citation, Claim, Refusal
from ankare.domain.document import Chunk
from ankare.domain.question import QuestionType
from ankare.messages import languages, messages
from ankare.service.desk import Served
from ankare.service.page.debug import debug_html
from ankare.service.page.passage import passages_html
from tests.service.scripted import claims_of, hit_of, make_chunk, make_reply

ITEMS = make_chunk("Styrgruppen ska. Besluta om budget. Följa upp. Stödja ledaren.", source="bilder.pptx")


def shown(*claims: Claim) -> str:
    return passages_html([citation for claim in claims for citation in claim.citations])


def span(chunk: Chunk, start: int, end: int) -> Claim:
    return Claim(chunk.text[start:end], (Citation(chunk, start, end, chunk.sentences[0].places),))


def test_neighbouring_items_share_one_passage_with_all_their_marks() -> None:
    html = shown(*claims_of(ITEMS))
    assert html.count("<blockquote>") == 1
    assert html.count("<mark>") == len(ITEMS.sentences)
    assert html.count("Besluta om budget.") == 1


def test_places_far_apart_are_passages_of_their_own() -> None:
    chunk = make_chunk("Början här. " + "ord " * 200 + "Slutet här.", source="råd.docx")
    html = shown(span(chunk, 0, 11), span(chunk, len(chunk.text) - 11, len(chunk.text)))
    assert re.findall("<mark>(.*?)</mark>", html) == ["Början här.", "Slutet här."]
    assert html.count("<blockquote>") == 2
    assert "… ord" in html
    assert "ord …" in html


def test_lines_of_the_passage_stay_lines() -> None:
    chunk = make_chunk("Rad ett\n\nRad två", source="råd.docx")
    assert "<mark>Rad ett</mark><br>Rad två</blockquote>" in shown(span(chunk, 0, 7))


@given(
    text=st.text(st.sampled_from("ab <&\n."), min_size=1, max_size=900),
    spans=st.lists(st.tuples(st.integers(0, 899), st.integers(1, 60)), min_size=1, max_size=6),
)
def test_every_cited_sign_is_marked_once_and_nothing_else(text: str, spans: list[tuple[int, int]]) -> None:
    chunk = make_chunk(text, source="råd.docx")
    cited = [(s % len(text), min(len(text), s % len(text) + n)) for s, n in spans]
    html = shown(*(span(chunk, *one) for one in cited))
    marked = "".join(re.findall("<mark>(.*?)</mark>", html)).replace("<br>", "")
    wanted = "".join(text[at] for at in range(len(text)) if any(s <= at < e for s, e in cited))
    escaped = wanted.replace("&", "&amp;").replace("<", "&lt;")
    assert re.sub(r"\s", "", marked) == re.sub(r"\s", "", escaped)


def test_text_of_a_document_is_never_markup() -> None:
    chunk = make_chunk("<script>x</script> & <b>fet</b>", source="elak.html", title="<i>titel</i>")
    html = shown(*claims_of(chunk))
    for markup in ("<script", "<b>", "<i>"):
        assert markup not in html
    assert "&lt;script&gt;x" in html


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("refused", [False, True])
def test_debug_says_codes_in_words(language: str, refused: bool) -> None:
    chunk = make_chunk()
    refusal = Refusal("subject_not_covered", "sv", "Nej.")
    reply = make_reply(
        "Fråga?", refusal if refused else Answer(QuestionType.LIST, "sv", claims_of(chunk)), (hit_of(chunk),)
    )
    rendered, flags = render(reply, Links()), RunFlags(agentic=True)
    html = debug_html(Served(reply, rendered, ask_body(reply, rendered, Links(), flags)), language)
    for code in (
        "subject_not_covered" if refused else "covered",
        "provider_not_configured",
        "list",
        "narrative",
        "retrieve",
    ):
        assert f">{code}<" not in html
        assert f"({code})" in html


@pytest.mark.parametrize("language", languages())
def test_debug_tells_each_agent_and_what_is_not_known(language: str) -> None:
    chunk = make_chunk()
    runs = (
        AgentRun(Agent.DRAFT, "<b>drafter</b>", RunStatus.INVALID, "agent2_invalid_json", attempts=1),
        AgentRun(Agent.REVIEW, "m", RunStatus.APPROVED, usage=TokenCount(1, 2, 3), attempts=1),
    )
    record = Pipeline(Mode.REVIEWED_ANSWER, Origin.FALLBACK, runs, final=FinalState.FALLBACK)
    reply = replace(make_reply("Fråga?", Answer(QuestionType.LIST, "sv", claims_of(chunk))), pipeline=record)
    rendered = render(reply, Links())
    html = debug_html(Served(reply, rendered, ask_body(reply, rendered, Links(), RunFlags(agentic=True))), language)
    texts = messages(language)
    assert "agent2, evidence_answer" in html
    assert "(agent2_invalid_json)" in html
    assert f"{texts['debug.tokens']}: {texts['debug.unknown']}" in html
    assert f"{texts['debug.tokens']}: 3" in html
    assert "<b>" not in html
