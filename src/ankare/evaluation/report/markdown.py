"""What would somebody read in a comment on a pull request? The headline, the figures, what got worse; no longer than fits."""

from __future__ import annotations

from collections.abc import Iterator

from ankare.evaluation.comparing.compare import Pair
from ankare.evaluation.comparing.differences import LEADING, Difference
from ankare.evaluation.report.headline import headline, losses, remarks, warnings
from ankare.evaluation.report.safe import markdown, shortened
from ankare.evaluation.report.told import Report
from ankare.evaluation.report.words import DASH, Words, decimals_of
from ankare.evaluation.scored import Measure
from ankare.evaluation.statistics.resample import Interval

MOST_CHARACTERS = 30_000
"""Half of what a comment may hold on common platforms."""
MOST_WORSE = 25
MOST_WARNINGS = 12
BESIDE = ("wall_ms", "total_tokens", "cost", "fallback", "approved")


def report_markdown(report: Report, words: Words, *, most: int = MOST_CHARACTERS) -> str:
    """The report in short; lines that no longer fit are left out, and that is said."""
    kept: list[str] = []
    end = f"\n*{markdown(words('md_cut'))}*\n"
    room = most - len(end)
    for line in _lines(report, words):
        if room < len(line) + 1:
            kept.append(end)
            break
        kept.append(line)
        room -= len(line) + 1
    return "\n".join(kept).strip() + "\n"


def _lines(report: Report, words: Words) -> Iterator[str]:
    yield f"## {markdown(report.title)}\n"
    first, *results = headline(report, words)
    yield f"{markdown(first, 1200)}\n"
    said, minded = remarks(report, words), warnings(report, words)
    for told in said:
        yield f"⚠ {markdown(told, 600)}\n"
    for told in results:
        yield f"{markdown(told, 1200)}\n"
    minded = minded[len(said) :]
    for told in minded[:MOST_WARNINGS]:
        yield f"- ⚠ {markdown(told, 600)}"
    if len(minded) > MOST_WARNINGS:
        yield f"- {words('and_more', count=words.number(len(minded) - MOST_WARNINGS, 0))}"
    yield ""
    yield from _levels(report, words)
    for pair in report.pairs:
        yield from _differences(pair, report, words)
    yield from _asides(report, words)
    yield from _worse(report, words)


def _levels(report: Report, words: Words) -> Iterator[str]:
    yield _row([words("measure"), *(run.name for run in report.runs)])
    yield _row(["---", *["---:"] * len(report.runs)], escaped=False)
    for measure in report.shown_measures():
        if measure.name in (*LEADING, *BESIDE):
            cells = []
            for run in report.runs:
                level = run.levels.get(measure.name)
                if level is None:
                    cells.append(DASH)
                    continue
                ends = words.interval(level.low, level.high, decimals_of(measure, level.mean))
                cells.append(f"{words.value(measure, level.mean)} {ends}".strip())
            yield _row([words.measure(measure.name), *cells])
    yield ""


def _differences(pair: Pair, report: Report, words: Words) -> Iterator[str]:
    shown = [one for one in pair.measures if one.measure in (*LEADING, *BESIDE)]
    if not shown:
        return
    yield f"**{markdown(words('table_differences', run=pair.other, base=pair.base))}**\n"
    yield _row([words("measure"), words("difference"), words("interval"), words("counts"), words("verdict")])
    yield _row(["---", "---:", "---:", "---:", "---"], escaped=False)
    for one in shown:
        yield _row(_difference(one, report, words))
    yield ""


def _difference(one: Difference, report: Report, words: Words) -> list[str]:
    measure = report.measures.get(one.measure)
    decimals = (
        max(decimals_of(measure, one.base), decimals_of(measure, one.other)) if isinstance(measure, Measure) else 2
    )
    found = one.interval
    ends = words.interval(found.low, found.high, decimals, signed=True) if isinstance(found, Interval) else DASH
    told = [words.measure(one.measure), words.signed(one.difference, decimals), ends, words.number(one.n, 0)]
    return [*told, words.named("compare", f"verdict_{one.verdict}")]


def _asides(report: Report, words: Words) -> Iterator[str]:
    """What did not count for the path."""
    reasons = list(dict.fromkeys(reason for run in report.runs for reason in run.asides))
    if not reasons:
        return
    yield f"**{markdown(words('section_aside'))}**\n"
    yield _row([words("reason"), *(run.name for run in report.runs)])
    yield _row(["---", *["---:"] * len(report.runs)], escaped=False)
    for reason in reasons:
        yield _row([words.aside(reason), *(words.number(run.asides.get(reason, 0), 0) for run in report.runs)])
    yield ""


def _worse(report: Report, words: Words) -> Iterator[str]:
    found = report.regressions()
    if not report.pairs:
        return
    yield f"**{markdown(words('regressions', count=words.number(len(found), 0)))}**\n"
    questions = {case.id: case.question for case in report.suite}
    for case_id, changes in list(found.items())[:MOST_WORSE]:
        question = markdown(questions.get(case_id, case_id), 160)
        yield f"1. {question} ({markdown(case_id, 60)}) – {markdown(losses(changes, words), 300)}"
    if len(found) > MOST_WORSE:
        yield f"\n{words('and_more', count=words.number(len(found) - MOST_WORSE, 0))}"


def _row(cells: list[str], *, escaped: bool = True) -> str:
    return f"| {' | '.join(markdown(shortened(one, 80)) if escaped else one for one in cells)} |"
