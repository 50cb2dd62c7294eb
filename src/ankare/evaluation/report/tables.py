"""How do the runs stand beside each other in figures? Tables of HTML; every cell keeps its exact value in `data-v`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ankare.evaluation.comparing.compare import Pair
from ankare.evaluation.comparing.differences import Difference
from ankare.evaluation.report.condition_words import Told
from ankare.evaluation.report.safe import html
from ankare.evaluation.report.told import Level, Report
from ankare.evaluation.report.words import DASH, Words, decimals_of
from ankare.evaluation.scored import Better, Measure
from ankare.evaluation.statistics.resample import Interval

ARROWS = {Better.HIGHER: "↑", Better.LOWER: "↓", Better.NEITHER: ""}


def measure_table(report: Report, words: Words) -> str:
    """Every measure of every run, with its interval and over how many questions, by family."""
    heads = [words("measure"), *(run.name for run in report.runs)]
    rows: list[str] = []
    shown = sorted(report.shown_measures(), key=lambda one: _family_place(report, one))
    for family, measures in groupby(shown, key=lambda one: one.family):
        rows.append(
            f'<tr class="family"><th scope="rowgroup" colspan="{len(heads)}">{html(words.coded("family", family))}</th></tr>'
        )
        rows += (_measure_row(measure, report, words) for measure in measures)
    return table(words("table_measures"), heads, rows)


def difference_table(pair: Pair, differences: Iterable[Difference], report: Report, words: Words) -> str:
    """Each difference to the base with its interval, wins and losses, and what it says."""
    heads = [
        words(key)
        for key in ("measure", "base", "other", "difference", "interval", "counts", "wins_losses", "p_holm", "verdict")
    ]
    rows = [_difference_row(one, report, words) for one in differences]
    return table(words("table_differences", run=pair.other, base=pair.base), heads, rows, texts=heads[-1:])


def aside_table(report: Report, words: Words) -> str:
    """What did not count for the path, by reason, beside what did."""
    reasons = list(dict.fromkeys(reason for run in report.runs for reason in sorted(run.asides)))
    heads = [words("reason"), *(run.name for run in report.runs)]
    counted = [_count(run.counted, len(run.scored.rows), words) for run in report.runs]
    rows = [f'<tr class="counted"><th scope="row">{html(words("counted"))}</th>{"".join(counted)}</tr>']
    for reason in reasons:
        cells = "".join(_count(run.asides.get(reason, 0), len(run.scored.rows), words) for run in report.runs)
        rows.append(f'<tr><th scope="row">{html(words.aside(reason))}</th>{cells}</tr>')
    return table(words("table_asides"), heads, rows)


def abstention_table(report: Report, words: Words) -> str:
    """For each run: answered and refused, of what can be answered and of what cannot."""
    names = ("answered", "needless", "right", "missed")
    heads = [words("run"), *(words(f"abstention_{name}") for name in names), *map(words, ("precision", "recall", "f1"))]
    rows = []
    for run in report.runs:
        held = run.abstention
        counts = "".join(_counted(name, getattr(held, name), words) for name in names)
        shares = "".join(_share(value, words) for value in (held.precision, held.recall, held.f1))
        rows.append(f'<tr><th scope="row">{html(run.name)}</th>{counts}{shares}</tr>')
    return table(words("table_abstention"), heads, rows)


def _counted(name: str, count: int, words: Words) -> str:
    wrong = " off" if count and name in ("needless", "missed") else ""
    return f'<td class="n{wrong}" data-v="{count}">{words.number(count, 0)}</td>'


def type_table(report: Report, measures: Sequence[Measure], words: Words) -> str:
    """The leading measures by type of question: what the plots show, in figures."""
    heads = [words("type"), words("measure"), *(run.name for run in report.runs)]
    rows = []
    for kind in report.types():
        for measure in measures:
            found = [run.types.get(kind, {}).get(measure.name) for run in report.runs]
            if any(found):
                cells = "".join(_level(measure, level, words) for level in found)
                names = f'<th scope="row">{html(words.type(kind))}</th><td>{html(words.measure(measure.name))}</td>'
                rows.append(f"<tr>{names}{cells}</tr>")
    return table(words("table_types"), heads, rows)


def table(caption: str, heads: Sequence[str], rows: Iterable[str], *, texts: Sequence[str] = ()) -> str:
    """A table that scrolls for itself where it is too wide. `texts`: the heads of columns of words, beside the first."""
    words = (heads[0], *texts)
    head = "".join(f'<th scope="col"{"" if one in words else " class=n"}>{html(one)}</th>' for one in heads)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{html(caption)}"><table><caption>{html(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _family_place(report: Report, measure: Measure) -> int:
    families = list(dict.fromkeys(one.family for one in report.shown_measures()))
    return families.index(measure.family)


def _measure_row(measure: Measure, report: Report, words: Words) -> str:
    arrow = f' <span class="way" title="{html(words(f"way_{measure.better}"))}">{ARROWS[measure.better]}</span>'
    levels = "".join(_level(measure, run.levels.get(measure.name), words) for run in report.runs)
    name = f'<a href="#measure-{measure.name}">{html(words.measure(measure.name))}</a>'
    told = name + (arrow if ARROWS[measure.better] else "")
    return f'<tr data-measure="{measure.name}"><th scope="row">{told}</th>{levels}</tr>'


def _level(measure: Measure, level: Level | None, words: Words) -> str:
    if level is None:
        return f'<td class="n none">{DASH}</td>'
    decimals = decimals_of(measure, level.mean)
    ends = words.interval(level.low, level.high, decimals)
    beside = f'<small>{html(ends)} <span class="of">n&nbsp;{words.number(level.n, 0)}</span></small>'
    shown = f"<b>{html(words.value(measure, level.mean))}</b>"
    return f'<td class="n" data-v="{level.mean!r}" data-n="{level.n}">{shown}{beside}</td>'


def _difference_row(one: Difference, report: Report, words: Words) -> str:
    measure = report.measures.get(one.measure) or Measure(
        one.measure, report.shown_measures()[0].family, one.better, one.unit
    )
    decimals = max(decimals_of(measure, one.base), decimals_of(measure, one.other))
    cells = [
        words.value(measure, one.base, decimals),
        words.value(measure, one.other, decimals),
        f"<b>{html(words.signed(one.difference, decimals))}</b>",
        html(_ends(one, decimals, words)),
        words.number(one.n, 0),
        f"{words.number(one.wins, 0)} / {words.number(one.losses, 0)}",
        DASH if one.p_holm is None else html(words.chance(one.p_holm)),
    ]
    told = "".join(f'<td class="n">{cell}</td>' for cell in cells)
    noise = f" <small>{html(words('within_noise'))}</small>" if one.within_noise else ""
    verdict = html(words.named("compare", f"verdict_{one.verdict}"))
    return (
        f'<tr class="v-{one.verdict}" data-measure="{one.measure}" data-v="{one.difference!r}"><th scope="row">'
        f'{html(words.measure(one.measure))}</th>{told}<td class="verdict">{verdict}{noise}</td></tr>'
    )


def _ends(one: Difference, decimals: int, words: Words) -> str:
    found = one.interval
    return words.interval(found.low, found.high, decimals, signed=True) if isinstance(found, Interval) else DASH


def _count(count: int, whole: int, words: Words) -> str:
    share = f"<small>{words.number(100 * count / whole, 0)}&nbsp;%</small>" if whole and count else ""
    return f'<td class="n" data-v="{count}"><b>{words.number(count, 0)}</b> {share}</td>'


def _share(value: float | None, words: Words) -> str:
    return (
        f'<td class="n">{DASH}</td>'
        if value is None
        else f'<td class="n" data-v="{value!r}">{words.number(value, 2)}</td>'
    )


def pairs_table(name: str, rows: Iterable[str]) -> str:
    """A table of names and texts, without a head."""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{html(name)}"><table class="pairs">'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def rows_of(conditions: Iterable[Told]) -> Iterator[str]:
    """Rows of a condition and its value."""
    for one in conditions:
        yield f'<tr><th scope="row">{condition_head(one.name, one.code)}</th><td>{html(one.value)}</td></tr>'


def condition_head(name: str, code: str) -> str:
    """A condition's name, with the one that files have beside it."""
    return " ".join(filter(None, (html(name), f"<code>{html(code)}</code>" if code else "")))
