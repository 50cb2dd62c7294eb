"""In which manner does a sentence say what it says: as a duty, of all, under a condition, as what somebody falsely claims?

The words of a sentence may all stand in a text that says it in another manner, and then the text does not say it. What is
compared are the classes of `evaluation.toml`, each with the words that follow it: a sentence of a text may oblige one and
allow another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from ankare.evaluation.measures.language_cues import cues_of
from ankare.evaluation.measures.said import CHINESE, Said, content_word, denying, wording
from ankare.language.dictionary import is_swedish_verb_form, is_verb_form
from ankare.language.languages import get_language
from ankare.language.packs import named_lists

MODAL = ("must", "should", "may")
SCOPE = ("every", "part")
_KEPT = 30_000
_BEFORE, _AFTER = 8, 90
"""Characters around a word of a class in which it may be denied, and that may follow it."""
_FOLLOWING = 6
_FOLLOWING_SIGNS = 10
_KEYWORDS = 5
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LABEL = re.compile(r"\w: \w")
_MARK = re.compile(r"[,;:()–—。，；：、\n]")
_CLOSERS = " \"'”’»*_"
_ASKING = ("?", "？")
_ASKING_CHINESE = ("吗", "吗。", "呢", "呢。")


@dataclass(frozen=True, slots=True)
class Use:
    """A word of a class, with the terms of the words that follow it. `denied`: "may not" allows nothing."""

    kind: str
    word: str
    terms: frozenset[str]
    denied: bool = False


@dataclass(frozen=True)
class Manner:
    """How a sentence says it: `folded`, its words as they are compared, read as far as somebody asks for it."""

    folded: str
    code: str

    @cached_property
    def modal(self) -> tuple[Use, ...]:
        """Its words of duty, advice and permission."""
        return tuple(_uses(self.folded, self.code, MODAL))

    @cached_property
    def scope(self) -> tuple[Use, ...]:
        """Its words of all and of a part."""
        return tuple(_uses(self.folded, self.code, SCOPE))

    @cached_property
    def only(self) -> bool:
        """Does it say it of nothing else?"""
        return self._has("only")

    @cached_property
    def also(self) -> bool:
        """Does it say it of more?"""
        return self._has("also")

    @cached_property
    def framed(self) -> bool:
        """Does it hold away what it says, as false or as somebody's claim?"""
        return self._has("framing")

    @cached_property
    def asks(self) -> bool:
        """Is it a question?"""
        return self.folded.rstrip(_CLOSERS).endswith(_ASKING + (_ASKING_CHINESE if self.code == CHINESE else ()))

    @cached_property
    def conditions(self) -> tuple[frozenset[str], ...]:
        """The terms of each clause that it holds under."""
        return tuple(_conditions(self.folded, self.code))

    def _has(self, name: str) -> bool:
        return wording(self.code, name).search(self.folded) is not None


def manner_of(one: Said) -> Manner:
    """The manner of a sentence, read before or anew."""
    return _manner(one.reading, one.code)


@lru_cache(_KEPT)
def _manner(text: str, code: str) -> Manner:
    return Manner(" ".join(text.casefold().split()), code)


def _uses(folded: str, code: str, kinds: Sequence[str]) -> Iterator[Use]:
    """The words of some classes."""
    for kind in kinds:
        for found in wording(code, kind).finditer(folded):
            after = _MARK.split(folded[found.end() : found.end() + _AFTER], maxsplit=1)[0]
            before = folded[max(0, found.start() - _BEFORE) : found.start()]
            near = f"{before[-1:]} {after[:3]}" if code == CHINESE else f"{before} {' '.join(after.split()[:2])}"
            yield Use(kind, found[0], _following(after, code), denying(code).search(near) is not None)


def _following(after: str, code: str) -> frozenset[str]:
    if code == CHINESE:
        return frozenset(term for term in get_language(code).index_terms(after[:_FOLLOWING_SIGNS]) if len(term) > 1)
    words = (content_word(code, word) for word in _WORD.findall(after)[:_FOLLOWING])
    return frozenset(term for word in words if word is not None for term in word.terms)


def _conditions(folded: str, code: str) -> Iterator[frozenset[str]]:
    found = [match.end() for match in wording(code, "condition").finditer(folded)]
    found += [match.end() for match in _opening(code).finditer(folded)]
    for end in found:
        clause = _MARK.split(folded[end:], maxsplit=1)[0].rstrip(".!。")
        yield frozenset(get_language(code).index_terms(clause))


