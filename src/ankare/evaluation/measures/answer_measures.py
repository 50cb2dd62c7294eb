"""Does an answer say only what its sources say, does it speak to the question, and does it hold what a right answer holds?

Three measures without a model: `faithfulness` and `answer_relevance` after the measures of the same names of RAGAS (Es et al.,
"Ragas: Automated Evaluation of Retrieval Augmented Generation", 2024, arXiv 2309.15217), and `fact_recall`. docs/measures.md
has the formulas, and what they cannot see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ankare.evaluation.captured import Response
from ankare.evaluation.case import Case
from ankare.evaluation.measures.answer_relevance import relevance_of
from ankare.evaluation.measures.answer_statements import (
    MOST_SHOWN,
    Claimed,
    answer_context,
    answer_language,
    as_stated,
    cited_passages,
    claimed,
    context_passages,
    question_said,
    sentences_said,
    shown,
)
from ankare.evaluation.measures.contradiction import asserts
from ankare.evaluation.measures.said import Said, said
from ankare.evaluation.measures.support import Passage, Support, passage, same_language, support
from ankare.evaluation.scored import Family, Measure
from ankare.evaluation.suites.gold import Part, holds, parts_of

MEASURES = (
    Measure("faithfulness", Family.ANSWER),
    Measure("answer_relevance", Family.ANSWER),
    Measure("fact_recall", Family.ANSWER),
)
Measured = tuple[Mapping[str, float], Mapping[str, object]]


def measured(case: Case, response: Response) -> Measured:
    """(values, details) of `MEASURES`. A refusal has no faithfulness and no relevance; of what it should have said it holds
    nothing, so its fact recall is 0 where the case has an answer."""
    values: dict[str, float] = {}
    details: dict[str, object] = {}
    claims = claimed(case, response) if response.answered else ()
    for name, found in (
        ("faithfulness", _faithfulness(case, response, claims)),
        ("answer_relevance", _relevance(case, response, claims)),
        ("fact_recall", _fact_recall(case, response)),
    ):
        if found is not None:
            values[name], details[name] = found
    return values, details


def _faithfulness(case: Case, response: Response, claims: Sequence[Claimed]) -> tuple[float, object] | None:
    """The share of the answer's sentences that its contexts, or what they cite, support."""
    committed = [one for one in claims if one.committed]
    code = answer_language(case, response)
    contexts = context_passages(answer_context(response), code)
    cited = [tuple(cited_passages(one.evidence, code)) for one in committed]
    everything = [*contexts, *(one for some in cited for one in some)]
    if not committed or not same_language(code, everything):
        return None
    asked = question_said(case, response)
    found = [
        as_stated(one, _best(support(one.said, own), one.said, contexts, asked))
        for one, own in zip(committed, cited, strict=True)
    ]
    told = {
        "mean_support": _mean([one.share for one in found]),
        "statements": [support_body(one.said, held) for one, held in zip(committed, found, strict=True)][:MOST_SHOWN],
    }
    return _mean([float(one.supported) for one in found]), told


def _best(cited: Support, one: Said, contexts: Sequence[Passage], asked: Said) -> Support:
    """What a sentence cites supports it, or else one of the contexts does."""
    if cited.share >= 1.0:
        return cited
    return max(support(one, contexts, asked), cited, key=lambda held: (held.share, held.words))


def _relevance(case: Case, response: Response, claims: Sequence[Claimed]) -> tuple[float, object] | None:
    return relevance_of(case, response, claims) if claims else None


def _fact_recall(case: Case, response: Response) -> tuple[float, object] | None:
    """How much of the gold the answer holds: the mean over its parts, or over the sentences of a reference answer."""
    parts = [part for part in parts_of(case) if part.snippets]
    if response.origin == "figures" or not (parts or case.reference_answer.strip()):
        return None
    code = answer_language(case, response)
    texts = [one.text for one in response.statements if one.text.strip()] if response.answered else []
    whole = (passage("\n".join(texts), code, certain=True),) if texts else ()
    if parts:
        each = (*whole, *(passage(text, code, certain=True) for text in texts))
        held = [fact_support(part, whole, each) for part in parts]
        told = [
            {"text": shown(part.snippets[0]), "support": round(one, 4)} for part, one in zip(parts, held, strict=True)
        ]
        return _mean(held), {"parts": told[:MOST_SHOWN]}
    return reference_support(case, code, whole)


def fact_support(part: Part, passages: Sequence[Passage], asserting: Sequence[Passage] | None = None) -> float:
    """How much of a part of the gold some passages hold: 1 where its words stand in one of them, else by the best window.

    `asserting`: the same, whole and in pieces, where the words count only if one of them says them: not where the sentence
    around them denies, asks or tells off as false what the snippet alone says.
    """
    if any(part.said_in(one.text) for one in passages) and (
        asserting is None or any(_says(one, snippet) for one in asserting for snippet in part.snippets)
    ):
        return 1.0
    return max((_snippet_support(snippet, passages) for snippet in part.snippets), default=0.0)


def _says(one: Passage, snippet: str) -> bool:
    """Does a passage hold the words of a snippet, and say them?"""
    if not holds(one.text, snippet):
        return False
    around = [sentence for sentence in one.sentences if holds(sentence.text, snippet)]
    alone = said(snippet, one.code)
    return any(asserts((sentence,), alone) for sentence in around) if around else asserts(one.sentences, alone)


def _snippet_support(snippet: str, passages: Sequence[Passage]) -> float:
    """The mean support of a snippet's sentences."""
    if not passages:
        return 0.0
    codes = dict.fromkeys(one.code for one in passages)
    return max(_mean([support(one, passages).share for one in sentences_said(snippet, code)]) for code in codes)


def reference_support(case: Case, code: str, passages: Sequence[Passage]) -> tuple[float, object] | None:
    """The share of the reference answer's sentences that one of some passages supports; its sentences may stand apart there."""
    wanted = sentences_said(case.reference_answer, passage(case.reference_answer, code).code)
    if not wanted or (passages and not same_language(wanted[0].code, passages)):
        return None
    found = [_verbatim(one, passages) or support(one, passages, whole=True) for one in wanted]
    told = [support_body(one, held) for one, held in zip(wanted, found, strict=True)]
    return _mean([float(one.supported) for one in found]), {"statements": told[:MOST_SHOWN]}


def _verbatim(one: Said, passages: Sequence[Passage]) -> Support | None:
    return next((Support(1.0, held, one.text) for held in passages if holds(held.text, one.text)), None)


def support_body(one: Said, held: Support) -> dict[str, object]:
    """A sentence with what supports it, or with what speaks against it, as details tell it."""
    body: dict[str, object] = {"text": shown(one.text), "support": round(held.share, 4), "supported": held.supported}
    if held.passage is not None:
        body |= {"source": held.passage.source, "pages": list(held.passage.pages), "sentence": shown(held.window)}
    if held.conflict:
        body["conflict"] = held.conflict
    if held.missing:
        body["missing"] = list(held.missing[:8])
    return body


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
