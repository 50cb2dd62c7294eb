"""How is a comparison told to a reader, as sections with tables, in Markdown, and as JSON?

What got worse stands first. Names of runs, questions and reasons come from files of any origin: they are plain text
everywhere, whatever they hold.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ankare.cite.escape import unlinked
from ankare.evaluation.comparing.advice import Advice
from ankare.evaluation.comparing.advice_words import named, number, reason_named
from ankare.evaluation.comparing.cases import CaseChange
from ankare.evaluation.comparing.compare import Comparison, Pair
from ankare.evaluation.comparing.differences import (
    CLEAR,
    LEADING,
    LEAST_QUESTIONS,
    MILLISECONDS,
    Difference,
    Verdict,
    rank,
)
from ankare.evaluation.comparing.quality_gate import Fault
from ankare.evaluation.comparing.standing import Standing
from ankare.evaluation.statistics.resample import NoInterval
from ankare.messages import messages

MOST_ROWS = 200
LONGEST_CELL = 300
LEAST_P = 0.001
"""Smaller ones are told as smaller."""
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~&])")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with lines of text, a table, or both. `more`: rows that the table leaves out.

    `spare`: columns by their index that a narrow screen does without, the first to go first. `detail`: a short form
    goes without.
    """

    title: str
    lines: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    more: str = ""
    spare: tuple[int, ...] = ()
    detail: bool = False


def sections(
    comparison: Comparison,
    advice: Mapping[str, Advice] | None = None,
    *,
    language: str = "en",
    most_rows: int = MOST_ROWS,
) -> tuple[Section, ...]:
    """What there is to tell. `advice`: by the run that it is on. `most_rows`: of a list of questions."""
    texts = messages(language)
    found = [_runs(comparison, texts)]
    for pair in comparison.pairs:
        found += _of_pair(pair, comparison.level, language, texts, most_rows)
    if len(comparison.runs) > 2:
        found.append(_overall(comparison, language, texts))
    found += advice_sections(advice or {}, language)
    return tuple(found)


def advice_sections(advice: Mapping[str, Advice], language: str = "en") -> list[Section]:
    """One section for each run that advice is on."""
    texts = messages(language)
    return [
        Section(texts["compare.advice"].format(run=plain(run)), tuple(map(plain, one.text(language))))
        for run, one in advice.items()
    ]


def levels_section(standing: Standing, language: str = "en") -> Section:
    """Where one run stands, for itself."""
    texts = messages(language)
    head = (texts["compare.column_measure"], plain(standing.label), texts["compare.column_n"])
    rows = tuple(
        (named(name, texts), number(level.mean, language), f"{len(level.cases)}/{standing.asked}")
        for name, level in standing.levels.items()
    )
    notes = (plain(standing.note),) if standing.note else ()
    return Section(f"{plain(standing.label)} ({standing.path.value})", notes, head, rows)


def _of_pair(pair: Pair, level: float, language: str, texts: Mapping[str, str], most: int) -> list[Section]:
    names = {"base": plain(pair.base), "other": plain(pair.other)}
    table = _Table(level, language, texts)
    found = [
        table.of(texts["compare.measures"].format(**names), pair.measures, pair),
        _notes(pair, texts),
        _cases("regressions", pair.regressions, language, texts, most),
        _cases("gains", pair.gains, language, texts, most),
    ]
    if pair.dropped:
        of_path = {one.measure for one in pair.as_served} - _alike(pair)
        found.append(table.of(texts["compare.served"].format(**names), _of(pair.as_served, of_path), pair))
        found.append(_dropped(pair, texts))
    few = {kind: max(one.n for one in told) for kind, told in pair.by_type.items() if _too_few(told)}
    for kind, told in pair.by_type.items():
        if kind not in few:
            title = texts["compare.types"].format(**names, type=plain(kind))
            found.append(replace(table.of(title, told, pair), detail=True))
    if few:
        told_few = ", ".join(f"{plain(kind)} ({n})" for kind, n in few.items())
        found.append(Section(texts["compare.types_few"].format(least=LEAST_QUESTIONS), (told_few,)))
    found.append(_conditions(pair, texts))
    return found


def _too_few(told: Sequence[Difference]) -> bool:
    return all(one.verdict is Verdict.TOO_FEW for one in told)


def _alike(pair: Pair) -> set[str]:
    """The measures that say the same both ways."""
    found = set()
    for one in pair.as_served:
        path = pair.measure(one.measure)
        if path is not None and (path.n, path.base, path.other) == (one.n, one.base, one.other):
            found.add(one.measure)
    return found


def _of(told: Sequence[Difference], names: set[str]) -> tuple[Difference, ...]:
    return tuple(one for one in told if one.measure in names)


