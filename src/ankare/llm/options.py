"""With which model, how freely, how long and in which form is a model to answer?

Options are the provider's, not the call's: `provider.with_options(...)` is another provider for the same service, so
everything that takes an `LLMProvider` can be given one that is set up for its task.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, Self, cast

from ankare.llm.protocol import LLMProvider

DEFAULT_TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class CallOptions:
    """How a model is asked. None everywhere means: as the provider does it by itself.

    `temperature`: 0 to 2. `max_tokens`: the most that the reply may hold. `timeout_seconds`: the time of one `chat`,
    every attempt and every wait included. `response_schema`: a JSON Schema that the reply is to follow.
    `reasoning_effort`: a word of the service, as "low", "medium" or "high". Raises ValueError for values out of range.
    """

    model: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    timeout_seconds: float | None = None
    response_schema: Mapping[str, Any] | None = None
    reasoning_effort: str | None = None

    def __post_init__(self) -> None:
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise ValueError("temperature is 0 to 2")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise ValueError("max_tokens is at least 1")
        if self.timeout_seconds is not None and not 0 < self.timeout_seconds < float("inf"):
            raise ValueError("timeout_seconds is above 0")

    def under(self, wanted: CallOptions) -> CallOptions:
        """These options, but for what `wanted` says."""
        given = {f.name: getattr(wanted, f.name) for f in fields(wanted) if getattr(wanted, f.name) is not None}
        return replace(self, **given)


class ConfigurableProvider(LLMProvider, Protocol):
    """A provider that can be set up for a task. All of ankare's own are."""

    def with_options(self, options: CallOptions) -> Self:
        """A provider for the same service that answers with these options; what they leave open stays as it is."""


def configured(provider: LLMProvider, options: CallOptions) -> LLMProvider:
    """The provider with these options; one that takes none as it is."""
    with_options = getattr(provider, "with_options", None)
    return provider if with_options is None else cast("LLMProvider", with_options(options))


def prepared(provider: LLMProvider) -> LLMProvider:
    """The provider once it has loaded what it needs, so that no call pays for that with its time."""
    prepare = getattr(provider, "prepare", None)
    if prepare is not None:
        prepare()
    return provider
