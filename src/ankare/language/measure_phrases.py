"""Which values are written in forms that are read from the text as a whole: dates in digits, clocks, rhythms, rates?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ankare.language.measure_value import Value
from ankare.language.measure_words import MeasureWords, spelled_count

_ISO = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)(?:-(?P<d>\d\d))?(?!\d)")


_SLASHED = re.compile(r"(?<![\d/])(?P<d>\d{1,2})/(?P<m>\d{1,2})(?:[ \-/](?P<y>(?:19|20)\d\d))?(?![\d/])")


_CLOCK = re.compile(r"(?<![\d.,:])(?P<h>[01]?\d|2[0-4])[.:](?P<min>[0-5]\d)(?![\d.,:]|\s*(?:%|procent))")


_EVERY = re.compile(r"(?<!\w)(?:vart|var|every) ?(?P<nth>[^\W\d_]+) (?P<unit>[^\W\d_]+)")


_RATE = re.compile(
    r"(?<!\w)(?:per|i|om|a|an|each) (?P<unit>[^\W\d_]+)(?!\w)"
    r"|/(?P<short>h|tim|dygn|dag|år|ton|kg|kwh|m2|m²|hour|day|year)(?!\w)"
)
_PARTS_OF_HOUR = {"kvart i": -15, "kvart över": 15, "halv": -30, "quarter to": -15, "quarter past": 15, "half past": 30}
_A_YEAR = {
    **dict.fromkeys(("minut", "minute", "minutes"), 525_600),
    **dict.fromkeys(("timme", "timma", "hour", "hours"), 8760),
    **dict.fromkeys(("dag", "dygn", "day", "days"), 365),
    **dict.fromkeys(("vecka", "week", "weeks"), 52),
    **dict.fromkeys(("månad", "month", "months"), 12),
    **dict.fromkeys(("kvartal", "quarter", "quarters"), 4),
    **dict.fromkeys(("år", "year", "years"), 1),
}


_SPOKEN = re.compile(
    r"(?<!\w)(?:(?P<part>kvart i|kvart över|halv|quarter to|quarter past|half past) )?(?P<h>\d{1,2}|[^\W\d_]{2,10})"
    r"(?P<late> på (?:kvällen|eftermiddagen|morgonen|förmiddagen)| in the (?:evening|afternoon|morning))?(?![\w])"
)


_HOURS = 24


def written_dates(text: str) -> Iterator[Value]:
    """2025-03-01, 1/3, 1/3 2025."""
    for pattern in (_ISO, _SLASHED):
        for match in pattern.finditer(text):
            fields = {key: int(value) for key, value in match.groupdict().items() if value}
            if 1 <= fields["m"] <= 12 and 1 <= fields.get("d", 1) <= 31:
                yield Value("date", match.start(), match.end(), fields=fields)


def rhythms(text: str, words: MeasureWords) -> Iterator[Value]:
    """How often a year: "varje månad", "var tredje vecka", "två gånger per år"."""
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


def _counted_rates(text: str, words: MeasureWords) -> Iterator[Value]:
    for match in re.finditer(r"(?<!\w)(?P<n>\d{1,6}|[^\W\d_]{1,20}) (?:gånger|gång|times|time)(?= )", text):
        count = spelled_count(match["n"], words)
        for pattern, often in words.rates if count else ():
            rate = pattern.match(text, match.end() + 1)
            if rate and count:
                yield Value("rhythm", match.start(), rate.end(), Fraction(count * often), "rhythm", Fraction(count))


def rates(text: str, words: MeasureWords) -> Iterator[Value]:
    """Per hour, per kilometre: what a quantity is counted against."""
    for match in _RATE.finditer(text):
        unit = match["unit"] or match["short"]
        lead = match[0].split(" ")[0]
        if unit in words.units and (lead == "per" or match["short"] or unit in words.lists["rate_units"]):
            dimension, factor = words.units[unit]
            yield Value("per", match.start(), match.end(), factor, dimension, factor)


def clocks(text: str, words: MeasureWords) -> Iterator[Value]:
    """Times of day, in minutes from midnight."""
    marks = "|".join(re.escape(mark) for mark in words.lists["clock"])
    plain = re.compile(rf"(?<!\w)(?:{marks})\s*(?P<h>[01]?\d|2[0-4])(?:[.:](?P<min>[0-5]\d))?(?!\d|[.,:]\d)")
    spelled = re.compile(rf"(?<!\w)(?:{marks}) (?P<h>[^\W\d_]+)(?P<late> på (?:kvällen|eftermiddagen))?(?!\w)")
    spans = []
    for match in _SPOKEN.finditer(text):
        hour = words.numbers.get(match["h"]) or (int(match["h"]) if match["h"].isdecimal() else None)
        if hour is not None and 1 <= hour <= _HOURS and (match["part"] or match["late"]):
            hour = hour + 12 if match["late"] and "morgon" not in match["late"] and hour < 12 else hour
            minutes = hour * 60 + _PARTS_OF_HOUR.get(match["part"] or "", 0)
            spans.append(match.span())
            yield Value("clock", match.start(), match.end(), Fraction(minutes), "clock", Fraction(minutes))
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
