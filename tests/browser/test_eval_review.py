"""A person rates answers by keyboard; nothing is lost on reload, nothing leaves the machine, and the file is read back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ankare.cli.eval_review import app
from ankare.evaluation.reviewing.ratings import read_ratings
from tests.evaluation.kept_runs import BODIES, CASES, body, write_run

pytestmark = pytest.mark.slow
FIVE = ("directness", "language", "conclusion", "source_support", "abstention")
HOSTILE = "<img src=x onerror='window.bad=1'></script><script>window.bad=1</script>"


class Rated:
    """The page, opened from the disk without any network, and everything that it did on its own."""

    def __init__(self, context: Any, path: Path) -> None:
        self.page = context.new_page()
        self.page.set_default_timeout(20_000)
        self.asked: list[str] = []
        self.errors: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.url = path.as_uri()
        self.open()

    def open(self) -> None:
        self.page.goto(self.url)
        self.page.wait_for_selector("body.ready")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, selector: str) -> None:
        """Press Tab until it has the focus."""
        for _ in range(60):
            if self.page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
                return
            self.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab")

    def item(self) -> str:
        return str(self.page.locator(".item:visible").get_attribute("data-item"))

    def chosen(self) -> dict[str, str]:
        return dict(
            self.page.eval_on_selector_all(
                ".item:not([hidden]) input:checked", "all => all.map((one) => [one.name.split('-').at(-1), one.value])"
            )
        )

    def saved(self, button: str, folder: Path) -> Path:
        with self.page.expect_download() as download:
            self.page.click(button)
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path

    def quiet(self) -> None:
        """Nothing was loaded but the page itself, nothing was complained of, no text ran."""
        assert {url for url in self.asked if not url.startswith(("blob:", "data:"))} == {self.url}
        assert self.errors == []
        assert self.page.evaluate("window.bad") is None


@pytest.fixture
def run(tmp_path: Path) -> Path:
    hostile = body(CASES[1].question, HOSTILE, markdown=f"{HOSTILE}\n\n[x](javascript:window.bad=1)")
    write_run(tmp_path / "run", bodies={**BODIES, "money": hostile})
    return tmp_path / "run"


@pytest.fixture
def sheet(run: Path) -> Path:
    path = run / "sheet.html"
    assert CliRunner().invoke(app, ["sheet", str(run), "--out", str(path)]).exit_code == 0
    return path


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    made = browser.new_context(locale="sv-SE", offline=True, accept_downloads=True)
    yield made
    made.close()


def rate_three(page: Rated) -> dict[str, dict[str, str]]:
    """By keyboard alone: digits, arrows and "cannot judge"."""
    page.tab_to("#rater")
    page.page.keyboard.type("Åsa Ek")
    told: dict[str, dict[str, str]] = {}
    page.tab_to(".item:not([hidden]) fieldset input")
    page.press("4", "5", "3", "0", "5")
    assert page.page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    page.page.keyboard.type("=rak, och klar")
    told[page.item()] = dict(zip(FIVE, ("4", "5", "3", "cannot", "5"), strict=True))
    page.tab_to("#next")
    page.press("Enter")
    page.tab_to(".item:not([hidden]) fieldset input")
    page.press("ArrowRight")
    page.press("Tab", "Space", "Tab", "1", "1", "2")
    told[page.item()] = dict(zip(FIVE, ("2", "1", "1", "1", "2"), strict=True))
    page.tab_to("#next-open")
    page.press("Enter")
    page.tab_to(".item:not([hidden]) fieldset input")
    page.press("5", "5", "5", "5", "5")
    told[page.item()] = dict.fromkeys(FIVE, "5")
    return told


def test_three_answers_are_rated_by_keyboard_kept_and_read_back(
    context: Any, sheet: Path, run: Path, tmp_path: Path
) -> None:
    page = Rated(context, sheet)
    told = rate_three(page)
    assert len(told) == 3
    assert "3 av 4 svar klara" in page.page.inner_text("#progress")
    page.open()
    assert page.page.input_value("#rater") == "Åsa Ek"
    assert "3 av 4 svar klara" in page.page.inner_text("#progress")
    assert page.item() not in told  # it goes on where nothing is rated yet
    for _ in range(3):
        page.page.click("#previous")
        assert page.chosen() == told[page.item()]
    assert page.page.locator(".item:visible textarea").input_value() == "=rak, och klar"
    for button in ("#save-csv", "#save-json"):
        path = page.saved(button, tmp_path)
        assert "Åsa-Ek" in path.name
        result = CliRunner().invoke(app, ["read", str(run), str(path)], catch_exceptions=False)
        assert result.exit_code == 0
        kept = {rating.item: rating for rating in read_ratings(run)}
        assert kept.keys() == told.keys()
        for item, values in told.items():
            scores = {name: int(value) for name, value in values.items() if value != "cannot"}
            assert dict(kept[item].scores) == scores
        assert {rating.rater for rating in kept.values()} == {"Åsa Ek"}
        assert "=rak, och klar" in {rating.comment for rating in kept.values()}
        (run / "ratings.jsonl").unlink()
    page.quiet()


def test_without_a_name_nothing_is_saved(context: Any, sheet: Path) -> None:
    page = Rated(context, sheet)
    page.page.click("#save-csv")
    assert page.page.is_visible("#rater-fault")
    assert page.page.evaluate("document.activeElement.id") == "rater"
    page.page.fill("#rater", "Bo")
    assert not page.page.is_visible("#rater-fault")
    page.quiet()


def test_a_saved_file_goes_on_in_another_browser_and_another_sheets_does_not(
    browser: Any, context: Any, sheet: Path, tmp_path: Path
) -> None:
    page = Rated(context, sheet)
    rate_three(page)
    path = page.saved("#save-json", tmp_path)
    other_context = browser.new_context(locale="sv-SE", offline=True)
    other = Rated(other_context, sheet)
    assert other.page.input_value("#rater") == ""
    other.page.set_input_files("#open", path)
    other.page.locator("#progress", has_text="3 av 4 svar klara").wait_for()
    assert other.page.input_value("#rater") == "Åsa Ek"
    told = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**told, "sheet": "other"}), "utf-8")
    other.page.set_input_files("#open", path)
    other.page.locator("#status", has_text="hör inte till").wait_for()
    other.page.click("#other")
    assert other.page.input_value("#rater") == ""
    assert "0 av 4" in other.page.inner_text("#progress")
    other.quiet()
    other_context.close()


def test_a_browser_that_keeps_nothing_says_so(context: Any, sheet: Path) -> None:
    context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });")
    page = Rated(context, sheet)
    assert "kan inte spara" in page.page.inner_text("#kept")
    page.quiet()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious(browser: Any, sheet: Path, scheme: str, width: int, pictures: Path | None) -> None:
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 844}, offline=True)
    page = Rated(context, sheet)
    page.page.click("#save-csv")
    page.tab_to(".item:not([hidden]) fieldset input")
    page.press("4")
    for summary in page.page.locator("summary:visible").all():
        summary.click()
    found = [(one["id"], one["impact"]) for one in Axe().run(page.page).response["violations"]]
    assert [one for one in found if one[1] in ("serious", "critical")] == []
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    if pictures is not None:
        page.page.screenshot(path=pictures / f"review-{scheme}-{width}.png", full_page=True)
    context.close()
