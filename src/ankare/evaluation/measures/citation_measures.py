"""Does what a statement cites say what it says, and is every statement cited?

Citation precision and recall after ALCE (Gao et al., "Enabling Large Language Models to Generate Text with Citations", 2023,
arXiv 2305.14627) and Liu et al., "Evaluating Verifiability in Generative Search Engines", 2023 (arXiv 2304.09848), with the
support of `ankare.evaluation.measures.support` in place of a model's entailment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ankare.evaluation.captured import CitedSpan, Context, FigureFound, Response
from ankare.evaluation.case import Case
from ankare.evaluation.measures.answer_measures import support_body
from ankare.evaluation.measures.answer_statements import (
    MOST_SHOWN,
    Claimed,
    answer_context,
    answer_language,
    as_stated,
    claimed,
    context_passages,
)
from ankare.evaluation.measures.support import PARTLY, Passage, passage, same_language, support
from ankare.evaluation.scored import Family, Measure
from ankare.evaluation.suites.gold import holds, parts_of
from ankare.evaluation.suites.same_source import same_source

MEASURES = (
    Measure("citation_precision", Family.CITATION),
    Measure("citation_recall", Family.CITATION),
    Measure("cited_gold_page", Family.CITATION),
)
Measured = tuple[Mapping[str, float], Mapping[str, object]]


def measured(case: Case, response: Response) -> Measured:
    """(values, details) of `MEASURES` for an answer; nothing for a refusal."""
    if not response.answered:
        return {}, {}
    values: dict[str, float] = {}
    details: dict[str, object] = {}
    if response.origin == "figures" and not response.statements:
        _figures(response.figures, values)
    else:
        _statements(case, response, values, details)
    _gold_page(case, response, values, details)
    return values, details


def _statements(case: Case, response: Response, values: dict[str, float], details: dict[str, object]) -> None:
    claims = [one for one in claimed(case, response) if one.committed]
    code = answer_language(case, response)
    contexts = _contexts(response)
    cited = [[tuple(cited_text(span, contexts, code)) for span in one.evidence] for one in claims]
    known = [one for some in cited for texts in some for one in texts]
    if not claims or (any(one.evidence for one in claims) and known and not same_language(code, known)):
        return
    recalled = [
        as_stated(one, support(one.said, [p for texts in some for p in texts]))
        for one, some in zip(claims, cited, strict=True)
    ]
    values["citation_recall"] = sum(one.supported for one in recalled) / len(claims)
    details["citation_recall"] = {
        "statements": [
            {**support_body(one.said, held), "citations": len(one.evidence)}
            for one, held in zip(claims, recalled, strict=True)
        ][:MOST_SHOWN]
    }
    precise = [(one, span, support(one.said, texts)) for one, span, texts in _pairs(claims, cited)]
    if precise:
        values["citation_precision"] = sum(held.share >= PARTLY for _, _, held in precise) / len(precise)
        details["citation_precision"] = {
            "unsupported": [
                {**support_body(one.said, held), "cited": span.source, "cited_pages": list(span.pages)}
                for one, span, held in precise
                if held.share < PARTLY
            ][:MOST_SHOWN]
        }


def _pairs(
    claims: Sequence[Claimed], cited: Sequence[Sequence[tuple[Passage, ...]]]
) -> Iterator[tuple[Claimed, CitedSpan, tuple[Passage, ...]]]:
    for one, some in zip(claims, cited, strict=True):
        for span, texts in zip(one.evidence, some, strict=True):
            yield one, span, texts


def _contexts(response: Response) -> tuple[Context, ...]:
    return tuple(dict.fromkeys((*answer_context(response), *response.context)))


def cited_text(span: CitedSpan, contexts: Sequence[Context], code: str) -> Iterator[Passage]:
    """What stands where a citation points to.

    The words that the citation quotes, unless a context holds them and stands on none of the cited pages: then they are
    quoted from elsewhere, and the contexts of the cited place count. So they do where nothing is quoted.
    """
    holding = [one for one in contexts if one.text and _quoted_from(span, one)]
    if span.text.strip() and (not holding or any(_at(span, one) for one in holding)):
        yield passage(span.text, code, "", span.source, span.pages)
        return
    yield from context_passages([one for one in contexts if _at(span, one)], code)


def _quoted_from(span: CitedSpan, one: Context) -> bool:
    """Does a context of the cited document hold the quoted words?"""
    if not span.text.strip() or not same_source(span.source, one.source):
        return False
    return span.text.strip() in one.text or holds(one.text, span.text)


def _at(span: CitedSpan, one: Context) -> bool:
    """Does a context stand where a citation points to?"""
    return same_source(span.source, one.source) and (
        not span.pages or not one.pages or bool({*span.pages} & {*one.pages})
    )


def _figures(figures: Sequence[FigureFound], values: dict[str, float]) -> None:
    """Of figures: the share that names the document and the cell or row that it was read from."""
    found = [one for one in figures if one.status == "found"]
    if found:
        values["citation_recall"] = sum(bool(one.source and one.locator) for one in found) / len(found)


def _gold_page(case: Case, response: Response, values: dict[str, float], details: dict[str, object]) -> None:
    parts = parts_of(case)
    cited = [span for one in response.statements for span in one.evidence] or list(response.sources)
    if not parts or response.origin == "figures":
        return
    right = [any(part.stands_in(span.source, span.pages) for span in cited) for part in parts]
    values["cited_gold_page"] = float(any(right))
    details["cited_gold_page"] = {
        "parts": right,
        "cited": sorted({f"{s.source} {', '.join(map(str, s.pages))}" for s in cited})[:MOST_SHOWN],
    }
