"""Somebody to ask who answers as a test says, and remembers what was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any

from ankare.evaluation.asking.asker import Asked, Told
from ankare.evaluation.captured import Failure, FailureKind
from ankare.evaluation.case import Case


def body(text: str, **told: Any) -> Mapping[str, Any]:
    """The body of an answer with this text."""
    return {"answer_markdown": text, "answered": True, "revision": "r1", "index_version": "i1", "claims": [], **told}


def says(case: Case) -> Asked:
    """An answer that repeats the question."""
    return Asked(1.5, body(f"Svar på {case.question}"))


def fails(kind: FailureKind = FailureKind.BROKEN, *, hopeless: bool = False) -> Asked:
    """A failure."""
    return Asked(1.0, failure=Failure(kind, "why", 500), hopeless=hopeless)


@dataclass
class ScriptedAsker:
    """Answers each case by a function; `asked` are the ids in the order in which they were begun."""

    answer: Callable[[Case], Asked | None] = says
    about: Told = field(default_factory=Told)
    secrets: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def told(self) -> Told:
        return self.about

    def ask(self, case: Case, stop: Event) -> Asked | None:
        with self._lock:
            self.asked.append(case.id)
        return self.answer(case)
