"""Facts for tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ankare.domain.fact import Fact, FactKey

KEY = FactKey("REVENUE", "ACME_CN", "FY", "2024")


def fact(value: object = "1320.50", **changes: Any) -> Fact:
    """A figure of `KEY`, from a cell of a workbook, with what is told changed."""
    fields: dict[str, Any] = {
        "metric_code": "REVENUE",
        "entity": "ACME_CN",
        "geography": "CN",
        "channel": "TOTAL",
        "period_type": "FY",
        "period": "2024",
        "value": value,
        "unit": "USD_M",
        "source_doc_id": "Bokslut.xlsx",
        "source_locator": "Blad1!C7",
    }
    return Fact(**{**fields, **changes})


def many(count: int, source_file: str = "many.csv", value: int = 0) -> Iterator[Fact]:
    """Figures of different keys, all of one file, each of the value `value`."""
    for number in range(count):
        year = str(2000 + number % 20)
        yield fact(
            value,
            metric_code=f"M{number // 20}",
            period=year,
            source_locator=f"row {number}",
            source_file=source_file,
        )
