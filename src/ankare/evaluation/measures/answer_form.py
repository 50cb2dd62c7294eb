"""Has an answer the form that the question asks for: a party for who, a time for when, a number for how many?

What is asked for is told by the wording of the question (the language packs' question types and kinds). Only what the answer
adds to the question's words counts: the steering group that is asked about is not who leads it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ankare.domain.question import QuestionType
from ankare.evaluation.measures.answer_statements import Claimed
from ankare.evaluation.measures.said import CHINESE, Said, content_word, said, wording
from ankare.gate.grounding.reading import Reading, read
from ankare.gate.grounding.words import is_imperative, verb_form
from ankare.language.cues import has_cue, opens_with
from ankare.language.kinds import Kind, asked_kind, holds_kind
from ankare.language.languages import get_language
from ankare.language.measure_words import measure_words
from ankare.language.measures import Value
from ankare.language.packs import named_lists

MISSED = 0.5
"""What an answer is worth that has not the form that was asked for."""
LEAST_ITEMS = 2
_KEPT = 4_000
_ENTRY = re.compile(r"[^–—:|]{2,60}?(?: [–—-] |: | \| )\S")
_JOINED = re.compile(r",\s| och | samt | and | or | eller |;\s")
_JOINED_CHINESE = re.compile("、|和|及|以及|；")
_CUES = {
    QuestionType.PURPOSE: ("purpose_evidence",),
    QuestionType.PROCESS: ("sequence", "process_evidence"),
    QuestionType.EXISTENCE: ("existence_evidence", "negation"),
}
_STEM, _SHORT_ENDING = 3, 4
"""Letters that a noun has at least before a short ending that makes it one who does something; a long one is a word itself."""
_TIMES = ("date", "clock", "rhythm")
_TOPIC = 30
"""Characters from its start within which a sentence names what it is about."""
_LISTS = (QuestionType.LIST, QuestionType.PROCESS)


def form_fit(asked: Said, claims: Sequence[Claimed], headings: Sequence[Said] = ()) -> tuple[float, str]:
    """(1 or `MISSED`, what was asked for): do the answer's sentences have the form? 1 where no form is asked for.

    `headings`: under which the sentences stand in their documents; one may begin by saying that what follows is the purpose
    or the steps.
    """
    kind, wanted = kind_asked(asked), form_asked(asked.code, asked.text)
    if kind is not None or wanted is QuestionType.RESPONSIBILITY:
        fits = [_holds(kind or Kind.PARTY, asked, one.said) for one in claims]
        several = wording(asked.code, "asks_party").search(asked.text.casefold()) is not None
        enough = 2 * sum(fits) >= len(fits) if several else True
        return (1.0 if any(fits) and enough else MISSED), (kind or wanted).value
    return (1.0 if _has_form(wanted, asked, claims, headings) else MISSED), wanted.value


@lru_cache(_KEPT)
def form_asked(code: str, question: str) -> QuestionType:
    """The form of answer that a question asks for."""
    return get_language(code).question_type(question)


def kind_asked(asked: Said) -> Kind | None:
    """The kind of thing that a question asks for, None where it asks for none."""
    kind = asked_kind(asked.code, asked.text)
    if kind is None and wording(asked.code, "asks_party").search(asked.text.casefold()):
        return Kind.PARTY
    return kind


def _has_form(wanted: QuestionType, asked: Said, claims: Sequence[Claimed], headings: Sequence[Said]) -> bool:
    if wanted is QuestionType.TIME:
        return any(_tells_time(one.said) for one in claims)
    if wanted is QuestionType.DEFINITION:
        return any(_defines(one.said, asked) for one in claims)
    if wanted is QuestionType.EXISTENCE and any(_says_yes_or_no(one.said) for one in claims):
        return True
    if wanted in _LISTS and _items(claims) >= LEAST_ITEMS:
        return True
    cues = _CUES.get(wanted)
    if cues is None:
        return wanted is not QuestionType.LIST
    if any(has_cue(get_language(one.said.code), one.said.text, cue) for one in claims for cue in cues):
        return True
    return any(opens_with(get_language(one.code), one.text, cue) for one in headings for cue in cues)


def _holds(kind: Kind, asked: Said, one: Said) -> bool:
    """Does a sentence hold something of the kind beyond the question's words, and not in the part that is asked about?"""
    rest = _beyond(asked, one)
    if not (holds_kind(one.code, kind, rest) or _otherwise(kind, rest, one.code)):
        return False
    return kind is not Kind.PARTY or one.code == CHINESE or not (_tells_to(one) or _turned(asked, one))


def _otherwise(kind: Kind, text: str, code: str) -> bool:
    """Is the kind told by another: a time by its length ("within two weeks"), a party by what it does?"""
    if kind is Kind.DATE:
        return holds_kind(code, Kind.DURATION, text)
    return kind is Kind.PARTY and _names_agent(text, code)


