"""What stands in a text once everything that is no letter is taken away, and where did it stand?

A view holds the letters of a text as a reader sees them (`ankare.language.lookalikes`), in which word of the original each
stands, and what lies between two words. White space, punctuation, symbols and emoji end a word; accents, joiners and
controls do not. In scripts without spaces between words every character may begin or end a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ankare.language.lookalikes import SKELETON, is_invisible, letters_of
from ankare.language.tokens import normalize

SPACE, LINE, CLAUSE, POINT, MARK = 1, 2, 4, 8, 16
"""What lies between two words, as bits: white space, a new line, punctuation of clauses, punctuation that may also stand
within words, any other mark or symbol."""

LONGEST_WORD = 60
"""A longer run of letters is never looked up as a word."""

_CLAUSE_MARKS = frozenset(',;:?!()[]"\u201c\u201d\u201e\u00ab\u00bb\u2026，。、；：？！（）《》「」『』【】〈〉')
_POINTS = frozenset("./&'\u2018\u2019")
_LINES = frozenset("\n\r\x0b\x0c\x85\u2028\u2029")
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)


@dataclass(frozen=True, slots=True)
class View:
    """The letters of `text`. Per letter: the index of its character (`at`), where the character with all that clings to it
    ends (`ends`), the number of its word (`word_of`), and what lies before it (`gaps`, 0 within a word). Per word: the
    letters `first:last` that it is made of (`words`). `skeleton`: the letters as look-alikes meet."""

    text: str
    letters: str
    skeleton: str
    at: tuple[int, ...]
    ends: tuple[int, ...]
    gaps: tuple[int, ...]
    word_of: tuple[int, ...]
    words: tuple[tuple[int, int], ...]
    has_small_letters: bool

    def raw(self, index: int) -> str:
        """The character that a letter was read from."""
        return self.text[self.at[index]]

    def written(self, first: int, last: int) -> str:
        """Letters `first:last` as they are written, in the form in which words are compared."""
        return normalize(self.text[self.at[first] : self.ends[last - 1]])

    def word(self, index: int) -> tuple[int, int]:
        """The letters of the word that a letter stands in; the letter alone where words are not divided by spaces."""
        return (index, index + 1) if self.is_spaceless(index) else self.words[self.word_of[index]]

    def is_spaceless(self, index: int) -> bool:
        """Is it of a script without spaces between words?"""
        return is_spaceless(self.letters[index])


def is_spaceless(letter: str) -> bool:
    """Is this a letter of a script that is written without spaces between words, or where endings cling to names?"""
    return letter > "\u0dff" and _SPACELESS.match(letter) is not None


def view_of(text: str) -> View:
    """The letters of a text. Linear in its length."""
    letters: list[str] = []
    at: list[int] = []
    ends: list[int] = []
    gaps: list[int] = []
    gap = 0
    for index, char in enumerate(text):
        read = letters_of(char)
        if read:
            for letter in read:
                letters.append(letter)
                at.append(index)
                ends.append(index + 1)
                gaps.append(gap)
                gap = 0
        elif not is_invisible(char):
            gap |= _kind(char)
        elif letters and not gap:
            ends[-1] = index + 1
    word_of, words = _words(letters, gaps)
    joined = "".join(letters)
    small = any(map(str.islower, text))
    return View(text, joined, joined.translate(SKELETON), tuple(at), tuple(ends), tuple(gaps), word_of, words, small)


def _kind(char: str) -> int:
    if char in _LINES:
        return LINE
    if char.isspace():
        return SPACE
    if char in _POINTS:
        return POINT
    return CLAUSE if char in _CLAUSE_MARKS else MARK


def _words(letters: list[str], gaps: list[int]) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """Per letter the number of its word, and the words; a change between scripts with and without spaces divides too."""
    word_of: list[int] = []
    starts: list[int] = []
    before = False
    for index, letter in enumerate(letters):
        now = is_spaceless(letter)
        if not starts or gaps[index] or now is not before:
            starts.append(index)
        word_of.append(len(starts) - 1)
        before = now
    return tuple(word_of), tuple(zip(starts, [*starts[1:], len(letters)], strict=True)) if starts else ()
