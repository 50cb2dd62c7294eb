"""What speaks for and against a claim being entailed by a passage of the evidence?

Every clause of the claim gets a home: the sentence of the passage that holds most of it. What the home lacks may be found in
the sentences around it or in the headings, but only what the clause is about, and only where the home leaves it open (a
pronoun, no subject of its own): context says what is spoken of, never what is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache

from ankare.gate.grounding.align import DERIVED, MODIFIER, NARROWER, OPPOSITE, Indexed, Link, links
from ankare.gate.grounding.reading import ADJECTIVE, NAME, NOUN, NUMBER, VERB, Clause, Reading, Word, closed
from ankare.language.cues import whole_words
from ankare.language.measures import Value, same_dimension, same_value
from ankare.language.packs import named_lists

HELD = 0.6
"""From this worth on a word counts as found."""
LANGUAGES = ("sv", "en")


class Passage:
    """The sentences of a stretch of evidence and what stands over it (title, headings)."""

    def __init__(self, sentences: Sequence[Indexed], topic: Indexed | None = None) -> None:
        self.sentences = tuple(sentences)
        self.topic = topic
        around: set[str] = set()
        for sentence in (*self.sentences, *([topic] if topic else ())):
            around.update(
                key
                for key, places in sentence.keys.items()
                if any(sentence.reading.words[at].weight > 0 for at in places)
            )
            around.update(sentence.parts)
        self.around = frozenset(around)


@dataclass(frozen=True, slots=True)
class Mate:
    """A clause of the claim, the sentence that is its home, and the clause there that holds most of it."""

    clause: Clause
    home: int
    reading: Reading
    mate: Clause


@dataclass
class Fit:
    """A claim held against a passage."""

    claim: Reading
    passage: Passage
    tables: Mapping[int, Mapping[int, list[Link]]]
    homes: list[int] = field(default_factory=list)
    chosen: dict[int, tuple[int, Link]] = field(default_factory=dict)
    context: dict[int, tuple[int, Link]] = field(default_factory=dict)
    borrowed: dict[int, tuple[int, Link]] = field(default_factory=dict)
    mates: list[Mate] = field(default_factory=list)
    signals: dict[str, float] = field(default_factory=dict)
    notes: list[tuple[str, str]] = field(default_factory=list)

    def reading(self, number: int) -> Reading:
        """A sentence of the passage."""
        return self.passage.sentences[number].reading

    @property
    def used(self) -> list[int]:
        """The sentences that hold the claim, the main one first."""
        return list(dict.fromkeys(self.homes))


def fit(claim: Reading, passage: Passage, candidates: Sequence[int]) -> Fit:
    """Hold the claim against a passage; `candidates`: the sentences that may be home to a clause."""
    tables = {
        number: links(claim, passage.sentences[number], passage.around) for number in range(len(passage.sentences))
    }
    found = Fit(claim, passage, tables)
    _settle_homes(found, candidates)
    _choose(found)
    _find_context(found)
    for part in (_coverage, _values, _names, _polarity, _modality, _quantity, _roles, _binding, _connectives):
        found.signals.update(part(found))
    return found


def _content(reading: Reading) -> list[Word]:
    return [word for word in reading.words if word.weight > 0]


def _worth(found: Fit, number: int, at: int) -> float:
    table = found.tables[number].get(at)
    return table[0].worth if table else 0.0


# --- homes


def _holding(found: Fit, number: int, places: Sequence[int]) -> float:
    """How much of some words of the claim, and of the values among them, a sentence holds."""
    held = sum(found.claim.words[at].weight * _worth(found, number, at) for at in places)
    values = {found.claim.value_of[at] for at in places} - {None}
    stated = found.reading(number).values
    for index in values:
        value = found.claim.values[index]  # type: ignore[index]
        held += 0.9 * any(same_value(value, other) for other in stated)
    return held


def _settle_homes(found: Fit, candidates: Sequence[int]) -> None:
    everything = [word.at for word in found.claim.words]
    whole = {number: _holding(found, number, everything) for number in candidates}
    main = max(whole, key=lambda number: (whole[number], -number))
    for clause in found.claim.clauses:
        best = main
        own = _holding(found, main, clause.places)
        if clause.finite is None:
            found.homes.append(found.homes[-1] if found.homes else main)
            continue
        for number in candidates:
            held = _holding(found, number, clause.places)
            if held > own + 0.55 + 0.1 * len(clause.places) / 6:
                best, own = number, held
        found.homes.append(best)
    if found.homes and main not in found.homes:
        main = found.homes[0]


def _choose(found: Fit) -> None:
    """Per claim word its link in the home of its clause: the best one, and nearest to those of its neighbours."""
    density: dict[tuple[int, int], float] = {}
    for number in set(found.homes):
        for at, each in found.tables[number].items():
            for link in each:
                key = (number, found.reading(number).clause_of[link.at])
                density[key] = density.get(key, 0.0) + found.claim.words[at].weight * link.worth
    for word in found.claim.words:
        home = found.homes[found.claim.clause_of[word.at]]
        options = found.tables[home].get(word.at, ())
        if options:
            link = max(
                options, key=lambda o: (o.worth + 0.03 * density[home, found.reading(home).clause_of[o.at]], -o.at)
            )
            found.chosen[word.at] = (home, link)


def _held(found: Fit, at: int) -> bool:
    return at in found.chosen and found.chosen[at][1].worth >= HELD


def _find_context(found: Fit) -> None:
    """What the homes lack and the sentences around them hold: found where the home leaves it open, else `borrowed`."""
    found.mates[:] = _mates(found)
    mates = {id(mate.clause): mate for mate in found.mates}
    for word in _content(found.claim):
        if _held(found, word.at) or word.kind == VERB:
            continue
        clause = found.claim.clauses[found.claim.clause_of[word.at]]
        home = found.homes[found.claim.clause_of[word.at]]
        options = [
            (link.worth - 0.02 * abs(number - home), number, link)
            for number in range(len(found.passage.sentences))
            if number != home
            for link in found.tables[number].get(word.at, ())
            if link.worth >= HELD and link.how != OPPOSITE
        ]
        if not options:
            continue
        _, number, link = max(options, key=lambda o: (o[0], -o[1]))
        mate = mates.get(id(clause))
        if mate is None or _leaves_open(found, mate, word):
            found.context[word.at] = (number, link)
        else:
            found.borrowed[word.at] = (number, link)


def _leaves_open(found: Fit, mate: Mate, word: Word) -> bool:
    """May the word be what the home's clause speaks of without naming it?

    Its subject must be a pronoun, absent, or what the claim names too; and no other thing may stand there that the claim does
    not name: it would be in the word's place.
    """
    theirs = mate.mate
    taken = {
        link.at
        for number, link in found.chosen.values()
        if number == mate.home and (link.worth >= HELD or (link.worth >= 0.3 and not mate.reading.words[link.at].parts))
    }
    own = mate.clause.subjects if not mate.clause.passive else mate.clause.objects
    named = [
        at
        for at in (theirs.subjects or (theirs.objects if theirs.passive else ()))
        if mate.reading.words[at].weight >= 0.3
    ]
    if word.at in own and named and not theirs.pronoun:
        return False
    return not any(
        mate.reading.words[at].kind in (NOUN, NAME) and mate.reading.words[at].weight >= 0.45 and at not in taken
        for at in theirs.places
    )


def _mates(found: Fit) -> list[Mate]:
    mates = []
    for number, clause in enumerate(found.claim.clauses):
        home = found.homes[number]
        weights: dict[int, float] = {}
        for at in clause.places:
            if at in found.chosen:
                link = found.chosen[at][1]
                mine = found.reading(home).clause_of[link.at]
                bonus = 1.5 if at == clause.verb else 1.0
                weights[mine] = weights.get(mine, 0.0) + max(0.2, found.claim.words[at].weight) * link.worth * bonus
                if at == clause.verb and link.worth >= HELD and link.at == found.reading(home).clauses[mine].verb:
                    weights[mine] += 0.6
        for value in {found.claim.value_of[at] for at in clause.places} - {None}:
            for other in found.reading(home).values:
                if same_value(found.claim.values[value], other):  # type: ignore[index]
                    place = _word_of(found.reading(home), other)
                    if place is not None:
                        mine = found.reading(home).clause_of[place]
                        weights[mine] = weights.get(mine, 0.0) + 0.7
        if weights:
            best = max(weights, key=lambda k: (weights[k], -k))
            mates.append(Mate(clause, home, found.reading(home), found.reading(home).clauses[best]))
    return mates


# --- coverage


def _coverage(found: Fit) -> dict[str, float]:
    words = _content(found.claim)
    total = sum(word.weight for word in words) or 1.0
    held = sum(word.weight * found.chosen[word.at][1].worth for word in words if word.at in found.chosen)
    context = sum(found.claim.words[at].weight for at in found.context)
    missing = [
        word
        for word in words
        if not _held(found, word.at) and word.at not in found.context and word.at not in found.borrowed
    ]
    used = {(number, link.at) for number, link in (*found.chosen.values(), *found.context.values())}
    residual = sum(
        word.weight
        for number in set(found.homes)
        for word in _content(found.reading(number))
        if (number, word.at) not in used
    )
    near = 0.0
    for mate in found.mates:
        near += sum(mate.reading.words[at].weight for at in mate.mate.places if (mate.home, at) not in used)
    answered = _answered_verbs(found, missing, used)
    borrowed = sum(found.claim.words[at].weight for at in found.borrowed)
    return {
        "unsaid": sum(word.weight for word in missing) - 0.75 * answered + borrowed,
        "coverage": held / total,
        "missing": sum(word.weight for word in missing),
        "missing_share": sum(word.weight for word in missing) / total,
        "missing_most": max((word.weight for word in missing), default=0.0),
        "missing_verb": sum(word.weight for word in missing if word.kind == VERB),
        "missing_noun": sum(word.weight for word in missing if word.kind not in (VERB, ADJECTIVE)),
        "missing_adjective": sum(word.weight for word in missing if word.kind == ADJECTIVE),
        "missing_verb_answered": answered,
        "missing_unanswered": max(0.0, sum(word.weight for word in missing) - near),
        "context": context,
        "borrowed": borrowed,
        "weak": sum(
            word.weight
            for word in words
            if word.at in found.chosen and found.chosen[word.at][1].how in (NARROWER, MODIFIER, DERIVED)
        ),
        "length": float(len(words)),
        "residual": min(residual, 8.0),
        "residual_near": min(near, 6.0),
        "homes": float(len(set(found.homes)) - 1),
    }


def _answered_verbs(found: Fit, missing: Sequence[Word], used: Set[tuple[int, int]]) -> float:
    """Weight of missing verbs whose clause is found but for them, in a clause whose own verb nothing else answers."""
    lost = {word.at for word in missing}
    answered = 0.0
    for mate in found.mates:
        verb = mate.clause.verb
        if verb is None or verb not in lost or mate.mate.verb is None or (mate.home, mate.mate.verb) in used:
            continue
        if not any(at in lost for at in mate.clause.places if at != verb):
            answered += found.claim.words[verb].weight
    return answered


# --- values and names


def _values(found: Fit) -> dict[str, float]:
    everywhere = [value for s in found.passage.sentences for value in s.reading.values]
    wrong, unbound, borrowed, crossed = 0.0, 0.0, 0.0, 0.0
    for value in found.claim.values:
        at = _word_of(found.claim, value)
        home = found.homes[found.claim.clause_of[at]] if at is not None else found.homes[0]
        homes = [home, *(h for h in found.used if h != home)]
        stated = [(n, other) for n in homes for other in found.reading(n).values]
        if value.kind == "ordinal" and _stands(found, value, homes):
            continue
        matches = [(n, other) for n, other in stated if same_value(value, other)]
        if not matches and value.kind == "date" and _date_completed(value, [o for _, o in stated], everywhere):
            continue
        if not matches and value.article and not any(o.dimension == value.dimension for _, o in stated):
            borrowed += 0.3
            continue
        if not matches:
            if any(same_value(value, other) for other in everywhere):
                borrowed += 1.0
                found.notes.append((_value_reason(value, everywhere), _quoted(found.claim, value)))
            else:
                wrong += 1.0
                found.notes.append((_value_reason(value, [o for _, o in stated]), _quoted(found.claim, value)))
        elif not value.article:
            pull = min(_unbound(found, value, n, other) for n, other in matches)
            if pull > 0.1:
                found.notes.append((_value_reason(value, []), f"{_quoted(found.claim, value)}: said of something else"))
            unbound += min(1.0, 4 * pull)
            crossed += min(_crossed(found, at, n, _word_of(found.reading(n), other)) for n, other in matches)
    return {
        "value_crossed": crossed,
        "value_wrong": wrong,
        "value_unbound": unbound,
        "value_borrowed": borrowed,
        "values": float(len(found.claim.values)),
    }


def _quoted(reading: Reading, value: Value) -> str:
    return reading.text[value.start : value.end]


def _stands(found: Fit, value: Value, homes: Sequence[int]) -> bool:
    text = _quoted(found.claim, value).lower()
    return any(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", found.reading(n).text.lower()) for n in homes)


def _date_completed(value: Value, stated: Sequence[Value], everywhere: Sequence[Value]) -> bool:
    """A date whose day and month stand in the sentence and whose year stands elsewhere in the passage."""
    rest = {key: number for key, number in value.fields.items() if key != "y"}
    if "y" not in value.fields or not rest:
        return False
    near = any(o.kind == "date" and rest.items() <= dict(o.fields).items() and "y" not in o.fields for o in stated)
    return near and any(o.kind == "date" and o.fields.get("y") == value.fields["y"] for o in everywhere)


def _value_reason(value: Value, stated: Sequence[Value]) -> str:
    if value.kind in ("date", "clock"):
        return "date_mismatch"
    if any(o.kind == "number" and o.written == value.written and o.dimension != value.dimension for o in stated):
        return "unit_mismatch"
    return "number_mismatch"


def _word_of(reading: Reading, value: Value) -> int | None:
    return next((w.at for w in reading.words if w.start < value.end and value.start < w.end), None)


def _unbound(found: Fit, value: Value, number: int, other: Value) -> float:
    """How much better another value of the same kind fits what the claim says beside this one (0 = this one fits)."""
    own_at, claimed_at = _word_of(found.reading(number), other), _word_of(found.claim, value)
    if own_at is None or claimed_at is None:
        return 0.0
    rivals = [
        (n, at)
        for n in {number, *found.homes}
        for rival in found.reading(n).values
        if rival is not other
        and same_dimension(value, rival)
        and not same_value(value, rival)
        and not rival.article
        and (at := _word_of(found.reading(n), rival)) is not None
    ]
    return _rivalry(found, claimed_at, (number, own_at), rivals)


def _rivalry(found: Fit, claimed: int, own: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> float:
    if not rivals:
        return 0.0
    context = [
        (word, word.weight / (1 + 0.4 * abs(word.at - claimed)))
        for word in _content(found.claim)
        if word.kind != NUMBER and abs(word.at - claimed) > 0
    ]
    mine = _pull(found, context, *own)
    return max(0.0, *(_pull(found, context, *rival) - mine for rival in rivals))


def _pull(found: Fit, context: Sequence[tuple[Word, float]], number: int, at: int) -> float:
    """How strongly the claim's words stand around a place of the evidence: nearer ones pull more, other clauses less."""
    reading = found.reading(number)
    clause = reading.clause_of[at]
    total = sum(weight for _, weight in context) or 1.0
    pull = 0.0
    for word, weight in context:
        best = 0.0
        for link in found.tables[number].get(word.at, ()):
            if link.worth < HELD or link.at == at:
                continue
            near = 1.0 / (1 + 0.4 * abs(link.at - at))
            if reading.clause_of[link.at] != clause:
                near *= 0.5
            best = max(best, link.worth * near)
        pull += weight * best
    return pull / total


