"""Which sentences does an answer make, and what could they stand on?

A statement of the response is cut into its sentences. One that says nothing of its own (a lead-in, "it does not appear from the
material") claims nothing and is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ankare.domain.agents import FinalState
from ankare.evaluation.captured import CitedSpan, Context, Response
from ankare.evaluation.case import Case
from ankare.evaluation.measures.manner import breaks_off, is_sentence
from ankare.evaluation.measures.said import Said, said, wording
from ankare.evaluation.measures.support import (
    FRAGMENT,
    PARTLY,
    Passage,
    Support,
    language_of,
    passage,
    sentences_of,
)
from ankare.language.languages import LANGUAGE_CODES

SHOWN = 240
"""Characters of a text that details show."""
_KEPT = 8_000
MOST_SHOWN = 40
"""Statements that details show."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A sentence of an answer. `evidence`: what its statement cites. `committed`: does it claim anything?"""

    said: Said
    evidence: tuple[CitedSpan, ...]
    form: str
    committed: bool


def language_of_case(case: Case, response: Response) -> str:
    """The language of the answer where its words do not tell."""
    for code in (response.language, case.language):
        if code in LANGUAGE_CODES:
            return code
    return language_of(case.question, "sv")


def question_said(case: Case, response: Response) -> Said:
    """The question, read."""
    return said(case.question, language_of(case.question, case.language or language_of_case(case, response)))


def claimed(case: Case, response: Response) -> tuple[Claimed, ...]:
    """The sentences of the answer, in order."""
    code = answer_language(case, response)
    return tuple(
        Claimed(one, statement.evidence, statement.form, commits(one))
        for statement in response.statements
        for one in sentences_said(statement.text, code)
    )


def answer_language(case: Case, response: Response) -> str:
    """The language that the answer is written in, by all of its words."""
    return language_of(" ".join(one.text for one in response.statements), language_of_case(case, response))


def as_stated(one: Claimed, held: Support) -> Support:
    """The support of a sentence of running text: at most `PARTLY` where it breaks off, has no verb or is a list of keywords.

    What the source itself has so may be, and so may short answers ("Five days.") that do not break off.
    """
    if one.form != "text" or held.verbatim or held.share <= PARTLY:
        return held
    if not breaks_off(one.said) and (_slight(one.said) or is_sentence(one.said)):
        return held
    return replace(held, share=PARTLY, conflict="fragment")


@lru_cache(_KEPT)
def sentences_said(text: str, code: str) -> tuple[Said, ...]:
    """The sentences of a text that say something, read."""
    return tuple(one for one in (said(text, code) for text in sentences_of(text, code)) if one.words or one.amounts)


def commits(one: Said) -> bool:
    """Does a sentence claim something: is it no lead-in and no excuse?"""
    return not noncommittal(one) and not (one.text.rstrip().endswith(":") and _slight(one))


def _slight(one: Said) -> bool:
    """Has a lead-in too few words to say anything?"""
    return not one.denied and len(one.words) + len(one.amounts) < FRAGMENT


def noncommittal(one: Said) -> bool:
    """Does a sentence only say that nothing can be said?"""
    folded = " ".join(one.text.casefold().replace("’", "'").split())
    return wording(one.code, "noncommittal").search(folded) is not None


def context_passages(contexts: Sequence[Context], code: str) -> tuple[Passage, ...]:
    """Contexts whose text is known, as passages."""
    return tuple(
        passage(one.text, code, f"{one.title}. {one.section}".strip(". "), one.source, one.pages)
        for one in contexts
        if one.text.strip()
    )


def answer_context(response: Response) -> tuple[Context, ...]:
    """What the answer could stand on: what its chain's draft saw, where that draft became the answer, else the hits."""
    chain = response.chain
    drafted = chain.context and not chain.shadow and chain.final_status != FinalState.FALLBACK.value
    return chain.context if drafted else response.context


def cited_passages(evidence: Sequence[CitedSpan], code: str) -> Iterator[Passage]:
    """The cited stretches whose text is known, as passages."""
    for span in evidence:
        if span.text.strip():
            yield passage(span.text, code, "", span.source, span.pages)


def shown(text: str) -> str:
    """A text as details show it, cut where it is long."""
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
