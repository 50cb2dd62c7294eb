"""Which questions can be drafted from the documents of a home?

Every document that no newer one replaces is gone through, sentence by sentence. A draft is kept where its question can be
understood by itself: its words have to lead to a few passages, not to half of the corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from ankare.domain.document import Chunk, UnitKind
from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.asked import SURE
from ankare.evaluation.drafting.clause import Grammar
from ankare.evaluation.drafting.draft import Draft, Evidence
from ankare.evaluation.drafting.joined import sections_in
from ankare.evaluation.drafting.lists import of_glossaries, of_headings, of_lists
from ankare.evaluation.drafting.nouns import Nouns
from ankare.evaluation.drafting.sentences import questions_of
from ankare.evaluation.drafting.speaker import Speaker
from ankare.evaluation.drafting.words import LANGUAGES, draft_words
from ankare.evaluation.suites.gold import normalise
from ankare.evaluation.suites.holdings import Holdings
from ankare.language.languages import get_language

LONGEST_QUESTION = 20
MOST_PASSAGES = 5
SHARE_OF_PASSAGES = 0.012
SAME_HEADINGS = 2
OF_ITS_KIND = 3
_ANY = re.compile(r"\b(?:en|ett|varje|a|an|each|every)\b")
"""What is asked of any thing of a kind needs no passage before it to be clear."""


class Corpus:
    """The documents of a home, for drafting."""

    def __init__(self, held: Holdings) -> None:
        self.held = held
        self.chunks = tuple(chunk for chunk in held.chunks if chunk.source not in held.superseded)
        self._speakers: dict[str, Speaker] = {}

    def drafts(self, languages: tuple[str, ...] = LANGUAGES) -> Iterator[Draft]:
        """Every draft that can be understood by itself, in the order of the documents, each question once."""
        seen: set[str] = set()
        for draft in self._all(languages):
            key = normalise(draft.question)
            if key not in seen and self.specific(draft):
                seen.add(key)
                yield draft

    def _all(self, languages: tuple[str, ...]) -> Iterator[Draft]:
        above: tuple[str, tuple[str, ...]] | None = None
        for chunk in self.chunks:
            here = (chunk.source, chunk.section)
            if chunk.language in languages:
                for part in sections_in(chunk):
                    yield from self._of_chunk(part, opens=here != above or part.section != chunk.section)
            above = here

    def _of_chunk(self, chunk: Chunk, opens: bool) -> Iterator[Draft]:
        speaker = self.speaker(chunk.language)
        yield from of_headings(chunk, speaker, opens)
        yield from of_glossaries(chunk, speaker)
        yield from of_lists(chunk, speaker)
        for sentence in chunk.sentences:
            if sentence.kind is UnitKind.SENTENCE:
                held = Evidence(chunk, (sentence,))
                yield from _of_sentence(held, speaker)

    def speaker(self, code: str) -> Speaker:
        """What is needed to draft in a language, made once."""
        if code not in self._speakers:
            words = draft_words(code)
            nouns = Nouns(code, [chunk.text for chunk in self.chunks if chunk.language == code])
            grammar = None if code == "zh" else Grammar(words, nouns.lowered)
            self._speakers[code] = Speaker(words, nouns, grammar)
        return self._speakers[code]

    def specific(self, draft: Draft) -> bool:
        """Do the question's words, as far as the evidence has them, together stand in few passages?"""
        if len(draft.question.split()) > LONGEST_QUESTION or len(draft.question) > 180:
            return False
        if draft.type == QuestionType.DEFINITION and draft.sure == SURE:
            return True  # a word that is explained is clear wherever else it stands
        if draft.headed:
            heads = self._wanted(draft, generic=True) & _heading_terms(draft.evidence[0].chunk)
            return bool(heads) and _together(heads, self._headings) <= SAME_HEADINGS
        wanted = self._wanted(draft)
        if not wanted:
            return False
        (held,) = draft.evidence
        if len(held.sentences) > 1 and not wanted.isdisjoint(_heading_terms(held.chunk)):
            return True  # a whole list below a heading that names what is asked about
        most = max(MOST_PASSAGES, int(SHARE_OF_PASSAGES * len(self.chunks)))
        if _ANY.search(draft.question):
            most *= OF_ITS_KIND
        return _together(wanted, self._passages) <= most

    def _wanted(self, draft: Draft, *, generic: bool = False) -> frozenset[str]:
        language = get_language(draft.language)
        question = re.sub("[”“《][^”》]*[”》]", _first_quoted, draft.question)
        found = [language.analyze(token.text) for token in language.tokens(question)]
        said = frozenset(one.terms[0] for one in found if one.terms and not one.stop and (generic or not one.generic))
        return said & frozenset(term for held in draft.evidence for term in _terms_of(held.chunk))

    def lacks(self, phrase: str, code: str) -> bool:
        """Does no passage hold any word of a phrase that carries meaning, in any form or as a part of another word?"""
        language = get_language(code)
        words = [language.analyze(token.text) for token in language.tokens(phrase)]
        wanted = {term for one in words if not one.stop and not one.generic for term in one.terms}
        return bool(wanted) and wanted.isdisjoint(self._vocabulary)

    def terms_of_noun(self, noun: str, code: str) -> frozenset[str]:
        """The index terms of a noun, with the last part of a compound, by which it is often called."""
        language = get_language(code)
        found = [language.analyze(token.text) for token in language.tokens(noun)]
        return frozenset(term for one in found if not one.stop for term in (*one.terms, *one.parts[-1:]))

    def strangers(self, some: frozenset[str], others: frozenset[str]) -> bool:
        """Does no passage of the home, with its title and headings, hold a term of both?"""
        return not self._with_both(some, others)

    def apart(self, some: frozenset[str], others: frozenset[str]) -> bool:
        """Are terms of both never said together: in a sentence or two that follow each other, under a heading with either?"""
        return not any(_together_in(self.held.chunks[number], some, others) for number in self._with_both(some, others))

    def _with_both(self, some: frozenset[str], others: frozenset[str]) -> set[int]:
        held, asked = (
            set[int]().union(*(self._everywhere.get(term, ()) for term in terms)) for terms in (some, others)
        )
        return held & asked

    @cached_property
    def _everywhere(self) -> Mapping[str, set[int]]:
        """In which passages each term stands, also of documents that newer ones replace."""
        return _postings(map(_terms_of, self.held.chunks))

    @cached_property
    def _passages(self) -> Mapping[str, set[int]]:
        """In which passages each term stands."""
        return _postings(map(_terms_of, self.chunks))

    @cached_property
    def _headings(self) -> Mapping[str, set[int]]:
        """In the headings of which sections each term stands."""
        sections = {(chunk.source, chunk.section): chunk for chunk in self.chunks}
        return _postings(map(_heading_terms, sections.values()))

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """Every term, also of documents that newer ones replace."""
        return frozenset(term for chunk in self.held.chunks for term in _terms_of(chunk))


def _postings(found: Iterable[frozenset[str]]) -> Mapping[str, set[int]]:
    postings: dict[str, set[int]] = {}
    for number, terms in enumerate(found):
        for term in terms:
            postings.setdefault(term, set()).add(number)
    return postings


def _together(terms: frozenset[str], postings: Mapping[str, set[int]]) -> int:
    """In how many places do all of these terms stand?"""
    return len(set.intersection(*(postings.get(term, set()) for term in terms)))


def _together_in(chunk: Chunk, some: frozenset[str], others: frozenset[str]) -> bool:
    """Does a sentence with the one before it and the headings above it hold a term of both?"""
    for part in sections_in(chunk):
        above, before = _heading_terms(part), frozenset[str]()
        for sentence in part.sentences:
            said = above.union(before, sentence.terms)
            if not said.isdisjoint(some) and not said.isdisjoint(others):
                return True
            before = frozenset(sentence.terms)
    return False


def _first_quoted(quoted: re.Match[str]) -> str:
    """A quoted title names one document: its words need not stand in the passage."""
    return quoted[0].strip("”“《》")


def _terms_of(chunk: Chunk) -> frozenset[str]:
    """The index terms of a chunk with its headings and title."""
    return _heading_terms(chunk).union(term for sentence in chunk.sentences for term in sentence.terms)


def _heading_terms(chunk: Chunk) -> frozenset[str]:
    """The index terms of a chunk's title and headings."""
    code = chunk.language if chunk.language in LANGUAGES else "en"
    return frozenset(get_language(code).index_terms(" ".join((chunk.title, *chunk.section))))


def _of_sentence(held: Evidence, speaker: Speaker) -> Iterator[Draft]:
    (text,) = held.texts
    if speaker.grammar is not None:
        for asked in questions_of(text, speaker.grammar):
            yield speaker.draft(asked.question, asked.type, asked.sure, held, asked.topic)
        return
    for one in speaker.words.sentences:
        found = one.pattern.fullmatch(text.rstrip("。")) if one.pattern else None
        if found is None or any(word in found[0] for word in speaker.words.words("pointing")):
            continue
        question = one.ask
        for number, group in enumerate(found.groups(), start=1):
            question = question.replace(f"{{{number}}}", group or "")
        yield speaker.draft(question, one.type, SURE, held, found[1])


def by_type(drafts: Iterator[Draft]) -> Mapping[str, list[Draft]]:
    """Drafts by their type, in their order."""
    found: dict[str, list[Draft]] = {}
    for draft in drafts:
        found.setdefault(draft.type, []).append(draft)
    return found
