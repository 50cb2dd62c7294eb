"""How is a paragraph broken into lines?

Greedy, with hyphenation where a word does not fit and the gap would show.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pyphen

_WORD = re.compile(r"\d{1,3}(?: \d{3})+\S*|\S+")  # a number's groups of three stay on one line
_BOLD = re.compile(r"\*\*(.+?)\*\*")
SHORTEST_HYPHENATED = 8
KEPT_BEFORE, KEPT_AFTER = 3, 3

Measure = Callable[[str, bool], float]


@dataclass(frozen=True, slots=True)
class Word:
    """A word as printed and whether it is bold; `glued` words follow the one before without a space."""

    text: str
    bold: bool
    glued: bool = False


def split_words(text: str, bold: bool = False) -> list[Word]:
    """The words of a text with `**bold**` stretches."""
    words: list[Word] = []
    glue = False
    for index, stretch in enumerate(_BOLD.split(text)):
        for position, word in enumerate(_WORD.findall(stretch)):
            glued = position == 0 and glue and not stretch[:1].isspace()
            if glued and not word[0].isalnum():
                words[-1] = Word(words[-1].text + word, words[-1].bold, words[-1].glued)
            else:
                words.append(Word(word, bold or index % 2 == 1, glued))
        if stretch:
            glue = not stretch[-1].isspace()
    return words


def break_lines(words: list[Word], width: float, measure: Measure, language: str, hyphen: str) -> list[list[Word]]:
    """Set words into lines no wider than `width` (points). `hyphen` ends a line that breaks inside a word."""
    lines: list[list[Word]] = []
    line: list[Word] = []
    used = 0.0
    queue = list(reversed(words))
    while queue:
        word = queue.pop()
        space = measure(" ", word.bold) if line and not word.glued else 0.0
        length = measure(word.text, word.bold)
        if used + space + length <= width or (
            not line and "-" not in word.text and len(word.text) < SHORTEST_HYPHENATED
        ):
            line.append(word)
            used += space + length
            continue
        head, tail = _hyphenate(word, width - used - space, measure, language, hyphen)
        if head:
            line.append(head)
        if head or line:
            lines.append(line)
            line, used = [], 0.0
            queue.append(tail)
        else:
            line.append(word)
            used = length
    return [*lines, line] if line else lines


def _hyphenate(word: Word, room: float, measure: Measure, language: str, hyphen: str) -> tuple[Word | None, Word]:
    """The longest beginning of the word that fits in `room`, and the rest."""
    core = word.text.rstrip(".,;:)”")
    for position in reversed(_break_points(core, language)):
        head = word.text[:position] + ("" if word.text[position - 1] == "-" else hyphen)
        if measure(head, word.bold) <= room:
            return Word(head, word.bold, word.glued), Word(word.text[position:], word.bold)
    return None, Word(word.text, word.bold)


def _break_points(core: str, language: str) -> list[int]:
    if "-" in core:
        return [index + 1 for index, char in enumerate(core) if char == "-" and 1 < index < len(core) - 2]
    if len(core) < SHORTEST_HYPHENATED or not core.isalpha() or core.isupper():
        return []
    points: list[int] = _dictionary(language).positions(core)
    return [point for point in points if KEPT_BEFORE <= point <= len(core) - KEPT_AFTER]


@cache
def _dictionary(language: str) -> pyphen.Pyphen:
    return pyphen.Pyphen(lang={"sv": "sv_SE", "en": "en_GB"}[language])
