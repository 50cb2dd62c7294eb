"""Which of the wordings that a model proposes may be searched along with the question?

A wording helps to find the same thing. One that brings a figure, a date or a name that the question does not have, or states
something, looks like an answer: a search for it finds what the model believes. One that shares no content word with the
question is about something else. The focus that the model itself names is no anchor, since it drifts along with the wordings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ankare.contracts.rewrite import MAX_QUERIES, MAX_QUERY, Rewrite, RewriteQuery
from ankare.domain.agents import AcceptedRewrite, RejectedRewrite
from ankare.domain.question import QueryWord, Question
from ankare.language.packs import named_lists
from ankare.language.protocol import Language, Token, WordAnalysis

MAX_WORDS = 20
_KIN = 5
"""Fewest letters that two terms begin with in common to be of one family ("ansvar", "ansvarig")."""
_KIN_SHARE = 0.7
_MARKUP = re.compile(r"https?:|www\.|[@<>{}\[\]|\\]|\.(?:com|org|net|se|pdf|docx?|xlsx?|pptx?|html?)\b", re.IGNORECASE)
_SENTENCES = re.compile(r"[.!?:;]\s+\S")


class Unfit(StrEnum):
    """Why a wording is not searched."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    NOT_A_QUERY = "not_a_query"
    DUPLICATE = "duplicate"
    OFF_SUBJECT = "off_subject"
    NEW_NUMBER = "new_number"
    NEW_NAME = "new_name"
    STATEMENT = "statement"
    TOO_MANY = "too_many"


@dataclass(frozen=True, slots=True)
class Accepted:
    """What is to be searched. `queries`: the question itself first, word for word, then the wordings of `accepted`."""

    queries: tuple[str, ...]
    accepted: tuple[AcceptedRewrite, ...] = ()
    rejected: tuple[RejectedRewrite, ...] = ()


def screen_rewrites(rewrite: Rewrite, question: Question, analysis: Language, *, most: int = MAX_QUERIES) -> Accepted:
    """The wordings of `rewrite` that may be searched, in their order, and the others with the reason (`Unfit`).

    `analysis`: the language of the question. `most`: so many searches in all, the question's own included. Never raises for
    odd wordings.
    """
    screen = _Screen(question, analysis)
    queries = [question.text]
    accepted: list[AcceptedRewrite] = []
    rejected: list[RejectedRewrite] = []
    for proposed in rewrite.queries:
        reason = screen.objection(proposed)
        if reason is None and len(queries) >= most:
            reason = Unfit.TOO_MANY
        if reason is not None:
            rejected.append(RejectedRewrite(proposed.query, reason.value))
            continue
        queries.append(proposed.query)
        accepted.append(AcceptedRewrite(proposed.query, proposed.purpose.value))
    return Accepted(tuple(queries), tuple(accepted), tuple(rejected))


