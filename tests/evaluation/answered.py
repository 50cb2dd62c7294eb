"""Cases and responses for tests of measures, built by hand: what a test says is what there is."""

from __future__ import annotations

from collections.abc import Sequence

from ankare.evaluation.captured import CitedSpan, Context, Response, Statement
from ankare.evaluation.case import Case, Gold


def case(question: str, *gold: Gold, reference: str = "", language: str = "sv", type: str = "") -> Case:  # noqa: A002
    """A question that has an answer."""
    return Case("q1", question, type, True, reference, gold, (), language)


def context(text: str, page: int = 1, source: str = "handbok.pdf", section: str = "", title: str = "") -> Context:
    """A chunk of a page; its id is its place."""
    return Context(f"{source}#{page}", source, (page,), text, title, section)


def cites(text: str, page: int = 1, source: str = "handbok.pdf") -> CitedSpan:
    """A citation of words on a page."""
    return CitedSpan(source, (page,), text, f"{source}#{page}")


def answer(
    question: str,
    *statements: str | Statement,
    contexts: Sequence[Context] = (),
    language: str = "sv",
) -> Response:
    """An answer from documents."""
    made = tuple(Statement(one) if isinstance(one, str) else one for one in statements)
    return Response(question, True, "extractive", "narrative", language, statements=made, context=tuple(contexts))


def refusal(question: str, contexts: Sequence[Context] = ()) -> Response:
    """A refusal."""
    return Response(
        question, False, "refusal", "narrative", "sv", context=tuple(contexts), refusal_reason="not_covered"
    )
