"""What does the home hold, seen by whoever may change it: documents, files of figures, and what has to be decided?"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any

from ankare.domain.fact import FactKey, ReviewStatus, written
from ankare.errors import HomeMissingError
from ankare.facts.open import open_store
from ankare.facts.protocol import StoredFact
from ankare.facts.sql_store import SqlFactStore
from ankare.facts.surroundings import FOLDER, KeptTables
from ankare.index.home import Home
from ankare.index.manifest import Entry, Manifest, Origin, read_manifest, read_origins
from ankare.ingest.collect import printable_source
from ankare.service.library.jobs import Job, JobState
from ankare.service.library.schemas import (
    FigureOf,
    FiguresToDecide,
    HeldDocument,
    HeldDocuments,
    HeldFigureFiles,
    HeldFigures,
    StatedFigure,
)
from ankare.service.library.store import Library, LibraryFile
from ankare.settings import Settings

MOST_TO_DECIDE = 200


class LibraryView:
    """What a home holds. Safe for many threads; every method may raise HomeError, and those on figures FactStoreError."""

    def __init__(self, settings: Settings, library: Library) -> None:
        self._settings = settings
        self._home = Home(settings.home)
        self._library = library
        self._lock = Lock()
        self._read: tuple[str, Manifest] = ("", Manifest())
        self.tables = KeptTables(self._home.path / FOLDER)

    def documents(
        self, search: str, offset: int, limit: int, sort: str = "source", *, descending: bool = False
    ) -> HeldDocuments:
        """The documents whose source, title or label holds `search`, some of them, sorted by a field of `HeldDocument`."""
        origins, uploaded = self._origins(), self._uploaded()
        found = [
            self._document(entry, origins, uploaded) for entry in self.manifest().entries if _speaks_of(entry, search)
        ]
        found.sort(key=lambda document: _sortable(getattr(document, sort)), reverse=descending)
        return HeldDocuments(total=len(found), offset=offset, documents=found[offset : offset + limit])

    def held_paths(self) -> set[str]:
        """The paths of all files that something was read from."""
        with self.store() as store:
            tables = set(store.files()) if store is not None else set()
        return tables | {origin.path for origin in self._origins().values()}

    def is_behind(self, jobs: Iterable[Job]) -> bool:
        """Does the library hold a file that nothing was read from, or has one gone that something was read from?

        A file that the latest of these finished jobs (the newest stands first) could or need not read is no difference.
        """
        files = {os.path.abspath(file.path): file.name for file in self._library.files()}  # noqa: PTH100
        held = self.held_paths()
        report = next((job.report for job in jobs if job.state is JobState.FINISHED and job.report is not None), {})
        told = {source for source, _ in self.manifest().failed} | {file["source"] for file in report.get("files", ())}
        known = {unicodedata.normalize("NFC", source.rpartition("/")[2]) for source in told}
        gone = any(path not in files and self._library.holds(Path(path)) for path in held)
        return gone or any(path not in held and name not in known for path, name in files.items())

    def document(self, document_id: str) -> tuple[Entry, LibraryFile | None]:
        """A document, and its file where that lies in the library. Raises KeyError."""
        entry = next((e for e in self.manifest().entries if e.document.id == document_id), None)
        if entry is None:
            raise KeyError(document_id)
        origin = self._origins().get(entry.document.source)
        return entry, self._uploaded().get(origin.path if origin is not None else "")

    def manifest(self) -> Manifest:
        """What the version in use was made from, empty where there is none."""
        with self._lock:
            name = self._home.current_version() or ""
            if name != self._read[0]:
                self._read = (name, read_manifest(self._home.version_folder()) if name else Manifest())
            return self._read[1]

    def figure_files(self) -> HeldFigureFiles:
        """The files that figures came from."""
        with self.store() as store:
            if store is None:
                return HeldFigureFiles(total=0, figures=0, files=[])
            counts, labels = store.counts(), store.labels()
        uploaded = self._uploaded()
        files = [_figures(path, count, labels, uploaded.get(path)) for path, count in counts.items() if path]
        total = sum(sum(count.values()) for count in counts.values())
        return HeldFigureFiles(
            total=len(files), figures=total, files=sorted(files, key=lambda file: (file.file, file.id))
        )

    def figure_file(self, file_id: str) -> tuple[str, LibraryFile | None]:
        """The path of a file of figures by its id, and the file where it lies in the library. Raises KeyError."""
        with self.store() as store:
            paths = store.files() if store is not None else {}
        path = next((path for path in paths if figures_id(path) == file_id), None)
        if path is None:
            raise KeyError(file_id)
        return path, self._uploaded().get(path)

    def to_decide(self) -> FiguresToDecide:
        """Figures for which approved sources differ, and those that wait for review; at most so many of each."""
        with self.store() as store:
            if store is None:
                return FiguresToDecide(conflicts=[], pending=[], more=False)
            conflicts = list(islice(store.conflicts(), MOST_TO_DECIDE + 1))
            pending = list(islice(store.facts(status=ReviewStatus.PENDING), MOST_TO_DECIDE + 1))
        return FiguresToDecide(
            conflicts=[_figure(conflict.key, conflict.facts) for conflict in conflicts[:MOST_TO_DECIDE]],
            pending=[_figure(stored.fact.key, [stored]) for stored in pending[:MOST_TO_DECIDE]],
            more=max(len(conflicts), len(pending)) > MOST_TO_DECIDE,
        )

    @contextmanager
    def store(self) -> Iterator[SqlFactStore | None]:
        """The store of figures, closed after use; None where there is none yet."""
        store = open_store(self._settings.facts_location)
        try:
            yield store if store.exists() else None
        finally:
            store.close()

    def _origins(self) -> dict[str, Origin]:
        try:
            return read_origins(self._home.version_folder())
        except HomeMissingError:
            return {}

    def _uploaded(self) -> dict[str, LibraryFile]:
        """The library's files by the path under which an ingest knows them."""
        return {os.path.abspath(file.path): file for file in self._library.files()}  # noqa: PTH100

    def _document(self, entry: Entry, origins: dict[str, Origin], uploaded: dict[str, LibraryFile]) -> HeldDocument:
        document = entry.document
        origin = origins.get(document.source)
        file = uploaded.get(origin.path) if origin is not None else None
        return HeldDocument(
            id=document.id,
            source=document.source,
            title=document.title,
            type=document.source_type,
            language=document.language,
            pages=document.page_count,
            pages_without_text=list(document.pages_without_text),
            chunks=len(document.chunk_ids),
            label=document.access,
            version=document.version,
            notes=list(entry.notes),
            library=file is not None,
            added=file.added if file is not None else "",
        )


