"""Which figures of the group follow from the few that are kept by hand?

Months add up to quarters, quarters to halves and years, the companies and what they sell to each other to the group: by
construction, so that nothing in the fact files can contradict itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any, NamedTuple

TOTAL = ""
DIRECT, PARTNER = "DIRECT", "PARTNER"
REVENUE, PROFIT, MARGIN = "REVENUE", "PROFIT", "OPERATING_MARGIN"
_STEP, _FINE_STEP = Decimal("0.1"), Decimal("0.001")
_THOUSANDS_OF_A_MILLION = 1000
Values = dict[str, Decimal]
"""Period ("2024", "2024H1", "2024Q3", "2024-03") to value."""


class Account(NamedTuple):
    """What a series of values is about; the channel is empty for what is not split."""

    metric: str
    entity: str
    channel: str = TOTAL


class Books:
    """The figures of one `.facts.toml` file. `plan` is the file as it stands, numbers as decimals."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self.plan = plan
        self.units: dict[Account, str] = {}
        self.accounts: dict[Account, Values] = {}
        for series in plan["series"]:
            self._enter(series)
        for entity in plan["companies"]:
            self._enter_margin(entity)
        foreign = plan["foreign"]
        self.foreign = Account(foreign["metric"], foreign["entity"])
        self.converted = {year: _converted(value, foreign["rates"][year]) for year, value in foreign["years"].items()}
        self.internal = {metric: spread(series) for metric, series in plan["internal"].items()}

    def group(self, metric: str, channel: str, period: str) -> Decimal | None:
        """The group's figure for a period; None where a company's is not kept."""
        if metric == MARGIN:
            return self._group_margin(channel, period)
        parts = list(self.parts(metric, channel, period))
        if any(part is None for part in parts):
            return None
        total = sum(part for part in parts if part is not None)
        return rounded(total) if metric == self.foreign.metric else Decimal(total)

    def parts(self, metric: str, channel: str, period: str) -> Iterator[Decimal | None]:
        """What the group's figure is the sum of: each company in order, then what is internal, where anything is."""
        for entity in self.plan["companies"]:
            account = Account(metric, entity, channel)
            values = self.converted if account == self.foreign else self.accounts.get(account, {})
            yield values.get(period)
        if metric in self.internal and channel != PARTNER:
            yield self.internal[metric].get(period)

    def _enter(self, series: Mapping[str, Any]) -> None:
        account = Account(series["metric"], series["entity"])
        self.accounts[account] = whole = spread(series)
        kept = [account]
        if "direct" in series:
            direct = spread(_by_shape(series["direct"]))
            self.accounts[account._replace(channel=DIRECT)] = direct
            self.accounts[account._replace(channel=PARTNER)] = {at: whole[at] - value for at, value in direct.items()}
            kept += [account._replace(channel=DIRECT), account._replace(channel=PARTNER)]
        self.units.update(dict.fromkeys(kept, series["unit"]))

    def _enter_margin(self, entity: str) -> None:
        revenue, profit = self.accounts[Account(REVENUE, entity)], self.accounts[Account(PROFIT, entity)]
        account = Account(MARGIN, entity)
        self.accounts[account] = {at: share(profit[at], revenue[at]) for at in revenue if at.isdigit()}
        self.units[account] = "%"

    def _group_margin(self, channel: str, period: str) -> Decimal | None:
        revenue, profit = (self.group(metric, channel, period) for metric in (REVENUE, PROFIT))
        return None if revenue is None or profit is None else share(profit, revenue)


def read_books(path: Path) -> Books:
    """Read the figures that are kept by hand, and work out the rest."""
    return Books(tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal))


def spread(series: Mapping[str, Any]) -> Values:
    """The values of a series for every period that its years, quarters and months tell."""
    found = {year: Decimal(value) for year, value in series.get("years", {}).items()}
    for year, months in series.get("months", {}).items():
        found |= {f"{year}-{number:02}": Decimal(value) for number, value in enumerate(months, 1)}
        found |= _from_quarters(year, _sums(months, 3))
    for year, quarters in series.get("quarters", {}).items():
        found |= _from_quarters(year, quarters)
    return found


def share(part: Decimal, whole: Decimal) -> Decimal:
    """In percent, to one decimal."""
    return rounded(100 * part / whole)


def rounded(value: Decimal | int) -> Decimal:
    """To one decimal, half to even."""
    return Decimal(value).quantize(_STEP, ROUND_HALF_EVEN)


def in_order(periods: Iterable[str]) -> list[str]:
    """Years, halves, quarters, months, each from the earliest."""
    return sorted(periods, key=lambda period: ("-" in period, "Q" in period, "H" in period, period))


def _converted(thousands: int, rate: Decimal) -> Decimal:
    """Thousands of another currency in millions of the group's."""
    return (thousands * rate / _THOUSANDS_OF_A_MILLION).quantize(_FINE_STEP, ROUND_HALF_EVEN)


def _from_quarters(year: str, quarters: Sequence[Any]) -> Values:
    halves = _sums(quarters, 2)
    return {
        year: Decimal(sum(quarters)),
        **{f"{year}H{number}": value for number, value in enumerate(halves, 1)},
        **{f"{year}Q{number}": Decimal(value) for number, value in enumerate(quarters, 1)},
    }


def _sums(values: Sequence[Any], size: int) -> list[Decimal]:
    return [Decimal(sum(values[at : at + size])) for at in range(0, len(values), size)]


def _by_shape(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """A list is a year by its quarters, a number the year itself."""
    return {
        "years": {year: value for year, value in values.items() if not isinstance(value, list)},
        "quarters": {year: value for year, value in values.items() if isinstance(value, list)},
    }
