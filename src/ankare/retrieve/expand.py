"""Which terms are searched for a question, and what is a match of each worth?"""

from __future__ import annotations

from collections.abc import Iterable

from ankare.domain.question import QueryWord, Question
from ankare.index.protocol import LexicalQuery, WeightedTerm
from ankare.retrieve.settings import RetrievalSettings, TermWeights


def lexical_query(question: Question, extra: Iterable[Question], settings: RetrievalSettings) -> LexicalQuery:
    """The query of a question. `extra` questions (other wordings) add terms at a lower weight, never take any away.

    A term that stands there in several roles counts once, in its best one. The order of the terms is that of the words.
    """
    weights: dict[str, float] = {}
    _add_words(weights, question.words, settings.terms, 1.0)
    for other in extra:
        _add_words(weights, other.words, settings.terms, settings.terms.extra_query)
    fields = settings.fields
    return LexicalQuery(
        tuple(WeightedTerm(term, weight) for term, weight in weights.items() if weight > 0),
        (("title", fields.title), ("section", fields.section), ("body", fields.body)),
    )


def _add_words(weights: dict[str, float], words: Iterable[QueryWord], worth: TermWeights, factor: float) -> None:
    for word in words:
        if word.stop:
            continue
        scale = factor * (worth.generic if word.generic else 1.0)
        _raise(weights, word.terms, worth.whole * scale)
        _raise(weights, word.parts, worth.part * scale)
        for synonym in word.synonyms:
            _raise(weights, synonym, worth.synonym * scale / max(1, len(synonym)))


def _raise(weights: dict[str, float], terms: Iterable[str], weight: float) -> None:
    for term in terms:
        if weight > weights.get(term, 0.0):
            weights[term] = weight
