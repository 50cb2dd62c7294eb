"""What does a text ask after a question about figures? What it names takes the place of what the question named.

    "Vad var omsättningen i Norge 2024?"  +  "och 2023?"  ->  "Vad var omsättningen i Norge 2023?"

The words of the question before stay where they can; what comes out is read again, and counts only if it names exactly what
the two name together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from ankare.domain.fact import Period
from ankare.domain.question import Understood
from ankare.language.follow_ups import Core, as_question, cue_list, without_end, word_list
from ankare.language.periods import period_label
from ankare.structured.glossary import CHANNEL, ENTITY, METRIC, Glossary
from ankare.structured.intent import parse_intent
from ankare.structured.phrases import fold, words
from ankare.structured.slot_spans import KINDS, PERIOD, Slot, codes_of, of_kind, read_slots, with_preposition

_JOINING = re.compile(r"[\s,、，/&]*")


@dataclass(frozen=True, slots=True)
class FigureContext:
    """The question before and its slots, and the text with its own. `language` is the text's, `spoken` the question's."""

    previous: str
    core: Core
    old: tuple[Slot, ...]
    new: tuple[Slot, ...]
    glossary: Glossary
    language: str
    spoken: str
    reference: date

    @property
    def named(self) -> frozenset[str]:
        """The kinds of slots that the text names."""
        return frozenset(slot.kind for slot in self.new)


def figure_context(
    previous: str, core: Core, glossary: Glossary, language: str, spoken: str, reference: date
) -> FigureContext | None:
    """What is needed to read a text after a question about figures; None where the question names no metric."""
    old = read_slots(previous, glossary, spoken, reference)
    if not of_kind(old, METRIC):
        return None
    shown = " " * core.start + core.words
    new = read_slots(shown, glossary, language, reference, old)
    return FigureContext(previous, core, old, new, glossary, language, spoken, reference)


def figure_follow_up(context: FigureContext) -> Understood | None:
    """The question that the text is; the text itself where it stands on its own; None where it is about something else."""
    if not context.new:
        return None
    if METRIC in context.named and not context.core.cued:
        return Understood(context.core.text) if _only_slots(context) else None
    if _only_slots(context) or (METRIC not in context.named and _asks_a_bare_value(context)):
        ways = [_compared] if _says(context, "compares") else [_put_in_place, _strung_together]
        if context.language != context.spoken:
            ways = [_strung_together]
        made = (way(context) for way in ways)
        return next((f for f in made if f is not None and _names_both(f, context)), Understood(context.core.text))
    return _with_what_is_missing(context)


def figure_subject(context: FigureContext) -> str:
    """What the question before is about, without what the text names itself: "omsättningen i Norge 2024"."""
    kept = [slot for slot in context.old if slot.kind not in context.named or slot.kind == METRIC]
    metric = next(slot for slot in kept if slot.kind == METRIC)
    if context.spoken == "zh":
        return context.previous[min(slot.start for slot in kept) : max(slot.end for slot in kept)]
    rest = [slot for slot in kept if slot is not metric and slot.kind != METRIC]
    return " ".join([context.previous[metric.start : metric.end], *(_phrase(context, slot) for slot in rest)])


def _only_slots(context: FigureContext) -> bool:
    return not _left(context, word_list(context.language, "around"))


def _asks_a_bare_value(context: FigureContext) -> bool:
    bare = word_list(context.language, "bare_value")
    return bool(bare) and not _left(context, bare | word_list(context.language, "around"))


def _left(context: FigureContext, known: frozenset[str]) -> str:
    """What the text says beside its slots and the known words."""
    rest = list(fold(context.core.text[: context.core.end]))
    for start, end in [(0, context.core.start), *((slot.start, slot.end) for slot in context.new)]:
        rest[start:end] = " " * (end - start)
    text = "".join(rest)
    if context.language == "zh":
        for piece in sorted(known, key=len, reverse=True):
            text = text.replace(piece, "")
        return text.strip()
    return " ".join(word.form for word in words(text) if word.form not in known)


def _says(context: FigureContext, name: str) -> bool:
    text = fold(context.core.words)
    if context.language == "zh":
        return any(cue in text for cue in cue_list("zh", name))
    return not word_list(context.language, name).isdisjoint(word.form for word in words(text))


def _compared(context: FigureContext) -> Understood | None:
    """A comparison goes after the question before it, in place of one that stands there."""
    stem = without_end(context.previous[: _comparison_at(context)])
    gap = "" if context.spoken == "zh" else " "
    known, core = word_list(context.language, "compares"), context.core
    start = next((w.start for w in words(fold(core.words)) if w.form in known), 0)
    before = core.text[: core.start].strip()[-1:]  # what compares may also open a text: "和" in "和中国比较"
    with_it = before if before in word_list(context.language, "compares_with") else ""
    comparison = with_it + _as_comparison(core.words[start:], context.spoken)
    return Understood(as_question(stem + gap + comparison, context.spoken), True, (stem,))


def _as_comparison(words_: str, language: str) -> str:
    """ "jämför det med Kina" as it is said after a question: "jämfört med Kina"."""
    said, *asked = cue_list(language, "compared_with") or ("",)
    folded = fold(words_)
    cue = next((cue for cue in asked if folded.startswith(cue + " ")), None)
    return words_ if cue is None else said + words_[len(cue) :]


def _comparison_at(context: FigureContext) -> int:
    """Where a comparison begins in the question before, after its first slots; else its end."""
    first = of_kind(context.old, METRIC)[0].end
    known = word_list(context.spoken, "compares")
    found = (word.start for word in words(fold(context.previous)) if word.start > first and word.form in known)
    return next(found, len(context.previous))


def _put_in_place(context: FigureContext) -> Understood | None:
    """What the text names, in the places where the question before names its kind."""
    edits: list[tuple[int, int, str]] = []
    added: list[str] = []
    for kind in KINDS:
        theirs, ours = _given_up(context, kind), of_kind(context.new, kind)
        if not ours:
            continue
        wording = _wording(context, ours)
        if wording is None or (theirs and not _beside_each_other(context, theirs)):
            return None
        if theirs:
            edits.append(_edit(context, theirs, ours, wording))
        else:
            added.append(_own_preposition(context, ours[0]) + wording)
    if any(_asks(context.previous[start:end], context) or _asks(wording, context) for start, end, wording in edits):
        return None
    return _edited(context, sorted(edits), added)


def _edited(context: FigureContext, edits: Sequence[tuple[int, int, str]], added: Sequence[str]) -> Understood:
    stem = without_end(context.previous)
    pieces, taken, at = [], [], 0
    for start, end, wording in edits:
        pieces += [stem[at:start], wording]
        taken.append(stem[at:start])
        at = end
    pieces.append(stem[at:])
    taken.append(stem[at:])
    gap = "" if context.spoken == "zh" else " "
    question = "".join(pieces) + "".join(gap + piece for piece in added)
    return Understood(as_question(question, context.spoken), True, tuple(t.strip() for t in taken if t.strip()))


def _edit(context: FigureContext, theirs: Sequence[Slot], ours: Sequence[Slot], wording: str) -> tuple[int, int, str]:
    """What is replaced by what: with the preposition where both have one, in the form of an owner where the old one is."""
    start, end = theirs[0].start, theirs[-1].end
    old_start = with_preposition(context.previous, start, context.spoken)
    own = _own_preposition(context, ours[0])
    if own and old_start < start:
        return old_start, end, own + wording
    if ours[0].relative and context.spoken == "en":
        return old_start, end, wording  # "in 2023", but "last year"
    if theirs[0].kind == ENTITY and old_start == start and context.spoken != "zh":
        wording = _as_owner(context, theirs[-1], wording)
    return start, end, wording


def _as_owner(context: FigureContext, old: Slot, wording: str) -> str:
    """ "Norges omsättning" keeps its form: "Sveriges omsättning"."""
    follows = any(slot.start - old.end == 1 and slot.kind == METRIC for slot in context.old)
    if not follows or not old.wording.casefold().endswith("s") or wording.casefold().endswith("s"):
        return wording
    return wording + ("'s" if context.spoken == "en" else "s")


def _asks(wording: str, context: FigureContext) -> bool:
    """Does a name begin with a word that asks ("hur många anställda")? It can stand in no other name's place."""
    first = words(fold(wording))[:1]
    return bool(first) and first[0].form in word_list(context.spoken, "asking")


