"""How is a question answered from the documents, without any model?

    interpret -> retrieve -> relevance gate -> extract -> note what is missing or superseded

A recipe from top to bottom; each step is somebody else's work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ankare.answer.extractive import extract
from ankare.answer.forms import statement
from ankare.answer.units import Material, Similarity
from ankare.domain.answer import Answer, Claim, Refusal
from ankare.domain.document import Chunk, Document
from ankare.domain.evidence import Hit, Relevance
from ankare.domain.question import Question, QuestionType
from ankare.domain.reply import Reply, Timing
from ankare.gate.coverage import Subject
from ankare.gate.relevance import RelevanceGate
from ankare.language.protocol import Language
from ankare.messages import messages

ROUTE = "narrative"
WEAK_SHARE = 0.35
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


@dataclass
class Clock:
    """Times the steps of one reply, in milliseconds."""

    timings: list[Timing] = field(default_factory=list)
    _last: float = field(default_factory=time.perf_counter)

    def lap(self, step: str) -> None:
        """The time since the last lap went into `step`."""
        now = time.perf_counter()
        self.timings.append(Timing(step, round((now - self._last) * 1000, 3)))
        self._last = now


@dataclass(frozen=True)
class NarrativeChannel:
    """Answers from documents, or refuses. Stateless: everything about the corpus comes with the call."""

    gate: RelevanceGate
    language_of: Callable[[str], Language]
    top_k: int = 8

    def reply(self, text: str, corpus: Corpus, language: str | None = None) -> Reply:
        """The reply to a screened question."""
        clock = Clock()
        question = corpus.interpret(text, language)
        clock.lap("interpret")
        hits = corpus.retrieve(question, self.top_k)
        clock.lap("retrieve")
        subject = corpus.subject(question)
        relevance = self.gate.judge(subject, hits)
        clock.lap("relevance")
        outcome = self._outcome(question, subject, hits, relevance, corpus)
        clock.lap("answer")
        return Reply(question, outcome, ROUTE, hits, relevance, corpus.version, tuple(clock.timings))

    def _outcome(
        self, question: Question, subject: Subject, hits: tuple[Hit, ...], relevance: Relevance, corpus: Corpus
    ) -> Answer | Refusal:
        if not relevance.supported:
            return refuse(question, relevance, hits)
        current = current_only(hits, corpus.documents)[:EVIDENCE]
        material = Material(question, subject, current, self.language_of, corpus.following, corpus.similarity(question))
        claims = extract(material)
        if not claims:
            return refuse(question, relevance, hits)
        foreign = all(c.chunk.language != question.language for claim in claims for c in claim.citations)
        missing = () if foreign else weakly_held(subject, relevance)
        notes = [
            *_language_note(question, claims),
            *_missing_note(question, missing),
            *_definition_note(material, claims),
            *_version_notes(question, claims, hits, corpus.documents),
        ]
        return Answer(question.type, question.language, claims, " ".join(notes), partial=bool(missing))


def current_only(hits: tuple[Hit, ...], documents: Mapping[str, Document]) -> tuple[Hit, ...]:
    """The hits without those of documents that a document among the hits replaces: two versions must not both be cited."""
    found = {hit.chunk.document_id for hit in hits}
    replaced = {source for d in found if d in documents for source in documents[d].supersedes}
    return tuple(hit for hit in hits if hit.chunk.source not in replaced)


def refuse(question: Question, relevance: Relevance, hits: Iterable[Hit]) -> Refusal:
    """A refusal that says, where it can, which words of the question the material holds and which not. No sources."""
    texts = messages(question.language)
    message = texts["refusal.plain"]
    if relevance.covered and relevance.missing:
        message = texts["refusal.partly"].format(
            covered=_listed(relevance.covered, question.language), missing=_listed(relevance.missing, question.language)
        )
    elif relevance.covered:
        message = texts["refusal.not_answered"].format(covered=_listed(relevance.covered, question.language))
    nearby = tuple(dict.fromkeys(h.chunk.section[-1] for h in hits if h.chunk.section))[:NEARBY]
    return Refusal(relevance.reason, question.language, message, nearby if relevance.covered else ())


def weakly_held(subject: Subject, relevance: Relevance) -> tuple[str, ...]:
    """The words of the question that its evidence lacks, where they weigh enough for the user to be told."""
    missing = set(relevance.missing)
    weight = sum(word.weight for word in subject.words if word.word.text in missing)
    return relevance.missing if weight > WEAK_SHARE * subject.total_weight else ()


def _language_note(question: Question, claims: tuple[Claim, ...]) -> list[str]:
    """The answer quotes documents in another language than the question: which one."""
    texts = messages(question.language)
    others = sorted({c.chunk.language for claim in claims for c in claim.citations} - {question.language})
    names = [texts[f"language.{code}"] for code in others if f"language.{code}" in texts]
    return [texts["note.other_language"].format(language=", ".join(names))] if names else []


def _missing_note(question: Question, missing: tuple[str, ...]) -> list[str]:
    if not missing:
        return []
    note = messages(question.language)["note.words_missing"]
    return [note.format(missing=_listed(missing, question.language))]


def _definition_note(material: Material, claims: tuple[Claim, ...]) -> list[str]:
    """A definition was asked for and the evidence only uses the word: say so."""
    if material.question.type is not QuestionType.DEFINITION or statement.defines(material, claims):
        return []
    return [messages(material.question.language)["note.no_definition"]]


def _version_notes(
    question: Question, claims: tuple[Claim, ...], hits: Iterable[Hit], documents: Mapping[str, Document]
) -> list[str]:
    """Where an older and a newer version of a document both speak to the question: which one is cited, and since when."""
    cited = {c.chunk.document_id for claim in claims for c in claim.citations}
    found = cited | {hit.chunk.document_id for hit in hits}
    notes = []
    for newer in sorted((documents[d] for d in cited if d in documents), key=lambda d: d.source):
        older = [documents[d] for d in sorted(found) if d in documents and documents[d].source in newer.supersedes]
        if older and newer.valid_from:
            note = messages(question.language)["note.newer_version"]
            names = [_named(newer, question.language), _named(older[0], question.language)]
            notes.append(note.format(title=names[0], date=newer.valid_from, older=names[1]))
    return notes


def _named(document: Document, language: str) -> str:
    """A document's title, with its version where it has one."""
    if not document.version:
        return document.title
    return messages(language)["note.versioned"].format(title=document.title, version=document.version)


def _listed(words: Iterable[str], language: str) -> str:
    quote = messages(language)["note.quoted"]
    quoted = [quote.format(word=word) for word in dict.fromkeys(words)]
    if len(quoted) < 2:
        return "".join(quoted)
    return messages(language)["note.and"].format(first=", ".join(quoted[:-1]), last=quoted[-1])
