"""How is a report one file that opens anywhere, loads nothing, and runs nothing but its own script?

The most telling first: what came of it, what has to be minded, figures, plots, then every case. A page that would be too large
tells less of its cases, then leaves cases out, and says so.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from ankare.evaluation.report.case_data import block, size_of
from ankare.evaluation.report.cases import Extent, cases_html
from ankare.evaluation.report.fewer import with_fewer
from ankare.evaluation.report.place import MARK
from ankare.evaluation.report.safe import html, json_block
from ankare.evaluation.report.sections import Sections
from ankare.evaluation.report.told import Report
from ankare.evaluation.report.words import Words
from ankare.evaluation.scored import Outcome
from ankare.plot import style_sheet

MOST_BYTES = 4_800_000
EXTENTS = (
    Extent(6000, 220),
    Extent(4000, 80),
    Extent(2500, 0),
    Extent(2500, 0, evidence=False),
    Extent(400, 0, evidence=False),
)
"""From everything to what fits: the first that keeps the page below `MOST_BYTES` is taken."""


def page_html(report: Report, words: Words, *, most: int = MOST_BYTES) -> str:
    """The whole page. `most`: bytes that it should not exceed; figures and one case stand in it anyway."""
    before, after = _around(Sections(report, words))
    room = most - size_of((before, after))
    cases: list[str] = []
    for extent in EXTENTS:
        if report.evidence or not extent.evidence:
            cases = _cases(report, words, extent)
            if size_of(cases) <= room:
                break
    else:
        cases = _fewer_cases(cases, report, words, room)
    return before + "".join(cases) + after


def _fewer_cases(cases: list[str], report: Report, words: Words, room: int) -> list[str]:
    """As many cases of the least extent as fit."""
    count = len(report.suite)
    while (size := size_of(cases)) > room and count > 1:
        count = max(1, min(count - 1, int(count * _NEARLY * max(room, 0) / size)))
        cases = _cases(report, words, EXTENTS[-1], with_fewer(report, count))
    return cases


_NEARLY = 0.97
"""Cases differ in size: so much of the room is aimed at."""


def _around(sections: Sections) -> tuple[str, str]:
    """What stands before the cases, and what after them."""
    before = (
        f'{_head(sections.report, sections.words)}<body><a class="skip" href="#cases">{sections.text("skip")}</a>'
        f"{sections.top()}<main>{sections.minded()}{sections.result()}{sections.aside()}{sections.figures()}"
    )
    script = f"<script>{asset('report.js')}</script>"
    return before, f"{sections.conditions()}{sections.measures()}</main>{script}</body></html>\n"


def _head(report: Report, words: Words) -> str:
    style = style_sheet() + asset("report.css")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(asset('report.js'))}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        f'<!doctype html><html lang="{html(words.language)}"><head><meta charset="utf-8">{MARK}'
        f'<meta http-equiv="Content-Security-Policy" content="{html(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">'
        f'<meta name="color-scheme" content="light dark"><title>{html(report.title)}</title><style>{style}</style></head>'
    )


def _cases(report: Report, words: Words, extent: Extent, shown: Report | None = None) -> list[str]:
    """`shown`: the report with the cases that stand in the page, where these are not all."""
    shown = shown or report
    data = json_block(block(shown, words, extent))
    head = f'<section id="cases"><h2>{html(words("section_cases"))}</h2>'
    return [
        f'{head}{_left_out(report, words, extent, len(shown.suite))}{_filters(report, words)}<div id="list">',
        *cases_html(shown, words, extent),
        f'</div></section><script type="application/json" id="data">{data}</script>',
    ]


def _left_out(report: Report, words: Words, extent: Extent, shown: int) -> str:
    """What the page does not tell of its cases, and where that is."""
    told = []
    if left := len(report.suite) - shown:
        told.append(words("left_cases", count=words.number(left, 0), all=words.number(len(report.suite), 0)))
    if not report.evidence:
        told.append(words("no_evidence"))
    elif extent is not EXTENTS[0]:
        told.append(words("left_around") if extent.evidence else words("left_evidence"))
    if extent is EXTENTS[-1]:
        told.append(words("left_answers", count=words.number(extent.answer, 0)))
    if any(len(rows) > 1 for run in report.runs for rows in run.rows.values()):
        told.append(words("first_repeat"))
    told.append(words("rest"))
    without = f'<noscript><p class="hint">{html(words("no_script"))}</p></noscript>'
    return f'<p class="hint">{html(" ".join(told))}</p>{without}'


def _filters(report: Report, words: Words) -> str:
    """The fields that the script uses; without it they are not shown."""
    runs = [(number, run.name) for number, run in enumerate(report.runs)]
    sorts = [
        (f"{number}:{at}", f"{words.measure(one.name)} – {name}")
        for at, one in enumerate(report.shown_measures())
        for number, name in runs
    ]
    fields = (
        f'<label>{html(words("search"))} <input type="search" id="search" autocomplete="off"></label>',
        _select("type", words, "every", [(kind, words.type(kind)) for kind in report.types()]),
        _select("outcome", words, "every", [(str(name), words(f"outcome_{name}")) for name in Outcome]),
        _select("sort", words, "sort_suite", sorts),
        *(_check(name, words) for name in (("only_worse", "only_aside") if report.pairs else ("only_aside",))),
    )
    return (
        f'<form id="filters" hidden role="search" aria-label="{html(words("filter"))}">{"".join(fields)}'
        '<output id="count" aria-live="polite"></output></form>'
    )


def _select(name: str, words: Words, empty: str, options: Iterable[tuple[str, str]]) -> str:
    told = "".join(f'<option value="{html(value)}">{html(shown)}</option>' for value, shown in options)
    first = f'<option value="">{html(words(empty))}</option>'
    return f'<label>{html(words(name))} <select id="{name}">{first}{told}</select></label>'


def _check(name: str, words: Words) -> str:
    return f'<label class="check"><input type="checkbox" id="{name}"> {html(words(name))}</label>'


@cache
def asset(name: str) -> str:
    """A file of the page, as it lies in the package."""
    return (files("ankare.evaluation.report") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What a content policy allows a style or a script by (CSP 3, 2.3.1)."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode()}"
