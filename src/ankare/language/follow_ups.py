"""Does a text show by its wording that it goes on from the question before it, and what is left of it without that?

The words are data of the language pack (`follow_ups.toml`). Chinese has no spaces: there a cue is the beginning or the end of
a run of characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ankare.language.packs import named_lists
from ankare.language.tokens import CJK

_CLOSING = " \t\n?？!！.。…,，;；"
_OPENING = " \t\n,，、;；:：–-"
_QUOTES = "\"'”“’»«「」"


@dataclass(frozen=True, slots=True)
class Core:
    """`text[start:end]` is the text without its opening and closing cues and end marks. `opened`, `closed`: it had them."""

    text: str
    start: int
    end: int
    opened: bool = False
    closed: bool = False

    @property
    def words(self) -> str:
        """What is left."""
        return self.text[self.start : self.end]

    @property
    def cued(self) -> bool:
        """Does the text show that it goes on?"""
        return self.opened or self.closed


def core_of(text: str, code: str) -> Core:
    """The text in the language `code` without the cues of a follow-up; never empty."""
    folded = _same_length(text)
    end = len(text.rstrip(_CLOSING)) or len(text)
    closer = _edges(code)[1].search(folded[:end])
    closed = closer is not None and closer.start() > 0
    if closer is not None and closed:
        end = len(text[: closer.start()].rstrip(_CLOSING))
    opener = _edges(code)[0].match(folded[:end])
    opened = opener is not None and opener.end() < end
    start = opener.end() if opener is not None and opened else 0
    if not text[start:end].strip(_OPENING):
        return Core(text, 0, len(text))
    return Core(text, start, end, opened, closed)


def cue_list(code: str, name: str) -> tuple[str, ...]:
    """A list of the pack; empty where the language has no such list."""
    return named_lists(code, "follow_ups").get(name, ())


@cache
def word_list(code: str, name: str) -> frozenset[str]:
    """A list of the pack as a set."""
    return frozenset(cue_list(code, name))


def as_question(words: str, language: str) -> str:
    """Words as a question: a capital first, one question mark last."""
    trimmed = words.strip(_OPENING).rstrip(_CLOSING)
    return trimmed[:1].upper() + trimmed[1:] + ("？" if language == "zh" else "?")


def without_end(question: str) -> str:
    """A question without the marks at its end."""
    return question.rstrip(_CLOSING)


@cache
def _edges(code: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    openers, closers = (
        "|".join(re.escape(cue) for cue in sorted(cue_list(code, name), key=len, reverse=True))
        for name in ("openers", "closers")
    )
    if code == "zh":
        return re.compile(rf"\s*(?:{openers})[\s,，、]*(?=[^\s呢])"), re.compile(rf"(?:{closers})\s*$")
    opening = rf"\W*(?:{openers})(?![\w-])(?:\s*[,:–-])?\s*"
    return re.compile(opening), re.compile(rf"(?<![\w-])(?:{closers})\W*$")


def _same_length(text: str) -> str:
    """The text in small letters, every character in its place."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


HAN = re.compile(f"[{CJK}]")
