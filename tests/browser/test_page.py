"""A person asks on the page, reads the answer, sees the marked sentence, and nothing else happens."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from ankare.service.app import create_app
from ankare.settings import Settings
from tests.browser.conftest import SteppingEngine, Visit, served
from tests.service.scripted import ScriptedShelf

pytestmark = pytest.mark.slow
Opener = Callable[..., Visit]
QUESTION = "Vilka etapper finns?"


def test_a_question_is_answered_with_the_page_beside_it(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/")
    seen.page.fill("#question textarea", QUESTION)
    seen.page.click("#ask")
    seen.settled()
    assert "Planera arbetet." in seen.text("#answer")
    assert "Plan, s. 1" in seen.text("#sources")
    assert seen.page.get_attribute("#sources a", "href").endswith("#page=1")
    picture = seen.page.wait_for_selector("#panel img")
    seen.page.wait_for_function("image => image.complete && image.naturalWidth > 400", arg=picture)
    assert seen.focused() == QUESTION
    seen.keep(pictures, "answer")
    seen.quiet()


def test_text_of_a_document_never_runs(visit: Opener) -> None:
    seen = visit("/?debug=true&q=<img src=x onerror=alert(9)><script>alert(8)</script>${alert(7)}")
    seen.page.click("#sources .ak-source >> nth=1")
    seen.page.wait_for_selector("#panel blockquote")
    text = seen.text("#answer") + seen.text("#panel")
    assert "<script>alert(1)</script>" in text
    assert "${alert(3)} {{7*7}} $$x$$" in text
    assert "Elak <b>titel</b>" in text
    assert seen.page.locator("#conversation script, #conversation img, #panel script, #panel b").count() == 0
    hrefs = seen.page.eval_on_selector_all("main a, aside a", "all => all.map(a => a.getAttribute('href'))")
    assert [href for href in hrefs if not href.startswith(("/", "#"))] == []
    seen.page.wait_for_timeout(300)
    seen.quiet()


def test_a_script_that_gets_into_the_page_does_not_run(visit: Opener) -> None:
    """What would happen if something were not escaped: the policy stops it, and the browser says so."""
    seen = visit("/")
    seen.page.evaluate(
        """() => { const script = document.createElement('script'); script.textContent = 'alert(1)';
        document.body.append(script); document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(2)>') }"""
    )
    seen.page.wait_for_timeout(300)
    assert seen.dialogs == []
    assert "Content Security Policy" in " ".join(seen.errors)


