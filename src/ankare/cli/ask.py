"""`ankare ask "..."`: what do the documents say?"""

from __future__ import annotations

import re
import time
from dataclasses import asdict
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, AsLabelOption, AsPublicOption, HomeOption, reader, refuse_unknown
from ankare.cli.shown import json_text
from ankare.domain.access import OWNER, Access

if TYPE_CHECKING:
    from ankare.cite.body import Json, RunFlags
    from ankare.cite.markdown import Rendered
    from ankare.domain.reply import Reply
    from ankare.settings import Settings

ANSWERED, REFUSED = 0, 3
_MARK = re.compile(r"\[\[(\d+)\]\]\([^()\s]*\)")


def ask(
    question: Annotated[str, typer.Argument(help="The question, in any accepted language.")],
    home: HomeOption = DEFAULT_HOME,
    as_json: Annotated[bool, typer.Option("--json", help="The body of /api/ask instead of text.")] = False,
    agentic: Annotated[
        bool | None, typer.Option("--agentic/--no-agentic", help="Run the agent chain; needs a provider.")
    ] = None,
    synthesis: Annotated[
        bool | None,
        typer.Option("--synthesis/--no-synthesis", help="Let a model rewrite the answer; needs a provider."),
    ] = None,
    language: Annotated[str | None, typer.Option(help="Answer as if asked in this language.")] = None,
    reference_date: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="The day that 'last year' counts from; today where not given."),
    ] = None,
    follow_up: Annotated[
        str, typer.Option(help="The question before: what is asked is the question that this text is after it.")
    ] = "",
    as_label: AsLabelOption = None,
    as_public: AsPublicOption = False,
) -> None:
    """Answer one question from documents and figures, with sources.

    Exit code 0: answered, 3: refused or asked back, 2: bad use.
    """
    from ankare.messages import messages
    from ankare.service.watch.trouble import model_trouble
    from ankare.settings import load_settings

    settings = load_settings(home=home, enable_agentic_rag=agentic, enable_llm_synthesis=synthesis)
    day = reference_date.date() if reference_date else None
    body, rendered, reply = answer(settings, question, language, day, follow_up, reader(as_label, as_public))
    if isinstance(understood := body.get("understood"), dict):
        typer.echo(
            messages(reply.outcome.language)["cite.understood"].format(question=understood["question"]), err=True
        )
    if trouble := model_trouble(reply, flags_of(settings)):
        typer.echo(f"ankare: {trouble}", err=True)
    if as_json:
        typer.echo(json_text(body, 2))
    else:
        _show(rendered, reply)
    raise typer.Exit(ANSWERED if reply.answered else REFUSED)


def answer(
    settings: Settings,
    question: str,
    language: str | None,
    reference_date: date | None = None,
    previous: str = "",
    access: Access = OWNER,
) -> tuple[Json, Rendered, Reply]:
    """The body of /api/ask for one question, as a reader with `access` gets it, how it reads, and the reply.

    After the question `previous` the text is read as a follow-up first, and the body has `understood`. Raises QuestionError,
    HomeError and ProviderServiceError.
    """
    from ankare.cite.body import ask_body
    from ankare.cite.links import Links, versions_of
    from ankare.cite.markdown import render
    from ankare.service.watch.usage_log import Logs
    from ankare.wiring import open_engine

    engine = open_engine(settings)
    refuse_unknown(language, engine.corpus(access).profile.home.languages)
    started = time.perf_counter()
    understood = engine.understand(previous, question, language=language, reference_date=reference_date, access=access)
    question = understood.question
    reply = engine.ask(question, language=language, reference_date=reference_date, access=access)
    corpus = engine.corpus(access)
    links = Links.of(corpus.profile, versions_of(corpus.documents.values()))
    rendered = render(reply, links)
    Logs.of(settings).keep_agents(question, reply, rendered, links)
    body = ask_body(reply, rendered, links, flags_of(settings), settings.revision)
    if previous.strip():
        body["understood"] = asdict(understood)
    body["timing_ms"] = round((time.perf_counter() - started) * 1000, 3)
    return body, rendered, reply


def flags_of(settings: Settings) -> RunFlags:
    """How the settings want one question answered."""
    from ankare.cite.body import RunFlags

    return RunFlags(
        agentic=settings.enable_agentic_rag, synthesis=settings.enable_llm_synthesis, provider=settings.provider_kind
    )


def _show(rendered: Rendered, reply: Reply) -> None:
    """The answer, and under it each source with its page and file."""
    from rich.console import Console
    from rich.text import Text

    from ankare.cli.answer_text import AnswerText
    from ankare.cli.shown import shown_line
    from ankare.messages import messages

    console = Console(highlight=False)
    console.print(AnswerText(_MARK.sub(r"\\[\1\\]", rendered.answer)))
    texts = messages(reply.outcome.language)
    if reply.by_model:
        console.print(Text(f"\n{texts['cite.by_model']}", style="italic"))
    figures = [(f"{source.number}. {source.label}", "") for source in rendered.fact_sources]
    pages = [(f"{source.number}. {source.label}", source.chunk.source) for source in rendered.sources]
    options = reply.figures.clarification.narrowing_options if reply.figures else ()
    for heading, entries in (
        (texts["cite.choices"], [(option.label, option.question) for option in options]),
        (texts["cite.sources"], [*figures, *pages]),
        (texts["cite.related"], [(page.label, page.url) for page in rendered.homepage_links]),
    ):
        if entries:
            console.print(Text(f"\n{heading}", style="bold"))
        for label, place in entries:
            console.print(Text(shown_line(label), overflow="fold"))
            if place:
                console.print(Text(f"   {shown_line(place)}", overflow="fold", style="dim"))
