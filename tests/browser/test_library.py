"""The library page in a real browser, over a real home: what is dropped there answers the next question."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.settings import Settings
from tests.ingest.making import pdf
from tests.service.librarian import FIGURES, TOKEN, pack_of

RECEIVE_DROP = """([name, text]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name));
  for (const type of ["dragenter", "dragover", "drop"])
    document.getElementById("drop").dispatchEvent(
      new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
}"""
EXPECTED = re.compile(r"Failed to load resource: .*\b(401|409|413|415)\b")
"""What a browser writes of its own for a refusal that the page shows."""


@dataclass
class Opened:
    """The page, and everything that went wrong on it."""

    page: Any
    base: str
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def log_in(self, token: str = TOKEN) -> None:
        self.page.fill("#key", token)
        self.page.keyboard.press("Enter")

    def eventually(self, expression: str) -> None:
        """Wait until it holds. The page's policy lets no text be run in it, so it is asked from outside."""
        deadline = time.monotonic() + 60
        while not self.page.evaluate(expression):
            assert time.monotonic() < deadline, expression
            self.page.wait_for_timeout(50)

    def row(self, name: str) -> Any:
        return self.page.locator("#uploads > li", has_text=name)

    def becomes(self, name: str, *words: str) -> None:
        for word in words:
            self.row(name).get_by_text(word).first.wait_for()


