"""What did a rater write into a file: the page's CSV or JSON, or a sheet that was filled in as CSV or workbook?

Each row becomes a `Row` with the place where it stands, so that whatever is wrong can be told where it is. Excel's ways are
taken: semicolons or tabs between the cells, the local encoding, numbers as 4.0. What means something else than it says is not:
a value out of the scale is a fault, never rounded or left out.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ankare.errors import BadInputError, DocumentError
from ankare.evaluation.cells import as_written
from ankare.evaluation.reviewing.criteria import CANNOT, CRITERIA, SCALE
from ankare.evaluation.reviewing.page import FORMAT, LONGEST_COMMENT
from ankare.evaluation.reviewing.ratings import same_name
from ankare.evaluation.reviewing.wording import Wording
from ankare.messages import languages, messages

MOST_BYTES = 50_000_000
MOST_ROWS = 100_000
LONGEST_NAME = 80
MOST_FAULTS = 20
_WHOLE = re.compile(r"(\d{1,3})(?:[.,]0{1,6})?")


@dataclass(frozen=True, slots=True)
class Row:
    """One answer as one person rated it. `place`: the file and the line or row."""

    place: str
    item: str
    rater: str
    scores: Mapping[str, int]
    cannot: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class RatingsRead:
    """The rows of a file that hold a rating or a comment; `empty`: how many answers nobody rated in it."""

    rows: tuple[Row, ...]
    empty: int = 0


def read_file(path: Path, rater: str = "", language: str = "en") -> RatingsRead:
    """The ratings of one file. `rater`: the name for rows that have none. `language`: what faults are told in.

    Raises BadInputError that names every fault (up to MOST_FAULTS) with its place, one a line: a value out of the scale, a row
    without an answer's id or a rater's name, an answer rated twice by the same person, a file in no known form.
    """
    try:
        size = path.stat().st_size
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}.", "Name a file of ratings.") from error
    if size > MOST_BYTES:
        raise BadInputError(f"{path} is larger than {MOST_BYTES:,} bytes.", "Name a file of ratings.")
    told = list(_FORMS.get(path.suffix.lower(), _unknown)(path))
    if len(told) > MOST_ROWS:
        raise BadInputError(f"{path} has more than {MOST_ROWS:,} rows.", "Name a file of ratings.")
    return _checked(path, told, rater, Wording(language))


# --- rows of each form: (place, cells by the name of their column)

_Told = tuple[str, Mapping[str, str]]


def _of_csv(path: Path) -> Iterator[_Told]:
    text = _decoded(path.read_bytes())
    head = text.partition("\n")[0]
    between = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between)
    try:
        lines = [(reader.line_num, cells) for cells in reader]
    except csv.Error as error:
        raise BadInputError(f"{path}:{reader.line_num} is no CSV: {error}.", "Save it as CSV again.") from error
    # a row of several lines is found by its first
    starts = [1, *(number + 1 for number, _ in lines)]
    yield from _named(path, [(f"{path}:{start}", cells) for start, (_, cells) in zip(starts, lines, strict=False)])


def _of_workbook(path: Path) -> Iterator[_Told]:
    from openpyxl import load_workbook

    from ankare.ingest.archive import check_zip

    try:
        check_zip(path)
        book = load_workbook(path, read_only=True, data_only=True)
        sheet = book.worksheets[0]
        width = len(CRITERIA) + 20
        rows = sheet.iter_rows(max_row=MOST_ROWS + 2, max_col=width, values_only=True)
        lines = [
            (f"{path}, row {number}", ["" if cell is None else str(cell) for cell in cells])
            for number, cells in enumerate(rows, 1)
        ]
        book.close()
    except DocumentError as error:
        raise BadInputError(f"{path}: {error.message}", error.remedy) from error
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, SyntaxError) as error:
        raise BadInputError(f"{path} is no workbook ({type(error).__name__}).", "Save it as .xlsx again.") from error
    yield from _named(path, lines)


def _of_json(path: Path) -> Iterator[_Told]:
    try:
        told = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"{path} is no JSON.", "Save the ratings from the page again.") from error
    held = told.get("ratings") if isinstance(told, dict) and told.get("format") == FORMAT else None
    if not isinstance(held, list):
        raise BadInputError(f"{path} holds no ratings of the page.", "Save the ratings from the page again.")
    for number, row in enumerate(held, 1):
        if not isinstance(row, dict):
            raise BadInputError(f"{path}, rating {number} is no object.", "Save the ratings from the page again.")
        cells = {name: "" if row.get(name) is None else str(row[name]) for name in ("item", *CRITERIA, "comment")}
        yield f"{path}, rating {number}", {**cells, "rater": str(told.get("rater") or "")}


def _unknown(path: Path) -> Iterator[_Told]:
    raise BadInputError(f"{path} is no file of ratings.", "Name a .csv, .xlsx or .json file.")


_FORMS = {".csv": _of_csv, ".tsv": _of_csv, ".txt": _of_csv, ".xlsx": _of_workbook, ".json": _of_json}


def _named(path: Path, lines: Sequence[tuple[str, Sequence[str]]]) -> Iterator[_Told]:
    """The rows by the names in the head. Raises BadInputError where the head lacks what is needed, or has a name twice."""
    if not lines:
        raise BadInputError(f"{path} is empty.", "Name a file of ratings.")
    head = [cell.strip().casefold() for cell in lines[0][1]]
    missing = [name for name in ("item", *CRITERIA) if name not in head]
    double = sorted({name for name in head if name and head.count(name) > 1})
    if missing or double:
        what = f"has no column {', '.join(missing)}" if missing else f"has the column {', '.join(double)} twice"
        raise BadInputError(f"{lines[0][0]} {what}.", "Leave the head of the sheet as it was handed out.")
    for place, cells in lines[1:]:
        if any(cell.strip() for cell in cells):
            yield place, {name: as_written(cell) for name, cell in zip(head, cells, strict=False)}


def _decoded(data: bytes) -> str:
    """The text: UTF-8, UTF-16 with its mark, else as Excel writes it in Western Europe."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


