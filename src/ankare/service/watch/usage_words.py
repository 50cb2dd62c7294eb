"""How are figures, times and names of a usage summary written in the reader's language?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ankare.cite.escape import plain
from ankare.messages import messages

NO_BREAK = "\u00a0"
NOTHING = "–"
_CATALOGUES = {
    "reason": ("usage.reason_{}", "reason.{}", "page.reason_{}"),
    "route": ("usage.route_{}", "route.{}"),
    "type": ("type.{}",),
    "step": ("step.{}",),
    "language": ("language.{}",),
    "channel": ("usage.channel_{}",),
    "outcome": ("usage.outcome_{}",),
    "agent": ("usage.agent_{}",),
    "state": ("usage.state_{}",),
    "thumb": ("page.reason_{}",),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a table: as it is shown, and as a value."""

    shown: str
    value: str | int | float | None

    @property
    def number(self) -> bool:
        """Is it a number?"""
        return isinstance(self.value, int | float)


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._said: Mapping[str, str] = messages(language)

    def say(self, key: str, **values: object) -> str:
        """A text of the report, with its values."""
        return self._said[f"usage.{key}"].format(**values)

    def name(self, kind: str, code: str) -> str:
        """What a code of a kind is called, the code itself where there is no word for it. Codes may come from anywhere."""
        if not code or code == "none":
            return self.say("unknown")
        keys = (pattern.format(code) for pattern in _CATALOGUES[kind])
        return next((self._said[key] for key in keys if key in self._said), plain(code))

    def named(self, kind: str, code: str) -> Cell:
        """The same as a cell."""
        return Cell(self.name(kind, code), code)

    def text(self, text: str) -> Cell:
        """Somebody's words, on one line."""
        return Cell(plain(text), text)

    def count(self, number: int | None) -> Cell:
        """A number of something."""
        return Cell(NOTHING if number is None else self.grouped(number), number)

    def grouped(self, number: float, decimals: int = 0) -> str:
        """A number with its thousands apart."""
        written = f"{number:,.{decimals}f}"
        if self.language == "sv":
            return written.replace(",", NO_BREAK).replace(".", ",")
        return written

    def ms(self, ms: float | None) -> Cell:
        """A time: milliseconds, from a second on seconds."""
        if ms is None:
            return Cell(NOTHING, None)
        if ms < 1000:
            return Cell(f"{self.grouped(ms, 0 if ms >= 10 else 1)}{NO_BREAK}ms", ms)
        return Cell(f"{self.grouped(ms / 1000, 1)}{NO_BREAK}s", ms)

    def share(self, part: float, whole: float) -> Cell:
        """A part of a whole in per cent; nothing of nothing is not known."""
        return Cell(self.percent(part / whole), round(part / whole, 4)) if whole else Cell(NOTHING, None)

    def percent(self, share: float, *, signed: bool = False) -> str:
        """A share in per cent, with one decimal where it is small."""
        decimals = 1 if 0 < abs(share) < 0.01 else 0
        sign = "+" if signed and share > 0 else ""
        space = NO_BREAK if self.language == "sv" else ""
        return f"{sign}{self.grouped(100 * share, decimals)}{space}%".replace("-", "−")

    def moment(self, iso: str) -> str:
        """A day and a time to the minute; the offset is left out."""
        return plain(iso[:16].replace("T", " "))

    def piece(self, iso: str, by: str) -> str:
        """The name of a piece of a period, short enough for an axis."""
        return iso[5:16].replace("T", " ") if by == "hour" else iso[5:10]
