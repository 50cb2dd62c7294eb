"""The guides build without a warning, hold every command, setting and address, and their pages load nothing from elsewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

import ankare
from ankare.cli.main import COMMANDS
from ankare.settings import PREFIX, Settings

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "use": "href"}
LINKS_OF_NO_FILE = {"canonical", "next", "prev"}
HERE = "https://here.invalid/"


class References(HTMLParser):
    """What a page loads, what it links to, and the places in it that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        address = given.get(LOADED.get(tag, ""))
        if address and given.get("rel") not in LINKS_OF_NO_FILE:
            self.loaded.append(address)
        if tag == "a" and given.get("href"):
            self.linked.append(str(given["href"]))
        self.places |= {str(given[name]) for name in ("id", "name") if given.get(name)}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, References]:
    return {path: _references(path) for path in site.rglob("*.html")}


def _references(path: Path) -> References:
    found = References()
    found.feed(path.read_text("utf-8"))
    return found


def _file_of(site: Path, page: Path, address: str) -> tuple[Path, str]:
    """The file and the place in it that an address of a page leads to."""
    base = HERE + page.relative_to(site).as_posix()
    whole = urlsplit(urljoin(base, address))
    path = site / unquote(whole.path).lstrip("/")
    return (path / "index.html" if path.is_dir() else path), unquote(whole.fragment)


def _inside(pages: dict[Path, References], kind: str) -> Iterator[tuple[Path, str]]:
    for page, references in pages.items():
        for address in getattr(references, kind):
            if not urlsplit(address).scheme and not address.startswith("//"):
                yield page, address


def test_pages_load_nothing_from_elsewhere(site: Path, pages: dict[Path, References]) -> None:
    foreign = [(page.name, a) for page, found in pages.items() for a in found.loaded if re.match(r"https?:|//", a)]
    assert foreign == []
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style.read_text("utf-8")), style
    for page in pages:
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", page.read_text("utf-8")), page


def test_what_pages_load_is_there(site: Path, pages: dict[Path, References]) -> None:
    gone = [(page.name, a) for page, a in _inside(pages, "loaded") if not _file_of(site, page, a)[0].is_file()]
    assert gone == []


def test_links_lead_somewhere(site: Path, pages: dict[Path, References]) -> None:
    gone = []
    for page, address in _inside(pages, "linked"):
        file, place = _file_of(site, page, address)
        there = file in pages and (not place or place in pages[file].places or place.startswith("__"))
        if not there and not (file.is_file() and file not in pages) and page.name != "404.html":
            gone.append((page.relative_to(site).as_posix(), address))
    assert gone == []


def test_every_guide_is_a_page(site: Path) -> None:
    for guide in (ROOT / "docs").glob("**/*.md"):
        name = guide.relative_to(ROOT / "docs").with_suffix("")
        made = site / name.with_suffix(".html")
        assert made.is_file(), f"{guide.name} is not in the navigation of mkdocs.yml"


def test_search_finds_words_of_the_guides(site: Path) -> None:
    index = json.loads((site / "search/search_index.json").read_text("utf-8"))
    found = {entry["location"].split("#")[0] for entry in index["docs"] if "Retry-After" in entry["text"]}
    assert "operations.html" in found
    assert list(site.glob("assets/javascripts/workers/search.*.js"))


def text_of(site: Path, page: str) -> str:
    return (site / f"{page}.html").read_text("utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_reference(site: Path, name: str) -> None:
    assert re.search(rf"<h2[^>]*>ankare {name}\b", text_of(site, "reference/commands"))


def test_every_setting_address_and_name_is_in_the_reference(site: Path) -> None:
    settings = text_of(site, "reference/settings")
    assert [name for name in Settings.model_fields if f"{PREFIX}{name.upper()}</code>" not in settings] == []
    http = text_of(site, "reference/http")
    assert all(f">{route}<" in http for route in ("POST /api/ask", "GET /health", "POST /v1/chat/completions"))
    python = text_of(site, "reference/python")
    names = [name for name in ankare.__all__ if not name.startswith("__")]
    assert [name for name in names if not re.search(rf'id="ankare\.[\w.]*\b{name}"', python)] == []


def test_the_decisions_are_listed(site: Path) -> None:
    listed = text_of(site, "inside/decisions")
    for file in (ROOT / "docs/adr").glob("*.md"):
        assert f"../adr/{file.stem}.html" in listed
