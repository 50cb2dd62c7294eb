"""Which exact value does a cell hold, where the column it stands in has to help?

A workbook's number is a binary one: it is taken in its shortest form and with at most 15 digits, which is all that a
spreadsheet program keeps and shows (Excel specifications and limits). A text that can mean two numbers, and a small number
that may be a share or a percent, are decided by what else the column holds, never by a guess.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from ankare.domain.fact import exact
from ankare.ingest.figures.cells import Cell, Percent, reason
from ankare.language.numbers import parse_decimal

_SHOWN_DIGITS = 15
_PERCENT_SIGNS = ("%", "\uff05", "\ufe6a")
_NO_VALUES = frozenset(
    ("", "-", "\u2013", "\u2014", "\u2212", "n/a", "n.a.", "na", "nan", "null", "none", "#n/a", "..", "...")
)


@dataclass(frozen=True, slots=True)
class Amount:
    """What a value cell holds. `number` None: `text` can mean two numbers. `percent`: the cell itself says so."""

    number: Decimal | None
    text: str = ""
    percent: bool = False


@dataclass(slots=True)
class Column:
    """What the values of one column show: the decimal marks they use, and whether percents are written above 1.

    `mapped`: a mapping says where the column stands.
    """

    mapped: bool = False
    marks: set[str] = field(default_factory=set)
    percents_above_one: bool = False

    def decided(self, amount: Amount) -> Decimal:
        """The number of an amount. Raises ValueError, with what to write, where the column does not tell either."""
        if amount.number is not None:
            return amount.number
        mark = next(iter(self.marks)) if len(self.marks) == 1 else None
        return exact(parse_decimal(amount.text, decimal=mark))


def read_amount(cell: Cell, column: Column) -> Amount:
    """The amount in a cell, and what it shows about its column. Raises ValueError with the reason for what is no amount."""
    if isinstance(cell, str):
        return _of_text(cell, column)
    if isinstance(cell, Percent):
        return Amount(hundredfold(_of_float(cell.value)), percent=True)
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return Amount(_of_float(cell))
    raise ValueError("no value" if cell is None else reason(cell))


def hundredfold(number: Decimal) -> Decimal:
    """Exactly a hundred times the number, with as many digits as it is written with."""
    return exact(shifted(number, 2))


def shifted(number: Decimal, power: int) -> Decimal:
    """Exactly the number times this power of ten."""
    sign, digits, exponent = number.as_tuple()
    return Decimal((sign, digits, int(exponent) + power))


def _of_float(value: int | float) -> Decimal:
    number = exact(value)
    if isinstance(value, float) and len(number.normalize().as_tuple().digits) > _SHOWN_DIGITS:
        return exact(format(value, f".{_SHOWN_DIGITS}g"))
    return number


def _of_text(text: str, column: Column) -> Amount:
    plain = text.strip()
    bare = plain[:-1] if plain.endswith(_PERCENT_SIGNS) else plain
    percent = bare is not plain
    try:
        parsed = parse_decimal(bare)
    except ValueError:
        if bare.strip().casefold() in _NO_VALUES:
            raise ValueError(f"{plain!r} is no number: leave the row out, or write the value") from None
        if _is_open(bare):
            return Amount(None, bare, percent)
        raise
    number = exact(parsed)
    if mark := _mark(bare, number):
        column.marks.add(mark)
    return Amount(number, percent=percent)


def _is_open(text: str) -> bool:
    """Would the text be a number if the decimal mark were known?"""
    try:
        parse_decimal(text, decimal=",")
    except ValueError:
        return False
    return True


def _mark(text: str, number: Decimal) -> str:
    """The decimal mark that a number shows to be in use, empty where it shows none: "1,320,450" shows a point."""
    last = max(",.", key=text.rfind)
    if last not in text:
        return ""
    has_decimals = int(number.as_tuple().exponent) < 0
    return last if has_decimals else {",": ".", ".": ","}[last]
