"""Which documents does a home hold that everyone may read? Makes a static page that lists them, for any web server.

    python deploy/make_pages.py --home HOME --out FOLDER [--with-files | --service-url URL] [--title TEXT]

Documents with an access label are left out, in counts too. Links lead to the profile's addresses; else, with --with-files, to a
copy beside the page; else to the service. The page loads nothing.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from ankare.domain.document import Document
from ankare.errors import AnkareError
from ankare.index.home import Home, Snapshot
from ankare.profile.load import load_profile
from ankare.profile.model import Profile

PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
body {{ color: #1b1b1b; background: #fff }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #c9c9c9; vertical-align: top }}
td:nth-child(3) {{ text-align: right }}
a {{ color: #0b57a4 }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{count}</p>
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</body>
</html>
"""
TEXTS = {
    "sv": ("Titel", "Fil", "Sidor", "Version", "Gäller från", "Dokument: {}"),
    "en": ("Title", "File", "Pages", "Version", "Valid from", "Documents: {}"),
}
Link = Callable[[Document], str]


def make_pages(home: Path, out: Path, *, title: str, language: str, files: bool, service_url: str) -> int:
    """Write the page into `out`. Returns how many documents it lists. Raises HomeError."""
    snapshot = Home(home).open_current()
    listed = sorted(public(snapshot), key=lambda document: (document.title.casefold(), document.source))
    out.mkdir(parents=True, exist_ok=True)
    if files:
        copy_files(snapshot, listed, out / "files")
    link = link_to(load_profile(snapshot.profile_path) if snapshot.profile_path else Profile(), files, service_url)
    *head, count = TEXTS[language]
    page = PAGE.format(
        language=language,
        title=escape(title),
        count=escape(count.format(len(listed))),
        head="".join(f"<th scope=col>{escape(name)}</th>" for name in head),
        rows="\n".join(_row(document, link(document)) for document in listed),
    )
    (out / "index.html").write_text(page, "utf-8")
    return len(listed)


def public(snapshot: Snapshot) -> Iterator[Document]:
    """The documents without a label."""
    return (document for document in snapshot.documents.values() if not document.access)


def copy_files(snapshot: Snapshot, documents: Sequence[Document], folder: Path) -> None:
    """Copies under the documents' own names."""
    for document in documents:
        target = (folder / document.source).resolve()
        if not target.is_relative_to(folder.resolve()):
            continue  # a name of the web, or one that leads elsewhere
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(snapshot.original(document.id), target)


def link_to(profile: Profile, files: bool, service_url: str) -> Link:
    """Where the link of a document leads, "" for nowhere."""
    base = profile.documents.base_url.rstrip("/")

    def link(document: Document) -> str:
        if document.source.startswith(("http://", "https://")):
            return document.source
        if base:
            return f"{base}/{quote(document.source)}"
        if files:
            return f"files/{quote(document.source)}"
        return f"{service_url.rstrip('/')}/sources/{quote(document.id, safe='')}" if service_url else ""

    return link


def _row(document: Document, link: str) -> str:
    name = escape(document.source)
    shown = f'<a href="{escape(link)}">{name}</a>' if link else name
    pages = str(document.page_count or "")
    cells = (escape(document.title), shown, pages, escape(document.version), escape(document.valid_from))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Exit code 0, or 1 with the reason on standard error."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--home", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--title", default="ankare")
    parser.add_argument("--language", choices=sorted(TEXTS), default="sv")
    parser.add_argument("--service-url", default="", help="where the service answers, for links")
    parser.add_argument("--with-files", action="store_true", help="put copies of the documents beside the page")
    given = parser.parse_args(arguments)
    try:
        count = make_pages(
            given.home,
            given.out,
            title=given.title,
            language=given.language,
            files=given.with_files,
            service_url=given.service_url,
        )
    except AnkareError as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    print(f"{count} documents")
    return 0


if __name__ == "__main__":
    sys.exit(main())
