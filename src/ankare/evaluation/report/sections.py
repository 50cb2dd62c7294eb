"""What stands in each section of the page, above and below the cases?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ankare.evaluation.comparing.compare import Pair
from ankare.evaluation.report import charts, tables
from ankare.evaluation.report.cases import run_key
from ankare.evaluation.report.condition_words import conditions_of, name_of, value_of
from ankare.evaluation.report.headline import headline, losses, note, warnings
from ankare.evaluation.report.safe import anchor, html
from ankare.evaluation.report.told import Report, ReportRun, leading
from ankare.evaluation.report.words import Words

NAMES = ("result", "aside", "figures", "cases", "conditions", "measures")
MOST_WARNINGS = 6


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections of one report in one language."""

    report: Report
    words: Words

    def top(self) -> str:
        """What was compared, what came of it, and what has to be minded."""
        words, report = self.words, self.report
        keys = "".join(
            f"<li>{run_key(number)} <b>{html(run.name)}</b> <span>{html(self._kind_of(run))}</span></li>"
            for number, run in enumerate(report.runs)
        )
        made = words("made", suite=report.suite.name or words("suite"), time=report.made)
        compared, *results = headline(report, words)
        told = "".join(f"<p>{html(line)}</p>" for line in results)
        links = "".join(f'<a href="#{name}">{self.text(f"section_{name}")}</a>' for name in NAMES)
        return (
            f'<header><p class="made">{html(made)}</p><h1>{html(report.title)}</h1>'
            f'<p class="compared">{html(compared)}</p><ul class="runs">{keys}</ul><div class="lead">{told}</div>'
            f'<nav aria-label="{self.text("contents")}">{links}</nav></header>'
        )

    def _kind_of(self, run: ReportRun) -> str:
        """The path of a run, with what whoever made it wants to be known."""
        held = run.scored.conditions
        return " – ".join(filter(None, (self.words.coded("path", held.path), held.note.strip())))

    def minded(self) -> str:
        """The warnings in a box, "" without any."""
        told = [f"<li>{html(line)}</li>" for line in warnings(self.report, self.words)]
        if not told:
            return ""
        rest = told[MOST_WARNINGS:]
        more = self.words("and_more", count=self.words.number(len(rest), 0))
        shown = f"<ul>{''.join(told[:MOST_WARNINGS])}</ul>" + (
            folded(more, f"<ul>{''.join(rest)}</ul>") if rest else ""
        )
        return f'<aside class="warnings"><h2>{self.text("warnings")}</h2>{shown}</aside>'

    def result(self) -> str:
        """Differences to the base, every measure, what got worse."""
        return self.section("result", self._result())

    def aside(self) -> str:
        """What did not count, and how answering and abstaining went."""
        return self.section("aside", self._aside())

    def figures(self) -> str:
        """The plots."""
        return self.section("figures", self._figures())

    def conditions(self) -> str:
        """Under what the runs were made."""
        return self.section("conditions", self._conditions())

    def measures(self) -> str:
        """What each measure says."""
        items = "".join(
            f'<dt id="measure-{one.name}">{html(self.words.measure(one.name))} <code>{one.name}</code></dt>'
            f"<dd>{html(self.words.named('measure_is', one.name))}</dd>"
            for one in self.report.shown_measures()
        )
        return self.section("measures", [self.hint("hint_explained"), f"<dl>{items}</dl>"])

    def section(self, name: str, parts: Iterable[str]) -> str:
        """A section with its heading."""
        return f'<section id="{name}"><h2>{self.text(f"section_{name}")}</h2>{"".join(parts)}</section>'

    def text(self, key: str, **given: object) -> str:
        """A text of the catalogue as HTML."""
        return html(self.words(key, **given))

    def hint(self, key: str) -> str:
        """A paragraph that explains."""
        return f'<p class="hint">{self.text(key)}</p>'

    def _result(self) -> Iterator[str]:
        report, words = self.report, self.words
        yield plots(charts.forest(report, words), wide=True)
        yield self._worse() if report.pairs else ""
        yield f"<h3>{self.text('levels')}</h3>"
        yield self.hint("hint_measures") + tables.measure_table(report, words)
        paired = {pair.other for pair in report.pairs}
        for run, advice in report.advice.items():
            if run not in paired:
                yield self._listed(words.named("compare", "advice").format(run=run), advice.text(words.language))
        for pair in report.pairs:
            yield folded(words("all_differences", run=pair.other, base=pair.base), "".join(self._of_pair(pair)))

    def _of_pair(self, pair: Pair) -> Iterator[str]:
        """The advice, what has to be minded, and every difference by path and as served."""
        report, words = self.report, self.words
        advice = report.advice.get(pair.other)
        if advice is not None:
            yield self._listed(words.named("compare", "advice").format(run=pair.other), advice.text(words.language))
        if pair.notes:
            yield self._listed(words.named("compare", "minded"), [note(one, words) for one in pair.notes])
        yield tables.difference_table(pair, pair.measures, report, words)
        yield f"<h4>{self.text('as_served', run=pair.other)}</h4>{self.hint('hint_served')}"
        yield tables.difference_table(pair, pair.as_served, report, words)

    def _listed(self, title: str, lines: Iterable[str]) -> str:
        told = "".join(f"<li>{html(line)}</li>" for line in lines)
        return f'<h4>{html(title)}</h4><ul class="remarks">{told}</ul>'

    def _worse(self) -> str:
        """The questions that got worse, each with a link to it."""
        found = self.report.regressions()
        head = f"<h3>{self.text('regressions', count=self.words.number(len(found), 0))}</h3>"
        if not found:
            return head + self.hint("no_regressions")
        questions = {case.id: case.question for case in self.report.suite}
        items = "".join(
            f'<li><a href="#{html(anchor(case_id))}">{html(questions.get(case_id, case_id))}</a> '
            f"<small>{html(losses(changes, self.words))}</small></li>"
            for case_id, changes in found.items()
        )
        return f'{head}<ol class="worse">{items}</ol>'

    def _aside(self) -> Iterator[str]:
        report, words = self.report, self.words
        yield self.hint("hint_aside") + plots(charts.asides(report, words)) + tables.aside_table(report, words)
        yield f"<h3>{self.text('abstention')}</h3>{self.hint('hint_abstention')}"
        yield tables.abstention_table(report, words)

    def _figures(self) -> Iterator[str]:
        report, words = self.report, self.words
        yield plots([*charts.quality(report, words), *charts.tokens(report, words)])
        types = list(charts.by_type(report, words))
        if types:
            yield f"<h3>{self.text('by_type')}</h3>{plots(types)}"
            yield folded(words("table_types"), tables.type_table(report, leading(report), words))
        yield f"<h3>{self.text('spread')}</h3>{plots(charts.spreads(report, words))}"

    def _conditions(self) -> Iterator[str]:
        for run in self.report.runs:
            told = (one for one in conditions_of(run.scored.conditions, self.words) if one.value)
            yield folded(run.name, tables.pairs_table(run.name, tables.rows_of(told)))
        for pair in self.report.pairs:
            if pair.conditions:
                yield self._changed(pair)

    def _changed(self, pair: Pair) -> str:
        words = self.words
        rows = []
        for one in pair.conditions:
            head = tables.condition_head(name_of(one.name, words), one.name)
            sides = "".join(f"<td>{html(value_of(one.name, side, words))}</td>" for side in (one.base, one.other))
            rows.append(f'<tr><th scope="row">{head}</th>{sides}</tr>')
        caption = words("changed", run=pair.other, base=pair.base)
        return tables.table(caption, [words("condition"), pair.base, pair.other], rows, texts=(pair.base, pair.other))


def folded(title: str, inside: str) -> str:
    """Something that is opened by whoever wants it."""
    return f'<details class="fold"><summary>{html(title)}</summary>{inside}</details>'


def plots(figures: Iterable[charts.Figure], *, wide: bool = False) -> str:
    """Plots beside each other, "" without any."""
    drawn = "".join(
        f"<figure><figcaption>{html(one.caption)}{f'<small>{html(one.note)}</small>' if one.note else ''}</figcaption>"
        f"{one.svg}</figure>"
        for one in figures
    )
    return f'<div class="plots{" wide" if wide else ""}">{drawn}</div>' if drawn else ""
