"""Does the evidence cover what the original question is about?

A high score does not mean that the material answers. The gate looks at the content words of the question as the user wrote
them (never at a rewritten query): how much of their weight stands together in one chunk and in one sentence with its
context, whether the word that is asked for is among them, whether a thing of the asked-for kind is there, and, where
the semantic part is present, how much the best passage stands out in meaning. These witnesses are weighed by a
logistic model whose coefficients are calibrated on development data (`benchmarks/calibrate_relevance.py`) and held in
`GateSettings`; one model with, one without the semantic witness.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ankare.domain.document import Chunk
from ankare.domain.evidence import Hit, Relevance
from ankare.gate.coverage import Credits, Subject
from ankare.language.kinds import Kind, asked_kind, holds_kind, takes_noun

WINDOW = 3
DEPTH = 5


@dataclass(frozen=True, slots=True)
class Witnesses:
    """What the gate looks at; every value is 0 to 1 unless said otherwise.

    `chunk`: subject weight in the best chunk with its headings. `window`: in the best three neighbouring sentences.
    `unknown`: subject weight of words that the corpus has never seen. `focus`: credit of the word that is asked for
    ("which **certificate** ..."), 1 where no word is singled out. `kind`: 1 unless a thing of the asked-for kind is
    missing. `words`: number of content words, capped at 6, divided by 6. `meaning`: cosine of the best passage (-1 to
    1). `standout`: how far the best passage's cosine lies above the middle of the candidates, in cosine.
    """

    chunk: float
    window: float
    unknown: float
    focus: float
    kind: float
    words: float
    meaning: float | None = None
    standout: float | None = None


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Coefficients of the logistic models (log odds that the material answers) and the threshold on its probability."""

    lexical: dict[str, float] = field(
        default_factory=lambda: {
            "bias": -5.0, "chunk": 5.0, "window": 3.0, "unknown": -2.0, "focus": 1.0, "kind": 1.5, "words": 0.0,
        }
    )  # fmt: skip
    semantic: dict[str, float] = field(
        default_factory=lambda: {
            "bias": -20.0, "chunk": 2.0, "window": 2.0, "unknown": -1.5, "focus": 1.0, "kind": 1.5, "words": 0.0,
            "meaning": 20.0, "standout": 4.0,
        }
    )  # fmt: skip
    threshold: float = 0.5


class RelevanceGate:
    """Judges whether hits may be used as evidence for a question. Pure: same input, same verdict."""

    def __init__(self, settings: GateSettings | None = None) -> None:
        self._settings = settings or GateSettings()

    def judge(self, subject: Subject, hits: Sequence[Hit]) -> Relevance:
        """The verdict on these hits, best first. No hits, or a question without content words, is never supported."""
        if not hits:
            return Relevance(False, "no_hits", missing=_texts(subject, ()))
        if not subject.words:
            return Relevance(False, "no_subject")
        witnesses = self.witnesses(subject, hits)
        covered = covered_words(subject, hits)
        probability = self.probability(witnesses)
        return Relevance(
            supported=probability >= self._settings.threshold,
            reason=self._reason(probability, witnesses),
            covered=tuple(w.word.text for w, c in zip(subject.words, covered, strict=True) if c > 0.5),
            missing=tuple(w.word.text for w, c in zip(subject.words, covered, strict=True) if c <= 0.5),
            coverage=round(probability, 4),
            semantic=max((hit.semantic for hit in hits if hit.semantic is not None), default=None),
        )

    def probability(self, witnesses: Witnesses) -> float:
        """How likely the material answers, by the calibrated model."""
        model = self._settings.lexical if witnesses.meaning is None else self._settings.semantic
        odds = model["bias"] + sum(
            weight * (getattr(witnesses, name) or 0.0) for name, weight in model.items() if name != "bias"
        )
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))

    def witnesses(self, subject: Subject, hits: Sequence[Hit]) -> Witnesses:
        """What there is to see in the best few hits."""
        top = hits[:DEPTH]
        chunk = max(subject.share(*subject.held_by(hit.chunk).everywhere) for hit in top)
        window = max(share for hit in top for share in _windows(subject, hit.chunk))
        cosines = sorted((hit.semantic for hit in hits if hit.semantic is not None), reverse=True)
        return Witnesses(
            chunk=chunk,
            window=window,
            unknown=_unknown_share(subject),
            focus=_focus(subject, top),
            kind=_kind(subject, top),
            words=min(len(subject.words), 6) / 6,
            meaning=cosines[0] if cosines else None,
            standout=cosines[0] - cosines[len(cosines) // 2] if cosines else None,
        )

    def _reason(self, probability: float, witnesses: Witnesses) -> str:
        if probability >= self._settings.threshold:
            return "covered"
        if witnesses.kind < 1:
            return "asked_kind_missing"
        if witnesses.focus < 0.5:
            return "asked_thing_missing"
        return "subject_not_covered"


def covered_words(subject: Subject, hits: Sequence[Hit]) -> Credits:
    """Per content word how far any of the best hits holds it."""
    held = [credits_ for hit in hits[:DEPTH] for credits_ in subject.held_by(hit.chunk).everywhere]
    return tuple(max(column) for column in zip(*held, strict=True))


def _windows(subject: Subject, chunk: Chunk) -> list[float]:
    """The subject weight in every `WINDOW` neighbouring sentences, each with the nearest heading."""
    held = subject.held_by(chunk)
    starts = range(max(1, len(held.sentences) - WINDOW + 1))
    return [subject.share(held.nearest, *held.sentences[start : start + WINDOW]) for start in starts]


def _focus(subject: Subject, hits: Sequence[Hit]) -> float:
    """Credit of the word that is asked for, in the chunk that has most of it; 1 where no word is singled out."""
    index = focus_index(subject)
    return 1.0 if index is None else covered_words(subject, hits)[index]


def _kind(subject: Subject, hits: Sequence[Hit]) -> float:
    """1 where a stretch that speaks to the question holds a thing of the asked-for kind, or none is asked for."""
    kind = asked_kind(subject.question.language, subject.question.text)
    return 1.0 if kind is None else max(_kind_near_subject(subject, kind, hit.chunk) for hit in hits)


def _kind_near_subject(subject: Subject, kind: Kind, chunk: Chunk) -> float:
    """The subject weight of the best stretch that holds a thing of the kind, as a share of the best stretch's."""
    shares = _windows(subject, chunk)
    best = max(shares)
    near = 0.0
    for start, share in enumerate(shares):
        stretch = chunk.sentences[start : start + WINDOW]
        if share > near and any(holds_kind(chunk.language, kind, chunk.sentence_text(s)) for s in stretch):
            near = share
    return near / best if best else 0.0


def focus_index(subject: Subject) -> int | None:
    """Which content word is asked for: the first one right after an interrogative that takes a noun, or None."""
    words = subject.question.words
    for position, word in enumerate(words[:-1]):
        if takes_noun(subject.question.language, word.text):
            following = [w for w in words[position + 1 : position + 4] if w.content]
            return next((i for i, s in enumerate(subject.words) if following and s.word is following[0]), None)
    return None


def _unknown_share(subject: Subject) -> float:
    if not subject.total_weight:
        return 0.0
    unknown = sum(w.weight for w in subject.words if not w.word.known and not w.word.parts and not w.word.synonyms)
    return unknown / subject.total_weight


def _texts(subject: Subject, covered: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(w.word.text for i, w in enumerate(subject.words) if i not in covered)
