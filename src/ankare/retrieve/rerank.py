"""How well does a candidate speak to the whole question, beyond sharing words with it?

BM25 adds up words wherever they stand. An answer has the question's words close together, in one sentence or its
neighbours, under a heading that names the subject, in the form that the question asks for. Every feature lies between 0 and
1 and is the share of the question's subject weight (inverse document frequency) that is found in such a place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ankare.domain.question import QueryWord, Question
from ankare.retrieve.settings import RetrievalSettings
from ankare.retrieve.view import ChunkView


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to find a word in a text: all of `terms`, for `credit` of the word's weight."""

    terms: tuple[str, ...]
    credit: float


@dataclass(frozen=True, slots=True)
class Subject:
    """A content word as it is looked for: `weight` is its share of the question's subject, `readings` best first.

    `terms`: every term of its readings.
    """

    weight: float
    readings: tuple[Reading, ...]
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Features:
    """What the rerank saw in a candidate, each 0 to 1. `words`: per word that is looked for, how far it was found."""

    words: tuple[float, ...]
    coverage: float
    sentence: float
    window: float
    heading: float
    source: float
    form: float


def subjects(
    question: Question, doc_freq: Callable[[str], int], total: int, settings: RetrievalSettings
) -> tuple[Subject, ...]:
    """The words that a candidate is held against, heaviest first; generic ones count for a share of their weight."""
    words = [word for word in question.words if not word.stop]
    generic = settings.generic_share if question.content_words else 1.0
    weighed = [(word_weight(word, doc_freq, total) * (generic if word.generic else 1.0), word) for word in words]
    weighed = [(weight, word) for weight, word in weighed if weight > 0]
    whole = sum(weight for weight, _word in weighed) or 1.0
    found = []
    for weight, word in weighed:
        readings = _readings(word, doc_freq, total, settings)
        terms = frozenset(term for reading in readings for term in reading.terms)
        found.append(Subject(weight / whole, readings, terms))
    return tuple(sorted(found, key=lambda subject: -subject.weight))


def word_weight(word: QueryWord, doc_freq: Callable[[str], int], total: int) -> float:
    """Inverse document frequency of a word's commonest form; of its parts where the whole word is not in the corpus."""
    frequency = max((doc_freq(term) for term in word.terms), default=0)
    if not frequency and word.parts:
        return max(inverse_frequency(doc_freq(part), total) for part in word.parts)
    return inverse_frequency(frequency, total)


def inverse_frequency(frequency: int, total: int) -> float:
    """ln(1 + (N - n + .5) / (n + .5)) of Robertson and Zaragoza 2009, eq. 3.2, kept positive."""
    return math.log(1.0 + (total - frequency + 0.5) / (frequency + 0.5))


def features(view: ChunkView, wanted: tuple[Subject, ...], form: int | None, settings: RetrievalSettings) -> Features:
    """What a candidate shows for these words. `form`: its sentences of the asked-for form, None where none is asked.

    A section often names its subject in its heading alone, a form or slide in its title or file name: a word found there
    counts, for less, as if it stood in every sentence. `sentence` looks at what the sentences themselves say.
    """
    masks = view.masks
    found: list[tuple[float, int]] = []
    around: list[tuple[float, int]] = []
    words: list[float] = []
    heading = source = 0.0
    for subject in wanted:
        credit, mask = _locate(masks, subject.readings)
        above, beside = _credit(view.heading, subject), _credit(view.source, subject)
        heading += subject.weight * above
        source += subject.weight * beside
        context = max(settings.heading_credit * above, settings.source_credit * beside)
        if mask:
            found.append((subject.weight * credit, mask))
        if context > credit:
            around.append((subject.weight * context, -1))
        elif mask:
            around.append((subject.weight * credit, mask | mask << 1 | mask >> 1))
        words.append(max(credit, context))
    return Features(
        tuple(words),
        covered(wanted, words),
        _together(found),
        _together(around),
        heading,
        source,
        _together(around, form) if form else 0.0,
    )


def covered(wanted: tuple[Subject, ...], *words: Sequence[float]) -> float:
    """The subject weight that is found in any of some texts, each given by its credit per word."""
    best = words[0] if len(words) == 1 else [max(column) for column in zip(*words, strict=True)]
    return sum(subject.weight * credit for subject, credit in zip(wanted, best, strict=True))


def best_sentence(view: ChunkView, wanted: tuple[Subject, ...], likeness: Sequence[float] = ()) -> int:
    """The number of the sentence that holds most of the subject, and is most like the question where that is known."""
    count = len(view.chunk.sentences)
    worth = [float(likeness[number]) if number < len(likeness) else 0.0 for number in range(count)]
    for subject in wanted:
        credit, mask = _locate(view.masks, subject.readings)
        for number in range(count):
            if mask >> number & 1:
                worth[number] += subject.weight * credit
    return max(range(count), key=lambda number: (worth[number], -number), default=0)


def _locate(masks: dict[str, int], readings: tuple[Reading, ...]) -> tuple[float, int]:
    """The best reading that the text has: its credit, and the sentences where it stands."""
    for reading in readings:
        terms = reading.terms
        if len(terms) == 1:
            mask = masks.get(terms[0], 0)
            if mask:
                return reading.credit, mask
            continue
        both = anywhere = -1
        union = 0
        for term in terms:
            mask = masks.get(term, 0)
            if not mask:
                anywhere = 0
                break
            both &= mask
            union |= mask
        if anywhere:
            return reading.credit, both or union
    return 0.0, 0


def _credit(terms: frozenset[str], subject: Subject) -> float:
    """The credit of the best reading that a set of terms holds."""
    if subject.terms.isdisjoint(terms):
        return 0.0
    for reading in subject.readings:
        if terms.issuperset(reading.terms):
            return reading.credit
    return 0.0


def _together(found: list[tuple[float, int]], start: int = -1) -> float:
    """The most weight found in one place, greedily from each of the two heaviest words; at most what is there."""
    best = 0.0
    for first in range(min(2, len(found))):
        place = found[first][1] & start
        if not place:
            continue
        worth = found[first][0]
        for other, (weight, mask) in enumerate(found):
            if other != first and place & mask:
                place &= mask
                worth += weight
        if worth > best:
            best = worth
    return best


def _readings(
    word: QueryWord, doc_freq: Callable[[str], int], total: int, settings: RetrievalSettings
) -> tuple[Reading, ...]:
    """A word's readings: itself, a synonym, all its parts, then its parts one by one."""
    readings = [Reading((term,), 1.0) for term in word.terms]
    readings += [Reading(synonym, settings.synonym_credit) for synonym in word.synonyms if synonym]
    if word.parts:
        weights = [inverse_frequency(doc_freq(part), total) for part in word.parts]
        whole = sum(weights) or 1.0
        readings.append(Reading(word.parts, settings.part_credit))
        if len(word.parts) > 1:
            readings += [
                Reading((part,), settings.part_credit * weight / whole)
                for part, weight in zip(word.parts, weights, strict=True)
            ]
    return tuple(sorted(readings, key=lambda reading: -reading.credit))
