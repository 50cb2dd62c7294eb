"""What does a reply look like as JSON, on the command line and over HTTP alike?

The field names are those of the API's existing clients; `claims` and what stands beyond them is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from ankare.cite.figures import FactSource
from ankare.cite.links import PAGED, Links
from ankare.cite.markdown import Rendered, Source
from ankare.cite.pipeline import RunFlags, pipeline_body, usage_body
from ankare.domain.answer import Citation, Claim, Refusal
from ankare.domain.clarification import ClarificationResult, ClarifyMode
from ankare.domain.evidence import Hit
from ankare.domain.fact import Period
from ankare.domain.figures import FigureAnswer
from ankare.domain.reply import Reply

Json = dict[str, object]

__all__ = ["Json", "RunFlags", "ask_body", "clarification_body", "hit_body", "picture_url", "search_body"]


def ask_body(reply: Reply, rendered: Rendered, links: Links, flags: RunFlags, revision: str = "") -> Json:
    """The answer of /api/ask. A refusal has no sources, no related pages and no claims."""
    scores = {hit.chunk.id: hit.score for hit in reply.hits}
    outcome, narrative, figures = reply.outcome, reply.narrative, reply.figures
    timings = _by_step(reply)
    body: Json = {
        "question": reply.question.text,
        "answer_markdown": rendered.markdown,
        "answered": reply.answered,
        "answer_origin": reply.origin,
        "partial": bool(narrative and narrative.partial) or (isinstance(outcome, FigureAnswer) and outcome.partial),
        "language": outcome.language,
        "route": reply.route,
        "model": reply.pipeline.model if reply.pipeline else "none",
        "sources": [
            *map(_fact_source_body, rendered.fact_sources),
            *(_source_body(source, scores, links.service_url) for source in rendered.sources),
        ],
        "homepage_links": [{"label": page.label, "url": page.url} for page in rendered.homepage_links],
        "claims": [_claim_body(claim) for claim in narrative.claims] if narrative else [],
        "refusal_reason": outcome.reason if isinstance(outcome, Refusal) and not reply.answered else None,
        "clarification": clarification_body(figures.clarification if figures else NOTHING_TO_CLARIFY),
        "facts": [dict(result) for result in figures.results] if figures else [],
        "retrieval": _retrieval_body(reply, links, flags),
        "agentic_pipeline": pipeline_body(reply, flags),
        "llm_usage": usage_body(reply.pipeline, figures.usage if figures else None),
        "timing_ms": round(sum(timings.values()), 3),
        "timings_ms": timings,
        "revision": revision,
        "index_version": reply.index_version,
    }
    return body


def _by_step(reply: Reply) -> dict[str, float]:
    """Milliseconds by step; one that was done twice has the time of both. What runs in the shadow is a step of its own."""
    told: dict[str, float] = {}
    for timing in reply.timings:
        told[timing.step] = round(told.get(timing.step, 0.0) + timing.milliseconds, 3)
    if reply.shadow is not None:
        told["shadow"] = reply.shadow.milliseconds
    return told


NOTHING_TO_CLARIFY = ClarificationResult(ClarifyMode.NONE)


def clarification_body(clarification: ClarificationResult) -> Json:
    """What was asked back, or assumed and told."""
    return {
        "mode": clarification.mode.value,
        "assumed_slots": {name: _slot(value) for name, value in clarification.assumed_slots.items()},
        "assumption_note": clarification.assumption_note,
        "narrowing_options": [
            {"label": option.label, "question": option.question} for option in clarification.narrowing_options
        ],
        "question": clarification.question,
    }


def _slot(value: object) -> object:
    return list(value) if isinstance(value, Period) else value


def search_body(query: str, hits: Sequence[Hit]) -> Json:
    """The answer of /api/search, and a line of `ankare search --batch`."""
    return {"query": query, "hits": [hit_body(hit) for hit in hits]}


def hit_body(hit: Hit) -> Json:
    """One hit as it is handed out by search."""
    chunk = hit.chunk
    return {
        "chunk_id": chunk.id,
        "source": chunk.source,
        "pages": list(hit.pages or chunk.pages),
        "score": round(hit.score, 6),
        "text": chunk.text,
    }


def picture_url(source: Source, service_url: str = "") -> str | None:
    """The address of the page with everything marked that is cited on it; None where the format has no pages."""
    chunk = source.chunk
    if chunk.source_type not in PAGED:
        return None
    spans = ",".join(f"{quote(c.chunk.id, safe='')}:{c.start}-{c.end}" for c in source.citations)
    return f"{service_url}/sources/{quote(chunk.document_id, safe='')}/pages/{source.page}.png?claim={spans}"


def _fact_source_body(source: FactSource) -> Json:
    """The place of a figure: a cell or a row of a table, which is no page of an indexed document."""
    return {
        "number": source.number,
        "source": source.doc,
        "source_type": source.doc.rsplit(".", 1)[-1].lower() if "." in source.doc else "",
        "title": source.doc,
        "section": source.locator,
        "pages": [],
        "url": None,
        "score": None,
        "chunk_id": None,
        "document_id": None,
        "page_image": None,
        "locator": source.locator,
    }


def _source_body(source: Source, scores: dict[str, float], service_url: str) -> Json:
    chunk = source.chunk
    score = scores.get(chunk.id)
    return {
        "number": source.number,
        "source": chunk.source,
        "source_type": chunk.source_type,
        "title": chunk.title,
        "section": " › ".join(chunk.section),
        "pages": [source.page],
        "url": source.url,
        "score": None if score is None else round(score, 6),
        "chunk_id": chunk.id,
        "document_id": chunk.document_id,
        "page_image": picture_url(source, service_url),
        "locator": None,
    }


def _claim_body(claim: Claim) -> Json:
    return {
        "text": claim.text,
        "form": claim.form.value,
        "evidence": [_evidence_body(citation) for citation in claim.citations],
    }


def _evidence_body(citation: Citation) -> Json:
    return {
        "text": citation.quote,
        "chunk_id": citation.chunk.id,
        "source": citation.chunk.source,
        "pages": list(citation.pages),
        "start": citation.start,
        "end": citation.end,
        "boxes": [
            {"page": place.page, "x0": box.x0, "y0": box.y0, "x1": box.x1, "y1": box.y1}
            for place in citation.places
            for box in place.boxes
        ],
    }


def _retrieval_body(reply: Reply, links: Links, flags: RunFlags) -> Json:
    relevance = reply.relevance
    return {
        "intent": reply.question.type.value,
        "query_terms": list(dict.fromkeys(term for word in reply.question.content_words for term in word.terms)),
        "corrections": {word.text: word.corrected for word in reply.question.words if word.corrected},
        "top_results": [_result_body(hit, links, flags.debug) for hit in reply.hits],
        "relevance_supported": relevance.supported,
        "relevance_reason": relevance.reason,
        "coverage": round(relevance.coverage, 4),
        "probability": round(relevance.probability, 4),
        "covered": list(relevance.covered),
        "missing": list(relevance.missing),
        "semantic": None if relevance.semantic is None else round(relevance.semantic, 4),
    }


def _result_body(hit: Hit, links: Links, debug: bool) -> Json:
    chunk = hit.chunk
    result: Json = {
        "chunk_id": chunk.id,
        "source": chunk.source,
        "source_type": chunk.source_type,
        "title": chunk.title,
        "section": " › ".join(chunk.section),
        "pages": list(chunk.pages),
        "url": links.page_url(chunk, chunk.pages[0] if chunk.pages else 1),
        "score": round(hit.score, 6),
        "lexical": round(hit.lexical, 6),
        "semantic": None if hit.semantic is None else round(hit.semantic, 6),
    }
    if debug:
        result["text"] = chunk.text
        result["parts"] = [
            {"name": p.name, "value": p.value, "weight": p.weight, "contribution": p.contribution} for p in hit.parts
        ]
        result["duplicates"] = [{"source": source, "page": page} for source, page in hit.duplicates]
    return result
