"""Answers read well, every mark leads to its page, and a refusal shows no source."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ankare.cite.links import Links
from ankare.cite.markdown import cited_sources, nearby, render
from ankare.domain.answer import Answer, Citation, Claim, ClaimForm, NearSection, Refusal
from ankare.domain.document import Chunk, Place
from ankare.domain.question import QuestionType
from ankare.profile.model import RelatedPage
from tests.service.scripted import cite, claims_of, make_chunk, make_reply

CHUNK = make_chunk("Etapperna är tre. Planera arbetet. Avsluta arbetet.", page=5)
RELATED = Links("https://example.org/pdfs/", (RelatedPage("Plan*", "Planer", "https://example.org/planer"),))


def answer_of(*claims: Claim, language: str = "sv", note: str = "") -> Answer:
    return Answer(QuestionType.LIST, language, claims, note)


def markdown_of(answer: Answer | Refusal, links: Links | None = None) -> str:
    return render(make_reply("Fråga?", answer), links or Links()).markdown


def test_sentences_become_a_paragraph_with_one_mark() -> None:
    text = markdown_of(answer_of(*claims_of(CHUNK)[:2]))
    url = f"/sources/{CHUNK.document_id}#page=5"
    assert text == (
        f"Etapperna är tre. Planera arbetet. [[1]]({url})\n\n### Källor\n\n1. [Plan, s. 5 (2 Etapper)]({url})"
    )


@pytest.mark.parametrize(("form", "lead"), [(ClaimForm.ITEM, "- "), (ClaimForm.STEP, "1. ")])
def test_items_and_steps_become_lists(form: ClaimForm, lead: str) -> None:
    lines = markdown_of(answer_of(*claims_of(CHUNK, form))).splitlines()
    assert lines[0].startswith(lead + "Etapperna är tre. [[1]]")
    assert lines[2].startswith("3. " if form is ClaimForm.STEP else "- ")


def test_a_list_from_one_page_is_marked_once_where_a_line_introduces_it() -> None:
    intro = Claim("Etapperna är:", ())
    text = markdown_of(answer_of(intro, *claims_of(CHUNK, ClaimForm.ITEM)))
    assert text.startswith("Etapperna är: [[1]]")
    assert "\n- Planera arbetet.\n" in text


def test_rows_become_a_table_with_the_documents_own_header() -> None:
    table = make_chunk("Roll | Ansvar\nLedare | Plan | Mål", page=2)
    header = replace(table.sentences[0], start=0, end=13, header=True)
    row = replace(table.sentences[0], start=14, end=len(table.text))
    table = replace(table, sentences=(header, row))
    claims = tuple(
        Claim(table.sentence_text(s), (Citation(table, s.start, s.end, s.places),), ClaimForm.ROW)
        for s in table.sentences
    )
    lines = markdown_of(answer_of(*claims)).splitlines()
    assert lines[:2] == ["| Roll | Ansvar |  |", "| --- | --- | --- |"]
    assert lines[2].startswith("| Ledare | Plan | Mål [[1]](")


def test_a_single_row_is_headed_by_its_own_table() -> None:
    table = make_chunk("Roll | Ansvar\nLedare | Plan\nAnnat | Helt", page=2)
    spans = ((0, 13, True, 1), (14, 27, False, 1), (28, 40, False, 2))
    rows = tuple(replace(table.sentences[0], start=s, end=e, header=h, group=g) for s, e, h, g in spans)
    table = replace(table, sentences=rows)

    def row(n: int) -> Claim:
        return Claim(table.sentence_text(rows[n]), (cite(table, n),), ClaimForm.ROW)

    assert markdown_of(answer_of(row(1))).startswith("| Roll | Ansvar |\n| --- | --- |\n| Ledare | Plan [[1]](")
    assert markdown_of(answer_of(row(2))).startswith("- Annat – Helt [[1]](")


def table_of(rows: tuple[str, ...], *, source: str, group: int = 1) -> Chunk:
    """A chunk that is one table; its first row names the columns."""
    chunk = make_chunk("\n".join(rows), source=source)
    sentences, start = [], 0
    for row in rows:
        sentences.append(replace(chunk.sentences[0], start=start, end=start + len(row), header=not start, group=group))
        start += len(row) + 1
    return replace(chunk, sentences=tuple(sentences))


def test_rows_of_two_tables_are_two_tables_each_with_its_own_header() -> None:
    risks = table_of(("Nr | Risk", "1 | Brand", "2 | Stöld"), source="risker.xlsx")
    plan = table_of(("Vem | Vad", "Medier | Kostnad"), source="plan.docx")
    beside = replace(risks, sentences=tuple(replace(s, group=2) for s in risks.sentences))

    def row(chunk: Chunk, n: int) -> Claim:
        return Claim(chunk.sentence_text(chunk.sentences[n]), (cite(chunk, n),), ClaimForm.ROW)

    text = markdown_of(answer_of(row(risks, 1), row(plan, 1), row(risks, 2), row(beside, 1)))
    tables = [[line.split(" [[")[0] for line in block.splitlines()] for block in text.split("\n\n")[:3]]
    assert tables == [
        ["| Nr | Risk |", "| --- | --- |", "| 1 | Brand", "| 2 | Stöld"],
        ["| Vem | Vad |", "| --- | --- |", "| Medier | Kostnad"],
        ["| Nr | Risk |", "| --- | --- |", "| 1 | Brand"],
    ]


def test_a_table_that_goes_on_in_another_chunk_stays_one_table() -> None:
    first = table_of(("Nr | Risk", "1 | Brand"), source="risker.xlsx")
    rest = table_of(("2 | Stöld",), source="risker.xlsx")
    rest = replace(rest, sentences=(replace(rest.sentences[0], header=False),))
    claims = (
        Claim("2 | Stöld", (cite(rest),), ClaimForm.ROW),
        Claim("1 | Brand", (cite(first, 1),), ClaimForm.ROW),
    )
    assert markdown_of(answer_of(*claims)).startswith("| Nr | Risk |\n| --- | --- |\n| 2 | Stöld [[1]](")


@pytest.mark.parametrize(
    ("version", "language", "label"),
    [
        ("2.0", "sv", "Plan, version 2.0, s. 5 (2 Etapper)"),
        ("2.0", "en", "Plan, version 2.0, p. 5 (2 Etapper)"),
        ("2.0", "zh", "Plan, 版本 2.0, 第 5 页 (2 Etapper)"),
        ("", "sv", "Plan, s. 5 (2 Etapper)"),
        (" \n", "sv", "Plan, s. 5 (2 Etapper)"),
    ],
)
def test_a_source_tells_the_version_that_its_metadata_give(version: str, language: str, label: str) -> None:
    links = Links(versions={CHUNK.document_id: version})
    assert cited_sources(answer_of(claims_of(CHUNK)[0], language=language), links)[0].label == label


def test_a_version_that_the_title_tells_is_not_told_twice() -> None:
    chunk = make_chunk(title="Plan, Version 2.0")
    links = Links(versions={chunk.document_id: "2.0"})
    assert cited_sources(answer_of(claims_of(chunk)[0]), links)[0].label == "Plan, Version 2.0, s. 1 (2 Etapper)"


def test_a_version_never_acts_as_markup() -> None:
    links = Links(versions={CHUNK.document_id: "[x](javascript:y) <b>"})
    assert "version \\[x\\](javascript:y) &lt;b&gt;" in markdown_of(answer_of(claims_of(CHUNK)[0]), links)


def test_a_refusal_names_the_nearest_sections_and_their_documents_as_plain_text() -> None:
    near = (NearSection("2.1 Ansvariga", "Plan", "d"), NearSection("<b>[x](//y)", "<i>", "e"))
    told = nearby(Refusal("not_covered", "sv", "Nej.", near))
    assert told == "Närmast i materialet: 2.1 Ansvariga (Plan); &lt;b&gt;\\[x\\](//y) (&lt;i&gt;)."
    assert nearby(Refusal("not_covered", "sv", "Nej.")) == ""
    assert nearby(answer_of(*claims_of(CHUNK))) == ""


def test_rows_without_a_header_are_all_kept() -> None:
    claims = tuple(Claim(f"Rad {n} | {n}", (cite(CHUNK),), ClaimForm.ROW) for n in range(3))
    text = markdown_of(answer_of(*claims))
    assert [line.split(" [[")[0] for line in text.splitlines()[:3]] == [f"- Rad {n} – {n}" for n in range(3)]


def test_each_file_and_page_is_listed_once_in_the_order_of_citation() -> None:
    other = make_chunk("Ett annat stycke. Slut.", source="b.pdf", page=1)
    first, second = claims_of(other)[0], claims_of(CHUNK)[0]
    sources = cited_sources(answer_of(first, second, claims_of(other)[1]), Links())
    assert [(s.number, s.chunk.source, s.page) for s in sources] == [(1, "b.pdf", 1), (2, "plan å.pdf", 5)]


def test_chinese_sentences_are_joined_without_spaces() -> None:
    claims = (Claim("预算为五百万。", (cite(CHUNK),)), Claim("由委员会决定。", (cite(CHUNK),)))
    assert markdown_of(answer_of(*claims, language="zh")).startswith("预算为五百万。由委员会决定。[[1]]")


def test_a_citation_over_two_pages_is_marked_with_both() -> None:
    both = Citation(CHUNK, 0, 10, (Place(5, ()), Place(6, ())))
    text = markdown_of(answer_of(Claim("Över två sidor.", (both,))))
    assert "[[1]]" in text
    assert "[[2]]" in text
    assert "#page=6" in text


@pytest.mark.parametrize(
    ("language", "heading", "page"),
    [("sv", "Källor", "s. 5"), ("en", "Sources", "p. 5"), ("zh", "来源", "第 5 页"), ("fi", "Sources", "p. 5")],
)
def test_the_source_section_speaks_the_answers_language(language: str, heading: str, page: str) -> None:
    text = markdown_of(answer_of(claims_of(CHUNK)[0], language=language))
    assert text.count(f"### {heading}\n") == 1
    assert page in text


def test_related_pages_follow_the_cited_sources() -> None:
    assert "### Relaterade hemsidor\n\n- [Planer](https://example.org/planer)" in markdown_of(
        answer_of(*claims_of(CHUNK)), RELATED
    )
    other = make_chunk("Något annat. Slut.", source="annat.pdf")
    assert "Relaterade" not in markdown_of(answer_of(*claims_of(other)), RELATED)


def test_sources_lie_where_the_profile_says() -> None:
    assert "(https://example.org/pdfs/plan%20%C3%A5.pdf#page=5)" in markdown_of(answer_of(*claims_of(CHUNK)), RELATED)


def test_a_refusal_shows_neither_sources_nor_related_pages() -> None:
    rendered = render(make_reply("Fråga?", Refusal("not_covered", "sv", "Det står inte i materialet.")), RELATED)
    assert (rendered.markdown, rendered.sources, rendered.homepage_links) == ("Det står inte i materialet.", (), ())


def test_a_note_is_told_before_the_sources() -> None:
    text = markdown_of(answer_of(*claims_of(CHUNK), note="Observera <b>detta</b>."))
    assert "Observera &lt;b&gt;detta&lt;/b&gt;.\n\n### Källor" in text


def test_a_format_without_pages_is_cited_without_a_page() -> None:
    text = markdown_of(answer_of(claims_of(make_chunk(source="råd.docx"))[0]))
    assert "s. 1" not in text
    assert "#page" not in text


def test_steps_keep_the_numbers_of_the_source() -> None:
    from tests.samples import chunk, item

    found = chunk("Så går det till:", item("Sjätte", "6."), item("Åttonde", "8."))
    claims = tuple(
        Claim(found.sentence_text(s), (Citation(found, s.start, s.end, s.places),), ClaimForm.STEP)
        for s in found.sentences[1:]
    )
    lines = markdown_of(answer_of(*claims)).splitlines()
    assert lines[0].startswith("- 6\\. Sjätte")
    assert lines[1].startswith("- 8\\. Åttonde")
