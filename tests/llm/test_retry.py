"""When a service is asked again: by a clock that only the test moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.errors import ProviderError
from ankare.llm.retry import Clock, Failed, RetryPolicy, call_with_retries, retry_after_seconds
from tests.llm.dialects import NOW, FakeTime

DOWN = ProviderError("Down.", kind="server", status=503)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "0"}, 0),
        ({"retry-after": "7"}, 7),
        ({"retry-after": " 7 "}, 7),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-7"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Sunday, 01-Mar-26 12:00:30 GMT"}, 30),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 -0000"}, 30),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "Sun, 99 Mar 2026 11:00:00 GMT"}, None),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after-ms": "x", "retry-after": "7"}, 7),
    ],
)
def test_the_wish_of_a_service_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_seconds(headers, NOW) == seconds


@given(st.text(max_size=40))
def test_no_wish_makes_reading_raise(wish: str) -> None:
    seconds = retry_after_seconds({"retry-after": wish}, NOW)
    assert seconds is None or seconds >= 0


def test_waits_double_up_to_a_limit_and_are_half_random() -> None:
    policy = RetryPolicy(first_wait=1, longest_wait=4)
    assert [policy.wait(n, None, 0.0) for n in (1, 2, 3, 4, 50)] == [0.5, 1, 2, 2, 2]
    assert [policy.wait(n, None, 1.0) for n in (1, 2, 3, 4, 50)] == [1, 2, 4, 4, 4]


def test_a_wish_is_waited_at_least_and_no_wish_for_none() -> None:
    policy = RetryPolicy(first_wait=1)
    assert 20 <= policy.wait(1, 20.0, 1.0) <= 21
    assert policy.wait(1, 0.0, 0.0) == 0.5


def test_an_attempt_knows_how_much_time_is_left() -> None:
    fake, told = FakeTime(), []

    def attempt(left: float) -> str | Failed:
        told.append(left)
        return "ok" if len(told) == 3 else Failed(DOWN)

    assert call_with_retries(attempt, 10, RetryPolicy(first_wait=2), fake.clock()) == "ok"
    assert told == [10, 9, 7]


def test_attempts_have_a_number_too() -> None:
    tried = []
    with pytest.raises(ProviderError) as caught:
        call_with_retries(
            lambda left: tried.append(left) or Failed(DOWN), 1000, RetryPolicy(most_attempts=3), FakeTime().clock()
        )
    assert caught.value is DOWN
    assert len(tried) == 3


@given(
    st.floats(0.01, 100),
    st.lists(st.tuples(st.floats(0, 30), st.none() | st.floats(0, 1e6)), min_size=30, max_size=30),
    st.floats(0, 1),
)
def test_waiting_never_goes_beyond_the_budget(
    budget: float, attempts: list[tuple[float, float | None]], chance: float
) -> None:
    """Attempts may take what they were told is left, no more; then nothing goes beyond the budget."""
    fake = FakeTime(0.0)
    script = iter(attempts)

    def attempt(left: float) -> str | Failed:
        assert left > 0
        took, asked = next(script)
        fake.seconds += min(took, left)
        return Failed(DOWN, asked)

    with pytest.raises(ProviderError):
        call_with_retries(
            attempt, budget, RetryPolicy(), Clock(lambda: fake.seconds, fake.sleep, lambda: NOW, lambda: chance)
        )
    assert fake.seconds <= budget + 1e-9  # sums of floats
    assert len(fake.slept) < RetryPolicy().most_attempts
