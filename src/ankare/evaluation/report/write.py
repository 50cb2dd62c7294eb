"""How do the folders of runs become a report: one page, a short one in Markdown, two tables?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import read_run
from ankare.evaluation.captured import Run
from ankare.evaluation.case import Case, Suite
from ankare.evaluation.comparing.compare import MOST_RUNS, compare
from ankare.evaluation.measures import score
from ankare.evaluation.measures.fitting_scores import fitting_scores
from ankare.evaluation.measures.scores_file import replace_text
from ankare.evaluation.report.csv_tables import MEASURES, QUESTIONS, measures_csv, questions_csv
from ankare.evaluation.report.markdown import report_markdown
from ankare.evaluation.report.page import page_html
from ankare.evaluation.report.place import PAGES, check_place
from ankare.evaluation.report.told import Report, ReportRun, advice_on, names_of, report_run
from ankare.evaluation.report.words import MINUTES, Words, language_of
from ankare.evaluation.scored import Measure, ScoredRun

MOST_IN_TITLE = 3


@dataclass(frozen=True, slots=True)
class Written:
    """Where a report lies, and how large its page is in bytes."""

    files: tuple[Path, ...]
    page_bytes: int


def read_report(
    folders: Sequence[Path],
    *,
    title: str = "",
    evidence: bool = True,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Report:
    """The report of some runs, the base first. A run that nobody has scored yet is scored.

    Raises EvaluationError for what cannot be read, for no run, and for more than a comparison takes.
    """
    if not 1 <= len(folders) <= MOST_RUNS:
        raise EvaluationError(f"A report takes 1 to {MOST_RUNS} runs, not {len(folders)}.", "Name the base first.")
    found = [_read(folder) for folder in folders]
    names = names_of(
        [_told(run.conditions.name or folder.name) for folder, (run, _) in zip(folders, found, strict=True)]
    )
    runs = tuple(
        report_run(name, scored, run, score.ALL.values()) for name, (run, scored) in zip(names, found, strict=True)
    )
    return report_of(
        runs, [run.suite for run, _ in found], title=_told(title), evidence=evidence, made=now().isoformat()
    )


def report_of(
    runs: tuple[ReportRun, ...], suites: Sequence[Suite], *, title: str = "", evidence: bool = True, made: str = ""
) -> Report:
    """A report of runs that are at hand."""
    comparison = compare([run.scored for run in runs], labels=[run.name for run in runs]) if len(runs) > 1 else None
    measures = {**score.ALL, **_units(runs)}
    return Report(
        title,
        runs,
        _together(suites),
        comparison,
        evidence,
        measures,
        made[MINUTES].replace("T", " "),
        advice_on(runs, comparison),
    )


def write_report(report: Report, out: Path, language: str = "", *, force: bool = False) -> Written:
    """Write the page as `out`, and beside it, named after it, the short report and the tables (see `beside`).

    `language`: "sv", "en" or "zh"; else the one that most questions of the suite are in. `force`: see
    `check_place`. Raises EvaluationError where something else stands in the way, and OSError.
    """
    check_out(out, force=force)
    words = Words(language or language_of(report.suite))
    if not report.title:
        names = [run.name for run in report.runs]
        few = len(names) <= MOST_IN_TITLE
        runs = " / ".join(names) if few else words("runs", count=words.number(len(names), 0))
        report = replace(report, title=words("title", runs=runs))
    page = page_html(report, words)
    out.parent.mkdir(parents=True, exist_ok=True)
    told = {
        out: page,
        beside(out, ".md"): report_markdown(report, words),
        beside(out, QUESTIONS): questions_csv(report),
        beside(out, MEASURES): measures_csv(report),
    }
    for path, text in told.items():
        replace_text(path, text)
    return Written(tuple(told), len(page.encode("utf-8")))


def check_out(out: Path, *, force: bool = False) -> None:
    """Raises EvaluationError where a report cannot be written as `out` without taking another's place."""
    check_place(out, [beside(out, ending) for ending in (".md", QUESTIONS, MEASURES)], force=force)


def beside(page: Path, ending: str) -> Path:
    """The file of a report that lies beside its page: "rapport.html" has "rapport.md", and never another report's."""
    name = page.stem if page.suffix.lower() in PAGES else page.name
    return page.with_name(f"{name}{ending}")


def _told(name: str) -> str:
    """A name from a command line or a folder as Unicode: bytes that are none are told as such."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _read(folder: Path) -> tuple[Run, ScoredRun]:
    run = read_run(folder)
    return run, replace(fitting_scores(folder).run, suite=run.suite)


def _units(runs: Sequence[ReportRun]) -> dict[str, Measure]:
    """The currency of the cost, as the rows tell it."""
    for run in runs:
        for row in run.scored.rows:
            told = row.details.get("cost")
            if isinstance(told, dict) and isinstance(told.get("currency"), str) and "cost" in score.ALL:
                return {"cost": replace(score.ALL["cost"], unit=told["currency"][:8])}
    return {}


def _together(suites: Sequence[Suite]) -> Suite:
    """The questions of all runs, those of the base first; a case of the same id is the base's."""
    cases: dict[str, Case] = {}
    for suite in suites:
        for case in suite:
            cases.setdefault(case.id, case)
    return Suite(tuple(cases.values()), suites[0].digest, suites[0].name)
