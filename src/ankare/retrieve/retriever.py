"""Which chunks speak to a question, in which order, and why?

    search by words  ─┐
                      ├─>  candidates  ─>  rerank  ─>  one score in parts  ─>  duplicates collapsed
    search by meaning ┘

The original question is the anchor: other wordings may bring candidates in, but only its words are held against them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter

from ankare.domain.cancel import while_wanted
from ankare.domain.document import Chunk, Document
from ankare.domain.evidence import Hit
from ankare.domain.question import Question
from ankare.index.protocol import LexicalIndex, LexicalQuery
from ankare.index.recent import Recent
from ankare.language.protocol import Language
from ankare.retrieve.duplicates import collapse
from ankare.retrieve.expand import lexical_query
from ankare.retrieve.forms import has_form
from ankare.retrieve.fuse import BM25_CEILING, Likeness, score, score_parts, values_of, weights_of
from ankare.retrieve.rerank import Features, Subject, best_sentence, covered, features, inverse_frequency, subjects
from ankare.retrieve.settings import RetrievalSettings
from ankare.retrieve.vectors import SemanticSearch
from ankare.retrieve.view import ChunkView

VIEWS_IN_MEMORY = 12_288
"""Chunks that are kept ready for the rerank (some 10 kB each), up to twice as many."""


class Retriever:
    """Searches one version of an index. Safe for many threads; the same question gives the same hits everywhere."""

    def __init__(
        self,
        index: LexicalIndex,
        vectors: SemanticSearch | None = None,
        settings: RetrievalSettings | None = None,
        *,
        language_of: Callable[[str], Language],
        superseded: Iterable[str] = (),
    ) -> None:
        """`language_of` gives the analysis of a language code; `superseded` are ids of documents with a newer version."""
        self._index = index
        self._vectors = vectors
        self._settings = settings or RetrievalSettings()
        self._language_of = language_of
        self._superseded = frozenset(superseded)
        self._total = len(index)
        self._weights = weights_of(self._settings.rank)
        self._views: Recent[str, ChunkView] = Recent(VIEWS_IN_MEMORY)

    def search(self, question: Question, top_k: int = 8, *, extra_queries: Sequence[Question] = ()) -> tuple[Hit, ...]:
        """The best `top_k` hits, best first; ties are broken by chunk id. Nothing in common: an empty tuple.

        `extra_queries`: other wordings of the question, searched along at a lower weight.
        """
        if top_k <= 0 or not self._total:
            return ()
        query = lexical_query(question, extra_queries, self._settings)
        lexical = self._by_words(query, top_k)
        meaning = self._by_meaning(question, lexical, top_k)
        wanted = subjects(question, self._index.doc_freq, self._total, self._settings)
        hits = self._ranked(question, query, wanted, lexical, meaning)
        best = collapse(hits, self._settings.duplicate_overlap, top_k)
        return tuple(replace(hit, pages=self._pages(hit.chunk, question, wanted)) for hit in best)

    def _by_words(self, query: LexicalQuery, top_k: int) -> dict[str, float]:
        if not query.terms:
            return {}
        return {hit.chunk_id: hit.score for hit in self._index.search(query, max(self._settings.pool, 2 * top_k))}

    def _by_meaning(self, question: Question, lexical: Iterable[str], top_k: int) -> dict[str, tuple[float, Likeness]]:
        """Per candidate its cosine and likeness: the nearest in meaning and all that the words found."""
        if self._vectors is None:
            return {}
        return self._vectors.search(question.text, max(self._settings.semantic_pool, 2 * top_k), lexical)

    def _ranked(
        self,
        question: Question,
        query: LexicalQuery,
        wanted: tuple[Subject, ...],
        lexical: dict[str, float],
        meaning: dict[str, tuple[float, Likeness]],
    ) -> Iterator[Hit]:
        """All candidates, best first, each explained when it is taken."""
        best_possible = self._best_possible(query)
        seen = {
            chunk_id: features(view, wanted, self._form(view, question), self._settings)
            for chunk_id in while_wanted(dict.fromkeys((*lexical, *meaning)))
            if (view := self._view(chunk_id))
        }
        pages = self._by_page(seen)
        scored = []
        for chunk_id, features_ in while_wanted(seen.items()):
            found = meaning.get(chunk_id)
            chunk = self._view(chunk_id).chunk
            values = values_of(
                lexical.get(chunk_id, 0.0) / best_possible,
                features_,
                covered(wanted, *pages[_page(chunk)]),
                found[1] if found else None,
                chunk.document_id in self._superseded,
            )
            scored.append((-score(values, self._weights), chunk_id, values, chunk))
        scored.sort(key=itemgetter(0, 1))
        for negative, chunk_id, values, chunk in while_wanted(scored):
            found = meaning.get(chunk_id)
            parts = score_parts(values, self._weights, semantic=found is not None)
            yield Hit(chunk, -negative, parts, lexical.get(chunk_id, 0.0), found[0] if found else None)

    def _by_page(self, seen: dict[str, Features]) -> dict[tuple[str, int], list[tuple[float, ...]]]:
        """Per page of a document what each of its candidates holds: an answer's words often stand in several of them."""
        pages: dict[tuple[str, int], list[tuple[float, ...]]] = {}
        for chunk_id, features_ in seen.items():
            pages.setdefault(_page(self._view(chunk_id).chunk), []).append(features_.words)
        return pages

    def _form(self, view: ChunkView, question: Question) -> int | None:
        if not has_form(question.type):
            return None
        return view.form(question.type, self._language_of(view.chunk.language))

    def _best_possible(self, query: LexicalQuery) -> float:
        """What a text that says nothing but the question's words, over and over, would score in the body field."""
        body = dict(query.field_weights)["body"]
        known = [(term.weight, self._index.doc_freq(term.term)) for term in query.terms]
        ceiling = sum(
            body * weight * BM25_CEILING * inverse_frequency(frequency, self._total)
            for weight, frequency in known
            if frequency
        )
        return ceiling or 1.0

    def _pages(self, chunk: Chunk, question: Question, wanted: tuple[Subject, ...]) -> tuple[int, ...]:
        """The chunk's pages, those of its best sentence first."""
        if len(chunk.pages) < 2 or not chunk.sentences:
            return chunk.pages
        likeness = self._vectors.sentences(question.text, chunk.id) if self._vectors else ()
        best = chunk.sentences[best_sentence(self._view(chunk.id), wanted, likeness)]
        return tuple(dict.fromkeys((*(place.page for place in best.places), *chunk.pages)))

    def _view(self, chunk_id: str) -> ChunkView:
        view = self._views.get(chunk_id)
        if view is None:
            chunk = self._index.chunks([chunk_id])[0]
            view = ChunkView(chunk, self._language_of(chunk.language))
            self._views.put(chunk_id, view)
        return view


def _page(chunk: Chunk) -> tuple[str, int]:
    return chunk.document_id, chunk.pages[0] if chunk.pages else 0


def superseded_ids(documents: Iterable[Document]) -> frozenset[str]:
    """Ids of the documents that another ingested document says it supersedes (by id or by source)."""
    documents = tuple(documents)
    replaced = {name for document in documents for name in document.supersedes}
    return frozenset(d.id for d in documents if d.id in replaced or d.source in replaced)
