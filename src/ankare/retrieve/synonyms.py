"""Which controlled synonyms of the profile does a question bring in?

A key stands for its values and each value for its key, one word or several. Values do not stand for each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ankare.domain.question import QueryWord
from ankare.language.protocol import Language

Terms = tuple[str, ...]


class Synonyms:
    """The synonyms of a profile, analysed: as questions of `language` write them, as texts of `documents` do."""

    def __init__(self, phrases: Mapping[str, Sequence[str]], language: Language, documents: Sequence[Language]) -> None:
        self._targets: dict[Terms, list[Terms]] = {}
        for key, values in phrases.items():
            for value in values:
                self._add(key, value, language, documents)
                self._add(value, key, language, documents)
        self._longest = max(map(len, self._targets), default=0)

    def of(self, words: Sequence[QueryWord]) -> list[tuple[Terms, ...]]:
        """Per word its synonyms, each as terms that all have to be found. A phrase gives its synonyms to all its words."""
        found: list[dict[Terms, None]] = [{} for _ in words]
        for start in range(len(words)):
            for length in range(1, min(self._longest, len(words) - start) + 1):
                span = range(start, start + length)
                key = tuple(words[i].terms[0] if words[i].terms else words[i].text.casefold() for i in span)
                for target in self._targets.get(key, ()):
                    for i in span:
                        found[i][target] = None
        return [tuple(targets) for targets in found]

    def _add(self, source: str, target: str, language: Language, documents: Sequence[Language]) -> None:
        key = _phrase(source, language)
        if not key:
            return
        targets = self._targets.setdefault(key, [])
        for document_language in documents:
            terms = _content(target, document_language)
            if terms and terms != key and terms not in targets:
                targets.append(terms)


def _phrase(text: str, language: Language) -> Terms:
    """The main term of each word."""
    analysed = [(token, language.analyze(token.text)) for token in language.tokens(text)]
    return tuple(analysis.terms[0] if analysis.terms else token.norm for token, analysis in analysed)


def _content(text: str, language: Language) -> Terms:
    """The main term of each word that is searched."""
    analysed = [language.analyze(token.text) for token in language.tokens(text)]
    return tuple(analysis.terms[0] for analysis in analysed if analysis.terms and not analysis.stop)
