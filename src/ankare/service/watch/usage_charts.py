"""What changes over time in the use of the service, drawn?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ankare.plot import Axis, Chart, Series, lines
from ankare.service.watch.usage_summary import AgentPiece, Piece, Totals, UsageSummary
from ankare.service.watch.usage_words import Words


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart: its title and its SVG."""

    title: str
    svg: str


class UsageCharts:
    """The charts of one summary."""

    def __init__(self, summary: UsageSummary, words: Words) -> None:
        self._summary = summary
        self._words = words
        self._places = [words.piece(piece.start, summary.period.by) for piece in summary.pieces]

    def overview(self) -> tuple[Drawing, ...]:
        """Questions by outcome."""
        return tuple(self._totals("questions", ("answered", "refused", "asked_back", "errors")))

    def times(self) -> tuple[Drawing, ...]:
        """Median and 95th percentile."""
        axis = Axis(self._words.say("milliseconds"), self._write)
        return tuple(self._totals("times", ("p50_ms", "p95_ms"), axis))

    def feedback(self) -> tuple[Drawing, ...]:
        """Thumbs up and down."""
        return tuple(self._totals("feedback", ("up", "down")))

    def models(self) -> tuple[Drawing, ...]:
        """Tokens and calls of each agent, and what came of it."""
        told = (
            *self._agents("tokens", lambda used: used.prompt_tokens + used.completion_tokens),
            *self._agents("calls", lambda used: used.calls),
        )
        return (*told, *self._chains())

    def _chains(self) -> Iterator[Drawing]:
        if self._summary.totals.chains:
            names = (("approved", "state_approved"), ("fallbacks", "state_fallback"))
            series = tuple(Series(self._words.say(text), self._values(name)) for name, text in names)
            yield self._drawn("chains", series, self._axis())

    def _totals(self, name: str, figures: tuple[str, ...], axis: Axis | None = None) -> Iterator[Drawing]:
        series = tuple(Series(self._words.say(figure), self._values(figure)) for figure in figures)
        yield self._drawn(name, series, axis or self._axis())

    def _agents(self, name: str, value: Callable[[AgentPiece], int]) -> Iterator[Drawing]:
        """One line per agent; agents that told no tokens at all have none."""
        found = [agent for agent in self._summary.agents if name == "calls" or agent.silent < agent.calls]
        series = tuple(
            Series(self._words.name("agent", agent.agent), tuple(_of(agent.agent, value, self._summary.pieces)))
            for agent in found
        )
        if series:
            yield self._drawn(name, series, self._axis())

    def _drawn(self, name: str, series: tuple[Series, ...], axis: Axis) -> Drawing:
        title = self._words.say(f"chart_{name}")
        return Drawing(title, lines(Chart(f"usage-{name}", title), self._places, series, axis))

    def _axis(self) -> Axis:
        return Axis(write=self._write, decimals=0)

    def _write(self, value: float, decimals: int) -> str:
        return self._words.grouped(value, decimals)

    def _values(self, figure: str) -> tuple[float | None, ...]:
        return tuple(_number(piece.totals, figure) for piece in self._summary.pieces)


def _number(totals: Totals, figure: str) -> float | None:
    found = getattr(totals, figure)
    return None if found is None else float(found)


def _of(agent: str, value: Callable[[AgentPiece], int], pieces: tuple[Piece, ...]) -> Iterator[float]:
    for piece in pieces:
        used = next((one for one in piece.agents if one.agent == agent), None)
        yield float(value(used)) if used else 0.0
