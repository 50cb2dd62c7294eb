"""How much of an answer is what was wanted?

    fact precision = words of the sentences that hold a part of the gold, each sentence once / words of all sentences

The counterpart of `fact_recall`: whoever pastes all that was found holds the facts as well, and much beside them. After recall
and precision of nuggets in TREC's question answering (Voorhees, "Overview of the TREC 2003 Question Answering Track"), where
an answer that is longer than what is needed loses precision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ankare.evaluation.captured import Response
from ankare.evaluation.case import Case
from ankare.evaluation.measures.answer_measures import fact_support
from ankare.evaluation.measures.answer_spoken import length, repeated
from ankare.evaluation.measures.answer_statements import MOST_SHOWN, Claimed, claimed, shown
from ankare.evaluation.measures.support import PARTLY, Passage, passage, support
from ankare.evaluation.scored import Family, Measure
from ankare.evaluation.suites.gold import Part, parts_of

NAME = "fact_precision"
MEASURES = (Measure(NAME, Family.ANSWER),)


def measured(case: Case, response: Response) -> tuple[Mapping[str, float], Mapping[str, object]]:
    """(values, details) of `MEASURES` for an answer from documents to a case with snippets; nothing for any other.

    A sentence that ends in a colon leads to what follows and counts neither way, unless the answer has no other.
    """
    parts = [part for part in parts_of(case) if part.snippets]
    claims = claimed(case, response) if response.answered and parts and response.origin != "figures" else ()
    judged = [one for one in claims if not one.said.text.rstrip().endswith(":")] or claims
    if not judged:
        return {}, {}
    lengths = [max(1, length(one)) for one in judged]
    holding = _holding(judged, parts)
    value = sum(words for words, held in zip(lengths, holding, strict=True) if held) / sum(lengths)
    told = [
        {"text": shown(one.said.text), "words": words, "holds": held}
        for one, words, held in zip(judged, lengths, holding, strict=True)
    ]
    return {NAME: value}, {NAME: {"statements": told[:MOST_SHOWN]}}


def _holding(judged: Sequence[Claimed], parts: Sequence[Part]) -> list[bool]:
    """Of each sentence: does it hold a part of the gold, and is it the first to say it in these words?"""
    code = judged[0].said.code
    snippets = tuple(passage(snippet, code, certain=True) for part in parts for snippet in part.snippets)
    return [
        not said_before and _holds(one, parts, snippets)
        for one, said_before in zip(judged, repeated(judged), strict=True)
    ]


def _holds(one: Claimed, parts: Sequence[Part], snippets: Sequence[Passage]) -> bool:
    """Does a sentence say at least half of a part, or is it one of a snippet's own sentences?"""
    own = (passage(one.said.text, one.said.code, certain=True),)
    return any(fact_support(part, own) >= PARTLY for part in parts) or support(one.said, snippets).supported
