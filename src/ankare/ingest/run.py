"""How do files become an index? Start here:

    collect -> plan -> read changed files -> add, change, remove -> commit -> figures

Only what changed is read; everything else is taken over from the version in use.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ankare.domain.document import Document
from ankare.errors import HomeDamagedError, HomeMissingError, HomeVersionError
from ankare.index.build import Build, locked, prune, rewrite_origins
from ankare.index.home import Home
from ankare.index.manifest import (
    INDEX_FOLDER,
    VOCABULARY_FILE,
    Entry,
    Manifest,
    Origin,
    cut_short,
    read_manifest,
    read_origins,
    read_vocabulary,
)
from ankare.index.views import settle
from ankare.ingest.bounds import Bounds
from ankare.ingest.figures.run import ingest_figures
from ankare.ingest.inputs import Inputs, choose_inputs
from ankare.ingest.plan import Base, Plan, plan_work
from ankare.ingest.pool import run_tasks
from ankare.ingest.report import FileReport, FileStatus, IngestReport, labels_of
from ankare.ingest.work import Outcome
from ankare.messages.remarks import listed, remark, some

if TYPE_CHECKING:
    from ankare.facts.protocol import FactStore
    from ankare.ingest.web import Network

Progress = Callable[[int, int, str], None]
"""Called with how many files are done, how many there are, and the source of the last one."""

_SHOWN_SAME = 3
_SETTLED_NS = 2_000_000_000
"""A file changed less than this before it was read may change again within the same tick of the file system's clock."""


def ingest(
    paths: Sequence[Path],
    home: Home,
    *,
    pack: Path | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
    workers: int | None = None,
    network: Network | None = None,
    facts: FactStore | None = None,
    skip_bad: bool = False,
    bounds: Bounds | None = None,
) -> IngestReport:
    """Put files and folders into a home and make the new version current.

    A folder stands for all that is in it: what has gone from it since last time is removed. A pack (a folder with
    profile.toml and documents/ or facts/), here or among the paths, brings its profile, which the home then keeps. `fresh`
    reads everything anew. `workers`: processes that read. `network`: how web pages are fetched. `facts`: the store of figures,
    by default the home's own; `skip_bad` leaves bad rows out of files of figures, which are else refused whole. `bounds`: what
    the reading of one file may cost. Errors of single files stand in the report.

    Raises BadInputError (a path that does not exist, a broken profile or pack) and HomeError (locked, of another format,
    damaged, not writable); the version in use is then untouched.
    """
    with locked(home):
        base = open_base(home, fresh)
        inputs = choose_inputs(paths, pack, base.folder)
        build = Build(home, base.folder if base.whole else None)
        try:
            plan = plan_work(inputs, home, base, network)
            if plan.tasks or base.folder is None:
                build.prepare()
            _read(plan, progress, workers, bounds)
            report = _finish(plan, build, base, inputs)
        finally:
            build.abandon()
        tables = plan.found_tables(inputs.prefixes)
        profile = None if inputs.profile_bytes is None else inputs.profile
        files, count = ingest_figures(tables, home.path, profile, store=facts, skip_bad=skip_bad)
        if fresh:  # files of figures are read in every run
            files = tuple(replace(file, read_again=file.status is FileStatus.UNCHANGED) for file in files)
        return report.with_figures(files, count)


def open_base(home: Home, fresh: bool) -> Base:
    """The version in use as the base of the next one, empty where there is none. Raises HomeDamagedError and HomeVersionError,
    unless everything is to be read afresh."""
    try:
        folder = home.version_folder()
        manifest = read_manifest(folder)
    except HomeMissingError:
        return Base()
    except (HomeDamagedError, HomeVersionError):
        if fresh:
            return Base()
        raise
    if fresh:
        return Base(folder, manifest, read_origins(folder), whole=False, fresh=True)
    there = (folder / INDEX_FOLDER / "meta.json").is_file() and (folder / VOCABULARY_FILE).is_file()
    whole = there and cut_short(folder) is None
    return Base(folder, manifest, read_origins(folder), whole)


def _read(plan: Plan, progress: Progress | None, workers: int | None, bounds: Bounds | None) -> None:
    """Read what the plan says, and note what came of each file."""
    total = len(plan.tasks)
    if progress is not None:
        progress(0, total, "")
    for done, outcome in enumerate(run_tasks(plan.tasks, workers, bounds), 1):
        _note(outcome, plan)
        if progress is not None:
            progress(done, total, outcome.source)


def _note(outcome: Outcome, plan: Plan) -> None:
    source = outcome.source
    known = plan.known.get(source)
    if outcome.failed:
        plan.unread(source, outcome.failed, failed=True)
    elif outcome.facts:
        plan.figures(source)
    elif outcome.skipped:
        plan.unread(source, outcome.skipped, failed=False)
    elif outcome.document is not None:
        document = plan.labelled(source, outcome.document if known is None else _with_label(outcome.document, known))
        plan.outcomes[source] = replace(outcome, document=document)
        entry = Entry(document, outcome.object, outcome.sidecar, outcome.notes)
        status = FileStatus.ADDED if known is None else FileStatus.UNCHANGED if known == entry else FileStatus.CHANGED
        plan.report(source, status, entry=entry, read_again=status is FileStatus.UNCHANGED)


