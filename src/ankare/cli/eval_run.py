"""`ankare eval run SUITE`: what does it answer to every question of a suite?"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, AsLabelOption, AsPublicOption, HomeOption, reader
from ankare.cli.shown import shown, shown_line
from ankare.errors import EvaluationError
from ankare.evaluation.captured import AnswerPath

if TYPE_CHECKING:
    from ankare.evaluation.asking.capture import Captured, Watch
    from ankare.evaluation.asking.in_process import InProcess
    from ankare.evaluation.asking.over_http import OverHttp
    from ankare.evaluation.captured import Capture
    from ankare.evaluation.case import Case, Suite
    from ankare.evaluation.measures.tally import Tally, Tokens

EARLY, INTERRUPTED = 1, 130
KEY_VARIABLE = "ANKARE_EVAL_KEY"
IN_PROCESS, OVER_HTTP = 1, 4
"""Questions at once, where nothing else is said: models in this process share its cores, a server has its own."""


def run(
    suite: Annotated[Path, typer.Argument(help="The suite, a file of cases: suite.jsonl.", show_default=False)],
    base_url: Annotated[
        str,
        typer.Option(help="Ask the server there; without it the home is asked in this process.", show_default=False),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            help="The folder of the run; one that is there goes on. Else a new one below eval/.", show_default=False
        ),
    ] = None,
    home: HomeOption = DEFAULT_HOME,
    pack: Annotated[Path | None, typer.Option(help="A pack folder whose profile is used.", show_default=False)] = None,
    path: Annotated[AnswerPath, typer.Option(help="The way that answers are to take.")] = AnswerPath.CONTROL,
    repeat: Annotated[int, typer.Option(min=1, max=100, help="Ask each question so many times.")] = 1,
    concurrency: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Questions at once; else 1 in this process, 4 over HTTP.", show_default=False),
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds for one answer.")] = 120.0,
    name: Annotated[str, typer.Option(help="What the run is called in comparisons.")] = "",
    note: Annotated[
        str, typer.Option(help="What readers of its scores should know; kept and shown with the run.")
    ] = "",
    only: Annotated[str, typer.Option(help="Ask these cases alone: ids with commas between.")] = "",
    type_: Annotated[str, typer.Option("--type", help="Ask cases of this type alone.")] = "",
    limit: Annotated[int | None, typer.Option(min=1, help="Ask so many cases at most.", show_default=False)] = None,
    key_env: Annotated[
        str, typer.Option(help="The environment variable that holds the API key for --base-url.")
    ] = KEY_VARIABLE,
    semantic: Annotated[
        bool, typer.Option("--semantic/--no-semantic", help="Search by meaning too, where the home is prepared for it.")
    ] = True,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Ask again what failed in --out.")] = False,
    as_label: AsLabelOption = None,
    as_public: AsPublicOption = False,
) -> None:
    """Ask every case of a suite and keep what comes back, with its conditions. An interrupted run goes on with the same --out.

    Exit code 0: every question has an outcome, failures included. 1: stopped early, 2: bad use, 130: Ctrl-C.
    """
    from ankare.evaluation.asking.capture import Plan, capture
    from ankare.evaluation.suites.suite import read_suite

    asked = chosen(read_suite(suite), only, type_, limit)
    asker: InProcess | OverHttp
    if base_url:
        if not semantic or as_label or as_public or pack:
            raise typer.BadParameter("A server has its own --pack, --semantic and --as-...; leave them out.")
        asker = _over_http(base_url, path, key_env, timeout)
    else:
        asker = _in_process(home, pack, path, timeout, semantic=semantic, labels=as_label, public=as_public)
    folder = out or Path("eval") / f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{path.value}"
    at_once = concurrency or (OVER_HTTP if base_url else IN_PROCESS)
    plan = Plan(path, repeat, at_once, retry_failed=retry_failed, name=name, note=_checked(note))
    _warn_of_drafts(asked)
    with _stopped_by_interrupt(folder) as stop, _progress(show=sys.stderr.isatty()) as watch:
        captured = capture(asked, asker, folder, plan, watch=watch, warn=_warn, stop=stop)
    _show(captured)
    if captured.left:
        raise typer.Exit(EARLY if captured.stopped != _BY_HAND else INTERRUPTED)


_BY_HAND = "interrupted"
LONGEST_NOTE = 500
LONGEST_WORD = 60
"""Characters of a server's word for something that are shown."""


def _checked(note: str) -> str:
    """The note on one line. Raises BadParameter for one that no table could hold."""
    line = " ".join(note.split())
    if len(line) > LONGEST_NOTE:
        raise typer.BadParameter(f"A note has {LONGEST_NOTE} characters at most.", param_hint="--note")
    return line


def _warn(line: str) -> None:
    typer.echo(f"ankare: {shown_line(line)}", err=True)


