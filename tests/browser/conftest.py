"""A real server and a real browser. Without a Chromium the tests are skipped, unless ANKARE_BROWSER_TESTS=required."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

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


@dataclass
class Visit:
    """A page that was opened, and everything that it did on its own."""

    page: Any
    base: str
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
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


@pytest.fixture(scope="session")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service over scripted documents, one of them hostile, on a free port of this machine."""
    import uvicorn

    from ankare.service.app import create_app

    folder = tmp_path_factory.mktemp("documents")
    chunks = (make_chunk(), make_chunk(HOSTILE, source="elak.html", title="Elak <b>titel</b>"))
    app = create_app(Settings(home=folder), ScriptedEngine(chunks), ScriptedShelf(folder, chunks))
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


@pytest.fixture
def visit(browser: Any, base_url: str) -> Iterator[Callable[..., Visit]]:
    """Opens an address of the service, as a browser of a given language and width."""
    contexts = []

    def opened(path: str, *, language: str = "sv-SE", width: int = 1200) -> Visit:
        context = browser.new_context(locale=language, viewport={"width": width, "height": 900})
        contexts.append(context)
        seen = Visit(context.new_page(), base_url)
        seen.page.set_default_timeout(30_000)
        seen.page.on("request", lambda r: None if _own(r.url, base_url) else seen.foreign.append(r.url))
        seen.page.on("console", lambda m: seen.errors.append(m.text) if m.type == "error" else None)
        seen.page.on("pageerror", lambda e: seen.errors.append(str(e)))
        seen.page.on("dialog", lambda d: (seen.dialogs.append(d.message), d.dismiss()))
        seen.page.goto(base_url + path)
        seen.page.wait_for_selector("#question textarea")
        seen.page.wait_for_function("document.querySelector('h1')?.innerText.length > 0")
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
