"""Which case does a line of a suite hold, and what is wrong with a line that holds none?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from typing import Any, NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ankare.evaluation.case import Case, Expected, Gold
from ankare.evaluation.suites.gold import words
from ankare.evaluation.suites.suite_row import ASKED_BACK, CaseRow, ExpectedRow, GoldRow, without_nulls

SHOWN = 60
"""Characters of what a line holds that a fault repeats."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong. `field`: where in the line ("gold[0].pages"), "" for the line itself."""

    field: str
    message: str
    remedy: str

    def __str__(self) -> str:
        said = f"{self.message}. {self.remedy}"
        return f"{self.field}: {said}" if self.field else said


class Faulty(Exception):  # noqa: N818 - it never leaves the reading of a suite
    """A line that cannot be used, with all that is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        super().__init__("a line of a suite that cannot be used")
        self.faults = tuple(faults)

    @classmethod
    def of(cls, message: str, remedy: str, field: str = "") -> Faulty:
        """One fault."""
        return cls([Fault(field, message, remedy)])


def case_of_line(text: str) -> Case:
    """The case in a line. Raises Faulty."""
    raw = _object(text)
    try:
        row = CaseRow.model_validate(without_nulls(raw))
    except ValidationError as error:
        raise Faulty(map(_fault, error.errors(include_url=False))) from None
    faults = tuple(_contradictions(row))
    if faults:
        raise Faulty(faults)
    return _case(row)


def row_of(case: Case) -> dict[str, Any]:
    """A case as the object of its line: the fields that say something, in the order in which a reader wants them."""
    expected = [_said({name: getattr(one, name) for name in ExpectedRow.model_fields}) for one in case.expected]
    row: dict[str, Any] = {
        "type": case.type,
        "answerable": case.answerable,
        "reference_answer": case.reference_answer,
        "gold": [_said({"source": gold.source, "pages": [*gold.pages], "snippet": gold.snippet}) for gold in case.gold],
        "expected": expected[0] if len(expected) == 1 else expected,
        "language": case.language,
        "reference_date": case.reference_date.isoformat() if case.reference_date else None,
        "draft": case.draft or None,
        "notes": case.notes,
    }
    return {"id": case.id, "question": case.question, **_said(row)}


def _said(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None and value != "" and value != []}


def _object(text: str) -> Mapping[str, Any]:
    if text.lstrip().startswith(("#", "//")):
        raise Faulty.of("a remark is no case", 'Write it in the field "notes" of a case, or take the line out.')
    try:
        raw = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise Faulty.of(
            f"no JSON at column {error.colno}: {error.msg}", "Write one whole object on one line."
        ) from None
    except (ValueError, RecursionError) as error:
        raise Faulty.of(f"no JSON that can be read: {str(error)[:SHOWN]}", "Write one plain object.") from None
    if not isinstance(raw, dict):
        raise Faulty.of(f"it holds {_kind(raw)}, no object", 'Write {"id": "...", "question": "..."}.')
    return raw


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Faulty.of("it stands twice in one object", "Keep one of them.", field=_shown(key))
        found[key] = value
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _fault(error: ErrorDetails) -> Fault:
    """What pydantic found, in words of ours."""
    told = _TOLD.get(error["type"])
    message, remedy = told(error) if told else (error["msg"], "Compare it with the format of suites.")
    return Fault(_place(error["loc"]), message, remedy)


def _place(loc: tuple[int | str, ...]) -> str:
    """The field as a path: "gold[0].pages"."""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{_shown(step)}" for step in loc)
    return path.removeprefix(".")


def _shown(text: str) -> str:
    """A text of the file on one line, cut where it is long."""
    plain = text.encode("ascii", "backslashreplace").decode() if not text.isprintable() else text
    return plain if len(plain) <= SHOWN else plain[:SHOWN] + "…"


_KINDS = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "null")


def _unknown(error: ErrorDetails) -> tuple[str, str]:
    *outer, name = error["loc"]
    known = [*_FIELDS.get(str(outer[0]) if outer else "", CaseRow).model_fields]
    near = get_close_matches(str(name).casefold(), known, n=1, cutoff=0.6)
    return "there is no such field", f'Did you mean "{near[0]}"?' if near else f"Known are {', '.join(known)}."


def _missing(error: ErrorDetails) -> tuple[str, str]:
    return "it is missing", _NEEDED[str(error["loc"][-1])]


def _not(what: str, remedy: str) -> Callable[[ErrorDetails], tuple[str, str]]:
    return lambda error: (f"it is {_kind(error['input'])}, not {what}", remedy)


def _not_a_list(error: ErrorDetails) -> tuple[str, str]:
    examples = {"pages": "[5]", "gold": '[{"source": "file.pdf", "pages": [5]}]', "expected": '[{"metric": "..."}]'}
    return f"it is {_kind(error['input'])}, not a list", f"Write {examples[str(error['loc'][-1])]}."


def _too_much(unit: str) -> Callable[[ErrorDetails], tuple[str, str]]:
    return lambda error: (f"it has more than {error['ctx']['max_length']} {unit}", "Shorten it.")


_FIELDS: Mapping[str, type[CaseRow | GoldRow | ExpectedRow]] = {"": CaseRow, "gold": GoldRow, "expected": ExpectedRow}
_NEEDED = {
    "id": "Give each case an id of its own.",
    "question": "Write what is asked.",
    "source": "Name the document as its answers name it, with the folders below documents/.",
}
_TOLD: Mapping[str, Callable[[ErrorDetails], tuple[str, str]]] = {
    "told": lambda error: (error["ctx"]["message"], error["ctx"]["remedy"]),
    "extra_forbidden": _unknown,
    "missing": _missing,
    "string_type": _not("a text", "Put it in quotes."),
    "bool_type": _not("true or false", "Write true or false without quotes."),
    "int_type": _not("a page's number", "Write whole numbers without quotes: [5, 6]."),
    "greater_than_equal": lambda error: (f"there is no page {error['input']}", "Pages count from 1."),
    "less_than_equal": lambda error: (f"there is no page {str(error['input'])[:SHOWN]}", "Correct the number."),
    "list_type": _not_a_list,
    "model_type": _not("an object", 'Write {"...": "..."} with the fields of the format.'),
    "string_too_long": _too_much("characters"),
    "too_long": _too_much("entries"),
}


def _contradictions(row: CaseRow) -> Iterator[Fault]:
    """Fields that are right each for itself and wrong together."""
    values = [one.value for one in row.expected]
    if row.answerable is False:
        told = "the question is said to have no answer"
        remedy = "Take it out, or make answerable true."
        fields = {"gold": row.gold, "reference_answer": row.reference_answer, "expected": any(values)}
        yield from (Fault(field, f"{told}, and here is one", remedy) for field, held in fields.items() if held)
    if row.answerable and row.expected and not any(values) and not row.gold:
        yield Fault(
            "answerable", "true, but no figure is expected and no gold named", 'Give a "value", or make it false.'
        )
    for number, gold in enumerate(row.gold):
        if gold.snippet and not words(gold.snippet).text:
            yield Fault(f"gold[{number}].snippet", "it holds no word", "Copy words of the document, or leave it out.")
    for number, one in enumerate(row.expected):
        for field, message, remedy in _of_figure(one):
            yield Fault(f"expected[{number}]{field}", message, remedy)


def _of_figure(one: ExpectedRow) -> Iterator[tuple[str, str, str]]:
    if not any(one.model_dump().values()):
        yield "", "it says nothing", "Name the figure, or take it out."
    if one.value and one.mode in ASKED_BACK:
        yield ".mode", f"{one.mode} gives no figure, and a value is expected", "Keep one of them."
    if one.status == "not_found" and one.value:
        yield ".status", "not_found, and a value is expected", "Keep one of them."
    if one.status == "found" and not one.value:
        yield ".status", "found, and no value is expected", 'Give a "value", or write "not_found".'


def _case(row: CaseRow) -> Case:
    return Case(
        id=row.id,
        question=row.question,
        type=row.type,
        answerable=row.answerable,
        reference_answer=row.reference_answer,
        gold=tuple(Gold(gold.source, tuple(gold.pages), gold.snippet) for gold in row.gold),
        expected=tuple(Expected(**one.model_dump()) for one in row.expected),
        language=row.language,
        reference_date=date.fromisoformat(row.reference_date) if row.reference_date else None,
        draft=row.draft,
        notes=row.notes,
    )
