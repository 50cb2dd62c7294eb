"""Which exact value does a cell hold, where the column it stands in has to help?

A workbook's number is a binary one: it is taken in its shortest form and with at most 15 digits, which is all that a
spreadsheet program keeps and shows (Excel specifications and limits). A text that can mean two numbers, and a small number
that may be a share or a percent, are decided by what else the column holds, never by a guess.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal

from ankare.domain.fact import MAX_DIGITS, exact, written
from ankare.ingest.figures.cells import Cell, ErrorValue, Percent, reason
from ankare.ingest.figures.known import shortened
from ankare.language.numbers import NumberError, NumberFault, parse_decimal
from ankare.messages.remarks import Remark, remark

_SHOWN_DIGITS = 15
_THREES = 3
PERCENT_SIGNS = ("%", "\uff05", "\ufe6a")


@dataclass(frozen=True, slots=True)
class Amount:
    """What a value cell holds. `number` None: `text` can mean two numbers. `percent`: the cell itself says so."""

    number: Decimal | None
    text: str = ""
    percent: bool = False


@dataclass(slots=True)
class Column:
    """What the values of one column show: the decimal marks they use, whether bare percents are written above 1, and whether
    some have a percent sign.

    `mapped`: a mapping says where the column stands.
    """

    mapped: bool = False
    marks: set[str] = field(default_factory=set)
    percents_above_one: bool = False
    percent_signs: bool = False

    def decided(self, amount: Amount) -> Decimal:
        """The number of an amount. Raises ValueError, with what to write, where the column does not tell either."""
        if amount.number is not None:
            return amount.number
        if len(self.marks) != 1:
            raise ValueError(_two_readings(amount.text))
        return digits_kept(read_number(amount.text, next(iter(self.marks))))

    def tells_percents(self) -> bool:
        """Is a small bare percent to be read like the others, so that 0.5 beside 12 is 0.5 %?"""
        return self.percents_above_one and not self.percent_signs

    def written(self, number: Decimal) -> str:
        """A number with the decimal mark of the column."""
        return written(number).replace(".", ",") if self.marks == {","} else written(number)


def read_amount(cell: Cell, column: Column) -> Amount:
    """The amount in a cell, and what it shows about its column. Raises ValueError with the reason for what is no amount."""
    if isinstance(cell, str):
        amount = _of_text(cell, column)
    elif isinstance(cell, Percent):
        amount = Amount(hundredfold(_of_float(cell.value)), percent=True)
    elif isinstance(cell, int | float) and not isinstance(cell, bool):
        amount = Amount(_of_float(cell))
    elif isinstance(cell, ErrorValue):
        raise ValueError(remark("error_value_do", code=cell.code, do=_leave_out(cell.code, column)))
    else:
        raise ValueError(remark("value_missing") if cell is None else reason(cell))
    column.percent_signs |= amount.percent
    return amount


def hundredfold(number: Decimal) -> Decimal:
    """Exactly a hundred times the number, with as many digits as it is written with."""
    return digits_kept(shifted(number, 2))


def shifted(number: Decimal, power: int) -> Decimal:
    """Exactly the number times this power of ten."""
    sign, digits, exponent = number.as_tuple()
    return Decimal((sign, digits, int(exponent) + power))


def read_number(text: str, decimal: str | None = None) -> Decimal:
    """The number that a text is (`parse_decimal`). Raises ValueError with a remark."""
    try:
        return parse_decimal(text, decimal=decimal)
    except NumberError as error:
        raise ValueError(_no_number(error)) from None


def digits_kept(value: Decimal | int | float) -> Decimal:
    """`exact`, with a remark in the ValueError for a number of too many digits."""
    try:
        return exact(value)
    except ValueError:
        endless = isinstance(value, float) and not math.isfinite(value)
        told = remark("number_not_finite", text=str(value)) if endless else remark("number_digits", most=MAX_DIGITS)
        raise ValueError(told) from None


def _no_number(error: NumberError) -> Remark:
    if error.fault is NumberFault.EMPTY:
        return remark("number_empty")
    if error.fault is NumberFault.LONG:
        return remark("number_long", length=len(error.text))
    return remark(f"number_{error.fault}", text=repr(error.text))


def _of_float(value: int | float) -> Decimal:
    number = digits_kept(value)
    if isinstance(value, float) and len(number.normalize().as_tuple().digits) > _SHOWN_DIGITS:
        return exact(format(value, f".{_SHOWN_DIGITS}g"))
    return number


def _of_text(text: str, column: Column) -> Amount:
    plain = text.strip()
    bare = plain[:-1] if plain.endswith(PERCENT_SIGNS) else plain
    percent = bare is not plain
    try:
        parsed = parse_decimal(bare)
    except NumberError as error:
        if not any(sign.isdigit() for sign in bare):
            do = _leave_out(plain, column)
            raise ValueError(remark("number_missing", text=shortened(plain), do=do)) from None
        if _is_open(bare):
            return Amount(None, bare, percent)
        if error.fault is NumberFault.NONE:
            raise ValueError(remark("number_words", text=repr(error.text))) from None
        raise ValueError(_no_number(error)) from None
    number = digits_kept(parsed)
    if mark := _mark(bare, number):
        column.marks.add(mark)
    return Amount(number, percent=percent)


def _leave_out(text: str, column: Column) -> Remark:
    """How a figure that is not there is left out."""
    return remark("do_say_empty", text=shortened(text)[1:-1]) if column.mapped else remark("do_leave_out")


def _two_readings(text: str) -> Remark:
    """What to say about a text such as "1,320", which two habits of writing read differently."""
    mark = "," if "," in text else "."
    whole, part = sorted((parse_decimal(text, decimal=","), parse_decimal(text, decimal=".")), key=abs, reverse=True)
    digits = written(part).rstrip("0").removesuffix(".")
    places = len(digits.partition(".")[2])
    # Not three decimals again, which would leave it as open as before.
    clear = {0: f"{digits}.0", _THREES: f"{digits}0"}.get(places, digits).replace(".", mark)
    code = {",": "two_numbers_comma", ".": "two_numbers_point"}[mark]
    return remark(code, text=repr(text), whole=written(whole), part=digits.replace(".", mark), clear=clear)


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