_SPARE = (7, 8, 6, 5)
"""Of `_Table.of`: p, p with Holm's correction, wins, questions. Interval and verdict say most of it."""


@dataclass(frozen=True, slots=True)
class _Table:
    """The table of measures in a language."""

    level: float
    language: str
    texts: Mapping[str, str]

    def of(self, title: str, told: Sequence[Difference], pair: Pair) -> Section:
        if not told:
            return Section(title, (self.texts["compare.nothing"],))
        names = ("difference", "interval", "n", "wins", "p", "holm", "verdict")
        head = [self.texts[f"compare.column_{name}"].format(level=f"{100 * self.level:g}") for name in names]
        measure = self.texts["compare.column_measure"]
        same = [one for one in told if not one.wins + one.losses and rank(one.measure) == len(LEADING)]
        rows = tuple(self._row(one) for one in told if one not in same)
        head = [measure, plain(pair.base), plain(pair.other), *head]
        return Section(title, (), tuple(head), rows, self._same(same), _SPARE)

    def _same(self, same: Sequence[Difference]) -> str:
        """Measures in which no question differs are named, unless they are leading ones."""
        names = ", ".join(named(one.measure, self.texts) for one in same)
        return self.texts["compare.same"].format(names=names) if names else ""

    def _row(self, one: Difference) -> tuple[str, ...]:
        unit = f" ({plain(one.unit)})" if one.unit else ""
        return (
            f"{named(one.measure, self.texts)}{unit}",
            number(one.base, self.language, one.unit),
            number(one.other, self.language, one.unit),
            number(one.difference, self.language, one.unit, signed=True),
            self._interval(one),
            str(one.n),
            f"{one.wins}/{one.ties}/{one.losses}",
            self._p(one.p),
            self._p(one.p_holm),
            self._verdict(one),
        )

    def _interval(self, one: Difference) -> str:
        if isinstance(one.interval, NoInterval):
            return self.texts["compare.no_interval"]
        bounds = (
            number(bound, self.language, one.unit, signed=True) for bound in (one.interval.low, one.interval.high)
        )
        return self.texts["advice.interval"].format(**dict(zip(("low", "high"), bounds, strict=True)))

    def _p(self, p: float | None) -> str:
        if p is None:
            return "-"
        return f"<{number(LEAST_P, self.language)}" if p < LEAST_P else number(p, self.language)

    def _verdict(self, one: Difference) -> str:
        verdict = self.texts[f"compare.verdict_{one.verdict.value}"]
        if one.verdict is Verdict.TOO_FEW:
            return f"{verdict} ({one.n})"
        if one.verdict is Verdict.DIFFERENT and one.unit == MILLISECONDS:
            return self.texts["compare.verdict_times"]
        if one.noise is None or not one.within_noise or one.verdict not in CLEAR:
            return verdict
        return self.texts["compare.within_noise"].format(
            verdict=verdict, noise=number(one.noise, self.language, one.unit)
        )


def _runs(comparison: Comparison, texts: Mapping[str, str]) -> Section:
    head = tuple(texts[f"compare.column_{name}"] for name in ("run", "path", "questions", "on_path"))
    rows = ((plain(run.label), run.path.value, str(run.questions), str(run.on_path)) for run in comparison.runs)
    notes = tuple(f"{plain(run.label)}: {plain(run.note)}" for run in comparison.runs if run.note)
    return Section(texts["compare.runs"], notes, head, tuple(rows))


def _overall(comparison: Comparison, language: str, texts: Mapping[str, str]) -> Section:
    labels = [plain(run.label) for run in comparison.runs]
    rows = (
        (named(one.measure, texts), *(number(mean, language) for mean in one.means), str(one.n))
        for one in comparison.overall
    )
    head = (texts["compare.column_measure"], *labels, texts["compare.column_n"])
    return Section(texts["compare.overall"], (), head, tuple(rows))


def _notes(pair: Pair, texts: Mapping[str, str]) -> Section:
    lines = []
    for note in pair.notes:
        told = {name: plain(value) for name, value in note.told.items()}
        if "measure" in told:
            told["measure"] = named(told["measure"], texts)
        mark = "! " if note.warning else ""
        lines.append(mark + texts[f"compare.note_{note.code}"].format(**told))
    return Section(texts["compare.minded"], tuple(lines) or (texts["compare.nothing"],))


def _cases(kind: str, changes: Sequence[CaseChange], language: str, texts: Mapping[str, str], most: int) -> Section:
    title = texts[f"compare.{kind}"].format(n=len(changes))
    head = tuple(texts[f"compare.column_{name}"] for name in ("question", "type", "what"))
    rows = tuple(
        (plain(f"{one.case_id} {one.question}".strip()), plain(one.type), _changed(one, language, texts))
        for one in changes[:most]
    )
    return Section(title, (), head if rows else (), rows, _more(len(changes) - most, texts))


