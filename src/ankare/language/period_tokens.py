"""Where does a folded text speak of time, word by word?

One pattern per set of languages finds numbers, codes and the phrases of the packs; what it does not find is a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ankare.language.period_numbers import BEGIN, END, SIGN_KINDS, Token, number_patterns, read_number
from ankare.language.period_words import vocabulary
from ankare.language.tokens import CJK


def time_tokens(text: str, languages: tuple[str, ...]) -> list[Token]:
    """The tokens of a folded text, in order. Raises PackError for a language without a pack."""
    words, pattern = vocabulary(languages), _pattern(languages)
    tokens: list[Token] = []
    for match in pattern.finditer(text):
        group = match.lastgroup
        if group is None:
            continue
        if group in ("phrase", "run_on"):
            meaning = words.meanings.get(match[group]) or words.meanings[" ".join(match[group].split())]
            tokens.append(
                Token(meaning.kind, match.start(), match.end(), meaning.type, meaning.number, 0, meaning.told)
            )
        elif group == "sign":
            tokens.append(Token(SIGN_KINDS[match[0]], match.start(), match.end()))
        else:
            token = read_number(group, match, words)
            tokens.append(token if _stands_free(text, token, tokens) else Token("D", token.start, token.end))
    return tokens


_ATTACHING = frozenset("/-.:#@=$€£¥§+&_\\")


def _stands_free(text: str, token: Token, before: list[Token]) -> bool:
    """Is a number no part of something longer that ends in it ("#2024", "covid-2024")?"""
    start = token.start
    if start == 0 or text[start - 1] not in _ATTACHING or not text[start].isdecimal():
        return True
    if not before or before[-1].end != start:
        return False
    if before[-1].kind not in "-/ta":
        return True
    return len(before) > 1 and before[-2].end == before[-1].start and before[-2].kind not in "Dnqk"


@cache
def _pattern(languages: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for everything that speaks of time in these languages."""
    words = vocabulary(languages)
    numbers = number_patterns(words)
    phrase = rf"(?P<phrase>{words.spaced})(?=(?:[':]s)?{END}|{words.tails})"
    run_on = rf"(?P<run_on>{words.unspaced}|{words.closing}(?=\W|$|{words.closing_before}))"
    # Any other word is passed over as a whole; the empty group marks one that runs on into digits.
    word = rf"[^\W\d_{CJK}]+(?:[-_]?[0-9]\w*(?:[-/.:]\w+)*(?P<word>))?"
    at_word = "|".join((f"(?=[0-9])(?:{_named(numbers.led_by_digit)})", _named(numbers.led_by_letter), phrase, word))
    return re.compile("|".join((f"{BEGIN}(?:{at_word})", _named(numbers.inside), run_on, _named(numbers.signs))))


def _named(groups: Iterable[tuple[str, str]]) -> str:
    return "|".join(f"(?P<{name}>{pattern})" for name, pattern in groups)
