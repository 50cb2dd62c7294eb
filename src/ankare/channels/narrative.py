"""How is a question answered from the documents, without any model?

    interpret -> retrieve -> relevance gate -> extract -> note what is missing or superseded

A recipe from top to bottom; each step is somebody else's work. The chain of agents begins with the first three steps too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ankare.answer.extractive import extract
from ankare.answer.units import Material, Similarity
from ankare.channels.notes import (
    definition_note,
    language_note,
    listed_words,
    missing_note,
    telling_words,
    version_notes,
    weakly_held,
)
from ankare.channels.way import PLAIN, Clock, Way
from ankare.domain.answer import Answer, NearSection, Refusal
from ankare.domain.document import Chunk, Document
from ankare.domain.evidence import Hit, Relevance
from ankare.domain.question import Question
from ankare.domain.reply import Reply
from ankare.gate.coverage import Subject
from ankare.gate.relevance import RelevanceGate
from ankare.language.protocol import Language
from ankare.messages import messages

ROUTE = "narrative"
NEARBY = 3
EVIDENCE = 5
"""How many of the best hits an answer may be made of."""


class Corpus(Protocol):
    """What the channel needs to know of one open version of the index."""

    @property
    def version(self) -> str:
        """The version's name."""

    @property
    def documents(self) -> Mapping[str, Document]:
        """Documents by id."""

    def subject(self, question: Question) -> Subject:
        """The question's content words, weighed against this corpus."""

    def interpret(self, text: str, language: str | None) -> Question:
        """The question as this corpus lets it be understood (spelling, compounds)."""

    def retrieve(self, question: Question, top_k: int) -> tuple[Hit, ...]:
        """The best hits, best first."""

    def following(self, chunk: Chunk) -> Chunk | None:
        """The next chunk of the same document."""

    def similarity(self, question: Question) -> Similarity:
        """How like each sentence is to the question in meaning."""


@dataclass(frozen=True, slots=True)
class Found:
    """A question as it was understood, what was found for it, and whether that may be used as evidence."""

    question: Question
    hits: tuple[Hit, ...]
    subject: Subject
    relevance: Relevance


@dataclass(frozen=True)
class NarrativeChannel:
    """Answers from documents, or refuses. Stateless: everything about the corpus comes with the call."""

    gate: RelevanceGate
    language_of: Callable[[str], Language]
    top_k: int = 8

    def reply(self, text: str, corpus: Corpus, language: str | None = None, way: Way = PLAIN) -> Reply:
        """The reply to a screened question."""
        clock = Clock(way.on_step)
        found = self.find(text, corpus, language, clock)
        with clock.step("answer"):
            outcome = self.outcome(found, corpus)
        return Reply(found.question, outcome, ROUTE, found.hits, found.relevance, corpus.version, tuple(clock.timings))

    def find(self, text: str, corpus: Corpus, language: str | None, clock: Clock) -> Found:
        """What the original question, and nothing else, finds; the relevance gate's verdict with it."""
        with clock.step("interpret"):
            question = corpus.interpret(text, language)
        with clock.step("retrieve"):
            hits = corpus.retrieve(question, self.top_k)
        with clock.step("relevance"):
            subject = corpus.subject(question)
            relevance = self.gate.judge(subject, hits)
        return Found(question, hits, subject, relevance)

    def outcome(self, found: Found, corpus: Corpus) -> Answer | Refusal:
        """What the evidence says in answer, word for word, with what has to be told beside it."""
        question, subject, hits, relevance = found.question, found.subject, found.hits, found.relevance
        if not relevance.supported:
            return refuse(question, relevance, hits)
        current = current_only(hits, corpus.documents)[:EVIDENCE]
        material = Material(question, subject, current, self.language_of, corpus.following, corpus.similarity(question))
        claims = extract(material)
        if not claims:
            return refuse(question, relevance, hits)
        foreign = all(c.chunk.language != question.language for claim in claims for c in claim.citations)
        missing = () if foreign else weakly_held(subject, relevance, claims)
        notes = [
            *language_note(question, claims),
            *missing_note(question, missing),
            *definition_note(material, claims),
            *version_notes(question, claims, hits, corpus.documents),
        ]
        return Answer(question.type, question.language, claims, " ".join(notes), partial=bool(missing))


def current_only(hits: tuple[Hit, ...], documents: Mapping[str, Document]) -> tuple[Hit, ...]:
    """The hits without those of documents that a document among the hits replaces: two versions must not both be cited."""
    found = {hit.chunk.document_id for hit in hits}
    replaced = {source for d in found if d in documents for source in documents[d].supersedes}
    return tuple(hit for hit in hits if hit.chunk.source not in replaced)


def refuse(question: Question, relevance: Relevance, hits: Sequence[Hit]) -> Refusal:
    """A refusal that says, where it can, which words of the question the material holds and which not. No sources.

    Of a question whose evidence is all in another language only that is said which it holds: its words cannot stand there.
    """
    texts = messages(question.language)
    covered, missing = telling_words(question, relevance)
    told = {
        "covered": listed_words(covered, question.language),
        "missing": listed_words(missing, question.language),
    }
    form = "plain"
    foreign = bool(hits) and all(hit.chunk.language != question.language for hit in hits)
    if relevance.covered or (missing and not foreign):
        form = "partly" if covered and missing else "not_answered" if covered else "lacking"
    message = texts[f"refusal.{form}"].format(**told)
    return Refusal(relevance.reason, question.language, message, _nearby(hits) if relevance.covered else ())


def _nearby(hits: Sequence[Hit]) -> tuple[NearSection, ...]:
    """The sections of the best hits, each once."""
    sections = (
        NearSection(chunk.section[-1], chunk.title or chunk.source, chunk.document_id)
        for chunk in (hit.chunk for hit in hits)
        if chunk.section
    )
    return tuple(dict.fromkeys(sections))[:NEARBY]
