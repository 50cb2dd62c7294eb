"""Does who does what to whom in the claim do it in the evidence?"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.gate.grounding.align import Link
from ankare.gate.grounding.fits import HELD, Fit, Mate, held
from ankare.gate.grounding.reading import Reading
from ankare.gate.grounding.signals.order import governor
from ankare.gate.grounding.words import NAME, VERB, closed


def roles(found: Fit) -> dict[str, float]:
    """Per clause: is who acts in the claim (in a passive: who stands after "by") who acts in its mate, and on the same?

    `role_swapped`: the parties are exchanged, or who receives is made who acts; `role_conflict`: another party of the evidence
    acts; `role_unnamed`: the party of the claim stands nowhere in the home; `role_exchanged`: each party stands elsewhere in
    the other's clause; `object_conflict`: it is done to something else; `verb_as_noun`: what the claim says to be done is only
    named in the mate. Less where the verbs do not meet.
    """
    signals = dict.fromkeys(
        ("role_conflict", "role_swapped", "object_conflict", "role_unnamed", "role_exchanged", "verb_as_noun"), 0.0
    )
    for mate in found.mates:
        doers, done = _heavy(found.claim, mate.clause.subjects), _heavy(found.claim, mate.clause.objects)
        their_doers, their_done = _heavy(mate.reading, mate.mate.subjects), _heavy(mate.reading, mate.mate.objects)
        same_verb = _same_verb(found, mate)
        weight = 1.0 if same_verb else OTHER_VERB
        signals["verb_as_noun"] += float(_verb_as_noun(found, mate))
        if same_verb and any(_receives(found, mate, at) for at in doers):
            signals["role_swapped"] += 1.0
            found.notes.append(("not_entailed", "who receives is made who acts"))
        elif doers and not _meet(found, mate, doers, their_doers):
            crosses = _meet(found, mate, doers, their_done) or _meet(found, mate, done, their_doers)
            others = [*done, *_heavy(found.claim, mate.clause.under)]
            theirs = [*their_done, *_heavy(mate.reading, mate.mate.under)]
            exchanged = _meet(found, mate, doers, theirs) and _meet(found, mate, others, their_doers)
            signals["role_exchanged"] += float(exchanged)
            turned = mate.mate.passive and not mate.clause.passive and _meet(found, mate, doers, their_done)
            if same_verb and ((crosses and (their_doers or done)) or turned):
                signals["role_swapped"] += 1.0
                found.notes.append(("not_entailed", "who does what to whom"))
            elif their_doers:
                known = any(held(found, at) for at in doers)
                signals["role_conflict" if known else "role_unnamed"] += weight
        if same_verb and done and their_done and not _meet(found, mate, done, their_done):
            signals["object_conflict"] += float(any(held(found, at) for at in done))
    return signals


OTHER_VERB = 0.4
"""What a conflict of parties is worth where the verbs of the clauses do not meet."""


def _receives(found: Fit, mate: Mate, at: int) -> bool:
    """Is the word found only under a preposition of receiving ("to", "from") in the mate?"""
    places = [
        link.at for link in found.table(mate.home).get(at, ()) if link.worth >= HELD and link.at in mate.mate.places
    ]
    grammar = closed(mate.reading.code)
    return bool(places) and all(
        place in mate.mate.under and governor(mate.reading, place) in grammar["recipient"] for place in places
    )


def _verb_as_noun(found: Fit, mate: Mate) -> bool:
    """Meets the claim's verb a noun of the mate, whose own verb says something else?"""
    verb = mate.clause.verb
    if verb is None or not held(found, verb) or found.claim.words[verb].kind != VERB:
        return False
    _, link = found.chosen[verb]
    theirs = mate.mate.verb
    if mate.reading.words[link.at].kind == VERB or theirs is None or mate.reading.words[theirs].kind != VERB:
        return False
    if link.at in mate.mate.under:
        return True
    support = closed(mate.reading.code)["support_verbs"]
    return mate.reading.words[theirs].keys.isdisjoint(support) and not any(
        other.at == theirs for number, other in found.chosen.values() if number == mate.home
    )


def _same_verb(found: Fit, mate: Mate) -> bool:
    """Do the main verbs meet, and not as converses?"""
    verb = mate.clause.verb
    if verb is None:
        return False
    if found.claim.words[verb].weight < 0.1:
        theirs = mate.mate.verb
        return theirs is not None and not found.claim.words[verb].keys.isdisjoint(mate.reading.words[theirs].keys)
    if verb not in found.chosen:
        return False
    _, link = found.chosen[verb]
    return link.worth >= HELD and link.at == mate.mate.verb and not _converse(found, verb, mate.home, link)


def _heavy(reading: Reading, places: Sequence[int]) -> list[int]:
    return [at for at in places if reading.words[at].weight >= 0.3]


def _converse(found: Fit, at: int | None, home: int, link: Link) -> bool:
    """Do the verbs meet as converses, the parties exchanged?"""
    if at is None or link.how == "same":
        return False
    theirs = found.reading(home).senses[link.at]
    back = {"way": "back", "back": "way"}
    return any(relation in back and (back[relation], number) in theirs for relation, number in found.claim.senses[at])


def _meet(found: Fit, mate: Mate, own: Sequence[int], theirs: Sequence[int]) -> bool:
    """Is any of these words of the claim found at those of the home, and not better elsewhere? Names must meet names."""
    wanted = set(theirs)
    names = [at for at in own if found.claim.words[at].kind == NAME]
    if names and any(mate.reading.words[at].kind == NAME for at in theirs):
        own = names
    for at in own:
        table = found.table(mate.home).get(at, ())
        best = table[0].worth if table else 0.0
        if any(link.at in wanted and link.worth >= 0.3 and link.worth >= best - 0.12 for link in table):
            return True
    return False
