"""Which questions does one sentence answer, in the words of its language?

Each rule turns the sentence's own words round: "X ansvarar för Y" is asked as "Vem ansvarar för Y?". What a rule cannot turn
round for certain gives no question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.clause import Clause, Grammar, bare
from ankare.language.packs import named_lists

SHORTEST, LONGEST = 3, 34
SURE, LIKELY, FAIR = 3, 2, 1
_WHOLE = re.compile(r"[A-ZÅÄÖ0-9].*[^.…]\.")
_LISTS = re.compile(r",.+ (?:och|samt|and|or|eller) |、")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and how sure its wording is: SURE, LIKELY or FAIR.

    `topic`: what it is about. `plural`: words of it that have to be one.
    """

    question: str
    type: str
    sure: int = LIKELY
    topic: str = ""
    plural: str = ""


def questions_of(sentence: str, grammar: Grammar) -> Iterator[Asked]:
    """The questions that a sentence answers, the surest first by rule."""
    if not _WHOLE.fullmatch(sentence) or not SHORTEST <= len(sentence.split()) <= LONGEST or _odd(sentence):
        return
    yield from by_wording(sentence.rstrip("."), grammar)
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
        if all(groups) and not _denied(sentence, grammar):
            yield Asked(filled(one.ask, groups, grammar), one.type, SURE, topic=groups[-1])


def filled(ask: str, groups: list[str], grammar: Grammar) -> str:
    """A question with the groups of its pattern in their places."""
    for number, group in enumerate(groups, start=1):
        ask = ask.replace(f"{{{number}}}", grammar.lowered(group))
    return first_upper(ask)


def first_upper(text: str) -> str:
    """The text with a capital first."""
    return text[:1].upper() + text[1:]


def _opening(sentence: str, grammar: Grammar) -> Iterator[Asked] | None:
    """By what a sentence begins with: a time, or a condition. None where it begins with neither."""
    for name, ask in (("fronted_often", 1), ("fronted", 3), ("conditional", None)):
        pattern = grammar.words.opening(name)
        if pattern is not None and pattern.match(sentence):
            return _conditional(sentence, grammar) if ask is None else _fronted(sentence, grammar, ask)
    return None


def _fronted(sentence: str, grammar: Grammar, ask: int) -> Iterator[Asked]:
    clause = grammar.fronted(sentence)
    rest = grammar.slot(clause.rest) if clause else ""
    if clause and len(rest.split()) > 1 and not _denied(rest, grammar) and not grammar.words.tells_time(rest):
        yield Asked(f"{grammar.words.times[ask].ask} {clause.verb} {rest}?", QuestionType.TIME, SURE)


def _conditional(sentence: str, grammar: Grammar) -> Iterator[Asked]:
    clause = grammar.fronted(sentence) if grammar.words.code == "sv" else None
    front = clause.front if clause else sentence.partition(",")[0] if "," in sentence else ""
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
        if one.general and clause.subject.split()[0] not in _INDEFINITE:
            continue
        yield Asked(
            one.ask.format(s=clause.subject, v=clause.verb, b=before[0]), one.type, LIKELY, topic=clause.subject
        )


