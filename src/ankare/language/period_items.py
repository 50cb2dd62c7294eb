"""What does one run of words of time say ("tredje kvartalet 2024", "last year's Q3", "2024年3月")?

The kinds of a run's tokens spell a shape. Units first meet their numbers and steps; then the run is read only where its
whole shape is one that is known. Any other run that speaks of time is *lost*: it gives no period, so that no time is ever
read as a longer one than it names ("15 mars 2024" is not March, "Q5 2024" not 2024).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ankare.language.period_forms import PER_YEAR, make_period
from ankare.language.period_numbers import Token
from ankare.language.period_words import CODE, PART_OF, PLAIN, WORD

_SPOKEN = re.compile("[yYEFcMPQHJRSXW]|[NO]m|m[NO]")
"""A shape that surely speaks of time."""
_DATED = re.compile("[yYEFcRr]")
_ANY_YEAR = 2000
_LONGEST_RUN = 12
"""Tokens; no time is told in more."""


class Part(NamedTuple):
    """A part of a year: the type of period and which of them; type "" for a number that has not met its unit yet."""

    type: str
    number: int


class Step(NamedTuple):
    """So many periods of a type later (earlier where negative), counted from the reference date or, where `told`, from a
    period that was named before."""

    type: str
    steps: int
    told: bool


class Trailing(NamedTuple):
    """The last so many whole periods of a type before the reference date."""

    type: str
    number: int


class Item(NamedTuple):
    """What one run says, and where it stands in the folded text.

    `parts` of `years`: without parts the whole year, without years the year has to be found. `step`: a quarter, half or
    month counted from another. `same`: the type in "the same quarter", "" in "the same period". `insists`: how much the wording
    insists on the year (`period_words`: PLAIN, FISCAL, WHOLE); `bare`: nothing but the number says that it is a year.
    `year_first`: "2024 Q3", not "Q3 2024". `counted`: how the part got its number (a letter of the tokens), "" for a name.
    `lost`: a time that cannot be expressed; `dated`: one that names no year ("15 mars"). `lent`: the parts are another item's.
    `weak`: hardly a time unless something else says so, as a word ("may") or a code ("9M", "1/3", a unit). `span`: what a lost
    item says of a span, the last so many periods or all since the one that an item names ("sedan 2022").
    """

    start: int
    end: int
    parts: tuple[Part, ...] = ()
    years: tuple[int | Step, ...] = ()
    step: Step | None = None
    same: str | None = None
    insists: int = PLAIN
    bare: bool = False
    year_first: bool = False
    counted: str = ""
    lost: bool = False
    dated: bool = False
    lent: bool = False
    weak: str = ""
    span: Trailing | Item | None = None

    @property
    def only_parts(self) -> bool:
        """Does the item name a part of a year, and no year?"""
        return bool(self.parts) and not self.years and not self.lost

    @property
    def only_years(self) -> bool:
        """Does the item name a year, and no part of it?"""
        return bool(self.years) and not self.parts and not self.lost and self.same is None


def read_run(run: Sequence[Token], closed: bool) -> Item | None:
    """What a run says; None where it does not speak of time. `closed`: no unknown word stands right after it."""
    bearing = _bearing(run)
    if not bearing or len(bearing) > _LONGEST_RUN:
        return Item(run[0].start, run[-1].end, lost=True) if _SPOKEN.search(_shape(bearing)) else None
    if bearing[0].kind in _OPENING or bearing[-1].kind == _ONWARDS:
        span = _span_since(bearing, closed)
        if span is not None:
            return span
    units = [token.number for token in bearing if token.kind == "A"]
    united = _trimmed(_united(bearing), closed)
    blank = Item(united[0].start, united[-1].end, insists=max(units, default=PLAIN), bare=not units)
    tokens = [token for token in united if token.kind not in "gA"]
    shape = _shape(tokens)
    item = _read_shape(shape, tokens, blank)
    if item is None and _SPOKEN.search(shape):
        dated = not _DATED.search(shape) and any(token.type for token in tokens)
        return blank._replace(lost=True, dated=dated)
    if item is None or _is_part_of_something(shape, run) or (shape == "N" and not closed):
        return None
    weak = _WEAK.get(shape, "")
    return item._replace(weak="" if item.only_parts and run[0].kind == "g" else weak)


_OPENING, _ONWARDS = "Kf", "z"


def _span_since(bearing: Sequence[Token], closed: bool) -> Item | None:
    """All since the one period that the rest of the run names with its year; None where it names none."""
    inner = bearing[bearing[0].kind in _OPENING : len(bearing) - (bearing[-1].kind == _ONWARDS)]
    item = read_run(inner, closed or bearing[-1].kind == _ONWARDS) if inner else None
    if item is None or item.lost or item.same is not None or item.counted in ("N", "O"):
        return None
    end = bearing[-1].end if bearing[-1].kind == _ONWARDS else item.end
    return Item(bearing[0].start, end, lost=True, span=item) if item.years or item.step else None


_WEAK = {"m": WORD, "p": CODE, "i": CODE, "d": CODE, "U": CODE, "u": CODE}


def _bearing(run: Sequence[Token]) -> list[Token]:
    """The tokens from the first to the last that bear meaning; "the period" bears one where it is a last or the same one."""
    bearing: list[Token] = []
    for token in run:
        if token.kind == "s" and not (bearing and bearing[-1].kind in "BLlh"):
            continue
        if bearing or token.kind != "g":
            bearing.append(token)
    while bearing and bearing[-1].kind == "g":
        bearing.pop()
    return bearing


def _is_part_of_something(shape: str, run: Sequence[Token]) -> bool:
    """Is it the first half of a report, a quarter of the staff?"""
    last = run[-1] if run[-1].number == PART_OF or len(run) == 1 else run[-2]
    return shape in ("H", "U") and last.kind == "g" and last.number == PART_OF


def _trimmed(tokens: list[Token], closed: bool) -> list[Token]:
    """Without a word at the edge that belongs to something else ("topp 5 Q3 2024", "årets första rapport")."""
    shape = _shape(tokens)
    if re.match("h[yYF]|N(?:Q[yYRF]|F)", shape):
        return tokens[1:]
    if closed:
        return tokens
    if re.search("[MPQH]g?[yY]N$", shape):
        return tokens[:-1]
    last = len(tokens)
    while last > 1 and (tokens[last - 1].kind in "LOg" or tokens[last - 1].type == WORD):
        last -= 1
    return tokens[:last]


def _united(tokens: list[Token]) -> list[Token]:
    """The tokens after units have met their numbers and steps ("tredje" + "kvartalet", "förra" + "året")."""
    while (union := _union(_shape(tokens))) is not None:
        first, last, unite = union
        whole = unite(*tokens[first : last + 1])
        tokens[first : last + 1] = [whole._replace(start=tokens[first].start, end=tokens[last].end)]
    return tokens


def _shape(tokens: Sequence[Token]) -> str:
    return "".join([token.kind for token in tokens])


@lru_cache(maxsize=2048)
def _union(shape: str) -> tuple[int, int, Callable[..., Token]] | None:
    """The first union in a shape: its first and last place, and what the two become; the rules come in their order."""
    for pattern, unite in _UNIONS:
        match = pattern.search(shape)
        if match is not None:
            return match.start(), match.end() - 1, unite
    return None


def _trailing(first: Token, number: Token, unit: Token) -> Token:
    """De senaste tre åren, the last three years; "the next three years" and "the three years before" are none."""
    back = first.kind == "h" or (first.number == -1 and not first.told)
    known = back and unit.type in PER_YEAR and number.number > 0
    return Token("W", 0, 0, unit.type, number.number) if known else Token("X", 0, 0)


def _no_period(*tokens: Token) -> Token:
    return Token("X", 0, 0)


def _no_period_in_year(first: Token, last: Token) -> Token:
    return Token("X", 0, 0, "other")


def _same_as(first: Token, last: Token) -> Token:
    """The same quarter; the same year is no step away from the one that was named."""
    if last.kind == "A":
        return Token("R", 0, 0, "FY", 0, told=True)
    return Token("S", 0, 0, last.type)


def _ago(first: Token, last: Token) -> Token:
    return Token("R", 0, 0, last.type, -first.number)


def _stepped(first: Token, last: Token) -> Token:
    return Token("R", 0, 0, last.type, first.number, told=first.told)


def _by_ordinal(first: Token, last: Token) -> Token:
    return Token("H", 0, 0, last.type, first.number)


def _by_number(first: Token, last: Token) -> Token:
    return Token("Q", 0, 0, first.type, last.number)


def _by_counter(first: Token, last: Token) -> Token:
    return Token("J", 0, 0, last.type, first.number)


def _with_year(first: Token, last: Token) -> Token:
    """Kvartal 3/2024."""
    return Token("F", 0, 0, first.type, last.number, last.year)


def _the_part(first: Token, *rest: Token) -> Token:
    """Q3-kvartalet, mars månad, månaden mars: the unit says nothing new, unless it is another one."""
    last = rest[-1]
    part, unit = (last, first) if first.kind == "U" else (first, last)
    return part if part.type == unit.type else Token("X", 0, 0, "other")


_UNIONS: tuple[tuple[re.Pattern[str], Callable[..., Token]], ...] = tuple(
    (re.compile(pattern), unite)
    for pattern, unite in (
        ("B[UVAs]", _same_as),
        ("NG", _ago),
        ("[hlL]N[UVAuZ]", _trailing),
        ("[lh]N?[UVAujZs]|LN[UVAujZ]|L[Vujs]|ON[UVZ]", _no_period),
        ("L[UA]", _stepped),
        ("O[UVZ]", _by_ordinal),
        ("[UV][NO]", _by_number),
        ("Uc", _with_year),
        ("NZ", _by_counter),
        ("[QHJPMmp][UZ]|Ug?M", _the_part),
        ("[uj][NO]|Ou", _no_period_in_year),
    )
)


_LONGEST_SHAPE = 2


def _read_shape(shape: str, tokens: list[Token], blank: Item) -> Item | None:
    """The item of a shape that is known and of a period that exists; None otherwise."""
    read = _reader(shape) if len(shape) <= _LONGEST_SHAPE else None
    return None if read is None else read(tokens, blank)


@cache
def _reader(shape: str) -> Callable[[list[Token], Item], Item | None] | None:
    return next((read for pattern, read in _SHAPES if pattern.fullmatch(shape)), None)


def _year(tokens: list[Token], blank: Item) -> Item | None:
    token = tokens[0]
    if token.kind == "R" and token.type != "FY":
        return blank._replace(step=Step(token.type, token.number, token.told))
    years = _years(token)
    insists = max(blank.insists, token.number) if token.kind == "Y" else blank.insists
    return blank._replace(years=years, insists=insists, bare=blank.bare and token.kind == "y") if years else None


def _part(tokens: list[Token], blank: Item) -> Item | None:
    parts = _parts(tokens[0])
    return blank._replace(parts=parts, counted=_counted(tokens[0])) if parts else None


def _span(tokens: list[Token], blank: Item) -> Item | None:
    return blank._replace(lost=True, span=Trailing(tokens[0].type, tokens[0].number))


def _date(tokens: list[Token], blank: Item) -> Item | None:
    return blank._replace(lost=True, dated=True)


def _part_of_year(tokens: list[Token], blank: Item) -> Item | None:
    parts, years = _parts(tokens[0]), _years(tokens[1])
    return blank._replace(parts=parts, years=years, counted=_counted(tokens[0])) if parts and years else None


def _year_and_part(tokens: list[Token], blank: Item) -> Item | None:
    item = _part_of_year(tokens[::-1], blank)
    return item and item._replace(year_first=True)


def _quarter_of_short_year(tokens: list[Token], blank: Item) -> Item | None:
    """Q3 24."""
    year = tokens[1].number
    return _part_of_year([tokens[0], Token("e", 0, 0, "FY", year=2000 + year)], blank) if year > 9 else None


def _code(tokens: list[Token], blank: Item) -> Item | None:
    """2024Q3 and 03/2024, which carry their year."""
    token = tokens[0]
    item = _part_of_year([token, token], blank) if token.type else None
    return item and item._replace(year_first=token.kind == "F")


def _number_with_year(tokens: list[Token], blank: Item) -> Item | None:
    first, last = tokens
    number, year = (first, last) if first.kind in "NO" else (last, first)
    part = Part("", number.number)
    return blank._replace(parts=(part,), years=_years(year), counted=number.kind, year_first=number is last)


def _number(tokens: list[Token], blank: Item) -> Item | None:
    return blank._replace(parts=(Part("", tokens[0].number),), counted=tokens[0].kind)


def _same(tokens: list[Token], blank: Item) -> Item | None:
    same = next(token for token in tokens if token.kind == "S")
    others = [token for token in tokens if token is not same]
    years = _years(others[0]) if others else ()
    return blank._replace(same=same.type, years=years) if years or not others else None


_PART = "[QHJPMmp]"
_SHAPES: tuple[tuple[re.Pattern[str], Callable[[list[Token], Item], Item | None]], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        ("[yYR]", _year),
        (_PART, _part),
        ("[idUu]", _date),
        ("W", _span),
        (f"{_PART}[yYEeRr]", _part_of_year),
        (f"[yYERr]{_PART}", _year_and_part),
        ("QN", _quarter_of_short_year),
        ("[Fc]", _code),
        ("[NO]", _number),
        ("[NO][yY]|[yY][NO]", _number_with_year),
        ("S|S[yYR]|[yYR]S", _same),
    )
)


def _years(token: Token) -> tuple[int | Step, ...]:
    """The year of a token; nothing for a relative quarter, half or month, or a year beyond those that are read."""
    if token.kind in "Rr":
        return (Step("FY", token.number, token.told),) if token.type == "FY" else ()
    return (token.year,) if make_period("FY", token.year) else ()


def _parts(token: Token) -> tuple[Part, ...]:
    """The part of a year; nothing where no year has it ("Q5")."""
    return (Part(token.type, token.number),) if make_period(token.type, _ANY_YEAR, token.number) else ()


def _counted(token: Token) -> str:
    return token.kind if token.kind in "QHJF" else ""
