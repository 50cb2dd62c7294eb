"""Which pictures of the library page do the docs show? Taken here, like the others by screenshots.py.

python docs/screenshots_library.py            writes docs/images/library*.png
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import sync_playwright
from screenshots import BROWSERS, FOLDER, chinese_can_be_drawn, compressed

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from ankare.service.app import create_app
from ankare.settings import Settings

TOKEN = "a-token-for-pictures-only"  # noqa: S105
FILES = {
    "Flyttplan.md": "# Flyttplan\n\nArkivet flyttas i maj. Lådorna märks med rum och hylla.\n",
    "Jourschema.txt": "Jourschema\n\nJouren bemannas av driftgruppen. Den nås på kvällar och helger.\n",
    "Prognos.csv": "metric;entity;period;value;unit\nREVENUE;BVT_SE;2026;tolv;SEK_M\n",
}


def main() -> None:
    """Take every picture of the library."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    with (
        tempfile.TemporaryDirectory() as folder,
        library_service(Path(folder) / "home") as address,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        take_library(browser, address, Path(folder))
        browser.close()


def take_library(browser: Any, address: str, folder: Path) -> None:
    """The page after an upload, what has to be decided, and the page on a phone; `folder` is for the files to upload."""
    context = browser.new_context(locale="sv-SE", viewport={"width": 1280, "height": 1180}, device_scale_factor=1.5)
    page = context.new_page()
    page.goto(f"{address}/library")
    page.fill("#key", TOKEN)
    page.press("#key", "Enter")
    page.wait_for_selector("#documents table")
    page.check("#for-everyone")
    page.set_input_files("#files", _written(folder))
    page.wait_for_selector("#unread-files li")
    if not chinese_can_be_drawn():  # boxes in place of signs would say nothing
        page.evaluate("document.querySelectorAll('[lang=zh]').forEach((one) => one.remove())")
    _save(page, "library")
    page.set_viewport_size({"width": 1280, "height": 620})
    page.locator("#figures").evaluate("one => one.parentElement.scrollIntoView()")
    _save(page, "library-figures")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("scrollTo(0, 0)")
    _save(page, "library-phone")
    context.close()


def _written(folder: Path) -> list[str]:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / name) for name in FILES]


def _save(page: Any, name: str) -> None:
    page.wait_for_timeout(500)
    data = compressed(page.screenshot())
    (FOLDER / f"{name}.png").write_bytes(data)
    print(f"{name}.png: {len(data) // 1000} kB")  # noqa: T201


@contextmanager
def library_service(home: Path) -> Iterator[str]:
    """A service over the sample pack with its library open; its address."""
    ingest([], Home(home), pack=pack_path())
    app = create_app(Settings(home=home, semantic=False, admin_token=TOKEN))
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


if __name__ == "__main__":
    main()
