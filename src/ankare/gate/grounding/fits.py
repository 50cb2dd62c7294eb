"""Where in a passage does each clause of a claim have its home?

The home is the sentence that holds most of the clause. What the home lacks may be found in the sentences around it, but only
what the clause is about, and only where the home leaves it open (a pronoun, no subject of its own): context says what is spoken
of, never what is said of it.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from ankare.gate.grounding.align import OPPOSITE, Indexed, Link, ending_links, links
from ankare.gate.grounding.clauses import Clause
from ankare.gate.grounding.reading import Reading, read
from ankare.gate.grounding.words import NAME, NOUN, NUMBER, VERB, Word, closed
from ankare.language.languages import get_language
from ankare.language.measures import Value, same_value

HELD = 0.6
"""From this worth on a word counts as found."""


class Passage:
    """The sentences of a stretch of evidence, read when they are first looked at, and their title and headings.

    `lists`: the number of the list that a sentence is an item or the lead of, 0 for none; `terms`: index terms of each, for
    finding those that may matter without reading them; `verbatim`: the sentences by their plain text.
    """

    def __init__(
        self,
        texts: Sequence[str],
        code: str,
        terms: Sequence[Set[str]],
        topic: str = "",
        owners: Sequence[int] | None = None,
        lists: Sequence[int] | None = None,
    ) -> None:
        self.texts = tuple(texts)
        self.code = code
        self.terms = tuple(terms)
        self.topic = topic
        heading = frozenset(get_language(code).index_terms(topic)) if topic else frozenset()
        self.around: frozenset[str] = heading.union(*terms)
        self.verbatim = {plain(text): number for number, text in enumerate(texts)}
        self.lists = tuple(lists if lists is not None else [0] * len(texts))
        self._owners = tuple(owners if owners is not None else range(len(texts)))
        self._read: dict[int, Indexed] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, number: int) -> Indexed:
        """A sentence, read."""
        known = self._read.get(number)
        if known is None:
            known = self._read[number] = Indexed(read(self.texts[number], self.code))
        return known

    def owner(self, number: int) -> int:
        """The sentence of the chunk that a stretch of text belongs to."""
        return self._owners[number]

    def likely(self, claim: Reading, most: int) -> list[int]:
        """The sentences that share most with a claim, in their order."""
        if len(self.texts) <= most:
            return list(range(len(self.texts)))
        wanted = claim_terms(claim)
        shared = [len(wanted & terms) for terms in self.terms]
        return sorted(sorted(range(len(shared)), key=lambda number: (-shared[number], number))[:most])


def plain(text: str) -> str:
    """A sentence with single spaces and a small first letter, without the mark at its end; "mW" is no "MW"."""
    plainly = " ".join(text.split()).rstrip(" .!:;,")
    return plainly[:1].casefold() + plainly[1:]


def claim_terms(claim: Reading) -> frozenset[str]:
    """The terms by which evidence for a claim is looked for: its content words, their parts, its numbers."""
    return frozenset(
        term for word in claim.words if word.weight > 0 or word.kind == NUMBER for term in (*word.keys, *word.parts)
    )


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
    near: tuple[int, ...] = ()
    tables: dict[int, dict[int, list[Link]]] = field(default_factory=dict)
    homes: list[int] = field(default_factory=list)
    chosen: dict[int, tuple[int, Link]] = field(default_factory=dict)
    context: dict[int, tuple[int, Link]] = field(default_factory=dict)
    borrowed: dict[int, tuple[int, Link]] = field(default_factory=dict)
    mates: list[Mate] = field(default_factory=list)
    signals: dict[str, float] = field(default_factory=dict)
    notes: list[tuple[str, str]] = field(default_factory=list)

    def reading(self, number: int) -> Reading:
        """A sentence of the passage."""
        return self.passage[number].reading

    def table(self, number: int) -> dict[int, list[Link]]:
        """The links of the claim's words into a sentence."""
        known = self.tables.get(number)
        if known is None:
            known = self.tables[number] = links(self.claim, self.passage[number], self.passage.around)
        return known

    @property
    def used(self) -> list[int]:
        """The sentences that hold the claim, the main one first."""
        return list(dict.fromkeys(self.homes))


def content(reading: Reading) -> list[Word]:
    """The words of a sentence that claim something."""
    return [word for word in reading.words if word.weight > 0]


def held(found: Fit, at: int) -> bool:
    """Is a word of the claim found in its home?"""
    return at in found.chosen and found.chosen[at][1].worth >= HELD


def word_of(reading: Reading, value: Value) -> int | None:
    """The first word of a value."""
    return next((w.at for w in reading.words if w.start < value.end and value.start < w.end), None)


@dataclass(frozen=True, slots=True)
class _Holding:
    """What a sentence holds of a claim: per word its weight times what its best link is worth, and which values."""

    words: tuple[float, ...]
    values: frozenset[int]

    def of(self, claim: Reading, places: Sequence[int]) -> float:
        """How much it holds of some words, and of the values among them."""
        values = {claim.value_of[at] for at in places} & self.values
        return sum(self.words[at] for at in places) + VALUE_WORTH * len(values)


VALUE_WORTH = 0.9
"""What a value of the claim that a sentence states is worth in choosing a home, beside words of weight 1."""


