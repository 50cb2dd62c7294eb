"""How does a text stand in a cell, so that no spreadsheet works it out, and how is it read back?"""

from __future__ import annotations

import re

FORMULA = re.compile(r"\s*[=+\-@\t\r\n|%＝＋－＠]")
"""How a cell begins that a spreadsheet might work out (OWASP, CSV injection); some take the wide signs too."""
LONGEST_CELL = 32_000
"""Characters; a workbook's cell holds 32,767."""
_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def harmless(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula, without what no cell can hold."""
    text = _UNFIT.sub("\ufffd", text)[:LONGEST_CELL]
    return f"'{text}" if FORMULA.match(text) else text


def as_written(cell: str) -> str:
    """What stood in a cell before it was made harmless."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell[1:]) else cell
