"""What is a figure with its lineage, and which period does it belong to?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import NamedTuple

TOTAL = "TOTAL"
"""The channel of a figure that is not split by channel."""
MAX_DIGITS = 60


class PeriodType(StrEnum):
    """The granularity of a period."""

    FY = "FY"
    HY = "HY"
    TERTIAL = "TERTIAL"
    QUARTER = "QUARTER"
    MONTH = "MONTH"


class Period(NamedTuple):
    """A period: `("FY", "2024")`, `("HY", "2024H1")`, `("TERTIAL", "2024T1")`, `("QUARTER", "2024Q3")`, `("MONTH", "2024-03")`.

    A tertial is four months. Equal to the plain tuple. Periods of one type sort in time by their value.
    """

    type: str
    value: str


class ReviewStatus(StrEnum):
    """What has been decided about a figure. Only approved ones answer."""

    APPROVED = "approved"
    PENDING = "pending"
    REJECTED = "rejected"


class FactKey(NamedTuple):
    """What a figure is about. Several sources may give a value for one key."""

    metric_code: str
    entity: str
    period_type: str
    period: str
    channel: str = TOTAL


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure with its lineage.

    `value` is exact: a Decimal, or an int or a text that is made one; a float is read by its shortest decimal form.
    `source_doc_id` and `source_locator` are the place that is shown to the reader ("Bokslut.xlsx", "Blad1!C7");
    `source_file` and `source_file_hash` (SHA-256) the file that it was loaded from. `confidence` is 0 to 1 or None.
    `valid_as_of` (ISO date) and `ingested_at` (ISO time, UTC) are empty where unknown. `access`: the label that a reader must
    carry (`ankare.domain.access`), "" for everyone. Raises ValueError for a value
    that is no finite decimal or has more than `MAX_DIGITS` digits.
    """

    metric_code: str
    entity: str
    geography: str
    channel: str
    period_type: str
    period: str
    value: Decimal
    unit: str
    source_doc_id: str
    source_locator: str
    confidence: Decimal | None = None
    review_status: str = ReviewStatus.APPROVED
    valid_as_of: str = ""
    ingested_at: str = ""
    source_file_hash: str = ""
    source_file: str = ""
    access: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", exact(self.value))
        object.__setattr__(self, "review_status", ReviewStatus(self.review_status))
        if self.confidence is not None:
            confidence = exact(self.confidence)
            if not 0 <= confidence <= 1:
                raise ValueError(f"a confidence lies between 0 and 1, not at {confidence}")
            object.__setattr__(self, "confidence", confidence)

    @property
    def key(self) -> FactKey:
        """What the figure is about."""
        return FactKey(self.metric_code, self.entity, self.period_type, self.period, self.channel)

    def with_status(self, status: ReviewStatus) -> Fact:
        """The same figure with another review status."""
        return replace(self, review_status=status)


def exact(value: object) -> Decimal:
    """A finite decimal, as written and without an exponent ("1E+3" is 1000). Raises ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, Decimal | int | float | str):
        raise ValueError(f"{value!r} is no decimal number")
    try:
        number = Decimal(repr(value) if isinstance(value, float) else value)
    except InvalidOperation:
        raise ValueError(f"{value!r} is no decimal number") from None
    if not number.is_finite():
        raise ValueError(f"{value!r} is not finite")
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)  # noqa: S101 - only the special values have a letter here
    if max(len(digits) + max(exponent, 0), -exponent) > MAX_DIGITS:
        raise ValueError(f"a value has at most {MAX_DIGITS} digits")
    return Decimal(format(number, "f")) if exponent > 0 else number


def written(value: Decimal) -> str:
    """An exact decimal as JSON and tables carry it: "1320.5", never with an exponent."""
    return format(value, "f")
