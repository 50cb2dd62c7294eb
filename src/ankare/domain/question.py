"""What does the user ask, as the engine understands it?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class QuestionType(StrEnum):
    """The form that an answer to this question takes. A generic signal, never a topic."""

    DEFINITION = "definition"
    PURPOSE = "purpose"
    LIST = "list"
    OVERVIEW = "overview"
    PROCESS = "process"
    TIME = "time"
    RESPONSIBILITY = "responsibility"
    PLANNING = "planning"
    EXISTENCE = "existence"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of the question, analysed.

    `terms`: its whole-word index terms. `parts`: terms of its compound parts (empty if it is no compound). `corrected`:
    the word it was read as, where spelling differs. `stop`: a function word, not searched. `generic`: searched but never
    enough to show that the subject is covered ("bäst", "finns"). `synonyms`: per controlled synonym of the profile, its
    terms. `known`: some form of it occurs in the corpus.
    """

    text: str
    start: int
    end: int
    terms: tuple[str, ...]
    parts: tuple[str, ...] = ()
    corrected: str | None = None
    stop: bool = False
    generic: bool = False
    synonyms: tuple[tuple[str, ...], ...] = ()
    known: bool = True

    @property
    def content(self) -> bool:
        """Does this word carry the subject of the question?"""
        return not self.stop and not self.generic


@dataclass(frozen=True, slots=True)
class Question:
    """The user's question: the anchor of search, relevance and answer. `text` is never rewritten."""

    text: str
    language: str
    type: QuestionType
    words: tuple[QueryWord, ...]

    @property
    def content_words(self) -> tuple[QueryWord, ...]:
        """The words that carry the subject."""
        return tuple(word for word in self.words if word.content)


@dataclass(frozen=True, slots=True)
class Understood:
    """A text after an earlier question, as the question that it is on its own. What is asked is `question`, and nothing else.

    `changed`: it is not the text itself. `taken_over`: the pieces of the earlier question that it holds, in their order.
    """

    question: str
    changed: bool = False
    taken_over: tuple[str, ...] = ()
