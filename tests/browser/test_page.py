"""A person asks on the page, reads the answer, sees the marked sentence, and nothing else happens."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.browser.conftest import Visit

pytestmark = pytest.mark.slow
Opener = Callable[..., Visit]


def keep(visit: Visit, pictures: Path | None, name: str) -> None:
    if pictures is not None:
        visit.page.screenshot(path=pictures / f"{name}.png", full_page=True)


def says(visit: Visit, selector: str, text: str) -> None:
    """Wait until something on the page has this text in it."""
    visit.page.locator(selector).filter(has_text=text).wait_for()


def quiet(visit: Visit) -> None:
    """Nothing came from another host, no text ran, no policy was broken."""
    assert visit.foreign == []
    assert visit.dialogs == []
    assert visit.errors == []


def test_a_question_is_answered_with_its_page_marked(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/")
    seen.page.fill("#question textarea", "Vilka etapper finns?")
    seen.page.click("#ask")
    seen.page.wait_for_selector("#answer h3")
    assert "Planera arbetet." in seen.page.inner_text("#answer")
    assert "Källor" in seen.page.inner_text("#answer")
    link = seen.page.get_attribute("#answer a", "href")
    assert link.endswith("#page=1")
    picture = seen.page.wait_for_selector("#sources img")
    seen.page.wait_for_function("image => image.complete && image.naturalWidth > 400", arg=picture)
    keep(seen, pictures, "answer")
    quiet(seen)


def test_text_of_a_document_never_runs(visit: Opener) -> None:
    seen = visit("/?debug=true&q=<img src=x onerror=alert(9)><script>alert(8)</script>${alert(7)}")
    seen.page.wait_for_selector("#answer h3")
    seen.page.click("#sources summary >> nth=1")
    text = seen.page.inner_text("#answer") + seen.page.inner_text("#sources")
    assert "<script>alert(1)</script>" in text
    assert "${alert(3)} {{7*7}} $$x$$" in text
    assert "Elak <b>titel</b>" in text
    assert seen.page.locator("#answer script, #sources script, #answer img, #answer code").count() == 0
    hrefs = seen.page.eval_on_selector_all("#answer a, #sources a", "all => all.map(a => a.getAttribute('href'))")
    assert [href for href in hrefs if not href.startswith(("/sources/", seen.base))] == []
    seen.page.wait_for_timeout(300)
    quiet(seen)


def test_a_refusal_shows_no_source(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?q=Det här saknas")
    says(seen, "#answer", "Materialet ger inget svar")
    says(seen, "#answer", "Närmast i materialet: 2 Etapper.")
    assert seen.page.locator("#answer a, #sources img").count() == 0
    keep(seen, pictures, "refusal")
    quiet(seen)


def test_debug_shows_hits_parts_and_times(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?debug=true&enable_agentic_rag=true&q=Vilka etapper finns?")
    seen.page.wait_for_selector("#debug table")
    text = seen.page.inner_text("#debug")
    for told in ("bm25", "söka (retrieve)", "ämnet täcks av underlaget (covered)", "v1", "provider_not_configured"):
        assert told in text
    keep(seen, pictures, "debug")
    quiet(seen)


def test_flags_of_the_address_hold_for_questions_asked_later(visit: Opener) -> None:
    seen = visit("/?debug=true")
    seen.page.fill("#question textarea", "Vilka etapper finns?")
    seen.page.press("#question textarea", "Enter")
    seen.page.wait_for_selector("#debug table")
    quiet(seen)


def test_an_invalid_flag_is_told(visit: Opener) -> None:
    seen = visit("/?enable_agentic_rag=kanske&q=Vilka etapper finns?")
    says(seen, "#answer", "must be true or false")


@pytest.mark.parametrize(
    ("language", "button"), [("sv-SE", "Fråga"), ("en-US", "Ask"), ("zh-CN", "提问"), ("fi-FI", "Fråga")]
)
def test_the_page_speaks_the_browsers_language(visit: Opener, language: str, button: str) -> None:
    seen = visit("/", language=language)
    says(seen, "#ask", button)


def test_an_english_browser_gets_an_english_title(visit: Opener) -> None:
    seen = visit("/?q=Vilka etapper finns?", language="en-US")
    seen.page.wait_for_selector("#answer h3")
    assert seen.page.title() == "Ask the documents"
    quiet(seen)


def test_what_stands_below_an_answer_speaks_the_answers_language(visit: Opener) -> None:
    seen = visit("/?q=Vilka etapper finns?", language="en-US")
    seen.page.wait_for_selector("#sources img")
    assert "Källor" in seen.page.inner_text("#answer")
    assert "Sidorna som svaret står på" in seen.page.inner_text("#sources")


def test_no_text_key_of_the_framework_is_shown(visit: Opener) -> None:
    seen = visit("/")
    seen.page.fill("#question textarea", "Vilka etapper finns?")
    seen.page.click("#ask")
    seen.page.wait_for_selector("#answer h3")
    # What a screen reader is told, some seconds later.
    seen.page.get_by_text("Klart", exact=True).first.wait_for(state="attached")
    assert "common." not in seen.page.evaluate("() => document.body.textContent")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_wide_table_keeps_its_words_and_scrolls_inside_itself(
    visit: Opener, pictures: Path | None, width: int
) -> None:
    seen = visit("/?q=Visa en tabell", width=width)
    table = seen.page.wait_for_selector("#answer table")
    assert seen.page.evaluate("() => document.documentElement.scrollWidth") <= width
    narrowest = table.eval_on_selector_all("th", "all => Math.min(...all.map(th => th.clientWidth))")
    assert narrowest > 45
    assert table.evaluate("table => table.clientWidth") <= width
    if width < 600:
        assert table.evaluate("table => table.scrollWidth > table.clientWidth")
    keep(seen, pictures, f"table-{width}")
    quiet(seen)


def test_hits_are_whole_in_a_narrow_window(visit: Opener) -> None:
    seen = visit("/?q=Vilka etapper finns?&debug=true", width=390)
    seen.page.wait_for_selector("#debug table")
    ends = seen.page.eval_on_selector_all(".ak-hits td", "all => all.map(td => td.getBoundingClientRect().right)")
    assert max(ends) <= 390


def test_a_narrow_window_needs_no_sideways_scrolling(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?q=Vilka etapper finns?&debug=true", width=360)
    seen.page.wait_for_selector("#sources img")
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    keep(seen, pictures, "phone")
    quiet(seen)


def test_an_example_is_asked_with_one_click(visit: Opener) -> None:
    seen = visit("/")
    seen.page.click("text=Vilka etapper finns?")
    seen.page.wait_for_selector("#answer h3")
    assert seen.page.input_value("#question textarea") == "Vilka etapper finns?"


def test_an_empty_question_is_told(visit: Opener) -> None:
    seen = visit("/")
    seen.page.click("#ask")
    says(seen, "#answer", "Skriv en fråga först.")


def test_other_programs_ask_through_the_pages_api(base_url: str) -> None:
    call = f"{base_url}/gradio_api/call/submit"
    event = httpx.post(call, json={"data": ["Vilka etapper finns?"]}).json()["event_id"]
    stream = httpx.get(f"{call}/{event}", timeout=30).text
    assert "event: complete" in stream
    data = json.loads(stream.split("data: ")[-1].split("\n")[0])
    assert "### Källor" in data[0]
