"""How much time may a chain of model calls take, and how much of it one agent?

    budget = Budget(18.0)
    reply = budget.ask(provider, messages, seconds=budget.share(0.4, floor=2.0), options=CallOptions(temperature=0.0))

A share is a part of what is left, so what one agent does not use is there for those after it. Whatever the provider does,
`ask` is over when its seconds are: our own providers end by themselves, and one that does not is left behind. It is over at
once when the token of the budget is set (see `cancel.py`).
"""

from __future__ import annotations

import contextvars
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event, Thread

from ankare.domain.cancel import CallCancelledError, CancelToken, cancelled_by, current_token
from ankare.errors import ProviderError
from ankare.llm.options import CallOptions, configured, prepared
from ankare.llm.protocol import ChatCompletion, LLMProvider, Message, Tool
from ankare.llm.retry import Clock

__all__ = ["Budget", "CallCancelledError", "CancelToken", "cancelled_by", "current_token"]

_REMEDY = "Try again later, or allow more time."


class Budget:
    """The time of one chain, from now on. `token`: what cancels it; without one, that of the context. Safe for many threads.

    Raises ValueError unless `seconds` is above 0.
    """

    def __init__(self, seconds: float, clock: Clock | None = None, token: CancelToken | None = None) -> None:
        if not 0 < seconds < float("inf"):
            raise ValueError("the seconds of a budget are above 0")
        self.seconds = seconds
        self.token = token or current_token()
        self._clock = clock or Clock()
        self._deadline = self._clock.monotonic() + seconds

    @property
    def expired(self) -> bool:
        """Is no time left?"""
        return self.left() <= 0

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return self.seconds - (self._deadline - self._clock.monotonic())

    def left(self) -> float:
        """Seconds that are left, 0 or more."""
        return max(0.0, self._deadline - self._clock.monotonic())

    def share(self, fraction: float, floor: float = 0.0) -> float:
        """Seconds for one agent: this part of what is left, at least `floor`, never more than what is left."""
        left = self.left()
        return min(left, max(floor, fraction * left))

    def share_of(self, agent: str, weights: Mapping[str, float], floor: float = 0.0) -> float:
        """Seconds for an agent where every agent has a weight, in the order in which they come: its part of what it and
        those after it still have. Raises KeyError for an unknown agent."""
        coming = list(weights)[list(weights).index(agent) :] if agent in weights else []
        return self.share(weights[agent] / sum(weights[name] for name in coming), floor)

    def ask(
        self,
        provider: LLMProvider,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] | None = None,
        options: CallOptions | None = None,
        seconds: float | None = None,
    ) -> ChatCompletion:
        """One turn of a model, in `seconds` at most (None: in what is left). A provider that takes options gets these.

        Raises ProviderError (kind "timeout" when the time is up), ProviderServiceError, CallCancelledError, and whatever
        a faulty provider raises.
        """
        self.token.check()
        prepared(provider)
        allowed = self.left() if seconds is None else min(seconds, self.left())
        if allowed <= 0:
            raise ProviderError("The model was not asked: no time is left.", _REMEDY, kind="timeout")
        wanted = (options or CallOptions()).under(CallOptions(timeout_seconds=allowed))
        end = self._clock.monotonic() + allowed
        reply = _Call(configured(provider, wanted), messages, tools).made(allowed, self.token)
        if reply is None or self._clock.monotonic() > end:
            raise ProviderError(f"The model did not answer within {allowed:.3g} s.", _REMEDY, kind="timeout")
        return reply


@dataclass(slots=True)
class _Call:
    """A call in a thread of its own, which can be left behind."""

    provider: LLMProvider
    messages: Sequence[Message]
    tools: Sequence[Tool] | None
    over: Event = field(default_factory=Event)
    reply: ChatCompletion | None = None
    error: BaseException | None = None

    def made(self, seconds: float, token: CancelToken) -> ChatCompletion | None:
        """The reply, None when it was not there in time. Raises what the provider raises, and CallCancelledError."""
        mine = CancelToken()
        with cancelled_by(mine):
            context = contextvars.copy_context()
        Thread(target=context.run, args=(self._make,), name="ankare-model-call", daemon=True).start()
        try:
            with token.on_cancel(self.over.set):
                self.over.wait(seconds)
            token.check()
        finally:
            mine.cancel()  # a call that is left behind hangs up
        if self.error is not None:
            raise self.error
        return self.reply

    def _make(self) -> None:
        try:
            self.reply = self.provider.chat(self.messages, tools=self.tools)
        except BaseException as error:  # whatever it is, it is the caller's to see
            self.error = error
        finally:
            self.over.set()
