"""In which of the accepted languages is a text written?

Characters decide for Chinese. Then function words that only one language has are counted, which is right for questions
of two words; where they tell nothing, the word frequencies of the languages are compared (naive Bayes over words).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ankare.language.frequencies import frequencies
from ankare.language.packs import word_set
from ankare.language.tokens import CJK, norms, tokenize

_CJK = re.compile(f"[{CJK}]")
_LETTER = re.compile(r"[^\W\d_]")
_MARGIN = 0.7
_SWEDISH = re.compile("[åäöÅÄÖ]")


def detect_language(text: str, accepted: Sequence[str], default: str) -> str:
    """The language code of `text`, one of `accepted`, or `default` where nothing in it tells."""
    letters = len(_LETTER.findall(text))
    if not letters or len(accepted) < 2:
        return default if default in accepted or not accepted else accepted[0]
    if "zh" in accepted and not text.isascii() and len(_CJK.findall(text)) * 3 >= letters:
        return "zh"
    alphabetic = [code for code in accepted if code != "zh"]
    if not alphabetic:
        return default
    votes = _votes(text, alphabetic)
    best = max(alphabetic, key=lambda code: (votes[code], code == default))
    if sum(1 for code in alphabetic if votes[code] == votes[best]) == 1:
        return best
    return _likeliest(text, alphabetic, default)


def _votes(text: str, codes: Sequence[str]) -> dict[str, float]:
    """Per language: function words that the other languages lack, and letters that only it has."""
    words = norms(text)
    own_words = _own_words(tuple(codes))
    votes = {code: float(sum(word in own for word in words)) for code, own in own_words.items()}
    if "sv" in votes:
        votes["sv"] += sum(0.6 for word in words if _SWEDISH.search(word))
    return votes


@cache
def _own_words(codes: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """Per language its function words that none of the others has."""
    return {
        code: _cue_words(code).difference(*(_cue_words(other) for other in codes if other != code)) for code in codes
    }


@cache
def _cue_words(code: str) -> frozenset[str]:
    return word_set(code, "stop") | word_set(code, "generic")


def _likeliest(text: str, codes: Sequence[str], default: str) -> str:
    """Naive Bayes over words: the language in which the words are commonest together (Zipf values are log frequencies)."""
    words = {token.norm for token in tokenize(text) if token.norm.isalpha()}
    scores = {code: sum(frequencies(code).zipf(word) for word in sorted(words)) for code in codes}
    best = max(codes, key=lambda code: (scores[code], code == default))
    unsure = default in codes and scores[best] - scores[default] < _MARGIN * len(words)
    return default if unsure else best
