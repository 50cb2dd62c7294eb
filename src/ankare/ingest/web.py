"""How are the web pages that a profile allows fetched?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

WEB_ROOT = "web"


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """One page: where its bytes lie, or why it could not be fetched."""

    url: str
    path: Path = Path()
    charset: str = ""
    failed: str = ""


def fetch_pages(urls: Sequence[str], folder: Path) -> Iterator[FetchedPage]:
    """Fetch each page into the folder."""
    yield from ()