@cache
def _opening(code: str) -> re.Pattern[str]:
    """Words that open a condition where a clause begins: at the start, behind a mark, or before a subject and its verb."""
    words = named_lists(code, "evaluation")["condition_opening"]
    if not words:
        return re.compile(r"(?!)")
    grammar = named_lists(code, "grammar")
    others = rf"(?:{_any({*grammar['interrogatives'], *grammar['relatives'], *grammar['infinitive_mark']})})(?!\w)"
    opening, subjects, verbs = (
        _any(words),
        _any(grammar["subject_pronouns"]),
        _any([*grammar["auxiliaries"], *grammar["verb_forms"]]),
    )
    return re.compile(
        rf"(?:^|(?<=[,;:(] )|(?<=[(]))(?:{opening})(?!\w)"
        rf"|(?<!\w)(?<!även )(?:{opening})"
        rf"(?= (?:(?:{subjects})|(?!{others})[\w-]+(?: (?!{others})[\w-]+)?) (?:{verbs})(?!\w))"
    )


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words))


def turned(claim: Said, window: Sequence[Said]) -> str:
    """How a window says otherwise what a sentence says: "modality", "scope", "framing" or "question", "" where it does not."""
    own = manner_of(claim)
    theirs = [manner_of(sentence) for sentence in window]
    if own.framed != any(one.framed for one in theirs):
        return "framing"
    if all(one.asks for one in theirs):
        return "question"
    modal = [use for one in theirs for use in one.modal]
    if _otherwise(own.modal, modal) or (not modal and _weakened(own.modal, window)):
        return "modality"
    exclusive = any(one.only for one in theirs)
    if (own.only and not exclusive) or (own.also and exclusive and not own.only and not any(o.also for o in theirs)):
        return "scope"
    return "scope" if _otherwise(own.scope, [use for one in theirs for use in one.scope]) else ""


def _otherwise(own: Sequence[Use], theirs: Sequence[Use]) -> bool:
    """Is a word of a class said where the other has a word of another class, of the same words or without any of its own?"""
    theirs = [other for other in theirs if not other.denied]
    for use in (use for use in own if not use.denied):
        same = max((len(use.terms & other.terms) for other in theirs if other.kind == use.kind), default=-1)
        others = max((len(use.terms & other.terms) for other in theirs if other.kind != use.kind), default=-1)
        if same < others:
            return True
    return False


def _weakened(own: Sequence[Use], window: Sequence[Said]) -> bool:
    """Is only allowed, possible or advised what the window, in the same words, says plainly?"""
    return any(
        2 * len(use.terms & sentence.terms) > len(use.terms)
        for use in own
        if use.kind != "must" and not use.denied and not wording(window[0].code, "gets").fullmatch(use.word)
        for sentence in window
    )


def unconditional(claim: Said, window: Sequence[Said], asked: Said | None) -> bool:
    """Does the sentence of the window that says most of it name a condition, of which neither the claim nor the question
    says anything?"""
    nearest = max(window, key=lambda sentence: len(sentence.terms & claim.terms))
    conditions = manner_of(nearest).conditions
    if not conditions or manner_of(claim).conditions:
        return False
    known = claim.terms | (asked.terms if asked else frozenset())
    return any(2 * len(clause & known) < len(clause) for clause in conditions)


def breaks_off(claim: Said) -> bool:
    """Does it end with a word that something has to follow?"""
    cues = cues_of(claim.code)
    bare = " ".join(claim.text.casefold().split()).rstrip(" .!?…,;:。！？，；：\"'”’»)(*_")
    return (cues is not None and cues.ends_loosely(claim.text)) or _cannot_end(claim.code).search(bare) is not None


@cache
def _cannot_end(code: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{wording(code, 'cannot_end').pattern})$")


def is_sentence(claim: Said) -> bool:
    """Is it a sentence as running text has them: with a verb, or with a colon for it, and no list of keywords? Chinese verbs
    are not read."""
    if claim.code == CHINESE or _LABEL.search(claim.text):
        return True
    words = _WORD.findall(claim.text.casefold())
    return not _keywords(claim, words) and any(_verbal(word, claim.code) for word in words)


def _keywords(claim: Said, words: Sequence[str]) -> bool:
    content = sum(content_word(claim.code, word) is not None for word in words)
    return content >= _KEYWORDS and content == len(words) and claim.text.count(",") >= content - 2


@lru_cache(_KEPT)
def _verbal(word: str, code: str) -> bool:
    """Could a word be a verb? One that the dictionary lacks could."""
    grammar = named_lists(code, "grammar")
    if word in grammar["auxiliaries"] or word.endswith(tuple(form for form in grammar["verb_forms"] if len(form) > 2)):
        return True
    return (is_swedish_verb_form(word) if code == "sv" else is_verb_form(word, code)) or not get_language(code).is_word(
        word
    )