def chosen(suite: Suite, only: str, type_: str, limit: int | None) -> Suite:
    """The cases that are to be asked, in their order. Raises EvaluationError where there are none, or an id is unknown."""
    from ankare.evaluation.suites.suite import suite_of

    ids = dict.fromkeys(part.strip() for part in only.split(",") if part.strip())
    if unknown := [one for one in ids if one not in {case.id for case in suite}]:
        raise EvaluationError(f"--only: the suite holds no case {', '.join(unknown)}.")
    if not (ids or type_ or limit):
        cases: tuple[Case, ...] = suite.cases
    else:
        cases = tuple(case for case in suite if (not ids or case.id in ids) and type_ in ("", case.type))[:limit]
    if not cases:
        types = ", ".join(sorted({case.type for case in suite if case.type}))
        raise EvaluationError("No case is left to be asked.", f"Types of the suite: {types}." if types else "")
    return suite_of(cases, suite.name)


def _over_http(base_url: str, path: AnswerPath, key_env: str, seconds: float) -> OverHttp:
    from ankare.evaluation.asking.over_http import OverHttp
    from ankare.settings import load_settings, variable

    key = load_settings().eval_key.get_secret_value() if key_env == KEY_VARIABLE else variable(key_env)
    asker = OverHttp(base_url, path, key=key, seconds=seconds)
    for warning in asker.warnings:
        _warn(warning)
    return asker


def _in_process(
    home: Path,
    pack: Path | None,
    path: AnswerPath,
    seconds: float,
    *,
    semantic: bool,
    labels: list[str] | None,
    public: bool,
) -> InProcess:
    from ankare.evaluation.asking.in_process import InProcess
    from ankare.settings import load_settings

    settings = load_settings(home=home, pack=pack, semantic=None if semantic else False)
    return InProcess(settings, path, access=reader(labels, public), seconds=seconds)


def _warn_of_drafts(suite: Suite) -> None:
    if drafts := sum(case.draft for case in suite):
        typer.echo(
            f"ankare: {drafts} of {len(suite)} cases are drafts that nobody has looked at; their scores say little.",
            err=True,
        )


@contextmanager
def _stopped_by_interrupt(folder: Path) -> Iterator[Event]:
    """Set by the first Ctrl-C; the second one ends the process where it stands."""
    stop = Event()

    def interrupted(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        typer.echo("\nankare: finishing the questions under way; Ctrl-C again to leave at once.", err=True)

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield stop
    except KeyboardInterrupt:
        typer.echo(f"ankare: left. Go on: the same command with --out {folder}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress(*, show: bool) -> Iterator[Watch]:
    if not show:
        yield lambda done, of, newest: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def advance(done: int, of: int, newest: Capture) -> None:
            bar.update(task, completed=done, total=of, description=escape(shown_line(newest.case_id)[:60]))

        yield advance


def _show(captured: Captured) -> None:
    """How the questions ended, and what to do next."""
    from ankare.evaluation.asking.run_folder import read_run
    from ankare.evaluation.measures.tally import tally_of

    run = read_run(captured.folder)
    if not (captured.asked or captured.left):
        typer.echo(f"Nothing was asked: all {captured.before} outcomes were recorded before.")
    for line in told(tally_of(run)):
        typer.echo(shown(line))
    for note in captured.notes:
        typer.echo(shown_line(note))
    if captured.before and (captured.asked or captured.left):
        typer.echo(f"{captured.before} outcomes were there already, {captured.asked} were added.")
    if captured.left:
        typer.echo(
            f"ankare: stopped early, {captured.left} questions are left: {shown_line(captured.stopped)}.", err=True
        )
        typer.echo(f"Go on:   the same command with --out {captured.folder}")
    else:
        typer.echo(f"The run is in {captured.folder}")
    if any(one.failure for one in run.captures):
        typer.echo(f"Failed questions are asked again with --out {captured.folder} --retry-failed")
    typer.echo(f"Next:    ankare eval score {captured.folder}")


def told(tally: Tally) -> Sequence[str]:
    """A run's counts as lines."""
    lines = [f"Outcomes:  {_counts(tally.outcomes)}"]
    if tally.failures:
        lines.append(f"Failures:  {_counts(tally.failures)}")
    if tally.fallbacks:
        lines.append(f"Fallbacks: {_counts(tally.fallbacks)}")
    if tally.median_ms is not None:
        lines.append(f"Time:      median {tally.median_ms:.0f} ms, 95 of 100 within {tally.p95_ms:.0f} ms")
    if tally.tokens.calls:
        lines.append(_tokens(tally.tokens))
    if tally.variation.cases:
        found = tally.variation
        lines.append(
            f"Repeats:   of {found.cases} questions {found.same_text} had the same text each time, {found.same_sources} the "
            f"same sources, {found.same_outcome} the same outcome; times of one question differ by {found.spread_ms:.0f} ms "
            "(median)"
        )
    return lines


def _counts(counted: Mapping[str, int]) -> str:
    return (
        ", ".join(f"{number} {shown_line(word).replace('_', ' ')[:LONGEST_WORD]}" for word, number in counted.items())
        or "none"
    )


def _tokens(tokens: Tokens) -> str:
    if tokens.untold == tokens.calls:
        return f"Tokens:    not told, by none of {tokens.calls} answers with a model"
    line = f"Tokens:    {tokens.prompt} in, {tokens.completion} out, for {tokens.calls - tokens.untold} answers"
    return f"{line}; not told for {tokens.untold} more" if tokens.untold else line
