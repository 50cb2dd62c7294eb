"""Which numbers, units and dates of a sentence can be changed so that it is surely no longer true?"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.grounding import Pair

WORDS = Path(__file__).parent / "data" / "grounding" / "corruptions.toml"
TRIES = 12
BEFORE = 26
"""So many characters before a value are looked through for "at least" and the like."""
_DIGITS = re.compile(
    r"(?<![\w.,:/–-])\d{1,3}(?:[ \u00a0]\d{3})+(?![\w/])|(?<![\w.,:/–-])\d+(?:,\d+)?(?![\w/:–-]|[.,]\d)"
)
_YEAR = re.compile(r"(?<![\w.,:/–-])(?:19|20)\d\d(?![\w/:–-]|[.,]\d)")
_HOUR = re.compile(r"(?<![\w.,:/–-])(?P<h>[01]?\d|2[0-3])(?P<rest>[.:][0-5]\d)?(?![\w/:–-]|[.,]\d)")


@cache
def words(language: str) -> dict[str, Any]:
    """The lists of a language."""
    return tomllib.loads(WORDS.read_text(encoding="utf-8"))[language]  # type: ignore[no-any-return]


def any_of(each: Sequence[str]) -> str:
    """A pattern for one of these words, the longest first."""
    return "|".join(re.escape(one) for one in sorted(each, key=len, reverse=True))


# --- numbers


def numbers(base: Pair, chance: random.Random, _pairs: Sequence[Pair]) -> Iterator[str]:
    """A digit or a number word is changed. Dates, years, hours, codes and rough numbers are left alone."""
    lists, text = words(base.language), base.claim
    stated = {_plain(found[0]) for passage in base.evidence for found in _DIGITS.finditer(passage)}
    stated |= {str(value) for word, value in _number_words(lists) if _has(base.evidence, word)}
    for found in _DIGITS.finditer(text):
        if _is_date(text, found, lists):
            continue
        for _ in range(TRIES):
            other = _other_digits(found[0], chance)
            if _plain(other) not in stated and _worse(text, found, _amount(found[0]), _amount(other), lists):
                yield _put(text, found, other)
    for word, value in _number_words(lists):
        for found in re.finditer(rf"(?<![\w-]){word}(?![\w-])", text):
            other, amount = chance.choice(_number_words(lists))
            if str(amount) not in stated and _worse(text, found, value, amount, lists):
                yield _put(text, found, other)


def _number_words(lists: dict[str, Any]) -> list[tuple[str, int]]:
    return list(zip(lists["number_words"], lists["number_values"], strict=True))


def _plain(number: str) -> str:
    return re.sub(r"[ \u00a0]", "", number).replace(",", ".")


def _amount(number: str) -> float:
    return float(_plain(number))


def _other_digits(number: str, chance: random.Random) -> str:
    places = [at for at, sign in enumerate(number) if sign.isdigit()]
    at = chance.choice(places)
    digit = chance.choice([d for d in "123456789" if d != number[at]])
    return number[:at] + digit + number[at + 1 :]


def _is_date(text: str, found: re.Match[str], lists: dict[str, Any]) -> bool:
    """A day, a year, an hour, a number of a section, page or week."""
    after, before = text[found.end() : found.end() + 14], text[: found.start()].lower()
    if re.match(rf"\.?\s*(?:of )?(?:{any_of(lists['months'])})\b", after):
        return True
    marks = (
        *lists["months"],
        *lists["clock"],
        "vecka",
        "week",
        "sidan",
        "sida",
        "kapitel",
        "avsnitt",
        "paragraf",
        "§",
        "den",
    )
    return bool(_YEAR.fullmatch(found[0])) or before.rstrip().endswith(tuple(mark.lower() for mark in marks))


def _worse(text: str, found: re.Match[str], was: float, now: float, lists: dict[str, Any]) -> bool:
    """Is the new value surely not entailed by the old one ("at least 5" entails "at least 4")?"""
    if was == now:
        return False
    before, after = (
        text[max(0, found.start() - BEFORE) : found.start()].lower(),
        text[found.end() : found.end() + 30].lower(),
    )
    if re.search(rf"(?<!\w)(?:{any_of(lists['rough'])})\s", before) or re.match(r"[^.;]{0,16}\b(?:eller|or) \w", after):
        return False
    up = re.search(rf"(?<!\w)(?:{any_of(lists['only_up'])})\s", before) is not None
    down = re.search(rf"(?<!\w)(?:{any_of(lists['only_down'])})\s", before) is not None
    return not (up and down) and not (up and now < was) and not (down and now > was)


# --- units


def units(base: Pair, chance: random.Random, _pairs: Sequence[Pair]) -> Iterator[str]:
    """The unit of a number is changed for another of its kind."""
    lists, text = words(base.language), base.claim
    counted = rf"(?P<n>\d{{1,3}}(?:[ \u00a0]\d{{3}})+|\d+(?:,\d+)?|(?:{any_of(lists['number_words'])})(?=\s))"
    for kind in lists["units"]:
        stated = [amount for passage in base.evidence for _, amount in _amounts(passage, kind, counted, lists)]
        for found, amount in _amounts(text, kind, counted, lists):
            was = kind[found["unit"]]
            for other, factor in kind.items():
                new = amount / was * factor
                near = any(abs(new - one) <= 0.06 * one for one in stated) and factor != 1.0001
                if other != found["unit"] and not near and not _has(base.evidence, rf"{re.escape(found['n'])} {other}"):
                    joint = " " if other.isalpha() or text[found.end("n")] == " " else ""
                    yield text[: found.end("n")] + joint + other + text[found.end() :]
    del chance


def _amounts(
    text: str, kind: dict[str, float], counted: str, lists: dict[str, Any]
) -> Iterator[tuple[re.Match[str], float]]:
    known = dict(_number_words(lists))
    pattern = rf"(?<![\w.,:-]){counted}\s?(?P<unit>{any_of(list(kind))})(?![\w-])"
    for found in re.finditer(pattern, text, re.IGNORECASE):
        number = found["n"].strip().lower()
        if found["unit"] in kind:
            yield found, (known[number] if number in known else _amount(number)) * kind[found["unit"]]


# --- dates


def dates(base: Pair, chance: random.Random, _pairs: Sequence[Pair]) -> Iterator[str]:
    """A day, month, year, weekday or hour is changed. Ranges are left alone."""
    lists = words(base.language)
    yield from _days(base, chance, lists)
    yield from _years(base, chance, lists)
    yield from _hours(base, chance, lists)
    for name in ("months", "weekdays"):
        yield from _named(base, chance, lists, name)


def _days(base: Pair, chance: random.Random, lists: dict[str, Any]) -> Iterator[str]:
    """Another day of the same month."""
    months = any_of(lists["months"])
    pattern = rf"(?<![\w.,:/–-])(?P<d>\d{{1,2}})(?= (?:{months})\b)|(?<=\b)(?:{months}) (?P<e>\d{{1,2}})(?!\d)"
    for found in re.finditer(pattern, base.claim):
        group = "d" if found["d"] else "e"
        day, (start, end) = int(found[group]), found.span(group)
        for _ in range(TRIES):
            other = chance.randint(1, 28)
            if not _has(base.evidence, str(other)) and _worse(base.claim, found, day, other, lists):
                yield f"{base.claim[:start]}{other}{base.claim[end:]}"


def _years(base: Pair, chance: random.Random, lists: dict[str, Any]) -> Iterator[str]:
    for found in _YEAR.finditer(base.claim):
        for _ in range(TRIES):
            other = int(found[0]) + chance.choice((-10, -3, -2, -1, 1, 2, 3, 10))
            if not _has(base.evidence, str(other)) and _worse(base.claim, found, int(found[0]), other, lists):
                yield _put(base.claim, found, str(other))


def _hours(base: Pair, chance: random.Random, lists: dict[str, Any]) -> Iterator[str]:
    for found in _HOUR.finditer(base.claim):
        marked = base.claim[: found.start()].lower().rstrip().endswith(tuple(lists["clock"]))
        if not marked or (base.language == "en" and not found["rest"]):
            continue
        for _ in range(TRIES):
            other = chance.randint(6, 21)
            clash = {str(other), str(other % 12), str(other + 12), f"{other:02d}", f"{int(found['h']) % 12}"}
            if str(other) in (str(int(found["h"]) % 12), str(int(found["h"]) + 12)) or _has(
                base.evidence, any_of([*clash]), raw=True
            ):
                continue
            if _worse(base.claim, found, int(found["h"]), other, lists):
                yield f"{base.claim[: found.start('h')]}{other}{base.claim[found.end('h') :]}"


def _named(base: Pair, chance: random.Random, lists: dict[str, Any], name: str) -> Iterator[str]:
    """Another month or weekday, in the same form, that the evidence does not have, and has no range of."""
    each = lists[name]
    forms = rf"(?P<name>{any_of(each)})(?P<ending>en|ar|arna|s|ens)?"
    ranged = rf"(?:{any_of(each)})\w*\s?(?:{any_of(lists['ranges'])})\s?(?:den )?(?:\d+ )?(?:{any_of(each)})"
    if _has([*base.evidence, base.claim], ranged, raw=True):
        return
    for found in re.finditer(rf"(?<![\w-]){forms}(?![\w-])", base.claim):
        was = each.index(found["name"])
        for other in chance.sample(each, len(each)):
            if not _has(base.evidence, rf"{other}\w*", raw=True) and _worse(
                base.claim, found, was, each.index(other), lists
            ):
                yield f"{base.claim[: found.start('name')]}{other}{base.claim[found.end('name') :]}"


# --- looking and putting


def _has(texts: Sequence[str], wanted: str, *, raw: bool = False) -> bool:
    """Does a word (or with `raw` a pattern) stand in any of the texts?"""
    pattern = re.compile(rf"(?<![\w,])(?:{wanted if raw else re.escape(wanted)})(?!\w)", re.IGNORECASE)
    return any(pattern.search(text) for text in texts)


def _put(text: str, found: re.Match[str], other: str) -> str:
    return text[: found.start()] + other + text[found.end() :]
