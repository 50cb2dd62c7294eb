"""`ankare eval judge RUN`: what does a model say of the answers, and does it agree with the measures?"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import JsonOption
from ankare.cli.shown import json_text, shown
from ankare.errors import SettingsError

if TYPE_CHECKING:
    from ankare.evaluation.captured import Run
    from ankare.evaluation.judging.agreement import MeasureAgreement
    from ankare.evaluation.judging.judge import Estimate, Judged, Judging, Watch
    from ankare.evaluation.judging.judged_file import JudgedRow
    from ankare.evaluation.measures.prices import Prices
    from ankare.llm.protocol import ChatCompletion, Message, Tool

MOST_UNASKED = 200
"""Calls that are made without --yes."""
EARLY, INTERRUPTED = 1, 130
_MEANS = {
    "reliable": "Judge and scores can stand in for each other.",
    "tentative": "Judge and scores agree somewhat: tentative conclusions only.",
    "unreliable": "Judge and scores disagree too much to stand in for each other.",
    "chance": "Judge and scores agree no more than chance would.",
    "unknown": "Agreement cannot be told: too few answers, or all values alike.",
}


def judge(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.", show_default=False)],
    model: Annotated[str, typer.Option(help="The model that judges; else the configured one.")] = "",
    limit: Annotated[int | None, typer.Option(min=1, help="Judge so many answers at most.", show_default=False)] = None,
    measures: Annotated[
        str, typer.Option(help="Measures with commas between; else all four.", show_default=False)
    ] = "",
    asides: Annotated[
        bool, typer.Option("--asides", help="Judge also answers that did not take the path of the run.")
    ] = False,
    concurrency: Annotated[int, typer.Option(min=1, max=32, help="Verdicts asked for at once.")] = 4,
    timeout: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds for one verdict.")] = 60.0,
    yes: Annotated[
        bool, typer.Option("--yes", help=f"Ask also where it takes more than {MOST_UNASKED} calls.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what it would take, and ask nothing.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Ask again where a reply could not be read.")] = False,
    prices: Annotated[
        Path | None, typer.Option(help="A table of prices, to tell what it costs.", show_default=False)
    ] = None,
    export_ragas: Annotated[
        Path | None, typer.Option(help="Write samples for ragas, and ask nothing.", show_default=False)
    ] = None,
    import_ragas: Annotated[
        Path | None, typer.Option(help="Read scores of ragas back, and ask nothing.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Have a model judge faithfulness, answer relevance, context precision and recall, beside the deterministic scores.

    Verdicts are kept: an interrupted judgement goes on, and a second one asks nothing. Exit code 0: every verdict was asked
    for. 1: stopped early, 2: bad use, no model configured, or more calls than --yes allows.
    """
    from ankare.evaluation.asking.run_folder import read_run

    run = read_run(folder)
    if export_ragas is not None:
        _export(run, export_ragas)
    elif import_ragas is not None:
        _import(folder, run, import_ragas, as_json)
    else:
        from ankare.evaluation.measures.prices import read_prices

        table = read_prices(prices) if prices is not None else None
        wanted = _Wanted(_measures(measures), limit, asides, yes, dry_run, table, as_json)
        judging = _judging(model, concurrency, timeout, again, asks=not dry_run)
        _judge(folder, run, judging, wanted)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What was asked for on the command line."""

    measures: tuple[str, ...]
    limit: int | None
    asides: bool
    yes: bool
    dry_run: bool
    prices: Prices | None
    as_json: bool


def _judge(folder: Path, run: Run, judging: Judging, wanted: _Wanted) -> None:
    from ankare.evaluation.judging.judge import estimate
    from ankare.evaluation.judging.judge import judge as ask
    from ankare.evaluation.judging.judged_file import keep_judged
    from ankare.evaluation.judging.scores import judged_rows
    from ankare.evaluation.judging.tasks import tasks_of
    from ankare.evaluation.judging.verdict_cache import VerdictCache

    tasks, cache = tasks_of(run, wanted.measures, wanted.limit, asides=wanted.asides), VerdictCache(folder)
    expected = estimate(tasks, cache, judging)
    if cache.broken:
        typer.echo(f"ankare: {cache.broken} lines of {cache.path} are no verdicts and count for nothing.", err=True)
    typer.echo(_before(expected, judging.model, wanted.prices), err=True)
    if wanted.dry_run:
        return
    if expected.calls > MOST_UNASKED and not wanted.yes:
        typer.echo(f"ankare: that is more than {MOST_UNASKED} calls; add --yes, or --limit.", err=True)
        raise typer.Exit(2)
    try:
        with _progress(show=sys.stderr.isatty() and expected.calls > 0) as watch:
            result = ask(tasks, cache, judging, watch)
    except KeyboardInterrupt:
        typer.echo(f"ankare: interrupted; what was decided is in {cache.path}. The same command goes on.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    rows = judged_rows(tasks, cache, judging.model)
    keep_judged(rows, folder)
    for line in _after(result, judging.model, wanted.prices):
        typer.echo(line, err=True)
    _show(folder, rows, f"{judging.model}", wanted.as_json)
    if result.stopped:
        typer.echo(f"ankare: stopped early, {result.left} verdicts are left: {result.stopped}.", err=True)
        raise typer.Exit(EARLY)


class _Nobody:
    """Stands in for a model where nothing is asked."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        raise AssertionError("a dry run asks nothing")


NO_MODEL = "no model"
"""How one is called that is neither named nor configured."""


