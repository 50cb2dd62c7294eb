"""How can questions about documents that we may not copy be scored by anyone who has the documents?

A line of the question file names question, file and page, and instead of the gold text only hashes: of the gold sentence
and of the short facts inside it that a right answer must hold. Hashes are taken over normalised words (case-folded, letters
and digits only, words broken at a line end joined), so that a text holds a fact exactly when some window of its words has
the fact's hash. Nothing of the documents can be read back from the file.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_BROKEN = re.compile("(?<=\\w)[\ufffe\u00ad]\\s*|(?<=\\w)-\\s*\\n\\s*")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class TextHash:
    """The hash of `words` consecutive normalised words."""

    sha256: str
    words: int

    @classmethod
    def of(cls, text: str) -> TextHash:
        """Hash a text."""
        normalised = normalise(text)
        return cls(_digest(normalised), len(normalised))

    def stands_in(self, text: str) -> bool:
        """Do these words stand, in order and unbroken, in the text?"""
        words = normalise(text)
        return any(
            _digest(words[start : start + self.words]) == self.sha256 for start in range(len(words) - self.words + 1)
        )


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """One question with where its answer stands. `places`: every (source, page) that holds it; empty if unanswerable."""

    id: str
    question: str
    type: str
    language: str
    answerable: bool
    split: str
    lexical: str
    distance: str
    places: frozenset[tuple[str, int]]
    gold: TextHash | None
    facts: tuple[TextHash, ...]


def normalise(text: str) -> list[str]:
    """Case-folded words of letters and digits, with words broken at a line end joined."""
    return _WORD.findall(unicodedata.normalize("NFC", _BROKEN.sub("", text)).casefold())


def load(path: Path, splits: Iterable[str] = ("dev", "heldout")) -> list[GoldQuestion]:
    """Read a question file; only lines of the named splits."""
    wanted = set(splits)
    return [question for question in _read(path) if question.split in wanted]


def _read(path: Path) -> Iterator[GoldQuestion]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        places = frozenset((place["source"], page) for place in row.get("places", ()) for page in place["pages"])
        gold = row.get("gold")
        yield GoldQuestion(
            id=row["id"],
            question=row["question"],
            type=row.get("type", ""),
            language=row.get("language", "sv"),
            answerable=row["answerable"],
            split=row["split"],
            lexical=row.get("lexical", ""),
            distance=row.get("distance", ""),
            places=places,
            gold=TextHash(**gold) if gold else None,
            facts=tuple(TextHash(**fact) for fact in row.get("facts", ())),
        )


def _digest(words: list[str]) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()
