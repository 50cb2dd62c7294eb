"""How does one question stand in the report: what was asked, what would be right, what each run said?

What stands here is read without a script. Evidence, decisions and scores of a case come from the block of data (`case_data`)
when it is opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ankare.evaluation.captured import Capture, CitedSpan, Context, Response, Statement
from ankare.evaluation.case import Case
from ankare.evaluation.comparing.cases import CaseChange
from ankare.evaluation.comparing.compare import Pair
from ankare.evaluation.report.right import RightPart, right_parts
from ankare.evaluation.report.safe import anchor, html, shortened
from ankare.evaluation.report.told import Report, ReportRun
from ankare.evaluation.report.words import Words
from ankare.evaluation.scored import Scored

MOST_GOLD = 12
COLOURS = 8
WEAK = 0.5
"""A sentence whose support is told and lies below is marked, unless its own verdict stands there."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of a case is told: characters of an answer, and whether evidence, and how much text around what is cited."""

    answer: int
    around: int
    evidence: bool = True


Worse = Mapping[str, Sequence[tuple[Pair, CaseChange]]]


def cases_html(report: Report, words: Words, extent: Extent) -> list[str]:
    """Every case, closed, those that got worse first."""
    worse = report.regressions()
    return [_case(case, place, report, words, extent, worse) for place, case in enumerate(report.cases())]


def _case(case: Case, place: int, report: Report, words: Words, extent: Extent, all_worse: Worse) -> str:
    """`place`: its number in the block of data."""
    rows = [run.first(case.id) for run in report.runs]
    worse = all_worse.get(case.id, ())
    answers = "".join(
        _answer(number, run, row, words, extent)
        for number, (run, row) in enumerate(zip(report.runs, rows, strict=True))
    )
    return (
        f'<details class="case" id="{html(anchor(case.id))}" data-n="{place}"{" data-worse" if worse else ""}><summary>'
        f'<span class="question">{html(case.question)}</span><span class="facts">{_facts(case, words)}</span>'
        f'<span class="chips">{"".join(_chips(rows, report, words))}</span></summary><div class="inside">'
        f'{"".join(_losses(worse, words))}{_right(case, words)}<div class="answers">{answers}</div>'
        '<div class="more"></div></div></details>'
    )


def numbered(statements: Sequence[Statement]) -> dict[tuple[str, tuple[int, ...]], int]:
    """Each cited place with its number, in the order of the answer."""
    places = dict.fromkeys((span.source, span.pages) for one in statements for span in one.evidence)
    return {place: number for number, place in enumerate(places, 1)}


def unsupported(row: Scored) -> list[str]:
    """The sentences that the sources do not hold or speak against, as faithfulness has judged them."""
    told = row.details.get("faithfulness")
    judged = told.get("statements") if isinstance(told, Mapping) else None
    found = []
    for one in judged if isinstance(judged, Sequence) else ():
        if isinstance(one, Mapping) and isinstance(one.get("text"), str) and not holds_up(one):
            found.append(str(one["text"]).rstrip("…"))
    return found


def holds_up(judged: Mapping[str, object]) -> bool:
    """Is a judged sentence supported?"""
    told = judged.get("supported")
    if isinstance(told, bool):
        return told
    support = judged.get("support")
    return not judged.get("conflict") and (not isinstance(support, int | float) or support >= WEAK)


def place_of(span: CitedSpan | Context, words: Words) -> str:
    """A source with its pages."""
    pages = ", ".join(map(str, span.pages[:6])) + (", …" if len(span.pages) > 6 else "")
    return f"{span.source}, {words('page', pages=pages)}" if pages else span.source


def _facts(case: Case, words: Words) -> str:
    told = [case.id, words.type(case.type) if case.type else ""]
    if case.answerable is False:
        told.append(words("not_answerable"))
    if case.draft:
        told.append(words("draft"))
    return html(" · ".join(filter(None, told)))


def run_key(number: int, name: str = "") -> str:
    """The number of a run on its colour. `name`: said to who cannot see it, where it does not stand beside it."""
    told = f'<span class="unseen"> {html(name)}</span>' if name else ""
    return f'<span class="key key-{number % COLOURS}">{number + 1}{told}</span>'


def _chips(rows: Sequence[Scored | None], report: Report, words: Words) -> Iterator[str]:
    """How it ended, runs together that ended alike."""
    alike: dict[tuple[str, str], list[int]] = {}
    for number, row in enumerate(rows):
        ended = (row.outcome.value, row.aside) if row else ("none", "")
        alike.setdefault(ended, []).append(number)
    for (outcome, aside), numbers in alike.items():
        keys = "".join(run_key(number, report.runs[number].name) for number in numbers) if len(rows) > 1 else ""
        told = words(f"outcome_{outcome}") + (f" – {words.inside(words.aside(aside))}" if aside else "")
        yield f'<span class="chip {outcome}{" apart" if aside else ""}">{keys} {html(told)}</span>'


