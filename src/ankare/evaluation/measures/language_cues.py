"""With which words does an answer open by habit, and which words cannot end a sentence? See `language_cues.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ankare.language.tokens import tokenize

BETWEEN = 4
"""Words that may stand between what leads to the material and its name ("baserat på det tillhandahållna underlaget")."""
_PUNCTUATION = " \t\"'”“»«(.,;:!?…。，；：！？)"


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of one language."""

    code: str
    habit: re.Pattern[str]
    material: re.Pattern[str]
    asked: re.Pattern[str]
    loose: re.Pattern[str]
    replies: frozenset[str]

    def opening(self, text: str) -> str:
        """The words of habit that a text opens with, "" for none."""
        plain = plainly(text)
        for pattern in (self.habit, self.asked, self.material):
            if found := pattern.match(plain):
                return found[0]
        return ""

    def ends_loosely(self, text: str) -> bool:
        """Does a text end with a word that something has to follow?"""
        return self.loose.search(plainly(text).rstrip(_PUNCTUATION)) is not None

    def replies_with(self, text: str) -> bool:
        """Is the text a whole answer without a verb ("Ja.")?"""
        return plainly(text).strip(_PUNCTUATION) in self.replies


def plainly(text: str) -> str:
    """A text as cues are compared with it: case-folded, one space between words, no quotes before it."""
    return " ".join(text.casefold().split()).lstrip("\"'”“»«(")


@cache
def cues_of(code: str) -> Cues | None:
    """The cues of a language, None for one that has none."""
    lists = _lists().get(code)
    if lists is None:
        return None
    together = code == "zh"
    gap = ".{0,8}" if together else rf" (?:[^\s.,;:]+ ){{0,{BETWEEN}}}"
    end = "" if together else r"(?!\w)"
    return Cues(
        code,
        re.compile(_any(lists["canned"]) + end),
        re.compile(_any(lists["basis"]) + gap + _any(lists["material"]) + end),
        re.compile(_any(lists["asked"]) + end),
        re.compile(("" if together else r"(?<!\w)") + _any(_bare(lists["loose"])) + "$"),
        frozenset(lists["replies"]),
    )


def _any(phrases: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True)) + ")"


def _bare(phrases: Iterable[str]) -> list[str]:
    return [phrase.rstrip(".") for phrase in phrases]


@cache
def _lists() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(files("ankare.evaluation.measures").joinpath("language_cues.toml").read_text(encoding="utf-8"))


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared; each Chinese sign is one."""
    found: list[str] = []
    for token in tokenize(text):
        found.extend(token.norm if "\u3400" <= token.norm[:1] <= "\u9fff" else [token.norm])
    return found
