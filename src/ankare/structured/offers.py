"""What does the store hold near what was asked for, where it does not hold that itself?"""

from __future__ import annotations

from ankare.domain.clarification import NarrowingOption
from ankare.domain.fact import FactKey
from ankare.facts.protocol import FactReader
from ankare.structured.compose import Wording

_MOST_PERIODS = 4


def held_instead(store: FactReader, key: FactKey, wording: Wording) -> tuple[NarrowingOption, ...]:
    """Choices for a figure that is not held: the same by each channel that it is held by, then its newest periods."""
    channels = [key._replace(channel=channel.code) for channel in wording.profile.channels]
    parts = [part for part in channels if part != key and store.lookup(part)]
    periods = store.periods(key.metric_code, key.entity, key.channel)[:_MOST_PERIODS]
    others = [key._replace(period_type=kind, period=value) for kind, value in periods]
    return tuple(
        NarrowingOption(label, wording.say("ask_question", other))
        for label, other in (
            *((wording.say("what", part), part) for part in parts),
            *((wording.period(other.period_type, other.period), other) for other in others),
        )
    )
