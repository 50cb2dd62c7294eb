"""How is something taken out of a home although its file may still lie where it was read?

    find what the names mean -> a version without these documents -> take the figures out of the store

Each of the two is whole or not done at all; asking again after a kill finishes it. A folder that is read again brings back
what still lies in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from ankare.errors import BadInputError
from ankare.facts.open import open_store
from ankare.facts.protocol import FactStore
from ankare.facts.surroundings import FOLDER, KeptTables
from ankare.index.build import Build, locked, prune
from ankare.index.home import Home
from ankare.index.manifest import PROFILE_FILE, Entry, read_vocabulary
from ankare.index.views import settle
from ankare.ingest.collect import printable_source
from ankare.ingest.figures.left_out import FILE, LeftOut
from ankare.ingest.figures.load import forget_others
from ankare.ingest.figures.run import STORE_FILE, figures_out
from ankare.ingest.plan import Base
from ankare.ingest.report import FileReport, FileStatus, IngestReport, labels_of
from ankare.ingest.run import open_base


def remove(
    sources: Sequence[str], home: Home, *, facts: FactStore | None = None, missing_ok: bool = False
) -> IngestReport:
    """Take documents and files of figures out of a home.

    `sources`: documents by their source; files of figures by their name or, where several have it, their path. `facts`: the
    store of figures, by default the home's own. Names that mean nothing are passed over with `missing_ok`; else BadInputError
    is raised and nothing is taken out. Raises HomeError and FactStoreError; the version in use is then untouched.
    """
    with locked(home), _store(home, facts) as store:
        base = open_base(home, fresh=False)
        found = _find(sources, base, store.files() if store is not None else (), missing_ok=missing_ok)
        report = _without(found.documents, home, base)
        if store is None:
            return report
        taken = [_take_out(path, store) for path in found.tables]
        forget_others(store, KeptTables(home.path / FOLDER), LeftOut(home.path / FILE))
        return report.with_figures(taken, store.count())


@dataclass(frozen=True, slots=True)
class _Found:
    """What names mean: documents by source, files of figures by path."""

    documents: tuple[str, ...]
    tables: tuple[str, ...]


@contextmanager
def _store(home: Home, given: FactStore | None) -> Iterator[FactStore | None]:
    """The store of figures; None where the home has none."""
    path = home.path / STORE_FILE
    if given is not None or not path.exists():
        yield given
        return
    own = open_store(path)
    try:
        yield own if own.ready() else None
    finally:
        own.close()


def _find(names: Sequence[str], base: Base, tables: Collection[str], *, missing_ok: bool) -> _Found:
    known = base.manifest.by_source()
    documents: dict[str, None] = {}
    paths: dict[str, None] = {}
    for name in names:
        meant = [path for path in tables if name in (path, printable_source(Path(path).name))]
        if name in known:
            documents[name] = None
        elif len(meant) > 1:
            raise BadInputError(
                f"Several files of figures are called {name}.", f"Name one: {', '.join(sorted(meant))}."
            )
        elif meant:
            paths[meant[0]] = None
        elif not missing_ok:
            raise BadInputError(f"There is no {name} in the home.", _near(name, [*known, *tables]))
    return _Found(tuple(documents), tuple(paths))


def _near(name: str, held: Sequence[str]) -> str:
    shown = [printable_source(Path(path).name) if path.startswith("/") else path for path in held]
    near = get_close_matches(name, shown, 3)
    return f"Near it: {', '.join(near)}." if near else "Names are those that `ankare ingest` told."


def _without(sources: Sequence[str], home: Home, base: Base) -> IngestReport:
    """The version in use without these documents."""
    kept = tuple(entry for entry in base.manifest.entries if entry.document.source not in sources)
    gone = tuple(entry for entry in base.manifest.entries if entry.document.source in sources)
    name = _build(kept, gone, home, base) if gone else base.folder.name if base.folder is not None else ""
    return IngestReport(
        files=tuple(FileReport(entry.document.source, FileStatus.REMOVED) for entry in gone),
        version=name,
        built=bool(gone),
        documents=len(kept),
        chunks=sum(len(entry.document.chunk_ids) for entry in kept),
        labels=labels_of(entry.document for entry in kept),
    )


def _build(kept: Sequence[Entry], gone: Sequence[Entry], home: Home, base: Base) -> str:
    assert base.folder is not None  # noqa: S101 - without a version there is nothing to take out
    left_out = {entry.document.source for entry in gone}
    manifest = replace(
        base.manifest,
        entries=tuple(kept),
        failed=tuple(row for row in base.manifest.failed if row[0] not in left_out),
    )
    origins = {source: origin for source, origin in base.origins.items() if source not in left_out}
    profile = base.folder / PROFILE_FILE
    build = Build(home, base.folder if base.whole else None)
    try:
        build.prepare()
        _fill(build, kept, gone, base)
        words = _words(kept, gone, home, base)
        name = build.commit(manifest, words, origins, profile.read_bytes() if profile.is_file() else None)
    finally:
        build.abandon()
    prune(home)
    settle(home)
    return name


def _fill(build: Build, kept: Sequence[Entry], gone: Sequence[Entry], base: Base) -> None:
    if base.whole:
        for entry in gone:
            build.remove(entry.document.id)
        return
    for entry in kept:
        build.add(build.home.read_object(entry.object).chunks)


def _words(kept: Sequence[Entry], gone: Sequence[Entry], home: Home, base: Base) -> Counter[str]:
    words = Counter[str]()
    if base.whole and base.folder is not None:
        words.update(read_vocabulary(base.folder))
        for entry in gone:
            words.subtract(home.read_words(entry.object))
        return +words
    for entry in kept:
        words.update(home.read_words(entry.object))
    return words


def _take_out(path: str, store: FactStore) -> FileReport:
    count = store.remove_file(path)
    source = printable_source(Path(path).name)
    return FileReport(source, FileStatus.REMOVED, message=figures_out(count))
