"""What can a program that speaks MCP ask ankare to do: ask, search, look a figure up, read a cited document?

Each tool goes the way of the API: the same desk, the same gates, the same access. It gives a text with its citations, for the
model that called it, and the same as fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from ankare.channels.composite import result_json
from ankare.cite.body import RunFlags
from ankare.cite.links import PAGED, SLIDES
from ankare.domain.fact import TOTAL, Period
from ankare.language.period_forms import period_label, read_code
from ankare.language.units import format_quantity
from ankare.messages import messages
from ankare.messages.places import said_locator
from ankare.profile.model import Named
from ankare.service.api.schemas import usable_text
from ankare.service.caller import Caller
from ankare.service.desk import Desk
from ankare.service.mcp.schemas import (
    Arguments,
    AskArguments,
    AskOutput,
    MetricArguments,
    MetricOutput,
    SearchArguments,
    SearchOutput,
)
from ankare.service.problem import ProblemError
from ankare.structured.metric_query import MetricQuery, MetricReply
from ankare.structured.query_tools import FOUND, UNRECOGNIZED

CHANNEL = "mcp"
MOST_TEXT = 200_000
"""Characters of a document that are handed out at once."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a tool answers: a text, and the same as fields."""

    text: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool and what it is described with. `answer` raises as the desk does. `may_wait`: it can ask a language model;
    `figures`: it can ask for figures."""

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    output: type[AskOutput | SearchOutput | MetricOutput]
    answer: Callable[[Desk, Any, Caller], Told]
    may_wait: bool = False
    figures: bool = True


def ask(desk: Desk, call: AskArguments, caller: Caller) -> Told:
    """An answer with citations, a refusal, or a question asked back."""
    question = usable_text(call.question, "question", desk.settings.max_question_chars)
    reference = date.fromisoformat(call.reference_date) if call.reference_date else None
    settings = desk.settings
    flags = RunFlags(
        agentic=settings.enable_agentic_rag, synthesis=settings.enable_llm_synthesis, provider=settings.provider_kind
    )
    served = desk.ask(question, call.language, flags, CHANNEL, reference, None, caller)
    return Told(served.rendered.markdown, AskOutput.of(served.body))


def search(desk: Desk, call: SearchArguments, caller: Caller) -> Told:
    """Passages that speak to a query."""
    query = usable_text(call.query, "query", desk.settings.max_question_chars)
    found: Any = desk.search(query, call.top_k, call.language, caller)
    texts = messages(desk.shelf.of(caller.access).profile().home.language)
    lines = [
        f"{number}. {_with_pages(hit['source'], hit['pages'], texts)}\n{hit['text']}"
        for number, hit in enumerate(found["hits"], start=1)
    ]
    return Told("\n\n".join(lines) or texts["mcp.nothing_found"], found)


def query_metric(desk: Desk, call: MetricArguments, caller: Caller) -> Told:
    """One figure, or what is known in its place. Raises ProblemError (404) where there are no figures at all."""
    reply = desk.query_metric(MetricQuery(call.metric, call.period, call.entity or "", call.channel or ""), caller)
    if reply is None:
        texts = messages(desk.shelf.of(caller.access).profile().home.language)
        raise ProblemError(404, texts["mcp.no_figures"])
    text = _metric_text(reply)
    return Told(text, {**result_json(reply.result), "message": text, "choices": list(reply.choices)})


def document_text(desk: Desk, document_id: str, caller: Caller) -> str:
    """The text of a cited document, a heading for each page. Raises KeyError for one that the caller may not read either."""
    shelf = desk.shelf.of(caller.access)
    document = shelf.document(document_id)
    parts, size = [f"# {document.title or document.source}"], 0
    for chunk in map(shelf.chunk, document.chunk_ids):
        size += len(chunk.text)
        if size > MOST_TEXT:
            parts.append("…")
            break
        parts.append(f"[{', '.join(map(str, chunk.pages))}] {' › '.join(chunk.section)}\n\n{chunk.text}")
    return "\n\n".join(parts)


def _metric_text(reply: MetricReply) -> str:
    result, profile = reply.result, reply.profile
    texts = messages(profile.home.language)
    choices = ", ".join(_choice(choice, profile.home.language) for choice in reply.choices)
    if result.status == UNRECOGNIZED:
        told = [texts["mcp.unrecognized"].format(param=result.param, raw=repr(result.raw))]
        return " ".join([*told, texts["mcp.choices"].format(choices=choices)] if choices else told)
    language = profile.home.language
    named = [
        _label(profile.metric(result.metric_code), result.metric_code, language),
        _label(profile.entity(result.entity), result.entity, language),
        period_label(Period(result.period_type, result.period), language),
    ]
    if result.channel != TOTAL:
        named.append(_label(profile.channel(result.channel), result.channel, language))
    what = ", ".join(named)
    if result.status != FOUND:
        told = [texts["mcp.not_found"].format(what=what)]
        return " ".join([*told, texts["mcp.periods"].format(periods=choices)] if choices else told)
    sources = [result.to_json(), *result.to_json()["conflicts"]]
    forms = ["mcp.found", *("mcp.conflict" for _ in sources[1:])]
    lines = [
        texts[form].format(
            what=what,
            value=format_quantity(Decimal(one["value"]), one["unit"], language),
            source=_place(one["source"], texts),
        )
        for form, one in zip(forms, sources, strict=True)
    ]
    return " ".join(lines)


def _choice(choice: str, language: str) -> str:
    """A choice as it is said: a period in words, a name as it is."""
    period = read_code(choice)
    return choice if period is None else period_label(period, language)


def _label(named: Named | None, code: str, language: str) -> str:
    return named.label_in(language) if named else code


def _place(source: Any, texts: Mapping[str, str]) -> str:
    return ", ".join(filter(None, (source["doc"], said_locator(source["locator"] or "", texts))))


def _with_pages(source: str, pages: Sequence[int], texts: Mapping[str, str]) -> str:
    """A document with its pages or slides; one of a format without any has none to tell."""
    kind = source.rpartition(".")[2].casefold()
    form = "cite.page" if kind in PAGED else "cite.slide" if kind in SLIDES else ""
    return f"{source}, {texts[form].format(page=', '.join(map(str, pages)))}" if form and pages else source


TOOLS = (
    Tool(
        "ask",
        "Ask the documents and figures",
        "Answer a question from the documents and figures that are held here, with numbered citations. It refuses what they do "
        "not hold, and asks back what is ambiguous: choose one of the narrowing options then. Give the answer on with its "
        "citations.",
        AskArguments,
        AskOutput,
        ask,
        may_wait=True,
    ),
    Tool(
        "search",
        "Search the documents",
        "Find the passages that speak to a query, best first, with source and pages. Nothing is judged: a passage may be "
        "beside the point. Use `ask` for an answer.",
        SearchArguments,
        SearchOutput,
        search,
        figures=False,
    ),
    Tool(
        "query_metric",
        "Look a figure up",
        "Look one figure up by metric, period, entity and channel. It is found with its unit and source, or not found, or a "
        "name is not known: then the known ones are told. Never estimate what is not found.",
        MetricArguments,
        MetricOutput,
        query_metric,
    ),
)
