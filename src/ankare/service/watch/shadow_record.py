"""What would the chain have changed? One question of the control path and its shadow, side by side, as JSON."""

from __future__ import annotations

from dataclasses import replace

from ankare.cite.body import Json
from ankare.cite.links import Links
from ankare.cite.markdown import Rendered, render
from ankare.cite.pipeline import RunFlags, pipeline_body
from ankare.domain.answer import Answer, Refusal
from ankare.domain.reply import Reply, Shadow
from ankare.service.watch.pipeline_summary import without_texts


def shadow_record(reply: Reply, rendered: Rendered, links: Links, *, texts: bool) -> Json:
    """The answer that the user got, the one that the chain would have given, and what differs; null where the chain broke off
    and so would have given none: `pipeline.fallback_reason` says why. Without `texts` sources, ids, scores and reasons alone.
    """
    assert reply.shadow is not None  # noqa: S101 - the caller looks
    control = _side(reply.narrative or reply.outcome, rendered.answer, _pages(rendered), _chunks(reply.narrative))
    instead = _shadow_side(reply, reply.shadow, links)
    pipeline = pipeline_body(reply, RunFlags(agentic=True))
    return {
        "language": reply.outcome.language,
        "question_type": reply.question.type.value,
        "index_version": reply.index_version,
        "control": control if texts else _textless(control),
        "shadow": instead if texts else _textless(instead),
        "differences": None if reply.shadow.outcome is None else _differences(control, instead),
        "pipeline": pipeline if texts else without_texts(pipeline),
        "ms": {
            "control": round(sum(timing.milliseconds for timing in reply.timings), 3),
            "shadow": reply.shadow.milliseconds,
        },
    }


def _textless(side: Json) -> Json:
    return {name: value for name, value in side.items() if name != "answer"}


def _shadow_side(reply: Reply, shadow: Shadow, links: Links) -> Json:
    outcome = shadow.outcome
    if outcome is None:
        return {**_side(None, "", [], []), "answered": None}
    told = replace(reply, outcome=outcome, hits=shadow.hits, documents=None, figures=None, shadow=None)
    rendered = render(told, links)
    answer = outcome if isinstance(outcome, Answer) else None
    return _side(outcome, rendered.answer, _pages(rendered), _chunks(answer))


def _side(outcome: object, answer: str, pages: list[str], chunks: list[str]) -> Json:
    answered = not isinstance(outcome, Refusal) and outcome is not None
    return {"answered": answered, "answer": answer, "sources": pages, "chunk_ids": chunks}


def _pages(rendered: Rendered) -> list[str]:
    return [f"{source.chunk.source}#page={source.page}" for source in rendered.sources]


def _chunks(answer: Answer | None) -> list[str]:
    cited = [c for claim in answer.claims for c in claim.citations] if answer else []
    return list(dict.fromkeys(citation.chunk.id for citation in cited))


def _differences(control: Json, shadow: Json) -> Json:
    """What the chain would have changed, so that records can be counted without reading them."""
    before, after = control["sources"], shadow["sources"]
    assert isinstance(before, list)  # noqa: S101 - built above
    assert isinstance(after, list)  # noqa: S101
    return {
        "same_text": control["answer"] == shadow["answer"],
        "answered_instead_of_refused": bool(shadow["answered"]) and not control["answered"],
        "refused_instead_of_answered": bool(control["answered"]) and not shadow["answered"],
        "sources_added": [page for page in after if page not in before],
        "sources_removed": [page for page in before if page not in after],
        "characters": len(str(shadow["answer"])) - len(str(control["answer"])),
    }
