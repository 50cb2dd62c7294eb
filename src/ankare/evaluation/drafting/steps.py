"""Which question do numbered steps answer, by the heading that they stand under?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.asked import FAIR, LIKELY
from ankare.evaluation.drafting.clause import bare, is_base
from ankare.evaluation.drafting.draft import Draft, Evidence
from ankare.evaluation.drafting.speaker import Speaker

_ORDERED = re.compile(r"\d+[.)]?|[a-z][.)]|steg \d+|step \d+", re.IGNORECASE)


def of_steps(held: Evidence, speaker: Speaker) -> Iterator[Draft]:
    """Numbered steps, by what the heading says they are for: a case, an action, or only its words."""
    chunk, asks, words = held.chunk, speaker.words.asks, speaker.words
    heading = speaker.nouns.heading(chunk.section[-1] if chunk.section else chunk.title)
    if not ordered(held) or not heading or "?" in heading or speaker.grammar is None:
        return
    told = speaker.nouns.lowered(heading)
    if re.fullmatch(words.raw["case_headings"], heading) and speaker.grammar.slot(told) == told:
        yield speaker.headed(asks["do_then"].format(then=told), QuestionType.PROCESS, LIKELY, held)
    elif action := _action(told, speaker):
        yield speaker.headed(action, QuestionType.PROCESS, LIKELY, held)
    elif heading.casefold() not in words.words("empty_headings") and _are_orders(held, speaker):
        yield speaker.headed(asks["steps_under"].format(heading=heading), QuestionType.PROCESS, FAIR, held)


def _action(heading: str, speaker: Speaker) -> str:
    """How an action is done that a heading names with its object: "Rengöring av pumpen", "Cleaning the pump"."""
    first, _, rest = heading.partition(" ")
    grammar = speaker.grammar
    if grammar is None or not rest or grammar.slot(heading) != heading:
        return ""
    if speaker.words.code == "en":
        base = speaker.nouns.of_gerund(first)
        return speaker.words.asks["how_to"].format(rest=f"{base} {rest}") if base else ""
    acts = first.endswith(speaker.words.listed("nominal_endings")) and bare(rest.split()[0]) in grammar.prepositions
    definite = speaker.nouns.definite(first) if acts else ""
    return speaker.words.asks["steps_of"].format(thing=f"{definite} {rest}") if definite else ""


def _are_orders(held: Evidence, speaker: Speaker) -> bool:
    """Do some of the steps surely tell the reader what to do? The first words of others may be nouns, too ("pumpa")."""
    told = [
        is_base(bare(text.split()[0])) if speaker.words.code == "en" else bool(speaker.nouns.bidden(text))
        for text in held.texts
    ]
    return sum(told) * 3 >= len(told)


def ordered(held: Evidence) -> bool:
    """Is every item numbered?"""
    return all(sentence.marker and _ORDERED.fullmatch(sentence.marker) for sentence in held.sentences)
