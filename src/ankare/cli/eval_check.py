"""`ankare eval check`: does a suite of questions fit the home that it is to be asked of?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption, JsonOption
from ankare.cli.shown import json_text

if TYPE_CHECKING:
    from ankare.evaluation.case import Suite
    from ankare.evaluation.suites.check import Finding

WRONG = 1


def check(
    suite: Annotated[Path, typer.Argument(help="The suite: a file of JSON lines.", show_default=False)],
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Hold a suite against a home: gold that is not held or does not stand on its page, figures that the profile does not know,
    questions asked twice, drafts left.

    Exit code 0 when scores can be believed, 1 when something makes them wrong, 2 when suite or home cannot be read.
    """
    from ankare.evaluation.suites.check import check_suite, figures_of
    from ankare.evaluation.suites.holdings import read_holdings
    from ankare.evaluation.suites.suite import read_suite

    read = read_suite(suite)
    findings = check_suite(read, read_holdings(home, figures_of(read)))
    if as_json:
        typer.echo(json_text(_body(suite, read, findings), 1))
    else:
        for line in _lines(suite, read, findings):
            typer.echo(line)
    if any(finding.wrong for finding in findings):
        raise typer.Exit(WRONG)


def _body(path: Path, suite: Suite, findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "suite": str(path),
        "digest": suite.digest,
        "cases": len(suite),
        "types": dict(sorted(Counter(case.type for case in suite).items())),
        "drafts": sum(case.draft for case in suite),
        "wrong": sum(finding.wrong for finding in findings),
        "findings": [
            {"case": finding.case_id, "field": finding.field, "wrong": finding.wrong, "message": finding.message}
            for finding in findings
        ],
    }


def _lines(path: Path, suite: Suite, findings: Sequence[Finding]) -> Iterator[str]:
    wrong = [finding for finding in findings if finding.wrong]
    rest = [finding for finding in findings if not finding.wrong]
    yield f"{path}: {len(suite)} {'case' if len(suite) == 1 else 'cases'}, digest {suite.digest[:12]}"
    if wrong:
        yield f"{len(wrong)} to correct, since scores would be wrong:"
        yield from map(_line, wrong)
    if rest:
        yield f"{len(rest)} to look at:"
        yield from map(_line, rest)
    if not findings:
        yield "Nothing to say against it."


def _line(finding: Finding) -> str:
    from ankare.cli.shown import shown_line

    place = ", ".join(filter(None, (finding.case_id, finding.field)))
    return f"  {shown_line(f'{place}: {finding.message}' if place else finding.message)}"
