"""Which period does the text of a cell name?"""

from __future__ import annotations

from ankare.domain.fact import Period
from ankare.ingest.figures.known import shortened
from ankare.language.periods import parse_period
from ankare.messages.remarks import remark

_ANY_YEAR = 2024


def period_of(text: str) -> Period:
    """The one period that the whole text names, in any language. Raises ValueError for what names none, or a relative one."""
    found = parse_period(text)
    if found is None and parse_period(f"{text} {_ANY_YEAR}") is not None:
        raise ValueError(remark("period_no_year", text=shortened(text)))
    if found is None:
        raise ValueError(remark("period_unknown", text=shortened(text), types=remark("period_types")))
    return found
