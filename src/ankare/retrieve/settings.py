"""What is each signal of retrieval worth?

The defaults were fitted on one part of the development questions and checked on others (see `benchmarks/`). They hold for
any domain: none of them knows a word of one.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TermWeights:
    """What a match is worth in the lexical search, by how the question and the text come to share the term."""

    whole: float = 1.0
    part: float = 0.5
    synonym: float = 0.7
    generic: float = 0.9
    extra_query: float = 0.4


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """What a match is worth by where it stands."""

    title: float = 0.15
    section: float = 0.5
    body: float = 1.0


@dataclass(frozen=True, slots=True)
class RankWeights:
    """What each feature adds to a hit's score. Features lie between 0 and 1, `demoted` is 0 or 1."""

    lexical: float = 1.0
    coverage: float = 0.7
    sentence: float = 0.9
    window: float = 0.8
    heading: float = 0.5
    source: float = 0.5
    form: float = 0.3
    page: float = 0.4
    semantic: float = 2.5
    semantic_sentence: float = 2.4
    superseded: float = -1.0


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """Everything that can be tuned in retrieval.

    `pool`: candidates of the lexical search, `semantic_pool` of the semantic one. `part_credit`: how far a compound counts
    as covered when only its parts are found. `generic_share`: what a generic word ("beslutar") counts for in the rerank,
    beside a content word of the same frequency. `heading_credit`, `source_credit`: what a word is worth that stands in the
    headings above, in the title or file name alone. `duplicate_overlap`: share of common terms (Jaccard, as multisets) from
    which two texts are the same.
    """

    terms: TermWeights = field(default_factory=TermWeights)
    fields: FieldWeights = field(default_factory=FieldWeights)
    rank: RankWeights = field(default_factory=RankWeights)
    pool: int = 40
    semantic_pool: int = 40
    part_credit: float = 0.6
    synonym_credit: float = 0.9
    generic_share: float = 0.3
    heading_credit: float = 0.8
    source_credit: float = 0.4
    duplicate_overlap: float = 0.95
