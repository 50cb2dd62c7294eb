"""What kind of thing does a question ask for, and does a text hold one?

"How many weeks ..." wants a length of time, "What does ... cost" an amount of money, "Which phone number ..." a phone
number. Evidence that covers the subject but holds nothing of the kind does not answer. Which wording asks for which kind
stands in the language pack (`answer_kinds.toml`); the shapes of numbers and addresses are the same in every language.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from ankare.language.cues import whole_words
from ankare.language.packs import named_lists


class Kind(StrEnum):
    """A kind of thing that can be recognised by its shape or by a short list of words. In the order of how special it is."""

    MONEY = "money"
    PHONE = "phone"
    ADDRESS = "address"
    PERCENT = "percent"
    FREQUENCY = "frequency"
    DURATION = "duration"
    DATE = "date"
    QUANTITY = "quantity"
    NAME = "name"
    PARTY = "party"


_DIGIT = r"\d"
_SHAPES = {
    Kind.MONEY: r"\d[\d\s.,]*\s*(?:kr|kronor|tkr|mkr|mnkr|sek|msek|usd|eur|元|万元|亿)(?!\w)|[€$£]\s*\d|\d\s*[€$£]",
    Kind.PHONE: r"\+?\d[\d\s/-]{5,}\d",
    Kind.ADDRESS: r"[\w.+-]+@[\w-]+\.\w+|https?://|www\.",
    Kind.PERCENT: r"\d\s*(?:%|procent|percent)",
    Kind.DATE: _DIGIT,
    Kind.QUANTITY: _DIGIT,
    Kind.NAME: r"(?:[A-ZÅÄÖÉ][a-zåäöé]+\s+){1,2}[A-ZÅÄÖÉ][a-zåäöé]+",
}


def asked_kind(code: str, question: str) -> Kind | None:
    """The kind that a question in a language asks for by its wording; None where it asks for no such kind."""
    text = question.casefold()
    for kind in Kind:
        pattern = _words(code, f"asks_{kind.value}")
        if pattern is not None and pattern.search(text):
            return kind
    return None


def kind_stretches(code: str, question: str) -> tuple[tuple[int, int], ...]:
    """Where a question asks for its kind of thing ("vad kostar"): the words need not stand in what answers it."""
    kind = asked_kind(code, question)
    pattern = _words(code, f"asks_{kind.value}") if kind is not None else None
    return tuple(found.span() for found in pattern.finditer(question.casefold())) if pattern is not None else ()


def holds_kind(code: str, kind: Kind, text: str) -> bool:
    """Does a text in a language hold something of the kind?"""
    shape = _shape(code, kind)
    if shape is not None and shape.search(text if kind is Kind.NAME else text.casefold()):
        return True
    if kind is Kind.PARTY:
        return holds_kind(code, Kind.NAME, text) or _party(code).search(text.casefold()) is not None
    words = _words(code, f"gives_{kind.value}")
    return words is not None and words.search(text.casefold()) is not None


def takes_noun(code: str, word: str) -> bool:
    """Is the word an interrogative that is followed by the noun that is asked for ("vilket typsnitt")?"""
    return word.casefold() in named_lists(code, "answer_kinds").get("noun_interrogatives", ())


def asking_stretches(code: str, question: str) -> tuple[tuple[int, int], ...]:
    """Where a question asks for a time in words that name no subject of their own ("inom vilken tid", "for how long")."""
    pattern = _words(code, "asking_phrases")
    return tuple(found.span() for found in pattern.finditer(question.casefold())) if pattern is not None else ()


@cache
def _shape(code: str, kind: Kind) -> re.Pattern[str] | None:
    if kind is Kind.DURATION:
        lists = named_lists(code, "answer_kinds")
        numbers = "|".join(map(re.escape, lists["number_words"]))
        units = "|".join(sorted(map(re.escape, lists["time_units"]), key=lambda unit: (-len(unit), unit)))
        return re.compile(rf"(?:\d|(?<!\w)(?:{numbers}))\s*(?:{units})(?!\w)")
    return re.compile(_SHAPES[kind]) if kind in _SHAPES else None


@cache
def _party(code: str) -> re.Pattern[str]:
    """Party nouns as they stand at the end of a word, with up to four letters of inflection ("styrgruppens")."""
    nouns = "|".join(
        sorted(map(re.escape, named_lists(code, "answer_kinds")["party_nouns"]), key=lambda n: (-len(n), n))
    )
    return re.compile(nouns if code == "zh" else rf"(?:{nouns})\w{{0,4}}(?!\w)")


@cache
def _words(code: str, name: str) -> re.Pattern[str] | None:
    return whole_words(code, named_lists(code, "answer_kinds").get(name, ()))
