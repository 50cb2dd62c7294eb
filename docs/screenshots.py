"""Which pictures do the docs show? Taken here: the sample pack in a temporary home, a real service, a real browser.

    python docs/screenshots.py            writes docs/images/*.png

Run it again whenever the page has changed, and look at what it made. It needs Chromium, playwright and the `serve` extra.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from PIL import Image
from playwright.sync_api import sync_playwright

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from ankare.service.app import create_app
from ankare.settings import Settings

FOLDER = Path(__file__).parent / "images"
MOST_BYTES = 200_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
COLOURS = 128
DONE = "#answer:not([aria-busy])"


def nothing(page: Any) -> None:
    """As it was opened."""


def source(page: Any) -> None:
    """The source of the first mark, in its sheet."""
    page.locator("#answer .ak-cite").first.click()
    page.wait_for_selector("#sheet .ak-frame:not(.ak-waiting)")


def understood(page: Any) -> None:
    """A follow-up, shown as it was understood."""
    page.fill("#follow-up", "och 2023?")
    page.press("#follow-up", "Enter")
    page.wait_for_selector(".ak-understood")


def debugged(page: Any) -> None:
    """The debug view in sight."""
    page.locator("#debug").evaluate("one => one.scrollIntoView()")


@dataclass(frozen=True)
class Shot:
    """A picture: its name, what is opened, and what is done before it is taken."""

    name: str
    path: str
    act: Callable[[Any], None] = nothing
    width: int = 1280
    height: int = 860
    scheme: str = "light"


SHOTS = (
    Shot("start", "/"),
    Shot("answer", "/?q=Vilka ingår i styrgruppen?"),
    Shot("figures", "/?q=Hur förändrades omsättningen i Sverige mellan 2023 och 2024?", height=1080),
    Shot("clarification", "/?reference_date=2025-05-20&q=Hur mycket var det 2024?"),
    Shot("refusal", "/?q=Vad tycker styrgruppen om glass?"),
    Shot("follow-up", "/?q=Vad var omsättningen i Norge 2024?", understood, height=1000),
    Shot("debug", "/?debug=true&q=Vem får uttala sig för medierna?", debugged, height=1000),
    Shot("phone", "/?q=Vilka ingår i styrgruppen?", width=390, height=844),
    Shot("phone-source", "/?q=Vilka ingår i styrgruppen?", source, width=390, height=844),
    Shot("dark", "/?q=Vilka ingår i styrgruppen?", scheme="dark"),
)


def main() -> None:
    """Take every picture."""
    FOLDER.mkdir(exist_ok=True)
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    with (
        tempfile.TemporaryDirectory() as folder,
        sample_service(Path(folder) / "home") as address,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for shot in SHOTS:
            data = compressed(taken(browser, address, shot))
            (FOLDER / f"{shot.name}.png").write_bytes(data)
            print(f"{shot.name}.png: {len(data) // 1000} kB")  # noqa: T201
            if len(data) > MOST_BYTES:
                raise SystemExit(f"{shot.name}.png is larger than {MOST_BYTES // 1000} kB.")
        browser.close()


@contextmanager
def sample_service(home: Path) -> Iterator[str]:
    """A service over the sample pack; its address."""
    ingest([], Home(home), pack=pack_path())
    app = create_app(Settings(home=home, semantic=False))
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


def taken(browser: Any, address: str, shot: Shot) -> bytes:
    """The picture as PNG, at one and a half times the size that the docs show it in."""
    context = browser.new_context(
        locale="sv-SE",
        viewport={"width": shot.width, "height": shot.height},
        color_scheme=shot.scheme,
        device_scale_factor=1.5,
    )
    page = context.new_page()
    page.goto(address + shot.path)
    page.wait_for_selector("#question textarea")
    if "q=" in shot.path:
        page.wait_for_selector(DONE)
    shot.act(page)
    if not chinese_can_be_drawn():  # boxes in place of signs would say nothing
        page.add_style_tag(content="[lang=zh] { display: none !important }")
        page.evaluate("""() => document.querySelectorAll('#examples li').forEach((one) => {
            if (/[\\u4e00-\\u9fff]/.test(one.textContent)) one.remove(); })""")
    page.wait_for_timeout(500)
    data: bytes = page.screenshot()
    context.close()
    return data


def chinese_can_be_drawn() -> bool:
    """Does this machine have a font for it?"""
    fonts = shutil.which("fc-list")
    return bool(fonts and subprocess.run([fonts, ":lang=zh"], capture_output=True, check=False).stdout.strip())  # noqa: S603


def compressed(png: bytes) -> bytes:
    """The same picture in few colours: screens of text need no more."""
    out = io.BytesIO()
    picture = Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    picture.save(out, format="PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    main()
