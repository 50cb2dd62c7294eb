"""What is a scenario: which model does what, and what must come of it?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.hostile.pack import QUESTION
from tests.model_server import Behaviour

MODELS = {"agent1": "m1", "agent2": "m2", "agent3": "m3", "agent4": "m4", "synthesis": "m5"}
"""The model that plays each agent: by its name the server knows who is asked."""
PATIENT = 90.0
HASTY = 3.0
"""Seconds of a chain; the second for an agent whose model never ends, since it takes them all. The others keep time enough on
a machine that is busy with other things."""


@dataclass(frozen=True)
class Ending:
    """What the answer must tell of itself. `asked`: the models that may be asked, in this order and no others.

    `reason`, `asked`, and `rewrite` (why no other wording was searched), may name several with | between them, where the clock
    decides.
    """

    status: int = 200
    final: str = ""
    origin: str = ""
    reason: str | None = None
    review: str = "not_run"
    asked: str = "m1 m2 m3"
    rewrite: str | None = None

    def differences(self, seen: Ending) -> list[str]:
        """What is not as it must be."""
        pairs = [(name, getattr(self, name), getattr(seen, name)) for name in self.__dataclass_fields__]
        return [
            f"{name} is {found!r}, not {wanted!r}"
            for name, wanted, found in pairs
            if found != wanted and not (isinstance(wanted, str) and found in wanted.split("|"))
        ]

    def __str__(self) -> str:
        return f"{self.final}, {self.origin}" if self.status == 200 else f"HTTP {self.status}"


@dataclass(frozen=True)
class Scenario:
    """One row. `does`: what a model does, by its name; the others are honest. `gate`: why the gate has to stop the text.

    `poison`: what must stand nowhere in the response. `stated`: what may be published because a document states it, however
    odd. `truncated`: the agent whose reply is to be told as cut off. `untold`: the service does not tell what it used, and
    that is to be told as missing. `settings`: of the service, beyond the usual; `alone`: with a service of its own. `hurried`:
    the agents that get little time, since their models never end. `gap`: what is known not to hold yet.
    """

    name: str
    agent: str
    behaviour: str
    does: Mapping[str, Behaviour]
    ending: Ending
    gate: str = ""
    poison: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    truncated: str = ""
    untold: bool = False
    question: str = QUESTION
    synthesis: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)
    alone: bool = False
    hurried: tuple[str, ...] = ()
    gap: str = ""


APPROVED = Ending(final="approved", origin="agent2_reviewed", review="approved")
REVISED = Ending(final="revised", origin="agent2_minor_revision", review="revision")
CORRECTED = Ending(final="corrected", origin="agent4_corrected", review="rejected", asked="m1 m2 m3 m4")
UNREVIEWED = Ending(final="unavailable", origin="agent2_unreviewed", review="unavailable")
SYNTHESIZED = Ending(final="approved", origin="synthesis", asked="m5")
NOT_ASKED = Ending(final="fallback", origin="refusal", reason="thin_evidence", asked="")


def fell_back(reason: str, review: str = "approved", asked: str = "m1 m2 m3") -> Ending:
    """The answer of the control path, for this reason."""
    return Ending(final="fallback", origin="fallback", reason=reason, review=review, asked=asked)


def undrafted(reason: str) -> Ending:
    """The control path's answer because there is no draft."""
    return fell_back(reason, "not_run", "m1 m2")


def uncorrected(reason: str) -> Ending:
    """The control path's answer because the correction of a rejected draft is of no use."""
    return fell_back(reason, "rejected", "m1 m2 m3 m4")


def not_rewritten(reason: str) -> Ending:
    """The control path's answer because the synthesis is of no use."""
    return Ending(final="fallback", origin="extractive", reason=reason, asked="m5")


def refused(asked: str) -> Ending:
    """The service of the model turns us away: no answer, and no further model is asked."""
    return Ending(status=503, asked=asked)
