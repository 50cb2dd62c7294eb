"""How do files of figures get into a store? Each whole or not at all, and a second time without any change.

    find the files -> read one -> make it all that the store holds of that file -> next -> what stands in conflict now

A file is known by its path, so two files of one name in two folders do not overwrite each other; shown is its name.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from ankare.domain.fact import ReviewStatus
from ankare.errors import AnkareError, BadInputError, DocumentError, FactFileError
from ankare.facts.protocol import FactStore
from ankare.facts.surroundings import KeptTables
from ankare.ingest.collect import printable_source
from ankare.ingest.figures.left_out import LeftOut
from ankare.ingest.figures.mapping import is_mapping, mapping_beside, table_of
from ankare.ingest.figures.model import FactFile, refused
from ankare.ingest.figures.read import read_fact_file
from ankare.ingest.inputs import FACTS_FOLDER
from ankare.ingest.labels import Labels
from ankare.ingest.readers import SAVED_AS
from ankare.ingest.report import FileStatus
from ankare.messages.remarks import Remark, both, remark
from ankare.profile.load import PROFILE_NAME
from ankare.profile.model import Profile

TABLE_SUFFIXES = (".csv", ".xlsx", ".xlsm")
_OFFICE_LOCK = "~$"


@dataclass(frozen=True, slots=True)
class FactFileReport:
    """What a load did with one file.

    `source`: its name; `path`: the absolute one that the store knows it by. `facts`: figures that the store holds of it;
    `added`, `unchanged` and `removed` of them by this load. `pending`: those that wait for review. `conflicts`: keys for which
    this file and another source disagree. `faults`: what was wrong, with places: all of the file was refused (`failed`), or
    those rows were skipped. `message`: why it was refused. `access`: the label that its readers must carry, "" for none.
    """

    source: str
    path: str
    status: FileStatus
    facts: int = 0
    added: int = 0
    unchanged: int = 0
    removed: int = 0
    pending: int = 0
    conflicts: int = 0
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    message: str = ""
    access: str = ""


def load_fact_files(
    paths: Sequence[Path],
    store: FactStore,
    profile: Profile,
    *,
    mapping: Path | None = None,
    skip_bad: bool = False,
    tables: KeptTables | None = None,
    left_out: LeftOut | None = None,
) -> tuple[FactFileReport, ...]:
    """Load files, the tables of folders and those of packs into a store, each file in one transaction.

    A file with a fault changes nothing and is `failed` in its report; with `skip_bad` only its bad rows are left out, and
    `left_out` remembers that for the file as it is. `mapping` describes the layout of one file, if it does not lie beside it.
    `tables` keeps the rows around the figures.
    Raises BadInputError for a path that holds no table, and FactStoreError.
    """
    files = find_fact_files(paths)
    if mapping is not None and len(files) != 1:
        raise BadInputError("A mapping describes one file.", "Load the others by themselves.")
    store.init_schema()
    before = Before.of(store)
    given = Given(mapping, skip_bad, tables, left_out)
    reports = [load_one(path, printable_source(path.name), store, profile, before, given) for path in files]
    forget_others(store, tables, left_out)
    return with_standing(reports, store)


def find_fact_files(paths: Sequence[Path]) -> list[Path]:
    """The files that these paths mean, as absolute paths, each once. A folder stands for the tables in it, a pack for those in
    its facts/. Raises BadInputError for a path that does not exist or holds no table."""
    found: dict[Path, None] = {}
    for path in paths:
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links and change the names
        if absolute.is_dir():
            tables = list(_tables(absolute))
            if not tables:
                raise BadInputError(f"There is no table in {path}.", "Figures lie in CSV and XLSX files.")
            found.update(dict.fromkeys(tables))
        elif absolute.exists() and not absolute.is_file():
            raise BadInputError(f"{path} is no file.", "Name a CSV or XLSX file, or a folder.")
        elif absolute.exists():
            found[absolute] = None
        else:
            raise BadInputError(f"{path} does not exist.", "Check the path.")
    if not found:
        raise BadInputError("Nothing to load.", "Name files or folders.")
    return list(found)


def _tables(folder: Path) -> Iterator[Path]:
    pack = folder / FACTS_FOLDER
    start = pack if (folder / PROFILE_NAME).is_file() and pack.is_dir() else folder
    for path in sorted(start.rglob("*")):
        hidden = any(part.startswith((".", _OFFICE_LOCK)) for part in path.relative_to(start).parts)
        if not hidden and path.is_file() and (is_table(path) or _is_to_be_told(path)):
            yield path


def _is_to_be_told(path: Path) -> bool:
    """Would its owner take it for loaded: a workbook in a format that is not read, or a mapping whose table is not there?"""
    if is_mapping(path):
        return not table_of(path).is_file()
    return SAVED_AS.get(path.suffix.lower()) in TABLE_SUFFIXES


def is_table(path: Path) -> bool:
    """Does a file have the name of a table?"""
    return path.suffix.lower() in TABLE_SUFFIXES


@dataclass(frozen=True, slots=True)
class Before:
    """What a store holds before a load: its files with their hashes, and the labels of those that have one."""

    files: Mapping[str, str]
    labels: Mapping[str, str]
    now: Labels = field(default_factory=Labels)

    @classmethod
    def of(cls, store: FactStore) -> Before:
        """Raises FactStoreError."""
        return cls(store.files(), store.labels())


@dataclass(frozen=True, slots=True)
class Given:
    """How files are to be loaded. `mapping`: of the one file; `skip_bad`: bad rows are left out. `tables` keeps the rows around
    the figures, `left_out` for which files bad rows were left out."""

    mapping: Path | None = None
    skip_bad: bool = False
    tables: KeptTables | None = None
    left_out: LeftOut | None = None


def load_one(
    path: Path,
    source: str,
    store: FactStore,
    profile: Profile,
    before: Before,
    given: Given,
) -> FactFileReport:
    """Make a file's figures all that the store holds of it; a file that cannot be taken in changes nothing, but its earlier
    figures go where it is not known any more who may read them. `before`: what the store held. Raises FactStoreError.
    """
    where = str(path)
    label: str | None = None
    try:
        label = before.now.of(path)
        if not profile.metrics:
            raise _no_metrics(source, profile)
        read = _read(path, source, profile, given)
        if Labels().of(path) != label:
            raise DocumentError(remark("label_of_changed", name=source), remark("do_load_again"))
        facts = [replace(fact, access=label) for fact in read.facts] if label else read.facts
        result = store.replace_file(where, facts)
    except (BadInputError, DocumentError) as error:
        return _refused(error, source, where, store, before, label)
    kept = tuple(_keep(path, read, given))
    relabelled = label != before.labels.get(where, "")
    return FactFileReport(
        source,
        where,
        _status(before.files.get(where), read, changes=relabelled + result.added + result.removed),
        facts=len(read.facts),
        added=result.added,
        unchanged=result.unchanged,
        removed=result.removed,
        faults=tuple(fault.told for fault in read.faults),
        notes=(*read.notes, *kept),
        access=label,
    )


def _read(path: Path, source: str, profile: Profile, given: Given) -> FactFile:
    """The figures of a file, without its bad rows where that is chosen, now or earlier for the file as it is."""
    chosen = None if given.left_out is None else given.left_out.chosen(path, given.mapping or mapping_beside(path))
    skip_bad = given.skip_bad or chosen is not None
    read = read_fact_file(path, source, profile, mapping=given.mapping, skip_bad=skip_bad)
    if read.faults and not given.skip_bad and not (chosen is not None and chosen.covers(read)):
        raise refused(source, read.faults)
    return read


def _keep(path: Path, read: FactFile, given: Given) -> Iterator[Remark]:
    """Keep the rows around the figures, which are in already, and what was chosen; what prevents that is told."""
    try:
        if given.tables is not None:
            given.tables.keep(str(path), read.sha256, read.table)
    except OSError as error:
        yield remark("table_not_kept", error=str(error.strerror or error))
    try:
        if given.left_out is not None and given.skip_bad and read.faults:
            given.left_out.note(path, given.mapping or mapping_beside(path), read)
    except OSError as error:
        yield remark("choice_not_kept", error=str(error.strerror or error))


def forget_others(store: FactStore, *kept: KeptTables | LeftOut | None) -> None:
    """Take away what is kept of files, and of states of files, that the store holds no figures of. What cannot be taken away
    now goes next time; nobody gets it meanwhile. Raises FactStoreError."""
    for one in kept:
        if one is not None:
            with suppress(OSError):
                one.keep_only(store.files())


def _no_metrics(source: str, profile: Profile) -> FactFileError:
    if not profile.path:
        return FactFileError(remark("no_profile", name=source), remark("do_name_pack"))
    none = remark("no_metrics", name=source, profile=str(profile.path))
    return FactFileError(none, remark("do_add_metrics", name=source))


def _refused(
    error: AnkareError, source: str, where: str, store: FactStore, before: Before, label: str | None
) -> FactFileReport:
    """The report on a file that was not taken in. `label`: the one that it has now, None where that cannot be told."""
    faults = error.faults if isinstance(error, FactFileError) else ()
    told = both(error.message, error.remedy)
    if where in before.files and label == before.labels.get(where, ""):
        told = both(told, remark("figures_stay"))
    elif where in before.files:
        store.remove_file(where)
        told = both(told, remark("figures_out"))
    return FactFileReport(source, where, FileStatus.FAILED, faults=faults, message=told, access=label or "")


def _status(hash_before: str | None, read: FactFile, *, changes: int) -> FileStatus:
    if hash_before is None:
        return FileStatus.ADDED
    return FileStatus.CHANGED if changes or hash_before != read.sha256 else FileStatus.UNCHANGED


def with_standing(reports: Sequence[FactFileReport], store: FactStore) -> tuple[FactFileReport, ...]:
    """The reports with what the store now holds: conflicts of each file's figures with others, and what waits for review."""
    conflicts = Counter(
        file for conflict in store.conflicts() for file in {stored.fact.source_file for stored in conflict.facts}
    )
    pending = Counter(stored.fact.source_file for stored in store.facts(status=ReviewStatus.PENDING))
    return tuple(
        replace(report, conflicts=conflicts[report.path], pending=pending[report.path])
        if report.status is not FileStatus.FAILED
        else report
        for report in reports
    )