def _losses(worse: Sequence[tuple[Pair, CaseChange]], words: Words) -> Iterator[str]:
    for pair, change in worse:
        lost = [
            f"{words.measure(one.measure)} {words.number(one.base, 2)} → {words.number(one.other, 2)}"
            for one in change.moved
            if one.gain < 0
        ] or [words(f"outcome_{change.other_outcome}")]
        yield f'<p class="loss"><b>{html(words("worse_in", run=pair.other))}</b> {html("; ".join(lost))}</p>'


def _right(case: Case, words: Words) -> str:
    """What would be right: the reference answer, the parts of the gold as they are scored, the figures."""
    parts = []
    if case.reference_answer:
        parts.append(f"<p>{html(case.reference_answer)}</p>")
    gold = [_right_part(one, words) for one in right_parts(case, lambda pages: words("page", pages=pages))[:MOST_GOLD]]
    figures = [
        html(" ".join(filter(None, (one.value, one.unit, one.metric, one.entity, one.period, one.channel, one.mode))))
        for one in case.expected[:MOST_GOLD]
    ]
    items = "".join([*gold, *(f"<li>{one}</li>" for one in figures)])
    if items:
        parts.append(f'<ul class="gold">{items}</ul>')
    return f'<section class="right"><h4>{html(words("reference"))}</h4>{"".join(parts)}</section>' if parts else ""


def _right_part(one: RightPart, words: Words) -> str:
    said = f": <q>{html(one.snippet)}</q>" if one.snippet else ""
    longer = ", ".join(f"<q>{html(text)}</q>" for text in one.same[:MOST_GOLD])
    same = f" <small>({html(words('reference_same'))}: {longer})</small>" if longer else ""
    return f"<li>{html(one.places)}{said}{same}</li>"


def _answer(number: int, run: ReportRun, row: Scored | None, words: Words, extent: Extent) -> str:
    capture = run.captures.get((row.case_id, row.repeat)) if row else None
    head = f"<h4>{run_key(number)} {html(run.name)}</h4>"
    return f'<section class="answer" data-run="{number}">{head}{_said(row, capture, words, extent)}</section>'


def _said(row: Scored | None, capture: Capture | None, words: Words, extent: Extent) -> str:
    if row is None:
        return f'<p class="none">{html(words("outcome_none"))}</p>'
    state = f'<p class="aside">{html(words.aside(row.aside))}</p>' if row.aside else ""
    if capture is None or capture.response is None:
        detail = capture.failure.detail if capture and capture.failure else ""
        return f'{state}<p class="none">{html(shortened(detail, 400) or words(f"outcome_{row.outcome}"))}</p>'
    return state + _response(capture.response, row, words, extent)


def _response(response: Response, row: Scored, words: Words, extent: Extent) -> str:
    if not response.statements:
        return _plain(response.markdown, words, extent.answer)
    numbers, weak = numbered(response.statements), unsupported(row)
    said, room = [], extent.answer
    for one in response.statements:
        if room <= 0:
            said.append(f'<p class="cut">{html(words("cut"))}</p>')
            break
        said.append(_statement(one, numbers, weak, words, room))
        room -= len(one.text)
    sources = "".join(f"<li>{html(place_of(CitedSpan(source, pages, ''), words))}</li>" for source, pages in numbers)
    return f'{"".join(said)}<ol class="sources">{sources}</ol>' if sources else "".join(said)


def _statement(
    one: Statement, numbers: Mapping[tuple[str, tuple[int, ...]], int], weak: Sequence[str], words: Words, room: int
) -> str:
    marks = "".join(
        f'<sup class="cite">{n}</sup>' for n in dict.fromkeys(numbers[s.source, s.pages] for s in one.evidence)
    )
    bad = any(text and text in one.text for text in weak)
    told = f' <span class="flag">{html(words("unsupported"))}</span>' if bad else ""
    kind = f"say {one.form}{' weak' if bad else ''}"
    return f'<p class="{kind}">{html(shortened(one.text, max(room, 80)))}{marks}{told}</p>'


def _plain(markdown: str, words: Words, most: int) -> str:
    """A text without statements, paragraph by paragraph, as it was written."""
    shown = shortened(markdown, most)
    parts = [f'<p class="say">{html(part)}</p>' for part in shown.split("\n\n") if part.strip()]
    return "".join(parts) or f'<p class="none">{html(words("no_text"))}</p>'
