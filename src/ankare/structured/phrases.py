"""Where in a text do given phrases stand, as whole words and in their inflected forms?

One pass over the words finds every phrase of an index. Chinese is written without spaces: a phrase with Chinese characters
may stand anywhere in a run of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ankare.language.inflection import base_forms
from ankare.language.lookalikes import simplified
from ankare.language.tokens import CJK

_WORD = re.compile(rf"[^\W{CJK}]+(?:[:'\u2019](?:s|ns?|ens?|ets?|t|ars?|arnas?|ers?|ernas?|nas?)(?!\w))?")
_YEAR_BESIDE_LETTERS = re.compile(r"(?<=[^\W\d_])(?=(?:19|20)\d\d(?!\d))|(?<=\b(?:19|20)\d\d)(?=[^\W\d_])")
_CJK = re.compile(f"[{CJK}]")
_JOINED = re.compile(rf"[^\W{CJK}]")
_MOST_REMEMBERED = 20_000
AMBIGUOUS = "?"
_SPACES = re.compile(r"\s+")


class Found(NamedTuple):
    """A phrase in a text: `text[start:end]` is a form of a phrase of this kind and code.

    `exact`: the text is the phrase itself, not another form of it. `code` is `AMBIGUOUS` where it is a form of phrases of
    several codes and no single one stands there exactly.
    """

    start: int
    end: int
    kind: str
    code: str
    exact: bool = False


class Word(NamedTuple):
    """A word of a text without Chinese characters, case-folded."""

    start: int
    end: int
    form: str


class _Entry(NamedTuple):
    forms: tuple[str, ...]
    keys: tuple[frozenset[str], ...]
    kind: str
    code: str
    capitals: bool


class Phrases:
    """An index of phrases. Building it is work; finding is quick. Safe for many threads once built."""

    def __init__(self, languages: Sequence[str]) -> None:
        self._languages = tuple(languages)
        self._single: dict[str, list[_Entry]] = {}
        self._longer: dict[str, dict[str, list[_Entry]]] = {}
        self._runs: dict[str, list[tuple[str, str, str]]] = {}
        self._remembered: dict[str, tuple[_Entry, ...]] = {}
        self._remembered_pairs: dict[tuple[str, str], tuple[_Entry, ...]] = {}

    def add(self, phrase: str, kind: str, code: str, *, inflected: bool = True, capitals: bool = False) -> None:
        """Add a phrase. `inflected`: forms of its words count too. `capitals`: it counts only where written in capitals."""
        folded = _SPACES.sub(" ", fold(phrase).strip())
        if _CJK.search(folded):
            entries = self._runs.setdefault(folded[0], [])
            entries.append((folded, kind, code))
            entries.sort(key=lambda entry: -len(entry[0]))
            return
        forms = tuple(word.form for word in words(folded))
        keys = tuple(base_forms(f, self._languages) if inflected else frozenset((f,)) for f in forms)
        entry = _Entry(forms, keys, kind, code, capitals)
        for key in keys[0] if keys else ():
            if len(keys) == 1:
                self._single.setdefault(key, []).append(entry)
                continue
            seconds = self._longer.setdefault(key, {})
            for second in keys[1]:
                seconds.setdefault(second, []).append(entry)

    def find(self, text: str, written: str = "", tokens: Sequence[Word] | None = None) -> list[Found]:
        """The phrases in a folded text, the longest where they overlap, by position; of one span every kind.

        `written`: the same text before it was folded, for phrases that count only in capitals. `tokens`: its `words`, where
        they are known.
        """
        found = self._in_words(words(text) if tokens is None else tokens, written)
        if self._runs and not text.isascii():
            found += self._in_runs(text)
        return longest(found)

    def whole(self, text: str) -> list[Found]:
        """The phrases that the whole of a text is."""
        folded = fold(text)
        core = folded.strip()
        start = folded.index(core) if core else 0
        return [found for found in self.find(folded, text) if found.start == start and found.end == start + len(core)]

    def _in_words(self, tokens: Sequence[Word], written: str) -> list[Found]:
        found: list[Found] = []
        for place, word in enumerate(tokens):
            for entry in self._single_of(word.form):
                if not entry.capitals or written[word.start : word.end].isupper():
                    exact = entry.forms[0] == word.form
                    found.append(Found(word.start, word.end, entry.kind, entry.code, exact))
            if self._longer and place + 1 < len(tokens):
                found += self._longer_from(tokens, place, written)
        return found

    def _single_of(self, form: str) -> tuple[_Entry, ...]:
        """The phrases of one word that this word is a form of."""
        known = self._remembered.get(form)
        if known is None:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            entries = {id(e): e for key in base_forms(form, self._languages) for e in self._single.get(key, ())}
            known = self._remembered[form] = tuple(entries.values())
        return known

    def _longer_from(self, tokens: Sequence[Word], place: int, written: str) -> Iterator[Found]:
        """The phrases of several words that begin at this word."""
        for entry in self._longer_of(tokens[place].form, tokens[place + 1].form):
            start, end = tokens[place].start, self._end(entry, tokens, place)
            if end and (not entry.capitals or written[start:end].isupper()):
                there = tokens[place : place + len(entry.keys)]
                exact = all(form == word.form for form, word in zip(entry.forms, there, strict=True))
                yield Found(start, end, entry.kind, entry.code, exact)

    def _longer_of(self, first: str, second: str) -> tuple[_Entry, ...]:
        """The phrases whose first two words these are forms of; found by both, since many may share the first."""
        known = self._remembered_pairs.get((first, second))
        if known is None:
            if len(self._remembered_pairs) >= _MOST_REMEMBERED:
                self._remembered_pairs.clear()
            by_second = [self._longer[key] for key in base_forms(first, self._languages) if key in self._longer]
            keys = base_forms(second, self._languages) if by_second else ()
            entries = {id(entry): entry for found in by_second for key in keys for entry in found.get(key, ())}
            known = self._remembered_pairs[first, second] = tuple(entries.values())
        return known

    def _end(self, entry: _Entry, tokens: Sequence[Word], place: int) -> int:
        """Where the phrase ends that begins at this word; 0 where it does not stand here."""
        if place + len(entry.keys) > len(tokens):
            return 0
        for offset, keys in enumerate(entry.keys[2:], 2):
            if keys.isdisjoint(base_forms(tokens[place + offset].form, self._languages)):
                return 0
        return tokens[place + len(entry.keys) - 1].end

    def _in_runs(self, text: str) -> list[Found]:
        found: list[Found] = []
        for start, character in enumerate(text):
            for phrase, kind, code in self._runs.get(character, ()):
                if text.startswith(phrase, start) and _stands_free(text, start, start + len(phrase)):
                    found.append(Found(start, start + len(phrase), kind, code, exact=True))
        return found


def words(folded: str) -> list[Word]:
    """The words of a folded text that are not written in Chinese characters.

    What a hyphen joins is two words, and so are a name and a year that are written together, as in Chinese questions.
    """
    found: list[Word] = []
    for match in _WORD.finditer(folded):
        start, form = match.start(), match[0]
        if form.isalpha():
            found.append(Word(start, match.end(), form))
            continue
        for piece in _YEAR_BESIDE_LETTERS.split(form):
            found.append(Word(start, start + len(piece), piece))
            start += len(piece)
    return found


def fold(text: str) -> str:
    """A text as phrases are compared: case, width, traditional Chinese; every character stays in its place."""
    return text.lower() if text.isascii() else "".join(map(_folded, text))


def longest(found: Iterable[Found]) -> list[Found]:
    """Those that overlap no longer one (of equal ones, the first), by position; several kinds may share one span."""
    kept: list[Found] = []
    for one in sorted(_decided(found), key=lambda f: (f.start - f.end, f.start, f.kind)):
        if all(one.end <= other.start or other.end <= one.start or _shares(one, other) for other in kept):
            kept.append(one)
    return sorted(kept)


def _decided(found: Iterable[Found]) -> list[Found]:
    """One phrase of each kind for a span: what stands there exactly wins; several codes that are left cannot be told apart."""
    spans: dict[tuple[int, int, str], list[Found]] = {}
    for one in found:
        spans.setdefault((one.start, one.end, one.kind), []).append(one)
    return [ones[0] if len(ones) == 1 else _decide(ones) for ones in spans.values()]


def _decide(ones: Sequence[Found]) -> Found:
    best = [one for one in ones if one.exact] or list(ones)
    codes = {one.code for one in best}
    return best[0] if len(codes) == 1 else best[0]._replace(code=AMBIGUOUS)


def _shares(one: Found, other: Found) -> bool:
    return one.start == other.start and one.end == other.end and one.kind != other.kind


def _stands_free(text: str, start: int, end: int) -> bool:
    """A phrase that begins or ends in letters of another script must not be part of a longer word of that script."""
    before = start and _JOINED.match(text[start]) and _JOINED.match(text[start - 1])
    after = end < len(text) and _JOINED.match(text[end - 1]) and _JOINED.match(text[end])
    return not before and not after


@lru_cache(8192)
def _folded(character: str) -> str:
    folded = unicodedata.normalize("NFKC", character).casefold()
    return simplified(folded) if len(folded) == 1 else character
