"""With which words are questions drafted in a language? Read from `drafting/<code>.toml`; no word of a domain stands there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

LANGUAGES = ("sv", "en", "zh")
_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A wording and the question that it gives. `{1}`, `{2}` in `ask` are its groups, `{s}` and `{v}` subject and verb.

    `verb`: of the clause, where the pattern is of what follows it. `before`: how what follows begins, `{b}` in `ask`.
    `lists`: it has to name several things. `plural`: the first group has to be a plural. `general`: the subject has to be any
    of its kind ("en plan"), not a certain one. `weak`: the question says little.
    """

    ask: str
    type: str = ""
    pattern: re.Pattern[str] | None = None
    verb: re.Pattern[str] | None = None
    before: str = ""
    lists: bool = False
    plural: bool = False
    weak: bool = False
    general: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that is asked of most things, parties or persons (`of`), and the words of a text that may tell it.

    `unfit`: endings of nouns that it is not asked of.
    """

    ask: str
    of: str
    words: tuple[str, ...]
    unfit: tuple[str, ...] = ()


@dataclass(frozen=True)
class DraftWords:
    """The words and patterns of a language."""

    code: str
    raw: Mapping[str, Any]
    sentences: tuple[Pattern, ...] = ()
    verbs: tuple[Pattern, ...] = ()
    leads: tuple[Pattern, ...] = ()
    lead_verbs: tuple[Pattern, ...] = ()
    times: tuple[Pattern, ...] = ()
    asks: Mapping[str, str] = field(default_factory=dict)

    def words(self, name: str) -> frozenset[str]:
        """A list of words; empty where the language has none."""
        return frozenset(self.raw.get(name, ()))

    def listed(self, name: str) -> tuple[str, ...]:
        """A list in its order."""
        return tuple(self.raw.get(name, ()))

    def opening(self, name: str) -> re.Pattern[str] | None:
        """The pattern of how a sentence begins; None where the language has none."""
        found = self.raw.get(name, "")
        return re.compile(found) if found else None

    def tells_time(self, text: str, *, whole: bool = False) -> bool:
        """Does a text end with a time, or name a length of time? `whole`: is it nothing but a time?"""
        ends = [one.pattern.pattern for one in self.times if one.pattern]
        if whole:
            return any(re.fullmatch(end, text) for end in ends)
        length = re.search(rf"\b{self.raw['numbers']} {self.raw['units']}\b", text)
        return length is not None or any(re.search(rf"(?:^| ){end}$", text) for end in ends)

    def without_time(self, text: str) -> str:
        """A text without the time that it ends with; whole where it is a time and no more."""
        for one in self.times:
            pattern = one.pattern.pattern if one.pattern else "(?!)"
            found = re.fullmatch(rf"(?P<before>.*?\S)\s+{pattern}", text)
            if found:
                return found["before"]
        return text

    def absent(self, name: str) -> tuple[str, ...]:
        """Words and sentences for questions without an answer."""
        return tuple(self.raw.get("absent", _NOTHING).get(name, ()))

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """What may be asked of anything that is spoken of."""
        found = self.raw.get("attributes", ())
        return tuple(
            Attribute(one["ask"], one.get("of", "thing"), tuple(one["words"]), tuple(one.get("unfit", ())))
            for one in found
        )

    @cached_property
    def asking(self) -> frozenset[str]:
        """The words with which questions are asked."""
        asked = (*self.asks.values(), *(one.ask for one in self.times))
        return frozenset(re.findall(r"\w+", re.sub(r"\{\w+\}", " ", " ".join(asked)).casefold()))

    def figures(self, name: str) -> str:
        """How a figure is asked for."""
        return str(self.raw.get("figures", _NOTHING).get(name, ""))


@cache
def draft_words(code: str) -> DraftWords:
    """The words of a language. Raises KeyError for one without."""
    if code not in LANGUAGES:
        raise KeyError(code)
    text = files("ankare.evaluation.drafting").joinpath(f"{code}.toml").read_text("utf-8")
    raw = tomllib.loads(text)
    slots = {"{n}": raw.get("numbers", ""), "{u}": raw.get("units", ""), "{m}": raw.get("months", "")}

    def compiled(written: str) -> re.Pattern[str]:
        for slot, meant in slots.items():
            written = written.replace(slot, meant)
        return re.compile(written)

    def patterns(section: str, key: str) -> tuple[Pattern, ...]:
        return tuple(
            Pattern(
                ask=one["ask"],
                type=one.get("type", ""),
                pattern=compiled(one[key]) if key in one else None,
                verb=compiled(one["verb"]) if "verb" in one else None,
                before=one.get("before", ""),
                lists=one.get("lists", False),
                plural=one.get("plural", False),
                weak=one.get("weak", False),
                general=one.get("general", False),
            )
            for one in raw.get(section, ())
        )

    return DraftWords(
        code,
        raw,
        sentences=patterns("sentences", "pattern"),
        verbs=patterns("verbs", "pattern"),
        leads=patterns("leads", "pattern"),
        lead_verbs=patterns("lead_verbs", "rest"),
        times=patterns("times", "at_end"),
        asks=raw.get("asks", _NOTHING),
    )
