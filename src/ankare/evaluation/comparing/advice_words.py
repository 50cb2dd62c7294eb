"""How is the advice on a chain put into words?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ankare.evaluation.statistics.resample import NoInterval
from ankare.messages import messages

if TYPE_CHECKING:
    from ankare.evaluation.comparing.advice import Advice, Found, Price

SMALL = 0.0005
COUNTED = frozenset({"ms", "tokens", "calls", "words"})
_COMMA = frozenset({"sv"})
"""Languages that write a decimal comma."""


def said(advice: Advice, language: str) -> tuple[str, ...]:
    """The advice in a language, English where there is no catalogue of it: the recommendation, then what it stands on."""
    return tuple(_said(advice, language, messages(language)))


def _said(advice: Advice, language: str, texts: Mapping[str, str]) -> Iterator[str]:
    part = texts["advice.part_synthesis" if advice.kind == "synthesis" else "advice.part_chain"]
    yield texts[f"advice.{advice.recommendation.value}"].format(part=part)
    for found in advice.found:
        yield _found(found, advice.matters, language, texts, part)
    for worse in advice.served_worse:
        told = number(worse.difference, language, signed=True)
        yield texts["advice.not_served"].format(measure=named(worse.measure, texts), difference=told)
    for price in advice.prices:
        yield _price(price, language, texts, part)
    if advice.dropped:
        reasons = ", ".join(f"{reason}: {count}" for reason, count in advice.reasons.items())
        yield texts["advice.dropped"].format(n=advice.dropped, reasons=reasons, part=part)


def _found(found: Found, matters: float, language: str, texts: Mapping[str, str], part: str) -> str:
    one = found.difference
    if isinstance(one.interval, NoInterval):
        between = texts["advice.no_interval"]
    else:
        low, high = (number(bound, language, signed=True) for bound in (one.interval.low, one.interval.high))
        between = texts["advice.interval"].format(low=low, high=high)
    return texts[f"advice.found_{found.finding.value}"].format(
        measure=named(one.measure, texts),
        chain=number(one.other, language, one.unit),
        control=number(one.base, language, one.unit),
        difference=number(one.difference, language, signed=True),
        interval=between,
        n=one.n,
        needed=found.needed,
        matters=number(matters, language),
        part=part,
    )


def _price(price: Price, language: str, texts: Mapping[str, str], part: str) -> str:
    told = texts["advice.price"].format(
        measure=named(price.measure, texts),
        more=number(price.more, language, price.unit, signed=True),
        chain=number(price.chain, language, price.unit),
        control=number(price.control, language, price.unit),
        unit=price.unit,
        part=part,
    )
    if price.per_point is None or price.per_point <= 0:
        return told
    point = texts["advice.per_point"].format(amount=number(price.per_point, language, price.unit), unit=price.unit)
    return f"{told} {point}"


def named(measure: str, texts: Mapping[str, str]) -> str:
    """A measure as it is called in a language, by its own name where the catalogue has none."""
    return texts.get(f"measure.{measure}", measure)


def number(value: float, language: str, unit: str = "", *, signed: bool = False) -> str:
    """A figure as a reader takes it in: shares and amounts of money with three decimals, or two digits where they are small;
    what is counted or timed with one decimal at most."""
    size = abs(value)
    if 0 < size < SMALL:
        told = f"{value:+.2g}" if signed else f"{value:.2g}"
    else:
        decimals = 0 if size >= 100 else 1 if unit in COUNTED or size >= 10 else 3
        told = f"{value:+.{decimals}f}" if signed else f"{value:.{decimals}f}"
    return told.replace(".", ",") if language.split("-")[0].lower() in _COMMA else told
