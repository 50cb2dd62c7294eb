"""What does a unit mean, how is it shown to a reader, and does a question ask for one?

A unit has a code of ours: the currency and its power of ten ("USD_M", "SEK_K", "CNY_10K", "SEK"), "PCT", a count ("COUNT",
"PERSONS", "FTE"), or, where nothing is known about it, what was written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from ankare.language.numbers import format_decimal, percent_sign
from ankare.language.packs import named_lists
from ankare.language.unit_words import LANGUAGES, UnitKind, UnitWords, ten_code, unit_words

_MANY = 4096
_NO_BREAK = "\u00a0"
_SIGNS = {full: full - 0xFEE0 for full in range(0xFF01, 0xFF5F)} | dict.fromkeys((0x3000, 0xA0, 0x202F, 0x2009), 0x20)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by its code. `currency`: ISO 4217, None for what is no money; `magnitude`: the power of ten ("MSEK": 6).

    A magnitude alone ("miljoner") has no currency, kind "other" and a code like "M".
    """

    code: str
    currency: str | None = None
    magnitude: int = 0
    kind: UnitKind = "other"


def format_quantity(value: Decimal, unit: str, language: str) -> str:
    """A value with its unit, every digit kept and no line break inside: "1 320,5 MUSD", "12,4 %", "12.4%"."""
    number = format_decimal(value, language)
    label = unit_label(unit, language)
    if label == "%":
        return number + percent_sign(language)
    return f"{number}{_NO_BREAK}{label}" if label else number


@lru_cache(_MANY)
def unit_label(unit: str, language: str) -> str:
    """How a reader of the language reads a stored unit: "USD_M" is "MUSD" or "百万美元". An unknown one as it is written."""
    known = parse_unit(unit)
    if known is None:
        return ""
    pack = named_lists(language if language in LANGUAGES else "en", "units")
    if known.kind == "percent":
        return "%"
    if known.currency:
        return _money_label(known.currency, known.magnitude, pack)
    if known.magnitude:
        return pack[f"ten_{known.magnitude}"][0]
    names = pack.get(f"count_{known.code}") or pack.get(f"other_{known.code}")
    return (names[0] if names else unit.strip()).replace(" ", _NO_BREAK)


def same_unit(one: str, other: str) -> bool:
    """Do two written units mean the same ("MSEK" and "SEK_M")? Unknown ones do where they are alike but for case."""
    first, second = parse_unit(one), parse_unit(other)
    if first is None or second is None:
        return first is second
    return first == second or first.code.casefold() == second.code.casefold()


@lru_cache(_MANY)
def parse_unit(text: str) -> Unit | None:
    """The unit that a text is, as a code or as written in any language; None for an empty text. One that is not known stays
    itself, of kind "other"."""
    written = " ".join(text.translate(_SIGNS).split())
    if not written:
        return None
    words = unit_words(LANGUAGES)
    folded = _bare(written.casefold())
    if found := words.units.get(folded):
        return Unit(found[0], kind=found[1])
    money = words.whole.fullmatch(folded.replace("_", " "))
    if money and not (money["before"] and money["after"]):
        return _money(words, money)
    return _ten(words.tens[folded]) if folded in words.ten_words else Unit(written)


def asked_units(text: str, languages: Sequence[str] = LANGUAGES) -> tuple[tuple[int, int, Unit], ...]:
    """The currencies, magnitudes and percents that a question names ("i kronor", "in EUR", "用人民币"), with the span of each.

    An amount ("more than 5 million euros") states its unit and does not ask for it, so it is left out. Words that are
    units among other things count only after a word like "in".
    """
    words = unit_words(tuple(languages))
    return tuple(
        (found.start("unit"), found.end("unit"), unit)
        for found in words.inside.finditer(_small(text))
        if (unit := _asked(text, found, words)) is not None
    )


def _asked(text: str, found: re.Match[str], words: UnitWords) -> Unit | None:
    if found["amount"]:
        return None
    if found["percent"]:
        return None if found["percent"] in words.ordinary and not found["lead"] else Unit("PCT", kind="percent")
    if found["ten"]:
        return _ten(words.tens[found["ten"]]) if found["lead"] else None
    named, magnitude = found["currency"], found["before"] or found["after"]
    if named in words.ordinary and not (magnitude or found["lead"]):
        return None
    start, end = found.span("currency")
    if named in words.codes and named not in words.any_case and not text[start:end].isupper():
        return None
    if found["unit"] in words.small_only and text[found.start("unit") : found.end("unit")].isupper():
        return None
    return _money(words, found)


def _money(words: UnitWords, found: re.Match[str]) -> Unit:
    currency = words.currencies[found["currency"]]
    magnitude = words.tens[found["before"] or found["after"]] if found["before"] or found["after"] else 0
    return Unit(f"{currency}_{ten_code(magnitude)}" if magnitude else currency, currency, magnitude, "money")


def _ten(power: int) -> Unit:
    return Unit(ten_code(power), magnitude=power)


def _money_label(currency: str, magnitude: int, pack: Mapping[str, tuple[str, ...]]) -> str:
    ten = pack[f"ten_{magnitude}"][0] if magnitude else ""
    if "name" in pack["shown_by"]:
        return ten + pack[currency][0]
    if letter := pack.get(f"shown_letter_{magnitude}"):
        return letter[0].upper() + currency
    return f"{ten} {currency}".lstrip().replace(" ", _NO_BREAK)


def _bare(folded: str) -> str:
    """Without the brackets around and the full stop after it."""
    while folded and folded[0] in "([" and folded[-1] in ")]":
        folded = folded[1:-1].strip()
    return folded.rstrip(".") or folded


def _small(text: str) -> str:
    """The text in small letters and half-width signs, each sign in its place."""
    plain = text.translate(_SIGNS)
    small = plain.lower()
    return small if len(small) == len(text) else "".join(s if len(s := sign.lower()) == 1 else sign for sign in plain)
