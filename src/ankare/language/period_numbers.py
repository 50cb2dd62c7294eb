"""Which numbers and codes are years and parts of years, whatever the words around them?

A number that is part of something longer (an amount, a decimal, an order number, an address) is a token of its own kind, which
ends every stretch of time words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ankare.language.period_forms import make_period
from ankare.language.period_words import FISCAL, PLAIN, WORD, Vocabulary, alternatives
from ankare.language.tokens import CJK

FIRST_BARE_YEAR, LAST_BARE_YEAR = 1900, 2199
"""A number outside is no year unless a word says so ("FY1850")."""
_PIVOT = 69
"""Two digits from here on belong to the last century, as in POSIX `strptime`."""
SIGN_KINDS = {"-": "-", "~": "t", "/": "/", ",": ",", "&": "a", "+": "a"}
_MONTH_LETTER = "m"
_MONTHS, _DAYS = 12, 31


class Token(NamedTuple):
    """A word or sign of time. `kind`: a letter of `period_words.KINDS`, or of the numbers:

    y a bare year, Y a year that is marked as one, E two digits and a sign for year, e two digits after a dash, F a part of
    a year with its year, c such a part without a unit ("03/2024"), Q a numbered part ("Q3"), H and J one by an ordinal and
    by a counting unit, p one that needs a year beside it ("1H"), i the like of no supported type, O an ordinal, N a small
    number, d a fraction or a date, X a time that no type has, D any other number; and the signs "-", "/", ",".
    """

    kind: str
    start: int
    end: int
    type: str = ""
    number: int = 0
    year: int = 0
    told: bool = False


class Patterns(NamedTuple):
    """Patterns of a set of languages, each with the name of its group: `led_by_digit` and `led_by_letter` begin a word, where
    the order is that of trying; `inside` may begin within one, before phrases, and `signs` after them."""

    led_by_digit: tuple[tuple[str, str], ...]
    led_by_letter: tuple[tuple[str, str], ...]
    inside: tuple[tuple[str, str], ...]
    signs: tuple[tuple[str, str], ...]


BEGIN, END = rf"(?<![^\W{CJK}])", rf"(?![^\W{CJK}])"
"""Where a word may begin and end: Chinese is written without spaces."""
_NO_DECIMAL = r"(?![.:][0-9]|,[0-9](?![0-9]{3}(?![0-9])))(?!\s?[%‰°])"
_NO_CODE = r"(?![-/](?![0-9]{4}(?![0-9]))[^\W\d_]*[0-9])"
_FREE = END + _NO_DECIMAL + _NO_CODE
_DATE = "|".join(
    (
        r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}",
        r"[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}",
        r"[0-9]{2}[-/][0-9]{2}[-/][0-9]{2}",
    )
)
_YEAR = "(?:[0-9]{4}|[0-9]{2})"


def number_patterns(words: Vocabulary) -> Patterns:
    """The patterns of everything with a number in it; longer readings stand before shorter ones."""
    return Patterns(_led_by_digit(words), _led_by_letter(words), _inside(words), _signs(words))


def _led_by_digit(words: Vocabulary) -> tuple[tuple[str, str], ...]:
    letters, suffix = alternatives((*words.letters, *words.leading, _MONTH_LETTER)), words.suffixes
    return (
        ("idiom", words.idioms + END),
        ("grouped", r"[0-9]{1,3}(?:\s[0-9]{3})+(?![0-9])"),
        ("date", rf"(?:{_DATE})(?:t[0-9:.z+-]+)?{END}(?![-/.:][0-9])"),
        ("year_month", rf"[0-9]{{4}}(?:-[0-9]{{1,2}}|/(?:0?[0-9]|1[012])){_FREE}"),
        ("split", rf"[0-9]{{4}}/{_YEAR}{_FREE}"),
        ("part_year", rf"[0-9]{{1,2}}[-/][0-9]{{4}}{_FREE}"),
        ("slashed", rf"[0-9]{{1,2}}/[0-9]{{1,2}}{_FREE}"),
        ("year_part", rf"[0-9]{{4}}(?:[-/:.]?{letters}[0-9]{{1,2}}|[-/:.][0-9]{letters}){END}"),
        ("counted", rf"[0-9]{{1,2}}{letters}{_YEAR}?{END}"),
        ("decade", rf"(?:[0-9]{{3}}0{suffix['decade']}|[0-9]0{suffix['short decade']}){END}"),
        ("ordinal", rf"[0-9]{{1,2}}{suffix['ordinal']}{END}"),
        ("marked_year", rf"[0-9]{{4}}\s?{suffix['year']}"),
        ("short_year", rf"[0-9]{{2}}{suffix['year']}"),
        ("year", rf"[0-9]{{4}}(?:[':]s)?(?!\s[0-9]{{3}}(?![0-9])){_FREE}"),
        ("small", rf"[0-9]{{1,2}}{END}{_NO_DECIMAL}(?!/\w)(?!-[0-9]{{3}}|-[0-9]{{1,2}}[.,-])"),
        ("other", r"[0-9]\w*(?:[-/.:,]\w+)*"),
    )


def _led_by_letter(words: Vocabulary) -> tuple[tuple[str, str], ...]:
    letters, fiscal = alternatives((*words.letters, *words.leading)), _fiscal_letters(words)
    leading = rf"{alternatives(words.leading)}(?:[0-9]|\s[0-9](?=\s(?:19|20)[0-9]{{2}}{END}))"
    behind = rf"/{_YEAR}|-[0-9]{{2}}|[-/:.]?{letters}[0-9]"
    return (
        ("fiscal", rf"{fiscal}[\s-]?'?{_YEAR}(?:{behind})?{END}{_NO_DECIMAL}(?![-/](?![0-9]{{4}}(?![0-9]))[0-9])"),
        (
            "leading_code",
            rf"{leading}(?:{END}|(?={fiscal})){_NO_DECIMAL}(?!-[0-9]{{3}}(?![0-9]))",
        ),
        ("code", rf"{letters}\s?-?[0-9]{{1,2}}(?:{END}|(?={fiscal}))"),
    )


def _inside(words: Vocabulary) -> tuple[tuple[str, str], ...]:
    numerals = _numeral_signs(words)
    ordinal = rf"{words.ordinal_prefix}\s?(?:[0-9]{{1,2}}(?![0-9])|{numerals}{{1,3}}){words.ordinal_counter}?"
    return (
        ("fiscal_part", rf"(?<=[0-9]){_fiscal_letters(words)}'?{_YEAR}{END}"),
        ("numeral_year", rf"{numerals}{{4}}{words.suffixes['year']}"),
        ("numeral_ordinal", ordinal),
    )


def _signs(words: Vocabulary) -> tuple[tuple[str, str], ...]:
    return (
        ("numeral", rf"{_numeral_signs(words)}{{1,3}}"),
        ("dashed", rf"(?:(?<=[\w.])[-/]|(?<=\s)-)[0-9]{{2}}{_FREE}(?!{words.units})"),
        ("quoted", rf"'[0-9]{{2}}{_FREE}"),
        ("sign", f"[{re.escape(''.join(SIGN_KINDS))}]"),
    )


def _fiscal_letters(words: Vocabulary) -> str:
    return alternatives(letter for letter, kind in words.letters.items() if kind == "FY")


def _numeral_signs(words: Vocabulary) -> str:
    return f"[{''.join(words.numerals)}]" if words.numerals else "(?!)"


def read_number(group: str, match: re.Match[str], words: Vocabulary) -> Token:
    """The token of a match in a group of these patterns; an unknown group is a number that is no time."""
    read = _READERS.get(group)
    token = Token("D", 0, 0) if read is None else read(_PARTS.findall(match[0]), words)
    return token._replace(start=match.start(), end=match.end())


_PARTS = re.compile(r"[0-9]+|[^\W\d_]+\.?")
_UNREADABLE = Token("X", 0, 0)


def _year(parts: list[str], words: Vocabulary) -> Token:
    year = int(parts[0])
    return Token("y" if FIRST_BARE_YEAR <= year <= LAST_BARE_YEAR else "D", 0, 0, "FY", year=year)


def _marked_year(parts: list[str], words: Vocabulary) -> Token:
    return Token("Y", 0, 0, "FY", PLAIN, int(parts[0]))


def _short_year(parts: list[str], words: Vocabulary) -> Token:
    return Token("E", 0, 0, "FY", PLAIN, _full(parts[0]))


def _dashed_year(parts: list[str], words: Vocabulary) -> Token:
    return Token("e", 0, 0, "FY", PLAIN, _full(parts[0]))


def _quoted_year(parts: list[str], words: Vocabulary) -> Token:
    return Token("y", 0, 0, "FY", PLAIN, _full(parts[0]))


def _fiscal_year(parts: list[str], words: Vocabulary) -> Token:
    """FY24, FY24Q3; FY23/24 is no calendar year."""
    year = _full(parts[1])
    if len(parts) == 2:
        return Token("Y", 0, 0, "FY", FISCAL, year)
    return _dated_part(_type_before(parts[2], words), int(parts[3]), year) if len(parts) == 4 else _UNREADABLE


def _year_month(parts: list[str], words: Vocabulary) -> Token:
    """2024-03; one digit could be a quarter as well."""
    return _dated_part("MONTH" if len(parts[1]) == 2 else "", int(parts[1]), int(parts[0]))


def _split_year(parts: list[str], words: Vocabulary) -> Token:
    """2023/24 and 2023/2024 are no calendar year; 2005/36 is the number of something."""
    follows = len(parts[1]) == 4 or int(parts[1]) == (int(parts[0]) + 1) % 100
    return _UNREADABLE if follows else Token("D", 0, 0)


def _part_year(parts: list[str], words: Vocabulary) -> Token:
    """03/2024 is a month; 3/2024 is what a word before it says."""
    return Token("c", 0, 0, "MONTH" if len(parts[0]) == 2 else "", int(parts[0]), int(parts[1]))


def _slashed(parts: list[str], words: Vocabulary) -> Token:
    """31/12 is a day; 1/3 a day or a fraction; 23/24 a split year."""
    first, second = int(parts[0]), int(parts[1])
    if second <= _MONTHS < first <= _DAYS:
        return Token("X", 0, 0, "day")
    return _UNREADABLE if _MONTHS < first == second - 1 else Token("d", 0, 0)


def _year_part(parts: list[str], words: Vocabulary) -> Token:
    """2024Q3, 2024-3Q, 2024M03."""
    if not parts[2].isdecimal():
        return _dated_part(words.letters.get(parts[2], ""), int(parts[1]), int(parts[0]))
    kind = "MONTH" if parts[1] == _MONTH_LETTER else _type_before(parts[1], words)
    return _dated_part(kind, int(parts[2]), int(parts[0]))


def _counted(parts: list[str], words: Vocabulary) -> Token:
    """3Q24, 1H; 9M24 is a span of nine months."""
    kind, number = words.letters.get(parts[1], ""), int(parts[0])
    if len(parts) == 3:
        return _dated_part(kind, number, _full(parts[2]))
    return Token("p" if kind else "i", 0, 0, kind, number)


def _code(parts: list[str], words: Vocabulary) -> Token:
    kind = words.letters.get(parts[0], "")
    return Token("Q" if kind else "i", 0, 0, kind, int(parts[1]))


def _leading_code(parts: list[str], words: Vocabulary) -> Token:
    """T1; "T7" is the name of something else."""
    kind, number = words.leading[parts[0]], int(parts[1])
    exists = make_period(kind, FIRST_BARE_YEAR, number) is not None
    return Token("Q" if exists else "i", 0, 0, kind if exists else "", number)


def _type_before(letter: str, words: Vocabulary) -> str:
    """The type that a letter names before a number; "" for none."""
    return words.leading.get(letter) or words.letters.get(letter, "")


def _ordinal(parts: list[str], words: Vocabulary) -> Token:
    digits = next(part for part in parts if part.isdecimal())
    return Token("O", 0, 0, number=int(digits))


def _small(parts: list[str], words: Vocabulary) -> Token:
    return Token("N", 0, 0, number=int(parts[0]))


def _numeral_year(parts: list[str], words: Vocabulary) -> Token:
    year = int("".join(str(words.numerals[sign]) for sign in parts[0][:4]))
    return Token("Y", 0, 0, "FY", PLAIN, year)


def _numeral(parts: list[str], words: Vocabulary) -> Token:
    return Token("N", 0, 0, WORD, _value(parts[0], words))


def _numeral_ordinal(parts: list[str], words: Vocabulary) -> Token:
    digits = next((part for part in parts if part.isdecimal()), "")
    return Token("O", 0, 0, number=int(digits) if digits else _value(parts[0], words))


def _value(numeral: str, words: Vocabulary) -> int:
    """The value of a numeral up to 99; other signs in it do not count."""
    total, digit = 0, 0
    for sign in numeral:
        value = words.numerals.get(sign)
        if value == 10:
            total, digit = total + 10 * (digit or 1), 0
        elif value is not None:
            digit = value
    return total + digit


def _dated_part(kind: str, number: int, year: int) -> Token:
    if not kind or make_period(kind, year, number) is None:
        return _UNREADABLE
    return Token("F", 0, 0, kind, number, year)


def _full(digits: str) -> int:
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + (2000 if year < _PIVOT else 1900)


_READERS: dict[str, Callable[[list[str], Vocabulary], Token]] = {
    "date": lambda parts, words: _UNREADABLE,
    "split": _split_year,
    "decade": lambda parts, words: _UNREADABLE,
    "year_month": _year_month,
    "part_year": _part_year,
    "slashed": _slashed,
    "year_part": _year_part,
    "counted": _counted,
    "ordinal": _ordinal,
    "marked_year": _marked_year,
    "short_year": _short_year,
    "year": _year,
    "small": _small,
    "fiscal": _fiscal_year,
    "fiscal_part": _fiscal_year,
    "leading_code": _leading_code,
    "code": _code,
    "dashed": _dashed_year,
    "quoted": _quoted_year,
    "numeral_year": _numeral_year,
    "numeral_ordinal": _numeral_ordinal,
    "numeral": _numeral,
}
