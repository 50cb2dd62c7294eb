"""The usage panel of the library page in a real browser: a real service answers, and the panel tells how that went."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.settings import Settings
from tests.browser.conftest import served
from tests.service.librarian import TOKEN, pack_of
from tests.service.usage_lines import line, write_log

HOSTILE = "<img src=x onerror=alert(1)> ![x](http://elak.example/) parkeringen?"
pytestmark = pytest.mark.slow


@dataclass
class Panel:
    """The library page with its panel, and everything that went wrong on it."""

    page: Any
    base: str
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def open(self) -> None:
        """Open the panel with the keyboard, and wait for what it shows."""
        self.page.locator("#use-open > summary").focus()
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#use-shown .usage-section")

    def text(self) -> str:
        return str(self.page.inner_text("#use-shown"))

    def cell(self, row: str) -> str:
        """What stands beside a name in the first table."""
        found = self.page.locator("#use-shown table").first.locator(
            "tr", has=self.page.get_by_role("rowheader", name=row, exact=True)
        )
        return str(found.locator("td").first.inner_text())


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A service over a home of its own that has answered a few questions and knows a month of older ones."""
    from ankare.service.app import create_app

    folder = tmp_path_factory.mktemp("usage")
    ingest([pack_of(folder / "pack")], Home(folder / "home"), workers=1)
    old = datetime.now(UTC) - timedelta(days=70)
    write_log(folder / "log", [line(old), *_month()])
    chosen = Settings(home=folder / "home", semantic=False, admin_token=TOKEN, log_dir=folder / "log", log_texts=True)
    with served(create_app(chosen)) as base:
        answers = [ask(base, question) for question in ("När testas driften?", "Vad kostar parkeringen?", HOSTILE)]
        for answer, rating in zip(answers, ("up", "down", "down"), strict=True):
            said = {"answer_id": answer["answer_id"], "rating": rating, "comment": "<b>Priset</b> saknas"}
            post(base, "/api/feedback", said)
        yield base, folder


def _month() -> Iterator[dict[str, Any]]:
    """Made-up questions of the last weeks."""
    now = datetime.now(UTC)
    for day in range(1, 25):
        for n in range(day % 7 + 3):
            moment = now - timedelta(days=day, minutes=n)
            yield line(moment, ms=20 + 10 * n, agents=2, question=f"Vad gäller {n}?", question_key=f"k{n}")
        yield line(
            now - timedelta(days=day, hours=1),
            outcome="refused",
            reason="subject_not_covered",
            question=("Får jag ha hund på kontoret?", "Var finns cykelgaraget?")[day % 2],
            question_key=f"r{day % 2}",
            missing=[("hund", "cykelgaraget")[day % 2]],
            key=f"team-{day % 3}",
        )


def ask(base: str, question: str) -> Any:
    return post(base, "/api/ask", {"question": question})