def test_a_refusal_shows_no_source_and_asks_about_what_is_near(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?q=Det här saknas")
    assert "Materialet ger inget svar" in seen.text("#answer")
    assert seen.page.locator("#sources, #answer .ak-cite, #panel img").count() == 0
    seen.keep(pictures, "refusal")
    seen.page.click("#nearby button:has-text('2 Etapper')")
    seen.says("#answer h2", "Vad står det om etapper i Plan?")
    seen.settled()
    assert "Planera arbetet." in seen.text("#answer")
    seen.quiet()


def test_debug_shows_route_hits_parts_times_and_ids(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?debug=true&enable_agentic_rag=true&q=" + QUESTION)
    text = seen.text("#debug")
    for told in ("bm25", "söka (retrieve)", "ämnet täcks av underlaget (covered)", "v1", "provider_not_configured"):
        assert told in text
    assert seen.page.locator("#debug svg rect").count() >= 1
    seen.keep(pictures, "debug")
    seen.quiet()


def test_flags_of_the_address_hold_for_questions_asked_later(visit: Opener) -> None:
    seen = visit("/?debug=true")
    seen.ask(QUESTION)
    assert seen.page.is_visible("#debug table")
    seen.quiet()


@pytest.mark.parametrize(
    ("query", "told"),
    [("enable_agentic_rag=kanske", "enable_agentic_rag ska vara true"), ("reference_date=igår", "skrivas 2025-05-20")],
)
def test_an_invalid_flag_is_told(visit: Opener, query: str, told: str) -> None:
    seen = visit(f"/?{query}&q={QUESTION}")
    assert told in seen.text("#answer")


@pytest.mark.parametrize(
    ("language", "button"), [("sv-SE", "Fråga"), ("en-US", "Ask"), ("zh-CN", "提问"), ("fi-FI", "Fråga")]
)
def test_the_page_speaks_the_browsers_language(visit: Opener, language: str, button: str) -> None:
    seen = visit("/", language=language)
    seen.says("#ask", button)
    seen.quiet()


def test_another_language_is_chosen_with_one_click_and_stays(visit: Opener) -> None:
    seen = visit("/?debug=true&q=" + QUESTION)
    seen.page.click("nav >> text=English")
    seen.says("#ask", "Ask")
    seen.settled()
    assert "lang=en" in seen.page.url
    assert "debug=true" in seen.page.url
    assert seen.text("#answer h2") == QUESTION
    seen.page.goto(seen.base + "/")
    seen.says("#ask", "Ask")
    assert seen.page.title() == "Ask the documents"
    seen.page.goto(seen.base + "/?lang=sv")
    seen.says("#ask", "Fråga")
    seen.quiet()


def test_what_stands_around_an_answer_speaks_the_pages_language(visit: Opener) -> None:
    seen = visit("/?q=" + QUESTION, language="en-US")
    assert "Sources" in seen.text("#sources")
    assert seen.page.get_attribute(".ak-body", "lang") == "sv"
    assert "Copy the answer" in seen.text("#answer")


def test_an_example_is_asked_with_one_click(visit: Opener) -> None:
    seen = visit("/")
    seen.page.click("#examples button")
    seen.settled()
    assert seen.page.input_value("#question textarea") == QUESTION
    assert not seen.page.is_visible("#examples")


def test_enter_asks_and_shift_enter_starts_a_line(visit: Opener) -> None:
    seen = visit("/")
    seen.page.fill("#question textarea", "Vilka")
    seen.page.press("#question textarea", "Shift+Enter")
    seen.page.keyboard.type("etapper finns?")
    assert seen.page.input_value("#question textarea") == "Vilka\netapper finns?"
    assert seen.page.locator("#answer").count() == 0
    seen.page.keyboard.press("Enter")
    seen.settled()


def test_a_question_that_cannot_be_asked_is_told_at_the_field(visit: Opener) -> None:
    seen = visit("/")
    seen.page.click("#ask")
    seen.says("#fault", "Skriv en fråga först.")
    seen.page.fill("#question textarea", "x" * 1700)
    seen.says("#counter", "1700 av 2000 tecken")
    assert seen.page.locator("#fault").count() == 0
    seen.page.fill("#question textarea", "x" * 2001)
    seen.page.click("#ask")
    seen.says("#fault", "högst 2000 tecken")
    assert seen.page.get_attribute("#question textarea", "aria-invalid") is not None
    assert seen.page.locator("#answer").count() == 0


def test_steps_are_told_in_words_and_can_be_stopped(visit: Opener, engine: SteppingEngine) -> None:
    seen = visit("/")
    with engine.held() as go_on:
        seen.page.fill("#question textarea", QUESTION)
        seen.page.press("#question textarea", "Enter")
        seen.says(".ak-steps li[aria-current]", "Skriver ett utkast")
        seen.says("#status", "Skriver ett utkast")
        assert "Söker i dokumenten" in seen.text(".ak-steps")
        seen.page.click("#stop")
        seen.says("#status", "Stoppad")
        go_on()
    assert seen.page.locator("#answer").count() == 0
    assert seen.page.input_value("#question textarea") == QUESTION
    assert seen.page.evaluate("document.activeElement.matches('#question textarea')")
    seen.ask(QUESTION)
    assert "Planera arbetet." in seen.text("#answer")
    seen.quiet()


def test_a_new_question_takes_the_place_of_one_under_way(visit: Opener, engine: SteppingEngine) -> None:
    seen = visit("/")
    with engine.held() as go_on:
        seen.page.fill("#question textarea", "Det här saknas")
        seen.page.press("#question textarea", "Enter")
        seen.page.wait_for_selector("#answer[aria-busy]")
        seen.page.fill("#question textarea", QUESTION)
        seen.page.press("#question textarea", "Enter")
        go_on()
    seen.settled()
    assert seen.page.locator(".ak-turn").count() == 1
    assert seen.text("#answer h2") == QUESTION


def test_a_busy_service_is_asked_once_more(visit: Opener) -> None:
    calls: list[str] = []

    def busy_once(route: Any) -> None:
        calls.append(route.request.url)
        if len(calls) == 1:
            return route.fulfill(status=503, headers={"Retry-After": "1"}, body="{}")
        return route.continue_()

    seen = visit("/", prepare=lambda page: page.route("**/page/ask*", busy_once))
    seen.page.fill("#question textarea", QUESTION)
    seen.page.press("#question textarea", "Enter")
    seen.says(".ak-steps", "ställs igen om 1 s")
    seen.settled()
    assert "Planera arbetet." in seen.text("#answer")
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (401, "Du behöver logga in"),
        (403, "får inte göra"),
        (429, "Många frågar"),
        (500, "Något gick fel"),
        (0, "svarar inte"),
    ],
)
def test_what_goes_wrong_is_told_in_words(visit: Opener, status: int, told: str) -> None:
    def fail(route: Any) -> None:
        if status:
            route.fulfill(status=status, headers={"Retry-After": "100"}, body="{}")
        else:
            route.abort()

    seen = visit("/", prepare=lambda page: page.route("**/page/ask*", fail))
    seen.ask(QUESTION)
    assert told in seen.text("#answer")
    assert seen.page.is_visible("#answer a[href^='/login'], #answer button:has-text('Försök igen')")


