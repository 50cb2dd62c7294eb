"""Does who does what to whom in the claim do it in the evidence?"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.gate.grounding.align import Link
from ankare.gate.grounding.fits import HELD, Fit, Mate, held
from ankare.gate.grounding.reading import Reading
from ankare.gate.grounding.words import NAME


def roles(found: Fit) -> dict[str, float]:
    """Per clause: is who acts in the claim (in a passive: who stands after "by") who acts in its mate, and on the same?

    `role_swapped`: the parties are exchanged; `role_conflict`: another party of the evidence acts; `role_unnamed`: the party of
    the claim stands nowhere in the home; `object_conflict`: it is done to something else. Less where the verbs do not meet.
    """
    signals = dict.fromkeys(("role_conflict", "role_swapped", "object_conflict", "role_unnamed"), 0.0)
    for mate in found.mates:
        doers, done = _heavy(found.claim, mate.clause.subjects), _heavy(found.claim, mate.clause.objects)
        their_doers, their_done = _heavy(mate.reading, mate.mate.subjects), _heavy(mate.reading, mate.mate.objects)
        same_verb = _same_verb(found, mate)
        weight = 1.0 if same_verb else OTHER_VERB
        if doers and not _meet(found, mate, doers, their_doers):
            crosses = _meet(found, mate, doers, their_done) or _meet(found, mate, done, their_doers)
            if same_verb and crosses and (their_doers or done):
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
