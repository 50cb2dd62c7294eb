"""Which numbers, measures, dates and rhythms does a text state, and which of them are the same?

"30 dagar", "trettio dagar" and "en månad" are read as values: the first two are equal, the third is not. Measures of one
dimension are compared in its own unit (minutes, days, months, metres, kronor, percent), so that "två veckor" is "14 dagar"
and "1,2 miljoner kronor" is "1 200 tkr". The words stand in the language pack (`measures.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache

from ankare.language.cues import whole_words
from ankare.language.packs import named_lists

LONGEST_NUMBER = 40
_PIECE = re.compile(
    r"(?P<number>\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?:,\d+)?(?![\d])|\d+(?:[.,]\d+)*)(?P<suffix>:[ae]|(?<=\d)(?:st|nd|rd|th)\b)?"
    r"|(?P<word>[^\W\d_]+(?:[-/][^\W\d_]+|\.(?=[^\W\d_]))*[²³]?)|(?P<sign>[%‰€$£°§])"
)
_ISO = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)(?:-(?P<d>\d\d))?(?!\d)")
_SLASHED = re.compile(r"(?<![\d/])(?P<d>\d{1,2})/(?P<m>\d{1,2})(?:[ \-/](?P<y>(?:19|20)\d\d))?(?![\d/])")
_CLOCK = re.compile(r"(?<![\d.,:])(?P<h>[01]?\d|2[0-4])[.:](?P<min>[0-5]\d)(?![\d.,:]|\s*(?:%|procent))")
_EVERY = re.compile(r"(?<!\w)(?:vart|var|every) ?(?P<nth>[^\W\d_]+) (?P<unit>[^\W\d_]+)")
_A_YEAR = {
    **dict.fromkeys(("minut", "minute", "minutes"), 525_600),
    **dict.fromkeys(("timme", "timma", "hour", "hours"), 8760),
    **dict.fromkeys(("dag", "dygn", "day", "days"), 365),
    **dict.fromkeys(("vecka", "week", "weeks"), 52),
    **dict.fromkeys(("månad", "month", "months"), 12),
    **dict.fromkeys(("kvartal", "quarter", "quarters"), 4),
    **dict.fromkeys(("år", "year", "years"), 1),
}
_YEAR = range(1900, 2101)
_HOURS = 24
FULL = 100
_SEASON_MONTHS = {1: (1, 2, 3, 4, 5, 6), 2: (6, 7, 8), 3: (8, 9, 10, 11, 12), 4: (12, 1, 2, 3)}


@dataclass(frozen=True, slots=True)
class Value:
    """A number, measure, date or rhythm, and where it stands: `text[start:end]`.

    `kind`: "number" (with or without a measure), "date", "clock", "rhythm" or "ordinal". `amount`: in the own unit of
    `dimension` ("" for a bare number); `written`: as it stands, before the unit. `fields` of a date: y, m, d, q (quarter),
    h (half-year), w (week), wd (weekday), s (season). `article`: only an article ("en månad").
    """

    kind: str
    start: int
    end: int
    amount: Fraction = Fraction(0)
    dimension: str = ""
    written: Fraction = Fraction(0)
    fields: Mapping[str, int] = field(default_factory=dict)
    article: bool = False
    unit: str = ""

    def __hash__(self) -> int:
        return hash((self.kind, self.start, self.end))


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class _Words:
    numbers: Mapping[str, int]
    tens: Mapping[str, int]
    parts: Mapping[str, Fraction]
    ordinals: Mapping[str, int]
    units: Mapping[str, tuple[str, Fraction]]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    quarters: Mapping[str, int]
    rhythms: tuple[tuple[re.Pattern[str], Fraction], ...]
    rates: tuple[tuple[re.Pattern[str], int], ...]
    lists: Mapping[str, tuple[str, ...]]


def same_value(one: Value, other: Value) -> bool:
    """Does `other` state what `one` states? A date that leaves fields open is stated by one that fills them."""
    if one.kind == "date" and other.kind == "date":
        return _dates_agree(one.fields, other.fields)
    if one.kind != other.kind and {one.kind, other.kind} != {"number", "ordinal"}:
        return False
    if one.dimension == other.dimension:
        return one.amount == other.amount
    return (not one.dimension or not other.dimension) and one.written == other.written


def same_dimension(one: Value, other: Value) -> bool:
    """Are they of a kind, so that one could be put in the other's place?"""
    return one.kind == other.kind and (one.dimension == other.dimension or not one.dimension or not other.dimension)


