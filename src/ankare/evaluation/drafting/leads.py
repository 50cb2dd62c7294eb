"""Which question does a list answer, by the sentence that announces it?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.asked import FAIR, LIKELY, SURE, Asked, filled, invertible, turned, whole
from ankare.evaluation.drafting.clause import Clause, Grammar, bare
from ankare.evaluation.drafting.words import Pattern


def leads_to(lead: str, grammar: Grammar) -> Iterator[Asked]:
    """The questions that a list answers, by the sentence that announces it."""
    plain = lead.rstrip(":. ")
    for one in grammar.words.leads:
        found = one.pattern.fullmatch(plain) if one.pattern else None
        if found is not None and (one.type != QuestionType.PROCESS or lead.endswith(":")):
            yield from _list_question(one, [group or "" for group in found.groups()], grammar)
            return
    clause = _lead_clause(plain, grammar)
    found_any = False
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
            found_any = True
    if not found_any:
        yield from _following(plain, clause, grammar)


def _following(plain: str, clause: Clause | None, grammar: Grammar) -> Iterator[Asked]:
    """ "Varje elev får låna följande böcker", "Vid mötet behandlas följande frågor": by the mark that a list follows."""
    before, mark, thing = f"{plain} ".partition(f" {grammar.words.raw['following']} ")
    if not mark:
        return
    if clause is None:
        yield from _following_front(before, thing.strip(), grammar)
        return
    rest = clause.rest.partition(grammar.words.raw["following"])[0].strip()
    if rest and not grammar.infinitive(rest):
        return
    verb, more = clause.verb, f" {rest}" if rest else ""
    if not invertible(clause, grammar):
        verb, base = grammar.do(clause.verb)
        more = f" {base}{more}" if base else ""
        if not base:
            return
    yield from _asked_for(thing.strip(), verb, clause.subject, more, grammar, SURE)


def _following_front(before: str, thing: str, grammar: Grammar) -> Iterator[Asked]:
    """Behind what stands first: "Vid årsmötet behandlas". Swedish only, where the verb stands last then."""
    first, *_ = tokens = before.split()
    if grammar.words.code != "sv" or len(tokens) < 3 or bare(first) not in grammar.words.words("first_prepositions"):
        return
    verbs = [at for at, token in enumerate(tokens) if grammar.finite(token)]
    front = grammar.slot(grammar.lowered(" ".join(tokens[: verbs[0]]))) if verbs else ""
    if front and verbs == [len(tokens) - 1]:
        yield from _asked_for(thing, tokens[-1], front, "", grammar, LIKELY)


def _asked_for(thing: str, verb: str, subject: str, rest: str, grammar: Grammar, sure: int) -> Iterator[Asked]:
    """By the name of what is listed where it is a plural; whoever gets both keeps the first that its nouns allow."""
    kind = QuestionType.LIST
    if thing and grammar.slot(thing) == thing:
        question = grammar.words.asks["listed"].format(n=thing, v=verb, s=subject, rest=rest)
        yield Asked(question, kind, sure, plural=thing)
    yield Asked(grammar.words.asks["listed_thing"].format(v=verb, s=subject, rest=rest), kind, LIKELY)


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