def _names(found: Fit) -> dict[str, float]:
    unknown, unbound, crossed = 0.0, 0.0, 0.0
    for word in found.claim.words:
        if word.kind != NAME:
            continue
        if not _held(found, word.at):
            if word.at not in found.context and word.at not in found.borrowed:
                unknown += 1.0
                found.notes.append(("name_not_in_evidence", word.text))
            continue
        number, link = found.chosen[word.at]
        taken = {l.at for n, l in found.chosen.values() if n == number}
        rivals = [(number, w.at) for w in found.reading(number).words if w.kind == NAME and w.at not in taken]
        pull = _rivalry(found, word.at, (number, link.at), rivals)
        if pull > 0.1:
            found.notes.append(("name_not_in_evidence", f"{word.text}: said of another"))
        unbound = max(unbound, min(1.0, 4 * pull))
        crossed = max(crossed, _crossed(found, word.at, number, link.at))
    return {"name_unknown": unknown, "name_unbound": unbound, "name_crossed": crossed}


def _crossed(found: Fit, claimed: int | None, number: int, at: int | None) -> float:
    """Does another value or name of the kind stand between this one and the word that the claim puts beside it?"""
    if claimed is None or at is None:
        return 0.0
    claim, reading = found.claim, found.reading(number)
    kind = claim.words[claimed].kind
    mine = claim.value_of[claimed]
    crossed = 0.0
    for step in (-1, 1):
        position = claimed + step
        while 0 <= position < len(claim.words) and abs(position - claimed) <= 6:
            word = claim.words[position]
            if claim.clause_of[position] != claim.clause_of[claimed]:
                break
            if word.weight >= 0.3 and word.kind != NUMBER and (word.kind != NAME or kind != NAME):
                crossed = max(crossed, _between(found, word.at, number, at, kind))
                break
            if word.kind == kind and (kind == NAME or claim.value_of[position] != mine) and kind == NUMBER:
                break
            position += step
    return crossed