def _strung_together(context: FigureContext) -> Understood | None:
    """The names alone, in a fixed order; those of the question before as it worded them, or as the text's language does."""
    pieces: list[str] = []
    taken: list[str] = []
    for kind in (METRIC, ENTITY, CHANNEL, PERIOD):
        ours, theirs = of_kind(context.new, kind), of_kind(context.old, kind)
        if ours:
            wording = _wording(context, ours)
            if wording is None:
                return None
            pieces.append(_own_preposition(context, ours[0]) + wording)
        for slot in () if ours else theirs:
            taken.append(_phrase(context, slot))
            pieces.append(taken[-1])
    if context.language == "zh":
        pieces = [*pieces[1:], "的", pieces[0]] if len(pieces) > 1 else pieces
    gap = "" if context.language == "zh" else " "
    return Understood(as_question(gap.join(pieces), context.language), True, tuple(taken))


def _with_what_is_missing(context: FigureContext) -> Understood | None:
    """A whole question for another metric, with a cue: it takes over what it does not name."""
    if METRIC not in context.named or not context.core.cued or context.language == "zh":
        return None
    profile = context.glossary.profile
    intent = parse_intent(context.core.words, context.reference, profile=profile, language=context.language)
    if intent.metric is None or intent.subject or intent.unreadable_period:
        return None
    missing = [slot for slot in context.old if slot.kind not in context.named]
    if not missing:
        return None
    taken = tuple(_phrase(context, slot) for slot in missing)
    found = Understood(as_question(" ".join([context.core.words, *taken]), context.language), True, taken)
    return found if _names_both(found, context) else None


