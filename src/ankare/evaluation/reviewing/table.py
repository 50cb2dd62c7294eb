"""What is the sheet for those who would rather rate in a spreadsheet?

One row an answer: its id, what was asked and answered, what is cited, then a column for each point, the comment and the
rater's name. No cell is a formula, whatever an answer holds. The descriptions of the ratings go with it: as a second sheet of a
workbook, as a text beside a CSV file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from ankare.evaluation.cells import harmless
from ankare.evaluation.reviewing.answer import cited_of, plain_answer
from ankare.evaluation.reviewing.criteria import CANNOT, CRITERIA, SCALE, criteria
from ankare.evaluation.reviewing.items import Item, Selection
from ankare.evaluation.reviewing.page import about, right, too_large
from ankare.messages import messages

SHOWN = ("sheet", "item", "run", "case", "repeat", "type", "outcome", "question", "answer", "cited", "right")
MOST_BYTES = 12_000_000
RATED = (*CRITERIA, "comment", "rater")
_WIDTHS = {"question": 40, "answer": 60, "cited": 60, "right": 40, "comment": 40, "rater": 18}


def rows(selection: Selection, language: str) -> Iterator[tuple[str, ...]]:
    """The head and a row for each item, every cell harmless. A blind sheet says neither run nor case.

    Raises BadInputError for more than MOST_BYTES: filled in, the sheet has to be small enough to be read back.
    """
    hidden = {"run", "case", "repeat"} if selection.blind else set()
    yield (*(name for name in SHOWN if name not in hidden), *RATED)
    size = 0
    for item in selection.items:
        told = _told(item, selection.id, language)
        size += sum(len(cell.encode()) for cell in told.values())
        if size > MOST_BYTES:
            raise too_large(MOST_BYTES)
        yield (*(told[name] for name in SHOWN if name not in hidden), *("" for _ in RATED))


def csv_text(selection: Selection, language: str) -> str:
    """The sheet as CSV, with the mark by which Excel knows UTF-8."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerows(rows(selection, language))
    return "\ufeff" + out.getvalue()


def scale_text(selection: Selection, language: str) -> str:
    """How the sheet is filled in, and what the ratings mean."""
    lines = [messages(language)["review.table_how"].format(cannot=CANNOT), "", *about(selection, language)]
    for point in criteria(language):
        lines += ["", f"{point.name}: {point.label}. {point.asks}"]
        lines += [f"  {number}  {anchor}" for number, anchor in zip(SCALE, point.anchors, strict=True)]
    return "\n".join(lines) + "\n"


def write_workbook(selection: Selection, language: str, path: Path) -> None:
    """The sheet as a workbook whose columns of ratings take nothing but a rating. Raises OSError."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook()
    sheet = book.active
    sheet.title = "ratings"
    for row in rows(selection, language):
        sheet.append(row)
    head = [top.value for top in sheet[1]]
    for top in sheet[1]:
        top.font = Font(bold=True)
        sheet.column_dimensions[top.column_letter].width = _WIDTHS.get(str(top.value), 14)
    for held in chain.from_iterable(sheet.iter_rows(min_row=2)):
        held.alignment = Alignment(wrap_text=True, vertical="top")
        held.data_type = "s" if held.value else held.data_type  # a text stays one, whatever it begins with
    sheet.freeze_panes = "A2"
    allowed = DataValidation(type="list", formula1=f'"{",".join([*map(str, SCALE), CANNOT])}"', allow_blank=True)
    first, last = (get_column_letter(head.index(name) + 1) for name in (CRITERIA[0], CRITERIA[-1]))
    allowed.add(f"{first}2:{last}{max(2, sheet.max_row)}")
    sheet.add_data_validation(allowed)
    words = book.create_sheet("scale")
    words.column_dimensions["A"].width = 100
    for line in scale_text(selection, language).splitlines():
        words.append([harmless(line)])
    book.save(path)


def _told(item: Item, sheet: str, language: str) -> dict[str, str]:
    cited = (
        f"[{one.number}] {one.place(language)}" + "".join(f"\n  {quote}" for quote in one.quotes)
        for one in cited_of(item.response)
    )
    told = {
        "sheet": sheet,
        "item": item.id,
        "run": item.run_name,
        "case": item.case.id,
        "repeat": str(item.repeat),
        "type": item.case.type,
        "outcome": item.outcome.value,
        "question": item.case.question,
        "answer": plain_answer(item.response),
        "cited": "\n".join(cited),
        "right": "\n".join(right(item.case, language)),
    }
    return {name: harmless(text) for name, text in told.items()}