def _between(found: Fit, word: int, number: int, at: int, kind: str) -> float:
    reading = found.reading(number)
    links_here = [
        link
        for link in found.tables[number].get(word, ())
        if link.worth >= HELD and (kind == NUMBER or reading.clause_of[link.at] == reading.clause_of[at])
    ]
    if not links_here:
        return 0.0
    taken = {link.at for n, link in found.chosen.values() if n == number}
    own_value = reading.value_of[at]
    claimed_values = found.claim.values
    fewest = 1.0
    for link in links_here:
        low, high = sorted((link.at, at))
        rivals = 0
        for place in range(low + 1, high):
            other = reading.words[place]
            if kind == NAME and other.kind == NAME and place not in taken:
                rivals += 1
            elif kind == NUMBER and other.kind == NUMBER and reading.value_of[place] != own_value:
                value = reading.values[reading.value_of[place]]  # type: ignore[index]
                mine = reading.values[own_value] if own_value is not None else None
                if (
                    mine is not None
                    and same_dimension(mine, value)
                    and not same_value(mine, value)
                    and not value.article
                ):
                    rivals += 1
        fewest = min(fewest, float(rivals > 0))
    return fewest


# --- polarity


@cache
def _cue(code: str, name: str) -> re.Pattern[str] | None:
    return whole_words(code, named_lists(code if code in LANGUAGES else "en", "grammar").get(name, ()))