class _Screen:
    """Holds wordings against one question; remembers those that it let through."""

    def __init__(self, question: Question, analysis: Language) -> None:
        self._analysis = analysis
        self._asked = {token.norm for token in analysis.tokens(question.text)}
        self._anchors = question.content_words or tuple(word for word in question.words if not word.stop)
        self._seen = {_key(analysis.tokens(question.text))}
        lists = named_lists(analysis.code, "rewrites")
        self._asserting = frozenset(lists["asserting"])
        self._asking = frozenset(lists["asking"])
        self._quantities = frozenset(lists["quantities"])

    def objection(self, proposed: RewriteQuery) -> Unfit | None:
        """Why a wording may not be searched, None where it may."""
        text = proposed.query
        tokens = self._analysis.tokens(text[: 2 * MAX_QUERY])
        if not tokens:
            return Unfit.EMPTY
        if len(text) > MAX_QUERY or len(tokens) > MAX_WORDS:
            return Unfit.TOO_LONG
        if _MARKUP.search(text):
            return Unfit.NOT_A_QUERY
        if _key(tokens) in self._seen:
            return Unfit.DUPLICATE
        reason = self._against_meaning(text, tokens)
        if reason is None:
            self._seen.add(_key(tokens))
        return reason

    def _against_meaning(self, text: str, tokens: Sequence[Token]) -> Unfit | None:
        analyses = [self._analysis.analyze(token.text) for token in tokens]
        anchored = [self._anchored(found) for found in analyses]
        if any(self._is_quantity(token) for token in tokens):
            return Unfit.NEW_NUMBER
        if self._names(tokens, analyses, anchored):
            return Unfit.NEW_NAME
        fresh = [not a and not f.stop and not f.generic for f, a in zip(analyses, anchored, strict=True)]
        if self._states(text, tokens, fresh):
            return Unfit.STATEMENT
        return None if any(anchored) else Unfit.OFF_SUBJECT

    def _is_quantity(self, token: Token) -> bool:
        """A figure, a date or a quantity in words that the question does not have."""
        told = any(map(str.isdecimal, token.norm)) or token.norm in self._quantities
        return told and token.norm not in self._asked

    def _names(self, tokens: Sequence[Token], analyses: Sequence[WordAnalysis], anchored: Sequence[bool]) -> bool:
        """Does it bring a name? A capital letter tells, but not where every word has one, nor at the start of a known word."""
        capital = [token.text[0].isupper() for token in tokens]
        titled = sum(not found.stop for found in analyses) > 1 and all(
            big or found.stop for big, found in zip(capital, analyses, strict=True)
        )
        for place, (token, found) in enumerate(zip(tokens, analyses, strict=True)):
            if not capital[place] or anchored[place] or found.stop or token.norm in self._asked:
                continue
            known = bool(found.parts) or self._analysis.is_word(token.text)
            short_form = len(token.text) > 1 and token.text.isupper()
            if not known or short_form or (place > 0 and not titled):
                return True
        return False

    def _states(self, text: str, tokens: Sequence[Token], fresh: Sequence[bool]) -> bool:
        """Does it state something new, instead of asking for it?"""
        if not any(fresh):
            return False
        if _SENTENCES.search(text):
            return True
        for place, token in enumerate(tokens):
            if token.norm in self._asking:
                return False
            if place and token.norm in self._asserting:
                return True
        return False

    def _anchored(self, found: WordAnalysis) -> bool:
        """Is the word one of the question's, in any form, as a part of one, or by a controlled synonym?"""
        if found.stop:
            return False
        return any(self._related(found, word) for word in self._anchors)

    def _related(self, found: WordAnalysis, word: QueryWord) -> bool:
        terms = {term for term in found.terms if len(term) > 1}
        if terms & {*word.terms, *word.parts} or set(found.parts) & set(word.terms):
            return True
        if any(terms.issuperset(synonym) or terms & set(synonym) for synonym in word.synonyms if synonym):
            return True
        return self._share_a_side(found.parts, word.parts) or any(
            _kin(term, other) for term in terms for other in word.terms
        )

    def _share_a_side(self, parts: Sequence[str], others: Sequence[str]) -> bool:
        """Two compounds with the same first or the same last part, one that shows a subject."""
        if not parts or not others:
            return False
        sides = [parts[side] for side in (0, -1) if parts[side] == others[side]]
        return any(not self._analysis.analyze(part).generic for part in sides)


def _kin(term: str, other: str) -> bool:
    """Do two terms begin so much alike that they are of one family?"""
    shorter = min(len(term), len(other))
    needed = max(_KIN, _KIN_SHARE * shorter)
    return shorter >= needed and term.isalpha() and _common(term, other) >= needed


def _common(term: str, other: str) -> int:
    for place, (a, b) in enumerate(zip(term, other, strict=False)):
        if a != b:
            return place
    return min(len(term), len(other))


def _key(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.norm for token in tokens)
