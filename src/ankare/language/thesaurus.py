"""Which words and phrases of a language say the same, which say more, and which say the opposite?

The pack's lists hold dictionary forms; texts are matched by their words' terms, so that every inflection meets. A phrase
may have up to two words between its own ("har projektledaren ansvar för" is "ha ansvar för").

    synonyms.txt    groups that can replace each other
    families.tsv    words of one root for the same event or thing
    entails.tsv     what holds of the left holds of the right
    opposites.tsv   put in each other's place they contradict
    converse.tsv    the same event with the parties exchanged
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

from ankare.errors import PackError
from ankare.language.languages import get_language
from ankare.language.packs import pack_lines
from ankare.language.protocol import Language

MOST_BETWEEN = 2
LONGEST_PHRASE = 6
NEGATORS = {"sv": ("inte", "ej", "icke", "ingen", "inget", "inga"), "en": ("not", "no")}


@dataclass(frozen=True, slots=True)
class Concept:
    """Words `at` of a text that stand for a sense. `sense`: a relation and a number within it."""

    relation: str
    number: int
    at: tuple[int, ...]

    @property
    def sense(self) -> tuple[str, int]:
        """What two texts share where they speak of the same."""
        return (self.relation, self.number)


@dataclass(frozen=True, slots=True)
class _Entry:
    keys: tuple[frozenset[str], ...]
    senses: tuple[tuple[str, int], ...]


class Thesaurus:
    """Finds concepts. Deterministic, safe for many threads."""

    def __init__(self, entries: Iterable[_Entry]) -> None:
        words: dict[str, dict[tuple[str, int], None]] = {}
        phrases: dict[str, list[_Entry]] = {}
        for entry in entries:
            if len(entry.keys) == 1:
                for key in entry.keys[0]:
                    words.setdefault(key, {}).update(dict.fromkeys(entry.senses))
            else:  # looked for by their longest word, which is the rarest more often than not
                for key in max(entry.keys, key=lambda keys: max(map(len, keys))):
                    phrases.setdefault(key, []).append(entry)
        self._words: Mapping[str, tuple[tuple[str, int], ...]] = {key: tuple(senses) for key, senses in words.items()}
        self._phrases: Mapping[str, tuple[_Entry, ...]] = {key: tuple(found) for key, found in phrases.items()}

    def concepts(self, words: Sequence[Set[str]]) -> tuple[Concept, ...]:
        """The concepts of a text whose words are given as the keys (term, norm) under which each may be found."""
        found: dict[Concept, None] = {}
        wanted: dict[int, _Entry] = {}
        present = frozenset().union(*words)
        for position, keys in enumerate(words):
            for key in keys:
                for relation, number in self._words.get(key, ()):
                    found[Concept(relation, number, (position,))] = None
                for entry in self._phrases.get(key, ()):
                    if all(not part.isdisjoint(present) for part in entry.keys):
                        wanted[id(entry)] = entry
        for entry in wanted.values():
            for at in _matches(entry.keys, words):
                found.update((Concept(relation, number, at), None) for relation, number in entry.senses)
        return tuple(found)


def _matches(keys: tuple[frozenset[str], ...], words: Sequence[Set[str]]) -> Iterator[tuple[int, ...]]:
    """Every place of the text where the phrase stands."""
    for start, word in enumerate(words):
        if not keys[0].isdisjoint(word):
            at = _match(keys, words, start)
            if at is not None:
                yield at


def _match(keys: tuple[frozenset[str], ...], words: Sequence[Set[str]], start: int) -> tuple[int, ...] | None:
    at = [start]
    position = start + 1
    for wanted in keys[1:]:
        last = min(len(words), position + MOST_BETWEEN + 1)
        hit = next((i for i in range(position, last) if not wanted.isdisjoint(words[i])), None)
        if hit is None:
            return None
        at.append(hit)
        position = hit + 1
    return tuple(at)


@cache
def thesaurus(code: str) -> Thesaurus:
    """The thesaurus of a language; empty for one whose pack has none."""
    language = get_language(code)
    entries: dict[tuple[frozenset[str], ...], list[tuple[str, int]]] = {}
    for number, group in enumerate(_rows(code, "synonyms.txt", ",")):
        for phrase in group:
            _add(entries, language, phrase, ("same", number))
    for number, family in enumerate(_rows(code, "families.tsv", "\t")):
        for phrase in family:
            _add(entries, language, phrase, ("family", number))
    for name, left, right in (
        ("entails.tsv", "specific", "general"),
        ("opposites.tsv", "one", "other"),
        ("converse.tsv", "way", "back"),
    ):
        for number, row in enumerate(_rows(code, name, "\t")):
            if len(row) == 2:
                _add(entries, language, row[0], (left, number))
                _add(entries, language, row[1], (right, number))
    return Thesaurus(_Entry(keys, tuple(dict.fromkeys(senses))) for keys, senses in entries.items())


def word_keys(language: Language, norm: str) -> frozenset[str]:
    """The keys under which a word of a text may be found: as it stands, and its terms."""
    return frozenset((norm, *language.analyze(norm).terms))


def _add(
    entries: dict[tuple[frozenset[str], ...], list[tuple[str, int]]],
    language: Language,
    phrase: str,
    sense: tuple[str, int],
) -> None:
    words = [token.norm for token in language.tokens(phrase)]
    if words and words[0] in NEGATORS.get(language.code, ()) and len(words) > 1:
        # the negator may stand anywhere in the clause, so the rest is kept as the opposite of the group
        words, sense = words[1:], ("not", sense[1])
    if 0 < len(words) <= LONGEST_PHRASE:
        keys = tuple(_entry_key(language, word) for word in words)
        entries.setdefault(keys, []).append(sense)


def _entry_key(language: Language, word: str) -> frozenset[str]:
    analysis = language.analyze(word)
    return (
        frozenset((word,)) if analysis.stop and word not in analysis.terms else frozenset((word, *analysis.terms[:1]))
    )


def _rows(code: str, name: str, separator: str) -> list[list[str]]:
    try:
        lines = pack_lines(code, name)
    except PackError:
        return []
    return [[cell.strip() for cell in line.split(separator) if cell.strip()] for line in lines]
