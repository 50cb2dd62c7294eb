"""Which figures does an ingest bring in, and which go with the files that are gone?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ankare.errors import FactStoreError
from ankare.facts.open import open_store
from ankare.facts.protocol import FactStore
from ankare.facts.surroundings import FOLDER, KeptTables
from ankare.ingest.collect import FoundFile, printable_source
from ankare.ingest.figures.left_out import FILE, LeftOut
from ankare.ingest.figures.load import Before, FactFileReport, Given, forget_others, is_table, load_one, with_standing
from ankare.ingest.figures.mapping import is_mapping, mapping_beside, table_of
from ankare.ingest.figures.model import first_of
from ankare.ingest.inputs import FACTS_FOLDER
from ankare.ingest.report import FileReport, FileStatus
from ankare.messages.remarks import Remark, both, listed, remark
from ankare.profile.model import Profile

STORE_FILE = "facts.db"
"""The store of figures in a home folder."""


@dataclass(frozen=True, slots=True)
class FoundTables:
    """What an ingest found: files of figures by source, and the paths of all files.

    `folders`: given ones that stand for all that is in them; `closed`: those that could not be read. Both end with a slash.
    """

    tables: Mapping[str, FoundFile]
    paths: frozenset[str]
    folders: tuple[str, ...]
    closed: tuple[str, ...]


def is_figures(file: FoundFile) -> bool:
    """Is this file one of figures by where it lies: a table in a folder called facts, or one with a mapping beside it?"""
    if not is_table(file.path):
        return False
    folders = file.source.split("/")[:-1] if file.root else [file.path.parent.name]
    below = FACTS_FOLDER in (folder.casefold() for folder in (*folders, Path(file.root).name))
    return below or mapping_beside(file.path) is not None


def is_mapping_of_table(file: FoundFile) -> bool:
    """Is this the mapping of a table that is there? It is read with its table and not reported."""
    return is_mapping(file.path) and table_of(file.path).is_file()


def ingest_figures(
    found: FoundTables, home: Path, profile: Profile | None, *, store: FactStore | None = None, skip_bad: bool = False
) -> tuple[tuple[FileReport, ...], int]:
    """Load the files of figures into the store (by default the home's), and take out those of files that are gone.

    Gives what was done with each file, and how many figures the store holds now. Without a profile nothing says what the
    names in the files mean, so they are skipped. A store that cannot be used is told with each file.
    """
    own = None
    if store is None:
        path = home / STORE_FILE
        if (profile is None or not found.tables) and not path.exists():
            return _skipped(found), 0
        store = own = open_store(path, profile)
    try:
        given = Given(skip_bad=skip_bad, tables=KeptTables(home / FOLDER), left_out=LeftOut(home / FILE))
        return _ingest(found, profile, store, given)
    except FactStoreError as error:
        failed = [
            FileReport(source, FileStatus.FAILED, message=both(error.message, error.remedy)) for source in found.tables
        ]
        if not failed:
            raise
        return tuple(failed), 0
    finally:
        if own is not None:
            own.close()


def _ingest(
    found: FoundTables, profile: Profile | None, store: FactStore, given: Given
) -> tuple[tuple[FileReport, ...], int]:
    store.init_schema()
    before = Before.of(store)
    removed = [_removed(path, store, found.folders) for path in before.files if _is_gone(path, found)]
    if profile is None:
        forget_others(store, given.tables, given.left_out)
        return (*removed, *_skipped(found)), store.count()
    loaded = [
        load_one(file.path, printable_source(file.path.name), store, profile, before, given)
        for file in found.tables.values()
    ]
    forget_others(store, given.tables, given.left_out)
    told = [
        _file_report(source, report) for source, report in zip(found.tables, with_standing(loaded, store), strict=True)
    ]
    return (*removed, *told), store.count()


def _skipped(found: FoundTables) -> tuple[FileReport, ...]:
    return tuple(FileReport(source, FileStatus.SKIPPED, message=remark("table_no_profile")) for source in found.tables)


def _is_gone(path: str, found: FoundTables) -> bool:
    """A file that a given folder no longer holds, or that is a document now."""
    if path in found.paths:
        return path not in {str(file.path) for file in found.tables.values()}
    return path.startswith(found.folders) and not os.path.lexists(path) and not path.startswith(found.closed)


def _removed(path: str, store: FactStore, folders: Sequence[str]) -> FileReport:
    count = store.remove_file(path)
    root = next((folder for folder in folders if path.startswith(folder)), "")
    source = printable_source(path.removeprefix(root) if root else Path(path).name)
    return FileReport(source, FileStatus.REMOVED, message=figures_out(count))


def figures_out(count: int) -> Remark:
    """What to say of a file whose figures are taken out."""
    return remark("taken_out", figures=remark("figures", count=count))


def _file_report(source: str, report: FactFileReport) -> FileReport:
    told = listed(_messages(report))
    return FileReport(source, report.status, facts=report.facts, message=told, access=report.access)


def _messages(report: FactFileReport) -> list[str]:
    """What the owner of a file should know, in the order of how much it matters."""
    if report.message:
        return [report.message]
    told: list[str] = []
    if report.faults and report.status is FileStatus.UNCHANGED:
        told.append(remark("rows_still_out", faults=remark("faults", count=len(report.faults))))
    elif report.faults:
        told.append(remark("rows_skipped", rows=first_of(report.faults)))
    if report.status is FileStatus.CHANGED:
        new = remark("new_figures", count=report.added)
        told.append(remark("figures_changed", new=new, gone=report.removed, unchanged=report.unchanged))
    if report.conflicts:
        told.append(remark("in_conflict", figures=remark("figures", count=report.conflicts)))
    if report.pending:
        told.append(remark("to_review", figures=remark("figures", count=report.pending)))
    return [*told, *report.notes]