@cache
def _double(code: str) -> re.Pattern[str] | None:
    return _cue(code, "double")


def _text_of(reading: Reading, clause: Clause) -> str:
    return " ".join(reading.words[at].norm for at in clause.places)


def _has(reading: Reading, name: str, clause: Clause | None = None) -> bool:
    pattern = _cue(reading.code, name)
    return (
        pattern is not None
        and pattern.search(_plain(reading) if clause is None else _text_of(reading, clause)) is not None
    )


def _plain(reading: Reading) -> str:
    """The sentence in small letters, without its values."""
    text = reading.text.lower()
    for value in reading.values:
        if value.kind in ("rhythm", "ordinal"):
            text = text[: value.start] + " " * (value.end - value.start) + text[value.end :]
    return text


def _negated(reading: Reading, clause: Clause) -> int:
    """How often the main verb of a clause is negated."""
    count = len(clause.negators)
    double = _double(reading.code)
    if count and double is not None and double.search(_text_of(reading, clause)):
        count -= 1
    if len(clause.places) > 1 and reading.words[clause.places[0]].norm in ("utan", "without"):
        count += reading.words[clause.places[1]].norm == "att"
    return max(0, count)


def _without(reading: Reading, at: int) -> bool:
    """Does a nominal stand under "without" or "no"?"""
    word = reading.words[at]
    if word.kind not in (NOUN, ADJECTIVE, NAME):
        return False
    without = closed(reading.code)["without"]
    for back in range(1, 4):
        if at - back < 0:
            return False
        word = reading.words[at - back]
        if word.norm in without:
            return True
        if not (word.kind == ADJECTIVE or (word.kind == NOUN and word.norm.endswith("s"))):
            return False
    return False


