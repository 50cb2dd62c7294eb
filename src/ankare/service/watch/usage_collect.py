"""How does a log become a summary? One pass over its lines, in a bounded amount of memory, whatever there is in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from ankare.service.watch.usage_counting import Tally
from ankare.service.watch.usage_feedback import Readers
from ankare.service.watch.usage_period import Period, Pieces
from ankare.service.watch.usage_reading import UsageReading
from ankare.service.watch.usage_records import ASKED_BACK, FAILED, REFUSED, UsageRecord
from ankare.service.watch.usage_refused import Again, Refused
from ankare.service.watch.usage_stretch import NOT_RUN, AgentTimes, Kinds, Stretch, Times
from ankare.service.watch.usage_summary import (
    Change,
    Count,
    LogTold,
    PeriodTold,
    Piece,
    Totals,
    UsageSummary,
)

COMPARED = ("questions", "answered", "refused", "asked_back", "errors", "p50_ms", "p95_ms", "calls", "up", "down")


def summarise_usage(
    folders: Sequence[Path], home: Path | None, period: Period, *, seconds: float | None = None
) -> UsageSummary:
    """The summary of a period: of the logs in these folders, and of the feedback in this home.

    `seconds`: how long lines are read, None for as long as it takes. Raises OSError where a file cannot be read.
    """
    return _Collector(folders, home, period).summary(seconds)


class _Collector:
    """All counters of one summary."""

    def __init__(self, folders: Sequence[Path], home: Path | None, period: Period) -> None:
        self._folders, self._period = folders, period
        self._pieces, self._pieces_before = Pieces(period), Pieces(period.before())
        self._readers = Readers(home, period)
        self._whole, self._before = Stretch(), Stretch()
        self._stretches = [Stretch() for _ in self._pieces.starts]
        self._channels, self._languages, self._routes, self._types, self._keys = (Kinds() for _ in range(5))
        self._refusals, self._asked_back, self._errors = Tally(), Tally(), Tally()
        self._final, self._fallbacks = Tally(), Tally()
        self._steps, self._agent_times = Times(), AgentTimes()
        self._refused, self._again = Refused(), Again()
        self._records = self._with_texts = 0

    def summary(self, seconds: float | None) -> UsageSummary:
        """Read all, and tell."""
        reading = UsageReading(self._folders, self._period.before().since, seconds=seconds)
        for moment, record in reading:
            self._add(moment, record)
        self._readers.count(self._pieces, dict(enumerate(self._stretches)), self._whole)
        earlier = dict.fromkeys(range(len(self._pieces_before.starts)), Stretch())
        self._readers.count(self._pieces_before, earlier, self._before)
        return self._told(reading)

    def _add(self, moment: float, record: UsageRecord) -> None:
        self._readers.join(record)
        place = self._pieces.of(moment)
        if place is None:
            if self._pieces_before.of(moment) is not None:
                self._before.add(record)
            return
        self._records += 1
        self._with_texts += record.question is not None
        for stretch in (self._whole, self._stretches[place]):
            stretch.add(record)
        self._add_kinds(record)
        self._add_reasons(record)
        for step, ms in record.steps_ms.items():
            self._steps.add(step, max(ms, 0.0))
        self._agent_times.add(record.agents)
        self._refused.add(record)
        self._again.add(record)

    def _add_kinds(self, record: UsageRecord) -> None:
        self._channels.add(record.channel, record)
        self._languages.add(record.language, record)
        self._routes.add(record.route, record)
        self._types.add(record.question_type, record)
        self._keys.add(record.key, record)

    def _add_reasons(self, record: UsageRecord) -> None:
        tally = {REFUSED: self._refusals, ASKED_BACK: self._asked_back, FAILED: self._errors}.get(record.outcome)
        if tally is not None:
            tally.add(record.reason or "", record.count)
        if record.final_status not in NOT_RUN:
            self._final.add(record.final_status)
        if record.fallback_reason:
            self._fallbacks.add(record.fallback_reason)

    def _told(self, reading: UsageReading) -> UsageSummary:
        totals, before = self._whole.totals(), self._told_before(reading)
        agents = self._agent_times.totals(self._whole)
        names = [agent.agent for agent in agents]
        return UsageSummary(
            period=self._told_period(),
            log=self._told_log(reading),
            totals=totals,
            before=before,
            changes=() if before is None else _changes(totals, before),
            pieces=tuple(
                Piece(start.isoformat(timespec="minutes"), stretch.totals(), stretch.agent_pieces(names))
                for start, stretch in zip(self._pieces.starts, self._stretches, strict=True)
            ),
            channels=self._channels.told(),
            languages=self._languages.told(),
            routes=self._routes.told(),
            types=self._types.told(),
            keys=self._keys.told(),
            refusals=_counts(self._refusals),
            asked_back=_counts(self._asked_back),
            errors=_counts(self._errors),
            unanswered=self._refused.told(),
            repeats=self._again.told(),
            steps=self._steps.timings(),
            agents=agents,
            final_states=_counts(self._final),
            fallback_reasons=_counts(self._fallbacks),
            feedback=self._readers.told(self._pieces),
        )

    def _told_period(self) -> PeriodTold:
        period = self._period
        since, until = (period.zone.local(end).isoformat(timespec="minutes") for end in (period.since, period.until))
        return PeriodTold(since, until, period.by.value, period.zone.name, round(period.days, 3))

    def _told_log(self, reading: UsageReading) -> LogTold:
        begins = "" if reading.begins is None else self._local(reading.begins)
        kept = bool(self._folders)
        return LogTold(kept, self._records, reading.broken, begins, reading.complete, self._with_texts)

    def _local(self, moment: float) -> str:
        return self._period.zone.local(datetime.fromtimestamp(moment, UTC)).isoformat(timespec="minutes")

    def _told_before(self, reading: UsageReading) -> Totals | None:
        """Nothing where the log begins later: fewer questions would only mean that fewer lines are left."""
        begins = reading.begins
        whole = reading.complete and begins is not None and begins <= self._period.before().since.timestamp()
        return self._before.totals() if whole else None


def _counts(tally: Tally) -> tuple[Count, ...]:
    return tuple(Count(*item) for item in tally.counts())


def _changes(now: Totals, before: Totals) -> tuple[Change, ...]:
    found = [(name, getattr(now, name), getattr(before, name)) for name in COMPARED]
    found.append(("tokens", now.prompt_tokens + now.completion_tokens, before.prompt_tokens + before.completion_tokens))
    return tuple(
        Change(name, new, old, round(new / old - 1, 4) if new is not None and old else None) for name, new, old in found
    )
