"""A small home that the real ingest built, for tests that want the whole way through."""

from __future__ import annotations

from pathlib import Path

from ankare.index.home import Home
from ankare.ingest.run import ingest
from tests.service.scripted import tiny_pdf

PLAN = ["Styrgruppen beslutar om budgeten.", "Projektledaren bokar lokalen i god tid.", "Arkivet flyttas i maj."]
ROLES = """# Roller

## Styrgruppen

Styrgruppen består av fyra ledamöter.

## Projektledaren

Projektledaren ansvarar för tidplanen.
"""


def write_documents(folder: Path) -> Path:
    """Two documents: a PDF of one page and a Markdown file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plan.pdf").write_bytes(tiny_pdf(PLAN, pages=1))
    (folder / "roller.md").write_text(ROLES, encoding="utf-8")
    return folder


def build_home(folder: Path, documents: Path) -> Path:
    """Ingest a folder of documents into `folder`."""
    ingest([documents], Home(folder), workers=1)
    return folder