def _polarity(found: Fit) -> dict[str, float]:
    """Are the verbs that meet, and the words under "without", negated alike, opposites counted as a negation?"""
    odd, words_odd, loose = 0.0, 0.0, 0.0
    for mate in found.mates:
        own, theirs = _negated(found.claim, mate.clause), _negated(mate.reading, mate.mate)
        flips = sum(
            1
            for at in mate.clause.places
            if at in found.chosen
            and found.chosen[at][1].how == OPPOSITE
            and mate.reading.clause_of[found.chosen[at][1].at] == mate.reading.clause_of[mate.mate.places[0]]
        )
        verb = found.chosen.get(mate.clause.verb) if mate.clause.verb is not None else None
        verbs_meet = verb is not None and verb[1].worth >= HELD and verb[1].at == mate.mate.verb
        share = sum(
            found.claim.words[at].weight
            for at in mate.clause.places
            if at in found.chosen
            and found.chosen[at][1].worth >= HELD
            and mate.reading.clause_of[found.chosen[at][1].at] == mate.reading.clause_of[mate.mate.places[0]]
        ) / (sum(found.claim.words[at].weight for at in mate.clause.places) or 1.0)
        if (own + theirs + flips) % 2 and not verbs_meet and share < 0.7:
            loose += 1.0
        elif (own + theirs + flips) % 2:
            odd += 1.0
            found.notes.append(("negation_flipped", _text_of(found.claim, mate.clause)))
    for at, (number, link) in found.chosen.items():
        if link.worth >= HELD and _without(found.claim, at) != _without(found.reading(number), link.at):
            words_odd += found.claim.words[at].weight
    claims = sum(_negated(found.claim, clause) for clause in found.claim.clauses) + _count(found.claim, "without")
    theirs = sum(_negated(found.reading(n), c) for n in set(found.homes) for c in found.reading(n).clauses)
    theirs += sum(_count(found.reading(n), "without") for n in set(found.homes))
    flips = sum(link.how == OPPOSITE for _, link in found.chosen.values())
    return {
        "polarity_odd": odd,
        "polarity_loose": loose,
        "without_odd": words_odd,
        "negation_added": float(claims > 0 and theirs + flips == 0),
        "negation_dropped": float(theirs > 0 and claims + flips == 0),
        "opposites": float(flips),
    }


