"""What were the questions about that nobody could be answered? Questions that share words become a subject.

A greedy cover: the word that the most askings share becomes a subject with all its questions, then the word that the most of
the rest share, and so on; what shares no word with any other question is a subject of its own. Words are compared by their
index terms, so that forms of a word and parts of a compound meet. An asking counts for a word

- as much as the word tells: 1 for one that the language hardly uses, less the commoner it is (Zipf frequency, van Heuven et al.
  2014), nothing for function words and for words that never show a subject;
- twice where the relevance gate has said that the material lacks the word;
- half, and as much as the part tells, where it is only part of a compound.

The same questions give the same subjects, in whatever order they come.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ankare.language.languages import LANGUAGE_CODES, detect_language, get_language
from ankare.language.protocol import Language
from ankare.service.watch.usage_counting import shortened
from ankare.service.watch.usage_summary import Count, Subject

ZIPF_TOP = 8.0
LEAST_TELLING = 0.1
LACKED, PART = 2.0, 0.5
SHARED = 0.5
"""A word that so many of a subject's questions hold names it too."""
MOST_TERMS, MOST_EXAMPLES, MOST_EXAMPLE, MOST_WORDS = 3, 3, 200, 60


@dataclass(slots=True)
class Asked:
    """A refused question with all that was seen of it. `askers`: a bit for each API key. `missing`: words that the material
    lacks."""

    text: str
    count: int = 0
    askers: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    missing: tuple[str, ...] = ()
    latest: str = ""


@dataclass(frozen=True, slots=True)
class _Question:
    """A question as words. `weights`: by term, what an asking counts for it; `shown`: by term, the word as it was written."""

    asked: Asked
    weights: Mapping[str, float]
    shown: Mapping[str, str]


def subjects_of(asked: Iterable[Asked]) -> tuple[Subject, ...]:
    """The subjects, the most asked about first."""
    questions = [_question(one) for one in sorted(asked, key=lambda one: one.text)]
    found = [_subject(terms, members) for terms, members in _groups(questions)]
    return tuple(sorted(found, key=lambda subject: (-subject.questions, subject.terms, subject.examples)))


def _question(asked: Asked) -> _Question:
    """The words of a question that may show its subject, weighed."""
    language = get_language(detect_language(asked.text, LANGUAGE_CODES, LANGUAGE_CODES[0]))
    lacked = {word.casefold() for word in asked.missing}
    weights: dict[str, float] = {}
    shown: dict[str, str] = {}
    for token in language.tokens(asked.text)[:MOST_WORDS]:
        word = language.analyze(token.text)
        if word.stop or word.generic or not any(sign.isalpha() for sign in token.norm):
            continue
        share = LACKED if token.norm in lacked else 1.0
        told = [(term, share * _telling(language, token.norm)) for term in word.terms[:1]]
        parts = zip(word.parts, word.surface_parts, strict=False)
        told += [(term, PART * share * _telling(language, part)) for term, part in parts]
        for term, weight in told:
            if weight > weights.get(term, 0.0):
                weights[term], shown[term] = weight, token.norm
    return _Question(asked, weights, shown)


def _telling(language: Language, word: str) -> float:
    return max(LEAST_TELLING, 1 - language.frequency(word) / ZIPF_TOP)


def _groups(questions: Sequence[_Question]) -> Iterator[tuple[tuple[str, ...], list[_Question]]]:
    """The cover. Values of words only fall while questions go, so that the best one is found in a heap of old values."""
    holding: dict[str, list[int]] = defaultdict(list)
    for n, question in enumerate(questions):
        for term in question.weights:
            holding[term].append(n)
    left = set(range(len(questions)))
    heap = [(-_value(term, holding[term], questions), term) for term in holding]
    heapq.heapify(heap)
    while heap:
        old, term = heapq.heappop(heap)
        held = [n for n in holding[term] if n in left]
        if len(held) < 2:
            continue
        now = -_value(term, held, questions)
        if now > old:
            heapq.heappush(heap, (now, term))
            continue
        left.difference_update(held)
        members = [questions[n] for n in held]
        yield _names(members, term), members
    alone = [questions[n] for n in sorted(left)]
    yield from ((_names([question]), [question]) for question in alone if question.weights)
    if wordless := [question for question in alone if not question.weights]:
        yield (), wordless


def _value(term: str, held: Iterable[int], questions: Sequence[_Question]) -> float:
    return round(sum(questions[n].asked.count * questions[n].weights[term] for n in held), 6)


def _names(members: Sequence[_Question], first: str = "") -> tuple[str, ...]:
    """The most telling words of a subject: the shared one, then those that enough of its questions hold."""
    weights: dict[str, float] = defaultdict(float)
    holders: Counter[str] = Counter()
    for question in members:
        holders.update(question.weights.keys())
        for term, weight in question.weights.items():
            weights[term] += weight
    enough = [term for term in weights if term == first or holders[term] >= max(SHARED * len(members), 1)]
    ranked = sorted(enough, key=lambda term: (term != first, -weights[term], term))
    words = (_written(term, members) for term in ranked)
    return tuple(dict.fromkeys(words))[:MOST_TERMS]


def _written(term: str, members: Sequence[_Question]) -> str:
    """A term as it is written most often."""
    forms: Counter[str] = Counter()
    for question in members:
        if term in question.shown:
            forms[question.shown[term]] += question.asked.count
    return shortened(min(forms, key=lambda form: (-forms[form], len(form), form)), 40)


def _subject(terms: tuple[str, ...], members: Sequence[_Question]) -> Subject:
    asked = sorted((question.asked for question in members), key=lambda one: (-one.count, one.text))
    reasons: Counter[str] = Counter()
    askers = 0
    for one in asked:
        reasons.update(one.reasons)
        askers |= one.askers
    return Subject(
        terms=terms,
        questions=sum(one.count for one in asked),
        different=len(asked),
        askers=askers.bit_count(),
        reasons=tuple(Count(*item) for item in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
        examples=tuple(shortened(one.text, MOST_EXAMPLE) for one in asked[:MOST_EXAMPLES]),
        latest=max(one.latest for one in asked),
    )
