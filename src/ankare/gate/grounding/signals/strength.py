"""Is it said as strongly, of as many, within the same bounds?"""

from __future__ import annotations

from ankare.gate.grounding.clauses import Clause
from ankare.gate.grounding.cues import cue, says
from ankare.gate.grounding.fits import HELD, Fit, Mate
from ankare.gate.grounding.reading import Reading
from ankare.gate.grounding.signals.values import TIMES, quoted
from ankare.gate.grounding.words import VERB, closed
from ankare.language.measures import Value, same_value

REACH = 24
"""Within how many characters of a value the words of its bound stand."""

_STRENGTHS = ("must", "should", "may", "perhaps", "plan")


_CLASH = {
    ("must", "may"): 1.0,
    ("may", "must"): 1.0,
    ("must", "should"): 1.0,
    ("should", "must"): 0.8,
    ("should", "may"): 0.8,
    ("may", "should"): 0.8,
    ("plain", "may"): 0.5,
    ("plain", "perhaps"): 1.0,
    ("must", "perhaps"): 1.0,
    ("must", "plain"): 0.1,
    ("may", "plain"): 0.9,
    ("plain", "must"): 0.0,
    ("plain", "should"): 0.7,
    ("should", "plain"): 1.0,
    ("perhaps", "plain"): 0.3,
    ("plain", "plan"): 0.8,
    ("must", "plan"): 0.9,
    ("plan", "plain"): 0.2,
    ("plan", "must"): 0.5,
    ("may", "plan"): 0.9,
}


def modality(found: Fit) -> dict[str, float]:
    """How gravely modals clash: "must" against "may" is 1."""
    clash = 0.0
    for mate in found.mates:
        own = _strengths(found.claim, mate.clause)
        theirs = _strengths(mate.reading, mate.mate)
        if own & theirs:
            continue
        worst = min(_CLASH.get((a, b), 0.0) for a in own for b in theirs)
        if worst >= 0.8:
            found.notes.append(("not_entailed", f"{'/'.join(sorted(own))} against {'/'.join(sorted(theirs))}"))
        clash += worst
    return {"modal": clash}


def _strengths(reading: Reading, clause: Clause) -> set[str]:
    """How strongly a clause says it: its own modals, or those of the clause that it is the content of."""
    own = {m for m in _STRENGTHS if says(reading, f"modal_{m}", clause)}
    if "may" in own and _receives(reading, clause):
        own.remove("may")
    if clause.opener in closed(reading.code)["infinitive_mark"] and clause.places[0]:
        own |= {m for m in _STRENGTHS if m != "may" and says(reading, f"modal_{m}", reading.of(clause.places[0] - 1))}
        if own & {"should", "plan", "perhaps"}:
            own &= {"should", "plan", "perhaps"}
    if "may" in own and says(reading, "exclusive", clause):
        own.add("must")
    return own or {"plain"}


def _receives(reading: Reading, clause: Clause) -> bool:
    """Is what could be "may" the main verb of its clause ("får" as "gets"), and nothing else there says "may"?"""
    words = [reading.words[at] for at in clause.places]
    grammar = closed(reading.code)
    gets = [word for word in words if word.norm in grammar["gets"]]
    others = any(word.norm in grammar["modal_may"] for word in words if word not in gets)
    governed = any(word.kind == VERB and word.at > gets[0].at for word in words if word not in gets) if gets else False
    return bool(gets) and not governed and not others


_QUANTIFIERS = ("all", "most", "some", "many", "few")


