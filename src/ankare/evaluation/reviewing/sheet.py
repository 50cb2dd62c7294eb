"""How does a sheet for human review come to lie on the disk?

The sheet itself (a page, a CSV file with its descriptions beside it, or a workbook) and, where it is blind, the key that says
which run each answer is of, in a file of its own. Every file is put in place in one step.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ankare.evaluation.measures.scores_file import replace_text
from ankare.evaluation.reviewing.items import Selection
from ankare.evaluation.reviewing.page import page
from ankare.evaluation.reviewing.table import csv_text, scale_text, write_workbook

KEY_FORMAT = "ankare-review-key/1"


class Form(StrEnum):
    """How the sheet is handed out."""

    HTML = "html"
    CSV = "csv"
    XLSX = "xlsx"


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a sheet. `key` None: the sheet is not blind. `scale` None: the descriptions stand in the sheet itself."""

    sheet: Path
    key: Path | None = None
    scale: Path | None = None


def write_sheet(selection: Selection, path: Path, form: Form, language: str) -> Written:
    """Write the sheet, and beside it `<name>.key.json` and `<name>.scale.txt` where it takes them. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scale = path.with_suffix(".scale.txt") if form is Form.CSV else None
    if form is Form.XLSX:
        _replaced(path, lambda beside: write_workbook(selection, language, beside))
    else:
        replace_text(path, page(selection, language) if form is Form.HTML else csv_text(selection, language))
    if scale is not None:
        replace_text(scale, scale_text(selection, language))
    return Written(path, _write_key(selection, path) if selection.blind else None, scale)


def _write_key(selection: Selection, path: Path) -> Path:
    key = path.with_suffix(".key.json")
    replace_text(key, json.dumps({"format": KEY_FORMAT, **selection.key()}, ensure_ascii=False, indent=1) + "\n")
    return key


def _replaced(path: Path, write: Callable[[Path], None]) -> None:
    beside = path.with_name(f"{path.name}.part")
    try:
        write(beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
