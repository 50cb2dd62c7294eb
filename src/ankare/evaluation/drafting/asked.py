"""What is a question made of a sentence, and how are the words of one turned round?"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.clause import Clause, Grammar, bare

SURE, LIKELY, FAIR = 3, 2, 1
INDEFINITE = ("en", "ett", "a", "an")
BE = {"sv": ("är",), "en": ("is", "are")}


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


def filled(ask: str, groups: list[str], grammar: Grammar) -> str:
    """A question with the groups of its pattern in their places."""
    for number, group in enumerate(groups, start=1):
        ask = ask.replace(f"{{{number}}}", grammar.lowered(group))
    return first_upper(ask)


def first_upper(text: str) -> str:
    """The text with a capital first."""
    return text[:1].upper() + text[1:]


def whole(text: str, verb: str, grammar: Grammar, own: frozenset[str] = frozenset()) -> bool:
    """Can what follows a verb stand as it is, with no second verb that would have changed places too?

    After a modal verb comes an infinitive, which may look like a present ("skickas"). `own`: pointing words that are
    clear, since they point at the subject, which stays.
    """
    later = text.split()[1 if verb in grammar.words.words("modals") else 0 :]
    return grammar.slot(text, own) == text and not any(map(grammar.finite, later))


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


def denied(text: str, grammar: Grammar) -> bool:
    """Does a text deny something?"""
    return bool(grammar.words.words("negation").intersection(map(bare, text.split())))
