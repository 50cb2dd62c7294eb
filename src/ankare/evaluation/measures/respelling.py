"""How is a text read that writes the same thing in a shorter, roundabout or foreign way?

"14 dgr" is read as "14 dagar", "may not fail to" as "must", "september 1" as "1 september": what is read as what stands in the
language pack's `evaluation.toml`. The text itself is shown as it stands.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import product

from ankare.language.cues import whole_words
from ankare.language.languages import get_language
from ankare.language.packs import named_lists

_KEPT_SENTENCES, _KEPT_WORDS = 30_000, 20_000
_MOST_MARKS = 3
"""Letters of a word that may lack their marks."""
_DIGIT = re.compile(r"\d")
_POINTED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.,]*\d)")


@lru_cache(_KEPT_SENTENCES)
def respelled(text: str, code: str) -> str:
    """A text with what `evaluation.toml` reads as something else, a month before its day turned round, and, where a comma marks
    decimals, thousands without points."""
    put, phrases = _replacements(code, "read_as")
    text = phrases.sub(lambda found: put[found[0].casefold()], text)
    units, short = _replacements(code, "short_units")
    if units and _DIGIT.search(text):
        text = short.sub(lambda found: f" {units[found['word'].casefold()]}", text)
        text = _month_first(code).sub(r"\g<day> \g<month>", text)
        text = _POINTED.sub(lambda found: found[0].replace(".", ""), text) if code == "sv" else text
    return text


@cache
def _replacements(code: str, name: str) -> tuple[dict[str, str], re.Pattern[str]]:
    pairs = dict(entry.split(" > ") for entry in named_lists(code, "evaluation")[name])
    if name == "read_as":
        return pairs, re.compile((whole_words(code, pairs) or re.compile("(?!)")).pattern, re.IGNORECASE)
    words = "|".join(map(re.escape, pairs)) or "(?!)"
    return pairs, re.compile(rf"(?<=\d)\s?(?P<word>{words})(?!\w)\.?", re.IGNORECASE)


@cache
def _month_first(code: str) -> re.Pattern[str]:
    months = "|".join(named_lists(code, "evaluation")["months"]) or "(?!)"
    return re.compile(rf"(?<!\d )(?<!\d\. )(?<!\w)(?P<month>{months}) (?P<day>\d{{1,2}})(?![\d.,:]*\d)", re.IGNORECASE)


def without_marks(word: str) -> str:
    """A word without the marks on its letters."""
    if word.isascii():
        return word
    return "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))


@lru_cache(_KEPT_WORDS)
def word_without_marks(word: str, code: str) -> bool:
    """Is it a word of the language that somebody writes without the marks on its letters?"""
    marked: dict[str, str] = {}
    for entry in named_lists(code, "evaluation")["plain_letters"]:
        plain, _, letter = entry.partition(" > ")
        marked[plain] = marked.get(plain, plain) + letter
    if sum(sign in marked for sign in word) > _MOST_MARKS or not word.isascii():
        return False
    known = get_language(code).is_word
    return any(known("".join(signs)) for signs in product(*(marked.get(sign, sign) for sign in word)))
