"""What kind of thing does a question ask for, and does a text hold one?

"How many weeks ..." wants a number, "What does ... cost" an amount of money, "Which phone number ..." a phone number. Evidence
that covers the subject but holds nothing of the kind does not answer. Which wording asks for which kind stands in the
language pack (lists `asks_<kind>` and `gives_<kind>`); the shapes of numbers and addresses are the same in every language.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from ankare.language.protocol import Language


class Kind(StrEnum):
    """A kind of thing that can be recognised by its shape or by a short list of words."""

    QUANTITY = "quantity"
    MONEY = "money"
    PHONE = "phone"
    ADDRESS = "address"
    DURATION = "duration"
    FREQUENCY = "frequency"
    DATE = "date"
    PERCENT = "percent"
    NAME = "name"


_SHAPES = {
    Kind.QUANTITY: r"\d",
    Kind.MONEY: r"\d[\d\s.,]*\s*(?:kr\b|kronor|tkr|mkr|mnkr|sek\b|msek|usd|eur|€|\$|£|元|万元|亿)|[€$£]\s*\d",
    Kind.PHONE: r"\+?\d[\d\s/-]{5,}\d",
    Kind.ADDRESS: r"[\w.+-]+@[\w-]+\.\w+|https?://|www\.",
    Kind.DURATION: r"$^",
    Kind.FREQUENCY: r"$^",
    Kind.DATE: r"\d",
    Kind.PERCENT: r"\d\s*(?:%|procent|percent)",
    Kind.NAME: r"(?:[A-ZÅÄÖÉ][a-zåäöé]+\s+){1,2}[A-ZÅÄÖÉ][a-zåäöé]+",
}
_ORDER = (
    Kind.MONEY,
    Kind.PHONE,
    Kind.ADDRESS,
    Kind.PERCENT,
    Kind.FREQUENCY,
    Kind.DURATION,
    Kind.DATE,
    Kind.QUANTITY,
    Kind.NAME,
)


def asked_kind(language: Language, question: str) -> Kind | None:
    """The kind that the question asks for by its wording, or None where it asks for no such kind."""
    text = question.casefold()
    for kind in _ORDER:
        pattern = _words(language, f"asks_{kind.value}")
        if pattern is not None and pattern.search(text):
            return kind
    return None


def holds_kind(language: Language, kind: Kind, text: str) -> bool:
    """Does a text hold something of the kind?"""
    shape = re.compile(_SHAPES[kind], 0 if kind is Kind.NAME else re.IGNORECASE)
    if shape.search(text):
        return True
    words = _words(language, f"gives_{kind.value}")
    return words is not None and words.search(text.casefold()) is not None


@lru_cache(maxsize=256)
def _words(language: Language, name: str) -> re.Pattern[str] | None:
    try:
        cues = sorted(language.cues(name), key=lambda cue: (-len(cue), cue))
    except KeyError:
        return None
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, cues)) + r")(?!\w)") if cues else None