def _judging(model: str, at_once: int, seconds: float, again: bool, *, asks: bool) -> Judging:
    """The model of the settings. Raises SettingsError where none is configured and one is to be asked."""
    from ankare.evaluation.judging.judge import Judging
    from ankare.settings import load_settings
    from ankare.wiring import provider_of

    settings = load_settings()
    provider = provider_of(settings)
    if provider is None and not asks:
        return Judging(_Nobody(), model or settings.llm_model or NO_MODEL, seconds, at_once, again)
    if provider is None:
        raise SettingsError(
            "No model is configured to judge.",
            "Set ANKARE_LLM_BASE_URL (and ANKARE_LLM_API_KEY, ANKARE_LLM_MODEL), or use --export-ragas; see docs/judge.md.",
        )
    own = getattr(provider, "identity", ("", ""))[1]
    return Judging(provider, model or own or settings.llm_model, seconds, at_once, again)


def _measures(named: str) -> tuple[str, ...]:
    from ankare.evaluation.judging.prompts import MEASURES

    wanted = tuple(dict.fromkeys(part.strip() for part in named.split(",") if part.strip()))
    if unknown := [name for name in wanted if name not in MEASURES]:
        raise typer.BadParameter(
            f"{', '.join(unknown)} cannot be judged; there are {', '.join(MEASURES)}.", param_hint="--measures"
        )
    return wanted or MEASURES


def _export(run: Run, path: Path) -> None:
    from ankare.evaluation.judging.ragas import write_samples

    count = write_samples(run, path)
    typer.echo(f"{count} samples are in {path}. How ragas scores them: docs/judge.md")


def _import(folder: Path, run: Run, path: Path, as_json: bool) -> None:
    from ankare.evaluation.judging.judged_file import keep_judged
    from ankare.evaluation.judging.ragas import read_scores_of_ragas

    rows = read_scores_of_ragas(run, path)
    keep_judged(rows, folder)
    _show(folder, rows, "ragas", as_json)


# --- showing


def _before(expected: Estimate, model: str, prices: Prices | None) -> str:
    if not expected.calls:
        return f"{expected.known} verdicts of {model} are known; nothing is to be asked."
    line = (
        f"{model}: {expected.calls} verdicts to ask for ({expected.known} known), "
        f"about {expected.prompt_tokens:,} tokens in and {expected.completion_tokens:,} out"
    )
    return line + _cost(prices, model, expected.prompt_tokens, expected.completion_tokens) + "."


def _after(result: Judged, model: str, prices: Prices | None) -> Iterator[str]:
    if not result.asked:
        return
    tokens = f"{result.prompt_tokens:,} tokens in, {result.completion_tokens:,} out"
    untold = f" ({result.untold} replies did not tell theirs)" if result.untold else ""
    cost = _cost(prices, model, result.prompt_tokens, result.completion_tokens)
    yield f"Asked {result.asked} times: {tokens}{untold}{cost}."
    if result.unreadable:
        yield f"No verdict, since the reply could not be read: {_counts(result.unreadable)}."
    if result.failed:
        yield f"No verdict, since the service failed: {_counts(result.failed)}. The same command asks again."


def _cost(prices: Prices | None, model: str, prompt: int, completion: int) -> str:
    if prices is None:
        return ""
    cost = prices.cost(model, prompt, completion)
    return f", {prices.currency} {cost:.4f}" if cost is not None else f", no price for {model}"


def _counts(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in counted.items())


def _show(folder: Path, rows: Sequence[JudgedRow], by: str, as_json: bool) -> None:
    """How the judge's scores stand to the deterministic ones."""
    from ankare.evaluation.judging.agreement import judge_agreement
    from ankare.evaluation.measures.fitting_scores import fitting_scores
    from ankare.evaluation.measures.scores_file import FILE

    scored = fitting_scores(folder).run if (folder / FILE).is_file() else None
    found = judge_agreement(scored, rows) if scored is not None else ()
    if as_json:
        told = {"by": by, "answers": [asdict(row) for row in rows], "agreement": [asdict(one) for one in found]}
        typer.echo(json_text(told))
        return
    typer.echo(
        f"{len(rows)} answers judged by {shown(by)}; kept in {folder / 'judged.jsonl'}, the scores are as they were."
    )
    if scored is None:
        typer.echo(f"There are no scores to hold them against: ankare eval score {folder}")
        return
    for one in found:
        for line in told_of(one):
            typer.echo(shown(line))


def told_of(one: MeasureAgreement) -> Iterator[str]:
    """How one measure agrees, as lines."""
    yield ""
    lacking = f", {one.incomplete} answers lack a verdict" if one.incomplete else ""
    yield f"{one.measure}: {one.n} answers have both{lacking}"
    if one.n:
        means = f"scores {number(one.ours)}, judge {number(one.judges)}"
        apart = one.difference
        yield f"  means           {means}, difference {number(apart.value)} ({interval(apart.low, apart.high)})"
        order = one.order
        yield f"  same order      Spearman {number(order.spearman)} ({interval(order.low, order.high)}), n {order.n}"
        alpha = one.alpha
        yield f"  same values     alpha {number(alpha.value)} ({interval(alpha.low, alpha.high)}), at the interval level"
        yield f"                  {_MEANS[alpha.strength.value]}"
    if one.equal.n:
        same = one.equal
        yield (
            f"  same verdicts   {number(same.value)} ({interval(same.low, same.high)}) of {same.n}; "
            f"alpha {number(one.both.value)} ({interval(one.both.low, one.both.high)}), nominal"
        )


@contextmanager
def _progress(*, show: bool) -> Iterator[Watch]:
    if not show:
        yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def number(value: float | None) -> str:
    """With two places, or that there is none."""
    return "-" if value is None else f"{round(value, 2) + 0.0:.2f}"


def interval(low: float | None, high: float | None) -> str:
    """Both bounds, or that there are none."""
    return "-" if low is None or high is None else f"{number(low)} to {number(high)}"
