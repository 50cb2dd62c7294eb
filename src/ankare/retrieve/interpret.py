"""What does the question ask, word by word, in the light of this corpus?

Every word is analysed in the question's language. One that the corpus does not know is tried in other ways, most careful
first: joined with its neighbour ("acceptans test"), split into words of the corpus, read in a language of the documents, and
last of all as a misspelling. A word that the corpus knows is never changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ankare.domain.cancel import check_wanted
from ankare.domain.question import QueryWord, Question
from ankare.index.protocol import LexicalIndex
from ankare.language.kinds import asking_stretches
from ankare.language.languages import detect_language, get_language
from ankare.language.protocol import Language, Token
from ankare.language.spelling import Speller
from ankare.profile.model import Profile
from ankare.retrieve.synonyms import Synonyms

MINIMUM_PART = 3
"""Fewest letters of a word that is joined with its neighbour, or of a part that an unknown word is split into."""

ENDING = 3
"""Letters at the end of a joined word in which it may differ from the corpus' form of it."""

LINKS = ("", "s")
"""What may stand between the parts of a Germanic compound."""


class Interpreter:
    """Understands questions against one version of a corpus. Safe for many threads; same text, same question.

    `vocabulary`: how often each word (normalised) stands in the corpus. The profile gives the accepted languages, the
    default one and the controlled synonyms. `document_languages` are tried for words that the question's own language
    does not explain; the default is the profile's language.
    """

    def __init__(
        self,
        index: LexicalIndex,
        vocabulary: Mapping[str, int],
        profile: Profile,
        *,
        document_languages: Sequence[str] = (),
        language_of: Callable[[str], Language] = get_language,
    ) -> None:
        self._doc_freq = index.doc_freq
        self._vocabulary = vocabulary
        self._sorted = sorted(vocabulary)
        self._profile = profile
        self._document_languages = tuple(document_languages) or (profile.home.language,)
        self._language_of = language_of
        self._spellers: dict[str, Speller] = {}
        self._synonyms: dict[str, Synonyms] = {}

    def interpret(self, text: str, language: str | None = None) -> Question:
        """The question. `language` overrides what the text looks like. Never raises for odd text: it may have no words."""
        home = self._profile.home
        code = language or detect_language(text, home.languages, home.language)
        analysis = self._language_of(code)
        words = _without_asking(self._words(text, analysis), asking_stretches(code, text))
        return Question(text, code, analysis.question_type(text), self._with_synonyms(words, analysis))

    def _words(self, text: str, language: Language) -> list[QueryWord]:
        tokens = language.tokens(text)
        words = []
        position = 0
        while position < len(tokens):
            check_wanted()
            joined = self._joined(text, tokens[position : position + 2], language)
            words.append(joined or self._word(tokens[position], language))
            position += 2 if joined else 1
        return words

    def _word(self, token: Token, language: Language) -> QueryWord:
        word = _query_word(token.text, token.start, token.end, language)
        if word.stop or self._known(word):
            return word
        for attempt in (self._split, self._foreign, self._corrected):
            found = attempt(token, word, language)
            if found is not None:
                return found
        return replace(word, known=False)

    def _joined(self, text: str, pair: Sequence[Token], language: Language) -> QueryWord | None:
        """Two neighbours as one word, where the corpus writes them together."""
        if len(pair) < 2 or text[pair[0].end : pair[1].start].strip(" -"):
            return None
        first, second = pair
        if min(len(first.norm), len(second.norm)) < MINIMUM_PART or not (
            first.norm.isalpha() and second.norm.isalpha()
        ):
            return None
        halves = [language.analyze(token.text) for token in pair]
        if any(half.stop or half.generic for half in halves):
            return None
        for link in LINKS:
            joined = first.norm + link + second.norm
            if not self._begins_a_word(
                joined[: max(len(joined) - ENDING, len(joined) - len(second.norm) + MINIMUM_PART)]
            ):
                continue
            whole = language.analyze(joined)
            if joined in self._vocabulary or any(map(self._doc_freq, whole.terms)):
                parts = tuple(term for half in halves for term in (*half.terms, *half.parts))
                return QueryWord(text[first.start : second.end], first.start, second.end, whole.terms, parts)
        return None

    def _split(self, token: Token, word: QueryWord, language: Language) -> QueryWord | None:
        """An unknown word as two words of the corpus, the cut where the rarer of them is commonest."""
        best: tuple[int, str, str] | None = None
        for cut in range(MINIMUM_PART, len(token.norm) - MINIMUM_PART + 1):
            last = token.norm[cut:]
            for link in LINKS:
                first = token.norm[: cut - len(link)]
                if len(first) < MINIMUM_PART or not token.norm[:cut].endswith(link):
                    continue
                count = min(self._vocabulary.get(first, 0), self._vocabulary.get(last, 0))
                if count and (best is None or count > best[0]):
                    best = (count, first, last)
        if best is None or language.is_word(token.norm):
            return None
        halves = [language.analyze(part) for part in best[1:]]
        if any(half.stop for half in halves):
            return None
        return replace(word, parts=tuple(term for half in halves for term in half.terms))

    def _foreign(self, token: Token, word: QueryWord, language: Language) -> QueryWord | None:
        """An unknown word read in a language of the documents."""
        for code in self._document_languages:
            if code == language.code:
                continue
            other = _query_word(token.text, token.start, token.end, self._language_of(code))
            if not other.stop and self._known(other) and not language.is_word(token.norm):
                return replace(other, generic=word.generic)
        return None

    def _corrected(self, token: Token, word: QueryWord, language: Language) -> QueryWord | None:
        """An unknown word as the one it was meant to be."""
        meant = self._speller(language).correct(token.text)
        if not meant or meant == token.norm:
            return None
        found = _query_word(meant, token.start, token.end, language)
        return replace(found, text=token.text, corrected=meant, known=self._known(found))

    def _known(self, word: QueryWord) -> bool:
        return any(map(self._doc_freq, word.terms)) or (bool(word.parts) and all(map(self._doc_freq, word.parts)))

    def _begins_a_word(self, beginning: str) -> bool:
        """Does any word of the corpus begin like this? Spares the analysis of most pairs of neighbours."""
        place = bisect_left(self._sorted, beginning)
        return place < len(self._sorted) and self._sorted[place].startswith(beginning)

    def _speller(self, language: Language) -> Speller:
        if language.code not in self._spellers:
            self._spellers[language.code] = Speller(self._vocabulary, language)
        return self._spellers[language.code]

    def _with_synonyms(self, words: list[QueryWord], language: Language) -> tuple[QueryWord, ...]:
        if not self._profile.synonyms:
            return tuple(words)
        if language.code not in self._synonyms:
            documents = tuple(map(self._language_of, self._document_languages)) or (language,)
            self._synonyms[language.code] = Synonyms(self._profile.synonyms, language, documents)
        return tuple(
            replace(word, synonyms=found, known=word.known or any(all(map(self._doc_freq, s)) for s in found))
            if found
            else word
            for word, found in zip(words, self._synonyms[language.code].of(words), strict=True)
        )


def _without_asking(words: Sequence[QueryWord], stretches: Sequence[tuple[int, int]]) -> list[QueryWord]:
    """The words, those generic that only say what kind of thing is asked for."""
    return [
        replace(word, generic=True)
        if any(start <= word.start and word.end <= end for start, end in stretches)
        else word
        for word in words
    ]


def _query_word(text: str, start: int, end: int, language: Language) -> QueryWord:
    analysis = language.analyze(text)
    return QueryWord(text, start, end, analysis.terms, analysis.parts, stop=analysis.stop, generic=analysis.generic)
