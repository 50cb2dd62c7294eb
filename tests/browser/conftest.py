"""A real server and a real browser. Without a Chromium the tests are skipped, unless ANKARE_BROWSER_TESTS=required."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ankare.domain.reply import Reply
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from ankare.settings import Settings
from tests.service.scripted import HOSTILE, ScriptedEngine, ScriptedShelf, make_chunk

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
    "--disable-features=OptimizationHints,MediaRouter,Translate",
)
DONE = "#answer:not([aria-busy])"


@dataclass
class Visit:
    """A page that was opened, and everything that it did on its own."""

    page: Any
    base: str
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def ask(self, question: str) -> None:
        """Write a question into the field, press Enter, and wait for what comes of it."""
        self.page.fill("#question textarea", question)
        self.page.press("#question textarea", "Enter")
        self.settled()

    def settled(self) -> None:
        """Wait until nothing is being worked on."""
        self.page.wait_for_selector(DONE)

    def says(self, selector: str, text: str) -> None:
        """Wait until something on the page has this text in it."""
        self.page.locator(selector).filter(has_text=text).first.wait_for()

    def text(self, selector: str) -> str:
        """What can be read there."""
        return str(self.page.inner_text(selector))

    def focused(self) -> str:
        """The id of what has the focus, else its text."""
        return str(self.page.evaluate("document.activeElement.id || document.activeElement.innerText"))

    def quiet(self) -> None:
        """Nothing came from another host, no text ran, no policy was broken."""
        assert self.foreign == []
        assert self.dialogs == []
        assert self.errors == []

    def keep(self, pictures: Path | None, name: str) -> None:
        """A screenshot, for whoever wants to look at it."""
        if pictures is not None:
            self.page.screenshot(path=pictures / f"{name}.png")


class SteppingEngine(ScriptedEngine):
    """Tells of two steps before it answers."""

    def ask(self, question: str, **given: Any) -> Reply:
        if given.get("on_step"):
            for step in ("retrieve", "draft"):
                given["on_step"](step)
        return super().ask(question, **given)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One for each file: while it is there, no other test of the process can run an event loop."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    required = os.environ.get("ANKARE_BROWSER_TESTS") == "required"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        found = None
    if found is None:
        if required:
            pytest.fail("The browser tests are required here, but there is no Chromium or no playwright.")
        pytest.skip("no Chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield running
        running.close()


@contextmanager
def served(app: Any) -> Iterator[str]:
    """The address of a running service, on a free port of this machine."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


@pytest.fixture(scope="session")
def engine() -> SteppingEngine:
    """The scripted engine behind `base_url`; one of its documents is hostile."""
    return SteppingEngine((make_chunk(), make_chunk(HOSTILE, source="elak.html", title="Elak <b>titel</b>")))


@pytest.fixture(scope="session")
def scripted_url(tmp_path_factory: pytest.TempPathFactory, engine: SteppingEngine) -> Iterator[str]:
    from ankare.service.app import create_app

    folder = tmp_path_factory.mktemp("documents")
    with served(create_app(Settings(home=folder), engine, ScriptedShelf(folder, engine.chunks))) as address:
        yield address


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample pack, read in."""
    folder = tmp_path_factory.mktemp("sample") / "home"
    ingest([], Home(folder), pack=pack_path())
    return folder


@pytest.fixture(scope="session")
def sample_url(sample_home: Path) -> Iterator[str]:
    from ankare.service.app import create_app

    with served(create_app(Settings(home=sample_home, semantic=False))) as address:
        yield address


@pytest.fixture
def base_url(scripted_url: str) -> str:
    """The service that a module's tests visit; modules say otherwise."""
    return scripted_url


@pytest.fixture
def visit(browser: Any, base_url: str) -> Iterator[Callable[..., Visit]]:
    """Opens an address of the service, as a browser of a given language and width."""
    contexts = []

    def opened(path: str, *, language: str = "sv-SE", width: int = 1280, height: int = 900, **more: Any) -> Visit:
        prepare = more.pop("prepare", None)
        context = browser.new_context(locale=language, viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        seen = Visit(context.new_page(), base_url)
        seen.page.set_default_timeout(20_000)
        seen.page.on("request", lambda r: None if _own(r.url, base_url) else seen.foreign.append(r.url))
        seen.page.on("console", lambda m: seen.errors.append(m.text) if m.type == "error" else None)
        seen.page.on("pageerror", lambda e: seen.errors.append(str(e)))
        seen.page.on("dialog", lambda d: (seen.dialogs.append(d.message), d.dismiss()))
        if prepare:
            prepare(seen.page)
        seen.page.goto(base_url + path)
        seen.page.wait_for_selector("#question textarea")
        if "q=" in path:
            seen.settled()
        return seen

    yield opened
    for context in contexts:
        context.close()


def _own(url: str, base: str) -> bool:
    return url.startswith((base, "data:", "blob:"))


@pytest.fixture
def pictures() -> Path | None:
    """Where screenshots go, for whoever wants to look at them."""
    folder = os.environ.get("ANKARE_SCREENSHOTS")
    return None if folder is None else Path(folder)