def _count(reading: Reading, name: str) -> int:
    pattern = _cue(reading.code, name)
    return len(pattern.findall(reading.text.lower())) if pattern else 0


# --- modals, quantifiers, bounds


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
    ("may", "plain"): 0.3,
    ("plain", "must"): 0.0,
    ("plain", "should"): 0.7,
    ("should", "plain"): 0.7,
    ("perhaps", "plain"): 0.3,
    ("plain", "plan"): 0.5,
    ("must", "plan"): 0.7,
    ("plan", "plain"): 0.2,
    ("plan", "must"): 0.5,
    ("may", "plan"): 0.5,
}


def _modality(found: Fit) -> dict[str, float]:
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
    own = {m for m in _STRENGTHS if _has(reading, f"modal_{m}", clause)}
    if clause.opener in closed(reading.code)["infinitive_mark"] and clause.places[0]:
        own |= {m for m in _STRENGTHS if m != "may" and _has(reading, f"modal_{m}", reading.of(clause.places[0] - 1))}
        if own & {"should", "plan", "perhaps"}:
            own &= {"should", "plan", "perhaps"}
    if "may" in own and _has(reading, "exclusive", clause):
        own.add("must")
    return own or {"plain"}


_QUANTIFIERS = ("all", "most", "some", "many", "few")