def figures_id(path: str) -> str:
    """What a file of figures is called in an address: nothing that tells its path."""
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _sortable(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _speaks_of(entry: Entry, search: str) -> bool:
    document, wanted = entry.document, search.casefold()
    return any(wanted in text.casefold() for text in (document.source, document.title, document.access))


def _figures(
    path: str, counts: Mapping[ReviewStatus, int], labels: dict[str, str], file: LibraryFile | None
) -> HeldFigures:
    return HeldFigures(
        id=figures_id(path),
        file=printable_source(Path(path).name),
        approved=counts.get(ReviewStatus.APPROVED, 0),
        pending=counts.get(ReviewStatus.PENDING, 0),
        rejected=counts.get(ReviewStatus.REJECTED, 0),
        label=labels.get(path, ""),
        library=file is not None,
        added=file.added if file is not None else "",
    )


def _figure(key: FactKey, facts: Iterable[StoredFact]) -> FigureOf:
    return FigureOf(
        metric=key.metric_code,
        entity=key.entity,
        period_type=key.period_type,
        period=key.period,
        channel=key.channel,
        stated=[_stated(stored) for stored in facts],
    )


def _stated(stored: StoredFact) -> StatedFigure:
    fact = stored.fact
    return StatedFigure(
        id=stored.id,
        value=written(fact.value),
        unit=fact.unit,
        document=fact.source_doc_id,
        locator=fact.source_locator,
        file=printable_source(Path(fact.source_file).name),
        review_status=str(fact.review_status),
        valid_as_of=fact.valid_as_of,
    )
