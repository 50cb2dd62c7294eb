"""What do the scores read of a body of `/api/ask`?

Any server that follows this API can be evaluated: a field that is missing or of another type than it should be is not there,
and nothing in a body is an error. Where a server does not tell claims, the statements are made of its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ankare.evaluation.asking.response_chain import chain_of
from ankare.evaluation.asking.response_text import narrowed, statements_of
from ankare.evaluation.asking.response_values import count, mapping, mappings, number, pages, text, truth, written
from ankare.evaluation.captured import CitedSpan, Context, FigureFound, Json, Response, Statement

FORMS = frozenset({"text", "item", "step", "row"})
MOST_SOURCES = 50
"""Of a figure, those that tell another value."""
_STRUCTURED = "structured"
_NO_MODEL = ("", "none")


def response_of(body: Json) -> Response:
    """The response that a body tells, with `debug_mode` or without."""
    retrieval, pipeline = mapping(body.get("retrieval")), mapping(body.get("agentic_pipeline"))
    figures = tuple(figure for told in mappings(body.get("facts")) for figure in _figures(told))
    sources, context = tuple(map(_source, mappings(body.get("sources")))), contexts_of(retrieval.get("top_results"))
    answered = _answered(body, retrieval, figures)
    language, usage = text(body.get("language")), mapping(body.get("llm_usage"))
    prompt, completion, complete = _tokens(usage)
    return Response(
        question=text(body.get("question")),
        answered=answered,
        origin=_origin(body, pipeline, answered),
        route=text(body.get("route")),
        language=language,
        markdown=text(body.get("answer_markdown")),
        partial=truth(body.get("partial")) or False,
        refusal_reason=text(body.get("refusal_reason")),
        clarify_mode=text(mapping(body.get("clarification")).get("mode")),
        statements=_statements(body, sources, context, language) if answered else (),
        sources=sources,
        figures=figures,
        context=context,
        chain=chain_of(pipeline, context),
        question_type=text(retrieval.get("intent")),
        model=text(body.get("model")),
        prompt_tokens=prompt,
        completion_tokens=completion,
        tokens_complete=complete,
        model_calls=_calls(usage),
        timings_ms={
            text(name): ms for name, held in mapping(body.get("timings_ms")).items() if (ms := number(held)) is not None
        },
        ms=number(body.get("timing_ms")),
        revision=text(body.get("revision")),
        index_version=text(body.get("index_version")),
    )


def _answered(body: Json, retrieval: Json, figures: tuple[FigureFound, ...]) -> bool:
    """As the server says; else: is there a text that stands on something?"""
    told = truth(body.get("answered"))
    if told is not None:
        return told
    stands = retrieval.get("relevance_supported") is not False or any(figure.status == "found" for figure in figures)
    return bool(text(body.get("answer_markdown")).strip()) and stands


def _origin(body: Json, pipeline: Json, answered: bool) -> str:
    told = text(body.get("answer_origin")) or (text(pipeline.get("answer_origin")) if answered else "refusal")
    if told:
        return told
    if text(body.get("route")) == _STRUCTURED:
        return "figures"
    return "extractive" if text(body.get("model")) in _NO_MODEL and not body.get("llm_usage") else ""


def contexts_of(held: object) -> tuple[Context, ...]:
    """Chunks as hits are told, in their order."""
    return tuple(map(_context, mappings(held)))


def _context(told: Json) -> Context:
    return Context(
        chunk_id=text(told.get("chunk_id")),
        source=text(told.get("source")),
        pages=pages(told.get("pages")),
        text=text(told.get("text")),
        title=text(told.get("title")),
        section=text(told.get("section")),
        score=number(told.get("score")),
    )


def _source(told: Json) -> CitedSpan:
    return CitedSpan(text(told.get("source")), pages(told.get("pages")), "", text(told.get("chunk_id")))


def _figures(told: Json) -> Iterator[FigureFound]:
    """A look-up, and after it what other sources say of the same."""
    yield _figure(told)
    for other in islice(mappings(told.get("conflicts")), MOST_SOURCES):
        yield _figure({**told, **other})


def _figure(told: Json) -> FigureFound:
    """A look-up. One that found nothing tells the slots that were asked for under `normalized`."""
    slots: dict[str, Any] = {**mapping(told.get("normalized")), **told}
    place = told.get("source")
    held = mapping(place)
    return FigureFound(
        status=text(told.get("status")),
        metric=text(slots.get("metric_code")) or text(slots.get("metric")),
        entity=text(slots.get("entity")),
        period=text(slots.get("period")),
        channel=text(slots.get("channel")),
        value=written(told.get("value")),
        unit=text(told.get("unit")),
        source=text(held.get("doc")) or text(place),
        locator=text(held.get("locator")),
    )


def _statements(
    body: Json, sources: tuple[CitedSpan, ...], context: tuple[Context, ...], language: str
) -> tuple[Statement, ...]:
    """The claims; on a route of figures alone there are none, and their text is none of the documents."""
    if isinstance(body.get("claims"), list):
        return tuple(filter(lambda one: one.text, map(_claim, mappings(body.get("claims")))))
    if text(body.get("route")) == _STRUCTURED:
        return ()
    numbers = (count(told.get("number")) for told in mappings(body.get("sources")))
    texts = {one.chunk_id: one.text for one in context if one.chunk_id}
    cited = {
        number or place: CitedSpan(span.source, span.pages, texts.get(span.chunk_id, ""), span.chunk_id)
        for place, (number, span) in enumerate(zip(numbers, sources, strict=True), start=1)
    }
    return statements_of(text(body.get("answer_markdown")), language, cited)


def _claim(told: Json) -> Statement:
    form = text(told.get("form"))
    evidence = tuple(map(_evidence, mappings(told.get("evidence"))))
    return Statement(narrowed(text(told.get("text"))).strip(), evidence, form if form in FORMS else "text")


def _evidence(told: Json) -> CitedSpan:
    return CitedSpan(
        text(told.get("source")), pages(told.get("pages")), text(told.get("text")), text(told.get("chunk_id"))
    )


def _tokens(usage: Mapping[str, Any]) -> tuple[int | None, int | None, bool]:
    """Prompt, completion, and whether all was told. A sum that leaves calls out is no sum."""
    if not usage:
        return None, None, True
    prompt, completion = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    told = truth(usage.get("complete"))
    complete = told is not False and not usage.get("calls_without_usage") and None not in (prompt, completion)
    return (prompt, completion, True) if complete else (None, None, False)


def _calls(usage: Mapping[str, Any]) -> int:
    """How many calls were made for the answer; where nobody counted them, one for each agent that is told of."""
    told = count(usage.get("calls"))
    return told if told is not None else len(mapping(usage.get("agents"))) or int(bool(usage))
