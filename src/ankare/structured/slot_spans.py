"""Where in a text do the slots of a question about figures stand: metric, entity, channel, period?

The same names and times as `parse_intent` reads, with their places. The names of external entities count as entities: a
question that is put together from two must hold them, so that the security gate sees them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from ankare.gate.grounding.words import closed
from ankare.language.periods import PeriodMention, find_periods, period_label
from ankare.structured.glossary import CHANNEL, ENTITY, METRIC, Glossary
from ankare.structured.intent import masked
from ankare.structured.phrases import AMBIGUOUS, fold, words

PERIOD = "period"
KINDS = (METRIC, ENTITY, CHANNEL, PERIOD)


@dataclass(frozen=True, slots=True)
class Slot:
    """`text[start:end]` names something. `codes`: what, as codes; `wording`: how it is said where nothing stands before it;
    `relative`: a time that counts from the reference date."""

    start: int
    end: int
    kind: str
    codes: tuple[str, ...]
    wording: str
    relative: bool = False


def read_slots(
    text: str, glossary: Glossary, language: str, reference: date, after: Sequence[Slot] = ()
) -> tuple[Slot, ...]:
    """The slots of a text by position. `after`: those of the question before it, from which its times may count ("the year
    before"); such a time is then worded for itself."""
    screened = glossary.gate.detect(text)
    shown = screened.masked_text if len(screened.masked_text) == len(text) else text
    found = glossary.names.find(fold(shown), shown)
    names = [Slot(n.start, n.end, n.kind, (n.code,), text[n.start : n.end]) for n in found if n.code != AMBIGUOUS]
    outside = [
        Slot(start, end, ENTITY, (text[start:end].casefold(),), text[start:end]) for start, end in _gone(text, shown)
    ]
    rest = masked(shown, found)
    times = _times(rest, glossary, language, reference, after)
    return tuple(sorted([*names, *outside, *times], key=lambda slot: (slot.start, slot.kind)))


def of_kind(slots: Iterable[Slot], kind: str) -> tuple[Slot, ...]:
    """The slots of one kind."""
    return tuple(slot for slot in slots if slot.kind == kind)


def codes_of(slots: Iterable[Slot]) -> dict[str, frozenset[str]]:
    """What the slots name, by kind."""
    kept = tuple(slots)
    return {kind: frozenset(code for slot in of_kind(kept, kind) for code in slot.codes) for kind in KINDS}


def with_preposition(text: str, start: int, language: str) -> int:
    """Where the preposition begins that stands before a place, else the place itself."""
    before = text[:start].rstrip()
    if len(before) == start and language != "zh":
        return start
    if language == "zh":
        return len(before) - 1 if before.endswith("在") else start
    last = words(fold(before))[-1:]
    known = last and last[0].form in closed(language)["prepositions"] and last[0].end == len(before)
    return last[0].start if known else start


def _times(rest: str, glossary: Glossary, language: str, reference: date, after: Sequence[Slot]) -> list[Slot]:
    """The times of a text; one that counts from the question before is worded as the period that it is there."""
    languages = glossary.spoken_first(language)
    alone = [mention for mention in find_periods(rest, languages, reference) if mention.periods]
    earlier = of_kind(after, PERIOD)
    lead = f"{earlier[-1].wording}. " if earlier else ""
    told = {m.start - len(lead): m for m in find_periods(lead + rest, languages, reference)} if earlier else {}
    slots = []
    for mention in alone:
        there = told.get(mention.start, mention)
        moved = bool(there.periods) and there.periods != mention.periods and there.end - len(lead) == mention.end
        wording = _worded(there, language) if moved else rest[mention.start : mention.end]
        periods = there.periods if moved else mention.periods
        relative = mention.relative and not moved
        slots.append(Slot(mention.start, mention.end, PERIOD, tuple(map("/".join, periods)), wording, relative))
    return slots


def _worded(mention: PeriodMention, language: str) -> str:
    labels = [period_label(period, language) for period in mention.periods]
    return labels[0] if len(labels) == 1 else ", ".join(labels)


def _gone(text: str, shown: str) -> list[tuple[int, int]]:
    """The stretches of a text that were made spaces."""
    places = [at for at, (one, other) in enumerate(zip(text, shown, strict=True)) if one != other]
    spans: list[tuple[int, int]] = []
    for at in places:
        if spans and not text[spans[-1][1] : at].strip():
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
    return spans
