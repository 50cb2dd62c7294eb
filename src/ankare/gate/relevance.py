"""Does the evidence cover what the original question is about?

A high score does not mean that the material answers. The gate looks at the content words of the question as the user
wrote them (never at a rewritten query): how much of their weight stands together in one chunk and in one sentence
with its headings, whether the word that is asked for is among them, whether a thing of the asked-for kind stands near
them, by how much the best hit's score stands out, and, where the semantic part is present, how near the best passage
is in meaning. These witnesses are weighed by a logistic model whose coefficients are calibrated on development data
(`benchmarks/calibrate_relevance.py`) and held in `GateSettings`; one model with, one without the semantic witness.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from ankare.domain.cancel import while_wanted
from ankare.domain.document import Chunk
from ankare.domain.evidence import Hit, Relevance
from ankare.gate.coverage import HALF, SYNONYM_CREDIT, Credits, Subject
from ankare.language.kinds import Kind, asked_kind, holds_kind, takes_noun

WINDOW = 3
DEPTH = 5


@dataclass(frozen=True, slots=True)
class Witnesses:
    """What the gate looks at in the best few hits; every value is 0 to 1 unless said otherwise.

    `chunk`: subject weight in the best chunk with its headings. `sentence`: in the best single sentence with all its
    headings. `focus`: credit of the word that is asked for ("which **certificate** ..."), 1 where no word is singled
    out. `kind`: how near the subject a thing of the asked-for kind stands, 1 where none is asked for. `standout`: by
    how much the best hit's score lies above that of the fifth (or last; half its score where it is alone), on the
    retriever's scale. `meaning`: cosine of the best hit with the question (-1 to 1), None without the semantic part.
    `foreign`: the hits are all in another language than the question.
    """

    chunk: float
    sentence: float
    focus: float
    kind: float
    standout: float = 0.0
    meaning: float | None = None
    foreign: bool = False


LEXICAL: Mapping[str, float] = MappingProxyType(
    {"bias": -5.78, "chunk": 0.3, "sentence": 2.0, "focus": 1.17, "kind": 2.7, "standout": 0.86}
)
SEMANTIC: Mapping[str, float] = MappingProxyType(
    {"bias": -20.1, "sentence": 1.18, "focus": 1.77, "kind": 2.59, "standout": 0.43, "meaning": 17.0}
)


FOREIGN: Mapping[str, float] = MappingProxyType({"bias": -84.75, "kind": 2.5, "meaning": 100.0})
"""For a question in another language than the documents: words have nothing to hold on to, so meaning decides, and only from
a cosine of 0.82 on (multilingual-e5-small; English questions to Swedish texts)."""


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Coefficients of the logistic models (log odds that the material answers) and the thresholds on its probability.

    Fitted by `benchmarks/calibrate_relevance.py`; `chunk` adds nothing where the semantic witness speaks.
    """

    lexical: Mapping[str, float] = field(default_factory=lambda: LEXICAL)
    semantic: Mapping[str, float] = field(default_factory=lambda: SEMANTIC)
    foreign: Mapping[str, float] = field(default_factory=lambda: FOREIGN)
    lexical_threshold: float = 0.38
    semantic_threshold: float = 0.44


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
        supported = probability >= self.threshold(witnesses)
        return Relevance(
            supported=supported,
            reason=self._reason(supported, witnesses),
            covered=tuple(w.word.text for w, c in zip(subject.words, covered, strict=True) if c >= SYNONYM_CREDIT),
            missing=tuple(
                w.word.text for w, c in zip(subject.words, covered, strict=True) if c <= HALF and not w.known
            ),
            coverage=round(witnesses.chunk, 4),
            probability=round(probability, 4),
            semantic=witnesses.meaning,
        )

    def probability(self, witnesses: Witnesses) -> float:
        """How likely the material answers, by the calibrated model."""
        model = self._settings.lexical
        if witnesses.meaning is not None:
            model = self._settings.foreign if witnesses.foreign else self._settings.semantic
        odds = model["bias"] + sum(
            weight * (getattr(witnesses, name) or 0.0) for name, weight in model.items() if name != "bias"
        )
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))

    def witnesses(self, subject: Subject, hits: Sequence[Hit]) -> Witnesses:
        """What there is to see in the best few hits."""
        top = hits[:DEPTH]
        held = [subject.held_by(hit.chunk) for hit in top]
        covered = covered_words(subject, hits)
        return Witnesses(
            chunk=max(subject.share(*h.everywhere) for h in held),
            sentence=max((subject.share(s, h.headings) for h in held for s in h.sentences), default=0.0),
            focus=_focus(subject, covered),
            kind=_kind(subject, top),
            standout=top[0].score - (top[-1].score if len(top) > 1 else 0.5 * top[0].score),
            meaning=hits[0].semantic,
            foreign=all(hit.chunk.language != subject.question.language for hit in top),
        )

    def threshold(self, witnesses: Witnesses) -> float:
        """From which probability on the evidence is admitted."""
        return self._settings.lexical_threshold if witnesses.meaning is None else self._settings.semantic_threshold

    def _reason(self, supported: bool, witnesses: Witnesses) -> str:
        if supported:
            return "covered"
        if witnesses.kind < 1:
            return "asked_kind_missing"
        if witnesses.focus < HALF:
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


def _focus(subject: Subject, covered: Credits) -> float:
    """Credit of the word that is asked for, 1 where no word is singled out."""
    index = focus_index(subject)
    return 1.0 if index is None else covered[index]


def _kind(subject: Subject, hits: Sequence[Hit]) -> float:
    """1 where a stretch that speaks to the question holds a thing of the asked-for kind, or none is asked for."""
    kind = asked_kind(subject.question.language, subject.question.text)
    return 1.0 if kind is None else max(_kind_near_subject(subject, kind, hit.chunk) for hit in hits)


def _kind_near_subject(subject: Subject, kind: Kind, chunk: Chunk) -> float:
    """The subject weight of the best stretch that holds a thing of the kind, as a share of the best stretch's."""
    shares = _windows(subject, chunk)
    best = max(shares)
    if not best:  # another language: only whether the chunk holds such a thing at all
        return float(holds_kind(chunk.language, kind, chunk.text))
    near = 0.0
    for start, share in while_wanted(enumerate(shares)):
        stretch = chunk.sentences[start : start + WINDOW]
        if share > near and any(holds_kind(chunk.language, kind, chunk.sentence_text(s)) for s in stretch):
            near = share
    return near / best


def focus_index(subject: Subject) -> int | None:
    """Which content word is asked for: the first one right after an interrogative that takes a noun, or None."""
    words = subject.question.words
    for position, word in enumerate(words[:-1]):
        if takes_noun(subject.question.language, word.text):
            following = [w for w in words[position + 1 : position + 4] if w.content]
            return next((i for i, s in enumerate(subject.words) if following and s.word is following[0]), None)
    return None


def _texts(subject: Subject, covered: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(w.word.text for i, w in enumerate(subject.words) if i not in covered)