@pytest.fixture(scope="module")
def library_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with its library open, over a home of its own."""
    import uvicorn

    from ankare.service.app import create_app

    folder = tmp_path_factory.mktemp("library")
    ingest([pack_of(folder / "pack")], Home(folder / "home"), workers=1)
    app = create_app(Settings(home=folder / "home", semantic=False, admin_token=TOKEN, max_upload_bytes=2_000_000))
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", log_config=None, timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


@pytest.fixture
def library(browser: Any, library_url: str) -> Iterator[Callable[..., Opened]]:
    """Opens the library, as a browser of a given language and width, and gives the token unless told not to."""
    contexts, seen = [], []

    def opened(
        *, language: str = "sv-SE", width: int = 1200, token: str = TOKEN, readers: str = "#for-everyone"
    ) -> Opened:
        context = browser.new_context(locale=language, viewport={"width": width, "height": 900})
        contexts.append(context)
        here = Opened(context.new_page(), library_url)
        seen.append(here)
        here.page.set_default_timeout(60_000)
        here.page.on(
            "request", lambda r: here.foreign.append(r.url) if not r.url.startswith((library_url, "data:")) else None
        )
        here.page.on(
            "console",
            lambda m: here.errors.append(m.text) if m.type == "error" and not EXPECTED.match(m.text) else None,
        )
        here.page.on("pageerror", lambda e: here.errors.append(str(e)))
        here.page.goto(library_url + "/library")
        if token:
            here.log_in(token)
        if token == TOKEN:
            here.page.wait_for_selector("#documents table")
            if readers:
                here.page.check(readers)
        return here

    yield opened
    for here in seen:
        assert (here.errors, here.foreign) == ([], [])
    for context in contexts:
        context.close()


def note(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(f"# Anteckning\n\n{text}\n", "utf-8")
    return str(path)


def test_a_chosen_file_is_read_and_answers_the_next_question(library: Callable[..., Opened], tmp_path: Path) -> None:
    here = library()
    here.page.set_input_files("#files", [note(tmp_path, "flytt.md", "Arkivet flyttas i maj."), _scan(tmp_path)])
    here.becomes("flytt.md", "Tillagd", "1 avsnitt")
    here.becomes("skannad.pdf", "Sidor som bara är bilder: 2")
    here.page.locator("#documents").get_by_text("flytt.md").wait_for()
    assert here.page.locator("#jobs > li").first.inner_text().startswith("Klar")
    here.page.get_by_role("link", name="Till frågorna").click()
    here.page.wait_for_selector("#question textarea")
    here.page.fill("#question textarea", "När flyttas arkivet?")
    here.page.click("#ask")
    here.page.get_by_text("Arkivet flyttas i maj").first.wait_for()


def _scan(folder: Path) -> str:
    path = folder / "skannad.pdf"
    path.write_bytes(pdf([["Planen testas av chefen."], []]))
    return str(path)


def test_a_dropped_file_is_read(library: Callable[..., Opened]) -> None:
    here = library()
    here.page.evaluate(RECEIVE_DROP, ["droppad.txt", "Nyckeln ligger i receptionen."])
    here.becomes("droppad.txt", "Tillagd")
    here.page.locator("#documents").get_by_text("droppad.txt").first.wait_for()


def test_what_is_refused_says_why_and_can_be_sent_again(library: Callable[..., Opened], tmp_path: Path) -> None:
    here = library()
    (tmp_path / "program.exe").write_bytes(b"MZ")
    (tmp_path / "stor.txt").write_bytes(b"a" * 2_000_001)
    (tmp_path / "bild.pdf").write_bytes(b"GIF89a")
    here.page.set_input_files("#files", [str(tmp_path / name) for name in ("program.exe", "stor.txt", "bild.pdf")])
    here.becomes("program.exe", ".exe kan inte läsas. De här typerna kan läsas: .csv .docm")
    here.becomes("stor.txt", "Filen är för stor: högst 2 MB.")
    here.becomes("bild.pdf", "innehåll är inte det som en .pdf-fil har")
    assert here.page.locator("#uploads [lang=en]").count() == 0
    types = here.page.locator("#limits").inner_text().partition(": ")[2]
    assert types in here.row("program.exe").inner_text()
    here.page.set_input_files("#files", note(tmp_path, "igen.md", "Först."))
    here.becomes("igen.md", "Tillagd")
    here.page.set_input_files("#files", note(tmp_path, "igen.md", "Sedan."))
    here.page.get_by_role("button", name="Ersätt: igen.md").click()
    here.page.locator("#uploads > li", has_text="igen.md").get_by_text("Ändrad").wait_for()


def test_a_bad_row_of_figures_is_told_with_its_place(library: Callable[..., Opened], tmp_path: Path) -> None:
    (tmp_path / "fel.csv").write_text(FIGURES.format("tolv"), "utf-8")
    here = library()
    here.page.set_input_files("#files", str(tmp_path / "fel.csv"))
    here.becomes(
        "fel.csv", "Kunde inte läsas in", "1 fel, så ingenting", "rad 2: värde: 'tolv' är inget tal", "Rätta det"
    )
    here.page.locator("#unread").get_by_text("fel.csv").wait_for()
    assert here.page.locator("#uploads [lang=en], #jobs [lang=en]").count() == 0


def test_a_file_gets_the_label_that_is_named(library: Callable[..., Opened], tmp_path: Path) -> None:
    here = library(readers="")
    here.page.get_by_label("Behörighetsetikett").fill("HR")
    here.page.set_input_files("#files", note(tmp_path, "lon.md", "Lönerna höjs."))
    here.becomes("lon.md", "Bara de som har etiketten hr får läsa", "Etikett: hr")
    here.page.reload()
    here.page.get_by_label("Behörighetsetikett").focus()
    here.page.wait_for_selector("#labels option[value=hr]", state="attached")


def test_nothing_is_taken_in_before_somebody_has_said_who_may_read_it(
    library: Callable[..., Opened], tmp_path: Path
) -> None:
    here = library(readers="")
    sent: list[str] = []
    here.page.on("request", lambda r: sent.append(r.url) if r.method == "PUT" else None)
    assert here.page.locator("#readers input:checked").count() == 0
    assert here.page.locator("#files").is_disabled()
    assert "Välj först vem som får läsa filerna." in here.page.locator("#drop").inner_text()
    here.page.evaluate(RECEIVE_DROP, ["hemlig.txt", "Hemligt."])
    here.eventually("document.getElementById('status').textContent === 'Välj först vem som får läsa filerna.'")
    assert here.page.evaluate("document.activeElement.id") == "for-everyone"
    here.page.check("#for-label")
    assert here.page.locator("#files").is_disabled()
    assert "Skriv först etiketten." in here.page.locator("#drop").inner_text()
    assert (sent, here.page.locator("#uploads > li").count()) == ([], 0)
    here.page.fill("#label", "styrelse")
    here.page.evaluate(RECEIVE_DROP, ["hemlig.txt", "Hemligt."])
    here.becomes("hemlig.txt", "Bara de som har etiketten styrelse får läsa", "Tillagd")
    here.page.check("#for-everyone")
    here.page.set_input_files("#files", note(tmp_path, "öppen.md", "Öppet."))
    here.becomes("öppen.md", "Alla får läsa", "Tillagd")
    assert "styrelse" in here.row("hemlig.txt").inner_text()


def test_what_would_be_replaced_is_told_with_its_readers_and_forgotten_once_removed(
    library: Callable[..., Opened], tmp_path: Path
) -> None:
    here = library(readers="")
    here.page.fill("#label", "hr")
    here.page.set_input_files("#files", note(tmp_path, "upptagen.md", "Först."))
    here.becomes("upptagen.md", "Tillagd")
    here.page.check("#for-everyone")
    here.page.set_input_files("#files", note(tmp_path, "upptagen.md", "Sedan."))
    replace = here.page.get_by_role("button", name="Ersätt: upptagen.md")
    here.page.get_by_text("Den fil som redan finns: Bara de som har etiketten hr får läsa.").wait_for()
    here.page.locator("#documents").get_by_role("button", name="Ta bort: upptagen.md").click()
    here.page.locator("#confirm").get_by_role("button", name="Ta bort").click()
    replace.wait_for(state="detached")


def test_a_document_is_removed_once_that_is_confirmed(library: Callable[..., Opened], tmp_path: Path) -> None:
    here = library()
    here.page.set_input_files("#files", note(tmp_path, "tillfällig.md", "Bara nu."))
    remove = here.page.locator("#documents").get_by_role("button", name="Ta bort: tillfällig.md")
    remove.click()
    assert "tillfällig.md" in here.page.locator("#confirm").inner_text()
    here.page.keyboard.press("Escape")
    assert remove.evaluate("button => button === document.activeElement")
    remove.click()
    here.page.locator("#confirm").get_by_role("button", name="Ta bort").click()
    remove.wait_for(state="detached")


def test_figures_that_differ_stand_side_by_side_and_are_decided_about(
    library: Callable[..., Opened], tmp_path: Path
) -> None:
    here = library()
    for name, value in (("ett.csv", "10"), ("tva.csv", "12")):
        (tmp_path / name).write_text(FIGURES.format(value), "utf-8")
    here.page.set_input_files("#files", [str(tmp_path / "ett.csv"), str(tmp_path / "tva.csv")])
    conflict = here.page.locator("#conflicts .lib-figure")
    conflict.get_by_text("12 SEK_M").wait_for()
    assert "10 SEK_M" in conflict.inner_text()
    assert "ett.csv, rad 2" in conflict.inner_text()
    conflict.get_by_role("button", name=re.compile("Underkänn: REVENUE, BOLAG, 2024, 12 SEK_M")).click()
    here.page.get_by_text("Inga källor motsäger varandra.").wait_for()


def test_what_readers_thought_of_answers_is_shown(library: Callable[..., Opened]) -> None:
    here = library()
    for rating, more in (("up", {}), ("down", {"reason": "incomplete", "comment": "<b>Datum</b> saknas"})):
        said = {"answer_id": uuid4().hex, "rating": rating, **more}
        assert here.page.request.post(here.base + "/api/feedback", data=said).status == 204
    here.page.reload()
    usage = here.page.locator("#usage")
    usage.get_by_text("1 svar hjälpte, 1 hjälpte inte.").wait_for()
    assert "Något saknas" in usage.inner_text()


def test_documents_are_searched_and_sorted(library: Callable[..., Opened], tmp_path: Path) -> None:
    here = library()
    here.page.set_input_files("#files", note(tmp_path, "aaa.md", "Först i listan."))
    here.page.locator("#documents tbody tr", has_text="aaa.md").wait_for()
    first = here.page.locator("#documents tbody tr").first
    assert first.inner_text().startswith("aaa.md")
    here.page.get_by_role("button", name="Dokument").click()
    here.eventually("!document.querySelector('#documents tbody tr').innerText.startsWith('aaa.md')")
    assert here.page.locator("#documents th[aria-sort=descending]").count() == 1
    here.page.get_by_label("Sök bland dokumenten").fill("drift")
    here.eventually("document.querySelectorAll('#documents tbody tr').length === 1")
    assert here.page.locator("#count").inner_text() == "1 av 1 dokument"


@pytest.mark.parametrize("token", ["wrong", TOKEN[:-1]])
def test_a_wrong_token_opens_nothing(library: Callable[..., Opened], token: str) -> None:
    here = library(token=token)
    here.page.get_by_role("alert").wait_for()
    here.page.goto(here.base + "/library")
    assert here.page.url.startswith(here.base + "/login")
    assert here.page.locator("#files").count() == 0


def test_a_lost_login_is_told(library: Callable[..., Opened], tmp_path: Path) -> None:
    here = library()
    here.page.context.clear_cookies()
    here.page.set_input_files("#files", note(tmp_path, "sen.md", "För sent."))
    here.becomes("sen.md", "Du är inte inloggad längre")


def test_everything_can_be_done_with_the_keyboard(library: Callable[..., Opened], tmp_path: Path) -> None:
    here = library(readers="")
    path = note(tmp_path, "tangent.md", "Utan mus.")
    reached = []
    while here.page.evaluate("document.activeElement.id") != "for-everyone":
        here.page.keyboard.press("Tab")
    here.page.keyboard.press("Space")
    with here.page.expect_file_chooser() as chosen:
        for _ in range(20):
            here.page.keyboard.press("Tab")
            reached.append(here.page.evaluate("document.activeElement.id"))
            if reached[-1] == "files":
                break
        here.page.keyboard.press("Enter")
    chosen.value.set_files(path)
    here.becomes("tangent.md", "Tillagd")
    remove = here.page.locator("#documents").get_by_role("button", name="Ta bort: tangent.md")
    remove.focus()
    here.page.keyboard.press("Enter")
    assert here.page.evaluate("document.activeElement.innerText") == "Avbryt"
    here.page.keyboard.press("Tab")
    here.page.keyboard.press("Enter")
    remove.wait_for(state="detached")


def test_outcomes_are_told_to_a_screen_reader(library: Callable[..., Opened], tmp_path: Path) -> None:
    here = library()
    here.page.set_input_files("#files", note(tmp_path, "hörd.md", "Hörs."))
    here.eventually("document.getElementById('status').textContent === 'hörd.md: Tillagd'")


@pytest.mark.parametrize(("language", "words"), [("en-GB", "The library"), ("zh-CN", "资料库"), ("fi", "Biblioteket")])
def test_the_page_speaks_the_readers_language(library: Callable[..., Opened], language: str, words: str) -> None:
    here = library(language=language)
    assert here.page.locator("h1").inner_text() == words
    assert here.page.evaluate("document.documentElement.lang") == {"en-GB": "en", "zh-CN": "zh", "fi": "sv"}[language]


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_is_wider_than_a_phone(library: Callable[..., Opened], tmp_path: Path, width: int) -> None:
    here = library(width=width)
    here.page.set_input_files("#files", note(tmp_path, f"{'lång_' * 25}{width}.md", "Långt namn."))
    here.page.locator("#documents tbody tr", has_text=f"lång_{width}.md").wait_for()
    assert here.page.evaluate("document.documentElement.scrollWidth") <= width
    assert here.page.locator("#documents").get_by_role("row").count() > 1


@pytest.mark.parametrize("width", [390, 1200])
def test_an_accessibility_scan_finds_nothing(library: Callable[..., Opened], tmp_path: Path, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    here = library(width=width)
    (tmp_path / "fel2.csv").write_text(FIGURES.format("tolv"), "utf-8")
    here.page.set_input_files("#files", [note(tmp_path, f"skannas{width}.md", "Text."), str(tmp_path / "fel2.csv")])
    here.page.locator("#documents").get_by_text(f"skannas{width}.md").first.wait_for()
    found = [
        v for v in Axe().run(here.page).response["violations"] if v["impact"] in ("serious", "critical", "moderate")
    ]
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found] == []


def test_a_hostile_file_name_and_content_stay_text(library: Callable[..., Opened], tmp_path: Path) -> None:
    here = library()
    name = "'onerror='x'&amp;lt;img src=x onerror=alert(1).md"
    here.page.evaluate(RECEIVE_DROP, [name, "# <img src=x onerror=alert(1)>\n\nText.\n"])
    here.page.locator("#documents").get_by_text("onerror=").first.wait_for()
    assert here.page.locator("#documents img, #uploads img, #jobs img").count() == 0
