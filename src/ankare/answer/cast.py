"""Who plays which part: with which model, how freely, how long, and with how much of the time?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from ankare.domain.agents import Agent
from ankare.llm.budget import Budget

DEFAULT_MODEL = "openai/gpt-oss-20b"
_TOO_LARGE = re.compile(r"(?<!\d)120b", re.IGNORECASE)
"""A model of this size was what a failed answer cost more than a good one for; correcting is not done with it."""
RESERVED = 0.5
"""Seconds of the chain's time that no agent gets: the answer without a model is made in them."""
LEAST = 1.0
"""Seconds below which an agent is not asked to hurry."""
TOO_SHORT = 0.02
"""Part of the chain's time below which it is not worth asking anybody."""


@dataclass(frozen=True, slots=True)
class Part:
    """How one agent is asked. `model` "" is the provider's own, which metadata call `shown`. `effort`: "" as the model does it
    by itself. `weight`: its part of the time that it and the agents after it still have."""

    agent: Agent
    temperature: float
    max_tokens: int
    weight: float
    model: str = ""
    shown: str = DEFAULT_MODEL
    effort: str = ""


PARTS: Mapping[Agent, Part] = MappingProxyType(
    {
        part.agent: part
        for part in (
            Part(Agent.REWRITE, 0.0, 2400, 0.2),
            Part(Agent.DRAFT, 0.2, 3600, 0.4),
            Part(Agent.REVIEW, 0.0, 2000, 0.2),
            Part(Agent.CORRECTION, 0.2, 2000, 0.2),
        )
    }
)
SYNTHESIS = Part(Agent.SYNTHESIS, 0.2, 3600, 1.0)
_THINKERS = (Agent.DRAFT, Agent.CORRECTION)


@dataclass(frozen=True, slots=True)
class Cast:
    """The parts by agent, and what the operator has to know of them."""

    parts: Mapping[Agent, Part]
    warnings: tuple[str, ...] = ()

    def __getitem__(self, agent: Agent) -> Part:
        """The part of an agent."""
        return self.parts[agent]

    def seconds(self, agent: Agent, budget: Budget) -> float:
        """How long an agent may take now; 0 where no time is left for it."""
        usable = max(0.0, budget.left() - min(RESERVED, 0.1 * budget.seconds))
        weights = {part.agent.value: part.weight for part in self.parts.values() if part.agent is not Agent.SYNTHESIS}
        allowed = budget.left() if agent is Agent.SYNTHESIS else budget.share_of(agent.value, weights, LEAST)
        granted = min(usable, allowed)
        return granted if granted >= TOO_SHORT * budget.seconds else 0.0


def cast_of(models: Mapping[Agent, str], own_model: str, effort: str = "") -> Cast:
    """The cast for configured models; an agent without one gets the provider's own, which is called `own_model`.

    `effort`: how hard those think who write. A correction by a model of 120b is given to the default model, with a warning.
    """
    parts, warnings = {}, []
    for part in (*PARTS.values(), SYNTHESIS):
        model = models.get(part.agent, "").strip()
        shown = model or own_model
        if part.agent is Agent.CORRECTION and _TOO_LARGE.search(shown):
            warnings.append(f"{shown} does not correct answers: {DEFAULT_MODEL} does (AGENT_CORRECTION_MODEL).")
            model = shown = DEFAULT_MODEL
        thinks = effort if part.agent in _THINKERS else ""
        parts[part.agent] = replace(part, model=model, shown=shown, effort=thinks)
    return Cast(MappingProxyType(parts), tuple(warnings))
