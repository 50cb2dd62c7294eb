"""A small Swedish corpus in a real index, for the tests of retrieval."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ankare.domain.document import Chunk, Place, Sentence, UnitKind
from ankare.domain.evidence import Hit
from ankare.domain.question import Question
from ankare.index.tantivy_index import TantivyIndex, TantivyIndexWriter
from ankare.index.terms import chunk_terms
from ankare.language.languages import get_language
from ankare.profile.model import Profile
from ankare.retrieve.embed import Matrix
from ankare.retrieve.interpret import Interpreter
from ankare.retrieve.retriever import Retriever
from ankare.retrieve.settings import RetrievalSettings
from ankare.retrieve.vectors import SemanticSearch


def text_chunk(
    chunk_id: str,
    text: str,
    *,
    section: Sequence[str] = (),
    title: str = "Handbok",
    document: str = "handbok",
    pages: Sequence[int] = (1,),
    ordinal: int = 0,
    language: str = "sv",
) -> Chunk:
    """A chunk with one sentence per line; a line that starts with "- " is a list item. Line i stands on page i of `pages`."""
    sentences: list[Sentence] = []
    start = 0
    for number, line in enumerate(text.split("\n")):
        item = line.startswith("- ")
        place = Place(pages[min(number, len(pages) - 1)], ())
        kind = UnitKind.ITEM if item else UnitKind.SENTENCE
        sentences.append(Sentence(start + 2 * item, start + len(line), kind, (place,), group=int(item)))
        start += len(line) + 1
    return Chunk(
        chunk_id, document, f"{document}.pdf", "pdf", title, tuple(section), tuple(pages), text, language, ordinal,
        tuple(sentences),
    )  # fmt: skip


@dataclass
class Corpus:
    """Chunks in an index, with all that a search needs."""

    folder: Path
    chunks: Sequence[Chunk]
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        writer = TantivyIndexWriter(self.folder)
        writer.add(chunk_terms(chunk, get_language(chunk.language)) for chunk in self.chunks)
        writer.commit()
        self.index = TantivyIndex(self.folder)
        words = (word for chunk in self.chunks for word in re.findall(r"[\w-]+", chunk.text.casefold()))
        self.interpreter = Interpreter(self.index, Counter(words), Profile(synonyms=self.synonyms))

    def question(self, text: str, language: str | None = "sv") -> Question:
        return self.interpreter.interpret(text, language)

    def retriever(
        self, semantic: SemanticSearch | None = None, settings: RetrievalSettings | None = None, **options: object
    ) -> Retriever:
        return Retriever(self.index, semantic, settings, language_of=get_language, **options)  # type: ignore[arg-type]

    def search(self, text: str, top_k: int = 8) -> tuple[Hit, ...]:
        return self.retriever().search(self.question(text), top_k)

    def ids(self, text: str, top_k: int = 8) -> list[str]:
        return [hit.chunk.id for hit in self.search(text, top_k)]


class ConceptEmbedder:
    """A stand-in for a model: texts that share a concept, by a given word list, lie close to each other."""

    name = "concepts"
    dimensions = 8
    token_limit = 64

    def __init__(self, *concepts: Sequence[str]) -> None:
        self._concepts = concepts
        self.embedded: list[str] = []

    def query(self, text: str) -> Matrix:
        return self._vector(text)

    def passages(self, texts: Sequence[str]) -> Matrix:
        self.embedded.extend(texts)
        return np.array([self._vector(text) for text in texts], dtype=np.float32).reshape(len(texts), self.dimensions)

    def token_count(self, text: str) -> int:
        return len(text.split()) + 2

    def _vector(self, text: str) -> Matrix:
        vector = np.full(self.dimensions, 0.3, dtype=np.float32)
        for number, words in enumerate(self._concepts):
            vector[number] += sum(text.casefold().count(word) > 0 for word in words)
        unit: Matrix = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit
