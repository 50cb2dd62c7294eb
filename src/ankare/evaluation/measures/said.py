"""What does a sentence say, as far as its words tell: content words, values, names, and what it denies?

The reading is shallower than that of the grounding gate and knows nothing of it: the scores must be able to disagree with what
they judge. It stands on the language packs alone, and what is read of a word or a sentence is kept for the next time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from ankare.evaluation.measures.respelling import respelled, without_marks, word_without_marks
from ankare.gate.grounding.words import is_name
from ankare.index.recent import Recent
from ankare.language.cues import whole_words
from ankare.language.languages import get_language
from ankare.language.measures import Value, read_values
from ankare.language.packs import named_lists
from ankare.language.protocol import Token
from ankare.language.thesaurus import thesaurus, word_keys

CHINESE = "zh"
LONGEST = 2_000
"""Characters of one sentence that are read."""
_KEPT_SENTENCES, _KEPT_WORDS = 30_000, 100_000
_CLAUSE = re.compile(r"[,;:()|–—。，；：、\n]+")
_CHINESE_AMOUNT = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)*|[一二两三四五六七八九十百千万亿]+)\s*(?P<unit>[%\u3400-\u9fff]?)"
)
_PLAIN = re.compile(r"\w+|[%‰§€$£°]")
_BEFORE_A_VALUE = 24
_AFTER_A_VALUE = 14


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A word that claims something. `terms`: under which it is found; `parts`: of a compound; `senses`: of which another word
    may say the same."""

    text: str
    terms: frozenset[str]
    parts: frozenset[str] = frozenset()
    senses: frozenset[tuple[str, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, measure or date. `bound`: "up" for at least, "down" for at most, "" for neither."""

    value: Value | tuple[str, str]
    text: str
    bound: str = ""


@dataclass(frozen=True)
class Said:
    """A sentence of a language, read as far as somebody asks for it."""

    text: str
    code: str

    @cached_property
    def reading(self) -> str:
        """The text as its words and values are read: short units, dates and roundabout denials put plainly."""
        return respelled(self.text, self.code)

    @cached_property
    def plain(self) -> str:
        """Its words and numbers alone, case-folded."""
        return " ".join(_PLAIN.findall(self.text.casefold()))

    @cached_property
    def forms(self) -> frozenset[str]:
        """Its words as they stand, case-folded."""
        return frozenset(self.plain.split())

    @cached_property
    def folded(self) -> frozenset[str]:
        """Its words without the marks on letters."""
        return frozenset(map(without_marks, self.forms))

    @cached_property
    def terms(self) -> frozenset[str]:
        """The index terms of its words and of the parts of its compounds."""
        return frozenset(get_language(self.code).index_terms(self.reading))

    @cached_property
    def words(self) -> tuple[ContentWord, ...]:
        """Its content words, each once: no function words, nothing that denies, no number that stands in a value."""
        if self.code == CHINESE:
            return tuple(ContentWord(term, frozenset((term,))) for term in sorted(_pairs(self.terms)))
        found: dict[frozenset[str], ContentWord] = {}
        for token in self._claiming:
            word = content_word(self.code, token.text)
            if word is not None:
                found.setdefault(word.terms, word)
        return tuple(found.values())

    @cached_property
    def gives(self) -> frozenset[tuple[str, int]]:
        """The senses that its words hold for others."""
        return frozenset().union(*(_gives(self.code, token.norm) for token in self._tokens))

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """Its values in their order; an article ("en månad") is none."""
        if self.code == CHINESE:
            return tuple(
                Amount((found["number"].replace(",", ""), found["unit"]), found[0], self._chinese_bound(found))
                for found in _CHINESE_AMOUNT.finditer(self.reading)
                if found["number"][0].isdecimal() or found["unit"]
            )
        return tuple(
            Amount(value, self.reading[value.start : value.end], self._bound(value))
            for value in self._values
            if not value.article
        )

    @cached_property
    def names(self) -> tuple[ContentWord, ...]:
        """Names and codes. Chinese names are not told from other words."""
        if self.code == CHINESE:
            return ()
        words = (
            content_word(self.code, token.text)
            for at, token in enumerate(self._tokens)
            if is_name(token.text, token.norm, at == 0, self.code)
            and not self._in_value(token)
            and not (at == 0 and word_without_marks(token.norm, self.code))
        )
        return tuple(dict.fromkeys(word for word in words if word is not None))

    @cached_property
    def denied(self) -> tuple[frozenset[str], ...]:
        """Of each stretch between two marks that denies: the terms of what it denies."""
        pattern = denying(self.code)
        return tuple(
            self._stretch(stretch) for stretch in _CLAUSE.split(self.reading) if _odd(stretch, self.code, pattern)
        )

    def _stretch(self, stretch: str) -> frozenset[str]:
        terms = frozenset(get_language(self.code).index_terms(denying(self.code).sub(" ", stretch.casefold())))
        return frozenset(_pairs(terms)) if self.code == CHINESE else terms

    @cached_property
    def _tokens(self) -> list[Token]:
        return get_language(self.code).tokens(self.reading)

    @cached_property
    def _values(self) -> tuple[Value, ...]:
        """What stands in a code ("BP4") is a name and no value."""
        values = read_values(self.reading, self.code)
        return tuple(value for value in values if not self.reading[max(0, value.start - 1) : value.start].isalpha())

    @property
    def _claiming(self) -> Iterator[Token]:
        pattern = denying(self.code)
        for token in self._tokens:
            if not pattern.fullmatch(token.norm) and not self._in_value(token):
                yield token

    def _in_value(self, token: Token) -> bool:
        """Is the word told by a value: a number, or the unit of a known dimension? What is counted stays a word."""
        for value in self._values:
            if value.start < token.end and token.start < value.end:
                return not value.article and (bool(value.dimension) or token.norm != value.unit)
        return False

    def _chinese_bound(self, found: re.Match[str]) -> str:
        before, after = (
            self.reading[max(0, found.start() - 5) : found.start()],
            self.reading[found.end() : found.end() + 4],
        )
        for side, name in (("up", "at_least"), ("down", "at_most")):
            if wording(self.code, name).search(before) or wording(self.code, name).search(after):
                return side
        return ""

    def _bound(self, value: Value) -> str:
        before = self.reading[max(0, value.start - _BEFORE_A_VALUE) : value.start].casefold()
        after = self.reading[value.end : value.end + _AFTER_A_VALUE].casefold()
        found = {}
        for side in ("up", "down"):
            lead, trail = _bounds(self.code, side)
            match = lead.search(before) or trail.match(after)
            if match:
                found[side] = match.end() - match.start()
        return max(found, key=lambda side: found[side], default="")  # "no more than" is no "more than"


_sentences: Recent[tuple[str, str], Said] = Recent(_KEPT_SENTENCES)


def said(text: str, code: str) -> Said:
    """A sentence, read before or anew."""
    known = _sentences.get((text, code))
    if known is None:
        known = Said(text[:LONGEST], code)
        _sentences.put((text, code), known)
    return known


@lru_cache(_KEPT_WORDS)
def content_word(code: str, text: str) -> ContentWord | None:
    """A word as what it claims; None for a function word."""
    analysis = get_language(code).analyze(text)
    if analysis.stop or not analysis.terms:
        return None
    return ContentWord(text, frozenset(analysis.terms), frozenset(analysis.parts), _claims(code, analysis.word))


def _pairs(terms: Set[str]) -> Set[str]:
    """Chinese is compared by pairs of signs; a sign alone only where there is no pair."""
    return {term for term in terms if len(term) > 1} or terms


def _claims(code: str, norm: str) -> frozenset[tuple[str, int]]:
    """The senses under which another word may say what this one claims: the same, of one root, or more special."""
    return frozenset(
        ("special", number) if relation == "general" else (relation, number)
        for relation, number in _senses(code, norm)
        if relation in ("same", "family", "general")
    )


@lru_cache(_KEPT_WORDS)
def _gives(code: str, norm: str) -> frozenset[tuple[str, int]]:
    return frozenset(
        ("special", number) if relation == "specific" else (relation, number)
        for relation, number in _senses(code, norm)
        if relation in ("same", "family", "specific")
    )


def _senses(code: str, norm: str) -> Iterator[tuple[str, int]]:
    for concept in thesaurus(code).concepts([word_keys(get_language(code), norm)]):
        yield concept.sense


def _odd(stretch: str, code: str, pattern: re.Pattern[str]) -> bool:
    """Does a stretch deny, and not twice?"""
    folded = stretch.casefold()
    doubled = _double(code)
    twice = len(doubled.findall(folded)) if doubled else 0
    return (len(pattern.findall(folded)) - twice) % 2 == 1


@cache
def denying(code: str) -> re.Pattern[str]:
    """What denies, as a pattern over case-folded text."""
    if code == CHINESE:
        return _pattern(code, named_lists(code, "cues")["negation"])
    grammar = named_lists(code, "grammar")
    words = [word for word in (*grammar["negators"], *grammar["without"]) if word != "n't"]
    return re.compile(rf"{_pattern(code, words).pattern}|(?<=\w)n['’]t(?!\w)")


@cache
def _double(code: str) -> re.Pattern[str] | None:
    return None if code == CHINESE else _pattern(code, named_lists(code, "grammar")["double"])


@cache
def _bounds(code: str, side: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What says at least ("up") or at most ("down") right before a value, and what says it after."""
    grammar = named_lists(code, "grammar")
    plain = set(grammar[f"{side}_bounds"]) - set(grammar["time_prepositions"])
    lead, trail = _pattern(code, plain), _pattern(code, grammar[f"{side}_after"])
    return re.compile(rf"(?:{lead.pattern})(?:\s+\w+)?\s*$"), re.compile(rf"\s*(?:{trail.pattern})")


@cache
def wording(code: str, name: str) -> re.Pattern[str]:
    """The phrases of a list of the pack's `evaluation.toml`, as a pattern over case-folded text."""
    return _pattern(code, named_lists(code, "evaluation")[name])


def _pattern(code: str, phrases: Set[str] | tuple[str, ...] | list[str]) -> re.Pattern[str]:
    return whole_words(code, phrases) or re.compile(r"(?!)")
