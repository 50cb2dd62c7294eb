"""Is a statement no whole sentence, and by what is that seen?

A sentence of running text has a finite verb, begins and ends as sentences do, closes its brackets and does not stop at "and".
Items, steps and rows need none of the first three.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from ankare.evaluation.captured import Statement
from ankare.evaluation.measures.language_cues import Cues, words_of
from ankare.gate.grounding.reading import read
from ankare.gate.grounding.split import states
from ankare.gate.grounding.words import closed, lemmas
from ankare.language.dictionary import is_swedish_verb_form, is_verb_form
from ankare.language.languages import LANGUAGE_CODES, detect_language

NO_VERB, CUT_START, CUT_END, OPEN_BRACKET, LOOSE_END = "no_verb", "cut_start", "cut_end", "open_bracket", "loose_end"
_READ = ("sv", "en")
_TEXT, _ROW = "text", "row"
_ENDS = ".!?。！？;；"
_LEADS = ":："
_CLOSERS = "\"'”’»)]）」』*_"
_OPENERS = "\"'”“„»«([*_（「『"
_PAIRS = (("(", ")"), ("[", "]"), ("（", "）"))
_ENTRY = re.compile(r"\S.{0,80}?\s[–—-]\s+\S+\s+\S+\s+\S")
"""A word and what it means, as glossaries have it."""
LONGEST_READ = 2000
"""Characters of a statement that are read for a verb."""


def fragments(statements: Sequence[Statement], cues: Cues) -> Iterator[tuple[int, str]]:
    """(number of the statement, what shows that it is a fragment), each statement once, in their order."""
    for number, statement in enumerate(statements):
        following = statements[number + 1] if number + 1 < len(statements) else None
        if why := _fragment(statement, following, cues):
            yield number, why


def _fragment(statement: Statement, following: Statement | None, cues: Cues) -> str:
    text = statement.text.strip()
    if statement.form != _ROW and cues.ends_loosely(text) and not _goes_on(statement, following):
        return LOOSE_END
    if any(text.count(opening) > text.count(closing) for opening, closing in _PAIRS):
        return OPEN_BRACKET
    if statement.form != _TEXT or cues.replies_with(text) or _ENTRY.match(text):
        return ""
    return _cut(text) or ("" if _introduces(text, following) or has_verb(text, cues.code) else NO_VERB)


def _goes_on(statement: Statement, following: Statement | None) -> bool:
    """Does the next item, or the list that a sentence leads into, go on with it?"""
    if following is None or following.form == _TEXT:
        return False
    return statement.form != _TEXT or statement.text.rstrip().endswith(tuple(_LEADS))


def _cut(text: str) -> str:
    if text.lstrip(_OPENERS)[:1].islower():
        return CUT_START
    bare = text.rstrip(_CLOSERS + " ")
    if bare.endswith(("...", "…")) or not bare.endswith(tuple(_ENDS + _LEADS)):
        return CUT_END
    return ""


def _introduces(text: str, following: Statement | None) -> bool:
    """Are these the words over a list ("Roles in the project:")?"""
    return text.endswith(tuple(_LEADS)) and following is not None and following.form != _TEXT


def has_verb(text: str, code: str) -> bool:
    """Has a sentence a finite verb, or does it tell to do something?

    Read in the answer's language, and in the one that it seems to be in, since sources are quoted in theirs; of languages other
    than Swedish and English nobody knows.
    """
    short = text[:LONGEST_READ]
    if _verb_in(short, code):
        return True
    seeming = detect_language(short, LANGUAGE_CODES, code)
    return seeming != code and _verb_in(short, seeming)


def _verb_in(text: str, code: str) -> bool:
    if code not in _READ or states(read(text, code)):
        return True
    words = words_of(text)
    if code == "en":
        return any(is_verb_form(word, "en") for word in words)
    marks = closed("sv")["infinitive_mark"]
    return any(
        _is_present(word) or (before not in marks and _tells_to(word)) for before, word in pairwise(["", *words])
    )


@lru_cache(20_000)
def _is_present(word: str) -> bool:
    """Could the Swedish form be a present tense, whatever else it is ("skapar")?"""
    table = lemmas()
    if not word.endswith("r") or word in closed("sv")["function"]:
        return False
    return any(map(table.is_verb, table.listed(word) or table.by_paradigm(word)))


@lru_cache(20_000)
def _tells_to(word: str) -> bool:
    """Could the Swedish form be an imperative ("beskriv", "ange", "granska"), and is it nothing but a form of a verb?"""
    if word in closed("sv")["function"] or not is_swedish_verb_form(word):
        return False
    return any(lemma.startswith(word) and len(lemma) <= len(word) + 2 for lemma in lemmas().listed(word))