def _changed(change: CaseChange, language: str, texts: Mapping[str, str]) -> str:
    parts = []
    if change.base_outcome is not change.other_outcome:
        ends = (texts[f"compare.outcome_{end.value}"] for end in (change.base_outcome, change.other_outcome))
        parts.append(" -> ".join(ends))
    parts += [
        f"{named(one.measure, texts)} {number(one.base, language)} -> {number(one.other, language)}"
        for one in change.moved
    ]
    asides = _reasons(change.other_asides, texts)
    return "; ".join(parts) + (f" ({asides})" if asides else "")


def _dropped(pair: Pair, texts: Mapping[str, str]) -> Section:
    """The questions by what they dropped out for, the most frequent reasons first."""
    groups: dict[tuple[str, str], list[str]] = {}
    for one in pair.dropped:
        reasons = _reasons(one.base, texts) or "-", _reasons(one.other, texts) or "-"
        groups.setdefault(reasons, []).append(one.case_id)
    rows = (
        (str(len(cases)), *reasons, plain(", ".join(cases)))
        for reasons, cases in sorted(groups.items(), key=lambda item: -len(item[1]))
    )
    head = (texts["compare.column_n"], plain(pair.base), plain(pair.other), texts["compare.column_question"])
    return Section(texts["compare.dropped"].format(n=len(pair.dropped)), (), head, tuple(rows))


def _reasons(codes: Sequence[str], texts: Mapping[str, str]) -> str:
    return plain(", ".join(reason_named(code, texts) for code in codes))


def _conditions(pair: Pair, texts: Mapping[str, str]) -> Section:
    head = (texts["compare.column_condition"], plain(pair.base), plain(pair.other))
    rows = tuple((plain(one.name), plain(one.base), plain(one.other)) for one in pair.conditions)
    lines = () if rows else (texts["compare.nothing"],)
    return Section(texts["compare.conditions"], lines, head if rows else (), rows)


def _more(left: int, texts: Mapping[str, str]) -> str:
    return texts["compare.more"].format(n=left) if left > 0 else ""


def plain(text: str) -> str:
    """A text as one line of what can be seen, so long at most."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line if len(line) <= LONGEST_CELL else f"{line[: LONGEST_CELL - 1]}…"


# --- Markdown


def markdown(told: Sequence[Section], title: str) -> str:
    """The sections as one Markdown text; nothing in a cell is Markdown or HTML, a link or somebody's name that is called."""
    return "\n".join([f"# {_cell(title)}", "", *(line for one in told for line in _section(one))]).rstrip() + "\n"


def _section(section: Section) -> Iterator[str]:
    yield from (f"## {_cell(section.title)}", "")
    for line in section.lines:
        yield f"- {_cell(line)}"
    if section.lines:
        yield ""
    if section.head:
        yield f"| {' | '.join(map(_cell, section.head))} |"
        yield f"|{'---|' * len(section.head)}"
        for row in section.rows:
            yield f"| {' | '.join(map(_cell, row))} |"
        yield ""
    if section.more:
        yield from (_cell(section.more), "")


def _cell(text: str) -> str:
    return unlinked(_MARKS.sub(r"\\\1", text))


# --- JSON


def body(
    comparison: Comparison | None,
    standings: Sequence[Standing],
    advice: Mapping[str, Advice],
    faults: Sequence[Fault],
    language: str = "en",
) -> dict[str, Any]:
    """Everything as JSON values: `runs` with each mean, `comparison` (None for one run alone), `advice` by run, `gate`."""
    return {
        "runs": [_standing(one) for one in standings],
        "comparison": None if comparison is None else _comparison(comparison),
        "advice": {run: asdict(one) | {"text": list(one.text(language))} for run, one in advice.items()},
        "gate": {"passed": not faults, "faults": [asdict(fault) for fault in faults]},
    }


def _standing(standing: Standing) -> dict[str, Any]:
    """A mean that is no number is null."""
    levels = {
        name: {"mean": level.mean if math.isfinite(level.mean) else None, "n": len(level.cases)}
        for name, level in standing.levels.items()
    }
    kept = {"label": standing.label, "path": standing.path, "suite": standing.suite, "questions": standing.asked}
    return kept | {"revision": standing.revision, "at": standing.at, "note": standing.note, "measures": levels}


def _comparison(comparison: Comparison) -> dict[str, Any]:
    told = asdict(comparison)
    for pair, row in zip(comparison.pairs, told["pairs"], strict=True):
        row["regressions"] = [one.case_id for one in pair.regressions]
        row["gains"] = [one.case_id for one in pair.gains]
        for basis in ("measures", "as_served"):
            for one, shown in zip(getattr(pair, basis), row[basis], strict=True):
                shown["within_noise"] = one.within_noise
    return told
