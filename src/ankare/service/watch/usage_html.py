"""How do the sections of a usage report stand on a page: within the library, or as one file that can be sent to somebody?

HTML that we wrote around escaped text: nothing that stands in a log is markup, a link or an address. The file loads nothing,
and its policy would not let it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from html import escape as quoted
from importlib.resources import files

from ankare.messages import messages
from ankare.plot import style_sheet
from ankare.service.watch.usage_charts import Drawing
from ankare.service.watch.usage_sections import Section
from ankare.service.watch.usage_tables import Table
from ankare.service.watch.usage_words import Cell

LONG = 24
"""Characters from which on a text may take several lines."""
SMALL = 4
"""Columns that a phone has room for, where no text is long."""


def sections_html(sections: Sequence[Section], *, level: int = 2) -> str:
    """The sections, with headings of a level."""
    return "".join(_section(section, level) for section in sections)


def report_html(sections: Sequence[Section], language: str) -> str:
    """The whole document, in one piece."""
    title = quoted(messages(language)["usage.report_title"])
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        f'<!doctype html><html lang="{quoted(language)}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f'<meta name="robots" content="noindex"><title>{title}</title><style>{style}</style></head>'
        f'<body><main class="usage"><h1>{title}</h1>{sections_html(sections)}</main></body></html>\n'
    )


@cache
def _style() -> str:
    own = (files("ankare.service.watch") / "usage_report.css").read_text(encoding="utf-8")
    return f"{style_sheet()}\n{own}"


def _section(section: Section, level: int) -> str:
    name = f"usage-{section.name}"
    lines = "".join(f"<p>{quoted(line)}</p>" for line in section.lines)
    tables = "".join(_table(table, level + 1, section.title) for table in section.tables)
    notes = "".join(f'<p class="usage-note">{quoted(note)}</p>' for note in section.notes)
    return (
        f'<section class="usage-section"><h{level} id="{name}">{quoted(section.title)}</h{level}>'
        f'{lines}{_charts(section.charts)}<div class="usage-tables">{tables}</div>{notes}</section>'
    )


def _charts(charts: Sequence[Drawing]) -> str:
    drawn = "".join(f"<figure><figcaption>{quoted(chart.title)}</figcaption>{chart.svg}</figure>" for chart in charts)
    return f'<div class="usage-charts">{drawn}</div>' if drawn else ""


def _table(table: Table, level: int, section: str) -> str:
    """A table with its heading, that of the section aside; a wide one can be scrolled, with the keyboard too."""
    alone = table.title == section
    heading = "" if alone else f"<h{level}>{quoted(table.title)}</h{level}>"
    label = quoted(section if alone else f"{section}: {table.title}")
    kinds = [_kind(table, column) for column in range(len(table.head))]
    head = "".join(f'<th scope="col"{kind}>{quoted(name)}</th>' for name, kind in zip(table.head, kinds, strict=True))
    rows = "".join(f"<tr>{''.join(_cells(table, row, kinds))}</tr>" for row in table.rows)
    small = " usage-small" if _is_small(table) else ""
    return (
        f'<div class="usage-table{small}">{heading}<div class="ak-scroll" role="region" tabindex="0" aria-label="{label}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></div>"
    )


def _is_small(table: Table) -> bool:
    return len(table.head) <= SMALL and all(len(cell.shown) <= LONG for row in table.rows for cell in row[1:])


def _cells(table: Table, row: Sequence[Cell], kinds: Sequence[str]) -> list[str]:
    first, *rest = row
    told = [f'<th scope="row"{_long(first)}>{quoted(first.shown)}</th>']
    names = zip(table.head[1:], kinds[1:], rest, strict=True)
    told += [
        f'<td data-name="{quoted(name)}"{kind or _long(cell)}>{quoted(cell.shown)}</td>' for name, kind, cell in names
    ]
    return told


def _kind(table: Table, column: int) -> str:
    cells = [row[column] for row in table.rows]
    return ' class="ak-number"' if column and any(cell.number for cell in cells) else ""


def _long(cell: Cell) -> str:
    return ' class="usage-long"' if len(cell.shown) > LONG else ""
