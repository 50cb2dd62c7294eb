"""Which sentences, list items and rows of the evidence speak to the question, and how strongly?

A unit is judged by signals on fixed scales: how much of the question's subject stands in it and around it, how high its
chunk ranks, how like the question it is in meaning, whether it has the form and holds the kind of thing that the question
asks for. Their weights are fitted on development questions (`benchmarks/calibrate_units.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ankare.answer.form_signal import defines, has_form
from ankare.domain.cancel import while_wanted
from ankare.domain.document import Chunk, Sentence, UnitKind
from ankare.domain.evidence import Hit
from ankare.domain.question import Question, QuestionType
from ankare.gate.coverage import Subject
from ankare.index.recent import Recent
from ankare.language.kinds import Kind, asked_kind, holds_kind
from ankare.language.packs import word_set
from ankare.language.protocol import Language

RANK_DECAY = 0.75

Similarity = Callable[[Chunk, int], float | None]

_forms: Recent[tuple[str, str], tuple[bool, ...]] = Recent(16_384)
"""What the wording of a chunk's sentences shows, by chunk id and what is looked for: a chunk id stands for one text."""
_functions: Recent[str, tuple[frozenset[str], ...]] = Recent(16_384)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for a unit, each 0 to 1.

    `own`: subject weight in the unit; `before`: what the unit before adds to that, unless both are items or rows of one list;
    `near`: what its list's lead-in and nearest heading add to both; `wide`: what the headings further up add to all of it. What
    stands around a unit makes up for what it leaves unsaid and never counts twice: a unit that says it all itself is at least
    as good as the one after it.
    `wording`: share of all the question's words that stand in it, function words too: who asks says much as the text does.
    `asked`: share of the question's generic words ("beslutar", "finns") in it. `rank`: 1 for the best chunk, less for each
    further one. `meaning`: likeness with the question. `form`: it has the form that the question's type asks for. `kind`: it
    holds a thing of the kind that the question asks for by its wording (a number, a length of time, ...).
    """

    own: float
    before: float
    near: float
    wide: float
    wording: float
    asked: float
    rank: float
    meaning: float
    form: float
    kind: float

    @property
    def subject(self) -> float:
        """How much of the question's subject stands in the unit and around it, 0 to 1."""
        return self.own + self.before + self.near + self.wide


@dataclass(frozen=True, slots=True)
class UnitWeights:
    """What each signal is worth."""

    own: float = 1.0
    before: float = 0.9
    near: float = 0.2
    wide: float = 0.7
    wording: float = 1.0
    asked: float = 0.3
    rank: float = 0.6
    meaning: float = 1.3
    form: float = 0.35
    kind: float = 0.6

    def score(self, signals: Signals) -> float:
        """The weighted sum."""
        return (
            self.own * signals.own
            + self.before * signals.before
            + self.near * signals.near
            + self.wide * signals.wide
            + self.wording * signals.wording
            + self.asked * signals.asked
            + self.rank * signals.rank
            + self.meaning * signals.meaning
            + self.form * signals.form
            + self.kind * signals.kind
        )


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, item or row of a chunk, scored. `position` is its index in `chunk.sentences`, `rank` its chunk's.

    `new`: it holds a word that stands neither in the question nor in its title and headings: it can tell something.
    """

    chunk: Chunk
    position: int
    rank: int
    signals: Signals
    score: float
    new: bool = True

    @property
    def sentence(self) -> Sentence:
        """The unit's sentence."""
        return self.chunk.sentences[self.position]

    @property
    def text(self) -> str:
        """The unit's text, verbatim."""
        return self.chunk.sentence_text(self.sentence)

    @property
    def kind(self) -> UnitKind:
        """Sentence, item or row."""
        return self.sentence.kind


