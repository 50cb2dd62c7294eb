"""How is a suite of questions read from its file and written to it?

One case is one line of JSON (`ankare.evaluation.suites.suite_row` has its fields). A file with a fault is refused whole, and
all its faults are told at once.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from ankare.errors import SuiteError
from ankare.evaluation.case import Case, Expected, Gold, Suite
from ankare.evaluation.suites.suite_line import Faulty, case_of_line, row_of
from ankare.regular_file import read_regular

MAX_BYTES = 20_000_000
MAX_LINE_BYTES = 200_000
MAX_CASES = 10_000
SHOWN_FAULTS = 20

_LINE_ENDS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"}
"""Signs that JSON lets stand and that some readers of lines take for the end of one."""


def read_suite(path: Path) -> Suite:
    """The suite of a file; its name is the file's. Lines without a sign are passed over.

    Raises SuiteError with file, line, field and remedy for all that is wrong with it.
    """
    return _suite_of_bytes(_bytes_of(path), str(path), path.stem)


def suite_of(cases: Iterable[Case], name: str = "") -> Suite:
    """Cases as a suite."""
    held = tuple(cases)
    return Suite(held, digest_of(held), name)


def write_suite(cases: Iterable[Case], path: Path) -> None:
    """Write cases as a suite, in one step: a reader sees the old file or the new one.

    Raises SuiteError for cases that `read_suite` would refuse, OSError. Nothing is written then.
    """
    lines = [json.dumps(row_of(case), ensure_ascii=False).translate(_LINE_ENDS) for case in cases]
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    _suite_of_bytes(data, f"The suite for {path}", path.stem)
    _replace(path, data)


def digest_of(cases: Iterable[Case]) -> str:
    """SHA-256 of what is asked and of what would be right, in hexadecimal.

    Order of cases and fields, white space, notes, types and the mark of a draft make no difference.
    """
    told = sorted((_canonical(case) for case in cases), key=lambda row: str(row["id"]))
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _canonical(case: Case) -> Mapping[str, Any]:
    return {
        "id": case.id,
        "question": _spaced(case.question),
        "language": case.language,
        "reference_date": case.reference_date.isoformat() if case.reference_date else "",
        "answerable": case.answerable,
        "reference_answer": _spaced(case.reference_answer),
        "gold": sorted(map(_gold, case.gold)),
        "expected": sorted(map(_expected, case.expected)),
    }


def _gold(gold: Gold) -> list[Any]:
    return [gold.source, _spaced(gold.snippet), sorted(set(gold.pages))]


def _expected(expected: Expected) -> list[str]:
    value = format(Decimal(expected.value).normalize(), "f") if expected.value else ""
    names = (expected.unit, expected.metric, expected.entity, expected.period, expected.channel)
    return [value, *map(_spaced, names), expected.mode, expected.status, expected.route]


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _bytes_of(path: Path) -> bytes:
    try:
        data = read_regular(path, MAX_BYTES)
    except OSError as error:
        raise SuiteError(f"{path} cannot be read: {error.strerror or error}.", "Name a suite.jsonl.") from error
    if len(data) > MAX_BYTES:
        raise SuiteError(f"{path} is larger than {MAX_BYTES // 1_000_000} MB.", "Divide the suite.")
    return data


def _suite_of_bytes(data: bytes, told: str, name: str) -> Suite:
    """The suite in these bytes; `told` is what an error calls it."""
    cases: list[Case] = []
    faults: list[str] = []
    lines: dict[str, int] = {}
    for number, line in _lines(data):
        try:
            case = _case(line)
        except Faulty as error:
            faults += [
                f"line {number}, {fault}" if fault.field else f"line {number}: {fault}" for fault in error.faults
            ]
            continue
        first = lines.setdefault(case.id, number)
        if first != number:
            faults.append(
                f"line {number}, id: {case.id!r} is the id of line {first} already. Give each case its own id."
            )
        cases.append(case)
    if len(lines) > MAX_CASES:
        faults.append(f"line {MAX_CASES + 1}: a suite has at most {MAX_CASES} cases. Divide it.")
    if faults:
        raise _error(told, faults)
    return suite_of(cases, name)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their number. Only a line feed ends one: other white space may stand in a text."""
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield number, line


def _case(line: bytes) -> Case:
    if len(line) > MAX_LINE_BYTES:
        raise Faulty.of(f"it is longer than {MAX_LINE_BYTES // 1000} kB", "Shorten it.")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Faulty.of(f"byte {error.start + 1} is no UTF-8", "Save the file as UTF-8.") from None
    return case_of_line(text)


def _error(told: str, faults: list[str]) -> SuiteError:
    shown = faults[:SHOWN_FAULTS]
    more = len(faults) - len(shown)
    if more:
        shown.append(f"and {more} more")
    if len(shown) == 1:
        return SuiteError(f"{told}, {shown[0]}", faults=tuple(faults))
    counted = f"{told} has {len(faults)} faults:"
    return SuiteError("\n  ".join((counted, *shown)), faults=tuple(faults))


def _replace(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
