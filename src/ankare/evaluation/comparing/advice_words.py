"""How is the advice on a chain put into words?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ankare.evaluation.statistics.resample import NoInterval
from ankare.messages import messages

if TYPE_CHECKING:
    from ankare.evaluation.comparing.advice import Advice, Found, Price
    from ankare.evaluation.comparing.differences import Difference

SMALL = 0.0005
NONE = 1e-12
"""A difference below it is what adding up floats leaves over."""
MINUS = "\u2212"
_DIGIT = re.compile("[1-9]")
COUNTED = frozenset({"ms", "tokens", "calls", "words"})
_SEEN = {"leave_off": "_seen", "ask_more": "_seen"}
"""Recommendations that have other words where a gain is seen."""
_COMMA = frozenset({"sv"})
"""Languages that write a decimal comma."""


def said(advice: Advice, language: str) -> tuple[str, ...]:
    """The advice in a language, English where there is no catalogue of it: the recommendation, then what it stands on."""
    return tuple(_said(advice, language, messages(language)))


def _said(advice: Advice, language: str, texts: Mapping[str, str]) -> Iterator[str]:
    part = texts["advice.part_synthesis" if advice.kind == "synthesis" else "advice.part_chain"]
    yield texts[f"advice.{_headline(advice)}"].format(part=part)
    if advice.asked:
        share = number(advice.chosen / advice.asked, language)
        yield texts["advice.chosen"].format(n=advice.chosen, asked=advice.asked, share=share, part=part)
    if advice.asked and advice.chose_too_few:
        yield texts["advice.chosen_few"].format(part=part)
    for found in advice.found:
        yield _found(found, advice.matters, language, texts, part)
    for worse in advice.served_worse:
        told = number(worse.difference, language, signed=True)
        yield texts["advice.not_served"].format(measure=named(worse.measure, texts), difference=told)
    for one in advice.served:
        yield _served(one, language, texts, part)
    if advice.lost:
        yield texts["advice.lost"].format(n=advice.lost, part=part)
    if advice.turns:
        yield texts["advice.turns"].format(measures=", ".join(named(name, texts) for name in advice.turns))
    if advice.rare:
        yield texts["advice.rare"].format(part=part)
    for price in advice.prices:
        yield _price(price, language, texts, part)
    if advice.dropped:
        reasons = "; ".join(f"{reason_named(reason, texts)}: {count}" for reason, count in advice.reasons.items())
        yield texts["advice.dropped"].format(n=advice.dropped, reasons=reasons, part=part)


def _headline(advice: Advice) -> str:
    """The key of the recommendation: "no gain is shown" is not said where one is seen."""
    gained = any(one.finding.value == "gain" for one in advice.found)
    return f"{advice.recommendation.value}{_SEEN.get(advice.recommendation.value, '') if gained else ''}"


def _served(one: Difference, language: str, texts: Mapping[str, str], part: str) -> str:
    return texts["advice.served_loss" if one.verdict.value == "worse" else "advice.served"].format(
        measure=named(one.measure, texts),
        chain=number(one.other, language, one.unit),
        control=number(one.base, language, one.unit),
        difference=number(one.difference, language, signed=True),
        interval=_between(one, language, texts),
        n=one.n,
        part=part,
    )


def _between(one: Difference, language: str, texts: Mapping[str, str]) -> str:
    if isinstance(one.interval, NoInterval):
        return texts["advice.no_interval"]
    low, high = (number(bound, language, signed=True) for bound in (one.interval.low, one.interval.high))
    return texts["advice.interval"].format(low=low, high=high)


def _found(found: Found, matters: float, language: str, texts: Mapping[str, str], part: str) -> str:
    one = found.difference
    return texts[f"advice.found_{found.finding.value}"].format(
        measure=named(one.measure, texts),
        chain=number(one.other, language, one.unit),
        control=number(one.base, language, one.unit),
        difference=number(one.difference, language, signed=True),
        interval=_between(one, language, texts),
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


def reason_named(reason: str, texts: Mapping[str, str]) -> str:
    """Why an answer does not count for its path, as it is said within a sentence; codes without words are told as they are."""
    kind, _, detail = reason.partition(":")
    name = texts.get(f"report.aside_{kind}", kind)
    told = name[:1].lower() + name[1:]
    table = "report.failed_" if kind == "failed" else "reason."
    return f"{told}: {texts.get(f'{table}{detail}', detail)}" if detail else told


def number(value: float, language: str, unit: str = "", *, signed: bool = False) -> str:
    """A figure as a reader takes it in: shares and amounts of money with three decimals, or two digits where they are small;
    what is counted or timed with one decimal at most. `signed`: a difference; none is written 0."""
    size = abs(value)
    if signed and size < NONE:
        return "0"
    if 0 < size < SMALL:
        told = f"{value:+.2g}" if signed else f"{value:.2g}"
    else:
        decimals = 0 if size >= 100 else 1 if unit in COUNTED or size >= 10 else 3
        told = f"{value:+.{decimals}f}" if signed else f"{value:.{decimals}f}"
    if signed and not _DIGIT.search(told):
        return "0"
    told = f"{MINUS}{told[1:]}" if told.startswith("-") else told
    return told.replace(".", ",") if language.split("-")[0].lower() in _COMMA else told