def _who_is(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A party that holds an office: "Projektägaren är digitaliseringschefen"."""
    words = grammar.slot(clause.rest).split()
    certain = grammar.party(clause.head) and clause.subject.split()[0] not in _INDEFINITE
    if clause.verb in _BE[grammar.words.code] and 1 <= len(words) <= 2 and certain and grammar.party(words[-1]):
        yield Asked(grammar.words.asks["who_is"].format(s=clause.subject), QuestionType.RESPONSIBILITY, LIKELY)


def _who(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A party in the place of the subject: ask for it."""
    rest, verb = grammar.slot(grammar.first_of_two(clause.rest)), clause.verb
    if not rest or not _acts(clause, rest, grammar) or _denied(rest, grammar):
        return
    form = grammar.words.asks["who_plural" if grammar.plural(clause.head) else "who"]
    duties = named_lists(grammar.words.code, "cues")["responsibility_evidence"]
    known = verb in duties or f"{verb} {rest.split()[0]}" in duties
    sure = SURE if known else FAIR if grammar.neuter(clause.head) else LIKELY
    says_of = any(one.verb and one.verb.fullmatch(verb) for one in grammar.words.verbs)
    if form and (known or (len(rest.split()) > 1 and not says_of)):
        yield Asked(form.format(rest=f"{verb} {rest}"), QuestionType.RESPONSIBILITY, sure, topic=clause.subject)


def _acts(clause: Clause, rest: str, grammar: Grammar) -> bool:
    """Is the subject a certain party that does something itself, and one thing only?"""
    first = rest.split()[0]
    if (
        not grammar.party(clause.head)
        or clause.subject.split()[0] in _INDEFINITE
        or not grammar.one_subject(rest, clause.verb)
    ):
        return False
    if clause.verb in _BE[grammar.words.code] and first != "responsible":
        return False
    modal = clause.verb in grammar.words.words("modals")
    suffers = _passive(clause.verb, grammar) or (modal and _passive(first, grammar))
    return not suffers and not grammar.words.tells_time(rest, whole=True)


def _by_whom(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A party that something is done by."""
    before, agent, party = f" {clause.rest} ".partition(f" {grammar.words.raw['agent']} ")
    said = before.strip()
    words = grammar.slot(party).split()
    if not agent or not words or not (1 <= len(words) <= 4) or not any(map(grammar.party, words)):
        return
    if said and (not whole(said, clause.verb, grammar) or _denied(said, grammar)):
        return
    if grammar.words.code == "en" and (clause.verb not in ("is", "are") or len(said.split()) != 1):
        return
    if grammar.words.code == "sv" and not _passive(clause.verb, grammar):
        return
    ask = grammar.words.asks["by_whom"]
    rest = f" {said}" if said and grammar.words.code == "sv" else said
    yield Asked(ask.format(v=clause.verb, s=clause.subject, rest=rest), QuestionType.RESPONSIBILITY, SURE)


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
        before = found["before"].strip()
        if before and (not whole(before, clause.verb, grammar) or grammar.words.tells_time(before)):
            return
        if not _denied(before, grammar) and not (grammar.words.code == "en" and not before):
            yield turned("inverted", clause, before, grammar, QuestionType.TIME, SURE, one.ask)
        return


def _why(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A reason that the sentence ends with."""
    stops = grammar.words.words("no_reason")
    for mark in grammar.words.listed("reasons"):
        before, found, reason = clause.rest.partition(mark)
        before = before.rstrip(",")
        said = {bare(word) for word in (clause.verb, *before.split())}
        if not found or len(reason.split()) < 3 or stops & said or not invertible(clause, grammar):
            continue
        if (not before or whole(before, clause.verb, grammar)) and not _denied(before, grammar):
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
    """What may, must or cannot be done."""
    if clause.verb not in grammar.words.words("modals"):
        return
    tokens = grammar.slot(clause.rest).split()
    forbidden = bool(tokens) and bare(tokens[0]) in grammar.words.words("negation")
    rest = " ".join(tokens[forbidden:])
    supposed = f"{clause.verb} {rest.split(' ', 1)[0]}" in grammar.words.words("supposed")
    if len(rest.split()) > 1 and not _denied(rest, grammar) and whole(rest, clause.verb, grammar) and not supposed:
        question = grammar.words.asks["yes_no"].format(v=first_upper(clause.verb), s=clause.subject, rest=rest)
        yield Asked(question, QuestionType.EXISTENCE, LIKELY if forbidden else FAIR)


def whole(text: str, verb: str, grammar: Grammar) -> bool:
    """Can what follows a verb stand as it is, with no second verb that would have changed places too?

    After a modal verb comes an infinitive, which may look like a present ("skickas").
    """
    later = text.split()[1 if verb in grammar.words.words("modals") else 0 :]
    return grammar.slot(text) == text and not any(map(grammar.finite, later))


def turned(
    name: str, clause: Clause, before: str, grammar: Grammar, kind: QuestionType, sure: int, ask: str = ""
) -> Asked:
    """The clause as a question: its verb before its subject, after the words that ask."""
    rest = f" {before}" if before else ""
    question = grammar.words.asks[name].format(ask=ask, v=clause.verb, s=clause.subject, rest=rest)
    return Asked(question, kind, sure, topic=clause.subject)


def invertible(clause: Clause, grammar: Grammar) -> bool:
    """May verb and subject change places without another verb? In English only with some verbs."""
    return grammar.words.code == "sv" or clause.verb in {*grammar.words.words("modals"), "is", "are"}


def _passive(verb: str, grammar: Grammar) -> bool:
    return grammar.words.code == "sv" and verb.endswith("s") and verb not in ("finns",)


def _denied(text: str, grammar: Grammar) -> bool:
    return bool(grammar.words.words("negation").intersection(map(bare, text.split())))


def _odd(sentence: str) -> bool:
    """Is this something that only looks like a sentence: brackets that do not close, places to fill in?"""
    return sentence.count("(") != sentence.count(")") or bool(re.search(r"[\[\]<>|{}]|…|\.\.|xx|__", sentence))


_INDEFINITE = ("en", "ett", "a", "an")
_BE = {"sv": ("är",), "en": ("is", "are")}
_RULES = (_said_of, _who_is, _who, _by_whom, _time, _why, _how, _plan, _yes_no)