# --- what the cells say


def _checked(path: Path, told: Sequence[_Told], rater: str, say: Wording) -> RatingsRead:
    faults: list[str] = []
    names = {same_name(name): name for _, cells in told if (name := _name(cells))}
    alone = next(iter(names.values())) if len(names) == 1 else ""
    rows: dict[tuple[str, str], Row] = {}
    empty = 0
    for place, cells in told:
        row, wrong = _row(place, cells, rater or alone, say)
        if row is None and not wrong:
            empty += 1
            continue
        if row is not None and (first := rows.setdefault((row.item, same_name(row.rater)), row)) is not row:
            wrong = [say("fault_twice", place=place, rater=row.rater, item=row.item, first=first.place)]
        faults += wrong
    if faults:
        raise BadInputError(say.faults(say("fault_file", file=path), faults, MOST_FAULTS), say("fault_edit"))
    return RatingsRead(tuple(rows.values()), empty)


def _row(place: str, cells: Mapping[str, str], otherwise: str, say: Wording) -> tuple[Row | None, list[str]]:
    """The row, None where nothing was rated; and what is wrong with it."""
    wrong: list[str] = []
    scores: dict[str, int] = {}
    cannot: list[str] = []
    for point in CRITERIA:
        value = _value(cells.get(point, ""))
        if value == CANNOT:
            cannot.append(point)
        elif isinstance(value, int):
            scores[point] = value
        elif value is not None:
            bounds = {"low": SCALE[0], "high": SCALE[-1], "cannot": CANNOT}
            wrong.append(say("fault_value", place=place, point=point, value=repr(value), **bounds))
    comment = cells.get("comment", "").strip()[:LONGEST_COMMENT]
    if not (scores or cannot or comment or wrong):
        return None, []
    item, rater = cells.get("item", "").strip(), _name(cells) or otherwise
    wrong += [say("fault_item", place=place)] * (not item)
    wrong += [say("fault_rater", place=place)] * (not rater)
    return (None if wrong else Row(place, item, rater, scores, tuple(cannot), comment)), wrong


def _value(cell: str) -> int | str | None:
    """A rating, CANNOT, None for an empty cell; what is none of these as it was written."""
    said = cell.strip()
    if not said:
        return None
    if said.casefold() in _cannot_words():
        return CANNOT
    number = _WHOLE.fullmatch(said)
    return int(number[1]) if number and int(number[1]) in SCALE else said[:30]


def _cannot_words() -> frozenset[str]:
    return frozenset(chain((CANNOT,), (messages(code)["review.cannot"].casefold() for code in languages())))


def _name(cells: Mapping[str, Any]) -> str:
    return " ".join(str(cells.get("rater", "")).split())[:LONGEST_NAME]
