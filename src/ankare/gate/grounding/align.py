"""Which words of a claim stand in a sentence of the evidence, in the same or in other words?"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import lru_cache

from ankare.gate.grounding.reading import Reading
from ankare.gate.grounding.words import NAME, Word

SAME, SYNONYM, FAMILY, GENERAL, HEAD, PARTS, DERIVED, NARROWER, MODIFIER, SIBLING, OPPOSITE = (
    "same",
    "synonym",
    "family",
    "general",
    "head",
    "parts",
    "derived",
    "narrower",
    "modifier",
    "sibling",
    "opposite",
)
WORTH = {
    SAME: 1.0,
    FAMILY: 0.9,
    SYNONYM: 0.95,
    GENERAL: 0.9,
    HEAD: 0.85,
    PARTS: 0.85,
    DERIVED: 0.7,
    NARROWER: 0.35,
    SIBLING: 0.2,
    MODIFIER: 0.4,
    OPPOSITE: 0.8,
}
SHARED_STEM = 5
LEAST_HEAD = 5


@dataclass(frozen=True, slots=True)
class Link:
    """Claim word `claim` is found at word `at` of the evidence sentence, how, and what that is worth (0 to 1)."""

    claim: int
    at: int
    how: str
    worth: float


class Indexed:
    """A sentence of evidence, looked up by key, sense and part."""

    __slots__ = ("isolated", "keys", "parts", "reading", "roots", "senses", "stems")

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.isolated = " | " in reading.text or reading.text.lstrip()[:2] in ("- ", "• ", "* ", "– ")
        self.keys: dict[str, list[int]] = {}
        self.senses: dict[tuple[str, int], list[int]] = {}
        self.parts: dict[str, list[int]] = {}
        self.stems: dict[str, list[int]] = {}
        self.roots: dict[str, list[int]] = {}
        for word in reading.words:
            for key in word.keys:
                self.keys.setdefault(key, []).append(word.at)
            for sense in reading.senses[word.at]:
                self.senses.setdefault(sense, []).append(word.at)
            for part in word.parts:
                self.parts.setdefault(part, []).append(word.at)
            if word.weight > 0:
                for term in word.terms:
                    self.roots.setdefault(_root(term), []).append(word.at)
            if word.weight > 0 and len(word.norm) > SHARED_STEM:
                self.stems.setdefault(word.norm[:SHARED_STEM], []).append(word.at)


def _root(term: str) -> str:
    """What a verb and the noun beside it share ("svara", "svar"; "arbeta", "arbete"; "planera", "plan")."""
    if len(term) > SHARED_STEM + 1 and term.endswith("era"):
        return term[:-3]
    return term[:-1] if len(term) > 4 and term[-1] in "ae" else term


def links(claim: Reading, evidence: Indexed, around: Set[str] = frozenset()) -> dict[int, list[Link]]:
    """For every content word of the claim its links into the sentence, the best first. `around`: terms of the passage: what is
    named there in full may be named by its head here."""
    found: dict[int, list[Link]] = {}
    for word in claim.words:
        if word.weight > 0 or word.kind == NAME:
            each = word_links(word, claim, evidence, around)
            if each:
                found[word.at] = each
    return _joined(found)


def word_links(word: Word, claim: Reading, evidence: Indexed, around: Set[str]) -> list[Link]:
    """The links of one word of the claim, one for each word of the sentence, the best first."""
    best: dict[int, Link] = {}
    for link in _links(word, claim, evidence, around):
        if link.at not in best or best[link.at].worth < link.worth:
            best[link.at] = link
    if len(best) < 2:
        return list(best.values())
    return sorted(best.values(), key=lambda link: (-link.worth, link.at))


def _joined(found: dict[int, list[Link]]) -> dict[int, list[Link]]:
    """A compound of the evidence that the claim writes as two words near each other: both are found in it."""
    heads = {link.at: at for at, each in found.items() for link in each if link.how in (HEAD, SAME, SYNONYM)}
    for at, each in found.items():
        for place, link in enumerate(each):
            if link.how == MODIFIER and link.at in heads and 0 < abs(heads[link.at] - at) <= 4:
                each[place] = Link(at, link.at, PARTS, WORTH[PARTS])
        each.sort(key=lambda link: (-link.worth, link.at))
    return found


def _links(word: Word, claim: Reading, evidence: Indexed, around: Set[str]) -> Iterable[Link]:
    if word.kind == NAME:
        yield from _name_links(word, evidence)
        return
    for key in evidence.keys.keys() & word.keys:
        for at in evidence.keys[key]:
            yield Link(word.at, at, SAME, WORTH[SAME])
    met = _meeting(claim.senses[word.at])
    for sense in evidence.senses.keys() & met.keys():
        how = met[sense]
        for at in evidence.senses[sense]:
            yield Link(word.at, at, how, WORTH[how])
    yield from _part_links(word, evidence)
    if word.parts:
        yield from _compound_links(word, evidence, around)
    yield from _derived_links(word, evidence)


def _part_links(word: Word, evidence: Indexed) -> Iterable[Link]:
    """The word as a part of compounds of the evidence: as the head the compound is a kind of it."""
    for key in evidence.parts.keys() & word.keys:
        for at in evidence.parts[key]:
            how = HEAD if evidence.reading.words[at].parts[-1] == key else MODIFIER
            yield Link(word.at, at, how, WORTH[how])


def _compound_links(word: Word, evidence: Indexed, around: Set[str]) -> Iterable[Link]:
    """A compound of the claim: by its head, and its modifiers where they stand in the sentence or around it."""
    *modifiers, head = word.parts
    named = all(part in evidence.keys or part in evidence.parts for part in modifiers)
    how = PARTS if named or all(part in around for part in modifiers) else NARROWER
    for at in evidence.keys.get(head, ()):
        yield Link(word.at, at, how, WORTH[how])
    for at in evidence.parts.get(head, ()):
        theirs = evidence.reading.words[at].parts
        if theirs[-1] != head:
            continue
        if set(word.parts) <= set(theirs):
            yield Link(word.at, at, HEAD, WORTH[HEAD])
        elif named and not set(theirs) - set(word.parts):
            yield Link(word.at, at, PARTS, WORTH[PARTS] - 0.1)
        elif set(theirs) < set(word.parts):
            yield Link(word.at, at, NARROWER, WORTH[NARROWER])
        else:  # another kind of the same: "styrgrupp", "referensgrupp"
            yield Link(word.at, at, SIBLING, WORTH[SIBLING])
    for part in modifiers:
        for at in evidence.keys.get(part, ()):
            yield Link(word.at, at, MODIFIER, WORTH[MODIFIER] / 2)


def _derived_links(word: Word, evidence: Indexed) -> Iterable[Link]:
    """Words of one root: a verb and its noun, or words that begin alike for most of their length."""
    for term in word.terms:
        for at in evidence.roots.get(_root(term), ()):
            yield Link(word.at, at, DERIVED, WORTH[DERIVED])
    if len(word.norm) > SHARED_STEM:
        for at in evidence.stems.get(word.norm[:SHARED_STEM], ()):
            other = evidence.reading.words[at]
            share = _common_prefix(word.norm, other.norm) / max(len(word.norm), len(other.norm))
            if share >= (0.75 if word.parts or other.parts else 0.5):
                yield Link(word.at, at, DERIVED, WORTH[DERIVED])


def ending_links(word: Word, evidence: Indexed, around: Set[str]) -> Iterable[Link]:
    """Compounds that the analysis does not know: one word is the end of the other."""
    mine = {word.norm, *word.terms}
    for other in evidence.reading.words:
        if other.weight <= 0 or other.kind == NAME:
            continue
        theirs = {other.norm, *other.terms}
        for one in mine:
            for two in theirs:
                if len(two) >= LEAST_HEAD and len(one) >= len(two) + 3 and one.endswith(two):
                    front = one[: -len(two)].rstrip("s")
                    near = any(key.startswith(front) for key in around if key[:2] == front[:2])
                    how = PARTS if near else NARROWER
                    yield Link(word.at, other.at, how, WORTH[how])
                elif len(one) >= LEAST_HEAD and len(two) >= len(one) + 3 and two.endswith(one):
                    yield Link(word.at, other.at, HEAD, WORTH[HEAD])


def _name_links(word: Word, evidence: Indexed) -> Iterable[Link]:
    plain = word.norm.removesuffix("s") if len(word.norm) > 3 else word.norm
    for key in {word.norm, plain, plain + "s", *word.terms}:
        for at in evidence.keys.get(key, ()):
            yield Link(word.at, at, SAME, WORTH[SAME])
    for other in evidence.reading.words:
        if other.norm.partition(":")[0] == plain.partition(":")[0] or plain in other.norm.split("-"):
            yield Link(word.at, other.at, SAME, WORTH[SAME])


_MEETS = {
    "same": (("same", SYNONYM), ("not", OPPOSITE)),
    "family": (("family", FAMILY),),
    "not": (("same", OPPOSITE), ("not", SYNONYM)),
    "general": (("specific", GENERAL),),
    "one": (("other", OPPOSITE),),
    "other": (("one", OPPOSITE),),
    "way": (("back", SYNONYM),),
    "back": (("way", SYNONYM),),
}


@lru_cache(20_000)
def _meeting(senses: frozenset[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """The senses of the evidence that a word of the claim with these senses meets, and how."""
    met: dict[tuple[str, int], str] = {}
    for relation, number in senses:
        for other, how in _MEETS.get(relation, ()):
            known = met.get((other, number))
            if known is None or WORTH[how] > WORTH[known]:
                met[other, number] = how
    return met


def _common_prefix(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
