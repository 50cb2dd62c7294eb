"""Is every figure that a question asks for told, to the last digit, and no other in its place?

A decimal is compared as a decimal ("12.0" is 12), a unit by what it means ("MSEK" is "SEK_M", and 345 of them are 345 000 000
SEK), a period likewise ("2023" is "FY2023"), other names as codes. A figure that a reader cannot see in the text, with its sign
and its unit and no other value of that unit beside it, is not told (see `ankare.evaluation.measures.told_figures`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ankare.evaluation.captured import FigureFound, Response
from ankare.evaluation.case import Case, Expected
from ankare.evaluation.measures.abstention_measures import ASK_FIRST, OUTSIDER
from ankare.evaluation.measures.told_figures import decimal_of, same_amount, tells
from ankare.evaluation.scored import Family, Measure
from ankare.language.periods import parse_period
from ankare.language.units import same_unit

EXACT = "figure_exact"
MEASURES = (Measure(EXACT, Family.FIGURE, of_path=False),)
FOUND, NOT_FOUND = "found", "not_found"

Names = Callable[[str, str], str]
"""The code that a name of a kind ("metric", "entity", "channel") means."""


def literal(_kind: str, name: str) -> str:
    """A name as it stands, where no profile is at hand."""
    return name


def measured(
    case: Case, response: Response, names: Names = literal
) -> tuple[Mapping[str, float], Mapping[str, object]]:
    """(values, details) of `MEASURES` for a case with expected figures; nothing for any other.

    1 where each expected value is found with all slots that the case gives, stands in the text as a reader of the language
    writes it, and no source tells another value for the same slots. Where no value is expected: where the look-up of the
    slots found nothing and no value is told for them, or where it is asked back as `mode` says. Else 0.
    """
    if not case.expected:
        return {}, {}
    found = [figure for figure in response.figures if figure.status == FOUND and figure.value]
    beside = _pairs(found) + [(one.value, one.unit) for one in case.expected if one.value]
    judged = [_judged(expected, response, found, names, beside) for expected in case.expected]
    others = _others(case.expected, found, names)
    exact = not others and all(all(one["right"].values()) for one in judged)
    told = {"expected": judged, "other_values": [_told(figure) for figure in others]}
    return {EXACT: float(exact)}, {EXACT: told}


def _judged(
    expected: Expected,
    response: Response,
    found: Sequence[FigureFound],
    names: Names,
    beside: Sequence[tuple[str, str]],
) -> dict[str, Any]:
    """What was expected and what was told, side by side, and which of it is right."""
    if not expected.value:
        right = _rightly_without(expected, response, found, names)
        return {
            "value": "",
            "mode": expected.mode,
            "told": response.clarify_mode or response.refusal_reason,
            "right": right,
        }
    there = [figure for figure in found if _in_slots(expected, figure, names)]
    fitting = [figure for figure in there if _is(expected, figure)]
    same = [figure for figure in there if figure in fitting or same_value(expected.value, figure.value)]
    nearest = (fitting or same or there)[:1]
    shown = bool(same) and stands_in(response.markdown, nearest, response.language, beside)
    right = {"slots": bool(there), "value": bool(same), "unit": bool(fitting), "in_text": shown}
    return {"value": expected.value, "unit": expected.unit, "told": [_told(one) for one in nearest], "right": right}


def _rightly_without(
    expected: Expected, response: Response, found: Sequence[FigureFound], names: Names
) -> dict[str, bool]:
    if expected.mode in (ASK_FIRST, OUTSIDER):
        return {"mode": response.clarify_mode == expected.mode, "no_value": not found}
    missing = [one for one in response.figures if one.status == NOT_FOUND and _in_slots(expected, one, names)]
    told = [figure for figure in found if _in_slots(expected, figure, names)]
    return {"not_found": bool(missing), "no_value": not told}


def _others(expected: Iterable[Expected], found: Sequence[FigureFound], names: Names) -> list[FigureFound]:
    """Figures with the slots of one that is expected, and with a value or a unit that nothing expects there."""
    wanted = [one for one in expected if one.value]
    slots = {
        _slots(figure)
        for figure in found
        if any(_in_slots(one, figure, names) and _is(one, figure, of_unit=False) for one in wanted)
    }
    return [figure for figure in found if _slots(figure) in slots and not any(_is(one, figure) for one in wanted)]


def _is(expected: Expected, figure: FigureFound, *, of_unit: bool = True) -> bool:
    """Is a figure the expected value in its unit, or the same amount in another magnitude? Its digits without `of_unit`."""
    if same_amount((expected.value, expected.unit), (figure.value, figure.unit)):
        return True
    fits = not of_unit or not expected.unit or same_unit(expected.unit, figure.unit)
    return fits and same_value(expected.value, figure.value)


def _pairs(figures: Iterable[FigureFound]) -> list[tuple[str, str]]:
    return [(figure.value, figure.unit) for figure in figures]


def _slots(figure: FigureFound) -> tuple[str, ...]:
    return (figure.metric, figure.entity, figure.period, figure.channel)


def _in_slots(expected: Expected, figure: FigureFound, names: Names) -> bool:
    """Is the figure one of what was asked for, as far as the case says what?"""
    return all(
        not wanted or same_name(names(kind, wanted), names(kind, told))
        for kind, wanted, told in _named(expected, figure)
    ) and (not expected.period or same_period(expected.period, figure.period))


def _named(expected: Expected, figure: FigureFound) -> Iterator[tuple[str, str, str]]:
    for kind in ("metric", "entity", "channel"):
        yield kind, getattr(expected, kind), getattr(figure, kind)


def same_name(one: str, other: str) -> bool:
    """Are two names the same but for case and white space?"""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def same_period(one: str, other: str) -> bool:
    """Do two texts name the same period?"""
    if same_name(one, other):
        return True
    first = parse_period(one)
    return first is not None and first == parse_period(other)


def same_value(one: str, other: str) -> bool:
    """Are two decimals equal, however many zeros they end in? No for what is none."""
    first, second = decimal_of(one), decimal_of(other)
    return first is not None and first == second


def stands_in(
    markdown: str, figures: Iterable[FigureFound], language: str, beside: Sequence[tuple[str, str]] = ()
) -> bool:
    """Does a text tell each figure with its sign and unit, and in the same sentence no other value of that unit? `beside`: the
    values with their units that may stand there."""
    return all(tells(markdown, one.value, one.unit, language, beside) for one in figures)


def _told(figure: FigureFound) -> dict[str, str]:
    return {
        name: getattr(figure, name) for name in ("value", "unit", "metric", "entity", "period", "channel", "source")
    }
