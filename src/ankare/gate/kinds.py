"""What kind of thing does a question ask for, and does a text hold one?

"How many weeks ..." wants a number, "What does ... cost" an amount of money, "Which phone number ..." a phone number. Evidence
that covers the subject but holds nothing of the kind does not answer. Which wording asks for which kind stands in the
language pack (lists `asks_<kind>` and `gives_<kind>`); the shapes of numbers and addresses are the same in every language.
"""

from __future__ import annotations

import re
from enum import StrEnum

from ankare.language.cues import has_cue
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
    return next((kind for kind in _ORDER if has_cue(language, question, f"asks_{kind.value}")), None)


def holds_kind(language: Language, kind: Kind, text: str) -> bool:
    """Does a text hold something of the kind?"""
    shape = re.compile(_SHAPES[kind], 0 if kind is Kind.NAME else re.IGNORECASE)
    return shape.search(text) is not None or has_cue(language, text, f"gives_{kind.value}")
