"""Which form of answer does a question ask for?

Each type has patterns in the language pack (`questions.toml`): phrases of words, where `^` binds a phrase to the start of
a clause, `*` stands for up to four words, and a word ending in `-` matches every word with that beginning. The types are
tried in the order of the file; the first that matches wins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from ankare.domain.question import QuestionType
from ankare.language.packs import named_lists
from ankare.language.tokens import normalize

FRAMES = "frames"
# Where a clause begins: the text, or the last mark before a word. Each sign between is looked at once, however many marks.
_CLAUSE = r"(?:^\W*|(?<=[.!?,:;]\s)(?:(?![.!?,:;]\s)\W)*)"


def question_type(text: str, code: str) -> QuestionType:
    """The type of a question in language `code`; GENERAL where no pattern matches."""
    folded = _without_frames(" ".join(normalize(text).split()), code)
    for kind, pattern in _patterns(code):
        if pattern.search(folded):
            return kind
    return QuestionType.GENERAL


def _without_frames(text: str, code: str) -> str:
    """The question without what politely leads into it ("kan du", "jag undrar"); a bare "kan du simma" keeps its form."""
    frames = named_lists(code, "questions").get(FRAMES, ())
    if not frames:
        return text
    cut = _frame(frames).sub("", text, count=1)
    return cut if cut != text and any(pattern.match(cut) for _, pattern in _patterns(code)) else text


@cache
def _frame(frames: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(frame) for frame in sorted(frames, key=len, reverse=True))
    return re.compile(rf"^\W*(?:(?:{alternatives})(?!\w)[\s,:!.]*)+")


@cache
def _patterns(code: str) -> tuple[tuple[QuestionType, re.Pattern[str]], ...]:
    return compile_patterns(named_lists(code, "questions"))


def compile_patterns(lists: Mapping[str, Sequence[str]]) -> tuple[tuple[QuestionType, re.Pattern[str]], ...]:
    """One pattern per list; a list's name is a type, with a number after it where a type has
    several ("list_2"). The list of frames is no type."""
    compiled = []
    for name, phrases in lists.items():
        if name == FRAMES:
            continue
        alternatives = "|".join(_phrase(phrase) for phrase in phrases)
        compiled.append((QuestionType(name.rstrip("_0123456789")), re.compile(alternatives)))
    return tuple(compiled)


def _phrase(phrase: str) -> str:
    """The regular expression of one phrase."""
    anchored = phrase.startswith("^")
    words = phrase.lstrip("^").split()
    pieces: list[str] = []
    for word in words:
        if word == "*":
            pieces.append(r"(?:[^\s.?!]+\s+){0,4}?")
        elif re.search(r"[\u3400-\u9fff]", word):
            pieces.append(re.escape(word))
        elif word.endswith("-"):
            pieces.append(re.escape(word[:-1]) + r"[^\s.?!]*\s*")
        else:
            pieces.append(re.escape(word) + r"(?![\w-])[,:]?\s*")
    body = "".join(pieces)
    if re.search(r"[\u3400-\u9fff]", body):
        return body
    return (_CLAUSE if anchored else r"(?<![\w-])") + body
