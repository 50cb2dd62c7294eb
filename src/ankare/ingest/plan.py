"""What has to be done with each file, seen against the version in use?"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ankare.domain.document import Document
from ankare.errors import DocumentError
from ankare.index.home import Home, original_name
from ankare.index.manifest import Entry, Manifest, Origin
from ankare.ingest.collect import FoundFile, collect, is_sidecar
from ankare.ingest.figures.run import FoundTables, is_figures, is_mapping_of_table
from ankare.ingest.inputs import Inputs
from ankare.ingest.labels import Labels
from ankare.ingest.report import FileReport, FileStatus
from ankare.ingest.sidecar import Sidecar, load_sidecar
from ankare.ingest.work import Outcome, Task, settings_of
from ankare.messages.remarks import Remark, both, listed, remark

if TYPE_CHECKING:
    from ankare.ingest.web import Network

WEB_ROOT = "web"
"""The root of fetched pages among a home's origins."""


@dataclass(frozen=True, slots=True)
class Base:
    """The version to start from; empty for a new home or a fresh build.

    `whole`: its search index and vocabulary are there and can be built on; otherwise they are made anew from the objects.
    `fresh`: nothing that was read earlier counts.
    """

    folder: Path | None = None
    manifest: Manifest = field(default_factory=Manifest)
    origins: dict[str, Origin] = field(default_factory=dict)
    whole: bool = True
    fresh: bool = False


@dataclass(slots=True)
class Plan:
    """What is to be done, and what came of it.

    `known`: documents of the version in use, by source; `tables`: files of figures; `labels`: those of the documents whose
    files were looked at now, "" for none.
    """

    settings: tuple[tuple[str, str], ...]
    known: dict[str, Entry]
    origins: dict[str, Origin]
    tasks: list[Task] = field(default_factory=list)
    found: dict[str, FoundFile] = field(default_factory=dict)
    reports: dict[str, FileReport] = field(default_factory=dict)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    tables: dict[str, FoundFile] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)

    def report(
        self,
        source: str,
        status: FileStatus,
        message: str = "",
        entry: Entry | None = None,
        *,
        read_again: bool = False,
    ) -> None:
        """Note what was done with a file; `entry` is what the index now has of it."""
        if entry is None:
            self.reports[source] = FileReport(source, status, message=message)
            return
        document = entry.document
        self.reports[source] = FileReport(
            source,
            status,
            chunks=len(document.chunk_ids),
            pages=document.page_count,
            pages_without_text=document.pages_without_text,
            message=listed((message, *entry.notes)),
            access=document.access,
            read_again=read_again,
        )

    def labelled(self, source: str, document: Document) -> Document:
        """A document with the label that its file has now; as it is where the file was not looked at."""
        label = self.labels.get(source, document.access)
        return document if label == document.access else replace(document, access=label)

    def in_doubt(self, source: str, reason: str) -> None:
        """Note a file whose label cannot be told. What was read of it earlier is taken out: who may read it is not known."""
        if source in self.known:
            self.removed.add(source)
            reason = both(reason, remark("out_until_then"))
        self.report(source, FileStatus.FAILED, reason)

    def figures(self, source: str) -> None:
        """Note a file as one of figures. What was read of it as a document is taken out."""
        file = self.found.get(source)
        if file is None or file.root == WEB_ROOT:
            self.unread(source, remark("table_as_file"), failed=False)
            return
        if source in self.known:
            self.removed.add(source)
        self.tables[source] = file

    def found_tables(self, folders: tuple[str, ...]) -> FoundTables:
        """The files of figures among all that was found below these folders, which end with a slash."""
        files = [file for file in self.found.values() if file.root != WEB_ROOT]
        closed = tuple(f"{file.path}/" for file in files if file.failed)
        return FoundTables(self.tables, frozenset(str(file.path) for file in files), folders, closed)

    def unread(self, source: str, reason: str, *, failed: bool) -> None:
        """Note a file that was not read. One that failed keeps what was read of it earlier; any other is taken out."""
        known = self.known.get(source)
        if failed:
            told = reason if reason.endswith(".") else remark("sentence", what=reason)
            kept = remark("document_stays") if known is not None else ""
            self.report(source, FileStatus.FAILED, both(told, kept))
            return
        if known is not None:
            self.removed.add(source)
        self.report(source, FileStatus.SKIPPED, reason)


def plan_work(inputs: Inputs, home: Home, base: Base, network: Network | None = None) -> Plan:
    """Look at every file and decide. Raises BadInputError for a path that does not exist."""
    rules = inputs.profile.home
    languages = (rules.language, *(code for code in rules.languages if code != rules.language))
    plan = Plan(settings_of(languages), base.manifest.by_source(), dict(base.origins))
    up_to_date = plan.settings == base.manifest.settings and not base.fresh
    planner = _Planner(plan, inputs, home, languages, up_to_date, base.fresh, network)
    labelled = [entry.document.source for entry in base.manifest.entries if entry.document.access]
    collected = collect(inputs.roots, base.origins, home.path, labelled)
    files = [file for file in collected if not is_sidecar(file) and not is_mapping_of_table(file)]
    for file in files:
        planner.file(file)
    planner.web_pages()
    planner.gone(files)
    planner.rest()
    return plan


