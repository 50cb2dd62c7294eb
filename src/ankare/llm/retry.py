"""When is a service asked again, and when is enough?

A whole call has one time budget: attempts and the waits between them. A wait grows by half-random doubling ("equal
jitter" in M. Brooker, "Exponential Backoff And Jitter", AWS 2015), so that many clients of a service that comes back
do not come back together. A service that says how long to wait is believed, but never beyond the budget: then the
call ends at once, with what the service said.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from ankare.domain.cancel import current_token
from ankare.errors import ProviderError

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Failed:
    """An attempt that came to nothing. `retry_after`: the seconds that the service asks to wait, None where it does not."""

    error: ProviderError
    retry_after: float | None = None


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _sleep(seconds: float) -> None:
    current_token().sleep(seconds)


@dataclass(frozen=True, slots=True)
class Clock:
    """What time it is, and how to let it pass (a sleep ends with a cancelled call). A test puts its own in place."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = _sleep
    now: Callable[[], datetime] = _utc_now
    random: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after how many seconds a service is asked again."""

    first_wait: float = 0.5
    longest_wait: float = 8.0
    most_attempts: int = 6

    def wait(self, attempt: int, asked: float | None, chance: float) -> float:
        """Seconds to wait after attempt 1, 2, ...; `asked` is the service's wish, `chance` 0 to 1.

        A wish for no wait at all is not heeded: a service in trouble would get every attempt at once.
        """
        if asked:
            return asked + self.first_wait / 4 * chance
        return min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 1)) * (0.5 + 0.5 * chance)


def call_with_retries(attempt: Callable[[float], _T | Failed], seconds: float, policy: RetryPolicy, clock: Clock) -> _T:
    """What the first attempt that succeeds gives. `attempt` is told how many seconds are left.

    Raises the ProviderError of the last attempt: at once where it says that a retry does not help, else when the
    attempts or the seconds are used up, or would be by the next wait. Raises CallCancelledError.
    """
    deadline = clock.monotonic() + seconds
    tried = 0
    while True:
        outcome = attempt(deadline - clock.monotonic())
        tried += 1
        if not isinstance(outcome, Failed):
            return outcome
        wait = policy.wait(tried, outcome.retry_after, clock.random())
        if not outcome.error.retry or tried >= policy.most_attempts or clock.monotonic() + wait >= deadline:
            raise outcome.error
        clock.sleep(wait)


def retry_after_seconds(headers: Mapping[str, str], now: datetime) -> float | None:
    """How long the service asks to wait (RFC 9110, 10.2.3: seconds or a date), 0 or more; None without a readable wish.

    `headers` by lower-case name. `retry-after-ms` is a finer spelling that some services send.
    """
    finer = _number(headers.get("retry-after-ms", ""))
    if finer is not None:
        return finer / 1000
    wish = headers.get("retry-after", "")
    seconds = _number(wish)
    return seconds if seconds is not None else _until(wish, now)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _until(date: str, now: datetime) -> float | None:
    try:
        then = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    if then.tzinfo is None:  # "-0000" and forms without a zone: HTTP dates are in GMT
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())