@lru_cache(4096)
def read_values(text: str, code: str) -> tuple[Value, ...]:
    """The values of a text in a language, in order, none within another."""
    words = _words(code if code in ("sv", "en") else "en")
    folded = _folded(text)
    found: list[Value] = []
    taken: list[tuple[int, int]] = []
    for value in (*_written_dates(folded), *_rhythms(folded, words), *_clocks(folded, words)):
        if not any(value.start < end and start < value.end for start, end in taken):
            taken.append((value.start, value.end))
            found.append(value)
    found += [value for value in _per(folded, words) if not any(value.start < e and s < value.end for s, e in taken)]
    pieces = [piece for piece in _pieces(folded) if not any(s <= piece.start < e for s, e in taken)]
    found += _in_pieces(pieces, words)
    return tuple(sorted(found, key=lambda value: value.start))


def _folded(text: str) -> str:
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _pieces(text: str) -> list[_Piece]:
    pieces = []
    for match in _PIECE.finditer(text):
        kind = match.lastgroup or ""
        kind = "number" if match["number"] else kind
        pieces.append(_Piece(kind, match[0], match.start(), match.end()))
    return pieces


def _dates_agree(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    shared = one.keys() & other.keys()
    if not all(one[key] == other[key] for key in shared):
        return False
    if shared - {"y"}:
        return True
    if "m" in other:
        month = other["m"]
        if "s" in one:
            return month in _SEASON_MONTHS[one["s"]]
        if "q" in one:
            return (month + 2) // 3 == one["q"]
        if "h" in one:
            return (month + 5) // 6 == one["h"]
    return bool(shared)


# --- forms that are read from the text as a whole


def _written_dates(text: str) -> Iterator[Value]:
    for pattern in (_ISO, _SLASHED):
        for match in pattern.finditer(text):
            fields = {key: int(value) for key, value in match.groupdict().items() if value}
            if 1 <= fields["m"] <= 12 and 1 <= fields.get("d", 1) <= 31:
                yield Value("date", match.start(), match.end(), fields=fields)


def _rhythms(text: str, words: _Words) -> Iterator[Value]:
    yield from _counted_rates(text, words)
    for match in _EVERY.finditer(text):
        number = words.ordinals.get(match["nth"]) if match["nth"] not in words.numbers else words.numbers[match["nth"]]
        number = 2 if match["nth"] in ("annan", "annat", "other", "second") else number
        if number and match["unit"] in _A_YEAR:
            often = Fraction(_A_YEAR[match["unit"]]) / number
            often = Fraction(26) if often == Fraction(365, 14) else often
            yield Value("rhythm", match.start(), match.end(), often, "rhythm", often)
    for pattern, often in words.rhythms:
        for match in pattern.finditer(text):
            yield Value("rhythm", match.start(), match.end(), often, "rhythm", often)


def _counted_rates(text: str, words: _Words) -> Iterator[Value]:
    for match in re.finditer(r"(?P<n>\d+|[^\W\d_]+) (?:gånger|gång|times|time)(?= )", text):
        count = _count(match["n"], words)
        for pattern, often in words.rates if count else ():
            rate = pattern.match(text, match.end() + 1)
            if rate and count:
                yield Value("rhythm", match.start(), rate.end(), Fraction(count * often), "rhythm", Fraction(count))


def _per(text: str, words: _Words) -> Iterator[Value]:
    """Per hour, per kilometre: what a quantity is counted against."""
    for match in re.finditer(
        r"(?<!\w)(?:per|i|om|a|an|each) (?P<unit>[^\W\d_]+)(?!\w)|/(?P<short>h|tim|dygn|dag|år|ton|kg|kwh|m2|m²|hour|day|year)(?!\w)",
        text,
    ):
        unit = match["unit"] or match["short"]
        lead = match[0].split(" ")[0]
        if unit in words.units and (lead == "per" or match["short"] or unit in words.lists["rate_units"]):
            dimension, factor = words.units[unit]
            yield Value("per", match.start(), match.end(), factor, dimension, factor)


def _clocks(text: str, words: _Words) -> Iterator[Value]:
    marks = "|".join(re.escape(mark) for mark in words.lists["clock"])
    plain = re.compile(rf"(?<!\w)(?:{marks})\s*(?P<h>[01]?\d|2[0-4])(?:[.:](?P<min>[0-5]\d))?(?!\d|[.,:]\d)")
    spelled = re.compile(rf"(?<!\w)(?:{marks}) (?P<h>[^\W\d_]+)(?P<late> på (?:kvällen|eftermiddagen))?(?!\w)")
    spans = []
    for match in spelled.finditer(text):
        hour = words.numbers.get(match["h"])
        if hour is not None and 1 <= hour <= _HOURS:
            hour = hour + 12 if match["late"] and hour < 12 else hour
            spans.append(match.span())
            yield Value("clock", match.start(), match.end(), Fraction(hour * 60), "clock", Fraction(hour * 60))
    for match in plain.finditer(text):
        spans.append(match.span())
        yield _clock(match)
    found = list(_CLOCK.finditer(text))
    for match in found:
        if any(s <= match.start() < e for s, e in spans):
            continue
        before, after = text[max(0, match.start() - 14) : match.start()], text[match.end() : match.end() + 3]
        ranged = re.search(r"(?:[–—-]|till|mellan|och|to|and|between|at|från|from|before|after|efter|före)\s*$", before)
        if ":" in match[0] or ranged or re.match(r"\s?[–—-]\s?\d", after):
            yield _clock(match)


def _clock(match: re.Match[str]) -> Value:
    minutes = int(match["h"]) * 60 + int(match["min"] or 0)
    if minutes < 12 * 60 and re.match(
        r" (?:på (?:kvällen|eftermiddagen)|pm\b|p\.m\.|in the (?:evening|afternoon))", match.string[match.end() :]
    ):
        minutes += 12 * 60
    return Value("clock", match.start(), match.end(), Fraction(minutes), "clock", Fraction(minutes))


# --- forms that are read piece by piece


def _in_pieces(pieces: list[_Piece], words: _Words) -> list[Value]:
    found: list[Value] = []
    position = 0
    while position < len(pieces):
        for reader in (_date, _quarter, _week, _fraction, _measure, _ordinal, _named_day):
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


def _at(pieces: list[_Piece], position: int) -> str:
    return pieces[position].text if 0 <= position < len(pieces) else ""


def _whole(piece: str, words: _Words) -> int | None:
    """A day or other small number in digits, with or without an ordinal ending, or an ordinal word."""
    digits = piece.partition(":")[0]
    digits = re.sub(r"(?:st|nd|rd|th)$", "", digits)
    if digits.isdigit() and len(digits) <= 4:
        return int(digits)
    return words.ordinals.get(piece)


def _date(pieces: list[_Piece], position: int, words: _Words) -> _Read:
    """1 mars 2025, den första mars, mars 2025, mars, March 1(,) 2025, 2025."""
    first = _at(pieces, position)
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
        if year.isdigit() and int(year) in _YEAR:
            fields["y"], length = int(year), length + 1
        return _dated(pieces, position, length, fields)
    if first.isdigit() and len(first) == 4 and int(first) in _YEAR and not _measured(pieces, position + 1, words):
        return _dated(pieces, position, 1, {"y": int(first)})
    return None


def _measured(pieces: list[_Piece], position: int, words: _Words) -> bool:
    return _at(pieces, position) in words.units or _at(pieces, position) in words.tens


def _dated(pieces: list[_Piece], position: int, length: int, fields: Mapping[str, int]) -> _Read:
    start, end = pieces[position].start, pieces[position + length - 1].end
    return Value("date", start, end, fields=fields), length


def _quarter(pieces: list[_Piece], position: int, words: _Words) -> _Read:
    """Första kvartalet 2025, Q1 2025, andra halvåret, vecka 12."""
    first, second = _at(pieces, position), _at(pieces, position + 1)
    fields: dict[str, int] = {}
    length = 2
    if first in words.ordinals and second in ("kvartalet", "kvartal", "quarter"):
        fields = {"q": words.ordinals[first]}
    elif first in words.ordinals and second in ("halvåret", "halvår", "half"):
        fields = {"h": words.ordinals[first]}
    elif re.fullmatch(r"(?:q|kv)", first) and second in ("1", "2", "3", "4"):
        fields = {"q": int(second)}
    if not fields:
        return None
    year = _at(pieces, position + length)
    if year.isdigit() and int(year) in _YEAR:
        fields["y"], length = int(year), length + 1
    return _dated(pieces, position, length, fields)


def _week(pieces: list[_Piece], position: int, words: _Words) -> _Read:
    number = _at(pieces, position + 1)
    if _at(pieces, position) in words.lists["week"] and number.isdigit() and 1 <= int(number) <= 53:
        return _dated(pieces, position, 2, {"w": int(number)})
    return None


def _named_day(pieces: list[_Piece], position: int, words: _Words) -> _Read:
    word = _at(pieces, position)
    if word in words.weekdays:
        return _dated(pieces, position, 1, {"wd": words.weekdays[word]})
    if word in words.seasons:
        return _dated(pieces, position, 1, {"s": words.seasons[word]})
    return None


def _fraction(pieces: list[_Piece], position: int, words: _Words) -> _Read:
    """En tredjedel, tre fjärdedelar, hälften: as percent. Two and a half: not here."""
    count, length = 1, 0
    number = _count(_at(pieces, position), words)
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


def _measure(pieces: list[_Piece], position: int, words: _Words) -> _Read:
    """30, trettio, 1,2 miljoner kronor, 25 %, en och en halv timme, 3 000 kr, § 7."""
    piece = pieces[position]
    before_sign = piece.kind == "sign" and piece.text in words.units and _at(pieces, position + 1)[:1].isdigit()
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
    return Value("number", piece.start, pieces[end - 1].end, number, "", number), end - position


def _joined_unit(pieces: list[_Piece], position: int, words: _Words) -> tuple[str, Fraction] | None:
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


def _number(pieces: list[_Piece], position: int, words: _Words) -> tuple[Fraction, int, bool] | None:
    if position >= len(pieces):
        return None
    piece = pieces[position]
    number = (
        _decimal(piece.text)
        if piece.kind == "number" and ":" not in piece.text and not piece.text[-1].isalpha()
        else None
    )
    article = False
    if number is None and piece.kind == "word":
        count = _count(piece.text, words)
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


def _ordinal(pieces: list[_Piece], position: int, words: _Words) -> _Read:
    """Första to trettionde where they count; "andra" only before something that is counted."""
    word = _at(pieces, position)
    number = words.ordinals.get(word)
    if number is None or (number <= 2 and _at(pieces, position + 1) not in words.lists["ordinal_nouns"]):
        return None
    amount = Fraction(number)
    return Value("ordinal", pieces[position].start, pieces[position].end, amount, "", amount), 1


def _decimal(text: str) -> Fraction | None:
    if len(text) > LONGEST_NUMBER:
        return None
    plain = re.sub(r"[ \u00a0\u202f\u2009]", "", text)
    if plain.count(",") == 1 and "." not in plain:
        whole, part = plain.split(",")
        plain = (
            whole + part if len(part) == 3 and whole != "0" and len(whole) <= 3 and "en" == "" else f"{whole}.{part}"
        )
    elif plain.count(",") > 1:
        plain = plain.replace(",", "")
    elif plain.count(".") > 1:
        return None
    elif "," in plain and "." in plain:
        plain = (
            plain.replace(".", "").replace(",", ".") if plain.rfind(",") > plain.rfind(".") else plain.replace(",", "")
        )
    try:
        return Fraction(plain)
    except (ValueError, ZeroDivisionError):
        return None


@lru_cache(4096)
def _spelled(word: str, code_words: tuple[tuple[str, int], ...], tens: tuple[tuple[str, int], ...]) -> int | None:
    """A number that is written as one word ("tjugofem", "etthundrafemtio", "twenty-five")."""
    total, current, rest = 0, 0, word.replace("-", "")
    seen = False
    while rest:
        for spelled, amount in code_words:
            if rest.startswith(spelled) and len(spelled) > 1:
                current, rest, seen = current + amount, rest[len(spelled) :], True
                break
        else:
            for spelled, power in tens:
                if rest.startswith(spelled):
                    scaled = (current or 1) * 10**power
                    total, current = (total + scaled, 0) if power >= 3 else (total, scaled)
                    rest, seen = rest[len(spelled) :], True
                    break
            else:
                return None
    return total + current if seen else None


def _count(word: str, words: _Words) -> int | None:
    if word.isdigit():
        return int(word) if len(word) < 7 else None
    if word in words.numbers:
        return words.numbers[word]
    if len(word) < 5 or not word[0].isalpha():
        return None
    return _spelled(word, _by_length(words.numbers), _by_length({k: v for k, v in words.tens.items() if len(k) > 3}))


def _by_length(words: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(words.items(), key=lambda item: -len(item[0])))


@cache
def _words(code: str) -> _Words:
    lists = named_lists(code, "measures")
    quarters = _keyed(lists, "quarter")
    return _Words(
        numbers={word: int(key) for key, word in _keyed(lists, "number")},
        tens={word: int(key) for key, word in _keyed(lists, "ten")},
        parts={word: Fraction(key) for key, word in _keyed(lists, "part")},
        ordinals={word: int(key) for key, word in _keyed(lists, "ordinal")},
        units={word: _unit(key) for key, word in _keyed(lists, "unit")},
        months={word: int(key) for key, word in _keyed(lists, "month")},
        weekdays={word: int(key) for key, word in _keyed(lists, "weekday")},
        seasons={word: int(key) for key, word in _keyed(lists, "season")},
        quarters={word: int(key.split()[0]) for key, word in quarters},
        rhythms=tuple(
            (pattern, Fraction(key.split(maxsplit=1)[1]))
            for key, phrases in lists.items()
            if key.startswith("rhythm ") and (pattern := whole_words(code, phrases))
        ),
        rates=tuple(
            (pattern, often)
            for name, often in (
                ("per_year", 1),
                ("per_half", 2),
                ("per_quarter", 4),
                ("per_month", 12),
                ("per_week", 52),
                ("per_day", 365),
            )
            if (pattern := whole_words(code, lists[name]))
        ),
        lists=lists,
    )


def _keyed(lists: Mapping[str, tuple[str, ...]], role: str) -> list[tuple[str, str]]:
    return [
        (key.split(maxsplit=1)[1], word) for key, words in lists.items() if key.startswith(role + " ") for word in words
    ]


def _unit(key: str) -> tuple[str, Fraction]:
    dimension, factor = key.split()
    return dimension, Fraction(factor).limit_denominator(10_000)
