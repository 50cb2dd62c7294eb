"""What do all adapters to a service behind an API have in common?"""

from __future__ import annotations

import copy
from typing import Self

from ankare.llm.options import DEFAULT_TIMEOUT_SECONDS, CallOptions
from ankare.llm.service import ModelService


class ServiceAdapter:
    """A model behind a service: over shared connections, with options of its own. Subclasses add `chat`."""

    def __init__(self, service: ModelService, options: CallOptions) -> None:
        self._service = service
        self._options = options

    @property
    def identity(self) -> tuple[str, str]:
        """The address of the service and the name of the model."""
        return self._service.base_url, self._options.model or ""

    def with_options(self, options: CallOptions) -> Self:
        """The same service, over the same connections, with these options; what they leave open stays as it is."""
        other = copy.copy(self)
        other._options = self._options.under(options)
        return other

    def prepare(self) -> None:
        """Load the library behind it, which takes a second the first time. Nothing is connected to."""
        self._service.opened()

    def close(self) -> None:
        """Hang up; the next call connects anew."""
        self._service.close()

    @property
    def _seconds(self) -> float:
        """The time of one `chat`."""
        return self._options.timeout_seconds or DEFAULT_TIMEOUT_SECONDS

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._service.base_url!r}, model={self._options.model!r})"
