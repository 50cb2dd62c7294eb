"""How many pages a second does a whole ingest take in, beside bare text extraction of the same files?

    python -m benchmarks.ingest [FOLDER] [--runs 5]

FOLDER (default: the sample pack's documents) is ingested into an empty home by the command line, start of Python included:
no extraction cache, no embeddings. The baseline opens the same PDFs with PDFium in one process and takes their text out,
nothing else. Then the same command runs again with nothing changed. Medians of wall-clock seconds.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ankare.sample import pack_path


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=pack_path() / "documents")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    pages = _pages(given.folder)
    raw, whole, again = [], [], []
    for _ in range(given.runs):
        raw.append(_seconds(lambda: _raw_text(given.folder)))
        with tempfile.TemporaryDirectory() as work:
            home = Path(work) / "home"
            whole.append(_seconds(lambda home=home: _ingest(given.folder, home)))  # type: ignore[misc]
            again.append(_seconds(lambda home=home: _ingest(given.folder, home)))  # type: ignore[misc]
    print(f"{pages} pages in PDFs of {given.folder.name}, median of {given.runs} runs")
    for name, seconds in (("bare text extraction", raw), ("whole ingest", whole)):
        middle = statistics.median(seconds)
        print(f"  {name:22} {middle:6.2f} s  {pages / middle:7.0f} pages/s  (fastest {min(seconds):.2f} s)")
    print(f"  {'again, nothing changed':22} {statistics.median(again):6.2f} s")
    print(f"  whole ingest / bare text: {statistics.median(w / r for w, r in zip(whole, raw, strict=True)):.1f}")


def _ingest(folder: Path, home: Path) -> None:
    command = [sys.executable, "-m", "ankare", "ingest", str(folder), "--home", str(home), "--no-semantic", "--json"]
    subprocess.run(command, check=True, capture_output=True)


def _raw_text(folder: Path) -> None:
    code = (
        "import sys, pypdfium2\n"
        "for name in sys.argv[1:]:\n"
        "    for page in pypdfium2.PdfDocument(name): page.get_textpage().get_text_range()\n"
    )
    files = sorted(map(str, folder.rglob("*.pdf")))
    subprocess.run([sys.executable, "-c", code, *files], check=True, capture_output=True)


def _pages(folder: Path) -> int:
    import pypdfium2

    return sum(len(pypdfium2.PdfDocument(path)) for path in sorted(folder.rglob("*.pdf")))


def _seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
