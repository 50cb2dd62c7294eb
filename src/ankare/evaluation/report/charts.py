"""Which plots does a report show: differences, quality against time and cost, by type, spreads, what fell away, tokens?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ankare.evaluation.comparing.differences import LEADING, Difference, Verdict, rank
from ankare.evaluation.report.told import Report, ReportRun, leading
from ankare.evaluation.report.words import Words
from ankare.evaluation.scored import Measure
from ankare.evaluation.statistics.resample import Interval as Found
from ankare.plot import Axis, Chart, Dot, Interval, Series, bars, histogram, intervals, scatter, stacked, strip

QUALITY = ("fact_recall", "faithfulness", "context_recall", "figure_exact", "abstention_correct")
"""What is held against time and cost: the first of them that two runs have."""
PRICE = ("cost", "total_tokens")
SPREAD = ("wall_ms", "answer_words", "faithfulness")
MOST_DOTS = 120
MOST_TYPES, MOST_REASONS = 14, 7
OF_TYPE = 4
KINDS = {Verdict.BETTER: "good", Verdict.WORSE: "bad"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A plot with its caption. `note`: how to read it."""

    caption: str
    svg: str
    note: str = ""


def forest(report: Report, words: Words) -> list[Figure]:
    """The differences of the leading measures to the base, of each other run."""
    rows = [
        _interval(one, one.interval, pair.other, words)
        for pair in report.pairs
        for one in sorted(pair.measures, key=lambda found: rank(found.measure))
        if one.measure in LEADING and isinstance(one.interval, Found) and (one.wins or one.losses)
    ]
    if not rows:
        return []
    caption = words("plot_forest", base=report.runs[0].name)
    axis = Axis(words("difference"), words.signed, decimals=2)
    return [Figure(caption, intervals(Chart("forest", caption, width=480), rows, axis), words("plot_forest_how"))]


def quality(report: Report, words: Words) -> Iterator[Figure]:
    """Quality against time, and against cost or tokens; a single run is no picture."""
    measure = next((report.measures[name] for name in QUALITY if _held(report, name) > 1), None)
    if measure is None or len(report.runs) < 2:
        return
    price = next((name for name in PRICE if _held(report, name) > 1 and _moves(report, name)), None)
    for name in filter(None, ("wall_ms", price)):
        if _held(report, name) < 2:
            continue
        beside = report.measures[name]
        caption = words("plot_against", measure=words.measure(measure.name), beside=words.inside(words.measure(name)))
        axis = Axis(words.labelled(beside), words.number, log=name == "wall_ms")
        dots = [dot for place, run in enumerate(report.runs) if (dot := _dot(place, run, measure, name)) is not None]
        upright = Axis(words.measure(measure.name), words.number, decimals=2)
        yield Figure(caption, scatter(Chart(f"against-{name}", caption), dots, axis, upright))


def by_type(report: Report, words: Words) -> Iterator[Figure]:
    """One plot for each of the first few leading measures that differ by type."""
    types = report.types()[:MOST_TYPES]
    if len(types) < 2:
        return
    for measure in [one for one in leading(report) if _varies(report, one)][:OF_TYPE]:
        held = [kind for kind in types if any(measure.name in run.types.get(kind, {}) for run in report.runs)]
        series = [Series(run.name, tuple(_of_type(run, kind, measure) for kind in held)) for run in report.runs]
        caption = words("plot_types", measure=words.measure(measure.name))
        axis = Axis(words.measure(measure.name), words.number, low=0, high=1, decimals=2)
        chart = Chart(f"type-{measure.name}", caption)
        yield Figure(caption, bars(chart, [words.type(kind) for kind in held], series, axis))


