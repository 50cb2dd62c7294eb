"""Which words of a vocabulary differ from a word by at most one or two edits?

PassJoin (Li, Deng, Wang and Feng 2011): a vocabulary word is cut into one segment more than edits are allowed, so that one
segment at least is left untouched and found in the query near its place. The segments are indexed per word length, when a
query first needs that length: a vocabulary of 100,000 words costs nothing until it is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_PLAIN = str.maketrans({"å": "a", "ä": "a", "ö": "o", "é": "e", "è": "e", "ü": "u", "æ": "a", "ø": "o"})
_LIKE_SOUNDS = frozenset(
    {"aå", "aä", "åä", "oö", "oå", "eä", "eé", "öø", "uy", "ck", "sz", "sc", "vw", "dt", "bp", "gk"}
)
_ADDED_DOUBLE, _SWAP, _DOTS, _SOUND, _FIRST_LETTER = 0.6, 0.8, 0.3, 0.8, 0.4


class Neighbours:
    """Look-up of near words. Deterministic; safe for many threads (an index may be built twice, to the same effect)."""

    def __init__(self, counts: Mapping[str, int] | Iterable[str]) -> None:
        self._words = counts
        self._by_length: dict[int, list[str]] | None = None
        self._indexes: dict[tuple[int, int], dict[tuple[int, str], list[tuple[str, int]]]] = {}
        self._sets: dict[int, frozenset[str]] = {}
        self._plain: dict[str, list[str]] | None = None

    def within(self, word: str, edits: int) -> list[str]:
        """All words at a Damerau-Levenshtein distance (adjacent swaps, restricted) of 1 to `edits`, sorted."""
        found = {swapped for swapped in swaps(word) if swapped in self._members(len(word))}
        mask = letters(word)
        for length in range(max(2, len(word) - edits), len(word) + edits + 1):
            index = self._index(length, edits)
            for number, (start, size) in enumerate(segments(length, edits)):
                for at in range(max(0, start - edits), min(len(word) - size, start + edits) + 1):
                    for candidate, bits in index.get((number, word[at : at + size]), ()):
                        if (bits ^ mask).bit_count() > 2 * edits or candidate in found or candidate == word:
                            continue
                        if distance(word, candidate, edits) <= edits:
                            found.add(candidate)
        return sorted(found)

    def _members(self, length: int) -> frozenset[str]:
        known = self._sets.get(length)
        if known is None:
            known = self._sets[length] = frozenset(self._lengths().get(length, ()))
        return known

    def without_dots(self, word: str) -> list[str]:
        """All words that are spelt alike once å, ä, ö and accents are plain letters, sorted."""
        if self._plain is None:
            plain: dict[str, list[str]] = {}
            for words in self._lengths().values():
                for each in words:
                    if not each.isascii():
                        plain.setdefault(each.translate(_PLAIN), []).append(each)
            self._plain = plain
        return sorted(each for each in self._plain.get(word.translate(_PLAIN), ()) if each != word)

    def _lengths(self) -> dict[int, list[str]]:
        if self._by_length is None:
            grouped: dict[int, list[str]] = {}
            for word in self._words:
                grouped.setdefault(len(word), []).append(word)
            self._by_length = grouped
        return self._by_length

    def _index(self, length: int, edits: int) -> dict[tuple[int, str], list[tuple[str, int]]]:
        known = self._indexes.get((length, edits))
        if known is None:
            known = {}
            parts = segments(length, edits)
            for word in self._lengths().get(length, ()):
                entry = (word, letters(word))
                for number, (start, size) in enumerate(parts):
                    known.setdefault((number, word[start : start + size]), []).append(entry)
            self._indexes[length, edits] = known
        return known


def segments(length: int, edits: int) -> list[tuple[int, int]]:
    """(start, size) of two even segments for one edit, of four for two (a swap may touch two of them).

    One swap across both of two segments is found by trying all swaps.
    """
    count = min(length, 2 * edits)
    base, extra = divmod(length, count)
    found, start = [], 0
    for number in range(count):
        size = base + (1 if number >= count - extra else 0)
        found.append((start, size))
        start += size
    return found


def swaps(word: str) -> list[str]:
    """The word with each two neighbours that differ exchanged."""
    return [
        word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1) if word[at] != word[at + 1]
    ]


def letters(word: str) -> int:
    """The set of letters of a word as bits."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 63)
    return bits


def distance(left: str, right: str, limit: int) -> int:
    """Restricted Damerau-Levenshtein distance (optimal string alignment), or `limit + 1` where it is larger."""
    left, right = _differing(left, right)
    if not left or not right:
        return min(len(left) + len(right), limit + 1)
    if limit == 1:
        one = len(left) == len(right) == 1 or (len(left) == len(right) == 2 and left == right[::-1])
        return 1 if one else 2
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        current = [i]
        for j, b in enumerate(right, 1):
            cost = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        before, row = row, current
    return min(row[-1], limit + 1)


def _differing(left: str, right: str) -> tuple[str, str]:
    """What is left of two words without the beginning and the end that they share."""
    shorter = min(len(left), len(right))
    start = 0
    while start < shorter and left[start] == right[start]:
        start += 1
    end = 0
    while end < shorter - start and left[-1 - end] == right[-1 - end]:
        end += 1
    return left[start : len(left) - end], right[start : len(right) - end]


def likelihood_cost(written: str, meant: str) -> float:
    """A weighted distance: doubled letters, swaps, missing dots and like sounds are likely slips; the first letter is not."""
    before: list[float] = []
    row = [0.0]
    for j, b in enumerate(meant):
        row.append(row[-1] + _single(meant, j, b))
    for i, a in enumerate(written):
        current = [row[0] + _single(written, i, a)]
        for j, b in enumerate(meant):
            cost = min(
                row[j + 1] + _single(written, i, a), current[j] + _single(meant, j, b), row[j] + _substitution(a, b)
            )
            if i and j and a == meant[j - 1] and written[i - 1] == b and a != b:
                cost = min(cost, before[j - 1] + _SWAP)
            current.append(cost)
        before, row = row, current
    plain = written[:1].translate(_PLAIN) == meant[:1].translate(_PLAIN)
    return row[-1] + (0.0 if plain else _FIRST_LETTER)


def _single(word: str, position: int, letter: str) -> float:
    """Cost of one letter too many or too few: less where it doubles a neighbour."""
    return _ADDED_DOUBLE if letter in (word[position - 1 : position], word[position + 1 : position + 2]) else 1.0


def _substitution(a: str, b: str) -> float:
    if a == b:
        return 0.0
    if a.translate(_PLAIN) == b.translate(_PLAIN):
        return _DOTS
    return _SOUND if a + b in _LIKE_SOUNDS or b + a in _LIKE_SOUNDS else 1.0