def _with_label(document: Document, known: Entry) -> Document:
    """A document that was read anew from its copy keeps its label: its file was not looked at."""
    return replace(document, access=known.document.access)


def _finish(plan: Plan, build: Build, base: Base, inputs: Inputs) -> IngestReport:
    manifest = _manifest(plan, inputs)
    origins = _origins(plan, manifest)
    if base.folder is not None and base.whole and manifest == base.manifest:
        if origins != base.origins:
            rewrite_origins(base.folder, origins)
        return _report(plan, manifest, base.folder.name, built=False)
    build.prepare()
    if base.whole:
        for source in sorted({*plan.removed, *(plan.outcomes.keys() & plan.known.keys())}):
            build.remove(plan.known[source].document.id)
    for entry in manifest.entries:
        source = entry.document.source
        if source in plan.outcomes:
            build.add(plan.outcomes[source].chunks)
        elif not base.whole:
            build.add(build.home.read_object(entry.object).chunks)
    name = build.commit(manifest, _words(plan, manifest, build.home, base), origins, inputs.profile_bytes)
    prune(build.home)
    settle(build.home)
    return _report(plan, manifest, name, built=True)


def _report(plan: Plan, manifest: Manifest, version: str, *, built: bool) -> IngestReport:
    documents = [entry.document for entry in manifest.entries]
    remarks = _among(documents)
    files = (plan.reports[source] for source in sorted(plan.reports))
    return IngestReport(
        files=tuple(replace(file, message=listed((file.message, *remarks(file)))) for file in files),
        version=version,
        built=built,
        documents=len(documents),
        chunks=sum(len(document.chunk_ids) for document in documents),
        labels=labels_of(documents),
    )


def _among(documents: Sequence[Document]) -> Callable[[FileReport], Iterator[str]]:
    """What is to be said of a file that only a look at all documents of the home tells."""
    by_source = {document.source: document for document in documents}
    held = by_source.keys() | {document.id for document in documents}
    same: dict[str, list[str]] = {}
    for document in documents:
        same.setdefault(document.sha256, []).append(document.source)

    def remarks(file: FileReport) -> Iterator[str]:
        document = by_source.get(file.source)
        if document is None:
            return
        if unknown := tuple(source for source in document.supersedes if source not in held):
            yield remark("supersedes_unknown", names=unknown)
        others = [source for source in same[document.sha256] if source != file.source]
        if others and file.status in (FileStatus.ADDED, FileStatus.CHANGED):
            yield remark("same_content", names=some(others, _SHOWN_SAME))

    return remarks


def _manifest(plan: Plan, inputs: Inputs) -> Manifest:
    entries = {
        source: replace(entry, document=plan.labelled(source, entry.document))
        for source, entry in plan.known.items()
        if source not in plan.removed
    }
    for source, outcome in plan.outcomes.items():
        assert outcome.document is not None  # noqa: S101 - only read documents are noted as outcomes
        entries[source] = Entry(outcome.document, outcome.object, outcome.sidecar, outcome.notes)
    failed = [(file.source, file.message) for file in plan.reports.values() if file.status is FileStatus.FAILED]
    return Manifest(
        entries=tuple(entries[source] for source in sorted(entries)),
        settings=tuple(sorted(plan.settings)),
        failed=tuple(sorted(failed)),
        profile=inputs.profile_digest,
    )


def _origins(plan: Plan, manifest: Manifest) -> dict[str, Origin]:
    """Where the documents of the new version were found. What may still be changing is given no time, to be read again."""
    latest = time.time_ns() - _SETTLED_NS
    origins: dict[str, Origin] = {}
    for entry in manifest.entries:
        source = entry.document.source
        file = plan.found.get(source)
        before = plan.origins.get(source)
        if file is not None and plan.reports[source].status is not FileStatus.FAILED:
            settled = file.mtime_ns if file.mtime_ns < latest else 0
            origins[source] = Origin(source, file.root, str(file.path), file.size, settled)
        elif before is not None:
            origins[source] = before
    return origins


def _words(plan: Plan, manifest: Manifest, home: Home, base: Base) -> Counter[str]:
    """The corpus' words: those of the version before, less what is gone, and what is new."""
    words = Counter[str]()
    if base.folder is None or not base.whole:
        for entry in manifest.entries:
            words.update(home.read_words(entry.object))
        return words
    words.update(read_vocabulary(base.folder))
    for source in (*plan.removed, *(plan.outcomes.keys() & plan.known.keys())):
        words.subtract(home.read_words(plan.known[source].object))
    for outcome in plan.outcomes.values():
        words.update(outcome.words)
    return +words
