"""A report opens in a browser without the network, filters, sorts, follows links, and can be read without its script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ankare.evaluation.case import Case
from ankare.evaluation.report.write import write_report
from tests.browser.test_accessible import findings
from tests.evaluation.kept_runs import CASES
from tests.evaluation.reported import EVIL_CASE, report

pytestmark = pytest.mark.slow
DRAWN = "svg.plot text"


class Opened:
    """A report in a browser, and what it did on its own."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        self.foreign: list[str] = []
        page.set_default_timeout(20_000)
        page.on("console", lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith("file:") else self.foreign.append(asked.url))

    def shown(self) -> list[str]:
        """The ids of the cases that can be seen, in their order."""
        found = self.page.eval_on_selector_all(".case", "all => all.filter(one => !one.hidden).map(one => one.id)")
        return [str(one) for one in found]

    def quiet(self) -> None:
        """Nothing was asked for, nothing went wrong, no foreign text ran."""
        assert (self.errors, self.foreign) == ([], [])
        assert self.page.title() != "owned"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("report")
    told = report(folder / "runs", cases=(*CASES, EVIL_CASE, Case("gone", "Borta?", "fact", True)))
    found = {}
    for language in ("sv", "en"):
        found[language] = folder / language / "report.html"
        write_report(told, found[language], language)
    return found


@pytest.fixture
def opened(browser: Any, files: dict[str, Path]) -> Iterator[Callable[..., Opened]]:
    contexts = []

    def opening(language: str = "sv", *, at: str = "", script: bool = True, **more: Any) -> Opened:
        context = browser.new_context(
            java_script_enabled=script, **({"viewport": {"width": 1280, "height": 900}} | more)
        )
        contexts.append(context)
        seen = Opened(context.new_page())
        seen.page.goto(files[language].as_uri() + at)
        if script:
            seen.page.wait_for_selector("html[data-ready]", state="attached")
        return seen

    yield opening
    for context in contexts:
        context.close()


@pytest.mark.parametrize("language", ["sv", "en"])
def test_it_opens_quietly_with_every_case_closed(opened: Callable[..., Opened], language: str) -> None:
    seen = opened(language)
    assert len(seen.shown()) == 6
    assert seen.page.locator(".case[open]").count() == 0
    assert seen.page.inner_text("#count") == {"sv": "6 av 6 frågor", "en": "6 of 6 questions"}[language]
    seen.quiet()


def test_a_case_opens_by_keyboard_with_evidence_decisions_and_scores(opened: Callable[..., Opened]) -> None:
    seen = opened()
    seen.page.focus("#case-board > summary")
    seen.page.keyboard.press("Enter")
    case = seen.page.locator("#case-board")
    case.locator(".more table").wait_for()
    assert case.locator("mark").first.inner_text() == "Styrgruppen har fem ledamöter."
    link = case.locator(".evidence a").first
    assert link.get_attribute("href") == "https://svar.example/sources/a/pages/3.png?claim=c0:0-10"
    assert "noreferrer" in (link.get_attribute("rel") or "")
    case.locator(".fold summary", has_text="Beslut på vägen").last.click()
    assert "skriver utkast (en-modell) – klart 812 ms · 900 tokens in, 120 ut" in case.inner_text()
    assert "fel tal" in case.locator(".blocked").inner_text()
    assert "Källtrohet" in case.locator(".more").inner_text()
    seen.quiet()


def test_a_hostile_case_opens_as_text(opened: Callable[..., Opened]) -> None:
    seen = opened()
    seen.page.evaluate("for (const one of document.querySelectorAll('.case')) one.open = true")
    seen.page.wait_for_function("document.querySelectorAll('.case[data-full]').length === 6")
    assert seen.page.locator("main img, main script:not(#data), main iframe").count() == 0
    assert "<img src=x onerror" in seen.page.locator(".case", has_text="Stycke").inner_text()
    seen.quiet()


@pytest.mark.parametrize(
    ("do", "left"),
    [
        (lambda page: page.fill("#search", "MÅNEN"), {"case-moon"}),
        (lambda page: page.fill("#search", "finns inte i någon text"), set()),
        (lambda page: page.select_option("#type", "plan"), {"case-holiday"}),
        (lambda page: page.select_option("#outcome", "failed"), {"case-gone"}),
        (lambda page: page.select_option("#outcome", "refused"), {"case-moon"}),
        (lambda page: page.check("#only_aside"), {"case-holiday", "case-gone"}),
        (lambda page: page.check("#only_worse"), {"case-money", "case-moon"}),
    ],
)
def test_cases_are_filtered(opened: Callable[..., Opened], do: Callable[[Any], None], left: set[str]) -> None:
    seen = opened()
    do(seen.page)
    assert set(seen.shown()) == left
    assert seen.page.inner_text("#count").startswith(f"{len(left)} av 6")


