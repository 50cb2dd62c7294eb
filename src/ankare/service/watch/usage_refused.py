"""Which questions were refused, and which came again? What is kept of each of them while a log is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from ankare.service.watch.question_key import normalised
from ankare.service.watch.usage_counting import DistinctSample, Frequent, clean, shortened
from ankare.service.watch.usage_groups import MOST_EXAMPLE, Asked, subjects_of
from ankare.service.watch.usage_records import REFUSED, UsageRecord
from ankare.service.watch.usage_summary import Repeated, Repeats, Unanswered, Untold

Held = TypeVar("Held")
MOST_SUBJECTS, MOST_UNTOLD, MOST_REPEATED = 50, 20, 20
MOST_ASKED = 10_000
"""Different refused questions that are looked at; of more a sample is, and those that are asked often."""
MOST_OFTEN = 1000
MOST_COUNTED = 20_000
MOST_REASONS, MOST_MISSING, MOST_WORD, MOST_ASKERS = 8, 8, 40, 1000


class Refused:
    """Refused questions, those whose text is kept and those whose is not."""

    def __init__(self) -> None:
        self._told: _Noted[Asked] = _Noted()
        self._untold: _Noted[_Hashed] = _Noted()
        self._askers: dict[str, int] = {}
        self._questions = self._with_text = 0

    def add(self, record: UsageRecord) -> None:
        """Count a record, if it is a refusal."""
        if record.outcome != REFUSED:
            return
        self._questions += record.count
        if record.question:
            self._with_text += record.count
            self._add_told(record, record.question)
        elif record.question_key:
            self._add_untold(record)

    def _add_told(self, record: UsageRecord, text: str) -> None:
        key = record.question_key or normalised(text)
        asked = self._told.get(key) or Asked(shortened(text, 2 * MOST_EXAMPLE))
        asked.count += record.count
        asked.askers |= self._asker(record.key)
        asked.latest = max(asked.latest, clean(record.time))
        reason = clean(record.reason or "")
        if reason in asked.reasons or len(asked.reasons) < MOST_REASONS:
            asked.reasons[reason] += record.count
        if record.missing:
            known = dict.fromkeys(
                (*asked.missing, *(shortened(word, MOST_WORD) for word in record.missing[:MOST_MISSING]))
            )
            asked.missing = tuple(known)[:MOST_MISSING]
        self._told.put(key, asked, record.count)

    def _add_untold(self, record: UsageRecord) -> None:
        key = clean(record.question_key)
        found = self._untold.get(key) or _Hashed()
        found.count += record.count
        found.askers |= self._asker(record.key)
        if record.time >= found.latest:
            found.latest, found.reason = clean(record.time), clean(record.reason or "")
            found.type, found.language = clean(record.question_type), clean(record.language)
        self._untold.put(key, found, record.count)

    def _asker(self, key: str) -> int:
        """The bit of an API key, none for a question without one and for keys of which there are too many."""
        if not key or (key not in self._askers and len(self._askers) >= MOST_ASKERS):
            return 0
        return 1 << self._askers.setdefault(key, len(self._askers))

    def told(self) -> Unanswered:
        """What they were about."""
        subjects = subjects_of(self._told.items().values())
        untold = _most(self._untold.items())
        return Unanswered(
            questions=self._questions,
            with_text=self._with_text,
            subjects=subjects[:MOST_SUBJECTS],
            more_subjects=max(0, len(subjects) - MOST_SUBJECTS),
            untold=untold[:MOST_UNTOLD],
            more_untold=max(0, len(untold) - MOST_UNTOLD),
            sample=min(self._told.share, self._untold.share),
        )


class _Noted(Generic[Held]):
    """Things by name: all of them or, where there are too many, a fair sample and those that come often."""

    def __init__(self) -> None:
        self._sample: DistinctSample[Held] = DistinctSample(MOST_ASKED)
        self._often: Frequent[Held] = Frequent(MOST_OFTEN)

    @property
    def share(self) -> float:
        """The share of all of them that the sample is."""
        return self._sample.share

    def get(self, key: str) -> Held | None:
        """What is noted of a thing."""
        return self._sample.get(key) or self._often.held(key)

    def put(self, key: str, what: Held, count: int) -> None:
        """Note something of a thing that has come so often more."""
        self._sample.put(key, what)
        self._often.add(key, count)
        self._often.hold(key, what)

    def items(self) -> Mapping[str, Held]:
        """What is noted."""
        held = ((key, self._often.held(key)) for key, _ in self._often.counts())
        often = {key: what for key, what in held if what is not None} if self.share < 1 else {}
        return often | dict(self._sample.items())


@dataclass(slots=True)
class _Hashed:
    """A refused question without its text; what is told of it is that of the last time."""

    count: int = 0
    askers: int = 0
    reason: str = ""
    type: str = ""
    language: str = ""
    latest: str = ""


def _most(found: Mapping[str, _Hashed]) -> tuple[Untold, ...]:
    ordered = sorted(found.items(), key=lambda item: (-item[1].count, item[0]))
    return tuple(
        Untold(key, one.count, one.askers.bit_count(), one.reason, one.type, one.language, one.latest)
        for key, one in ordered
    )


class Again:
    """Questions that come more than once."""

    def __init__(self) -> None:
        self._asked: Frequent[_Told] = Frequent(MOST_COUNTED)

    def add(self, record: UsageRecord) -> None:
        """Count a record, where its question can be known again."""
        key = clean(record.question_key) or normalised(shortened(record.question or "", 2 * MOST_EXAMPLE))
        if not key:
            return
        count = self._asked.add(key, record.count)
        told = self._asked.held(key) or _Told()
        told.refused += record.count if record.outcome == REFUSED else 0
        if count > 1 and record.question and not told.text:
            told.text = shortened(record.question, MOST_EXAMPLE)
        self._asked.hold(key, told)

    def told(self) -> Repeats:
        """The most frequent, and how many there are."""
        again = self._asked.counts(least=2)
        held = ((key, count, self._asked.held(key) or _Told()) for key, count in again[:MOST_REPEATED])
        return Repeats(
            different=len(again),
            questions=sum(count for _, count in again),
            most=tuple(Repeated(key, count, told.refused, told.text or None) for key, count, told in held),
            missed=self._asked.missed,
        )


@dataclass(slots=True)
class _Told:
    refused: int = 0
    text: str = ""
