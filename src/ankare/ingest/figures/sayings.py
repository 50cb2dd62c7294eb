"""Does one source of a file give several values for the same figure?

Then something was read wrongly (blocks of several entities as one, quarters as a year), and which value holds is not guessed.
Another source is another `source_doc`; rows that name none have the file itself as theirs.
"""

from __future__ import annotations

from decimal import Decimal

from ankare.domain.fact import TOTAL, Fact, ReviewStatus, written
from ankare.ingest.figures.amounts import shifted
from ankare.language.units import parse_unit
from ankare.messages.remarks import Remark, remark
from ankare.profile.model import Profile


class Sayings:
    """What each source says of each figure. Values of different review status may stand side by side, to be decided about."""

    def __init__(self, profile: Profile) -> None:
        self._labels = {metric.code: metric.label for metric in profile.metrics}
        self._first: dict[tuple[object, ...], tuple[Fact, str]] = {}
        self._disputed: set[tuple[object, ...]] = set()

    def contradiction(self, fact: Fact, place: str, *, mapped: bool) -> str:
        """What to say where the source gave another value before; empty where it did not. The first time with a remedy."""
        if fact.review_status is ReviewStatus.REJECTED:
            return ""
        first, where = self._first.setdefault(_figure(fact), (fact, place))
        if quantity(first) == quantity(fact):
            return ""
        told = remark(
            "another_value", figure=self._named(fact), place=where, first=_amount(first), second=_amount(fact)
        )
        advised = bool(self._disputed)
        self._disputed.add(_figure(fact))
        return told if advised else remark("advised", what=told, do=_advice(mapped=mapped))

    def is_disputed(self, fact: Fact) -> bool:
        """Has this figure several values, so that none of them may be taken?"""
        return bool(self._disputed) and _figure(fact) in self._disputed

    def _named(self, fact: Fact) -> str:
        channel = () if fact.channel == TOTAL else (fact.channel,)
        return ", ".join((self._labels.get(fact.metric_code, fact.metric_code), fact.entity, fact.period, *channel))


def _advice(*, mapped: bool) -> Remark:
    keep = remark("do_keep_one_value")
    return remark("do_look_in_mapping", do=keep) if mapped else keep


def quantity(fact: Fact) -> tuple[Decimal, str]:
    """An amount by which figures are compared: money in whole units of its currency, all else as it stands."""
    unit = parse_unit(fact.unit)
    if unit is None or unit.currency is None:
        return fact.value, fact.unit if unit is None else unit.code
    return shifted(fact.value, unit.magnitude), unit.currency


def _figure(fact: Fact) -> tuple[object, ...]:
    return (fact.key, fact.source_doc_id, fact.review_status)


def _amount(fact: Fact) -> str:
    return f"{written(fact.value)} {fact.unit}"
