"""What did a rater write into a file: the page's CSV or JSON, or a sheet that was filled in as CSV or workbook?

Each row becomes a `Row` with the place where it stands, so that whatever is wrong can be told where it is. Excel's ways are
taken: semicolons or tabs between the cells, the local encoding, numbers as 4.0. What means something else than it says is not:
a value out of the scale is a fault, never rounded or left out, and so are digits of other scripts than 1 to 5.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ankare.cite.escape import plain
from ankare.errors import BadInputError, DocumentError
from ankare.evaluation.cells import as_written
from ankare.evaluation.reviewing.criteria import CANNOT, CRITERIA, SCALE
from ankare.evaluation.reviewing.page import FORMAT, LONGEST_COMMENT
from ankare.evaluation.reviewing.ratings import same_name
from ankare.evaluation.reviewing.wording import Wording
from ankare.messages import languages, messages
from ankare.regular_file import read_regular

MOST_BYTES = 20_000_000
MOST_ROWS = 100_000
MOST_COLUMNS = 200
LONGEST_NAME = 80
MOST_FAULTS = 20
_WHOLE = re.compile(r"([0-9]{1,3})(?:[.,]0{1,6})?")
_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no comment needs and what a file of ratings or a terminal could not hold: a browser may cut a sign in two."""


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
    without an answer's id or a rater's name, an answer rated twice by the same person, a file in no known form or with more
    bytes, rows or columns than are read.
    """
    say = Wording(language)
    try:
        data = read_regular(path, MOST_BYTES)
    except OSError as error:
        raise say.fault("form_unread", "form_name", file=path, why=error.strerror or type(error).__name__) from error
    if len(data) > MOST_BYTES:
        raise say.fault("form_large", "form_name", file=path, most=MOST_BYTES // 1_000_000)
    told: list[_Told] = []
    for row in _FORMS.get(path.suffix.lower(), _unknown)(path, data, say):
        if len(told) == MOST_ROWS:
            raise say.fault("form_rows", "form_name", file=path, most=MOST_ROWS)
        told.append(row)
    return _checked(path, told, rater, say)


# --- rows of each form: (place, cells by the name of their column)

_Told = tuple[str, Mapping[str, str]]


def _of_csv(path: Path, data: bytes, say: Wording) -> Iterator[_Told]:
    text = _decoded(data)
    head = text.partition("\n")[0]
    between = max(",;\t", key=head.count)
    # strict: a quote that nobody closed would take the rows behind it for one cell
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True)
    return _named(path, _csv_lines(path, reader, say), say)


def _csv_lines(path: Path, reader: Any, say: Wording) -> Iterator[tuple[str, list[str]]]:
    # a row of several lines is found by its first
    start = 1
    try:
        for cells in reader:
            yield f"{path}:{start}", cells
            start = reader.line_num + 1
    except csv.Error as error:
        place = f"{path}:{reader.line_num}"
        raise say.fault("form_no_csv", "form_csv_again", place=place, why=str(error)) from error


def _of_workbook(path: Path, data: bytes, say: Wording) -> Iterator[_Told]:
    from openpyxl import load_workbook

    from ankare.ingest.archive import check_zip

    try:
        check_zip(path)
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
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
        why = type(error).__name__
        raise say.fault("form_no_workbook", "form_workbook_again", file=path, why=why) from error
    return _named(path, lines, say)


def _of_json(path: Path, data: bytes, say: Wording) -> Iterator[_Told]:
    try:
        told = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise say.fault("form_no_json", "form_page_again", file=path) from error
    held = told.get("ratings") if isinstance(told, dict) and told.get("format") == FORMAT else None
    if not isinstance(held, list):
        raise say.fault("form_no_ratings", "form_page_again", file=path)
    rater = told.get("rater")
    for number, row in enumerate(held, 1):
        place = f"{path}, rating {number}"
        if not isinstance(row, dict):
            raise say.fault("form_no_object", "form_page_again", place=place)
        cells = {name: _json_cell(row.get(name)) for name in ("item", *CRITERIA, "comment")}
        yield place, {**cells, "rater": rater if isinstance(rater, str) else ""}


def _json_cell(value: object) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, str | int | float) else "[...]"


def _unknown(path: Path, data: bytes, say: Wording) -> Iterator[_Told]:
    raise say.fault("form_unknown", "form_name", file=path)


_FORMS = {".csv": _of_csv, ".tsv": _of_csv, ".txt": _of_csv, ".xlsx": _of_workbook, ".json": _of_json}


def _named(path: Path, lines: Iterable[tuple[str, Sequence[str]]], say: Wording) -> Iterator[_Told]:
    """The rows by the names in the head. Raises BadInputError where the head lacks what is needed, or has a name twice."""
    head: list[str] = []
    for number, (place, cells) in enumerate(lines):
        if number > MOST_ROWS:
            raise say.fault("form_rows", "form_name", file=path, most=MOST_ROWS)
        if len(cells) > MOST_COLUMNS:
            raise say.fault("form_columns", "form_head", place=place, most=MOST_COLUMNS)
        if number == 0:
            head = _head(place, cells, say)
        elif any(cell.strip() for cell in cells):
            yield place, {name: as_written(cell) for name, cell in zip(head, cells, strict=False)}
    if not head:
        raise say.fault("form_empty", "form_name", file=path)


def _head(place: str, cells: Sequence[str], say: Wording) -> list[str]:
    head = [cell.strip().casefold() for cell in cells]
    if missing := [name for name in ("item", *CRITERIA) if name not in head]:
        raise say.fault("form_no_column", "form_head", place=place, names=", ".join(missing))
    if double := sorted({name[:LONGEST_NAME] for name in head if name and head.count(name) > 1}):
        raise say.fault("form_twice", "form_head", place=place, names=", ".join(double))
    return head


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
    otherwise = _name({"rater": rater}) or alone
    rows: dict[tuple[str, str], Row] = {}
    empty = 0
    for place, cells in told:
        row, wrong = _row(place, cells, otherwise, say)
        if row is None and not wrong:
            empty += 1
            continue
        if row is not None and (first := rows.setdefault((row.item, same_name(row.rater)), row)) is not row:
            wrong = [say("fault_twice", place=place, rater=row.rater, item=row.item[:40], first=first.place)]
        faults += wrong
    if faults:
        raise say.faults(say("fault_file", file=path), faults, MOST_FAULTS, say("fault_edit"))
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
    comment = _UNFIT.sub("\ufffd", cells.get("comment", "").strip()[:LONGEST_COMMENT])
    if not (scores or cannot or comment or wrong):
        return None, []
    item, rater = plain(cells.get("item", "")), _name(cells) or otherwise
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
    return " ".join(plain(str(cells.get("rater", ""))).split())[:LONGEST_NAME]
