"""What does the store hold near what was asked for, where it does not hold that itself?"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.domain.clarification import NarrowingOption
from ankare.domain.fact import FactKey, Period
from ankare.facts.protocol import FactReader
from ankare.language.period_forms import year_and_part
from ankare.structured.compose import Wording

_MOST_PERIODS = 4


def newest_held(store: FactReader, keys: Sequence[FactKey]) -> Period | None:
    """The newest period with a figure of what the keys ask for, where nothing at all is held for any of their years; of a
    year's periods one of the type that is asked for, else the longest. None where the keys differ in more than the period."""
    if len({key._replace(period_type="", period="") for key in keys}) != 1:
        return None
    held = store.periods(keys[0].metric_code, keys[0].entity, keys[0].channel)
    years = {year_and_part(period)[0] for period in held}
    asked = {year_and_part(Period(key.period_type, key.period))[0] for key in keys}
    if not held or not asked.isdisjoint(years):
        return None
    newest = [period for period in held if year_and_part(period)[0] == max(years)]
    return next((period for period in newest if period.type == keys[0].period_type), newest[0])


def held_instead(
    store: FactReader, key: FactKey, wording: Wording, first: Period | None = None
) -> tuple[NarrowingOption, ...]:
    """Choices for a figure that is not held: the period that is to come first, the same by each channel that it is held by,
    then its newest periods."""
    channels = [key._replace(channel=channel.code) for channel in wording.profile.channels]
    parts = [part for part in channels if part != key and store.lookup(part)]
    periods = store.periods(key.metric_code, key.entity, key.channel)[:_MOST_PERIODS]
    dated = [
        (wording.period(kind, value), key._replace(period_type=kind, period=value))
        for kind, value in dict.fromkeys((*filter(None, (first,)), *periods))
    ]
    before = dated[: first is not None]
    choices = (*before, *((wording.say("what", part), part) for part in parts), *dated[len(before) :])
    return tuple(NarrowingOption(label, wording.say("ask_question", other)) for label, other in choices)