def spreads(report: Report, words: Words) -> Iterator[Figure]:
    """How some measures spread over the answers, every one as a dot while there are few."""
    for name in SPREAD:
        if name not in report.measures or not _held(report, name):
            continue
        measure = report.measures[name]
        series = [Series(run.name, _values(run, measure)) for run in report.runs]
        caption = words("plot_spread", measure=words.measure(name))
        share = not measure.unit
        axis = Axis(
            words.labelled(measure),
            words.number,
            log=name == "wall_ms",
            low=0 if share else None,
            high=1 if share else None,
            decimals=2 if share else None,
        )
        draw = strip if max(len(one.values) for one in series) <= MOST_DOTS else histogram
        yield Figure(caption, draw(Chart(f"spread-{name}", caption), series, axis))


def asides(report: Report, words: Words) -> Iterator[Figure]:
    """What did not count for the path, by reason."""
    totals: dict[str, int] = {}
    for run in report.runs:
        for reason, count in run.asides.items():
            totals[reason] = totals.get(reason, 0) + count
    if not totals:
        return
    ordered = sorted(totals, key=lambda reason: -totals[reason])
    kept, rest = ordered[:MOST_REASONS], ordered[MOST_REASONS:]
    series = [Series(words.aside(one), tuple(float(run.asides.get(one, 0)) for run in report.runs)) for one in kept]
    if rest:
        others = tuple(float(sum(run.asides.get(one, 0) for one in rest)) for run in report.runs)
        series.append(Series(words("other_reasons"), others))
    caption = words("plot_asides")
    names = [run.name for run in report.runs]
    yield Figure(caption, stacked(Chart("asides", caption), names, series, Axis(words("answers"), words.number)))


def tokens(report: Report, words: Words) -> Iterator[Figure]:
    """Tokens for an answer in the mean, by agent."""
    used = [_by_agent(run) for run in report.runs]
    agents = sorted({agent for one in used for agent in one})
    if not agents:
        return
    series = [Series(words.coded("agent", agent), tuple(one.get(agent, 0.0) for one in used)) for agent in agents]
    caption = words("plot_tokens")
    names = [run.name for run in report.runs]
    axis = Axis(words("unit_tokens"), words.number, decimals=0)
    yield Figure(caption, stacked(Chart("tokens", caption), names, series, axis))


def _by_agent(run: ReportRun) -> Mapping[str, float]:
    sums: dict[str, float] = {}
    asked = [one.response for one in run.captures.values() if one.response and one.response.chain.calls]
    for response in asked:
        for call in response.chain.calls:
            sums[call.agent] = sums.get(call.agent, 0.0) + (call.prompt_tokens or 0) + (call.completion_tokens or 0)
    return {agent: total / len(asked) for agent, total in sums.items() if total}


def _interval(one: Difference, found: Found, run: str, words: Words) -> Interval:
    kind = KINDS.get(one.verdict, "")
    return Interval(words.measure(one.measure), one.difference, found.low, found.high, kind, group=run)


def _dot(place: int, run: ReportRun, measure: Measure, beside: str) -> Dot | None:
    level, other = run.levels.get(measure.name), run.levels.get(beside)
    if not level or not other:
        return None
    return Dot(run.name, other.mean, level.mean, level.low, level.high, place)


def _of_type(run: ReportRun, kind: str, measure: Measure) -> float | None:
    level = run.types.get(kind, {}).get(measure.name)
    return level.mean if level else None


def _varies(report: Report, measure: Measure) -> bool:
    """Does a measure differ between types or runs at all?"""
    found = {
        run.types[kind][measure.name].mean
        for run in report.runs
        for kind in run.types
        if measure.name in run.types[kind]
    }
    return len(found) > 1


def _values(run: ReportRun, measure: Measure) -> tuple[float | None, ...]:
    rows: Sequence[float | None] = [
        row.values.get(measure.name) for row in run.scored.rows if not (measure.of_path and row.aside)
    ]
    return tuple(value for value in rows if value is not None)


def _held(report: Report, name: str) -> int:
    return sum(name in run.levels for run in report.runs)


def _moves(report: Report, name: str) -> bool:
    """Does a measure differ between runs at all?"""
    return len({run.levels[name].mean for run in report.runs if name in run.levels}) > 1