def _quantity(found: Fit) -> dict[str, float]:
    homes = [found.reading(n) for n in set(found.homes)]
    own = {q for q in _QUANTIFIERS if _has(found.claim, q)}
    theirs = {q for q in _QUANTIFIERS if any(_has(t, q) for t in homes)}
    up = [_has(found.claim, "up_bounds"), any(_has(t, "up_bounds") for t in homes)]
    down = [_has(found.claim, "down_bounds"), any(_has(t, "down_bounds") for t in homes)]
    near = _bounds_clash(found)
    return {
        "all_new": float("all" in own and "all" not in theirs),
        "all_new_against": float("all" in own and "all" not in theirs and bool(theirs)),
        "most_new": float("most" in own and "most" not in theirs),
        "some_new": float(bool(own & {"some", "few"}) and not theirs & {"some", "few", "many"}),
        "quantifier_clash": float(bool(own and theirs and not own & theirs)),
        "quantifier_lost": float(bool(theirs & {"some", "few", "most"}) and not own),
        "bound_clash": near,
        "bound_new": float((up[0] and not up[1]) or (down[0] and not down[1])),
        "bound_lost": float(((up[1] and not up[0]) or (down[1] and not down[0])) and bool(found.claim.values)),
        "exclusive_new": float(_has(found.claim, "exclusive") and not any(_has(t, "exclusive") for t in homes)),
        "exclusive_lost": float(not _has(found.claim, "exclusive") and any(_has(t, "exclusive") for t in homes)),
        "superlative_new": float(_has(found.claim, "superlative") and not any(_has(t, "superlative") for t in homes)),
        "degree_new": float(_has(found.claim, "degree") and not any(_has(t, "degree") for t in homes)),
    }


def _bounds_clash(found: Fit) -> float:
    """Values that meet, with "at least" before one and "at most" before the other, "before" and "after" likewise."""
    clash = 0.0
    for value in found.claim.values:
        mine = _bound(found.claim, value)
        if not mine:
            continue
        for number in set(found.homes):
            for other in found.reading(number).values:
                theirs = _bound(found.reading(number), other)
                if same_value(value, other) and theirs and theirs != mine:
                    clash = 1.0
                    found.notes.append(("not_entailed", f"{mine} against {theirs}: {_quoted(found.claim, value)}"))
    return clash


def _bound(reading: Reading, value: Value) -> str:
    before = reading.text[max(0, value.start - 24) : value.start].lower()
    after = reading.text[value.end : value.end + 18].lower()
    found = ""
    place = -1
    for name in ("up_bounds", "down_bounds"):
        pattern = _cue(reading.code, name)
        if pattern is None:
            continue
        for match in pattern.finditer(before):
            if match.start() > place:
                found, place = name, match.start()
        match_after = re.match(r"\s*(?:eller|och|or|and) (?:mer|fler|äldre|senare|more|over|older|later)\b", after)
        if match_after:
            return "up_bounds"
        if re.match(
            r"\s*(?:eller|och|or|and) (?:mindre|färre|yngre|tidigare|less|fewer|under|younger|earlier)\b", after
        ):
            return "down_bounds"
    return found


# --- roles


def _roles(found: Fit) -> dict[str, float]:
    """Does who acts in the claim act in the evidence, and on the same?"""
    signals = dict.fromkeys(("role_conflict", "role_swapped", "object_conflict", "role_unnamed", "verb_apart"), 0.0)
    for mate in found.mates:
        clause, theirs = mate.clause, mate.mate
        own_subjects = _heavy(found.claim, clause.subjects)
        their_subjects = _heavy(mate.reading, theirs.subjects)
        own_objects = _heavy(found.claim, clause.objects)
        their_objects = _heavy(mate.reading, theirs.objects)
        verb = found.chosen.get(clause.verb) if clause.verb is not None else None
        same_verb = (
            verb is not None
            and verb[1].worth >= HELD
            and verb[1].at == theirs.verb
            and not _converse(found, clause.verb, verb[1])
        )
        if verb is not None and verb[1].worth >= HELD and theirs.verb is not None and verb[1].at != theirs.verb:
            signals["verb_apart"] += 1.0
        meets = _meet(found, mate, own_subjects, their_subjects)
        crosses = _meet(found, mate, own_subjects, their_objects) or _meet(found, mate, own_objects, their_subjects)
        if own_subjects and not meets and same_verb and crosses and clause.passive == theirs.passive:
            signals["role_swapped"] += 1.0
        elif (
            own_subjects and not meets and same_verb and _meet(found, mate, own_subjects, their_objects) and own_objects
        ):
            signals["role_swapped"] += 1.0
        elif own_subjects and their_subjects and not meets:
            if any(_held(found, at) for at in own_subjects):
                signals["role_conflict"] += 1.0 if same_verb else 0.5
            else:
                signals["role_unnamed"] += 1.0 if same_verb else 0.5
        if (
            own_objects
            and their_objects
            and clause.passive == theirs.passive
            and same_verb
            and not _meet(found, mate, own_objects, their_objects)
            and any(_held(found, at) for at in own_objects)
        ):
            signals["object_conflict"] += 1.0
    if signals["role_swapped"]:
        found.notes.append(("not_entailed", "who does what to whom"))
    return signals


