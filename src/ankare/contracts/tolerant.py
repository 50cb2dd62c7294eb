"""Which JSON object starts here, when a model wrote it?

Tolerant in form: trailing commas, comments, single and typographic quotes, line breaks inside strings, `None`, `NaN`, keys in
another case. Never in meaning: an object that does not close is truncated, one that repeats a key with another value says two
things, and neither is repaired. Each character is looked at once, and nesting is bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 24
"""Brackets within brackets; the contracts need three."""
MAX_DIGITS = 40

_SPACE = re.compile(r"[\s\ufeff\u200b]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")
_CUT_NUMBER = re.compile(r"[-+0-9.eE]+\Z")
_WORD = re.compile(r"-?[A-Za-z]+")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_SPOKEN: dict[str, Any] = {
    "True": True,
    "False": False,
    "None": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
_CLOSERS = {'"': '"', "'": "'", **dict.fromkeys("“”„‟", "“”‟"), **dict.fromkeys("‘’‚‛", "‘’‛")}
_PLAIN = {closers: re.compile(rf"[^\\{closers}]*") for closers in set(_CLOSERS.values())}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "'": "'"}
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_CONTROL = re.compile(r"[\x00-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LOW = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")


class TruncatedError(Exception):
    """The text ends inside what was begun."""


class MalformedError(Exception):
    """This is no JSON. `position`: how far it was read; `begun`: a key and its colon stood there, so it was meant as an
    object; `reason`: "invalid_json", "too_deep" or "duplicate_key"."""

    def __init__(self, position: int, reason: str = "invalid_json", *, begun: bool = False) -> None:
        super().__init__(reason)
        self.position = position
        self.reason = reason
        self.begun = begun


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value, where it ends, and what had to be read through."""

    value: Any
    end: int
    repaired: tuple[str, ...]


def parse_object(text: str, start: int) -> Parsed:
    """The object that begins with the brace at `start`. Raises TruncatedError and MalformedError."""
    parser = _Parser(text)
    value, end = parser.object(start, 1)
    return Parsed(value, end, tuple(sorted(parser.repaired)))


def parse_string(text: str, start: int) -> Parsed:
    """The string that begins with the quote at `start`. Raises TruncatedError and MalformedError."""
    parser = _Parser(text)
    value, end = parser.string(start)
    return Parsed(value, end, tuple(sorted(parser.repaired)))


class _Parser:
    """Reads one value; each method takes a position and gives the value with the position after it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.repaired: set[str] = set()
        self.begun = False

    def object(self, start: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self.space(start + 1)
        while self.char(at) != "}":
            key, at = self.key(at)
            value, at = self.value(self.space(at), depth + 1)
            self.add(found, key, value, at)
            at = self.after_item(at, "}")
        return found, at + 1

    def array(self, start: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self.space(start + 1)
        while self.char(at) != "]":
            value, at = self.value(at, depth + 1)
            found.append(value)
            at = self.after_item(at, "]")
        return found, at + 1

    def key(self, at: int) -> tuple[str, int]:
        if self.char(at) not in _CLOSERS:
            raise self.malformed(at)
        written, after = self.string(at)
        colon = self.space(after)
        if self.char(colon) != ":":
            raise self.malformed(colon)
        self.begun = True
        key = re.sub(r"[\s-]+", "_", written.strip()).casefold()
        if key != written:
            self.repaired.add("key_spelling")
        return key, colon + 1

    def add(self, found: dict[str, Any], key: str, value: Any, at: int) -> None:
        if key in found:
            if type(found[key]) is not type(value) or found[key] != value:
                raise self.malformed(at, "duplicate_key")
            self.repaired.add("duplicate_key")
        found[key] = value

    def after_item(self, at: int, closer: str) -> int:
        """The position of the next item, or of the bracket that closes."""
        at = self.space(at)
        if self.char(at) == closer:
            return at
        if self.char(at) != ",":
            raise self.malformed(at)
        following = self.space(at + 1)
        if self.char(following) == closer:
            self.repaired.add("trailing_comma")
        return following

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        first = self.char(at)
        if first in "{[":
            if depth > MAX_DEPTH:
                raise self.malformed(at, "too_deep")
            return self.object(at, depth) if first == "{" else self.array(at, depth)
        if first in _CLOSERS:
            return self.string(at)
        if _CUT_NUMBER.match(self.text, at):
            raise TruncatedError
        number = _NUMBER.match(self.text, at)
        return self.number(number) if number else self.word(at)

    def number(self, found: re.Match[str]) -> tuple[Any, int]:
        written = found[0]
        if len(written) > MAX_DIGITS:
            raise self.malformed(found.start())
        return (int(written) if written.lstrip("-").isdecimal() else float(written)), found.end()

    def word(self, at: int) -> tuple[Any, int]:
        found = _WORD.match(self.text, at)
        if found is None:
            raise self.malformed(at)
        if found.end() == len(self.text):
            raise TruncatedError
        if found[0] in _WORDS:
            return _WORDS[found[0]], found.end()
        if found[0] not in _SPOKEN:
            raise self.malformed(at)
        self.repaired.add("word")
        return _SPOKEN[found[0]], found.end()

    def string(self, at: int) -> tuple[str, int]:
        closers = _CLOSERS[self.text[at]]
        if closers != '"':
            self.repaired.add("quotes")
        plain = _PLAIN[closers]
        pieces: list[str] = []
        at += 1
        while True:
            run = plain.match(self.text, at)
            at = run.end() if run else at
            pieces.append(run[0] if run else "")
            if self.char(at) != "\\":
                break
            piece, at = self.escape(at + 1)
            pieces.append(piece)
        if any(map(_CONTROL.search, pieces[::2])):
            self.repaired.add("control_characters")
        return _SURROGATE.sub("\ufffd", "".join(pieces)), at + 1

    def escape(self, at: int) -> tuple[str, int]:
        letter = self.char(at)
        if letter == "u":
            return self.code_unit(at + 1)
        if letter in _ESCAPES:
            return _ESCAPES[letter], at + 1
        self.repaired.add("escape")
        return "\\" + letter, at + 1

    def code_unit(self, at: int) -> tuple[str, int]:
        if at + 4 > len(self.text):
            raise TruncatedError
        found = _HEX.match(self.text, at)
        if found is None:
            raise self.malformed(at)
        unit = int(found[0], 16)
        low = _LOW.match(self.text, at + 4) if 0xD800 <= unit < 0xDC00 else None
        if low is not None:
            return chr(0x10000 + ((unit - 0xD800) << 10) + int(low[1], 16) - 0xDC00), low.end()
        return chr(unit), at + 4

    def space(self, at: int) -> int:
        """The position after white space and comments."""
        while True:
            run = _SPACE.match(self.text, at)
            at = run.end() if run else at
            if self.text.startswith("/*", at):
                at = self.after("*/", at + 2)
            elif self.text.startswith("//", at):
                at = self.after("\n", at + 2)
            else:
                return at

    def after(self, mark: str, at: int) -> int:
        end = self.text.find(mark, at)
        if end < 0:
            raise TruncatedError
        self.repaired.add("comment")
        return end + len(mark)

    def char(self, at: int) -> str:
        if at >= len(self.text):
            raise TruncatedError
        return self.text[at]

    def malformed(self, at: int, reason: str = "invalid_json") -> MalformedError:
        return MalformedError(at, reason, begun=self.begun)
