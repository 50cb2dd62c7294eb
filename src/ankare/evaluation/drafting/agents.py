"""Which party does, decides or holds what a sentence tells of? Questions for a person, a role or a body."""

from __future__ import annotations

from collections.abc import Iterator

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.asked import BE, FAIR, INDEFINITE, LIKELY, SURE, Asked, denied, first_upper, whole
from ankare.evaluation.drafting.clause import Clause, Grammar
from ankare.evaluation.drafting.voice import Agent, active, agent_of, is_passive
from ankare.language.packs import named_lists


def who_is(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A party that holds an office: "Projektägaren är digitaliseringschefen"."""
    words = grammar.slot(clause.rest).split()
    certain = grammar.party(clause.head) and clause.subject.split()[0] not in INDEFINITE
    if clause.verb in BE[grammar.words.code] and 1 <= len(words) <= 2 and certain and grammar.party(words[-1]):
        yield Asked(grammar.words.asks["who_is"].format(s=clause.subject), QuestionType.RESPONSIBILITY, LIKELY)


def who(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A party in the place of the subject: ask for it."""
    own = grammar.words.words("own_of_any")
    told, verb = grammar.slot(grammar.first_of_two(clause.rest), own), clause.verb
    rest = grammar.words.without_time(told)
    if not rest or not _acts(clause, rest, grammar) or denied(rest, grammar):
        return
    form = grammar.words.asks["who_plural" if grammar.plural(clause.head) else "who"]
    duties = named_lists(grammar.words.code, "cues")["responsibility_evidence"]
    known = verb in duties or f"{verb} {rest.split()[0]}" in duties
    sure = SURE if known else FAIR if grammar.neuter(clause.head) else LIKELY
    says_of = any(one.verb and one.verb.fullmatch(verb) for one in grammar.words.verbs)
    if form and (known or (len(told.split()) > 1 and not says_of)):
        yield Asked(form.format(rest=f"{verb} {rest}"), QuestionType.RESPONSIBILITY, sure, topic=clause.subject)


def _acts(clause: Clause, rest: str, grammar: Grammar) -> bool:
    """Is the subject a certain party that does something itself, and one thing only?"""
    first = rest.split()[0]
    if (
        not grammar.party(clause.head)
        or clause.subject.split()[0] in INDEFINITE
        or not grammar.one_subject(rest, clause.verb)
    ):
        return False
    if clause.verb in BE[grammar.words.code] and first != "responsible":
        return False
    modal = clause.verb in grammar.words.words("modals")
    sv = grammar.words.code == "sv"
    suffers = sv and (is_passive(clause.verb) or (modal and is_passive(first)))
    return not suffers and not grammar.words.tells_time(rest, whole=True)


def by_whom(clause: Clause, grammar: Grammar) -> Iterator[Asked]:
    """A party that something is done by."""
    agent = agent_of(clause, grammar)
    if agent is not None and agent.party:
        yield from _asked(clause, agent, grammar)


def by_whom_then(clause: Clause, front: str, grammar: Grammar) -> Iterator[Asked]:
    """The same, behind a condition: "När larmet går leds insatsen av polisen" asks who leads it then."""
    found = agent_of(clause, grammar)
    if found is None or not found.party:
        return
    thing, done = (found.before, "") if not clause.subject else (clause.subject, found.before)
    if clause.verb in grammar.words.words("modals") or not 1 <= len(thing.split()) <= MOST_OF_THING:
        return
    told = Clause(thing, thing.split()[-1], clause.verb, clause.rest)
    yield from _asked(told, Agent(done, found.after, party=True), grammar, then=grammar.slot(grammar.lowered(front)))


def _asked(clause: Clause, agent: Agent, grammar: Grammar, then: str = "") -> Iterator[Asked]:
    if agent.before and (not whole(agent.before, clause.verb, grammar) or denied(agent.before, grammar)):
        return
    found = active(clause, agent.before, grammar)
    form = grammar.words.asks["who_plural" if _several(agent, grammar) else "who"] or grammar.words.asks["who"]
    if found is not None:
        verb, more = found
        rest = " ".join(filter(None, (verb, clause.subject, more, then)))
        yield Asked(first_upper(form.format(rest=rest)), QuestionType.RESPONSIBILITY, SURE, topic=clause.subject)


def _several(agent: Agent, grammar: Grammar) -> bool:
    """Are several named: joined by "och", or a plural?"""
    words = agent.after.rstrip(".").split()
    return words[1:2] == [grammar.words.raw["and"]] or grammar.plural(words[0])


MOST_OF_THING = 4
"""Words of what is acted on, behind a condition, where no verb divides them from what follows."""