def _names_agent(text: str, code: str) -> bool:
    """Does a text hold a noun that by its ending is who does something ("kommunikatören", "planner")?"""
    lists = named_lists(code, "evaluation")
    acting, others = tuple(lists["agent_endings"]), tuple(lists["no_agent_endings"])
    words = (content_word(code, token.text) for token in get_language(code).tokens(text)) if acting else ()
    return any(_is_agent(term, acting, others) for word in words if word is not None for term in word.terms)


def _is_agent(term: str, acting: tuple[str, ...], others: tuple[str, ...]) -> bool:
    for ending in acting:
        stem = _STEM if len(ending) <= _SHORT_ENDING else 0
        if term.endswith(ending) and len(term) >= len(ending) + stem and not term.endswith(others):
            return True
    return False


def _tells_to(one: Said) -> bool:
    """Does a sentence tell to do something ("Decide on ...")? Then whoever it names is not who does it."""
    first = next(iter(get_language(one.code).tokens(one.text)), None)
    return first is not None and first.text[:1].isupper() and is_imperative(first.norm, one.code)


def _beyond(asked: Said, one: Said) -> str:
    """A sentence without the content words of the question. Numbers and names stay as they are written."""
    if one.code == CHINESE or asked.code != one.code:
        return one.text
    kept, at = [], 0
    for token in get_language(one.code).tokens(one.text):
        word = content_word(one.code, token.text)
        if word is not None and not word.terms.isdisjoint(asked.terms) and not token.norm[:1].isdecimal():
            kept.append(one.text[at : token.start])
            at = token.end
    return "".join([*kept, one.text[at:]])


def _turned(asked: Said, one: Said) -> bool:
    """Does the sentence say what the party that is asked about does, where the question asks who does something to it?

    "Who leads the group?" is not answered by "The group leads the project": the verb is the same, and the one who acts is the
    one of the question. Only where the interrogative stands right before the verb and nobody else acts in the question.
    """
    if asked.code != one.code:
        return False
    question, sentence = read(asked.text, asked.code), read(one.text, one.code)
    verb = next((clause.verb for clause in question.clauses if clause.verb is not None), None)
    if verb is None or verb > 2:
        return False
    keys = question.words[verb].keys
    meeting = [c for c in sentence.clauses if c.verb is not None and not sentence.words[c.verb].keys.isdisjoint(keys)]
    return bool(meeting) and all(_acts_itself(sentence, clause.subjects, asked) for clause in meeting)


def _acts_itself(sentence: Reading, subjects: Sequence[int], asked: Said) -> bool:
    return bool(subjects) and all(not frozenset(sentence.words[at].terms).isdisjoint(asked.terms) for at in subjects)


def _tells_time(one: Said) -> bool:
    return (
        holds_kind(one.code, Kind.DURATION, one.text)
        or any(isinstance(amount.value, Value) and amount.value.kind in _TIMES for amount in one.amounts)
        or wording(one.code, "times").search(one.text.casefold()) is not None
    )


def _defines(one: Said, asked: Said) -> bool:
    """Does a sentence speak of the thing and say what it is, as a sentence or as the entry of a glossary?"""
    if one.terms.isdisjoint(asked.terms):
        return False
    language = get_language(one.code)
    if _ENTRY.match(one.text) or not asked.terms.isdisjoint(said(one.text[:_TOPIC], one.code).terms):
        return True
    return any(has_cue(language, one.text, name) for name in ("definition_evidence", "naming_evidence"))


def _says_yes_or_no(one: Said) -> bool:
    """Does a sentence say yes or no, deny something, or begin by saying that there is something?"""
    return (
        bool(one.denied)
        or wording(one.code, "yes_no").match(one.text.casefold()) is not None
        or opens_with(get_language(one.code), one.text, "existence_evidence")
    )


def _items(claims: Sequence[Claimed]) -> int:
    """How many things an answer names: its items, and what stands joined in a sentence."""
    return sum(1 + _joined(one.said) for one in claims)


def _joined(one: Said) -> int:
    """How often a sentence joins a thing to another: with a word for a thing after the mark, not a clause of its own."""
    if one.code == CHINESE:
        return len(_JOINED_CHINESE.findall(one.text))
    return sum(_goes_on_with_a_thing(one.text[joint.end() :], one.code) for joint in _JOINED.finditer(one.text))


def _goes_on_with_a_thing(rest: str, code: str) -> bool:
    articles = measure_words(code).lists["articles"]
    first = next((token for token in get_language(code).tokens(rest) if token.norm not in articles), None)
    return first is not None and content_word(code, first.text) is not None and not verb_form(first.norm, code)[2]
