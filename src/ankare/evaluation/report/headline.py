"""What was compared, what came of it, and what should be done? In a few sentences, with what has to be minded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ankare.evaluation.comparing.cases import CaseChange
from ankare.evaluation.comparing.compare import Pair
from ankare.evaluation.comparing.conditions import mixed
from ankare.evaluation.comparing.differences import LEADING, Difference, Verdict
from ankare.evaluation.comparing.notes import Note
from ankare.evaluation.measures.paths import FIGURES
from ankare.evaluation.report.condition_words import named
from ankare.evaluation.report.told import FEW, Report, ReportRun
from ankare.evaluation.report.words import Words

MOST_NAMED = 4
NUMBER = re.compile(r"(?P<sign>[+-]?)\d{1,12}\.(?P<decimals>\d{1,6})")
TOLD_ELSEWHERE = ("suites_differ", "mixed_versions")
OF_CONDITIONS = ("one_condition", "several_conditions")
Changes = Sequence[tuple[Pair, CaseChange]]


def headline(report: Report, words: Words) -> list[str]:
    """What was compared, then for each other run what came of it and what to do."""
    names = [run.name for run in report.runs]
    count = words.counted("questions", len(report.suite))
    if not report.pairs:
        told = [words("head_one", run=names[0], questions=count), _levels(report.runs[0], words)]
        return [*told, *(one.text(words.language)[0] for one in report.advice.values())]
    compared = words("head_many", base=names[0], others=listed(names[1:], words), questions=count)
    return [compared, *(_result(pair, report, words) for pair in report.pairs)]


def remarks(report: Report, words: Words) -> list[str]:
    """What whoever made the runs wants their readers to know, once for all runs that it is said of."""
    said: dict[str, list[str]] = {}
    for run in report.runs:
        if note_of := run.scored.conditions.note.strip():
            said.setdefault(note_of, []).append(run.name)
    return [words("warn_note", runs=listed(runs, words), note=told) for told, runs in said.items()]


def warnings(report: Report, words: Words) -> list[str]:
    """What may make the result wrong or mislead: the runs' own notes first, then what there is of the suite, of the runs, of
    each pair; of each kind the first, once."""
    found = remarks(report, words)
    drafts = sum(case.draft for case in report.suite)
    if drafts:
        found.append(words("warn_drafts", count=words.number(drafts, 0), all=words.number(len(report.suite), 0)))
    if len(report.suite) < FEW:
        found.append(words("warn_few", questions=words.counted("questions", len(report.suite))))
    for run in report.runs:
        found += _of_run(run, report, words)
    found += _asides(report, words)
    told: dict[str, list[str]] = {}
    for pair in report.pairs:
        for one in _first_of_kind(pair):
            told.setdefault(note(one, words), []).append(pair.other)
    return [*found, *(f"{listed(runs, words)}: {text}" for text, runs in told.items())]


def _first_of_kind(pair: Pair) -> Iterator[Note]:
    codes = set(TOLD_ELSEWHERE)
    for one in pair.notes:
        if one.warning and one.code not in codes:
            codes.add(one.code)
            yield one


def note(one: Note, words: Words) -> str:
    """A note of the comparison in words."""
    told = {name: _in_words(one.code, name, value, words) for name, value in one.told.items()}
    text = words.named("compare", f"note_{one.code}")
    try:
        return text.format(**told)
    except (KeyError, IndexError):
        return text


def _in_words(code: str, name: str, value: str, words: Words) -> str:
    """Names of conditions and measures as they are called, a number as its reader writes it."""
    if code in OF_CONDITIONS and name in ("name", "names"):
        return ", ".join(named(part, words) for part in value.split(", "))
    if name in ("measure", "names"):
        return ", ".join(words.measure(part) for part in value.split(", "))
    number = NUMBER.fullmatch(value)
    if not number:
        return value
    write = words.signed if number["sign"] else words.number
    return write(float(value), len(number["decimals"]))


def losses(changes: Changes, words: Words, most: int = 2) -> str:
    """What a question lost, run by run."""
    told = []
    for pair, change in changes:
        moved = [f"{words.measure(one.measure)} {words.signed(one.gain, 2)}" for one in change.moved if one.gain < 0]
        told.append(f"{pair.other}: {', '.join(moved[:most]) or words(f'outcome_{change.other_outcome}')}")
    return "; ".join(told)


def listed(names: list[str], words: Words) -> str:
    """Names in a row: "a, b och c"; of many the first and how many more."""
    if len(names) > MOST_NAMED:
        more = words("and_more", count=words.number(len(names) - MOST_NAMED, 0))
        return f"{', '.join(names[:MOST_NAMED])} {more}"
    if len(names) < 2:
        return "".join(names)
    return words("and", first=", ".join(names[:-1]), last=names[-1])


def _of_run(run: ReportRun, report: Report, words: Words) -> Iterator[str]:
    held = run.scored.conditions
    if mixed(held):
        yield words("warn_mixed", run=run.name)
    if held.suite_digest != report.runs[0].scored.conditions.suite_digest:
        yield words("warn_suites", run=run.name, base=report.runs[0].name)
    missing = len(report.suite) - len(run.rows)
    if missing > 0:
        yield words("warn_missing", run=run.name, questions=words.counted("questions", missing))


def _asides(report: Report, words: Words) -> Iterator[str]:
    """How many answers of each run do not count for its path, apart from what the figures answered."""
    away = []
    for run in report.runs:
        count = sum(number for reason, number in run.asides.items() if reason != FIGURES)
        if count:
            share = words("of", part=words.number(count, 0), all=words.number(len(run.scored.rows), 0))
            away.append(f"{run.name} {share}")
    if away:
        yield words("warn_aside", runs=", ".join(away))


def _levels(run: ReportRun, words: Words) -> str:
    held = [f"{words.measure(name)} {words.number(run.levels[name].mean, 2)}" for name in LEADING if name in run.levels]
    return words("head_levels", levels="; ".join(held)) if held else words("head_nothing")


def _result(pair: Pair, report: Report, words: Words) -> str:
    """The result of a pair, and the advice: that on a chain where it is one."""
    found = [one for one in pair.measures if one.measure in LEADING]
    better, worse = (_named(found, verdict, words) for verdict in (Verdict.BETTER, Verdict.WORSE))
    told = {"run": pair.other, "base": pair.base, "better": better, "worse": worse}
    if better and worse:
        result = "result_mixed"
    elif better or worse:
        result = "result_better" if better else "result_worse"
    else:
        few = all(one.verdict is Verdict.TOO_FEW for one in found)
        result = "result_few" if few else "result_even"
    on_chain = report.advice.get(pair.other)
    advice = on_chain.text(words.language)[0] if on_chain else words(result.replace("result", "advice"), **told)
    return f"{words(result, **told)} {advice}"


def _named(found: list[Difference], verdict: Verdict, words: Words) -> str:
    names = [
        f"{words.inside(words.measure(one.measure))} ({words.signed(one.difference, 2)})"
        for one in found
        if one.verdict is verdict
    ]
    return listed(names, words)
