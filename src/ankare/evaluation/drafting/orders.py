"""Which questions does a sentence answer that tells its reader what to do, or never to do?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.asked import LIKELY, Asked, first_upper
from ankare.evaluation.drafting.clause import Grammar, bare, is_base
from ankare.language.dictionary import is_verb_form


def of_orders(sentence: str, grammar: Grammar) -> Iterator[Asked]:
    """By an order that holds in some case, and by a ban."""
    yield from _in_case(sentence.rstrip("."), grammar)
    yield from _banned(sentence.rstrip("."), grammar)
    yield from _none_may(sentence.rstrip("."), grammar)


def _in_case(sentence: str, grammar: Grammar) -> Iterator[Asked]:
    """ "In an emergency, call 112": what should be done in an emergency?"""
    front, comma, order = sentence.partition(", ")
    opening = re.match(grammar.words.raw.get("cases", "(?!)"), front)
    told = grammar.slot(grammar.lowered(front))
    if comma and opening and len(told.split()) > 1 and infinitive_of(order, grammar):
        yield Asked(grammar.words.asks["do_then"].format(then=told), QuestionType.PROCESS, LIKELY)


def _banned(sentence: str, grammar: Grammar) -> Iterator[Asked]:
    """ "Never travel alone" and "Lämna aldrig kupan": may one?"""
    found = re.fullmatch(grammar.words.raw.get("banned", "(?!)"), sentence)
    verb = _banned_verb(found["verb"], grammar) if found else ""
    rest = grammar.slot(found["rest"]) if found else ""
    if verb and rest:
        yield Asked(grammar.words.asks["allowed"].format(rest=f"{verb} {rest}"), QuestionType.EXISTENCE, LIKELY)


def _none_may(sentence: str, grammar: Grammar) -> Iterator[Asked]:
    """ "Ingen behandling får ske under vintern" and "No visitor may enter": may one?"""
    found = re.fullmatch(grammar.words.raw.get("none_may", "(?!)"), sentence)
    slots = [grammar.slot(found["s"]), grammar.slot(found["rest"])] if found else [""]
    if found and all(slots) and grammar.infinitive(slots[1]) and not any(map(grammar.finite, slots[0].split())):
        question = grammar.words.asks["yes_no"].format(v=first_upper(found["v"]), s=slots[0], rest=slots[1])
        yield Asked(question, QuestionType.EXISTENCE, LIKELY)


def _banned_verb(word: str, grammar: Grammar) -> str:
    """Where a ban is given, a word can be no noun."""
    plain = word.casefold()
    if grammar.words.code == "en":
        return plain if is_base(plain) else ""
    return infinitive_of(plain, grammar)


def infinitive_of(order: str, grammar: Grammar) -> str:
    """The infinitive of the imperative that a text begins with ("Ring" -> "ringa", "call" -> "call"); "" where it is none."""
    first, *more = order.split()
    plain = bare(first)
    if not plain.isalpha() or first[-1:] in ".,":
        return ""
    if grammar.words.code == "en":
        return plain if more and is_base(plain) and grammar.takes_object(more[0]) else ""
    if plain.endswith(("e", "å", "o")):  # "ange" is its own infinitive
        return plain if is_verb_form(f"{plain}r", "sv") else ""
    infinitive = plain if plain.endswith("a") else f"{plain}a"
    return "" if grammar.finite(plain) or not is_verb_form(infinitive, "sv") else infinitive
