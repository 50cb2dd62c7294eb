"""Which questions does one sentence answer, in the words of its language?

Each rule turns the sentence's own words round: "X ansvarar för Y" is asked as "Vem ansvarar för Y?". What a rule cannot turn
round for certain gives no question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.agents import by_whom, by_whom_then, who, who_is
from ankare.evaluation.drafting.asked import (
    BE,
    FAIR,
    INDEFINITE,
    LIKELY,
    SURE,
    Asked,
    denied,
    filled,
    first_upper,
    invertible,
    turned,
    whole,
)
from ankare.evaluation.drafting.clause import Clause, Grammar, bare
from ankare.evaluation.drafting.orders import infinitive_of, of_orders
from ankare.evaluation.drafting.voice import agent_of

SHORTEST, LONGEST = 3, 34
_WHOLE = re.compile(r"[A-ZÅÄÖ0-9].*[^.…]\.")
_LISTS = re.compile(r",.+ (?:och|samt|and|or|eller) |、")


def questions_of(sentence: str, grammar: Grammar) -> Iterator[Asked]:
    """The questions that a sentence answers, the surest first by rule."""
    if not _WHOLE.fullmatch(sentence) or not SHORTEST <= len(sentence.split()) <= LONGEST or _odd(sentence):
        return
    yield from by_wording(sentence.rstrip("."), grammar)
    yield from of_orders(sentence, grammar)
    opening = _opening(sentence, grammar)
    if opening is not None:
        yield from opening
        return
    clause = grammar.clause(sentence)
    if clause is not None:
        for rule in _RULES:
            yield from rule(clause, grammar)


def by_wording(sentence: str, grammar: Grammar) -> Iterator[Asked]:
    """By sentences whose whole wording says what they are."""
    for one in grammar.words.sentences:
        found = one.pattern.fullmatch(sentence) if one.pattern else None
        if found is None:
            continue
        groups = [grammar.slot(group or "") for group in found.groups()]
        if all(groups) and not denied(sentence, grammar):
            yield Asked(filled(one.ask, groups, grammar), one.type, SURE, topic=groups[-1])


def _opening(sentence: str, grammar: Grammar) -> Iterator[Asked] | None:
    """By what a sentence begins with: a time, or a condition. None where it begins with neither."""
    for name, ask in (("fronted_often", 1), ("fronted", 3), ("conditional", None)):
        pattern = grammar.words.opening(name)
        if pattern is not None and pattern.match(sentence):
            return _conditional(sentence, grammar) if ask is None else _fronted(sentence, grammar, ask)
    return None


def _fronted(sentence: str, grammar: Grammar, ask: int) -> Iterator[Asked]:
    clause = grammar.fronted(sentence)
    if clause is None:
        return
    if agent_of(clause, grammar) is not None:  # who does it is what such a sentence tells
        yield from by_whom_then(clause, clause.front, grammar)
        return
    rest = grammar.slot(clause.rest)
    if len(rest.split()) > 1 and not denied(rest, grammar) and not grammar.words.tells_time(rest):
        yield Asked(f"{grammar.words.times[ask].ask} {clause.verb} {rest}?", QuestionType.TIME, SURE)


def _conditional(sentence: str, grammar: Grammar) -> Iterator[Asked]:
    clause = grammar.fronted(sentence) if grammar.words.code == "sv" else None
    before, comma, order = sentence.partition(", ")
    if comma and infinitive_of(order, grammar):
        return  # an order: what should be done is asked for
    front = clause.front if clause else before if comma else ""
    front = grammar.slot(grammar.lowered(front))
    if len(front.split()) > 2:
        yield Asked(grammar.words.asks["if"].format(clause=front), QuestionType.PROCESS, SURE)


def _said_of(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """What a verb says of its subject: what it means, holds, is for."""
    for one in grammar.words.verbs:
        before = re.match(one.before, clause.rest)
        if one.verb is None or not one.verb.fullmatch(clause.verb) or before is None:
            continue
        if one.lists and not _LISTS.search(clause.rest):
            continue
        if one.general and clause.subject.split()[0] not in INDEFINITE:
            continue
        yield Asked(
            one.ask.format(s=clause.subject, v=clause.verb, b=before[0]), one.type, LIKELY, topic=clause.subject
        )


def _state(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A state that can be asked for with yes or no: free of charge, open, compulsory."""
    rest = grammar.slot(clause.rest)
    known = re.match(grammar.words.raw.get("states_of", "(?!)"), rest)
    if clause.verb in BE[grammar.words.code] and known and not gives_away(rest, grammar):
        yield Asked(
            grammar.words.asks["yes_no"].format(v=first_upper(clause.verb), s=clause.subject, rest=rest),
            QuestionType.EXISTENCE,
            LIKELY,
            topic=clause.subject,
        )