def _holding(found: Fit, number: int) -> _Holding:
    table, stated = found.table(number), found.reading(number).values
    words = tuple(
        word.weight * table[word.at][0].worth if word.weight and word.at in table else 0.0 for word in found.claim.words
    )
    values = frozenset(
        index
        for index, value in enumerate(found.claim.values)
        if stated and any(same_value(value, other) for other in stated)
    )
    return _Holding(words, values)


def settle_homes(found: Fit, candidates: Sequence[int]) -> None:
    """Give every clause of the claim its home: the sentence that holds most of the claim, or clearly more of the clause."""
    claim = found.claim
    holds = {number: _holding(found, number) for number in candidates}
    everything = range(len(claim.words))
    main = max(holds, key=lambda number: (holds[number].of(claim, everything), -number))
    for clause in claim.clauses:
        if clause.finite is None:
            found.homes.append(found.homes[-1] if found.homes else main)
            continue
        best, own = main, holds[main].of(claim, clause.places)
        for number in candidates:
            held = holds[number].of(claim, clause.places)
            if held > own + CLEARLY_MORE + len(clause.places) / 60 and not _isolated(found, number, main):
                best, own = number, held
        found.homes.append(best)


CLEARLY_MORE = 0.55


def choose_links(found: Fit) -> None:
    """Per claim word its link in the home of its clause: the best one, and nearest to those of its neighbours."""
    density: dict[tuple[int, int], float] = {}
    for number in set(found.homes):
        for at, each in found.table(number).items():
            for link in each:
                key = (number, found.reading(number).clause_of[link.at])
                density[key] = density.get(key, 0.0) + found.claim.words[at].weight * link.worth
    for word in content(found.claim):
        home = found.homes[found.claim.clause_of[word.at]]
        options = found.table(home).get(word.at, [])
        if not options or options[0].worth < HELD:
            options = [*options, *ending_links(word, found.passage[home], found.passage.around)]
            found.table(home)[word.at] = options
        if options:
            link = max(
                options,
                key=lambda o: (o.worth + 0.03 * density.get((home, found.reading(home).clause_of[o.at]), 0.0), -o.at),
            )
            found.chosen[word.at] = (home, link)


def find_context(found: Fit) -> None:
    """What the homes lack and the sentences around them hold: found where the home leaves it open, else `borrowed`."""
    found.mates[:] = _mates(found)
    mates = {id(mate.clause): mate for mate in found.mates}
    for word in content(found.claim):
        if held(found, word.at) or word.kind == VERB or word.norm in closed(found.claim.code)["time_nouns"]:
            continue
        clause = found.claim.clauses[found.claim.clause_of[word.at]]
        home = found.homes[found.claim.clause_of[word.at]]
        options = [
            (link.worth - 0.02 * abs(number - home), number, link)
            for number in found.near
            if number != home and not _isolated(found, number, home)
            for link in found.table(number).get(word.at, ())
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


def _isolated(found: Fit, number: int, home: int) -> bool:
    """Rows of a table say nothing about each other, nor the items of a list about what stands outside of it."""
    lists = found.passage.lists
    return (found.passage[number].isolated and found.passage[home].isolated) or lists[number] != lists[home]


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
        for at in (*_spoken_of(mate), *_shared_before(mate))
    )


def _spoken_of(mate: Mate) -> Sequence[int]:
    """The places of the clause; in a line without a verb ("Editor: Ann Reed") those of the whole line."""
    whole = not any(word.finite for word in mate.reading.words)
    return range(len(mate.reading.words)) if whole else mate.mate.places


def _shared_before(mate: Mate) -> tuple[int, ...]:
    """The places of the clause whose subject this one shares."""
    first = mate.mate.places[0]
    if mate.reading.words[first].norm not in closed(mate.reading.code)["joins"] or not first:
        return ()
    return mate.reading.of(first - 1).places


def _mates(found: Fit) -> list[Mate]:
    mates = []
    for number, clause in enumerate(found.claim.clauses):
        home = found.homes[number]
        reading = found.reading(home)
        weights: dict[int, float] = {}
        for at in clause.places:
            best: dict[int, float] = {}
            options = found.table(home).get(at, [])
            for link in options:
                mine = reading.clause_of[link.at]
                worth = max(0.2, found.claim.words[at].weight) * link.worth
                meets = link.worth >= HELD and link.worth > options[0].worth - 0.12
                if at == clause.verb and meets and link.at == reading.clauses[mine].verb:
                    worth += 2.5 * link.worth * (found.claim.words[at].weight >= 0.3)
                best[mine] = max(best.get(mine, 0.0), worth)
            for mine, worth in best.items():
                weights[mine] = weights.get(mine, 0.0) + worth
        for value in {found.claim.value_of[at] for at in clause.places} - {None}:
            for other in reading.values:
                if same_value(found.claim.values[value], other):  # type: ignore[index]
                    place = word_of(reading, other)
                    if place is not None:
                        mine = reading.clause_of[place]
                        weights[mine] = weights.get(mine, 0.0) + 0.7
        if weights:
            chosen = max(weights, key=lambda k: (weights[k], -k))
            mates.append(Mate(clause, home, reading, reading.clauses[chosen]))
    return mates