def test_a_citation_is_shown_by_pointing_and_by_clicking_and_goes_with_escape(visit: Opener) -> None:
    seen = visit("/?q=" + QUESTION)
    seen.page.click("#panel button[aria-label='Stäng källan']")
    assert not seen.page.is_visible("#panel")
    mark = seen.page.locator("#answer .ak-cite").first
    mark.hover()
    seen.says("#panel h2", "Plan")
    assert mark.get_attribute("aria-expanded") == "true"
    mark.click()
    assert "Plan" in seen.focused()
    seen.page.keyboard.press("Escape")
    assert not seen.page.is_visible("#panel")
    assert seen.page.evaluate("document.activeElement.classList.contains('ak-cite')")


def test_a_source_put_away_stays_away_until_the_pointer_has_left_its_number(visit: Opener) -> None:
    """Beside an open source the text is narrower: where a number will lie once that is put away, other text lies before."""
    seen = visit("/?q=" + QUESTION, width=1100)
    seen.page.click("#panel button[aria-label='Stäng källan']")
    mark = seen.page.locator("#answer .ak-cite").last
    box = mark.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mark.click()
    assert mark.bounding_box() != box
    seen.page.mouse.move(x, y - 1)
    seen.page.keyboard.press("Escape")
    for step in (0, 1, 2):
        seen.page.mouse.move(x + step, y)
        seen.page.wait_for_timeout(250)
        assert not seen.page.is_visible("#panel")
    seen.page.mouse.move(2, 2)
    mark.hover()
    seen.says("#panel h2", "titel")


@pytest.mark.parametrize(
    ("question", "copy", "words"),
    [(QUESTION, 1, "Hjälpte svaret?"), ("Det här saknas", 0, "Hjälpte det här?")],
)
def test_what_can_be_done_fits_what_was_said(visit: Opener, question: str, copy: int, words: str) -> None:
    seen = visit("/?q=" + question)
    assert seen.page.locator("#copy").count() == copy
    assert words in seen.text("#feedback")


def test_pages_are_turned_and_made_larger(visit: Opener) -> None:
    seen = visit("/?q=" + QUESTION)
    seen.page.wait_for_selector("#panel .ak-frame:not(.ak-waiting)")
    wide = seen.page.evaluate("document.querySelector('#panel img').clientWidth")
    seen.page.click("#panel button[aria-label='Förstora']")
    assert seen.page.evaluate("document.querySelector('#panel img').clientWidth") > 1.3 * wide
    seen.page.click("#panel button[aria-label='Nästa sida']")
    seen.says("#panel .ak-where", "Sida 2 av 2")
    assert "/pages/2.png" in seen.page.get_attribute("#panel img", "src")
    assert seen.page.get_attribute("#panel button[aria-label='Nästa sida']", "aria-disabled") == "true"
    seen.page.click("text=Till det citerade stället")
    seen.says("#panel .ak-where", "Sida 1 av 2")
    seen.quiet()


def test_everything_can_be_reached_and_done_with_the_keyboard(visit: Opener) -> None:
    seen = visit("/")
    keys = seen.page.keyboard
    assert seen.page.evaluate("document.querySelector('a, button, textarea').className") == "ak-skip"
    seen.page.focus(".ak-skip")
    keys.press("Enter")
    keys.press("Tab")
    assert seen.page.evaluate("document.activeElement.matches('#question textarea')")
    keys.type(QUESTION)
    keys.press("Enter")
    seen.settled()
    assert seen.focused() == QUESTION
    keys.press("Tab")
    name = seen.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert name == "Källa 1: Plan, s. 1 (2 Etapper)"
    keys.press("Enter")
    assert "Plan" in seen.focused()
    keys.press("Tab")
    keys.press("Tab")
    assert seen.page.evaluate("document.activeElement.getAttribute('aria-label')") == "Föregående sida"
    keys.press("Escape")
    assert seen.page.evaluate("document.activeElement.getAttribute('aria-label')") == name
    reached = set()
    for _ in range(40):
        keys.press("Tab")
        reached.add(seen.page.evaluate("document.activeElement.id"))
    assert {"copy", "share", "up", "down", "follow-up", "send"} <= reached
    seen.quiet()


