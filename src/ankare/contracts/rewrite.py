"""Agent 1: under which other wordings should the question be searched?

It never answers. What it hands over is judged further by `retrieve/rewrites.py`; here only the form is read.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from ankare.contracts.fields import Fields, one_line
from ankare.contracts.reading import fault, read_object
from ankare.contracts.schema import Contract, wire_schema

MAX_QUERIES = 5
MAX_QUERY = 180
MAX_FOCUS, MAX_TERMS, MAX_CONSTRAINTS = 6, 12, 6
MAX_READ = 20
"""So many queries are read, and so many characters of each more than allowed, that the rest can be told as rejected."""

Purposes = Literal["literal", "swedish_inflection", "synonym", "compound", "broader_context"]
Kinds = Literal["lemma", "inflection", "synonym", "compound", "spelling_variant"]


class RetrievalQuery(Contract):
    """One wording, and what it is for."""

    query: Annotated[str, Field(min_length=1, max_length=MAX_QUERY)]
    purpose: Purposes


class SemanticTermEntry(Contract):
    """A word, the family that it belongs to, and how."""

    surface: Annotated[str, Field(max_length=60)]
    normalized_family: Annotated[str, Field(max_length=60)]
    kind: Kinds


class RetrievalRewriteResult(Contract):
    """The published contract of agent 1."""

    original_question: Annotated[str, Field(min_length=1)]
    retrieval_queries: Annotated[list[RetrievalQuery], Field(min_length=1, max_length=MAX_QUERIES)]
    must_keep_focus: Annotated[list[Annotated[str, Field(max_length=80)]], Field(min_length=1, max_length=MAX_FOCUS)]
    semantic_terms: Annotated[list[SemanticTermEntry], Field(max_length=MAX_TERMS)]
    negative_constraints: Annotated[list[Annotated[str, Field(max_length=120)]], Field(max_length=MAX_CONSTRAINTS)]
    confidence: Annotated[float, Field(ge=0, le=1)]


class QueryReply(Contract):
    """A wording as the model writes it."""

    query: str
    purpose: Purposes


class TermReply(Contract):
    """A word as the model writes it."""

    surface: str
    normalized_family: str
    kind: Kinds


class RewriteReply(Contract):
    """What the model is asked for. Lists have an end, since small models do not find it by themselves."""

    original_question: str
    retrieval_queries: Annotated[list[QueryReply], Field(max_length=MAX_QUERIES)]
    must_keep_focus: Annotated[list[str], Field(max_length=MAX_FOCUS)]
    semantic_terms: Annotated[list[TermReply], Field(max_length=MAX_TERMS)]
    negative_constraints: Annotated[list[str], Field(max_length=MAX_CONSTRAINTS)]
    confidence: float


WIRE_SCHEMA = wire_schema(RewriteReply)


class Purpose(StrEnum):
    """What a wording is for. `UNSTATED`: the model did not say."""

    LITERAL = "literal"
    SWEDISH_INFLECTION = "swedish_inflection"
    SYNONYM = "synonym"
    COMPOUND = "compound"
    BROADER_CONTEXT = "broader_context"
    UNSTATED = ""


@dataclass(frozen=True, slots=True)
class RewriteQuery:
    """One wording as the model wrote it, on one line; not yet judged, and it may be too long."""

    query: str
    purpose: Purpose = Purpose.UNSTATED


@dataclass(frozen=True, slots=True)
class SemanticTerm:
    """A word, its family and its kind."""

    surface: str
    normalized_family: str
    kind: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What agent 1 hands over. `mismatch`: it speaks of another question than the one that was asked, so nothing of it is to
    be used. `notes`: what had to be read through or left out, machine readable."""

    queries: tuple[RewriteQuery, ...]
    must_keep_focus: tuple[str, ...]
    semantic_terms: tuple[SemanticTerm, ...]
    negative_constraints: tuple[str, ...]
    confidence: float
    mismatch: bool = False
    notes: tuple[str, ...] = ()

    def published(self, question: str, queries: Collection[str]) -> RetrievalRewriteResult:
        """The contract for the question as it was asked, with those queries that were `queries` accepted. Raises
        pydantic.ValidationError where none was."""
        accepted = [found for found in self.queries if found.query in queries]
        return RetrievalRewriteResult(
            original_question=question,
            retrieval_queries=[RetrievalQuery(query=q.query, purpose=q.purpose.value or "literal") for q in accepted],  # type: ignore[arg-type]
            must_keep_focus=list(self.must_keep_focus) or [question[:80]],
            semantic_terms=[
                SemanticTermEntry(surface=t.surface, normalized_family=t.normalized_family, kind=t.kind)  # type: ignore[arg-type]
                for t in self.semantic_terms
            ],
            negative_constraints=list(self.negative_constraints),
            confidence=self.confidence,
        )


