"""`ankare models check`: can the configured models be reached, do they keep to their form, and how long do they take?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ankare.cli.options import JsonOption
from ankare.cli.shown import json_text, shown
from ankare.errors import ProviderServiceError, SettingsError

if TYPE_CHECKING:
    from ankare.answer.asking import Asking
    from ankare.domain.agents import Agent, AgentRun
    from ankare.settings import Settings

FAILED = 1
QUESTION = "Hur många dagar har en vecka?"
EVIDENCE = "En vecka har sju dagar. Ett dygn har tjugofyra timmar."
ANSWER = "En vecka har sju dagar."
WRONG = "En vecka har åtta dagar."

app = typer.Typer(no_args_is_help=True, add_completion=False)


@dataclass(frozen=True, slots=True)
class Asked:
    """How one role answered. `state`: "ok", "note" (it answered, but not quite in its form) or "FAILED"."""

    role: str
    model: str
    state: str
    milliseconds: float
    found: str
    tokens: int | None


@app.callback()
def models() -> None:
    """Look at the configured models."""


@app.command()
def check(
    seconds: Annotated[float, typer.Option(min=1, max=600, help="Time for each role.")] = 60,
    as_json: JsonOption = False,
) -> None:
    """Ask the configured models one question for each role, about a text of two sentences.

    Exit code 0 when every role answers in its form, 1 when one does not, 2 without a model. Costs a few thousand tokens.
    """
    from ankare.settings import load_settings

    found = list(ask_each(load_settings(), seconds))
    if as_json:
        rows = [{name: getattr(asked, name) for name in asked.__slots__} for asked in found]
        typer.echo(json_text({"ok": _well(found), "roles": rows}, 1))
    else:
        for asked in found:
            spent = "-" if asked.tokens is None else str(asked.tokens)
            told = f"{asked.milliseconds:8.0f} ms {spent:>6} tokens  {asked.model}: {asked.found}"
            typer.echo(shown(f"{asked.state:<7}{asked.role:<19}{told}"))
    raise typer.Exit(0 if _well(found) else FAILED)


def _well(found: list[Asked]) -> bool:
    return all(asked.state != "FAILED" for asked in found)


def ask_each(settings: Settings, seconds: float) -> Iterator[Asked]:
    """Ask each role. Raises SettingsError where no model is configured or it cannot be used as it is."""
    from ankare.answer.asking import AgentFailedError, Asking
    from ankare.answer.cast import Cast
    from ankare.llm.budget import Budget
    from ankare.wiring import cast_from, provider_of

    provider, cast = provider_of(settings), cast_from(settings)
    if provider is None:
        raise SettingsError("No model is configured.", "Set ANKARE_LLM_BASE_URL or ANKARE_LLM_PROVIDER.")
    for agent, ask in _roles().items():
        alone = Cast({agent: cast[agent]})  # so that it is granted all of the time
        asking = Asking(provider, alone, Budget(seconds))
        with suppress(AgentFailedError, ProviderServiceError):  # the record tells it
            ask(asking)
        yield _told(asking.runs[-1])


def _roles() -> dict[Agent, Callable[[Asking], Any]]:
    """What each role is asked, in the order of the chain."""
    from ankare.answer.correct import ask_for_correction
    from ankare.answer.draft import ask_for_draft
    from ankare.answer.review import ask_for_review
    from ankare.answer.rewrite import ask_for_rewrites
    from ankare.answer.synthesis import ask_for_synthesis
    from ankare.contracts.draft import AnswerScope, Draft
    from ankare.contracts.review import Review, Verdict
    from ankare.domain.agents import Agent
    from ankare.domain.answer import Answer, Claim
    from ankare.domain.evidence import Relevance
    from ankare.domain.question import Question, QuestionType
    from ankare.gate.grounding.evidence import chunk_of

    chunks = (chunk_of(EVIDENCE, "sv"),)
    question = Question(QUESTION, "sv", QuestionType.GENERAL, ())
    covered = Relevance(True, "covered", ("vecka", "dagar"), (), 1.0)
    draft, wrong = Draft(ANSWER, AnswerScope.DIRECT), Draft(WRONG, AnswerScope.DIRECT)
    rejected = Review(Verdict.REJECTED, unsupported_claims=(WRONG,), notes="Texten säger sju.")
    answer = Answer(QuestionType.GENERAL, "sv", (Claim(ANSWER, ()),))
    return {
        Agent.REWRITE: lambda asking: ask_for_rewrites(asking, question, (), covered),
        Agent.DRAFT: lambda asking: ask_for_draft(asking, question, QUESTION, chunks),
        Agent.REVIEW: lambda asking: ask_for_review(asking, question, draft, chunks),
        Agent.CORRECTION: lambda asking: ask_for_correction(asking, question, wrong, rejected, chunks),
        Agent.SYNTHESIS: lambda asking: ask_for_synthesis(asking, question, answer, chunks),
    }


def _told(run: AgentRun) -> Asked:
    from ankare.domain.agents import RunStatus

    failed = run.status in (
        RunStatus.INVALID,
        RunStatus.TIMEOUT,
        RunStatus.ERROR,
        RunStatus.UNAVAILABLE,
        RunStatus.SKIPPED,
    )
    state = "FAILED" if failed else "note" if run.status is RunStatus.RECOVERED else "ok"
    trouble = f"{run.trouble.message} {run.trouble.remedy}" if run.trouble else ""
    why = " ".join(filter(None, (run.reason or "", run.fault, trouble.strip())))
    tokens = run.usage.total_tokens if run.usage else None
    return Asked(run.agent.role, run.model, state, round(run.milliseconds, 1), why or "in its form", tokens)
