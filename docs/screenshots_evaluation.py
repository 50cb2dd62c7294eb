"""Which pictures of an evaluation's report do the docs show? Taken here from what `make eval` has written.

python docs/screenshots_evaluation.py [eval/sample]     writes docs/images/evaluation*.png
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from screenshots import BROWSERS, FOLDER, compressed
from typer.testing import CliRunner

from ankare.cli.main import app

RUNS = ("control", "control-meaning", "synthesis", "agents", "shadow")


def main() -> None:
    """Write the report anew, in English as the guides are, and take every picture."""
    sample = Path(sys.argv[1] if len(sys.argv) > 1 else "eval/sample")
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        report = Path(folder) / "report.html"
        runs = [str(sample / name) for name in RUNS]
        made = CliRunner().invoke(app, ["eval", "report", *runs, "--out", str(report), "--language", "en"])
        if made.exit_code:
            raise SystemExit(made.output)
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        take(browser, report)
        browser.close()


def take(browser: Any, report: Path) -> None:
    """The first page, the plots, and an opened case."""
    page = browser.new_page(viewport={"width": 1180, "height": 1240}, device_scale_factor=1.25)
    page.goto(report.as_uri())
    page.wait_for_selector("#list details")
    _keep(page, "evaluation-report")
    page.locator("#figures").evaluate("one => one.scrollIntoView()")
    _keep(page, "evaluation-plots")
    case = page.locator("#list details").nth(1)
    case.locator("summary").first.click()
    case.evaluate("one => one.scrollIntoView()")
    page.wait_for_timeout(300)
    _keep(page, "evaluation-case")


def _keep(page: Any, name: str) -> None:
    (FOLDER / f"{name}.png").write_bytes(compressed(page.screenshot()))


if __name__ == "__main__":
    main()