def test_earlier_questions_stay_above_folded_with_their_sources(visit: Opener) -> None:
    seen = visit("/?q=" + QUESTION)
    seen.ask("Det här saknas")
    assert seen.page.locator("#earlier .ak-turn").count() == 1
    assert not seen.page.is_visible("#earlier .ak-turn")
    seen.page.click("#earlier > summary")
    seen.page.click("#earlier .ak-earlier-one > summary")
    seen.page.click("#earlier .ak-cite >> nth=0")
    seen.says("#panel h2", "Plan")
    ids = seen.page.eval_on_selector_all("[id]", "all => all.map(one => one.id)")
    assert len(ids) == len(set(ids))
    seen.quiet()


@pytest.mark.parametrize("width", [390, 360])
def test_the_top_of_the_page_is_one_line_on_a_phone(
    browser: Any, tmp_path: Path, engine: SteppingEngine, width: int
) -> None:
    """Also with a link to log in."""
    shelf = ScriptedShelf(tmp_path, engine.chunks)
    with served(create_app(Settings(home=tmp_path, api_keys="optional"), engine, shelf)) as address:
        context = browser.new_context(locale="sv-SE", viewport={"width": width, "height": 800})
        page = context.new_page()
        page.goto(address)
        tops = page.eval_on_selector_all(".ak-top-in > *", "all => all.map(one => one.getBoundingClientRect().top)")
        assert len(tops) == 3
        assert max(tops) - min(tops) < 12
        context.close()


def test_a_follow_up_is_shown_as_understood_and_only_that_is_sent(visit: Opener) -> None:
    told: list[Any] = []

    def understand(route: Any) -> None:
        told.append(route.request.post_data_json)
        whole = {"question": "Vilka etapper finns i norr?", "changed": True, "taken_over": ["Vilka etapper finns"]}
        route.fulfill(status=200, content_type="application/json", body=json.dumps(whole))

    asked: list[Any] = []
    seen = visit("/?q=" + QUESTION, prepare=lambda page: page.route("**/api/understand", understand))
    seen.page.on("request", lambda r: asked.append(r.post_data_json) if "/page/ask" in r.url else None)
    seen.page.fill("#follow-up", "och i norr?")
    seen.page.press("#follow-up", "Enter")
    seen.says(".ak-follow label", "Så här förstods frågan")
    assert told == [{"previous": QUESTION, "question": "och i norr?"}]
    assert asked == []
    assert seen.focused() == "follow-up"
    assert seen.page.input_value("#follow-up") == "Vilka etapper finns i norr?"
    seen.page.fill("#follow-up", "Vilka etapper finns i söder?")
    seen.page.press("#follow-up", "Enter")
    seen.says("#answer h2", "Vilka etapper finns i söder?")
    seen.settled()
    assert asked == [{"question": "Vilka etapper finns i söder?"}]
    seen.quiet()


def test_a_follow_up_that_stands_alone_is_sent_at_once(visit: Opener) -> None:
    seen = visit("/?q=" + QUESTION)
    seen.page.fill("#follow-up", "Vem har ansvaret för arbetet?")
    seen.page.click("#send")
    seen.says("#answer h2", "Vem har ansvaret för arbetet?")
    seen.settled()
    seen.quiet()


def _feedback(given: list[Any], status: int = 204) -> Callable[[Any], None]:
    def answer(route: Any) -> None:
        given.append(route.request.post_data_json)
        route.fulfill(status=status)

    return lambda page: page.route("**/api/feedback", answer)


def test_a_thumb_up_is_one_click(visit: Opener) -> None:
    given: list[Any] = []
    seen = visit("/?q=" + QUESTION, prepare=_feedback(given))
    seen.page.click("#up")
    seen.says("#feedback", "Tack!")
    assert seen.page.get_attribute("#up", "aria-pressed") == "true"
    assert [sorted(one) for one in given] == [["answer_id", "rating"]]
    assert len(given[0]["answer_id"]) == 32


def test_a_thumb_down_may_have_a_reason_and_sends_the_question_only_if_ticked(visit: Opener) -> None:
    given: list[Any] = []
    seen = visit("/?q=" + QUESTION, prepare=_feedback(given))
    for ticked in (False, True):
        seen.page.click("#down")
        seen.page.check("input[value=incomplete]")
        seen.page.fill("textarea[name=comment]", "Det saknas något.")
        if ticked:
            seen.page.check("input[name=along]")
        seen.page.click("#feedback button[type=submit]")
        seen.page.wait_for_selector("#feedback form", state="detached")
    said = {"rating": "down", "reason": "incomplete", "comment": "Det saknas något."}
    assert [{k: v for k, v in one.items() if k != "answer_id"} for one in given] == [
        said,
        {**said, "question": QUESTION},
    ]