def quantity(found: Fit) -> dict[str, float]:
    """Quantifiers, "only" and superlatives that the homes do not have, quantifiers that the claim drops, bounds that clash."""
    homes = [found.reading(number) for number in set(found.homes)]
    own = {name for name in _QUANTIFIERS if says(found.claim, name)}
    theirs = {name for name in _QUANTIFIERS if any(says(home, name) for home in homes)}
    if any(says(home, "all_like") for home in homes):
        theirs.add("all")

    def new(name: str) -> float:
        return float(says(found.claim, name) and not any(says(home, name) for home in homes))

    vague = {"some", "few", "most"}
    near = {name for name in vague for mate in found.mates if says(mate.reading, name, mate.mate)}
    return {
        "all_new": float("all" in own - theirs),
        "all_new_against": float("all" in own - theirs and bool(theirs)),
        "most_new": float("most" in own - theirs),
        "many_new": float(bool({"many", "few"} & own - theirs) and not theirs),
        "quantifier_clash": float(bool(own and theirs and not own & theirs)),
        "quantifier_lost": float(bool(near - own) and not own & {*vague, "many"}),
        **_bounds(found),
        "exclusive_new": new("exclusive"),
        "superlative_new": new("superlative"),
    }


def _bounds(found: Fit) -> dict[str, float]:
    """Values that meet: "at least" before one and "at most" before the other, or a bound before the evidence's alone."""
    clash, dropped, added = 0.0, 0.0, 0.0
    for value in found.claim.values:
        met = [
            (found.reading(number), other)
            for number in set(found.homes)
            for other in found.reading(number).values
            if same_value(value, other)
        ]
        if value.kind == "ordinal" or not met:
            continue
        mine = _bound(found.claim, value)
        theirs = [_bound(reading, other) for reading, other in met]
        if mine in theirs:
            continue
        if not mine:
            dropped = max(dropped, float(value.kind == "number"))
        elif not any(theirs):
            added = 1.0
        elif not any(not bound or "approximate" in (mine, bound) for bound in theirs):
            clash = 1.0
            found.notes.append(("not_entailed", f"{mine} against {theirs[0]}: {quoted(found.claim, value)}"))
    return {
        "bound_clash": clash,
        "bound_dropped": dropped,
        "bound_added": added,
        "restriction_lost": _restrictions(found),
    }


def _restrictions(found: Fit) -> float:
    """Has a clause that gives the claim a value another value with a bound, of which the claim says nothing?"""
    lost = 0.0
    for mate in found.mates:
        inside = {mate.reading.value_of[at] for at in mate.mate.places} - {None}
        values = [mate.reading.values[index] for index in inside]  # type: ignore[index]
        told = [value for value in values if any(same_value(own, value) for own in found.claim.values)]
        others = [value for value in values if value not in told and value.kind == "number"]
        if told:
            lost += any(_bound(mate.reading, value) for value in others)
            lost += any(_apart(found, mate, value, other) for value in told for other in others)
    return lost


def _apart(found: Fit, mate: Mate, value: Value, other: Value) -> bool:
    """Do two values stand side by side, told apart by what follows each ("200 for children and 400 for adults"), and does the
    claim give the one without what it is for?"""
    if value.dimension != other.dimension or value.unit != other.unit:
        return False
    opens, opens_other = (next((w for w in mate.reading.words if w.start >= each.end), None) for each in (value, other))
    if opens is None or opens_other is None or opens.norm != opens_other.norm:
        return False
    if opens.norm not in closed(mate.reading.code)["prepositions"]:
        return False
    heads = [w for w in mate.reading.words[opens.at + 1 :] if w.weight > 0][:1]
    used = {link.at for number, link in found.chosen.values() if number == mate.home and link.worth >= HELD}
    return bool(heads) and heads[0].at not in used


def _bound(reading: Reading, value: Value) -> str:
    """The list of bounds that the words right before or after a value belong to, "" for none."""
    after = reading.text[value.end : value.end + REACH].lower()
    for name, follows in (("up_bounds", "up_after"), ("down_bounds", "down_after")):
        pattern = cue(reading.code, follows)
        found = pattern.search(after) if pattern else None
        if found is not None and found.start() <= 1:
            return name
    before = reading.text[max(0, value.start - REACH) : value.start].lower()
    timed = value.dimension in TIMES
    ambiguous = closed(reading.code)["time_prepositions"]
    nearest, place = "", -1
    for name in ("up_bounds", "down_bounds", "approximate"):
        pattern = cue(reading.code, name)
        for match in pattern.finditer(before) if pattern else ():
            if match.start() >= place and not (timed and match[0] in ambiguous):
                nearest, place = name, match.start()
    return nearest
