"""What else may a text be meant to say, where its characters can be taken in more than one way?

Letters may be written as HTML entities, percent-encoded bytes, escapes of programming languages or invisible tag characters;
HTML tags may stand between them. Some symbols stand for a letter or for nothing ("Nordv!k", "Nord!vik"). Each way is a
reading: a text of its own with the place of every character in the original, so that no way of reading can hide another.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ankare.language.lookalikes import is_invisible, letters_of, symbol_letters

_ROUNDS = 3
_TAGS = range(0xE0020, 0xE007F)
_ESCAPE = re.compile(
    r"(?:%[0-9a-f]{2})+|%u[0-9a-f]{4}|(?-i:\\U)[0-9a-f]{8}|\\u\{[0-9a-f]{1,6}\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}"
    r"|&(?:#\d{1,7}|#x[0-9a-f]{1,6});?|&[a-z][a-z0-9]{1,30};|</?[a-z!][^<>]{0,200}>|[\U000E0020-\U000E007E]",
    re.IGNORECASE,
)
_ESCAPE_STARTS = "%&\\\\<\U000e0020-\U000e007e"
_EXCLAMATIONS = "!\u00a1\uff01"
_DIVIDERS = frozenset(_EXCLAMATIONS + "|\u00a6\uff5c+\uff0b\u00d7")
_NEAR, _FEW_KINDS = 24, 6
_SINGLE_AFTER = re.compile(r"[^\w@$€§]*[\w@$€§](?![a-z\u00c0-\u024f])", re.IGNORECASE)
_SINGLE_BEFORE = re.compile(r"(?<![0-9a-z\u00c0-\u024f])\w\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """`text[i]` stands at `starts[i]:ends[i]` of the original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def readings(text: str) -> Iterator[Reading]:
    """The text as it stands, then every other reading of it; each takes time linear in the text."""
    plain = Reading(text, range(len(text)), range(1, len(text) + 1))
    yield plain
    if _unusual().search(text) is None:
        return
    yield from _with_symbols(plain)
    decoded = plain
    for _ in range(_ROUNDS):
        following = _decoded(decoded)
        if following.text == decoded.text:
            return
        decoded = following
        yield decoded
        yield from _with_symbols(decoded)


def _with_symbols(reading: Reading) -> Iterator[Reading]:
    """Its symbols as letters: all, each kind alone, and, where there are few kinds, all but one."""
    letters = symbol_letters()
    present = sorted(set(reading.text) & letters.keys())
    chosen = {frozenset(present)} | {frozenset([kind]) for kind in present}
    if len(present) <= _FEW_KINDS:
        chosen |= {frozenset(present) - {kind} for kind in present}
    text = _symbol().sub(lambda match: match[0] if _may_be_letter(match) else " ", reading.text)
    for kinds in sorted(chosen - {frozenset()}, key=sorted):
        yield Reading(text.translate({ord(kind): letters[kind] for kind in kinds}), reading.starts, reading.ends)


def _may_be_letter(match: re.Match[str]) -> bool:
    """No only for what commonly divides or ends words (| + !): it must touch a word, an exclamation mark the word after
    it, or stand beside a single letter ("t e l ! a")."""
    if match[0] not in _DIVIDERS:
        return True
    text, place = match.string, match.start()
    before, after = _seen(text[max(0, place - _NEAR) : place]), _seen(text[place + 1 : place + _NEAR])
    if _is_of_word(after[:1]):
        return True
    if _is_of_word(before[-1:]):
        return match[0] not in _EXCLAMATIONS or _SINGLE_AFTER.match(after) is not None
    return _SINGLE_AFTER.match(after) is not None or _SINGLE_BEFORE.search(before) is not None


def _seen(text: str) -> str:
    """A text without what is invisible."""
    return (
        text
        if text.isprintable() and text.isascii()
        else "".join(c for c in text if c.isalnum() or not is_invisible(c))
    )


def _is_of_word(char: str) -> bool:
    return bool(char) and (char in symbol_letters() or letters_of(char) != "")


def _decoded(reading: Reading) -> Reading:
    """One round of escapes replaced by the characters that they mean."""
    text, position = reading.text, 0
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in [*_ESCAPE.finditer(text), None]:
        start = match.start() if match else len(text)
        parts.append(text[position:start])
        starts.extend(reading.starts[position:start])
        ends.extend(reading.ends[position:start])
        if match is None:
            break
        position = match.end()
        for char, first, last in _meant(match[0]):
            parts.append(char)
            starts.append(reading.starts[start + first])
            ends.append(reading.ends[start + last - 1])
    return Reading("".join(parts), starts, ends)


def _meant(escape: str) -> list[tuple[str, int, int]]:
    """The characters of an escape, each with its place in it; a tag of HTML means none, what cannot be read means itself."""
    if escape.startswith("<"):
        return []
    if escape.startswith("%") and escape[1] not in "uU":
        return _bytes_meant(escape)
    if ord(escape[0]) in _TAGS:
        char = chr(ord(escape[0]) - 0xE0000)
    elif escape.startswith("&"):
        char = html.unescape(escape if escape.endswith(";") else escape + ";")
    else:
        number = int(re.sub(r"[^0-9a-fA-F]", "", escape[2:]), 16)
        char = chr(number) if number <= 0x10FFFF else escape
    return [(each, 0, len(escape)) for each in char] if char != escape else _itself(escape)


def _bytes_meant(escape: str) -> list[tuple[str, int, int]]:
    """Percent-encoded UTF-8; a byte that is none stays as half a character, which no letter is."""
    places: list[tuple[str, int, int]] = []
    position = 0
    for char in bytes.fromhex(escape.replace("%", "")).decode(errors="surrogateescape"):
        size = 3 * len(char.encode(errors="surrogateescape"))
        places.append((char, position, position + size))
        position += size
    return places


def _itself(escape: str) -> list[tuple[str, int, int]]:
    return [(char, index, index + 1) for index, char in enumerate(escape)]


@cache
def _symbol() -> re.Pattern[str]:
    return re.compile(f"[{re.escape(''.join(sorted(symbol_letters())))}]")


@cache
def _unusual() -> re.Pattern[str]:
    """Anything that gives a text a second reading."""
    return re.compile(f"[{_ESCAPE_STARTS}{re.escape(''.join(sorted(symbol_letters())))}]")
