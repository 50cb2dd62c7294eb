"""An answer stands on the page whole: each mark shows its own sentences, choices ask, and no text is ever markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from html import unescape
from pathlib import Path

import pytest

from ankare.cite.links import Links
from ankare.cite.markdown import render
from ankare.domain.answer import Answer, Claim, ClaimForm, Refusal
from ankare.domain.clarification import ClarificationResult, ClarifyMode, NarrowingOption
from ankare.domain.fact import Fact
from ankare.domain.figures import FigureAnswer, FigureLine, Figures, LineKind
from ankare.domain.question import QuestionType
from ankare.domain.reply import Reply
from ankare.profile.model import RelatedPage
from ankare.service.page.answer import Shown, shown_answer
from ankare.service.page.nearby import Offer, inside
from ankare.service.page.plot import Point, decimals, nice_step, plot_svg
from tests.service.scripted import HOSTILE, ScriptedShelf, claims_of, make_chunk, make_reply, wide_table

TAGS = re.compile(r"<[^>]*>")
EVIL = '"><img src=x onerror=alert(1)></script><script>alert(2)</script><a href="javascript:alert(3)">'


def shown(
    reply: Reply, folder: Path, links: Links | None = None, page: str = "sv", nearby: Sequence[Offer] = ()
) -> Shown:
    claims = reply.narrative.claims if reply.narrative else ()
    chunks = tuple({c.chunk.id: c.chunk for claim in claims for c in claim.citations}.values())
    return shown_answer(
        reply, render(reply, links or Links()), ScriptedShelf(folder, chunks or (make_chunk(),)), "plot-1", page, nearby
    )


def answer(*claims: Claim) -> Reply:
    return make_reply("Fråga?", Answer(QuestionType.LIST, "sv", claims))


def fact(
    value: str, period: str, *, entity: str = "ALL", metric: str = "INCOME", kind: str = "FY", cell: str = ""
) -> Fact:
    return Fact(metric, entity, "", "TOTAL", kind, period, Decimal(value), "SEK_M", "Bok.xlsx", cell or f"A!{period}")


def figures(*facts: Fact, extra: tuple[FigureLine, ...] = (), clarify: ClarificationResult | None = None) -> Reply:
    lines = tuple(FigureLine(LineKind.FOUND, f"Rad {one.period}", "", (one,)) for one in facts)
    said = FigureAnswer("sv", (*lines, *extra), "Så här:" if len(lines) > 1 else "")
    reply = make_reply("Fråga?", Answer(QuestionType.LIST, "sv", ()))
    return replace(
        reply, outcome=said, route="structured", figures=Figures(clarify or ClarificationResult(ClarifyMode.NONE))
    )


def test_sentences_that_share_a_page_share_a_mark_that_shows_them_all(tmp_path: Path) -> None:
    chunk = make_chunk()
    page = shown(answer(*claims_of(chunk)), tmp_path)
    assert page.html.count('class="ak-cite"') == 1
    view = page.views[0]
    assert str(view["claim"]).count(":") == len(chunk.sentences)
    assert (view["page"], view["pages"], view["kind"]) == (1, 2, "page")


def test_each_item_shows_its_own_sentence_and_where_it_stands(tmp_path: Path) -> None:
    chunk = make_chunk()
    page = shown(answer(*claims_of(chunk, ClaimForm.ITEM)), tmp_path)
    marked = [view for view in page.views if str(view["claim"]).count(":") == 1]
    assert len(marked) == len(chunk.sentences)
    heights = [float(str(view["y"])) for view in marked]
    assert heights == sorted(heights)
    assert heights[0] == pytest.approx(108 / 842, abs=0.001)


def test_a_mark_has_a_name_for_those_who_do_not_see_it(tmp_path: Path) -> None:
    page = shown(answer(*claims_of(make_chunk())), tmp_path)
    assert 'aria-label="Källa 1: Plan, s. 1 (2 Etapper)"' in page.html


def test_a_format_without_pages_shows_the_passage_marked(tmp_path: Path) -> None:
    page = shown(answer(*claims_of(make_chunk(source="råd.docx"))), tmp_path)
    assert page.views[0]["kind"] == "text"
    assert "<mark>Etapperna är tre.</mark>" in str(page.views[0]["html"])


def test_a_table_stays_a_table_and_a_list_keeps_its_numbers(tmp_path: Path) -> None:
    assert '<th scope="col">Riskvärde</th>' in shown(answer(*wide_table()), tmp_path).html
    steps = shown(answer(*claims_of(make_chunk(), ClaimForm.STEP)), tmp_path).html
    assert '<ol><li value="1">' in steps


def test_a_refusal_has_no_source_and_asks_about_what_is_near(tmp_path: Path) -> None:
    offers = (Offer("2.1 Etapper (Plan)", "Vad står det om etapper i Plan?"), Offer(EVIL))
    page = shown(make_reply("Fråga?", Refusal("x", "sv", "Nej.")), tmp_path, nearby=offers)
    assert (page.kind, page.views, page.sources) == ("refusal", (), 0)
    assert 'data-ask="Vad står det om etapper i Plan?">2.1 Etapper (Plan)</button>' in page.html
    assert page.html.count("<button") == 1
    assert "ak-cite" not in page.html
    assert "<img" not in page.html


def test_choices_are_buttons_that_ask_the_whole_question(tmp_path: Path) -> None:
    asked = ClarificationResult(
        ClarifyMode.ASK_FIRST, narrowing_options=(NarrowingOption("Norr", "Intäkter i norr 2024?"),)
    )
    reply = replace(make_reply("Fråga?", Refusal("ask_first", "sv", "Vilken?")), figures=Figures(asked, asks=True))
    page = shown(reply, tmp_path)
    assert page.kind == "question"
    assert 'data-ask="Intäkter i norr 2024?">Norr</button>' in page.html


def test_figures_are_exact_in_a_table_with_their_cells(tmp_path: Path) -> None:
    page = shown(figures(fact("15400.50", "2023"), fact("15401", "2024")), tmp_path)
    assert "15\u00a0400,50" in page.html
    assert "A!2023" in page.html
    assert page.views[0]["kind"] == "cell"
    assert "15\u00a0400,50" in str(page.views[0]["html"])
    assert page.html.count("<svg") == 1


def test_a_figures_place_shows_all_that_is_stored_of_it_in_the_pages_language(tmp_path: Path) -> None:
    one = replace(fact("15400.50", "2024"), valid_as_of="2025-01-31", ingested_at="2025-02-03T04:05:06Z")
    (view,) = shown(figures(replace(one, channel="WEB", source_locator="row 12")), tmp_path, page="en").views
    fields = re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", str(view["html"]))
    assert fields == [
        ("Metric", "INCOME"),
        ("Entity", "ALL"),
        ("Period", "2024"),
        ("Channel", "WEB"),
        ("Value", "15,400.50"),
        ("Unit", "MSEK"),
        ("Document", "Bok.xlsx"),
        ("Place", "row 12"),
        ("Valid as of", "2025-01-31"),
        ("Review", "Approved"),
        ("Read in", "2025-02-03 04:05 UTC"),
    ]
    assert view["href"] == ""


def test_what_stands_around_an_answer_is_in_the_pages_language(tmp_path: Path) -> None:
    links = Links(related=(RelatedPage("*", "Planer", "https://example.org/planer"),))
    told = answer(*claims_of(make_chunk()))
    html = shown(told, tmp_path, links, page="en").html
    assert '<h3 lang="en">Sources</h3>' in html
    assert '<h3 lang="en">Related pages</h3>' in html
    assert 'aria-label="Källa 1: Plan' in html
    html = shown(told, tmp_path, links).html
    assert "<h3>Källor</h3>" in html
    assert "<h3>Relaterade hemsidor</h3>" in html


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("2.1 Etapper", "etapper"),
        ("Styrgruppen", "styrgruppen"),
        ("Roller och ansvar", "roller och ansvar"),
        ("Risker: de största", "risker: de största"),
        ("Sverige", "Sverige"),
        ("Anna", "Anna"),
        ("Björn leder", "Björn leder"),
        ("Gröna Bolaget", "Gröna Bolaget"),
        ("IT-miljö", "IT-miljö"),
        ("Tvåvåningsbolaget", "Tvåvåningsbolaget"),
        ("3.", "3."),
        ("", ""),
    ],
)
def test_a_heading_inside_a_question_keeps_the_capital_of_a_name_only(heading: str, said: str) -> None:
    assert inside(heading, "sv") == said


def test_one_figure_is_a_sentence_without_a_plot(tmp_path: Path) -> None:
    page = shown(figures(fact("7", "2024")), tmp_path)
    assert "<svg" not in page.html
    assert '<p class="ak-figure">Rad 2024' in page.html


def test_sources_that_disagree_are_told_and_not_drawn(tmp_path: Path) -> None:
    both = (fact("7", "2024"), fact("8", "2024", cell="B!2"))
    page = shown(figures(extra=(FigureLine(LineKind.CONFLICT, "Oense", "", both),)), tmp_path)
    assert "<svg" not in page.html
    assert "Oense" in page.html
    assert page.html.count("<tr>") == 3


def test_an_assumption_comes_with_its_alternatives(tmp_path: Path) -> None:
    assumed = ClarificationResult(
        ClarifyMode.ANSWER_WITH_ASSUMPTIONS,
        assumption_note="x",
        narrowing_options=(NarrowingOption("Söder", "I söder?"),),
    )
    assert "Menade du något annat?" in shown(figures(fact("7", "2024"), clarify=assumed), tmp_path).html


@pytest.mark.parametrize("text", [HOSTILE, EVIL])
def test_no_text_is_ever_markup(tmp_path: Path, text: str) -> None:
    """Of a document, its title and section, a choice, a cell, a heading, a related page."""
    chunk = make_chunk(text, source="elak.docx", title=text, section=(text,))
    links = Links(related=(RelatedPage("elak*", text, "javascript:alert(4)"),))
    asked = ClarificationResult(ClarifyMode.ASK_FIRST, narrowing_options=(NarrowingOption(text, text),), question=text)
    odd = replace(fact("7", "2024"), source_doc_id=text, source_locator=text, entity=text, metric_code=text, unit=text)
    other = replace(odd, period="2023", value=Decimal(3))
    replies = (
        (answer(*claims_of(chunk), *claims_of(chunk, ClaimForm.ITEM)), links),
        (replace(make_reply(text, Refusal("x", "sv", text)), figures=Figures(asked, asks=True)), links),
        (figures(odd, other), links),
    )
    for reply, given in replies:
        page = shown(reply, tmp_path, given, nearby=(Offer(text, text), Offer(text)))
        for html in (page.html, *(str(view.get("html", "")) for view in page.views)):
            tags = TAGS.findall(html)
            assert not [tag for tag in tags if re.match(r"</?(?:script|img|iframe|style|b|i)\b", tag)], tags
            assert not [tag for tag in tags if re.search(r"""\son\w+\s*=(?=[^"]*(?:"[^"]*"[^"]*)*$)""", tag)]
            assert "javascript:" not in "".join(re.findall(r'href="([^"]*)"', html)).lower()


def test_the_saboteur_that_does_not_escape_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ankare.service.page.answer.quoted", lambda text: text)
    with pytest.raises(AssertionError):
        test_no_text_is_ever_markup(tmp_path, EVIL)


def test_tertials_stand_in_order_in_a_plot_of_their_own(tmp_path: Path) -> None:
    tertials = [
        fact(value, f"20{when}", kind="TERTIAL") for when, value in (("24T2", "6"), ("23T3", "4"), ("24T1", "5"))
    ]
    quarters = [fact(value, period, kind="QUARTER") for period, value in (("2024Q1", "3"), ("2024Q2", "2"))]
    page = shown(figures(*tertials, *quarters), tmp_path)
    first, second = (unescape(TAGS.sub(" ", svg)) for svg in re.findall(r"<svg.*?</svg>", page.html, re.DOTALL))
    assert "kvartalet" not in first and "tertialet" not in second
    bars = [first.find(name) for name in ("tredje", "första", "andra")]
    assert -1 < bars[0] < bars[1] < bars[2]


@pytest.mark.parametrize(
    ("span", "step"), [(4.0, 1.0), (5.0, 2.0), (2240.0, 1000.0), (0.9, 0.25), (1e9, 2.5e8), (30.0, 10.0)]
)
def test_lines_across_a_plot_stand_at_round_values(span: float, step: float) -> None:
    assert nice_step(span) == pytest.approx(step)
    assert decimals(0.25) == 2
    assert decimals(250.0) == 0


@pytest.mark.parametrize("values", [("-5", "3"), ("0", "0"), ("1e-3", "2e-3"), ("1", "1000000000000")])
def test_a_plot_draws_whatever_the_values_are(values: tuple[str, str]) -> None:
    points = [Point(f"20{n}", "", Decimal(value), value) for n, value in enumerate(values, start=20)]
    svg = plot_svg(points, name="p", title="T", unit="MSEK", language="sv")
    assert svg.count('class="ak-bar') == 2
    assert 'role="img"' in svg
    assert "<desc" in svg
    assert "nan" not in svg


def test_many_periods_are_a_line_and_many_entities_bars() -> None:
    months = [Point(f"2024-{n:02}", "", Decimal(n), str(n)) for n in range(1, 13)]
    assert "<polyline" in plot_svg(months, name="p", title="T", unit="", language="sv")
    entities = [Point("2024", f"Enhet {n}", Decimal(n), str(n)) for n in range(1, 4)]
    drawn = plot_svg(entities, name="p", title="T", unit="", language="sv")
    assert "Enhet 2" in unescape(TAGS.sub(" ", drawn))
    assert plot_svg(months[:1], name="p", title="T", unit="", language="sv") == ""


def test_a_code_without_a_name_is_told_as_it_is(tmp_path: Path) -> None:
    assert "INCOME, ALL" in shown(figures(fact("7", "2024")), tmp_path).html
