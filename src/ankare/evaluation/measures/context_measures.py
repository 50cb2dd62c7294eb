"""Do the contexts hold what the answer needs, and does what it needs stand first?

`context_precision` and `context_recall` after the measures of the same names of RAGAS (Es et al. 2024, arXiv 2309.15217) with
a reference: the mean precision at the ranks of relevant contexts, which is the average precision of information retrieval over
what was retrieved, and the share of what a right answer holds that the contexts hold. Unlike there, a context is relevant only
for a part of the gold that none before it held. For an answer that a chain drafted in the
shadow, the same of what its draft could stand on, so that shadow and control can be compared answer by answer. A draft that
was not published for what it says still tells what the chain had found; a chain that chose no texts has no value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ankare.evaluation.captured import Context, Response
from ankare.evaluation.case import Case
from ankare.evaluation.measures.answer_measures import fact_support, reference_support
from ankare.evaluation.measures.answer_statements import answer_context, context_passages, language_of_case, shown
from ankare.evaluation.scored import Family, Measure
from ankare.evaluation.suites.gold import Part, parts_of

MEASURES = (
    Measure("context_precision", Family.ANSWER),
    Measure("context_recall", Family.ANSWER),
    Measure("shadow_context_precision", Family.PATH, of_path=False),
    Measure("shadow_context_recall", Family.PATH, of_path=False),
)
Measured = tuple[Mapping[str, float], Mapping[str, object]]
MOST_OF_IT = 0.8
"""From this share of its words on, with every value, a text of its place holds a snippet that a page or table has broken."""


def measured(case: Case, response: Response) -> Measured:
    """(values, details) of `MEASURES` for a case with gold or a reference answer; nothing where no context is told.

    A refusal that tells no context has found nothing: 0.
    """
    values: dict[str, float] = {}
    details: dict[str, object] = {}
    contexts = answer_context(response) or _sources(response)
    if contexts or (not response.answered and response.route != "structured"):
        _measure(case, response, contexts, "", values, details)
    if response.chain.shadow and response.chain.context:
        _measure(case, response, response.chain.context, "shadow_", values, details)
    return values, details


def _sources(response: Response) -> tuple[Context, ...]:
    """The sources of a server that tells no contexts: their places are known, their texts are not."""
    return tuple(Context(one.chunk_id, one.source, one.pages, one.text) for one in response.sources if one.source)


def _measure(
    case: Case,
    response: Response,
    contexts: Sequence[Context],
    prefix: str,
    values: dict[str, float],
    details: dict[str, object],
) -> None:
    parts, code = parts_of(case), language_of_case(case, response)
    if parts:
        holding = [tuple(speaks_to(part, one, code) for part in parts) for one in contexts]
        relevant = adding(holding)
        values[f"{prefix}context_precision"] = average_precision(relevant)
        details[f"{prefix}context_precision"] = {"relevant": relevant}
        held = [float(any(column)) for column in zip(*holding, strict=True)] or [0.0] * len(parts)
        values[f"{prefix}context_recall"] = sum(held) / len(held)
        details[f"{prefix}context_recall"] = {
            "parts": [{"text": _told(part), "held": one} for part, one in zip(parts, held, strict=True)]
        }
    elif case.reference_answer.strip():
        found = reference_support(case, code, context_passages(contexts, code))
        if found is not None:
            values[f"{prefix}context_recall"], details[f"{prefix}context_recall"] = found


def adding(holding: Sequence[Sequence[bool]]) -> list[bool]:
    """Of each context, by the parts that each holds: does it hold one that none before it held? What is there twice adds
    nothing."""
    seen: set[int] = set()
    found = []
    for held in holding:
        parts = {at for at, is_held in enumerate(held) if is_held}
        found.append(not parts <= seen)
        seen |= parts
    return found


def average_precision(relevant: Sequence[bool]) -> float:
    """The mean of precision@k over the ranks k of relevant contexts; 0 where none is."""
    hits, total = 0, 0.0
    for rank, is_relevant in enumerate(relevant, start=1):
        if is_relevant:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def speaks_to(part: Part, one: Context, code: str) -> bool:
    """Does a context hold a part of the gold? Its words decide: only where no snippet is given, or the context's text is not
    told, its place does.

    A snippet that is broken by a page or a table counts where a text of its place says most of it (`MOST_OF_IT`).
    """
    if not part.snippets or not one.text.strip():
        return part.stands_in(one.source, one.pages)
    if part.said_in(one.text):
        return True
    if not part.stands_in(one.source, one.pages):
        return False
    return fact_support(part, context_passages([one], code)) >= MOST_OF_IT - 1e-9


def _told(part: Part) -> str:
    if part.snippets:
        return shown(part.snippets[0])
    return shown(", ".join(sorted(f"{place.source} {place.page or ''}".strip() for place in part.places)))
