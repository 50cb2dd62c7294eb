"""How is a sentence read so that it can be held against another: words, values, concepts, clauses and who does what?

The reading is shallow and knows no grammar but the pack's closed classes (`grammar.toml`): finite verbs by their form, clauses
around them, and what stands before and after a verb for its parties.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from ankare.gate.grounding.clauses import Clause, clauses_of
from ankare.gate.grounding.verbs import settled_words
from ankare.gate.grounding.words import Word, value_at, word_of_token
from ankare.language.languages import get_language
from ankare.language.measures import Value, read_values
from ankare.language.thesaurus import Concept, thesaurus


@dataclass(frozen=True)
class Reading:
    """A sentence, read."""

    text: str
    code: str
    words: tuple[Word, ...]
    values: tuple[Value, ...]
    clauses: tuple[Clause, ...]
    clause_of: tuple[int, ...]
    concepts: tuple[Concept, ...]
    value_of: tuple[int | None, ...]
    senses: tuple[frozenset[tuple[str, int]], ...] = field(default=())
    said: dict[tuple[str, int], bool] = field(default_factory=dict, compare=False, repr=False)

    def of(self, at: int) -> Clause:
        """The clause of a word."""
        return self.clauses[self.clause_of[at]]


@lru_cache(8192)
def read(text: str, code: str) -> Reading:
    """Read one sentence."""
    language = get_language(code)
    tokens = language.tokens(text)
    values = read_values(text, code)
    value_of = tuple(value_at(token, values) for token in tokens)
    words = tuple(word_of_token(token, at, tokens, value_of[at], code) for at, token in enumerate(tokens))
    words = settled_words(words, code)
    concepts = thesaurus(code).concepts([word.keys for word in words])
    senses: list[set[tuple[str, int]]] = [set() for _ in words]
    for concept in concepts:
        for at in concept.at:
            senses[at].add(concept.sense)
    clauses, clause_of = clauses_of(words, text, code)
    return Reading(text, code, words, values, clauses, clause_of, concepts, value_of, tuple(map(frozenset, senses)))