def _time(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A time at the end."""
    if not invertible(clause, grammar):
        return
    told = clause.rest.partition(",")[0]
    for one in grammar.words.times:
        pattern = one.pattern.pattern if one.pattern else ""
        found = re.fullmatch(rf"(?P<before>.*?)\s*(?P<time>{pattern})", told)
        if found is None:
            continue
        before = _without_agent(found["before"].strip(), clause, grammar)
        own = grammar.own(clause)
        if before is None or (
            before and (not whole(before, clause.verb, grammar, own) or grammar.words.tells_time(before))
        ):
            return
        if not denied(before, grammar) and not (grammar.words.code == "en" and not before):
            yield turned("inverted", clause, before, grammar, QuestionType.TIME, SURE, one.ask)
        return


def _without_agent(before: str, clause: Clause, grammar: Grammar) -> str | None:
    """What is done, without who does it, where that is not asked; None where it cannot be told apart."""
    agent = agent_of(Clause(clause.subject, clause.head, clause.verb, before), grammar)
    if agent is None:
        return before
    at_once = len(agent.before.split()) <= 1 + (clause.verb in grammar.words.words("modals"))
    return agent.before if at_once else None


def _why(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A reason that the sentence ends with."""
    stops = grammar.words.words("no_reason")
    for mark in grammar.words.listed("reasons"):
        before, found, reason = clause.rest.partition(mark)
        before = before.rstrip(",")
        said = {bare(word) for word in (clause.verb, *before.split())}
        if not found or len(reason.split()) < 3 or stops & said or not invertible(clause, grammar):
            continue
        if (not before or whole(before, clause.verb, grammar)) and not denied(before, grammar):
            yield turned("why", clause, before, grammar, QuestionType.PURPOSE, SURE)
            return


def _how(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """The means that the sentence ends with."""
    for mark in grammar.words.listed("means"):
        before, found, means = f" {clause.rest}".partition(mark)
        before = before.strip()
        if found and len(means.split()) > 1 and (not before or whole(before, clause.verb, grammar)):
            yield turned("how", clause, before, grammar, QuestionType.PROCESS, SURE)


def _plan(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """What a document has to state."""
    first = clause.rest.split()[0] if clause.rest else ""
    if clause.verb not in grammar.words.words("modals") or first not in grammar.words.words("states"):
        return
    planned = clause.head.endswith(grammar.words.listed("plan_heads"))
    kind = QuestionType.PLANNING if planned else QuestionType.LIST
    if planned or _LISTS.search(clause.rest):
        ask = grammar.words.asks["plan"].format(v=clause.verb, s=clause.subject, rest=first)
        yield Asked(ask, kind, SURE, topic=clause.subject)


def _yes_no(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """What may, must or cannot be done; not where the sentence tells how much, when or only what: the question would."""
    if clause.verb not in grammar.words.words("modals"):
        return
    own = grammar.own(clause)
    tokens = grammar.slot(clause.rest, own).split()
    forbidden = bool(tokens) and bare(tokens[0]) in grammar.words.words("negation")
    rest = " ".join(tokens[forbidden:])
    supposed = f"{clause.verb} {rest.split(' ', 1)[0]}" in grammar.words.words("supposed")
    if len(rest.split()) < 2 or supposed or not grammar.infinitive(rest) or gives_away(rest, grammar):
        return
    told = agent_of(clause, grammar)
    if not (told and told.party) and not denied(rest, grammar) and whole(rest, clause.verb, grammar, own):
        question = grammar.words.asks["yes_no"].format(v=first_upper(clause.verb), s=clause.subject, rest=rest)
        yield Asked(question, QuestionType.EXISTENCE, LIKELY if forbidden else FAIR)


def gives_away(text: str, grammar: Grammar) -> bool:
    """Does a text name an amount or a time, or say that it is only this: what a reader would ask for?"""
    words = grammar.words
    plain = {bare(word) for word in text.split()}
    number = re.search(rf"\d|\b{words.raw['counted']}\b", text)
    return number is not None or words.tells_time(text) or not plain.isdisjoint(words.words("only"))


def _odd(sentence: str) -> bool:
    """Is this something that only looks like a sentence: brackets that do not close, places to fill in?"""
    return sentence.count("(") != sentence.count(")") or bool(re.search(r"[\[\]<>|{}]|…|\.\.|xx|__", sentence))


_RULES = (_said_of, who_is, who, by_whom, _state, _time, _why, _how, _plan, _yes_no)