@dataclass(slots=True)
class _Planner:
    """`up_to_date`: the version in use was made with today's settings, so its unchanged documents can stay."""

    plan: Plan
    inputs: Inputs
    home: Home
    languages: tuple[str, ...]
    up_to_date: bool
    fresh: bool = False
    network: Network | None = None
    known_labels: Labels = field(default_factory=Labels)

    def file(self, file: FoundFile) -> None:
        plan, entry = self.plan, self.plan.known.get(file.source)
        plan.found[file.source] = file
        if is_figures(file) and not file.problem:
            plan.figures(file.source)
            return
        try:
            sidecar = load_sidecar(file.path)
            plan.labels[file.source] = self.known_labels.of(file.path, sidecar)
        except DocumentError as error:
            plan.in_doubt(file.source, both(error.message, error.remedy))
            return
        if file.problem:
            plan.unread(file.source, file.problem, failed=file.failed)
        elif entry is not None and self._refused(entry.document):
            plan.unread(file.source, _not_allowed(entry.document), failed=False)
        elif entry is not None and self._same(file, entry, sidecar):
            self._unchanged(file.source, entry)
        else:
            plan.tasks.append(self._task(file.source, file.path, size=file.size, sidecar=sidecar))

    def _unchanged(self, source: str, entry: Entry) -> None:
        """A file of the same bytes may still have got another label."""
        document = self.plan.labelled(source, entry.document)
        status = FileStatus.UNCHANGED if document is entry.document else FileStatus.CHANGED
        self.plan.report(source, status, entry=replace(entry, document=document))

    def web_pages(self) -> None:
        """Fetch the pages that a given profile allows; one that the home kept from earlier fetches nothing."""
        urls = self.inputs.profile.documents.allowed_urls
        if not self.inputs.profile_given:
            return
        if urls:
            self._fetch(urls)
        for source, origin in self.plan.origins.items():
            if origin.root == WEB_ROOT and source not in urls:
                self._remove(source)

    def _fetch(self, urls: tuple[str, ...]) -> None:
        from ankare.ingest.web import fetch_pages

        for page in fetch_pages(urls, self.home.fetched, self.network):
            entry = self.plan.known.get(page.url)
            self.plan.found[page.url] = FoundFile(page.url, WEB_ROOT, Path(page.url))
            if page.failed:
                self.plan.unread(page.url, page.failed, failed=True)
            elif entry is not None and self.up_to_date and _digest(page.path) == entry.document.sha256:
                self.plan.report(page.url, FileStatus.UNCHANGED, entry=entry)
            else:
                task = self._task(page.url, page.path, size=0, sidecar=Sidecar(), charset=page.charset)
                self.plan.tasks.append(task)

    def gone(self, files: list[FoundFile]) -> None:
        """Take out what the given folders no longer hold, and what has got another source now.

        A folder that could not be read keeps its documents.
        """
        folders = self.inputs.prefixes
        closed = tuple(f"{file.path}/" for file in files if file.failed)
        paths = {str(file.path) for file in files}
        for source, origin in sorted(self.plan.origins.items()):
            if source in self.plan.found:
                continue
            gone = origin.path.startswith(folders) and not os.path.lexists(origin.path)
            if origin.path in paths or (gone and not origin.path.startswith(closed)):
                self._remove(source)

    def rest(self) -> None:
        """Documents of other folders: one of a type that is no longer allowed goes, one of older settings is read anew."""
        plan = self.plan
        for source, entry in sorted(plan.known.items()):
            if source in plan.reports or source in plan.tables or source in {task.source for task in plan.tasks}:
                continue
            if self._refused(entry.document):
                plan.unread(source, _not_allowed(entry.document), failed=False)
            elif not self.up_to_date:
                document = entry.document
                copy = self.home.originals / original_name(document.sha256, document.source_type)
                plan.tasks.append(self._task(source, copy, size=0, sidecar=_sidecar_of(entry)))

    def _remove(self, source: str) -> None:
        if source in self.plan.known:
            self.plan.removed.add(source)
            self.plan.report(source, FileStatus.REMOVED)

    def _same(self, file: FoundFile, entry: Entry, sidecar: Sidecar) -> bool:
        if not self.up_to_date or entry.sidecar != sidecar.digest:
            return False
        origin = self.plan.origins.get(file.source)
        if origin is not None and (origin.size, origin.mtime_ns) == (file.size, file.mtime_ns):
            return True
        return _digest(file.path) == entry.document.sha256

    def _refused(self, document: Document) -> bool:
        return not self.inputs.profile.documents.allows(document.source_type)

    def _task(self, source: str, path: Path, *, size: int, sidecar: Sidecar | None = None, charset: str = "") -> Task:
        return Task(
            source=source,
            path=path,
            home=self.home.path,
            settings=self.plan.settings,
            languages=self.languages,
            allowed_types=self.inputs.profile.documents.allowed_types,
            sidecar=sidecar,
            size=size,
            charset=charset,
            fresh=self.fresh,
            access=self.plan.labels.get(source),
        )


def _not_allowed(document: Document) -> Remark:
    return remark("type_not_allowed", type=document.source_type)


def _sidecar_of(entry: Entry) -> Sidecar:
    """What a document's sidecar said when it was read, as far as the manifest tells."""
    document = entry.document
    if not entry.sidecar:
        return Sidecar()
    return Sidecar(document.title, document.version, document.valid_from, document.supersedes, entry.sidecar)


def _digest(path: Path) -> str:
    """SHA-256 of a file, empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