def _heavy(reading: Reading, places: Sequence[int]) -> list[int]:
    return [at for at in places if reading.words[at].weight >= 0.3]


def _converse(found: Fit, at: int | None, link: Link) -> bool:
    """Do the verbs meet as converses, the parties exchanged?"""
    if at is None or link.how == "same":
        return False
    return any(relation in ("way", "back") for relation, _ in found.claim.senses[at])


def _meet(found: Fit, mate: Mate, own: Sequence[int], theirs: Sequence[int]) -> bool:
    """Is any of these words of the claim found at any of those of the home, and not better elsewhere in it? Names must meet names."""
    wanted = set(theirs)
    names = [at for at in own if found.claim.words[at].kind == NAME]
    if names and any(mate.reading.words[at].kind == NAME for at in theirs):
        own = names
    for at in own:
        table = found.tables[mate.home].get(at, ())
        best = table[0].worth if table else 0.0
        if any(link.at in wanted and link.worth >= 0.3 and link.worth >= best - 0.25 for link in table):
            return True
    return False


# --- do words that belong together in the claim belong together in the evidence?


def _binding(found: Fit) -> dict[str, float]:
    scattered, gap, pairs = 0.0, 0.0, 0.0
    taken = {(number, link.at) for number, link in found.chosen.values() if link.worth >= 0.3}
    items = [word for word in _content(found.claim) if _held(found, word.at)]
    for one, other in zip(items, items[1:], strict=False):
        if found.claim.clause_of[one.at] != found.claim.clause_of[other.at]:
            continue
        pairs += 1
        (n, left), (m, right) = found.chosen[one.at], found.chosen[other.at]
        if n != m:
            continue
        reading = found.reading(n)
        if reading.clause_of[left.at] != reading.clause_of[right.at]:
            scattered += 1.0
        low, high = sorted((left.at, right.at))
        gap += sum(word.weight for word in reading.words[low + 1 : high] if (n, word.at) not in taken)
        gap += sum(
            0.5
            for value in reading.values
            if reading.words[low].end <= value.start and value.end <= reading.words[high].start
        )
    return {
        "scattered": scattered,
        "scattered_share": scattered / pairs if pairs else 0.0,
        "gap": min(gap, 8.0),
        "gap_mean": gap / pairs if pairs else 0.0,
    }


# --- cause, purpose, condition


def _connectives(found: Fit) -> dict[str, float]:
    homes = [found.reading(n) for n in set(found.homes)]
    signals = {}
    for name in ("cause", "purpose"):
        signals[f"{name}_new"] = float(_has(found.claim, name) and not any(_has(t, name) for t in homes))
    signals["condition_lost"] = float(any(_has(t, "condition") for t in homes) and not _has(found.claim, "condition"))
    signals["condition_new"] = float(_has(found.claim, "condition") and not any(_has(t, "condition") for t in homes))
    signals["exception_lost"] = float(any(_has(t, "exception") for t in homes) and not _has(found.claim, "exception"))
    used = {(n, link.at) for n, link in found.chosen.values()}
    lost = 0.0
    for number in set(found.homes):
        reading = found.reading(number)
        for clause in reading.clauses:
            if clause.opener in closed(reading.code)["conditional"]:
                inside = [at for at in clause.places if reading.words[at].weight > 0.3]
                if inside and not any((number, at) in used for at in inside):
                    lost = 1.0
    signals["condition_clause_lost"] = lost
    signals["question_new"] = float(
        _has(found.claim, "interrogatives") and not any(_has(t, "interrogatives") for t in homes)
    )
    signals["empty_frame"] = float(
        _has(found.claim, "empty_frames") and not any(_has(t, "empty_frames") for t in homes)
    )
    return signals
