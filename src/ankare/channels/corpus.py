"""How does one open version of the index answer what a channel asks of it?

Binds the snapshot on disk, the analysis of its languages, the retriever and, where the semantic part is there, its vectors.
A corpus never changes; a newer version of the index is a new corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from functools import lru_cache

from ankare.answer.units import Similarity
from ankare.domain.document import Chunk, Document
from ankare.domain.evidence import Hit
from ankare.domain.question import Question
from ankare.gate.coverage import Subject
from ankare.index.home import Snapshot
from ankare.language.protocol import Language
from ankare.profile.model import Profile
from ankare.retrieve.interpret import Interpreter
from ankare.retrieve.retriever import Retriever, superseded_ids
from ankare.retrieve.settings import RetrievalSettings
from ankare.retrieve.vectors import SemanticSearch

TERMS_IN_MEMORY = 65_536
HEADINGS_IN_MEMORY = 65_536


class OpenCorpus:
    """One version of the index, ready for questions. Safe for many threads."""

    def __init__(
        self,
        snapshot: Snapshot,
        profile: Profile,
        language_of: Callable[[str], Language],
        semantic: SemanticSearch | None = None,
        settings: RetrievalSettings | None = None,
        *,
        lasting: bool = True,
    ) -> None:
        """`lasting`: all that belongs to it could be read; else it is worth being opened anew soon."""
        self.lasting = lasting
        self.snapshot = snapshot
        self.profile = profile
        self._semantic = semantic
        self._interpreter = Interpreter(snapshot.index, snapshot.vocabulary, profile)
        self._retriever = Retriever(
            snapshot.index,
            semantic,
            settings,
            language_of=language_of,
            superseded=superseded_ids(snapshot.documents.values()),
        )
        self._total = len(snapshot.index)
        self._doc_freq = lru_cache(TERMS_IN_MEMORY)(snapshot.index.doc_freq)
        self._terms_of = lru_cache(HEADINGS_IN_MEMORY)(
            lambda code, text: frozenset(language_of(code).index_terms(text))
        )

    @property
    def version(self) -> str:
        """The version's name."""
        return self.snapshot.name

    def named(self, name: str) -> OpenCorpus:
        """The same corpus under another name; all that it has read is shared."""
        other = copy(self)
        other.snapshot = replace(self.snapshot, name=name)
        return other

    @property
    def semantic(self) -> bool:
        """Is search by meaning on for this version?"""
        return self._semantic is not None

    @property
    def documents(self) -> Mapping[str, Document]:
        """Documents by id."""
        return self.snapshot.documents

    def subject(self, question: Question) -> Subject:
        """The question's content words, weighed against this corpus."""
        return Subject(question, self._doc_freq, self._total, self._terms_of)

    def interpret(self, text: str, language: str | None) -> Question:
        """The question as this corpus lets it be understood (spelling, compounds, controlled synonyms)."""
        return self._interpreter.interpret(text, language)

    def retrieve(self, question: Question, top_k: int) -> tuple[Hit, ...]:
        """The best hits, best first."""
        return self._retriever.search(question, top_k)

    def following(self, chunk: Chunk) -> Chunk | None:
        """The next chunk of the same document, None at its end."""
        document = self.documents.get(chunk.document_id)
        if document is None or chunk.id not in document.chunk_ids:
            return None
        place = document.chunk_ids.index(chunk.id) + 1
        return (
            self.snapshot.index.chunks(document.chunk_ids[place : place + 1])[0]
            if place < len(document.chunk_ids)
            else None
        )

    def similarity(self, question: Question) -> Similarity:
        """How like each sentence is to the question in meaning (0 to 1); None for each where the semantic part is off."""
        semantic = self._semantic
        if semantic is None:
            return lambda _chunk, _position: None
        known: dict[str, tuple[float, ...]] = {}

        def likeness(chunk: Chunk, position: int) -> float | None:
            if chunk.id not in known:
                known[chunk.id] = semantic.sentences(question.text, chunk.id)
            likenesses = known[chunk.id]
            return likenesses[position] if position < len(likenesses) else None

        return likeness
