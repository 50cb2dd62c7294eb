"""How is a place in a table of figures told to a reader?"""

from __future__ import annotations

import re
from collections.abc import Mapping

_ROW = re.compile(r"row (\d+)")
"""The place that a row of a CSV file is stored under."""


def said_locator(locator: str, texts: Mapping[str, str]) -> str:
    """A place in a table as a reader is told it: "row 12" in the reader's language, a cell as it is."""
    row = _ROW.fullmatch(locator)
    return texts["figures.row"].format(number=row[1]) if row else locator
