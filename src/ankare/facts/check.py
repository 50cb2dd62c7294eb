"""May this figure be stored? Every store refuses the same ones."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache

from ankare.domain.access import checked_label
from ankare.domain.fact import MAX_DIGITS, Fact, PeriodType
from ankare.errors import BadInputError

MAX_CODE_CHARS = 200
MAX_FILE_CHARS = 600
MAX_TEXT_CHARS = 4000
"""An index row of PostgreSQL takes 2,704 bytes: three codes, or the name of a file, of four bytes a sign fit."""

_REQUIRED = ("metric_code", "entity", "channel", "period_type", "period", "source_doc_id")
_CODES = ("metric_code", "entity", "channel")
_LIMITS = {
    "metric_code": MAX_CODE_CHARS,
    "entity": MAX_CODE_CHARS,
    "channel": MAX_CODE_CHARS,
    "period_type": MAX_CODE_CHARS,
    "period": MAX_CODE_CHARS,
    "geography": MAX_TEXT_CHARS,
    "unit": MAX_TEXT_CHARS,
    "source_doc_id": MAX_TEXT_CHARS,
    "source_locator": MAX_TEXT_CHARS,
    "valid_as_of": MAX_TEXT_CHARS,
    "ingested_at": MAX_TEXT_CHARS,
    "source_file_hash": MAX_TEXT_CHARS,
    "source_file": MAX_FILE_CHARS,
    "access": MAX_CODE_CHARS,
}
_FORMS: dict[str, tuple[re.Pattern[str], str]] = {
    PeriodType.FY: (re.compile(r"[0-9]{4}"), "2024"),
    PeriodType.HY: (re.compile(r"[0-9]{4}H[12]"), "2024H1"),
    PeriodType.TERTIAL: (re.compile(r"[0-9]{4}T[1-3]"), "2024T1"),
    PeriodType.QUARTER: (re.compile(r"[0-9]{4}Q[1-4]"), "2024Q3"),
    PeriodType.MONTH: (re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])"), "2024-03"),
}
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SHOWN = 60


def check(fact: Fact) -> None:
    """Raises BadInputError that names the first field for which this figure cannot be stored, and where it came from."""
    for name, limit in _LIMITS.items():
        _text(fact, name, getattr(fact, name), limit)
    for name in _REQUIRED:
        if not getattr(fact, name).strip():
            raise _refused(fact, name, "is empty", "Give it a value.")
    for name in _CODES:
        code = getattr(fact, name)
        if code != code.strip():
            raise _refused(fact, name, f"{_short(code)} has space around it", "Write the code alone.")
    _period(fact)
    if len(fact.value.as_tuple().digits) > MAX_DIGITS:
        raise _refused(fact, "value", f"has more than {MAX_DIGITS} digits", "Use a larger unit.")
    if fact.valid_as_of and not _is_date(fact.valid_as_of):
        raise _refused(fact, "valid_as_of", f"{_short(fact.valid_as_of)} is no date", "Write it as 2024-12-31.")
    if fact.access and not is_label(fact.access):
        raise _refused(fact, "access", f"{_short(fact.access)} is no label", "Write it in small letters: board.")
    if fact.ingested_at and not _is_time(fact.ingested_at):
        raise _refused(fact, "ingested_at", f"{_short(fact.ingested_at)} is no time", "Leave it empty.")


def period_fits(period_type: str, period: str) -> bool:
    """Is this a period of this type: `("FY", "2024")`, `("HY", "2024H1")`, `("TERTIAL", "2024T1")`, `("QUARTER", "2024Q3")`,
    `("MONTH", "2024-03")`?"""
    form = _FORMS.get(period_type)
    return form is not None and form[0].fullmatch(period) is not None


_known_period = lru_cache(maxsize=4096)(period_fits)


def _period(fact: Fact) -> None:
    if _known_period(fact.period_type, fact.period):
        return
    form = _FORMS.get(fact.period_type)
    if form is None:
        raise _refused(
            fact, "period_type", f"{_short(fact.period_type)} is unknown", f"Known are {', '.join(PeriodType)}."
        )
    raise _refused(
        fact, "period", f"{_short(fact.period)} is no period of type {fact.period_type}", f"Write it as {form[1]}."
    )


def _text(fact: Fact, name: str, value: object, limit: int) -> None:
    if not isinstance(value, str):
        raise _refused(fact, name, f"is no text but {type(value).__name__}", "Give it as text.")
    if len(value) > limit:
        raise _refused(fact, name, f"is longer than {limit} signs", "Shorten it.")
    if not storable(value):
        raise _refused(fact, name, f"{_short(value)} holds a sign that cannot be stored", "Take the broken sign out.")


def storable(text: str) -> bool:
    """Can every store hold this text? Not with a NUL or half a surrogate pair."""
    if text.isascii():
        return "\0" not in text
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


@lru_cache(maxsize=4096)
def _is_date(text: str) -> bool:
    try:
        return _DATE.fullmatch(text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


@lru_cache(maxsize=4096)
def _is_time(text: str) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except ValueError:
        return False


@lru_cache(maxsize=4096)
def is_label(text: str) -> bool:
    """Can a figure carry this as its label?"""
    try:
        return checked_label(text) == text
    except ValueError:
        return False


def _refused(fact: Fact, name: str, fault: str, remedy: str) -> BadInputError:
    where = ", ".join(_plain(part) for part in (fact.source_doc_id, fact.source_locator) if part)
    return BadInputError(f"A figure{f' from {where}' if where else ''} cannot be stored: {name} {fault}.", remedy)


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _plain(part: object) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in str(part)[:_SHOWN])