def test_a_thumb_down_without_a_reason_is_sent_when_the_reader_goes_on(visit: Opener) -> None:
    given: list[Any] = []
    seen = visit("/?q=" + QUESTION, prepare=_feedback(given))
    seen.page.click("#down")
    assert given == []
    seen.ask("Det här saknas")
    assert [one["rating"] for one in given] == ["down"]


def test_feedback_that_is_not_kept_is_told(visit: Opener) -> None:
    seen = visit("/?q=" + QUESTION, prepare=_feedback([], 503))
    seen.page.click("#up")
    seen.says("#feedback", "kunde inte sparas")


def test_the_service_takes_what_the_page_sends_as_feedback(visit: Opener) -> None:
    seen = visit("/?q=" + QUESTION)
    with seen.page.expect_response("**/api/feedback") as told:
        seen.page.click("#up")
    assert told.value.status != 400


def test_an_answer_is_copied_with_its_sources_and_a_link_shares_the_question(visit: Opener) -> None:
    seen = visit("/?debug=true&q=" + QUESTION, permissions=["clipboard-read", "clipboard-write"])
    seen.page.click("#copy")
    seen.says("#answer", "Svaret har kopierats")
    text = seen.page.evaluate("navigator.clipboard.readText()")
    assert "Planera arbetet." in text
    assert "### Källor" in text
    assert f"]({seen.base}/sources/" in text
    rich = seen.page.evaluate("async () => (await (await navigator.clipboard.read())[0].getType('text/html')).text()")
    assert "Planera arbetet." in rich
    assert "<button" not in rich
    seen.page.click("#share")
    seen.says("#answer", "Länken har kopierats")
    link = seen.page.evaluate("navigator.clipboard.readText()")
    seen.page.goto(link)
    seen.settled()
    assert "Planera arbetet." in seen.text("#answer")
    assert seen.page.is_visible("#debug")


def test_no_text_key_of_the_framework_is_shown(visit: Opener) -> None:
    seen = visit("/?q=" + QUESTION)
    seen.page.wait_for_timeout(1500)
    assert "common." not in seen.page.evaluate("() => document.body.textContent")


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_needs_sideways_scrolling_but_a_wide_table_in_itself(
    visit: Opener, pictures: Path | None, width: int
) -> None:
    seen = visit("/?debug=true&q=Visa en tabell", width=width)
    assert seen.page.evaluate("() => document.documentElement.scrollWidth") <= width
    frame = seen.page.locator("#answer .ak-said .ak-scroll")
    assert frame.evaluate("frame => frame.clientWidth") <= width
    if width < 600:
        assert frame.evaluate("frame => frame.scrollWidth > frame.clientWidth")
    narrowest = frame.locator("th").evaluate_all("all => Math.min(...all.map(th => th.clientWidth))")
    assert narrowest > 30
    seen.keep(pictures, f"table-{width}")
    seen.ask(QUESTION)
    assert seen.page.evaluate("() => document.documentElement.scrollWidth") <= width
    seen.quiet()


def test_on_a_phone_the_source_is_a_sheet_that_closes(visit: Opener, pictures: Path | None) -> None:
    seen = visit("/?q=" + QUESTION, width=390, has_touch=True)
    assert not seen.page.is_visible("#panel, #sheet")
    mark = seen.page.locator("#answer .ak-cite").first
    mark.tap()
    seen.page.wait_for_selector("#sheet[open] .ak-frame:not(.ak-waiting)")
    assert "Plan" in seen.focused()
    seen.keep(pictures, "sheet")
    seen.page.keyboard.press("Escape")
    assert not seen.page.is_visible("#sheet")
    assert seen.page.evaluate("document.activeElement.classList.contains('ak-cite')")
    seen.quiet()


def test_twice_as_large_letters_still_fit(visit: Opener) -> None:
    """200 percent in a window of 1280 is a window of 640."""
    seen = visit("/?q=" + QUESTION, width=640, height=450, device_scale_factor=2)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 640


def test_other_programs_ask_through_the_pages_api(base_url: str) -> None:
    call = f"{base_url}/gradio_api/call/submit"
    event = httpx.post(call, json={"data": [QUESTION]}).json()["event_id"]
    stream = httpx.get(f"{call}/{event}", timeout=30).text
    assert "event: complete" in stream
    data = json.loads(stream.split("data: ")[-1].split("\n")[0])
    assert "### Källor" in data[0]
