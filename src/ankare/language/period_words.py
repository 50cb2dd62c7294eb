"""Which words and signs speak of time in a set of languages, and what does each mean to the reading of periods?

The words stand in the packs (`periods.toml`): a key is a role with its values. Here they become one `Vocabulary` per set of
languages: a table from phrase to `Meaning`, and the pieces of pattern that find the phrases in a text. Where two languages
give one phrase different meanings, the language that comes first wins.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from ankare.errors import PackError

KINDS: Mapping[str, str] = {
    "month": "M",
    "month?": "m",
    "ordinal": "O",
    "number": "N",
    "part": "P",
    "unit": "U",
    "units": "V",
    "counted unit": "Z",
    "step": "L",
    "window": "l",
    "latest": "h",
    "relative": "R",
    "relative?": "r",
    "same": "B",
    "same period": "S",
    "ago": "G",
    "stretch": "s",
    "and": "a",
    "versus": "v",
    "compare": "C",
    "range": "t",
    "range until": "T",
    "range from": "f",
    "of": "g",
    "glue": "g",
    "since": "K",
    "onwards": "z",
    "bound": "o",
    "bound closing": "b",
    "vague": "w",
    "vague closing": "w",
    "unsupported": "X",
    "quantity": "q",
    "counted": "k",
    "neutral": "n",
}
"""Role -> one letter, so that the words of a stretch of text spell a shape that a pattern can judge (`period_items`)."""
PLAIN, FISCAL, WHOLE = 0, 1, 2
"""How much the wording insists on the year: "2024", "FY2024", "the whole of 2024"."""
WORD, CODE = "word", "code"
"""`WORD` is also the type of a number that is not written in digits: it may be an article as well."""
PART_OF = 1
"""The number of a glue word that makes what stands before it a part of what follows."""
_OTHER_UNITS = {"other": "u", "day": "j"}
_YEAR_UNITS = {"FY": PLAIN, "fiscal": FISCAL, "whole": WHOLE}
_SIGNS = (
    "digits",
    "ten",
    "ordinal prefix",
    "ordinal counter",
    "closing before",
    "code",
    "suffix",
    "idioms",
    "compound",
    "label",
)
_SUFFIXES = ("ordinal", "decade", "short decade", "year")
_CJK_PHRASE = re.compile("[\u3000-\u9fff]")


class Meaning(NamedTuple):
    """What a phrase means: a kind, the type of period that it is about, and a number (which month, how many steps).

    `kind`: a letter of `KINDS`; of the units A is a year, j a day or week, u another that is no period of its
    own (its type tells what a span counts in by it: "三个月"). `told`: the
    steps count from a period that was named before, where there is one, not from the reference date.
    """

    kind: str
    type: str = ""
    number: int = 0
    told: bool = False


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a set of languages.

    Patterns of phrases, longest first: `spaced` and `unspaced`, of languages with and without spaces between words;
    `closing`, those that count only at the end of a phrase or before `closing_before`; `units`, those that follow a number
    without a space; `suffixes`, what follows digits ("ordinal", "decade", "year"); `idioms`, numbers that are no time;
    `tails`, second halves of a compound whose first half is time ("marsomsättningen").
    `letters`: the letters of a code ("q") -> the type that they name, "" for one that no supported type has; `leading`:
    those of them that name a type only right before a number that it has ("T1", never "1T", "T-1" or "T7"; "T 1" before a
    year). `numerals`: sign -> value, 10 for the ten.
    """

    meanings: Mapping[str, Meaning]
    spaced: str
    unspaced: str
    closing: str
    closing_before: str
    units: str
    letters: Mapping[str, str]
    leading: Mapping[str, str]
    suffixes: Mapping[str, str]
    idioms: str
    tails: str
    numerals: Mapping[str, int]
    ordinal_prefix: str
    ordinal_counter: str