def post(base: str, path: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(  # noqa: S310 - our own server
        base + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return json.loads(answer.read() or b"{}")


@pytest.fixture
def panel(browser: Any, service: tuple[str, Path]) -> Iterator[Callable[..., Panel]]:
    """Opens the library page, logged in."""
    contexts, seen = [], []

    def opened(*, language: str = "sv-SE", width: int = 1200, zone: str = "Europe/Stockholm") -> Panel:
        context = browser.new_context(locale=language, viewport={"width": width, "height": 900}, timezone_id=zone)
        contexts.append(context)
        here = Panel(context.new_page(), service[0])
        seen.append(here)
        here.page.set_default_timeout(30_000)
        here.page.on(
            "console", lambda m: here.errors.append(m.text) if m.type == "error" and "400" not in m.text else None
        )
        here.page.on("pageerror", lambda e: here.errors.append(str(e)))
        here.page.on("request", lambda r: here.asked.append(r.url) if "/library/usage" in r.url else None)
        here.page.on(
            "request", lambda r: here.foreign.append(r.url) if not r.url.startswith((here.base, "data:")) else None
        )
        here.page.goto(here.base + "/library")
        here.page.fill("#key", TOKEN)
        here.page.keyboard.press("Enter")
        here.page.wait_for_selector("#documents table")
        return here

    yield opened
    for here in seen:
        assert (here.errors, here.foreign) == ([], [])
    for context in contexts:
        context.close()


def test_nothing_is_read_before_the_panel_is_opened(panel: Callable[..., Panel]) -> None:
    here = panel()
    here.page.wait_for_timeout(300)
    assert here.asked == []
    here.open()
    assert len(here.asked) == 1


def test_the_panel_tells_what_the_service_answered(panel: Callable[..., Panel], service: tuple[str, Path]) -> None:
    here = panel()
    here.open()
    lines = [json.loads(text) for text in (service[1] / "log" / "usage.jsonl").read_text("utf-8").splitlines()]
    recent = [one for one in lines if one["time"] > (datetime.now(UTC) - timedelta(days=40)).isoformat()]
    assert here.cell("Frågor") == str(len(recent))
    assert here.cell("Utan svar") == str(sum(one["outcome"] == "refused" for one in recent))
    assert (here.cell("Hjälpte"), here.cell("Hjälpte inte")) == ("1", "2")
    words = here.text()
    for told in ("parkeringen", "hund", "cykelgaraget", "Får jag ha hund på kontoret?", "Svarstider", "skriver utkast"):
        assert told in words, told
    assert here.page.locator("#use-shown figure svg.plot").count() >= 5


def test_what_people_wrote_is_text(panel: Callable[..., Panel]) -> None:
    here = panel()
    here.open()
    assert HOSTILE in here.text()
    assert "<b>Priset</b> saknas" in here.text()
    assert here.page.locator("#use-shown :is(a, img, b, script, form, iframe)").count() == 0


def test_a_chosen_period_is_shown_and_a_wrong_one_told(panel: Callable[..., Panel]) -> None:
    here = panel()
    here.open()
    today = datetime.now(UTC).date()
    here.page.fill("#use-period [name=since]", (today - timedelta(days=9)).isoformat())
    here.page.fill("#use-period [name=until]", (today - timedelta(days=3)).isoformat())
    here.page.select_option("#use-period [name=by]", "week")
    here.page.get_by_role("button", name="Uppdatera").click()
    here.page.locator("#use-shown p", has_text=(today - timedelta(days=9)).isoformat()).wait_for()
    assert "by=week" in here.asked[-1]
    assert "time_zone=Europe" in here.asked[-1]
    here.page.fill("#use-period [name=until]", (today - timedelta(days=20)).isoformat())
    here.page.keyboard.press("Enter")
    here.page.get_by_text("Den tiden går inte att visa").wait_for()
    assert here.page.locator("#use-shown > *").count() == 0


@pytest.mark.parametrize(("language", "words"), [("en-GB", "Questions"), ("zh-CN", "问题")])
def test_the_panel_speaks_the_readers_language(panel: Callable[..., Panel], language: str, words: str) -> None:
    here = panel(language=language)
    here.open()
    assert here.cell(words).isdigit()
    assert "Frågor" not in here.text()


def test_a_zone_that_the_service_does_not_know_is_no_obstacle(panel: Callable[..., Panel]) -> None:
    here = panel()
    here.page.route(
        "**/library/usage?*time_zone=*",
        lambda route: route.fulfill(status=400, body="{}", content_type="application/json"),
    )
    here.open()
    assert here.cell("Frågor").isdigit()


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_is_wider_than_a_phone(panel: Callable[..., Panel], width: int) -> None:
    here = panel(width=width)
    here.open()
    assert here.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_accessibility_scan_finds_nothing(
    panel: Callable[..., Panel], pictures: Path | None, width: int, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    here = panel(width=width)
    here.page.emulate_media(color_scheme=scheme)
    here.open()
    if pictures is not None:
        here.page.locator("#use").screenshot(path=pictures / f"usage-{scheme}-{width}.png")
    found = [
        v for v in Axe().run(here.page).response["violations"] if v["impact"] in ("serious", "critical", "moderate")
    ]
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found] == []


def test_the_panel_is_gone_with_the_login(panel: Callable[..., Panel]) -> None:
    here = panel()
    here.page.context.clear_cookies()
    here.page.locator("#use-open > summary").click()
    here.page.locator("#use-problem", has_text="Du är inte inloggad längre").wait_for()
    here.errors.clear()
