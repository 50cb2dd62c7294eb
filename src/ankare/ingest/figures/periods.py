"""Which period does the text of a cell name?"""

from __future__ import annotations

from ankare.domain.fact import Period
from ankare.ingest.figures.known import shortened
from ankare.language.periods import parse_period

WITH_YEAR = "write the year with it (2024Q1); in a report name its row too, as in period_rows = [4, 5]"
_ANY_YEAR = 2024
TYPES = "write a year (2024), a half-year (2024H1), a quarter (2024Q1) or a month (2024-03)"


def period_of(text: str) -> Period:
    """The one period that the whole text names, in any language. Raises ValueError for what names none, or a relative one."""
    found = parse_period(text)
    if found is None and parse_period(f"{text} {_ANY_YEAR}") is not None:
        raise ValueError(f"{shortened(text)} names no year: {WITH_YEAR}")
    if found is None:
        raise ValueError(f"{shortened(text)} is no period: {TYPES}")
    return found
