"""Small documents and questions for tests, built by hand: what a test says is what there is."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from ankare.domain.document import Box, Chunk, Place, Sentence, UnitKind
from ankare.domain.evidence import Hit, ScorePart
from ankare.domain.question import QueryWord, Question, QuestionType

STOP = frozenset(
    "är en ett som vad vilka vilken hur när vem av och i på det den de ska för till med om the is of what".split()  # noqa: SIM905
)


class PlainLanguage:
    """Words are their own terms, in lower case; cue lists are given."""

    code = "sv"

    def __init__(self, **cues: Sequence[str]) -> None:
        self._cues = cues

    def index_terms(self, text: str) -> tuple[str, ...]:
        return tuple(w for w in re.findall(r"\w+", text.casefold()) if w not in STOP)

    def cues(self, name: str) -> tuple[str, ...]:
        return tuple(self._cues[name])


def question(text: str, type_: QuestionType = QuestionType.GENERAL, *, unknown: Sequence[str] = ()) -> Question:
    """A question whose words are their own terms."""
    words = tuple(
        QueryWord(
            m[0],
            m.start(),
            m.end(),
            (m[0].casefold(),),
            stop=m[0].casefold() in STOP,
            known=m[0].casefold() not in unknown,
        )
        for m in re.finditer(r"\w+", text)
    )
    return Question(text, "sv", type_, words)


def chunk(
    *units: str | tuple[UnitKind, str] | tuple[UnitKind, str, str],
    section: Sequence[str] = (),
    source: str = "handbok.pdf",
    title: str = "Handbok",
    page: int = 1,
    ordinal: int = 0,
    language: PlainLanguage | None = None,
) -> Chunk:
    """A chunk of sentences; a tuple gives the kind and, for items, the marker. Items in a row are one list."""
    speak = language or PlainLanguage()
    text, sentences, group = "", [], 0
    previous = UnitKind.SENTENCE
    for unit in units:
        kind, body, marker = (UnitKind.SENTENCE, unit, "") if isinstance(unit, str) else (*unit, "•")[:3]
        if kind is not UnitKind.SENTENCE and previous is UnitKind.SENTENCE:
            group += 1
        previous = kind
        text += "\n" if text else ""
        start = len(text)
        text += body
        place = Place(page, (Box(50, 50 + 14 * len(sentences), 500, 62 + 14 * len(sentences)),))
        own = group if kind is not UnitKind.SENTENCE else 0
        sentences.append(
            Sentence(start, len(text), kind, (place,), marker if own else "", own, terms=speak.index_terms(body))
        )
    key = hashlib.sha256(f"{source}{section}{text}{ordinal}".encode()).hexdigest()[:16]
    return Chunk(
        key,
        source,
        source,
        source.rsplit(".", 1)[-1],
        title,
        tuple(section),
        (page,),
        text,
        "sv",
        ordinal,
        tuple(sentences),
    )


def hit(found: Chunk, score: float = 1.0, semantic: float | None = None) -> Hit:
    """A hit with one score part."""
    return Hit(found, score, (ScorePart("bm25", score, 1.0),), score, semantic)


def item(text: str, marker: str = "•") -> tuple[UnitKind, str, str]:
    """A list item."""
    return (UnitKind.ITEM, text, marker)


def row(text: str) -> tuple[UnitKind, str]:
    """A table row."""
    return (UnitKind.ROW, text)
