"""Does a text say what a sentence says, and how much of it?

The sentence is held against windows of one sentence or two that follow each other. A window supports the share of the
sentence's content words that stand in it; a window that states another value, lacks a name, or denies what the sentence says
supports nothing. The best window counts, so that one more text never takes support away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ankare.evaluation.measures.said import CHINESE, Amount, ContentWord, Said, said
from ankare.index.recent import Recent
from ankare.language.languages import LANGUAGE_CODES, detect_language, get_language
from ankare.language.measures import Value, same_value

SUPPORTED = 2 / 3
"""From this share on a sentence counts as supported."""
PARTLY = 1 / 2
"""From this share on a cited text supports a sentence at least partly."""
RELATED = 0.8
"""What a word is worth that the window says otherwise: by a synonym, by all parts of the compound, or in a heading."""
FLOOR = 1 / 3
"""A window that has less than this share of the words as they stand supports nothing."""
FRAGMENT = 3
"""A sentence of fewer content words and values says nothing without its question."""
_READ_FOR_LANGUAGE = 400
_KEPT_PASSAGES = 4_000
_WRAPPED_FROM = 40
_LINE = re.compile(r"\n+")


@dataclass(frozen=True)
class Passage:
    """A text that sentences are held against: a chunk, a cited stretch, an answer. `heading`: title and section."""

    text: str
    code: str
    heading: str = ""
    source: str = ""
    pages: tuple[int, ...] = ()

    @cached_property
    def sentences(self) -> tuple[Said, ...]:
        """Its sentences, list items and rows."""
        return tuple(said(text, self.code) for text in sentences_of(self.text, self.code))

    @cached_property
    def terms(self) -> frozenset[str]:
        """All terms of its sentences."""
        return frozenset().union(*(sentence.terms for sentence in self.sentences))

    @cached_property
    def above(self) -> Said:
        """Its heading, read."""
        return said(self.heading, self.code)


@dataclass(frozen=True, slots=True)
class Support:
    """How far the best window supports a sentence. `share`: 0 to 1; `window`: its words; `missing`: words that are not in it.

    `conflict`: what kept the nearest window from supporting anything (see `conflict_of`), "" where nothing did;
    `words`: the share of all of the sentence's words in that window, whatever keeps it from supporting them.
    """

    share: float
    passage: Passage | None = None
    window: str = ""
    missing: tuple[str, ...] = ()
    conflict: str = ""
    words: float = 0.0

    @property
    def supported(self) -> bool:
        """Does it count as supported?"""
        return self.share >= SUPPORTED - 1e-9


_passages: Recent[tuple[str, str, str, str, tuple[int, ...]], Passage] = Recent(_KEPT_PASSAGES)


def passage(
    text: str, language: str, heading: str = "", source: str = "", pages: tuple[int, ...] = (), *, certain: bool = False
) -> Passage:
    """A text with its language, found by its words unless `certain`; `language` is what it is where nothing tells."""
    key = (text, language, heading, source, pages)
    known = _passages.get(key)
    if known is None:
        code = language if certain else language_of(text, language)
        known = Passage(text, code, heading, source, pages)
        _passages.put(key, known)
    return known


def language_of(text: str, default: str) -> str:
    """The language of a text, by its beginning."""
    return _detected(text[:_READ_FOR_LANGUAGE], default if default in LANGUAGE_CODES else LANGUAGE_CODES[0])


@lru_cache(_KEPT_PASSAGES)
def _detected(beginning: str, default: str) -> str:
    return detect_language(beginning, LANGUAGE_CODES, default)


def sentences_of(text: str, code: str) -> Iterator[str]:
    """The sentences of a text; an item or row that stands on a line of its own is one."""
    for block in _blocks(text):
        for start, end in get_language(code).sentences(block):
            yield block[start:end]


def _blocks(text: str) -> Iterator[str]:
    """Lines, those that only wrap put together."""
    open_line = ""
    for line in map(str.strip, _LINE.split(text)):
        wraps = len(open_line) >= _WRAPPED_FROM and open_line[-1].isalnum() and line[:1].islower() and "|" not in line
        if open_line and not wraps:
            yield open_line
            open_line = ""
        open_line = f"{open_line} {line}".strip()
    if open_line:
        yield open_line


def support(claim: Said, passages: Iterable[Passage], asked: Said | None = None, *, whole: bool = False) -> Support:
    """How far the best window of the passages supports the claim; with `whole`, each passage is one window.

    `asked`: the question. Where the claim has words that the question lacks, their share alone bounds the support: a window
    that only shares the question's words supports nothing new. A fragment needs a passage that speaks of the question.
    Passages in another language than the claim's support nothing.
    """
    best = Support(0.0)
    for one in passages:
        if one.code == claim.code:
            best = max(
                best, _within(claim, one, asked, best.share, whole), key=lambda found: (found.share, found.words)
            )
            if best.share >= 1.0:
                break
    return best


def _within(claim: Said, one: Passage, asked: Said | None, least: float, whole: bool) -> Support:
    """The best window of a passage that supports more than `least`; else a support of 0 with the nearest one's conflict."""
    least_words = FLOOR * len(claim.words)
    if sum(not word.terms.isdisjoint(one.terms) for word in claim.words) < least_words:
        return Support(0.0)
    windows = [one.sentences] if whole else _windows(one, claim, least_words)
    weighed = [(*_shares(claim, window, one, asked), window) for window in windows]
    weighed = [found for found in weighed if found[0] > least or not least]
    weighed.sort(key=lambda found: (-found[0], -found[1], len(found[2])))
    nearest = ""
    for share, words, window in weighed:
        conflict = conflict_of(claim, window, one, asked)
        if not conflict:
            return Support(share, one, _words(window), _missing(claim, window, one), words=words)
        nearest = nearest or conflict
    if not weighed:
        return Support(0.0)
    _, words, window = weighed[0]
    return Support(0.0, one, _words(window), _missing(claim, window, one), nearest, words)


