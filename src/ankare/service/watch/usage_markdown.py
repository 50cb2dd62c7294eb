"""How is a usage report written as text: as Markdown, or as a folder of tables for a spreadsheet?"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

from ankare.cite.escape import cell as cell_text
from ankare.cite.escape import unlinked
from ankare.messages import messages
from ankare.service.watch.feedback import harmless
from ankare.service.watch.usage_sections import Section
from ankare.service.watch.usage_summary import Piece, Totals, UsageSummary
from ankare.service.watch.usage_tables import Table

OVER_TIME = "over_time"


def report_markdown(sections: Sequence[Section], language: str) -> str:
    """The report, without its charts. What people wrote is escaped; it calls nobody and links nowhere."""
    parts = [f"# {messages(language)['usage.report_title']}"]
    for section in sections:
        parts.append(f"## {section.title}")
        parts += map(_cell, section.lines)
        for table in section.tables:
            parts += ([] if table.title == section.title else [f"### {table.title}"]) + ["\n".join(_rows(table))]
        parts += map(_cell, section.notes)
    return "\n\n".join(parts) + "\n"


def _rows(table: Table) -> Iterator[str]:
    numbers = [any(row[column].number for row in table.rows) for column in range(len(table.head))]
    yield _row(table.head)
    yield _row(["---:" if number else "---" for number in numbers])
    for row in table.rows:
        yield _row([_cell(cell.shown) for cell in row])


def _cell(text: str) -> str:
    return unlinked(cell_text(text))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def write_tables(summary: UsageSummary, sections: Sequence[Section], folder: Path) -> list[Path]:
    """One CSV file per table, and one of the pieces of the period; gives their paths. Cells that a spreadsheet might work out
    begin with an apostrophe. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {table.name: _csv(table.head, _values(table)) for section in sections for table in section.tables}
    tables[OVER_TIME] = _csv(("start", *Totals.__slots__), map(_piece, summary.pieces))
    written = []
    for name, text in tables.items():
        path = folder / f"{name}.csv"
        path.write_text(text, encoding="utf-8", newline="")
        written.append(path)
    return written


def _values(table: Table) -> Iterator[list[object]]:
    """Numbers as they are, words as they are shown."""
    for row in table.rows:
        yield [cell.value if cell.number or cell.value is None else cell.shown for cell in row]


def _piece(piece: Piece) -> list[object]:
    return [piece.start, *(getattr(piece.totals, name) for name in Totals.__slots__)]


def _csv(head: Sequence[str], rows: Iterator[list[object]]) -> str:
    out = StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow([harmless(name) for name in head])
    for row in rows:
        table.writerow(["" if value is None else value if _is_number(value) else harmless(str(value)) for value in row])
    return out.getvalue()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)
