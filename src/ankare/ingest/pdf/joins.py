"""How do two lines become one text: with a space, without a hyphen, or with it?"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from ankare.ingest.pdf.fragments import HYPHEN

_LAST = re.compile(r"([\w]+)$")
_FIRST = re.compile(r"^([\w]+)")
WIDE = re.compile(r"[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]")
_BLANKS = re.compile(r"_{3,}|\.{5,}|\.*…[.…]+")
_STUCK_NUMBER = re.compile(r"^(\d{1,3}(?:\.\d{1,3})+)(?=[^\W\d_])")


def join(left: str, right: str, is_word: Callable[[str], bool]) -> str:
    """`left`, which ends a line, and what it becomes before `right`: "acceptans-" -> "acceptans", "in-" -> "in- "."""
    if not left or not right:
        return left
    if left[-1] == "/" and left[-2:-1].isalpha() and right[0].isalpha():
        return left
    if left[-1] not in (HYPHEN, "-", "\u2010"):
        return left if WIDE.match(left[-1]) and WIDE.match(right[0]) else left + " "
    stem = left[:-1]
    before, after = _LAST.search(stem), _FIRST.match(right)
    if not before:
        return stem + "- "
    if not after:
        return stem + "-"
    a, b = before.group(1), after.group(1)
    if b.casefold() in suspended_words():
        return stem + "- "
    shouted = len(a) > 1 and a.isupper() and b.isupper() and is_word((a + b).lower())
    if not shouted and (not b[0].islower() or _keeps_hyphen(stem, a, b, is_word)):
        return stem + "-"
    return stem


def _keeps_hyphen(stem: str, a: str, b: str, is_word: Callable[[str], bool]) -> bool:
    if is_word((a + b).lower()):
        return False
    compound = re.search(r"[\w-]+$", stem)
    whole = compound.group() if compound else a
    return len(a) == 1 or a.isupper() or any(sign.isdigit() for sign in a) or ("-" in whole and is_word(b.lower()))


@cache
def suspended_words() -> frozenset[str]:
    """The conjunctions of suspended hyphens, from the data file."""
    text = files(__package__).joinpath("suspended.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if (word := line.strip()) and not word.startswith("#"))


def plain(text: str) -> str:
    """A line's text without blanks to fill in and leaders, and with a number apart from the word it is stuck to."""
    if "_" in text or ".." in text or "…" in text:
        text = " ".join(_BLANKS.sub(" ", text).split())
    return _STUCK_NUMBER.sub(r"\1 ", text) if text[:1].isdigit() else text
