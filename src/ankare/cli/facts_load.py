"""`ankare facts load`: how do figures get from files into the store?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption, JsonOption

if TYPE_CHECKING:
    from ankare.ingest.figures.load import FactFileReport
    from ankare.profile.model import Profile

REFUSED = 1
SHOWN_FAULTS = 20
SHOWN_PLACES = 4


def load(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="CSV and XLSX files, folders or packs.", show_default=False)
    ] = None,
    home: HomeOption = DEFAULT_HOME,
    pack: Annotated[
        Path | None, typer.Option(help="A pack folder: its profile, and its facts/ if no PATH is given.")
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option("--map", help="A file that describes the layout of the one file given.")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave bad rows out. Without it a file with one is refused whole.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Load figures, each file whole or not at all. A changed file replaces its own figures, the same again changes nothing.

    Exit code 0 when all went in, 1 when a file was refused (nothing of it was changed), 2 for bad use.
    """
    from ankare.facts.open import open_store
    from ankare.facts.surroundings import FOLDER, KeptTables
    from ankare.ingest.figures.left_out import FILE, LeftOut
    from ankare.ingest.figures.load import load_fact_files
    from ankare.settings import load_settings

    given = list(paths or ()) or ([pack] if pack is not None else [])
    profile = profile_for(pack, given, home)
    store = open_store(load_settings(home=home).facts_location, profile)
    try:
        reports = load_fact_files(
            given,
            store,
            profile,
            mapping=mapping,
            skip_bad=skip_bad,
            tables=KeptTables(home / FOLDER),
            left_out=LeftOut(home / FILE),
        )
        count = store.count()
    finally:
        store.close()
    if count:
        keep_profile(_pack_among(pack, given), home)
    if as_json:
        typer.echo(json.dumps({"files": [_body(report) for report in reports], "facts": count}, indent=1))
    else:
        for line in _lines(reports, count, skip_bad=skip_bad):
            typer.echo(_one_line(line))
    if any(report.status == "failed" for report in reports):
        raise typer.Exit(REFUSED)


def profile_for(pack: Path | None, paths: Iterable[Path], home: Path) -> Profile:
    """The profile of the pack that is named, else of one among the paths, else the one that the home keeps.

    Raises FactFileError where there is none, ProfileError for a broken one.
    """
    from ankare.errors import FactFileError
    from ankare.profile.load import PROFILE_NAME, load_profile

    named = _pack_among(pack, paths)
    if named is not None:
        return load_profile(named / PROFILE_NAME)
    kept = kept_profile(home)
    if kept is None:
        raise FactFileError(
            f"{home} keeps no profile, which says what the names in the files mean.", "Name the pack: --pack DIR."
        )
    return kept


def _pack_among(pack: Path | None, paths: Iterable[Path]) -> Path | None:
    """The pack that is named, else the first of the paths that has a profile."""
    from ankare.profile.load import PROFILE_NAME

    return pack if pack is not None else next((path for path in paths if (path / PROFILE_NAME).is_file()), None)


def keep_profile(pack: Path | None, home: Path) -> None:
    """Give a home without documents a version that keeps the pack's profile, so that its figures can be asked about."""
    from tempfile import TemporaryDirectory

    from ankare.index.home import Home
    from ankare.ingest.inputs import is_pack
    from ankare.ingest.run import ingest

    opened = Home(home)
    if pack is None or not is_pack(pack) or opened.current_version() is not None:
        return
    with TemporaryDirectory() as nothing:
        ingest([Path(nothing)], opened, pack=pack)


def kept_profile(home: Path) -> Profile | None:
    """The profile that a home keeps, None where it keeps none. Raises ProfileError for a broken one."""
    from ankare.errors import HomeMissingError
    from ankare.index.home import Home
    from ankare.index.manifest import PROFILE_FILE
    from ankare.profile.load import load_profile

    try:
        kept = Home(home).version_folder() / PROFILE_FILE
    except HomeMissingError:
        return None
    return load_profile(kept) if kept.is_file() else None


def _body(report: FactFileReport) -> dict[str, object]:
    return {
        "source": report.source,
        "path": report.path,
        "status": report.status.value,
        "facts": report.facts,
        "added": report.added,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "pending": report.pending,
        "conflicts": report.conflicts,
        "faults": list(report.faults),
        "notes": list(report.notes),
        "message": report.message,
        "access": report.access,
    }


def _lines(reports: Iterable[FactFileReport], count: int, *, skip_bad: bool) -> Iterator[str]:
    """What was done with each file, and how many figures there are now."""
    from ankare.ingest.report import counted

    for report in reports:
        if report.status == "failed":
            yield from _refused(report, skip_bad=skip_bad)
            continue
        done = f"{report.added:,} new, {report.removed:,} gone, {report.unchanged:,} unchanged"
        label = f", for readers with the label {report.access}" if report.access else ""
        yield f"{report.source}: {report.status.value}, {counted(report.facts, 'figure')}{label} ({done})"
        if report.faults:
            yield f"  skipped for {counted(len(report.faults), 'fault')}:"
            yield from _first(report.faults)
        yield from (f"  {note}" for note in report.notes)
        if report.conflicts:
            yield f"  {counted(report.conflicts, 'figure')} in conflict with another source. See: ankare facts conflicts"
        if report.pending:
            yield f"  {counted(report.pending, 'figure')} to be reviewed. Decide: ankare facts review"
    yield f"The store holds {counted(count, 'figure')}."


def _refused(report: FactFileReport, *, skip_bad: bool) -> Iterator[str]:
    from ankare.ingest.figures.model import remedy
    from ankare.ingest.report import counted

    if not report.faults:
        yield f"{report.source}: refused. {report.message}"
        return
    yield f"{report.source}: refused with {counted(len(report.faults), 'fault')}; nothing of it was changed."
    yield from _first(report.faults)
    yield f"  {remedy(len(report.faults), bad_rows_skipped=skip_bad)}"


def _first(faults: tuple[str, ...]) -> Iterator[str]:
    """The faults, the same one at several places as one line."""
    places: dict[str, list[str]] = {}
    for fault in faults:
        place, _, message = fault.partition(": ")
        places.setdefault(message, []).append(place)
    lines = [f"  {_places(found)}: {message}" for message, found in places.items()]
    yield from lines[:SHOWN_FAULTS]
    if len(lines) > SHOWN_FAULTS:
        yield f"  and {len(lines) - SHOWN_FAULTS:,} more"


def _places(places: list[str]) -> str:
    if len(places) <= SHOWN_PLACES:
        return ", ".join(places)
    return f"{', '.join(places[:SHOWN_PLACES])} and {len(places) - SHOWN_PLACES:,} more places"


def _one_line(text: str) -> str:
    """A text that cannot move the terminal's cursor."""
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)
