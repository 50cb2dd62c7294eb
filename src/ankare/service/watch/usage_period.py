"""Which stretch of time does a report on the use tell of, and in which pieces is it told?

Pieces are hours, days or weeks of one time zone, so that a day begins at midnight there; a day on which the clock is put
forward has 23 hours, and the hour that comes twice is two pieces.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from ankare.errors import BadInputError

DAYS = 30
"""How much is told where nothing else is asked for."""
MOST_PIECES = 1000
HOURS_UP_TO, DAYS_UP_TO = timedelta(days=2), timedelta(days=120)
EARLIEST, LATEST = datetime(1971, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)


class By(StrEnum):
    """How long a piece is."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class Zone:
    """A time zone. `rules` None: those of this machine, its summer time included."""

    name: str
    rules: ZoneInfo | None = None

    def local(self, moment: datetime) -> datetime:
        """A moment as clocks show it there."""
        return moment.astimezone(self.rules)

    def at(self, shown: datetime) -> datetime:
        """The moment at which clocks there show this (without a zone); the first one of two."""
        return shown.replace(tzinfo=self.rules) if self.rules else shown.astimezone()


@dataclass(frozen=True, slots=True)
class Period:
    """From `since` on and before `until`, both with a zone, in pieces."""

    since: datetime
    until: datetime
    by: By
    zone: Zone

    @property
    def days(self) -> float:
        """How long it is."""
        return (self.until - self.since) / timedelta(days=1)

    def before(self) -> Period:
        """The period of the same length that ends where this one begins."""
        return Period(self.since - (self.until - self.since), self.since, self.by, self.zone)

    def pieces(self) -> tuple[datetime, ...]:
        """When each piece begins, in local time; the first one may begin before the period. At most `MOST_PIECES` and one."""
        return tuple(start for _, start in zip(range(MOST_PIECES + 1), self._starts(), strict=False))

    def _starts(self) -> Iterator[datetime]:
        start = self._begin(self.since)
        while start < self.until:
            yield self.zone.local(start)
            start = self._next(start)

    def _begin(self, moment: datetime) -> datetime:
        """When the piece begins that a moment lies in."""
        local = self.zone.local(moment)
        if self.by is By.HOUR:
            into = timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)
            return moment.astimezone(UTC) - into
        day = local.date() - timedelta(days=local.weekday() if self.by is By.WEEK else 0)
        return self._midnight(day)

    def _next(self, start: datetime) -> datetime:
        if self.by is By.HOUR:
            return self._begin(start + timedelta(hours=1))
        return self._midnight(self.zone.local(start).date() + timedelta(days=7 if self.by is By.WEEK else 1))

    def _midnight(self, day: date) -> datetime:
        return self.zone.at(datetime(day.year, day.month, day.day)).astimezone(UTC)


class Pieces:
    """Finds the piece that a moment lies in. Moments are seconds since the epoch."""

    def __init__(self, period: Period) -> None:
        self.starts = period.pieces()
        self._since, self._until = period.since.timestamp(), period.until.timestamp()
        self._seconds = [start.timestamp() for start in self.starts]

    def of(self, moment: float) -> int | None:
        """The number of its piece; None outside of the period."""
        if not self._since <= moment < self._until:
            return None
        return max(bisect_right(self._seconds, moment) - 1, 0)


def zone_of(name: str) -> Zone:
    """The time zone of a name such as "Europe/Stockholm", that of this machine for "". Raises BadInputError."""
    if not name:
        return Zone("/".join(dict.fromkeys(time.tzname)))
    try:
        return Zone(name, ZoneInfo(name))
    except (KeyError, ValueError, OSError) as error:  # not there, not a name, a folder
        raise BadInputError("There is no such time zone.", "Name one like Europe/Stockholm.") from error


def period_of(since: str = "", until: str = "", by: str = "", zone: str = "", *, now: datetime | None = None) -> Period:
    """The period between two ISO dates or times; a date means the whole day, and what names no zone is local time.

    Without `until` it ends now, without `since` it begins with the day 30 days before that, today counted; without `by` its
    length decides. Raises BadInputError for what is no date, for an end before the beginning, and for too many pieces.
    """
    told = zone_of(zone)
    end = _moment("until", until, told, whole_day=True) if until else (now or datetime.now(UTC))
    start = _moment("since", since, told) if since else _days_before(end, told)
    if start >= end:
        raise BadInputError("The period ends before it begins.", "Give an earlier --since or a later --until.")
    found = Period(start, end, _by(by, end - start), told)
    if len(found.pieces()) > MOST_PIECES:
        raise BadInputError(f"The period has more than {MOST_PIECES} pieces.", "Ask for days or weeks, or less time.")
    return found


def _moment(name: str, text: str, zone: Zone, *, whole_day: bool = False) -> datetime:
    try:
        found = _read(text, zone, whole_day=whole_day).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        found = LATEST
    if not EARLIEST <= found < LATEST:
        raise BadInputError(f"{name}: not an ISO date or time.", "Write it like 2026-01-31 or 2026-01-31T08:00.")
    return found


def _read(text: str, zone: Zone, *, whole_day: bool) -> datetime:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else zone.at(moment)
    if whole_day:
        day += timedelta(days=1)
    return zone.at(datetime(day.year, day.month, day.day))


def _days_before(end: datetime, zone: Zone) -> datetime:
    """Midnight so many days before the last moment of the period."""
    day = zone.local(end - timedelta(microseconds=1)).date() - timedelta(days=DAYS - 1)
    return zone.at(datetime(day.year, day.month, day.day)).astimezone(UTC)


def _by(told: str, length: timedelta) -> By:
    if told:
        try:
            return By(told)
        except ValueError as error:
            raise BadInputError("by: not a length that there is.", "Use hour, day or week.") from error
    if length <= HOURS_UP_TO:
        return By.HOUR
    return By.DAY if length <= DAYS_UP_TO else By.WEEK
