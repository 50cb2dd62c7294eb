"""Which values are read word by word: numbers with and without a unit, dates in words, fractions, ordinals?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ankare.language.measure_value import FULL, PARTS, Value
from ankare.language.measure_words import LONGEST_NUMBER, MeasureWords, spelled_count

_PIECE = re.compile(
    r"(?P<number>\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?:,\d+)?(?!\d)|\d+(?:[.,]\d+)*)"
    r"(?P<suffix>:[ae]|(?<=\d)(?:st|nd|rd|th)\b)?"
    r"|(?P<word>[^\W\d_]+(?:[-/][^\W\d_]+|\.(?=[^\W\d_]))*[²³]?)|(?P<sign>[%‰€$£°§])"
)
_GROUPED = re.compile(r"[1-9]\d{0,2},\d{3}")
_CODE_TAIL = re.compile(r"(?![mglhwt](?![^\W\d_]))(?:[^\W\d_](?![^\W\d_])|[^\W\d_]{3})")
"""What follows the digits of a code ("4A", "B12c"): letters that are no unit of one letter."""


_YEAR = range(1900, 2101)


_LAST_DAY = {month: 31 if month in (1, 3, 5, 7, 8, 10, 12) else 28 if month == 2 else 30 for month in range(1, 13)}


@dataclass(frozen=True, slots=True)
class Piece:
    """A number, word or sign of a text in small letters."""

    kind: str
    text: str
    start: int
    end: int


def pieces_of(text: str) -> list[Piece]:
    """The pieces of a text in small letters, in order."""
    pieces = []
    for match in _PIECE.finditer(text):
        kind = match.lastgroup or ""
        kind = "number" if match["number"] else kind
        if kind == "number" and not match["suffix"] and _CODE_TAIL.match(text, match.end()):
            kind = "code"
        pieces.append(Piece(kind, match[0], match.start(), match.end()))
    return pieces


def values_in_pieces(pieces: list[Piece], words: MeasureWords) -> list[Value]:
    """The values that the pieces spell, the longest reading at each place."""
    found: list[Value] = []
    position = 0
    while position < len(pieces):
        piece = pieces[position]
        if piece.kind == "word" and piece.text not in words.opening and spelled_count(piece.text, words) is None:
            position += 1
            continue
        for reader in (_date, _part_of_year, _week, _fraction, _measure, _ordinal, _named_day):
            read = reader(pieces, position, words)
            if read is not None:
                value, length = read
                found.append(value)
                position += length
                break
        else:
            position += 1
    return found


_Read = tuple[Value, int] | None


def _at(pieces: list[Piece], position: int) -> str:
    return pieces[position].text if 0 <= position < len(pieces) else ""


def _whole(piece: str, words: MeasureWords) -> int | None:
    """A day or other small number in digits, with or without an ordinal ending, or an ordinal word."""
    digits = piece.partition(":")[0]
    digits = re.sub(r"(?:st|nd|rd|th)$", "", digits)
    if digits.isdecimal() and len(digits) <= 4:
        return int(digits)
    return words.ordinals.get(piece)


def _date(pieces: list[Piece], position: int, words: MeasureWords) -> _Read:
    """1 mars 2025, den första mars, sista mars, mars 2025, mars, March 1(,) 2025, 2025."""
    first = _at(pieces, position)
    if first in words.lists["last"] and _at(pieces, position + 1) in words.months:
        last = words.months[_at(pieces, position + 1)]
        return _dated(pieces, position, 2, {"d": _LAST_DAY[last], "m": last})
    fields: dict[str, int] = {}
    length = 0
    day = _whole(first, words)
    month = words.months.get(_at(pieces, position + 1))
    if month is None and _at(pieces, position + 1) == "of":
        month = words.months.get(_at(pieces, position + 2))
        length = 1
    if day is not None and 1 <= day <= 31 and month:
        fields, length = {"d": day, "m": month}, length + 2
    elif first in words.months and not (
        first in ("may", "march")
        and position
        and _at(pieces, position - 1)
        not in (
            "in",
            "on",
            "by",
            "until",
            "before",
            "after",
            "since",
            "from",
            "to",
            "end",
            "of",
            "early",
            "late",
            "mid",
            "and",
            "between",
        )
    ):
        fields, length = {"m": words.months[first]}, 1
        day = _whole(_at(pieces, position + 1), words)
        if "march" in words.months and day is not None and 1 <= day <= 31:
            fields["d"], length = day, 2
    if fields:
        year = _at(pieces, position + length)
        if year.isdecimal() and int(year) in _YEAR:
            fields["y"], length = int(year), length + 1
        return _dated(pieces, position, length, fields)
    if first.isdecimal() and len(first) == 4 and int(first) in _YEAR and not _measured(pieces, position + 1, words):
        return _dated(pieces, position, 1, {"y": int(first)})
    return None


def _measured(pieces: list[Piece], position: int, words: MeasureWords) -> bool:
    return _at(pieces, position) in words.units or _at(pieces, position) in words.tens


def _dated(pieces: list[Piece], position: int, length: int, fields: Mapping[str, int]) -> _Read:
    start, end = pieces[position].start, pieces[position + length - 1].end
    return Value("date", start, end, fields=fields), length


def _part_of_year(pieces: list[Piece], position: int, words: MeasureWords) -> _Read:
    """Första kvartalet 2025, Q1 2025, andra halvåret, T2 2024, tertial 2."""
    found = _named_part(pieces, position, words)
    if found is None:
        return None
    part, number = found
    fields, length = {part: number}, 2
    year = _at(pieces, position + length)
    if year.isdecimal() and int(year) in _YEAR:
        fields["y"], length = int(year), length + 1
    return _dated(pieces, position, length, fields)


def _named_part(pieces: list[Piece], position: int, words: MeasureWords) -> tuple[str, int] | None:
    """Which half, tertial or quarter two pieces name: by its number before or after the word, or by a code."""
    first, second = _at(pieces, position), _at(pieces, position + 1)
    if second in words.parts_of_year:
        part = words.parts_of_year[second]
        number = PARTS[part] if first in words.lists["last"] else words.ordinals.get(first)
    else:
        part = words.parts_of_year.get(first) or words.part_codes.get(first, "")
        counts = second.isdecimal() and len(second) == 1
        glued = counts and pieces[position].end == pieces[position + 1].start
        number = int(second) if counts and (glued or first not in words.lists["glued_codes"]) else None
    return (part, number) if part and number is not None and 1 <= number <= PARTS[part] else None


def _week(pieces: list[Piece], position: int, words: MeasureWords) -> _Read:
    number = _at(pieces, position + 1)
    if _at(pieces, position) in words.lists["week"] and number.isdecimal() and 1 <= int(number) <= 53:
        return _dated(pieces, position, 2, {"w": int(number)})
    return None


def _named_day(pieces: list[Piece], position: int, words: MeasureWords) -> _Read:
    word = _at(pieces, position)
    if word in words.weekdays:
        return _dated(pieces, position, 1, {"wd": words.weekdays[word]})
    if word in words.seasons:
        return _dated(pieces, position, 1, {"s": words.seasons[word]})
    return None


def _fraction(pieces: list[Piece], position: int, words: MeasureWords) -> _Read:
    """En tredjedel, tre fjärdedelar, hälften: as percent. Two and a half: not here."""
    count, length = 1, 0
    number = spelled_count(_at(pieces, position), words)
    if number is not None and number < FULL:
        count, length = number, 1
    part = words.parts.get(_at(pieces, position + length))
    if part is None:
        return None
    if _at(pieces, position + length) in ("halv", "halvt", "halva", "halvan", "half") and _measured(
        pieces, position + length + 1, words
    ):
        dimension, factor = (
            words.units[_at(pieces, position + length + 1)]
            if _at(pieces, position + length + 1) in words.units
            else ("", Fraction(1))
        )
        amount = factor / 2 * count
        return Value(
            "number", pieces[position].start, pieces[position + length + 1].end, amount, dimension, Fraction(1, 2)
        ), length + 2
    amount = part * count
    return Value(
        "number", pieces[position].start, pieces[position + length].end, amount * FULL, "percent", amount * FULL
    ), length + 1


def _measure(pieces: list[Piece], position: int, words: MeasureWords) -> _Read:
    """30, trettio, 1,2 miljoner kronor, 25 %, en och en halv timme, 3 000 kr, § 7."""
    piece = pieces[position]
    leads = piece.kind == "sign" or piece.text in words.lists["currency_codes"]
    before_sign = leads and piece.text in words.units and _at(pieces, position + 1)[:1].isdecimal()
    at = position + 1 if before_sign else position
    read = _number(pieces, at, words)
    if read is None:
        return None
    number, length, article = read
    end = at + length
    unit = piece.text if before_sign else _at(pieces, end)
    if (
        unit in ("och", "and")
        and _at(pieces, end + 1) in words.lists["articles"]
        and _at(pieces, end + 2) in ("halv", "halvt", "half")
    ):
        number, end, article = number + Fraction(1, 2), end + 3, False
        unit = _at(pieces, end)
    if (
        not before_sign
        and unit not in words.units
        and _at(pieces, end + 1) in words.units
        and unit
        in (
            "hela",
            "fulla",
            "svenska",
            "kalla",
            "helgfria",
            "påföljande",
            "sammanhängande",
            "full",
            "whole",
            "consecutive",
            "calendar",
            "working",
            "business",
        )
    ):
        dimension = words.units[_at(pieces, end + 1)][0]
        if unit in ("helgfria", "working", "business") and dimension == "days":
            return Value(
                "number", piece.start, pieces[end + 1].end, number, "workdays", number, unit=unit
            ), end + 2 - position
        unit, end = _at(pieces, end + 1), end + 1
    if unit in words.units:
        dimension, factor = words.units[unit]
        last = end if before_sign else end + 1
        return Value(
            "number", piece.start, pieces[last - 1].end, number * factor, dimension, number, article=article, unit=unit
        ), last - position
    if article:
        return None
    joined = _joined_unit(pieces, end, words)
    if joined is not None:
        dimension, factor = joined
        return Value("number", piece.start, pieces[end - 1].end, number * factor, dimension, number), end - position
    counted = _at(pieces, end) if end < len(pieces) and pieces[end].kind == "word" else ""
    return Value("number", piece.start, pieces[end - 1].end, number, "", number, unit=counted), end - position


def _joined_unit(pieces: list[Piece], position: int, words: MeasureWords) -> tuple[str, Fraction] | None:
    """The unit of "four" in "four and six months", "4–6 months", "4, 5 or 6 months"."""
    for _ in range(3):
        if _at(pieces, position) in ("och", "eller", "till", "respektive", "and", "or", "to"):
            position += 1
        read = _number(pieces, position, words)
        if read is None or read[2]:
            return None
        position += read[1]
        if _at(pieces, position) in words.units:
            return words.units[_at(pieces, position)]
    return None


def _number(pieces: list[Piece], position: int, words: MeasureWords) -> tuple[Fraction, int, bool] | None:
    if position >= len(pieces):
        return None
    piece = pieces[position]
    number = (
        _decimal(piece.text, bool(words.lists["comma_groups"]))
        if piece.kind == "number" and ":" not in piece.text and not piece.text[-1].isalpha()
        else None
    )
    article = False
    if number is None and piece.kind == "word":
        count = spelled_count(piece.text, words)
        if count is None and piece.text in words.tens and position + 1 < len(pieces):
            count = 10 ** words.tens[piece.text] if words.tens[piece.text] < 6 else None
        number = None if count is None else Fraction(count)
        article = piece.text in words.lists["articles"]
    if number is None:
        return None
    length = 1
    while _at(pieces, position + length) in words.tens and _at(pieces, position + length) not in words.units:
        number *= 10 ** words.tens[_at(pieces, position + length)]
        length, article = length + 1, False
    return number, length, article


def _ordinal(pieces: list[Piece], position: int, words: MeasureWords) -> _Read:
    """Första to trettionde where they count; "andra" only before something that is counted."""
    word = _at(pieces, position)
    number = words.ordinals.get(word)
    if number is None or (number <= 2 and _at(pieces, position + 1) not in words.lists["ordinal_nouns"]):
        return None
    amount = Fraction(number)
    return Value("ordinal", pieces[position].start, pieces[position].end, amount, "", amount), 1


def _decimal(text: str, comma_groups: bool = False) -> Fraction | None:
    """The number that digits with marks are: the last mark of two kinds is the decimal one. `comma_groups`: in "1,250" too."""
    if len(text) > LONGEST_NUMBER:
        return None
    plain = re.sub(r"[ \u00a0\u202f\u2009]", "", text)
    commas, points = plain.count(","), plain.count(".")
    if points > 1 or (commas and points and commas > 1):
        return None
    if commas and points:
        thousands, decimal = (".", ",") if plain.rfind(",") > plain.rfind(".") else (",", ".")
        plain = plain.replace(thousands, "").replace(decimal, ".")
    elif commas:
        grouped = commas > 1 or (comma_groups and _GROUPED.fullmatch(plain) is not None)
        plain = plain.replace(",", "" if grouped else ".")
    try:
        return Fraction(plain)
    except (ValueError, ZeroDivisionError):
        return None