def test_cases_are_sorted_by_a_measure_the_worst_first_and_back_again(opened: Callable[..., Opened]) -> None:
    seen = opened()
    before = seen.shown()
    names = seen.page.eval_on_selector_all("#sort option", "all => all.map(one => one.textContent)")
    seen.page.select_option("#sort", index=names.index("Källtrohet – Kedja"))
    assert set(seen.shown()[:2]) == {"case-money", "case-moon"}
    seen.page.select_option("#sort", index=0)
    assert seen.shown() == before


def test_a_link_opens_its_case_even_where_a_filter_hides_it(opened: Callable[..., Opened]) -> None:
    seen = opened(at="#case-board")
    assert seen.page.locator("#case-board[open] .more table").count() == 1
    seen.page.fill("#search", "månen")
    seen.page.click(".worse a[href='#case-money']")
    seen.page.wait_for_selector("#case-money[open]")
    assert seen.page.locator("#case-money").is_visible()
    assert seen.page.evaluate("document.activeElement.closest('.case').id") == "case-money"
    assert seen.page.inner_text("#case-money .link") == "#case-money"
    seen.quiet()


def test_an_address_of_no_case_is_no_fault(opened: Callable[..., Opened]) -> None:
    for address in ("#case-none", "#%", "#data", "#list"):
        seen = opened(at=address)
        seen.quiet()


def test_without_a_script_tables_plots_and_answers_are_there(opened: Callable[..., Opened]) -> None:
    seen = opened(script=False)
    assert seen.page.locator("tr[data-measure='faithfulness']").first.is_visible()
    assert seen.page.locator("svg.plot").count() > 3
    assert not seen.page.locator("#filters").is_visible()
    assert "Utan skript" in seen.page.inner_text("noscript .hint")
    seen.page.click("#case-money > summary")
    assert "nio miljarder dollar" in seen.page.inner_text("#case-money")
    assert "a.pdf, s. 3" in seen.page.inner_text("#case-money")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_no_serious_finding_and_nothing_runs_out_of_the_page(
    opened: Callable[..., Opened], width: int, scheme: str
) -> None:
    seen = opened(viewport={"width": width, "height": 800}, color_scheme=scheme, at="#case-board")
    seen.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    seen.page.wait_for_function("document.querySelectorAll('.case[data-full]').length === 6")
    assert findings(seen) == []  # type: ignore[arg-type]
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


def test_no_text_of_a_plot_lies_on_another_or_leaves_it(opened: Callable[..., Opened]) -> None:
    seen = opened()
    assert seen.page.locator(DRAWN).count() > 20
    assert seen.page.evaluate(TOUCHING) == []
    seen.page.evaluate(
        f"document.querySelectorAll('{DRAWN}')[3].after(document.querySelectorAll('{DRAWN}')[3].cloneNode(true))"
    )
    assert seen.page.evaluate(TOUCHING) != []


TOUCHING = """() => {
  const found = [];
  for (const svg of document.querySelectorAll("svg.plot")) {
    const whole = svg.viewBox.baseVal;
    const texts = [...svg.querySelectorAll("text")].map(one => [one.textContent, one.getBBox()]);
    for (const [words, box] of texts) {
      if (box.x < -1 || box.x + box.width > whole.width + 1 || box.y + box.height > whole.height + 3) found.push(words);
    }
    texts.forEach(([words, a], n) => texts.slice(n + 1).forEach(([other, b]) => {
      const beside = a.x + a.width <= b.x + 1 || b.x + b.width <= a.x + 1;
      const apart = a.y + a.height <= b.y + 4 || b.y + b.height <= a.y + 4;
      if (!beside && !apart) found.push(`${words} / ${other}`);
    }));
  }
  return found;
}"""


def test_on_paper_only_opened_cases_are_printed(opened: Callable[..., Opened]) -> None:
    seen = opened(at="#case-board")
    seen.page.emulate_media(media="print")
    assert seen.page.locator("#case-board").is_visible()
    assert not seen.page.locator("#case-money").is_visible()
    assert not seen.page.locator("nav").is_visible()
    assert not seen.page.locator("#filters").is_visible()
