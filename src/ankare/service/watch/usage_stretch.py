"""How did the questions of one stretch of time go? Counters that a record is added to, in a bounded amount of memory."""

from __future__ import annotations

from collections.abc import Iterable

from ankare.service.problem import OVERLOADED
from ankare.service.watch.usage_counting import OTHER, Quantiles, clean
from ankare.service.watch.usage_records import ANSWERED, ASKED_BACK, FAILED, REFUSED, AgentUse, UsageRecord
from ankare.service.watch.usage_summary import AgentPiece, AgentTotal, Kind, Timing, Totals

MOST_AGENTS, MOST_STEPS, MOST_KINDS = 12, 40, 200
NOT_RUN = frozenset({"", "not_run"})
APPROVED, FALLBACK = "approved", "fallback"
UNUSABLE = frozenset({"invalid", "timeout", "error", "skipped", "unavailable"})


class Ends:
    """Questions by how they ended."""

    __slots__ = ("answered", "asked_back", "failed", "questions", "refused")

    def __init__(self) -> None:
        self.questions = self.answered = self.refused = self.asked_back = self.failed = 0

    def add(self, outcome: str, count: int) -> None:
        """Count."""
        self.questions += count
        if outcome == ANSWERED:
            self.answered += count
        elif outcome == REFUSED:
            self.refused += count
        elif outcome == ASKED_BACK:
            self.asked_back += count
        elif outcome == FAILED:
            self.failed += count


class Stretch:
    """All questions of a period, or of a piece of it."""

    def __init__(self) -> None:
        self.ends = Ends()
        self.ms = Quantiles()
        self.agents: dict[str, Agent] = {}
        self.overloaded = self.partial = self.chains = self.approved = self.fallbacks = 0
        self.up = self.down = 0

    def add(self, record: UsageRecord) -> None:
        """Count a record."""
        self.ends.add(record.outcome, record.count)
        if record.outcome == FAILED:
            self.overloaded += record.count if record.reason == OVERLOADED else 0
        elif record.ms > 0:
            self.ms.add(record.ms)
        self.partial += record.partial
        if record.final_status not in NOT_RUN:
            self.chains += 1
            self.approved += record.final_status == APPROVED
            self.fallbacks += record.final_status == FALLBACK
        for use in record.agents:
            self._agent(clean(use.agent)).add(use)

    def _agent(self, name: str) -> Agent:
        if name not in self.agents and len(self.agents) >= MOST_AGENTS:
            name = OTHER
        return self.agents.setdefault(name, Agent())

    def totals(self) -> Totals:
        """The figures."""
        ends, agents = self.ends, self.agents.values()
        return Totals(
            questions=ends.questions,
            answered=ends.answered,
            refused=ends.refused,
            asked_back=ends.asked_back,
            errors=ends.failed,
            overloaded=self.overloaded,
            partial=self.partial,
            p50_ms=self.ms.at(0.5),
            p95_ms=self.ms.at(0.95),
            chains=self.chains,
            approved=self.approved,
            fallbacks=self.fallbacks,
            calls=sum(agent.calls for agent in agents),
            silent=sum(agent.silent for agent in agents),
            prompt_tokens=sum(agent.prompt for agent in agents),
            completion_tokens=sum(agent.completion for agent in agents),
            up=self.up,
            down=self.down,
        )

    def agent_pieces(self, names: Iterable[str]) -> tuple[AgentPiece, ...]:
        """The agents of these names that were asked."""
        found = ((name, self.agents[name]) for name in names if name in self.agents)
        return tuple(AgentPiece(name, a.calls, a.silent, a.prompt, a.completion) for name, a in found)


class Agent:
    """Calls of one agent."""

    __slots__ = ("calls", "completion", "failed", "prompt", "silent")

    def __init__(self) -> None:
        self.calls = self.failed = self.silent = self.prompt = self.completion = 0

    def add(self, use: AgentUse) -> None:
        """Count a call. One that told nothing counts as silent, not as none."""
        self.calls += use.calls
        self.failed += use.calls if use.status in UNUSABLE else 0
        nothing = use.prompt_tokens is None and use.completion_tokens is None
        self.silent += use.calls if nothing else min(use.silent, use.calls)
        self.prompt += use.prompt_tokens or 0
        self.completion += use.completion_tokens or 0


class AgentTimes:
    """How long calls took, by agent. The look-up of figures tells no times."""

    def __init__(self) -> None:
        self._times = Times(MOST_AGENTS)

    def add(self, uses: Iterable[AgentUse]) -> None:
        """Count calls."""
        for use in uses:
            if use.ms > 0:
                self._times.add(clean(use.agent), use.ms)

    def totals(self, of: Stretch) -> tuple[AgentTotal, ...]:
        """The agents of a stretch, the busiest first."""
        names = sorted(of.agents, key=lambda name: (-of.agents[name].calls, name))
        return tuple(self._total(name, of.agents[name]) for name in names)

    def _total(self, name: str, agent: Agent) -> AgentTotal:
        p50, p95 = self._times.quantiles(name)
        return AgentTotal(name, agent.calls, agent.failed, agent.silent, agent.prompt, agent.completion, p50, p95)


class Times:
    """Quantiles by name, of at most `most` names and "other"."""

    def __init__(self, most: int = MOST_STEPS) -> None:
        self._most = most
        self._found: dict[str, Quantiles] = {}

    def add(self, name: str, ms: float) -> None:
        """Count a time."""
        if name not in self._found and len(self._found) >= self._most:
            name = OTHER
        self._found.setdefault(name, Quantiles()).add(ms)

    def quantiles(self, name: str) -> tuple[float | None, float | None]:
        """Median and 95th percentile."""
        found = self._found.get(name)
        return (None, None) if found is None else (found.at(0.5), found.at(0.95))

    def timings(self) -> tuple[Timing, ...]:
        """By name, the one first that takes most at the median."""
        told = [Timing(name, times.count, *self.quantiles(name)) for name, times in self._found.items()]
        return tuple(sorted(told, key=lambda timing: (-(timing.p50_ms or 0), timing.step)))


class Kinds:
    """Questions by some name and by how they ended; at most `MOST_KINDS` names and "other"."""

    def __init__(self) -> None:
        self._found: dict[str, Ends] = {}

    def add(self, name: str, record: UsageRecord) -> None:
        """Count a record under a name."""
        name = clean(name)
        if name not in self._found and len(self._found) >= MOST_KINDS:
            name = OTHER
        self._found.setdefault(name, Ends()).add(record.outcome, record.count)

    def told(self) -> tuple[Kind, ...]:
        """The kinds, the largest first."""
        kinds = [
            Kind(name, ends.questions, ends.answered, ends.refused, ends.asked_back, ends.failed)
            for name, ends in self._found.items()
        ]
        return tuple(sorted(kinds, key=lambda kind: (-kind.questions, kind.name)))
