"""Do the numbers, measures and dates of a claim stand in its home, said of the same thing?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ankare.gate.grounding.fits import Fit, word_of
from ankare.gate.grounding.reading import Reading
from ankare.gate.grounding.signals.rivals import crossed_by, rivalry
from ankare.gate.grounding.words import closed
from ankare.language.measures import Value, same_dimension, same_value


def values(found: Fit) -> dict[str, float]:
    """How many values are wrong, borrowed from elsewhere, or said of something else."""
    everywhere = [value for number in found.near for value in found.reading(number).values]
    wrong, unbound, borrowed, crossed = 0.0, 0.0, 0.0, 0.0
    for value in found.claim.values:
        at = word_of(found.claim, value)
        home = found.homes[found.claim.clause_of[at]] if at is not None else found.homes[0]
        homes = [home, *(h for h in found.used if h != home)]
        stated = [(n, other) for n in homes for other in found.reading(n).values]
        if value.kind == "ordinal" and _stands(found, value, homes):
            continue
        matches = [(n, other) for n, other in stated if same_value(value, other)]
        if not matches and value.kind == "date" and _date_completed(value, [o for _, o in stated], everywhere):
            continue
        if not matches and value.article and not any(_rival_measure(value, o) for _, o in stated):
            borrowed += 0.3
            continue
        if not matches:
            if any(same_value(value, other) for other in everywhere):
                borrowed += 1.0
                found.notes.append((_value_reason(value, everywhere), quoted(found.claim, value)))
            else:
                wrong += 1.0
                found.notes.append((_value_reason(value, [o for _, o in stated]), quoted(found.claim, value)))
        elif not value.article:
            pull = min(_unbound(found, value, n, other) for n, other in matches)
            if pull > 0.1:
                found.notes.append((_value_reason(value, []), f"{quoted(found.claim, value)}: said of something else"))
            unbound += min(1.0, 4 * pull)
            crossed += min(crossed_by(found, at, n, word_of(found.reading(n), other)) for n, other in matches)
    return {
        "value_crossed": crossed,
        "value_wrong": wrong,
        "value_unbound": unbound,
        "value_borrowed": borrowed,
    }


TIMES = frozenset({"minutes", "days", "workdays", "months", "terms"})


def _rival_measure(value: Value, other: Value) -> bool:
    """Could the other stand in the place of this one: a measure of the same kind, or any length of time for another?"""
    return other.kind == "number" and (
        other.dimension == value.dimension or {other.dimension, value.dimension} <= TIMES
    )


def quoted(reading: Reading, value: Value) -> str:
    """A value as it is written."""
    return reading.text[value.start : value.end]


def _stands(found: Fit, value: Value, homes: Sequence[int]) -> bool:
    text = quoted(found.claim, value).lower()
    return any(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", found.reading(n).text.lower()) for n in homes)


def _date_completed(value: Value, stated: Sequence[Value], everywhere: Sequence[Value]) -> bool:
    """A date whose day and month stand in the sentence and whose year stands elsewhere in the passage."""
    rest = {key: number for key, number in value.fields.items() if key != "y"}
    if "y" not in value.fields or not rest:
        return False
    near = any(o.kind == "date" and rest.items() <= dict(o.fields).items() and "y" not in o.fields for o in stated)
    return near and any(o.kind == "date" and o.fields.get("y") == value.fields["y"] for o in everywhere)


def _value_reason(value: Value, stated: Sequence[Value]) -> str:
    if value.kind in ("date", "clock"):
        return "date_mismatch"
    if value.kind in ("number", "per") and any(
        o.kind == value.kind
        and (o.written == value.written or value.kind == "per")
        and (o.dimension, o.amount) != (value.dimension, value.amount)
        for o in stated
    ):
        return "unit_mismatch"
    return "number_mismatch"


def _unbound(found: Fit, value: Value, number: int, other: Value) -> float:
    """How much better another value of the same kind fits what the claim says beside this one (0 = this one fits)."""
    own_at, claimed_at = word_of(found.reading(number), other), word_of(found.claim, value)
    if own_at is None or claimed_at is None:
        return 0.0
    rivals = [
        (n, at)
        for n in {number, *found.homes}
        for rival in found.reading(n).values
        if rival is not other
        and same_dimension(value, rival)
        and not same_value(value, rival)
        and not rival.article
        and (at := word_of(found.reading(n), rival)) is not None
    ]
    return max(rivalry(found, claimed_at, (number, own_at), rivals), _left(found, value, number, other))


def _left(found: Fit, value: Value, number: int, other: Value) -> float:
    """Is it the value that something was changed from, while the claim does not say "from"?"""
    grammar = closed(found.claim.code)
    reading = found.reading(number)
    before = reading.text[max(0, other.start - 10) : other.start].lower().split()
    claimed = found.claim.text[max(0, value.start - 10) : value.start].lower().split()
    if not set(before[-2:]) & grammar["from"] or set(claimed[-2:]) & grammar["from"]:
        return 0.0
    changed = any(not word.keys.isdisjoint(grammar["change"]) for word in reading.words)
    onward = any(
        later.start > other.end
        and same_dimension(later, other)
        and set(reading.text[max(0, later.start - 8) : later.start].lower().split()) & grammar["to"]
        for later in reading.values
    )
    return float(changed and onward)
