"""Does a text say what a sentence says, and how much of it?

The sentence is held against windows of one sentence or two that follow each other. A window supports the share of the
sentence's content words that stand in it; a window that states another value, lacks a name, denies what the sentence says, or
says it in another manner supports nothing. What stands in the text word for word is supported. The best window counts, so that
one more text never takes support away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from ankare.evaluation.measures.contradiction import FRAGMENT, conflict_of, misspelt
from ankare.evaluation.measures.manner import manner_of, unconditional
from ankare.evaluation.measures.passages import (
    Passage,
    Window,
    language_of,
    passage,
    same_language,
    sentences_of,
    terms_of,
)
from ankare.evaluation.measures.said import ContentWord, Said

SUPPORTED = 2 / 3
"""From this share on a sentence counts as supported."""
PARTLY = 1 / 2
"""From this share on a cited text supports a sentence at least partly."""
RELATED = 0.8
"""What a word is worth that the window says otherwise: by a synonym, by all parts of the compound, or in a heading."""
FLOOR = 1 / 3
"""A window that has less than this share of the words as they stand supports nothing."""


@dataclass(frozen=True, slots=True)
class Support:
    """How far the best window supports a sentence. `share`: 0 to 1; `window`: its words; `missing`: words that are not in it.

    `conflict`: what kept the nearest window from supporting anything (see `conflict_of`), "" where nothing did;
    `words`: the share of all of the sentence's words in that window, whatever keeps it from supporting them; `verbatim`: it is
    a sentence, item or row of the text as it stands.
    """

    share: float
    passage: Passage | None = None
    window: str = ""
    missing: tuple[str, ...] = ()
    conflict: str = ""
    words: float = 0.0
    verbatim: bool = False

    @property
    def supported(self) -> bool:
        """Does it count as supported?"""
        return self.share >= SUPPORTED - 1e-9


def support(claim: Said, passages: Iterable[Passage], asked: Said | None = None, *, whole: bool = False) -> Support:
    """How far the best window of the passages supports the claim; with `whole`, each passage is one window.

    `asked`: the question. Where the claim has words that the question lacks, their share alone bounds the support: a window
    that only shares the question's words supports nothing new. A fragment needs a passage that speaks of the question.
    Passages in another language than the claim's support nothing that they do not say word for word.
    """
    asks = manner_of(claim).asks
    best = Support(0.0, conflict="question" if asks else "")
    for one in passages:
        found = _verbatim(claim, one)
        if found is None and not asks and (comparable := _comparable(claim, one)) is not None:
            found = _within(claim, comparable, asked, best.share, whole)
        if found is not None:
            best = max(best, found, key=lambda held: (held.share, held.words))
        if best.share >= 1.0:
            break
    return best


def _comparable(claim: Said, one: Passage) -> Passage | None:
    """The passage in the language of the claim; one that holds its words is read in that, whatever it is written in."""
    if one.code == claim.code:
        return one
    if not claim.plain or f" {claim.plain} " not in one.words:
        return None
    return passage(one.text, claim.code, one.heading, one.source, one.pages, certain=True)


def _verbatim(claim: Said, one: Passage) -> Support | None:
    """The claim as a sentence, item or row of the passage, in whatever language."""
    if not claim.plain or claim.plain not in one.plain:
        return None
    asks = manner_of(claim).asks
    same = (sentence for sentence in one.sentences if sentence.plain == claim.plain)
    window = next((sentence.text for sentence in same if manner_of(sentence).asks == asks), None)
    if window is None:
        return None
    return Support(1.0, one, window, words=1.0, verbatim=True)


def _within(claim: Said, one: Passage, asked: Said | None, least: float, whole: bool) -> Support:
    """The best window of a passage that supports more than `least`; else a support of 0 with the nearest one's conflict."""
    least_words = FLOOR * len(claim.words)
    if sum(not word.terms.isdisjoint(one.terms) for word in claim.words) < least_words:
        return Support(0.0)
    windows = [one.sentences] if whole else _windows(one, claim, least_words)
    weighed = [(*_shares(claim, window, one, asked), window) for window in windows]
    weighed = [found for found in weighed if found[0] > least or not least]
    weighed.sort(key=lambda found: (-found[0], -found[1], len(found[2])))
    nearest, best = "", None
    for share, words, window in weighed:
        if best is not None and share <= best.share:
            break
        conflict = conflict_of(claim, window, one, asked)
        limited = not conflict and share > PARTLY and unconditional(claim, window, asked)
        if not conflict and not limited:
            return Support(share, one, _words(window), _missing(claim, window, one), words=words)
        if limited and best is None:
            best = Support(PARTLY, one, _words(window), _missing(claim, window, one), "condition", words)
        nearest = nearest or conflict
    if best is not None or not weighed:
        return best or Support(0.0)
    _, words, window = weighed[0]
    return Support(0.0, one, _words(window), _missing(claim, window, one), nearest, words)


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
    terms = terms_of(window)
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
    if not word.terms.isdisjoint(one.above.terms):
        return RELATED
    return 1.0 if misspelt(word, window) else 0.0


def _words(window: Window) -> str:
    return " ".join(sentence.text for sentence in window)


def _missing(claim: Said, window: Window, one: Passage) -> tuple[str, ...]:
    terms = terms_of(window)
    return tuple(word.text for word in claim.words if not credit(word, terms, window, one))


__all__ = [
    "FLOOR",
    "FRAGMENT",
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
