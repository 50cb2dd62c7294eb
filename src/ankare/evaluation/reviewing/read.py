"""To which answers do ratings belong, and are they kept with the run?

A row counts only for the very answer that its rater read: its id is made of run, case and text. All files are read before
anything is kept; one fault, and everything stays as it was.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ankare.errors import BadInputError
from ankare.evaluation.captured import Run
from ankare.evaluation.reviewing.files import MOST_FAULTS, RatingsRead, Row, read_file
from ankare.evaluation.reviewing.items import Item, items_of
from ankare.evaluation.reviewing.ratings import Rating, read_ratings, together, write_ratings
from ankare.evaluation.reviewing.sheet import KEY_FORMAT
from ankare.evaluation.reviewing.wording import Wording
from ankare.regular_file import read_regular

MOST_KEY_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A run with its folder, its answers by their ids, and the ratings that are kept with it."""

    folder: Path
    run: Run
    items: Mapping[str, Item]
    ratings: tuple[Rating, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of reading. `told`: one line for each thing that whoever reads should know."""

    reviewed: tuple[Reviewed, ...]
    told: tuple[str, ...] = ()


def take_in(
    runs: Sequence[tuple[Path, Run]],
    files: Sequence[Path],
    key: Path | None = None,
    rater: str = "",
    language: str = "en",
) -> Taken:
    """Read the files, keep their ratings in the runs' folders, and give what is kept there now; without files, what was kept.

    `key`: of a blind sheet. `language`: what is told in. Of the same person's ratings of the same answer those of a
    later file count, and they replace what was kept. Raises BadInputError for rows that are of no answer of these runs, each
    with its place, and whatever `read_file` raises; EvaluationError and OSError.
    """
    known = {folder: items_of(run) for folder, run in runs}
    hidden = _key(key) if key is not None else {}
    told: list[str] = []
    say = Wording(language)
    found: dict[Path, list[Rating]] = {folder: [] for folder, _ in runs}
    faults: list[str] = []
    others: Counter[str] = Counter()
    for file in files:
        read = read_file(file, rater, language)
        told.append(_of_file(file, read, say))
        for row in read.rows:
            plain, name = hidden.get(row.item, (row.item, ""))
            folder = next((folder for folder, items in known.items() if plain in items), None)
            if folder is not None:
                found[folder].append(_rating(row, known[folder][plain], bool(name)))
            elif name:
                others[name] += 1
            else:
                faults.append(say("fault_unknown", place=row.place, item=row.item[:40]))
    if faults:
        raise say.faults(say("fault_none"), faults, MOST_FAULTS, say("fault_runs"))
    told += [say.counted("told_other", count, run=name) for name, count in others.items()]
    kept = tuple(_kept(folder, run, known[folder], found[folder], told, say) for folder, run in runs)
    return Taken(kept, tuple(told))


def _of_file(file: Path, read: RatingsRead, say: Wording) -> str:
    rated = say.counted("told_rated", len(read.rows))
    if not read.empty:
        return say("told_file", file=file, rated=rated)
    return say("told_file_open", file=file, rated=rated, open=say.counted("told_open", read.empty))


def _kept(
    folder: Path, run: Run, items: Mapping[str, Item], later: Iterable[Rating], told: list[str], say: Wording
) -> Reviewed:
    ratings, replaced = together(read_ratings(folder), later)
    if later:
        write_ratings(ratings, folder)
    if replaced:
        told.append(say.counted("told_replaced", replaced, folder=folder))
    current = tuple(rating for rating in ratings if rating.item in items)
    if len(current) < len(ratings):
        told.append(say.counted("told_anew", len(ratings) - len(current), folder=folder))
    return Reviewed(folder, run, items, current)


def _rating(row: Row, item: Item, blind: bool) -> Rating:
    return Rating(item.plain, item.case.id, item.repeat, row.rater, dict(row.scores), row.cannot, row.comment, blind)


def _key(path: Path) -> dict[str, tuple[str, str]]:
    """Plain id and the run's name for each id of a blind sheet. Raises BadInputError."""
    try:
        data = read_regular(path, MOST_KEY_BYTES)
        if len(data) > MOST_KEY_BYTES:
            raise ValueError("too large")
        told: Any = json.loads(data)
        if told["format"] != KEY_FORMAT:
            raise ValueError("another format")
        return {str(shown): (str(meant["item"]), str(meant["name"]) or "?") for shown, meant in told["items"].items()}
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}.", "Name the key of the sheet.") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadInputError(
            f"{path} is no key of a sheet.", "Name the .key.json that lies beside the sheet."
        ) from error
