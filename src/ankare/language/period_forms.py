"""What can be said of a period once it is known: its code, its name for a reader, its neighbours?

The codes are those of the facts: "2024" (also "FY2024"), "2024H1", "2024T1" (four months), "2024Q3" and "2024-03". A financial
year is a calendar year.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ankare.domain.fact import Period, PeriodType
from ankare.language.period_words import labels

PER_YEAR: Mapping[str, int] = {"FY": 1, "HY": 2, "TERTIAL": 3, "QUARTER": 4, "MONTH": 12}
"""How many periods of a type a year holds. From the coarsest to the finest."""
FIRST_YEAR, LAST_YEAR = 1000, 2999

_FORMS: Mapping[str, str] = {
    "FY": "{0}",
    "HY": "{0}H{1}",
    "TERTIAL": "{0}T{1}",
    "QUARTER": "{0}Q{1}",
    "MONTH": "{0}-{1:02}",
}
_CODE = re.compile(
    r"(?:(?:FY)?(?P<FY>[0-9]{4})|(?P<year>[0-9]{4})"
    r"(?:H(?P<HY>[12])|T(?P<TERTIAL>[1-3])|Q(?P<QUARTER>[1-4])|-(?P<MONTH>[0-9]{2})))"
)


def period_code(period: Period) -> str:
    """The code that names a period without its type beside it: "FY2024", "2024H1", "2024T1", "2024Q3", "2024-03".

    `read_code` and `parse_period` read it back. Raises ValueError for what is no period.
    """
    _split(period)
    return f"FY{period[1]}" if period[0] == "FY" else period[1]


def read_code(text: str) -> Period | None:
    """The period of a code as `period_code` writes it, also "2024" for a year; None for anything else."""
    found = _CODE.fullmatch(text.strip().upper())
    if found is None:
        return None
    if found["FY"]:
        return make_period("FY", int(found["FY"]))
    kind = next(kind for kind in PeriodType if found[kind.value])
    return make_period(kind.value, int(found["year"]), int(found[kind.value]))


def make_period(kind: str, year: int, part: int = 1) -> Period | None:
    """The `part`-th period of this type in a year, from 1; None where the year has no such part ("Q5")."""
    if not (FIRST_YEAR <= year <= LAST_YEAR and 1 <= part <= PER_YEAR[kind]):
        return None
    return Period(kind, _FORMS[kind].format(year, part))


def year_and_part(period: Period) -> tuple[int, int]:
    """The year of a period and which of its type it is there, from 1. Raises ValueError for what is no period."""
    return _split(period)


def shifted(period: Period, steps: int) -> Period | None:
    """The period so many of its own length later (earlier where negative); None beyond the years that are read."""
    year, part = _split(period)
    size = PER_YEAR[period[0]]
    years, rest = divmod(part - 1 + steps, size)
    return make_period(period[0], year + years, rest + 1)


def covers(longer: Period, shorter: Period) -> bool:
    """Does the whole of `shorter` lie in `longer`? A period covers itself. Raises ValueError for what is no period."""
    (first, last), (begin, end) = _months(longer), _months(shorter)
    return first <= begin and end <= last


def period_label(period: Period, language: str) -> str:
    """A period as a reader of the language reads it: "första halvåret 2024", "Q3 2024", "2024年3月".

    Raises ValueError for what is no period, PackError for a language without a pack.
    """
    year, part = _split(period)
    return labels(language, period[0])[part - 1].format(year=year)


def _split(period: Period) -> tuple[int, int]:
    found = _CODE.fullmatch(period[1])
    number = found[str(period[0])] if found is not None and period[0] in PER_YEAR else None
    if found is None or not number or period[1].startswith("FY"):
        raise ValueError(f"{tuple(period)!r} is no period")
    year, part = (int(number), 1) if period[0] == "FY" else (int(found["year"]), int(number))
    if make_period(period[0], year, part) is None:
        raise ValueError(f"{tuple(period)!r} is no period")
    return year, part


def _months(period: Period) -> tuple[int, int]:
    """The first and last month of a period, counted from the year 0."""
    year, part = _split(period)
    length = 12 // PER_YEAR[period[0]]
    first = 12 * year + length * (part - 1)
    return first, first + length - 1
