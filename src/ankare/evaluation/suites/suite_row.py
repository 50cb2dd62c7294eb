"""Which fields has a line of a suite, and what may each hold?

The models judge strictly: a number is no text, "true" no boolean, an unknown field an error. A field that is null is a field
that is not there.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ankare.domain.clarification import ClarifyMode
from ankare.domain.fact import exact
from ankare.errors import QuestionError
from ankare.gate.screen import screen
from ankare.language.languages import LANGUAGE_CODES

MAX_QUESTION = 2000
"""Characters; what the service takes where nothing else is set."""
MAX_NAME, MAX_ID, MAX_TEXT = 300, 120, 20_000
MAX_PAGE, MAX_PAGES, MAX_GOLD, MAX_EXPECTED = 100_000, 1_000, 200, 60
MODES = tuple(mode.value for mode in ClarifyMode if mode is not ClarifyMode.NONE)
ASKED_BACK = tuple(mode for mode in MODES if mode != ClarifyMode.ANSWER_WITH_ASSUMPTIONS)
"""The modes in which no figure is given."""
STATUSES = ("found", "not_found")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def _wrong(message: str, remedy: str) -> PydanticCustomError:
    return PydanticCustomError("told", "{message}", {"message": message, "remedy": remedy})


def _whole(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _wrong("it holds half a character (a lone surrogate)", "Write valid Unicode.") from None
    return text


def _named(text: str) -> str:
    if not text.strip():
        raise _wrong("it is empty", "Write something, or leave the field out where it may be left out.")
    if text != text.strip() or not text.isprintable():
        raise _wrong("it has white space around it or signs that cannot be seen", "Take them out.")
    return text


def _asked(text: str) -> str:
    try:
        screen(text, MAX_QUESTION)
    except QuestionError as error:
        raise _wrong(error.message.rstrip("."), error.remedy) from None
    return text


def _decimal(text: str) -> str:
    try:
        exact(text)
    except ValueError:
        remedy = 'Write it as a plain decimal with a point: "1320.5".'
        raise _wrong(f"{text[:40]!r} is no decimal number", remedy) from None
    return text


def _day(text: str) -> str:
    try:
        year = date.fromisoformat(text).year if _ISO_DATE.fullmatch(text) else 0
    except ValueError:
        year = 0
    if not 1950 <= year <= 2150:
        raise _wrong(f"{text[:40]!r} is no date from 1950 to 2150", 'Write year-month-day: "2025-05-20".')
    return text


def _one_of(allowed: tuple[str, ...]) -> AfterValidator:
    def check(text: str) -> str:
        if text not in allowed:
            raise _wrong(f"{text[:40]!r} is not known here", f"Known are {', '.join(allowed)}.")
        return text

    return AfterValidator(check)


def _listed(value: Any) -> Any:
    """One expected figure is as good as a list of one."""
    return [value] if isinstance(value, dict) else value


def without_nulls(value: Any) -> Any:
    """An object without its fields that are null; those that have to be there stay, and are faults."""
    if not isinstance(value, dict):
        return value
    return {key: held for key, held in value.items() if held is not None or key in ("id", "question", "source")}


_Text = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_whole)]
_Name = Annotated[str, Field(max_length=MAX_NAME), AfterValidator(_whole), AfterValidator(_named)]
_Page = Annotated[int, Field(ge=1, le=MAX_PAGE)]
_NONE = ""


class _Row(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class GoldRow(_Row):
    """A place that holds the answer, as a line writes it."""

    source: _Name
    pages: Annotated[list[_Page], Field(max_length=MAX_PAGES)] = []
    snippet: _Text = _NONE


class ExpectedRow(_Row):
    """A figure that is expected, as a line writes it."""

    value: Annotated[str, AfterValidator(_decimal)] = _NONE
    unit: _Name = _NONE
    metric: _Name = _NONE
    entity: _Name = _NONE
    period: _Name = _NONE
    channel: _Name = _NONE
    mode: Annotated[str, _one_of(MODES)] = _NONE
    status: Annotated[str, _one_of(STATUSES)] = _NONE
    route: _Name = _NONE


class CaseRow(_Row):
    """A case, as a line writes it."""

    id: Annotated[str, Field(max_length=MAX_ID), AfterValidator(_whole), AfterValidator(_named)]
    question: Annotated[str, AfterValidator(_asked)]
    type: _Name = _NONE
    answerable: bool | None = None
    reference_answer: _Text = _NONE
    gold: Annotated[list[Annotated[GoldRow, BeforeValidator(without_nulls)]], Field(max_length=MAX_GOLD)] = []
    expected: Annotated[
        list[Annotated[ExpectedRow, BeforeValidator(without_nulls)]],
        BeforeValidator(_listed),
        Field(max_length=MAX_EXPECTED),
    ] = []
    language: Annotated[str, _one_of(LANGUAGE_CODES)] = _NONE
    reference_date: Annotated[str, AfterValidator(_day)] = _NONE
    draft: bool = False
    notes: _Text = _NONE
