"""Is in the claim negated what is negated in the evidence?"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.gate.grounding.align import OPPOSITE, SAME
from ankare.gate.grounding.clauses import Clause
from ankare.gate.grounding.cues import clause_text, cue, cue_count, says
from ankare.gate.grounding.fits import HELD, Fit, Mate, content, held
from ankare.gate.grounding.reading import Reading
from ankare.gate.grounding.words import ADJECTIVE, NAME, NOUN, closed
from ankare.language.measures import same_value


def polarity(found: Fit) -> dict[str, float]:
    """Are the clauses that meet negated alike, opposites counted as a negation?

    `polarity_odd`: clauses that are not, where their verbs meet or most of their words do; `parity_odd`: the negating words of
    the claim and of the clauses that it meets do not come out even; `parity_close`: the same, by how close the wording is;
    `without_odd`: words that stand under "without" or "no" on one side only; `negation_dropped`, `opposed`: one side negates
    or uses an opposite and the other has neither; `negation_widened`: both are negated, and the evidence only "not always",
    "not on Sundays" or "only"; `contrast_turned`: "X, not Y" against "Y, not X".
    """
    odd = sum(_differs(found, mate) for mate in found.mates)
    without = sum(
        found.claim.words[at].weight
        for at, (number, link) in found.chosen.items()
        if link.worth >= HELD and _without(found.claim, at) != _without(found.reading(number), link.at)
    )
    opposites = [link for _, link in found.chosen.values() if link.how == OPPOSITE]
    met = {(mate.home, mate.mate.places) for mate in found.mates}
    parity = len(opposites) + negators_among(found.claim, range(len(found.claim.words)))
    parity += sum(negators_among(found.reading(home), places) for home, places in met)
    own = _negations(found.claim)
    theirs = sum(_negations(found.reading(number)) - _added(found, number) for number in set(found.homes))
    return {
        "polarity_odd": float(odd),
        "parity_odd": float(parity % 2),
        "parity_close": (parity % 2) * _closeness(found),
        "without_odd": without,
        "negation_dropped": float(theirs > 0 and not own and not opposites),
        "opposed": float(bool(opposites) and not own and not theirs),
        "negation_widened": float(any(_widened(found, mate) for mate in found.mates)),
        "contrast_turned": float(_contrasts_turned(found)),
    }


MOSTLY = 0.7
"""From this share of its words on a clause meets another, whatever their verbs."""


def _differs(found: Fit, mate: Mate) -> bool:
    """Is a clause negated otherwise than its mate, with which it shares the verb or most words?"""
    own = mate.mate.places[0]
    there = [
        at
        for at in mate.clause.places
        if at in found.chosen and mate.reading.clause_of[found.chosen[at][1].at] == mate.reading.clause_of[own]
    ]
    flips = sum(found.chosen[at][1].how == OPPOSITE for at in there)
    if not (_negated(found.claim, mate.clause) + _negated(mate.reading, mate.mate) + flips) % 2:
        return False
    weigh = found.claim.words
    share = sum(weigh[at].weight for at in there if held(found, at))
    share /= sum(weigh[at].weight for at in mate.clause.places) or 1.0
    verb = mate.clause.verb
    verbs_meet = verb is not None and held(found, verb) and found.chosen[verb][1].at == mate.mate.verb
    if not verbs_meet and share < MOSTLY:
        return False
    found.notes.append(("negation_flipped", clause_text(found.claim, mate.clause)))
    return True


def _negations(reading: Reading) -> int:
    """How often a sentence negates, by its clauses and by "without"."""
    return sum(_negated(reading, clause) for clause in reading.clauses) + cue_count(reading, "without")


def _widened(found: Fit, mate: Mate) -> bool:
    """Denies the claim more than the evidence does?"""
    if not _negated(found.claim, mate.clause):
        return False
    if says(mate.reading, "exclusive", mate.mate) and not says(found.claim, "exclusive", mate.clause):
        return True
    if not _negated(mate.reading, mate.mate):
        return False
    if says(mate.reading, "all", mate.mate) and not says(found.claim, "all", mate.clause):
        return True
    used = {link.at for number, link in found.chosen.values() if number == mate.home and link.worth >= 0.3}
    told = {
        index
        for index, value in enumerate(mate.reading.values)
        if any(same_value(own, value) for own in found.claim.values)
    }
    after = [at for at in mate.mate.places if at > mate.mate.negators[0]] if mate.mate.negators else []
    return any(mate.reading.value_of[at] is not None and mate.reading.value_of[at] not in told for at in after) or any(
        at in mate.mate.under and at not in used and mate.reading.words[at].weight >= 0.45 for at in after
    )


def _contrasts_turned(found: Fit) -> bool:
    """Does a word stand right after ", not" on one side only?"""
    return any(
        link.worth >= HELD and _contrasted(found.claim, at) != _contrasted(found.reading(number), link.at)
        for at, (number, link) in found.chosen.items()
    )


def _contrasted(reading: Reading, at: int) -> bool:
    grammar = closed(reading.code)
    for back in (1, 2):
        if at - back < 1:
            return False
        word = reading.words[at - back]
        if word.norm in grammar["negators"]:
            return "," in reading.text[reading.words[word.at - 1].end : word.start]
        if word.norm not in grammar["prepositions"]:
            return False
    return False


def _added(found: Fit, number: int) -> int:
    """How often clauses negate that only add something to those which the claim meets ("..., and is not refunded")."""
    reading = found.reading(number)
    met = [mate.mate.places for mate in found.mates if mate.home == number]
    last = max((places[-1] for places in met), default=len(reading.words))
    grammar = closed(reading.code)
    return sum(
        _negated(reading, clause)
        for clause in reading.clauses
        if clause.places not in met
        and clause.places[0] > last
        and clause.finite is not None
        and not clause.opener
        and reading.words[clause.places[0]].norm in grammar["coordinators"]
    )


def _negated(reading: Reading, clause: Clause) -> int:
    """How often the main verb of a clause is negated."""
    count = len(clause.negators)
    double = cue(reading.code, "double")
    if count and double is not None and double.search(clause_text(reading, clause)):
        count -= 1
    grammar = closed(reading.code)
    if len(clause.places) > 1 and reading.words[clause.places[0]].norm in grammar["without"]:
        count += reading.words[clause.places[1]].norm in grammar["infinitive_mark"]
    return max(0, count)


def _without(reading: Reading, at: int) -> bool:
    """Does a word stand under "without", or a nominal under "no"?"""
    grammar = closed(reading.code)
    clause = reading.clause_of[at]
    for back in range(1, 7):
        if at - back < 1 or reading.clause_of[at - back] != clause:
            break
        if (
            reading.words[at - back].norm in grammar["infinitive_mark"]
            and reading.words[at - back - 1].norm in grammar["without"]
        ):
            return True
    word = reading.words[at]
    if word.kind not in (NOUN, ADJECTIVE, NAME):
        return False
    for back in range(1, 4):
        if at - back < 0:
            return False
        word = reading.words[at - back]
        if word.norm in grammar["without"]:
            return True
        if not (word.kind == ADJECTIVE or (word.kind == NOUN and word.norm.endswith("s"))):
            return False
    return False


def _closeness(found: Fit) -> float:
    """How much of the claim stands word for word in its homes, 0 to 1."""
    words = content(found.claim)
    same = sum(word.weight for word in words if word.at in found.chosen and found.chosen[word.at][1].how == SAME)
    return same / (sum(word.weight for word in words) or 1.0)


def negators_among(reading: Reading, places: Sequence[int]) -> int:
    """How many words among these negate: "not", "no", "without", "but not"."""
    grammar = closed(reading.code)
    words = reading.words
    return sum(
        words[at].norm in grammar["negators"]
        or (
            words[at].norm in grammar["without"]
            and not (reading.of(at).opener == words[at].norm and reading.of(at).places[0] == at)
        )
        for at in places
    )
