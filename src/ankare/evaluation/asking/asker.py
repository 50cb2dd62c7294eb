"""Who is asked, and what comes of one question: a body, or why there is none?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Protocol

from ankare.evaluation.captured import Failure, Json
from ankare.evaluation.case import Case


@dataclass(frozen=True, slots=True)
class Asked:
    """One question asked once. Exactly one of `body` and `failure` is there. `wall_ms`: of the attempt that counted; waiting
    for a service that was busy is no part of it. `hopeless`: every other question would end in the same way."""

    wall_ms: float
    body: Json | None = None
    failure: Failure | None = None
    hopeless: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """What whoever is asked says of itself. `settings`: what answers depend on; two runs are compared by them. `about`: what
    is good to know beside them. `warnings`: what is to be known before anything is asked; `to_prepare`: how search by meaning
    is made ready."""

    base_url: str = ""
    revision: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    to_prepare: str = ""


class Asker(Protocol):
    """Asks questions in this process or over HTTP. Safe for many threads."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no file may hold."""

    def told(self) -> Told:
        """What it says of itself. Raises AnkareError where no question could be answered."""

    def ask(self, case: Case, stop: Event) -> Asked | None:
        """Ask one question; None where `stop` was set before it could be asked."""