@cache
def vocabulary(languages: tuple[str, ...]) -> Vocabulary:
    """The vocabulary of these languages, one object per process. Raises PackError for a language without a pack."""
    packs = [_pack(code) for code in languages]
    meanings: dict[str, Meaning] = {}
    for pack in packs:
        for key, phrases in pack.items():
            if not key.startswith(_SIGNS):
                for phrase in phrases:
                    meanings.setdefault(phrase, _meaning(key))
    closing = _signs(packs, "vague closing")
    return Vocabulary(
        meanings=meanings,
        spaced=alternatives(phrase for phrase in meanings if not _CJK_PHRASE.search(phrase)),
        unspaced=alternatives(phrase for phrase in meanings if _CJK_PHRASE.search(phrase) and phrase not in closing),
        closing=alternatives(closing),
        closing_before=alternatives(_signs(packs, "closing before")),
        units=alternatives(p for p, m in meanings.items() if m.kind in "ujZA" and _CJK_PHRASE.search(p)),
        letters={
            letter: "" if name == "other" else name
            for name in ("FY", "HY", "QUARTER", "other")
            for letter in _signs(packs, f"code {name}")
        },
        leading={letter: name for name in ("TERTIAL",) for letter in _signs(packs, f"code? {name}")},
        suffixes={name: alternatives(_signs(packs, f"suffix {name}")) for name in _SUFFIXES},
        tails=alternatives(_signs(packs, "compound tails")),
        idioms=alternatives(_signs(packs, "idioms")),
        numerals={
            **{sign: number for pack in packs for number, signs in enumerate(pack.get("digits", ())) for sign in signs},
            **dict.fromkeys(_signs(packs, "ten"), 10),
        },
        ordinal_prefix=alternatives(_signs(packs, "ordinal prefix")),
        ordinal_counter=alternatives(_signs(packs, "ordinal counter")),
    )


@cache
def labels(code: str, kind: str) -> tuple[str, ...]:
    """How a language writes the periods of a type, in their order within a year, with `{year}` in them. Raises PackError."""
    return _raw_pack(code)[f"label {kind}"]


def alternatives(phrases: Iterable[str]) -> str:
    """A pattern that matches the longest of the phrases; one that never matches where there are none.

    Grouped by the first character, so that a scan does not try every phrase at every place.
    """
    ordered = sorted(set(phrases), key=lambda phrase: (phrase[0], -len(phrase), phrase))
    groups = [
        re.escape(first) + "(?:" + "|".join(re.escape(phrase[1:]).replace(r"\ ", r"\s+") for phrase in group) + ")"
        for first, group in groupby(ordered, key=lambda phrase: phrase[0])
    ]
    return f"(?:{'|'.join(groups)})" if groups else "(?!)"


def _meaning(key: str) -> Meaning:
    """The meaning that the phrases under a key share: the role, and its values in the order that they come."""
    role = max((role for role in KINDS if key == role or key.startswith(f"{role} ")), key=len)
    values = key[len(role) :].split()
    numbers = [int(value) for value in values if value.lstrip("-").isdecimal()]
    types = [value for value in values if not value.lstrip("-").isdecimal() and value != "told"]
    kind, name, number = KINDS[role], types[0] if types else "", numbers[0] if numbers else 0
    if role == "unit" and name in _YEAR_UNITS:
        return Meaning("A", "FY", _YEAR_UNITS[name])
    if role == "unit" and name in _OTHER_UNITS:
        return Meaning(_OTHER_UNITS[name], "".join(types[1:]))
    if role.startswith("month"):
        name = "MONTH"
    if role == "number":
        name = WORD
    return Meaning(kind, name, PART_OF if role == "of" else number, "told" in values)


def _signs(packs: Sequence[Mapping[str, tuple[str, ...]]], key: str) -> tuple[str, ...]:
    return tuple(entry for pack in packs for entry in pack.get(key, ()))


@cache
def _pack(code: str) -> Mapping[str, tuple[str, ...]]:
    return {key: tuple(entry.casefold() for entry in entries) for key, entries in _raw_pack(code).items()}


@cache
def _raw_pack(code: str) -> Mapping[str, tuple[str, ...]]:
    file = files("ankare.language").joinpath("packs", code, "periods.toml")
    if not file.is_file():
        raise PackError(f"The language pack '{code}' has no file periods.toml.", "Reinstall ankare.")
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    return {key: tuple(str(entry) for entry in entries) for key, entries in content.items()}