Window = tuple[Said, ...]


def _windows(one: Passage, claim: Said, least: float) -> Iterator[Window]:
    """The windows that have enough of the claim's words as they stand."""
    words = claim.words
    held = [frozenset(at for at, word in enumerate(words) if not word.terms.isdisjoint(s.terms)) for s in one.sentences]
    for at, sentence in enumerate(one.sentences):
        if len(held[at]) >= least:
            yield (sentence,)
        if at + 1 < len(held) and len(held[at] | held[at + 1]) >= least:
            yield (sentence, one.sentences[at + 1])


def _shares(claim: Said, window: Window, one: Passage, asked: Said | None) -> tuple[float, float]:
    """The mean credit of the claim's words, bounded by that of the words that the question lacks; and unbounded. A claim
    without words is all values."""
    terms = _terms(window)
    worths = [(word, credit(word, terms, window, one)) for word in claim.words]
    if not worths:
        return float(bool(claim.amounts)), 1.0
    own = [worth for word, worth in worths if asked is None or word.terms.isdisjoint(asked.terms)]
    whole = sum(worth for _, worth in worths) / len(worths)
    return (min(whole, sum(own) / len(own)) if own else whole), whole


def credit(word: ContentWord, terms: Set[str], window: Window, one: Passage) -> float:
    """1 for a word that stands in the window in any form, `RELATED` for one that it says otherwise, else 0."""
    if not word.terms.isdisjoint(terms):
        return 1.0
    if word.parts and word.parts <= terms:
        return RELATED
    if word.senses and any(not word.senses.isdisjoint(sentence.gives) for sentence in window):
        return RELATED
    return RELATED if not word.terms.isdisjoint(one.above.terms) else 0.0


def conflict_of(claim: Said, window: Window, one: Passage, asked: Said | None = None) -> str:
    """What in a window contradicts the claim: "value", "name", "negation", or "subject" where a fragment is said of something
    else; "" where nothing does."""
    if any(not _stated(amount, window, one) for amount in claim.amounts):
        return "value"
    if claim.names:
        terms = _terms(window) | one.above.terms | (asked.terms if asked else frozenset())
        if any(name.terms.isdisjoint(terms) for name in claim.names):
            return "name"
    if _denies_otherwise(claim, window):
        return "negation"
    return "" if asked is None or _speaks_of(asked, claim, one) else "subject"


def _speaks_of(asked: Said, claim: Said, one: Passage) -> bool:
    """A fragment ("Five days.") says something only together with the question: does the passage speak of that at all?"""
    if len(claim.words) + len(claim.amounts) >= FRAGMENT or not asked.words:
        return True
    if any(not word.terms.isdisjoint(one.terms) or not word.terms.isdisjoint(one.above.terms) for word in asked.words):
        return True
    return any(not word.senses.isdisjoint(sentence.gives) for word in asked.words for sentence in one.sentences)


def _stated(amount: Amount, window: Window, one: Passage) -> bool:
    """Does the window state the value, with no bound to the other side? A date may stand in the heading."""
    others = [other for sentence in window for other in sentence.amounts]
    others += [other for other in one.above.amounts if isinstance(other.value, Value) and other.value.kind == "date"]
    return any(_same(amount, other) and {amount.bound, other.bound} != {"up", "down"} for other in others)


def _same(amount: Amount, other: Amount) -> bool:
    if isinstance(amount.value, Value) and isinstance(other.value, Value):
        return same_value(amount.value, other.value)
    return amount.value == other.value


def _denies_otherwise(claim: Said, window: Window) -> bool:
    """Does one of them deny what the other says?

    What the claim denies must be denied in the window, of the same words or half of the shorter; what the window denies, and
    the claim says at least half of, must be denied in the claim.
    """
    theirs = [denied for sentence in window for denied in sentence.denied]
    if any(not _meets(own, theirs) for own in claim.denied):
        return True
    return any(
        denied and 2 * len(denied & claim.terms) >= len(denied) and not _meets(denied, claim.denied)
        for denied in theirs
    )


def _meets(denied: Set[str], others: Sequence[Set[str]]) -> bool:
    return any(2 * len(denied & other) >= min(len(denied), len(other)) for other in others)


def _terms(window: Window) -> frozenset[str]:
    return window[0].terms if len(window) == 1 else frozenset().union(*(sentence.terms for sentence in window))


def _words(window: Window) -> str:
    return " ".join(sentence.text for sentence in window)


def _missing(claim: Said, window: Window, one: Passage) -> tuple[str, ...]:
    terms = _terms(window)
    return tuple(word.text for word in claim.words if not credit(word, terms, window, one))


def same_language(code: str, passages: Sequence[Passage]) -> bool:
    """Is any of the passages written in the language? Words can only be compared within one."""
    return any(one.code == code for one in passages)


__all__ = [
    "CHINESE",
    "FLOOR",
    "PARTLY",
    "RELATED",
    "SUPPORTED",
    "Passage",
    "Support",
    "conflict_of",
    "language_of",
    "passage",
    "same_language",
    "sentences_of",
    "support",
]
