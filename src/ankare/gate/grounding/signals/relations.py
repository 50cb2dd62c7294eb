"""Do the small words agree: signs, particles of verbs, prepositions of values and times, words that weaken, tenses?

They carry little and are not aligned as words are, but each can turn a sentence round: "paid out" against "paid in", "by 8
percent" against "to 8 percent", "almost all" against "all", "deputy chair" against "chair", "is decided" against "was decided".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ankare.gate.grounding.fits import HELD, Fit, Mate, word_of
from ankare.gate.grounding.reading import Reading
from ankare.gate.grounding.words import NUMBER, VERB, Word, closed
from ankare.language.measures import Value, same_value

_MINUS = "-−–"
_HARMLESS = frozenset("+&|=°")


def relations(found: Fit) -> dict[str, float]:
    """`sign_new`: a symbol or minus that the homes lack, or a minus that they have and the claim lacks; `particle`: verbs that
    meet with other particles; `measured_by`: a value under another preposition of change; `time_side`: a date or time under
    another side of time; `weakened`: "almost", "deputy" and the like that one side lacks; `apart`: clauses of words that stand
    in a clause about something else; `past_new`: told as done what the evidence tells as going on or to come."""
    signals = {
        "sign_new": _signs(found),
        "particle": 0.0,
        "measured_by": _measured_by(found),
        "time_side": _time_sides(found),
        "weakened": _weakened(found),
        "apart": 0.0,
        "past_new": 0.0,
    }
    for mate in found.mates:
        signals["apart"] += _apart(found, mate)
        verb = mate.clause.verb
        if verb is None or verb not in found.chosen:
            continue
        number, link = found.chosen[verb]
        if number != mate.home or link.worth < HELD or link.at != mate.mate.verb:
            continue
        own, theirs = _particle(found.claim, verb), _particle(mate.reading, link.at)
        signals["particle"] += float(bool(own and theirs) and own != theirs and link.how == "same")
        signals["past_new"] += float(
            _past(found.claim, mate.clause.places) and not _past(mate.reading, range(len(mate.reading.words)))
        )
    if signals["sign_new"]:
        found.notes.append(("number_mismatch", "a sign that the evidence does not have"))
    return signals


def _signs(found: Fit) -> float:
    texts = [found.reading(number).text for number in set(found.homes)]
    own = {sign for sign in found.claim.text if _is_symbol(sign)}
    if any(not any(sign in text for text in texts) for sign in own):
        return 1.0
    for value in found.claim.values:
        met = [
            _negative(reading.text, other)
            for reading in map(found.reading, set(found.homes))
            for other in reading.values
            if same_value(value, other)
        ]
        if met and _negative(found.claim.text, value) not in met:
            return 1.0
    return 0.0


def _is_symbol(sign: str) -> bool:
    if sign.isalnum() or sign in _HARMLESS or sign in _MINUS:
        return False
    return unicodedata.category(sign) in ("Sm", "So") or sign in "<>‹›"


def _negative(text: str, value: Value) -> bool:
    """Stands a minus right before the value, and nothing that it could join?"""
    start = value.start
    while start < value.end and text[start] in _MINUS:
        start += 1
    before = text[:start]
    return before[-1:] in tuple(_MINUS) and not before[-2:-1].strip(" (\u00a0")


def _particle(reading: Reading, verb: int) -> str:
    """The particle that follows a verb within its clause ("betalas ut"), "" for none."""
    grammar = closed(reading.code)
    for word in reading.words[verb + 1 : verb + 4]:
        if word.norm in grammar["particles"]:
            return word.norm
        if reading.clause_of[word.at] != reading.clause_of[verb] or word.norm in grammar["prepositions"]:
            break
    return ""


def _measured_by(found: Fit) -> float:
    """Is a value under another of the prepositions that say by how much, to and from what?"""
    return float(_disagrees(found, ("change_by", "change_to", "change_from")))


def _time_sides(found: Fit) -> float:
    """Is a date or a clock time before or after which something is, in the evidence the other way or neither?"""
    return float(_disagrees(found, ("side_before", "side_after"), kinds=("date", "clock")))


def _disagrees(found: Fit, lists: Sequence[str], kinds: Sequence[str] = ("number",)) -> bool:
    for value in found.claim.values:
        if value.kind not in kinds:
            continue
        own = _listed_before(found.claim, value, lists)
        met = {
            _listed_before(reading, other, lists)
            for reading in map(found.reading, set(found.homes))
            for other in reading.values
            if same_value(value, other)
        }
        if met and own and own not in met and ("date" in kinds or "" not in met):
            return True
    return False


def _listed_before(reading: Reading, value: Value, lists: Sequence[str]) -> str:
    """Which of the lists holds the word before a value (articles and names of days aside), "" for none."""
    grammar = closed(reading.code)
    place = word_of(reading, value)
    for back in range(1, 4):
        if place is None or place - back < 0:
            return ""
        word = reading.words[place - back]
        for name in lists:
            if word.norm in grammar[name]:
                return name
        if word.norm not in grammar["articles"] and word.norm not in grammar["clock_words"] and word.kind != NUMBER:
            return ""
    return ""


def _weakened(found: Fit) -> float:
    """Has one side "almost" before a quantity or "deputy" before a title where the other has not?"""
    lost = 0.0
    for number in set(found.homes):
        reading = found.reading(number)
        for name in ("nearly", "just_over", "at_least", "at_most", "lesser"):
            own, theirs = _marked(found.claim, name), _marked(reading, name)
            there = {key for word in reading.words for key in word.keys}
            here = {key for word in found.claim.words for key in word.keys}
            lost += any(not word.keys & _keys_of(theirs) and word.keys & there for word in own)
            lost += any(not word.keys & _keys_of(own) and word.keys & here for word in theirs)
    return min(lost, 1.0)


def _keys_of(words: Sequence[Word]) -> frozenset[str]:
    """All keys of some words."""
    return frozenset(key for word in words for key in word.keys)


def _marked(reading: Reading, name: str) -> list[Word]:
    """The words that stand right after a word of the list."""
    marks = closed(reading.code)[name]
    return [word for word in reading.words[1:] if reading.words[word.at - 1].norm in marks and word.norm not in marks]


def _apart(found: Fit, mate: Mate) -> float:
    """From how many clauses of the mate's sentence does the claim take words, though they have a subject of their own of which
    it says nothing?"""
    inside: dict[int, float] = {}
    for at in mate.clause.places:
        if at in found.chosen and found.chosen[at][0] == mate.home and found.chosen[at][1].worth >= HELD:
            place = found.chosen[at][1].at
            inside[mate.reading.clause_of[place]] = (
                inside.get(mate.reading.clause_of[place], 0.0) + found.claim.words[at].weight
            )
    main = mate.reading.clause_of[mate.mate.places[0]]
    met = {link.at for number, link in found.chosen.values() if number == mate.home and link.worth >= HELD}
    others = {mate.reading.clause_of[each.mate.places[0]] for each in found.mates if each.home == mate.home} - {main}
    lost = 0.0
    for number, weight in inside.items():
        clause = mate.reading.clauses[number]
        about = clause.subjects or clause.objects
        named = [at for at in about if mate.reading.words[at].weight >= 0.3 and at in clause.places]
        if number == main or number in others or clause.finite is None or not named:
            continue
        beside = not clause.opener or clause.opener in closed(mate.reading.code)["contrasts"]
        if beside and not any(at in met for at in named):
            lost += float(weight >= 0.3)
    return lost


def _past(reading: Reading, places: Sequence[int]) -> bool:
    """Do the words tell of something done: a past form, or "has" with a participle?"""
    grammar = closed(reading.code)
    endings = (*grammar["past_endings"], *(form for form in grammar["past"] if len(form) > 3))
    return any(
        word.norm in grammar["past"] or (word.kind == VERB and word.finite and word.norm.endswith(endings))
        for word in (reading.words[at] for at in places)
    )
