"""`ankare eval`: is an answer good, and is a change or a model better than what was there?"""

from __future__ import annotations

import typer

from ankare.cli.lazy import LazyGroup

COMMANDS: dict[str, str] = {
    "suggest": "ankare.cli.eval_suggest",
    "check": "ankare.cli.eval_check",
    "run": "ankare.cli.eval_run",
    "score": "ankare.cli.eval_score",
    "compare": "ankare.cli.eval_compare",
    "report": "ankare.cli.eval_report",
    "review": "ankare.cli.eval_review",
    "judge": "ankare.cli.eval_judge",
    "usage": "ankare.cli.eval_usage",
}


class EvalCommands(LazyGroup):
    """The commands of an evaluation, in the order in which they are used."""

    modules = COMMANDS


app = typer.Typer(cls=EvalCommands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def evaluation() -> None:
    """Ask a suite, score what came back, compare runs, write the report."""
