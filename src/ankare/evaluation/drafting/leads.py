"""Which question does a list answer, by the sentence that announces it?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.asked import FAIR, LIKELY, SURE, Asked, filled, invertible, turned, whole
from ankare.evaluation.drafting.clause import Clause, Grammar
from ankare.evaluation.drafting.words import Pattern


def leads_to(lead: str, grammar: Grammar) -> Iterator[Asked]:
    """The questions that a list answers, by the sentence that announces it."""
    plain = lead.rstrip(":. ")
    for one in grammar.words.leads:
        found = one.pattern.fullmatch(plain) if one.pattern else None
        if found is not None:
            yield from _list_question(one, [group or "" for group in found.groups()], grammar)
            return
    clause = _lead_clause(plain, grammar)
    if clause is not None:
        yield from _when_listed(clause, grammar)
    for one in grammar.words.lead_verbs if clause else ():
        assert clause is not None  # noqa: S101 - told by the loop
        verb = one.verb.fullmatch(clause.verb) if one.verb else None
        found = one.pattern.fullmatch(clause.rest) if verb and one.pattern else None
        if found is not None:
            ask = one.ask.replace("{s}", clause.subject).replace("{v}", clause.verb)
            asked = Pattern(ask, one.type, plural=one.plural)
            yield from _list_question(asked, [group or "" for group in found.groups()], grammar, sure=SURE)


def _when_listed(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A condition whose cases are listed."""
    found = re.fullmatch(grammar.words.raw.get("when_listed", "(?!)"), clause.rest)
    before = found[1].strip() if found else ""
    if found and invertible(clause, grammar) and (not before or whole(before, clause.verb, grammar)):
        ask = grammar.words.times[-1].ask
        yield turned("inverted", clause, before, grammar, QuestionType.TIME, SURE, ask)


def _lead_clause(plain: str, grammar: Grammar) -> Clause | None:
    tokens = plain.split()
    padded = f"{plain} x x" if len(tokens) < 4 else plain
    clause = grammar.clause(padded)
    if clause is None or padded is plain:
        return clause
    return Clause(clause.subject, clause.head, clause.verb, clause.rest.removesuffix("x x").strip())


def _list_question(one: Pattern, groups: list[str], grammar: Grammar, sure: int = LIKELY) -> Iterator[Asked]:
    slots = [grammar.slot(group) for group in groups]
    if len(slots) == len(groups) and all(slots):
        question = filled(one.ask, slots, grammar)
        kind = one.type or QuestionType.LIST
        yield Asked(question, kind, FAIR if one.weak else sure, plural=slots[0] if one.plural else "")
