"""A period and its pieces are those of one time zone: midnight, summer time and dates are read as they are meant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.errors import BadInputError
from ankare.service.watch.usage_period import MOST_PIECES, Pieces, period_of, zone_of

NOW = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)
STOCKHOLM = "Europe/Stockholm"


def test_what_nobody_asked_for_is_thirty_days_with_today() -> None:
    period = period_of(zone=STOCKHOLM, now=NOW)
    assert period.since == datetime(2026, 10, 31, 23, tzinfo=UTC), "midnight of 1 November there"
    assert (period.until, period.by) == (NOW, "day")
    assert len(period.pieces()) == 30
    assert period.before().until == period.since and period.before().days == period.days


@pytest.mark.parametrize(
    ("since", "until", "first", "last"),
    [
        ("2026-01-05", "2026-01-06", "2026-01-04T23:00", "2026-01-06T23:00"),
        ("2026-01-05T08:00", "2026-01-05T09:30", "2026-01-05T07:00", "2026-01-05T08:30"),
        ("2026-01-05T08:00Z", "2026-01-05T09:30+05:45", "2026-01-05T03:00", "2026-01-05T03:45"),
        ("20260105", "", "2026-01-04T23:00", "2026-11-30T10:30"),
    ],
)
def test_dates_are_whole_days_and_times_local(since: str, until: str, first: str, last: str) -> None:
    if "Z" in since:
        since = "2026-01-05T03:00Z"
    period = period_of(since, until, zone=STOCKHOLM, now=NOW)
    assert (period.since.isoformat()[:16], period.until.isoformat()[:16]) == (first, last)


@pytest.mark.parametrize(
    ("since", "until", "by", "zone"),
    [
        ("yesterday", "", "", ""),
        ("2026-13-01", "", "", ""),
        ("2026-02-01", "2026-01-01", "", ""),
        ("", "0001-01-01", "", ""),
        ("9999-12-31", "", "", ""),
        ("", "9999-12-31T23:59:59+14:00", "", ""),
        ("2020-01-01", "", "hour", ""),
        ("", "", "minute", ""),
        ("", "", "", "../../etc/passwd"),
        ("", "", "", "/etc/localtime"),
        ("", "", "", "Europe"),
        ("", "", "", "Nowhere/City"),
        ("", "", "", "a\x00b"),
        ("1" * 500, "", "", ""),
    ],
)
def test_what_is_no_period_is_told(since: str, until: str, by: str, zone: str) -> None:
    with pytest.raises(BadInputError):
        period_of(since, until, by, zone, now=NOW)


@pytest.mark.parametrize(
    ("days", "by"), [(1, "hour"), (2, "hour"), (3, "day"), (120, "day"), (121, "week"), (3000, "week")]
)
def test_the_length_chooses_the_pieces(days: int, by: str) -> None:
    until = NOW.date()
    period = period_of((until - timedelta(days=days - 1)).isoformat(), until.isoformat(), zone="UTC", now=NOW)
    assert period.by == by and len(period.pieces()) <= MOST_PIECES


@pytest.mark.parametrize(
    ("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)], ids=["forward", "back", "usual"]
)
def test_a_day_of_changing_clocks_has_its_own_hours(day: str, hours: int) -> None:
    pieces = period_of(day, day, "hour", STOCKHOLM, now=NOW).pieces()
    assert len(pieces) == hours
    assert len({piece.isoformat() for piece in pieces}) == hours, "the hour that comes twice is two pieces"
    assert len(period_of(day, day, "day", STOCKHOLM, now=NOW).pieces()) == 1


def test_weeks_begin_on_mondays() -> None:
    pieces = period_of("2026-01-01", "2026-01-31", "week", STOCKHOLM, now=NOW).pieces()
    assert {piece.weekday() for piece in pieces} == {0}
    assert pieces[0].date().isoformat() == "2025-12-29"


def test_midnight_belongs_to_the_new_day() -> None:
    period = period_of("2026-01-01", "2026-01-02", "day", STOCKHOLM, now=NOW)
    pieces, midnight = Pieces(period), datetime(2026, 1, 1, 23, tzinfo=UTC).timestamp()
    assert [pieces.of(midnight + seconds) for seconds in (-0.001, 0, 86_399, 86_400)] == [0, 1, 1, None]
    assert pieces.of(period.since.timestamp() - 0.001) is None


@given(
    since=st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)),
    hours=st.integers(1, 900),
    by=st.sampled_from(["hour", "day", "week"]),
    zone=st.sampled_from(
        [STOCKHOLM, "UTC", "Australia/Lord_Howe", "America/Havana", "Asia/Kathmandu", "Pacific/Apia", ""]
    ),
)
def test_pieces_follow_on_each_other_and_hold_every_moment(since: datetime, hours: int, by: str, zone: str) -> None:
    until = since + timedelta(hours=hours)
    period = period_of(since.isoformat() + "Z", until.isoformat() + "Z", by, zone, now=NOW)
    starts = [piece.timestamp() for piece in period.pieces()]
    assert starts == sorted(set(starts))
    assert starts[0] <= period.since.timestamp() and starts[-1] < period.until.timestamp()
    pieces = Pieces(period)
    for share in (0, 0.3, 0.999):
        moment = period.since.timestamp() + share * hours * 3600
        place = pieces.of(moment)
        assert place is not None and starts[place] <= moment
        assert place == len(starts) - 1 or moment < starts[place + 1]


def test_the_machines_zone_has_a_name() -> None:
    assert zone_of("").name
