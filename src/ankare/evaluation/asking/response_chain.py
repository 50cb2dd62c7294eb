"""What did models have to do with an answer, as the field `agentic_pipeline` tells it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ankare.evaluation.asking.response_values import count, items, mapping, mappings, number, pages, text, truth
from ankare.evaluation.captured import AgentCall, Chain, CitedSpan, Context, Json


def chain_of(pipeline: Json, hits: Sequence[Context]) -> Chain:
    """The chain of a body. `hits` tell the chunks that the chain names by their ids alone, where there is no debug."""
    shadow = pipeline.get("shadow")
    context = _context(pipeline, hits)
    known = {chunk.chunk_id: chunk for chunk in (*hits, *context)}
    grounding = tuple(mappings(mapping(pipeline.get("grounding")).get("sentences")))
    return Chain(
        enabled=truth(pipeline.get("enabled")) or False,
        mode=text(pipeline.get("mode")),
        origin=text(pipeline.get("answer_origin")),
        final_status=text(pipeline.get("final_status")),
        review_status=text(pipeline.get("review_status")),
        fallback_reason=text(pipeline.get("fallback_reason")),
        escalation=text(pipeline.get("escalation")),
        calls=tuple(map(_call, mappings(pipeline.get("agents")))),
        context=context,
        cited=_cited(pipeline, mapping(shadow), grounding, known),
        shadow=isinstance(shadow, Mapping),
        shadow_answered=truth(mapping(shadow).get("answered")),
        ms=number(mapping(shadow).get("ms")),
        sentences=grounding,
        rewrites=tuple(filter(None, (text(told.get("query")) for told in mappings(pipeline.get("accepted_rewrites"))))),
    )


def _context(pipeline: Json, hits: Sequence[Context]) -> tuple[Context, ...]:
    """What the draft could stand on: told whole with debug, else by ids, which a hit may tell more of."""
    told = pipeline.get("context")
    if isinstance(told, list):
        return tuple(
            Context(
                text(one.get("chunk_id")),
                text(one.get("source")),
                pages(one.get("pages")),
                text(one.get("text")),
                text(one.get("title")),
                text(one.get("section")),
            )
            for one in mappings(told)
        )
    known = {hit.chunk_id: hit for hit in hits}
    ids = filter(None, map(text, items(pipeline.get("context_chunk_ids"))))
    return tuple(known.get(chunk_id, Context(chunk_id, "", ())) for chunk_id in ids)


def _cited(
    pipeline: Json, shadow: Json, sentences: Sequence[Json], known: Mapping[str, Context]
) -> tuple[CitedSpan, ...]:
    """The places that the chain's text cites. In the shadow they are told as pages; else the gate tells the spans, and where
    no gate ran the ids are what there is."""
    told = tuple(mappings(shadow.get("sources")))
    if told:
        return tuple(CitedSpan(text(one.get("source")), pages(one.get("pages")), "") for one in told)
    spans = [_span(one, known) for sentence in sentences for one in mappings(sentence.get("evidence"))]
    if not spans:
        ids = filter(None, map(text, items(pipeline.get("evidence_ids_used"))))
        spans = [_place(chunk_id, (), known) for chunk_id in ids]
    return tuple(dict.fromkeys(spans))


def _span(told: Json, known: Mapping[str, Context]) -> CitedSpan:
    place = _place(text(told.get("chunk_id")), pages(told.get("pages")), known)
    start, end = count(told.get("start")), count(told.get("end"))
    words = known[place.chunk_id].text[start:end] if place.chunk_id in known and None not in (start, end) else ""
    return CitedSpan(place.source, place.pages, words, place.chunk_id)


def _place(chunk_id: str, on: tuple[int, ...], known: Mapping[str, Context]) -> CitedSpan:
    chunk = known.get(chunk_id, Context(chunk_id, "", ()))
    return CitedSpan(chunk.source, on or chunk.pages, "", chunk_id)


def _call(told: Json) -> AgentCall:
    usage = mapping(told.get("usage"))
    return AgentCall(
        agent=text(told.get("agent")),
        role=text(told.get("role")),
        model=text(told.get("model")),
        status=text(told.get("status")),
        reason=text(told.get("reason")),
        ms=number(told.get("ms")),
        prompt_tokens=count(usage.get("prompt_tokens")),
        completion_tokens=count(usage.get("completion_tokens")),
        truncated=truth(told.get("suspected_truncation")) or False,
    )