@dataclass(frozen=True)
class Material:
    """What an answer may be made of: the question and the admitted hits, best first.

    `language_of` gives the analysis of a language code; `following` the next chunk of the same document or None;
    `similarity` the likeness in meaning of a sentence with the question (0 to 1), None where that is not known.
    """

    question: Question
    subject: Subject
    hits: tuple[Hit, ...]
    language_of: Callable[[str], Language]
    following: Callable[[Chunk], Chunk | None]
    similarity: Similarity = lambda _chunk, _position: None
    weights: UnitWeights = UnitWeights()

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """All units of all hits, in the order of hits and text."""
        return tuple(unit for rank, hit in enumerate(self.hits) for unit in self._of_chunk(hit.chunk, rank))

    @cached_property
    def best(self) -> tuple[Unit, ...]:
        """All units, best first; ties go to the earlier one."""
        return tuple(sorted(self.units, key=lambda unit: (-unit.score, unit.rank, unit.position)))

    @cached_property
    def _by_chunk(self) -> dict[str, tuple[Unit, ...]]:
        found: dict[str, list[Unit]] = {}
        for unit in self.units:
            found.setdefault(unit.chunk.id, []).append(unit)
        return {key: tuple(units) for key, units in found.items()}

    def of(self, chunk: Chunk) -> tuple[Unit, ...]:
        """The units of one of the hits' chunks, in order of text."""
        return self._by_chunk.get(chunk.id, ())

    def language(self, chunk: Chunk) -> Language:
        """The analysis of the chunk's language."""
        return self.language_of(chunk.language)

    def share(self, terms: Iterable[str]) -> float:
        """How much of the question's subject stands in some terms, 0 to 1."""
        return self.subject.coverage(frozenset(terms)).share

    @cached_property
    def _wanted(self) -> Kind | None:
        return asked_kind(self.question.language, self.question.text)

    @cached_property
    def question_terms(self) -> frozenset[str]:
        """All index terms of the question's words and of their parts."""
        return frozenset(term for word in self.question.words for term in (*word.terms, *word.parts))

    @cached_property
    def _generic(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(word.terms) for word in self.question.words if word.generic and not word.stop)

    def asked(self, terms: Iterable[str]) -> float:
        """Share of the question's generic words ("steg", "syftet") that stand in some terms; 0 where it has none."""
        terms = frozenset(terms)
        return sum(not word.isdisjoint(terms) for word in self._generic) / len(self._generic) if self._generic else 0.0

    def _wording(self, terms: Iterable[str], functions: frozenset[str]) -> float:
        """Share of the question's words that stand in a sentence, given its terms and its function words."""
        terms, words = frozenset(terms), self.question.words
        held = sum(
            word.text.casefold() in functions if word.stop else not terms.isdisjoint(word.terms) for word in words
        )
        return held / len(words) if words else 0.0

    def _function_words(self, chunk: Chunk) -> tuple[frozenset[str], ...]:
        """Per sentence its function words; the same for every question."""
        found = _functions.get(chunk.id)
        if found is None:
            every = word_set(chunk.language, "stop")
            found = tuple(every.intersection(_WORD.findall(chunk.sentence_text(s).casefold())) for s in chunk.sentences)
            _functions.put(chunk.id, found)
        return found

    def _forms(self, chunk: Chunk) -> tuple[bool, ...]:
        """Per sentence whether its wording has the form that the question's type asks for; the same for every question."""
        key = (chunk.id, self.question.type.value)
        forms = _forms.get(key)
        if forms is None:
            language = self.language(chunk)
            told = (chunk.sentence_text(sentence) for sentence in while_wanted(chunk.sentences))
            forms = tuple(has_form(self.question.type, language, text) for text in told)
            _forms.put(key, forms)
        return forms

    def _kinds(self, chunk: Chunk) -> tuple[bool, ...]:
        """Per sentence whether it holds a thing of the kind that the question asks for."""
        wanted = self._wanted
        if wanted is None:
            return (False,) * len(chunk.sentences)
        key = (chunk.id, wanted.value)
        kinds = _forms.get(key)
        if kinds is None:
            told = (chunk.sentence_text(sentence) for sentence in while_wanted(chunk.sentences))
            kinds = tuple(holds_kind(chunk.language, wanted, text) for text in told)
            _forms.put(key, kinds)
        return kinds

    def _fits(self, chunk: Chunk, position: int, own: float) -> bool:
        """A definition must also define what is asked about."""
        if self.question.type is not QuestionType.DEFINITION:
            return True
        return own > 0 and defines(
            self.language(chunk), chunk.sentence_text(chunk.sentences[position]), self.share, own
        )

    def _of_chunk(self, chunk: Chunk, rank: int) -> Iterator[Unit]:
        subject, language = self.subject, self.language(chunk)
        held = subject.held_by(chunk)
        each = held.sentences
        said = self.question_terms.union(language.index_terms(" ".join((chunk.title, *chunk.section))))
        forms, kinds, functions = self._forms(chunk), self._kinds(chunk), self._function_words(chunk)
        for position, sentence in while_wanted(enumerate(chunk.sentences)):
            own = subject.share(each[position])
            lead = lead_in(chunk, position)
            goes_on = position > 0 and not (sentence.group and sentence.group == chunk.sentences[position - 1].group)
            before = (each[position], *((each[position - 1],) if goes_on else ()))
            near = (*before, held.nearest, each[position if lead is None else lead])
            signals = Signals(
                own=own,
                before=subject.share(*before) - own,
                near=subject.share(*near) - subject.share(*before),
                wide=subject.share(*near, held.headings) - subject.share(*near),
                wording=self._wording(sentence.terms, functions[position]),
                asked=self.asked(sentence.terms),
                rank=RANK_DECAY**rank,
                meaning=self.similarity(chunk, position) or 0.0,
                form=float(forms[position] and self._fits(chunk, position, own)),
                kind=float(kinds[position]),
            )
            new = not said.issuperset(sentence.terms)
            yield Unit(chunk, position, rank, signals, self.weights.score(signals), new)


def lead_in(chunk: Chunk, position: int) -> int | None:
    """The index of the sentence that leads into the list or table of this unit, or None."""
    group = chunk.sentences[position].group
    if not group:
        return None
    first = position
    while first and chunk.sentences[first - 1].group == group:
        first -= 1
    before = first - 1
    return before if before >= 0 and chunk.sentences[before].kind is UnitKind.SENTENCE else None


def group_members(chunk: Chunk, group: int) -> tuple[int, ...]:
    """The positions of a list's items or a table's rows in this chunk, in order."""
    return tuple(i for i, sentence in enumerate(chunk.sentences) if sentence.group == group)
