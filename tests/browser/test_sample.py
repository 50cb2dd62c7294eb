"""On the sample pack, all the way: the right page with the mark on it, one click that answers, a plot, a follow-up."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from ankare.cite.pages import DEFAULT_SCALE, MARKER
from ankare.index.home import Home
from ankare.service.api.sources import marked_boxes, parse_marks
from tests.browser.conftest import Visit

pytestmark = pytest.mark.slow
Opener = Callable[..., Visit]
MEMBERS = "Vilka ingår i styrgruppen?"


@pytest.fixture
def base_url(sample_url: str) -> str:
    return sample_url


def test_a_citation_opens_its_page_with_its_sentence_marked_and_in_view(
    visit: Opener, sample_home: Path, pictures: Path | None
) -> None:
    """The colour of the mark is looked for in the picture that the browser was given, where the sentence is printed."""
    from PIL import Image

    seen = visit(f"/?q={MEMBERS}")
    seen.page.locator("#answer .ak-cite").nth(1).click()
    seen.says("#panel .ak-where", "Sida 5 av 16")
    seen.page.wait_for_selector("#panel .ak-frame:not(.ak-waiting)")
    address = str(seen.page.get_attribute("#panel img", "src"))
    marks = parse_marks(parse_qs(urlsplit(address).query)["claim"][0])
    assert len(marks) == 1
    chunk = Home(sample_home).open_current().index.chunks([marks[0][0]])[0]
    assert chunk.text[marks[0][1] : marks[0][2]] in seen.text("#answer .ak-said")
    boxes = marked_boxes(chunk, marks[0][1], marks[0][2], 5)
    picture = Image.open(io.BytesIO(httpx.get(seen.base + address).content)).convert("RGB")
    assert boxes
    for box in boxes:
        corner = (round((box.x0 - 1) * DEFAULT_SCALE), round((box.y0 - 1) * DEFAULT_SCALE))
        assert picture.getpixel(corner) == MARKER
    share = boxes[0].y0 * DEFAULT_SCALE / picture.height
    assert seen.page.evaluate(
        """share => { const frame = document.querySelector('#panel .ak-frame'), image = frame.querySelector('img');
        const at = share * image.clientHeight - frame.scrollTop; return at >= 0 && at < frame.clientHeight - 10 }""",
        share,
    )
    seen.keep(pictures, "sample-citation")
    seen.quiet()


def test_each_citation_marks_its_own_sentences_alone(visit: Opener) -> None:
    seen = visit(f"/?q={MEMBERS}")
    claims = []
    for place in range(seen.page.locator("#answer .ak-said .ak-cite").count()):
        seen.page.locator("#answer .ak-said .ak-cite").nth(place).click()
        claims.append(seen.page.get_attribute("#panel img", "src"))
    assert len(set(claims)) == len(claims) >= 2


def test_a_choice_answers_with_one_click(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?reference_date=2025-05-20&q=Hur mycket var det 2024?")
    seen.keep(pictures, "sample-choices")
    label = seen.text("#choices button >> nth=0")
    seen.page.click("#choices button >> nth=0")
    seen.page.wait_for_function("label => document.querySelector('#answer h2').innerText.includes(label)", arg=label)
    seen.settled()
    assert seen.page.locator("#answer .ak-cite").count() >= 1
    seen.quiet()


def test_an_assumption_is_told_with_its_alternatives(visit: Opener) -> None:
    seen = visit("/?q=Jämför omsättning 2023 och 2024")
    assert "svaret gäller" in seen.text(".ak-assumed")
    seen.page.click("#choices button:has-text('Norge')")
    seen.says("#answer h2", "Norge")
    seen.settled()
    assert seen.page.locator("#answer .ak-assumed").count() == 0
    seen.quiet()


def test_periods_that_are_compared_are_drawn_and_tabled(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?q=Jämför omsättning i koncernen 2023 och 2024")
    assert seen.page.locator("#answer svg .ak-bar").count() == 2
    for told in ("2\u00a0206,5", "2\u00a0240,5", "MSEK", "Koncernen!D6", "+34,0"):
        assert told in seen.text("#answer")
    described = seen.page.evaluate("document.querySelector('#answer .ak-plot desc').textContent")
    assert "2023: 2\u00a0206,5\u00a0MSEK" in described
    heights = seen.page.eval_on_selector_all(
        "#answer .ak-bar", "all => all.map(bar => bar.getBoundingClientRect().height)"
    )
    assert heights[1] / heights[0] == pytest.approx(2240.5 / 2206.5, rel=0.02)
    assert "Koncernrapport_2024.xlsx" in seen.text("#panel")
    seen.keep(pictures, "sample-figures")
    seen.quiet()


def test_a_follow_up_takes_over_what_it_does_not_say(visit: Opener) -> None:
    seen = visit("/?q=Vad var omsättningen i Norge 2024?")
    seen.page.fill("#follow-up", "och 2023?")
    seen.page.press("#follow-up", "Enter")
    seen.page.wait_for_selector(".ak-understood")
    assert seen.page.input_value("#follow-up") == "Vad var omsättningen i Norge 2023?"
    seen.page.keyboard.press("Enter")
    seen.says("#answer h2", "Vad var omsättningen i Norge 2023?")
    seen.settled()
    assert "2023" in seen.text("#answer table")
    seen.quiet()


@pytest.mark.parametrize(
    ("language", "read", "ask"), [("sv-SE", "Ställ frågan så här", "Fråga"), ("en-US", "Ask it like this", "Ask")]
)
def test_what_is_proposed_is_asked_by_a_button_that_says_so(visit: Opener, language: str, read: str, ask: str) -> None:
    """And what is typed over it is a follow-up again."""
    seen = visit("/?q=Vad var omsättningen i Norge 2024?", language=language)
    assert seen.text("#send") == ask
    seen.page.fill("#follow-up", "och 2023?")
    seen.page.press("#follow-up", "Enter")
    seen.says("#send", read)
    seen.page.fill("#follow-up", "och 2022?")
    assert seen.text("#send") == ask
    seen.page.press("#follow-up", "Enter")
    area = seen.page.wait_for_selector("#follow-up")
    seen.page.wait_for_function("area => area.value === 'Vad var omsättningen i Norge 2022?'", arg=area)
    seen.page.click(f"#send:has-text('{read}')")
    seen.says("#answer h2", "Vad var omsättningen i Norge 2022?")
    seen.settled()
    seen.quiet()


def test_what_was_refused_is_not_what_the_next_follow_up_goes_on_from(visit: Opener) -> None:
    seen = visit("/?q=Vad var omsättningen i Norge 2024?")
    seen.ask("Vad heter Australiens huvudstad?")
    assert seen.page.get_attribute("#answer", "data-kind") == "refusal"
    seen.page.fill("#follow-up", "och i Kina?")
    seen.page.press("#follow-up", "Enter")
    seen.page.wait_for_selector(".ak-understood")
    assert seen.page.input_value("#follow-up") == "Vad var omsättningen i Kina 2024?"
    seen.quiet()


def test_a_figure_that_is_not_held_may_be_gone_on_from(visit: Opener) -> None:
    seen = visit("/?q=Vad var omsättningen i Kina 2024?")
    seen.ask("Vad var omsättningen i Norge 2011?")
    seen.page.fill("#follow-up", "och 2024?")
    seen.page.press("#follow-up", "Enter")
    seen.page.wait_for_selector(".ak-understood")
    assert seen.page.input_value("#follow-up") == "Vad var omsättningen i Norge 2024?"
    seen.quiet()


@pytest.mark.parametrize("question", ["Vilket typsnitt har utbildningsplanen?", "Hur många hundar har projektledaren?"])
def test_every_button_beside_a_refusal_leads_to_that_section(visit: Opener, question: str) -> None:
    """And each names its document; what leads nowhere is no button."""
    seen = visit(f"/?q={question}")
    assert seen.page.get_attribute("#answer", "data-kind") == "refusal"
    assert seen.page.locator("#sources").count() == 0
    named = seen.page.locator("#nearby li").all_inner_texts()
    assert named and all(name.endswith(")") for name in named)
    for label in seen.page.locator("#nearby button").all_inner_texts():
        seen.page.goto(f"{seen.base}/?q={question}")
        seen.settled()
        seen.page.click(f'#nearby button:has-text("{label}")')
        seen.says("#answer h2", "Vad står det om")
        seen.settled()
        section, _, document = label.removesuffix(")").rpartition(" (")
        sources = seen.text("#sources")
        assert document in sources and section in sources
    seen.quiet()


TABLE = "Vilka åtgärder finns för riskerna?"
SCROLLS = "({scrollWidth, clientWidth}) => scrollWidth > clientWidth + 1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1600, 1280, 390])
def test_a_wide_table_shows_its_marks_wherever_it_is_scrolled(
    visit: Opener, pictures: Path | None, width: int, scheme: str
) -> None:
    """It has the room that there is; where that is too little an edge shows that there is more."""
    seen = visit(f"/?q={TABLE}", width=width, color_scheme=scheme)
    table = seen.page.locator("#answer .ak-said .ak-scroll").first
    assert table.evaluate(SCROLLS) == (width == 390)
    assert seen.page.is_hidden("#panel")
    table.evaluate("one => one.scrollTo(10_000, 0)")
    inside = "(mark, area) => mark.getBoundingClientRect().left >= area.getBoundingClientRect().left - 1"
    mark = table.locator("tbody .ak-cite").first
    assert mark.evaluate("mark => mark.getBoundingClientRect().left >= 0")
    assert mark.evaluate(inside, table.element_handle())
    seen.keep(pictures, f"table-{width}-{scheme}")
    edge = table.evaluate("one => getComputedStyle(one).getPropertyValue('--edge').trim()")
    assert edge == ("rgb(20 35 50 / .24)" if scheme == "light" else "rgb(190 215 240 / .4)")
    mark.click()
    shown = seen.page.locator("#panel table mark, #sheet table mark")
    assert shown.count() == 8
    assert shown.first.evaluate("mark => mark.getBoundingClientRect().left >= 0")
    seen.keep(pictures, f"table-{width}-{scheme}-source")
    seen.quiet()


def test_feedback_is_kept_in_the_home(visit: Opener, sample_home: Path) -> None:
    seen = visit(f"/?q={MEMBERS}")
    seen.page.click("#up")
    seen.says("#feedback", "Tack!")
    kept = "".join(path.read_text(encoding="utf-8") for path in (sample_home / "feedback").rglob("*") if path.is_file())
    assert '"up"' in kept
    assert "styrgruppen" not in kept


def test_a_refusal_without_anything_near_offers_nothing(visit: Opener) -> None:
    seen = visit("/?q=Vad är kapitalstrukturen för marsfärder?")
    assert seen.page.get_attribute("#answer", "data-kind") == "refusal"
    assert seen.page.locator("#sources, #nearby, #answer .ak-cite").count() == 0
    seen.quiet()