def _names_both(found: Understood, context: FigureContext) -> bool:
    """Read again, does it name what the text names, and of every other kind what the question before names?"""
    there = codes_of(read_slots(found.question, context.glossary, context.language, context.reference))
    new, compares = codes_of(context.new), _says(context, "compares")
    cut = _comparison_at(context)
    for kind in KINDS:
        gone = _given_up(context, kind) if new[kind] and not compares else ()
        kept = [slot for slot in of_kind(context.old, kind) if slot not in gone and (slot.start < cut or not compares)]
        if there[kind] != new[kind] | {code for slot in kept for code in slot.codes}:
            return False
    return True


def _given_up(context: FigureContext, kind: str) -> tuple[Slot, ...]:
    """The slots of the question before that the text's of this kind take the place of: in a comparison, what it compares to."""
    theirs = of_kind(context.old, kind)
    return tuple(slot for slot in theirs if slot.start >= _comparison_at(context)) or theirs


def _phrase(context: FigureContext, slot: Slot) -> str:
    """A slot of the question before with its preposition, or its label where the text is in another language."""
    if context.language == context.spoken:
        return context.previous[with_preposition(context.previous, slot.start, context.spoken) : slot.end]
    profile, code = context.glossary.profile, slot.codes[0]
    if slot.kind == PERIOD:
        labels = [period_label(Period(*code.split("/")), context.language) for code in slot.codes]
        return ", ".join(labels)
    named = {METRIC: profile.metric, ENTITY: profile.entity, CHANNEL: profile.channel}[slot.kind](code)
    return named.label_in(context.language) if named is not None else slot.wording


def _wording(context: FigureContext, slots: Sequence[Slot]) -> str | None:
    """How the text words its slots of one kind; None where other words stand between them."""
    if len(slots) == 1:
        return slots[0].wording
    known = word_list(context.language, "around")
    text = context.core.text
    for one, other in pairwise(slots):
        between = text[one.end : other.start]
        if not _JOINING.fullmatch(between) and any(w.form not in known for w in words(fold(between))):
            return None
    if any(slot.wording != text[slot.start : slot.end] for slot in slots):
        return ", ".join(slot.wording for slot in slots)
    return text[slots[0].start : slots[-1].end]


def _beside_each_other(context: FigureContext, slots: Sequence[Slot]) -> bool:
    """Does no other slot stand between them?"""
    return not any(slots[0].start < slot.start < slots[-1].start and slot not in slots for slot in context.old)


def _own_preposition(context: FigureContext, slot: Slot) -> str:
    start = with_preposition(context.core.text, slot.start, context.language)
    return context.core.text[start : slot.start] if start >= context.core.start else ""
