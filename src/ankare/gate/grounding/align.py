"""Which words of a claim stand in a sentence of the evidence, in the same or in other words?"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from ankare.gate.grounding.reading import FUNCTION, NAME, NUMBER, Reading, Word

SAME, SYNONYM, GENERAL, HEAD, PARTS, DERIVED, NARROWER, MODIFIER, OPPOSITE = (
    "same",
    "synonym",
    "general",
    "head",
    "parts",
    "derived",
    "narrower",
    "modifier",
    "opposite",
)
WORTH = {
    SAME: 1.0,
    SYNONYM: 0.95,
    GENERAL: 0.9,
    HEAD: 0.85,
    PARTS: 0.85,
    DERIVED: 0.7,
    NARROWER: 0.35,
    MODIFIER: 0.4,
    OPPOSITE: 0.8,
}
SHARED_STEM = 5


@dataclass(frozen=True, slots=True)
class Link:
    """Claim word `claim` is found at word `at` of the evidence sentence, how, and what that is worth (0 to 1)."""

    claim: int
    at: int
    how: str
    worth: float


class Indexed:
    """A sentence of evidence, looked up by key, sense and part."""

    __slots__ = ("keys", "parts", "reading", "roots", "senses", "stems")

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
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
    """For every content word of the claim its links into the sentence, the best first. `around`: keys and parts of the words of
    the passage: what is named there in full may be named by its head here."""
    found: dict[int, list[Link]] = {}
    for word in claim.words:
        if word.kind in (FUNCTION, NUMBER):
            continue
        each = list(_links(word, claim, evidence, around))
        if each:
            best: dict[int, Link] = {}
            for link in each:
                if link.at not in best or best[link.at].worth < link.worth:
                    best[link.at] = link
            found[word.at] = sorted(best.values(), key=lambda link: (-link.worth, link.at))
    return _joined(claim, found)


def _joined(claim: Reading, found: dict[int, list[Link]]) -> dict[int, list[Link]]:
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
    words = evidence.reading.words
    for key in word.keys:
        for at in evidence.keys.get(key, ()):
            yield Link(word.at, at, SAME, WORTH[SAME])
    for relation, number in claim.senses[word.at]:
        for other, how in _MEETS.get(relation, ()):
            for at in evidence.senses.get((other, number), ()):
                yield Link(word.at, at, how, WORTH[how])
    head = word.parts[-1] if word.parts else None
    for key in word.keys:
        for at in evidence.parts.get(key, ()):
            how = HEAD if words[at].parts[-1] == key else MODIFIER
            yield Link(word.at, at, how, WORTH[how])
    if head:
        for at in evidence.keys.get(head, ()):
            if all(part in evidence.keys or part in evidence.parts or part in around for part in word.parts[:-1]):
                yield Link(word.at, at, PARTS, WORTH[PARTS])
            else:
                yield Link(word.at, at, NARROWER, WORTH[NARROWER])
        for at in evidence.parts.get(head, ()):
            other = words[at].parts
            if other[-1] == head and set(word.parts) <= set(other):
                yield Link(word.at, at, HEAD, WORTH[HEAD])
            elif (
                other[-1] == head
                and all(p in evidence.keys or p in evidence.parts for p in word.parts[:-1])
                and not set(other[:-1]) - set(word.parts)
            ):
                yield Link(word.at, at, PARTS, WORTH[PARTS] - 0.1)
            elif other[-1] == head:
                yield Link(word.at, at, NARROWER, WORTH[NARROWER])
        for part in word.parts[:-1]:
            for at in evidence.keys.get(part, ()):
                yield Link(word.at, at, MODIFIER, WORTH[MODIFIER] / 2)
    for term in word.terms:
        for at in evidence.roots.get(_root(term), ()):
            yield Link(word.at, at, DERIVED, WORTH[DERIVED])
    if len(word.norm) > SHARED_STEM:
        for at in evidence.stems.get(word.norm[:SHARED_STEM], ()):
            share = _common_prefix(word.norm, words[at].norm) / max(len(word.norm), len(words[at].norm))
            if share >= 0.6:
                yield Link(word.at, at, DERIVED, WORTH[DERIVED])


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
    "not": (("same", OPPOSITE), ("not", SYNONYM)),
    "general": (("specific", GENERAL),),
    "one": (("other", OPPOSITE),),
    "other": (("one", OPPOSITE),),
    "way": (("back", SYNONYM),),
    "back": (("way", SYNONYM),),
}


def _common_prefix(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