def read_rewrite(text: str, question: str) -> Rewrite:
    """What agent 1 said to `question`. Raises ContractError for faults of form and for values outside the contract.

    Side lists (focus, terms, constraints) may be absent; the question, the queries and the confidence may not.
    """
    found = read_object(text, ("retrieval_queries", "original_question", "confidence"))
    fields = Fields(found.value)
    told = [*found.repaired, *(f"ignored:{name}" for name in fields.unexpected(tuple(RewriteReply.model_fields)))]
    told += [
        f"missing:{name}"
        for name in ("must_keep_focus", "semantic_terms", "negative_constraints")
        if not fields.has(name)
    ]
    mismatch = not same_question(fields.text("original_question"), question)
    return Rewrite(
        queries=_queries(fields, told),
        must_keep_focus=fields.texts("must_keep_focus", most=MAX_FOCUS, cut=80),
        semantic_terms=_terms(fields, told),
        negative_constraints=fields.texts("negative_constraints", most=MAX_CONSTRAINTS, cut=120),
        confidence=fields.share("confidence"),
        mismatch=mismatch,
        notes=tuple(told),
    )


def same_question(echoed: str, asked: str) -> bool:
    """Is it the same question, but for case, spacing and the marks round it?"""
    return _plain(echoed) == _plain(asked)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", one_line(text)).casefold().strip(" \"'“”?!.").split())


def _queries(fields: Fields, told: list[str]) -> tuple[RewriteQuery, ...]:
    if not fields.has("retrieval_queries"):
        raise fault("missing_field", "the field retrieval_queries is missing")
    items = fields.items("retrieval_queries")
    if len(items) > MAX_READ:
        told.append("queries_left_out")
    read = [query for item in items[:MAX_READ] if (query := _query(item)).query]
    if not read:
        raise fault("no_queries", "it proposes no query")
    return tuple(read)


def _query(item: Any) -> RewriteQuery:
    if isinstance(item, str):
        return RewriteQuery(one_line(item)[: 2 * MAX_QUERY])
    if not isinstance(item, Mapping):
        raise fault("wrong_type", "a retrieval query is no object")
    part = Fields(item)
    query = one_line(part.text("query"))[: 2 * MAX_QUERY]
    return RewriteQuery(query, Purpose(part.word("purpose", {purpose.value for purpose in Purpose})))


def _terms(fields: Fields, told: list[str]) -> tuple[SemanticTerm, ...]:
    """The terms that are whole; they only help to explain, so a broken one costs nothing but itself."""
    read: list[SemanticTerm] = []
    items = fields.items("semantic_terms")
    for item in items[:MAX_TERMS]:
        values = [item.get(name) for name in TermReply.model_fields] if isinstance(item, Mapping) else []
        texts = [one_line(value)[:60] for value in values if isinstance(value, str)]
        if len(texts) == len(TermReply.model_fields) and texts[2] in get_args(Kinds):
            read.append(SemanticTerm(*texts))
    if len(read) < len(items):
        told.append("terms_left_out")
    return tuple(read)
