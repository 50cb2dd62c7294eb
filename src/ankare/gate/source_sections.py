"""Where has a model written sources into its text, and what is left without them?

The application owns the only list of sources. A heading with that word and the references under it go, in whatever spelling,
and so do marks of citations in the text. A sentence that merely uses the word stays, and so does all that follows the list.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ankare.gate.leak_words import listed, seen
from ankare.gate.references import HEX, References, is_item

_TAG = re.compile(r"</?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
_BREAK_AFTER = re.compile(r"(?:</(?:h[1-6]|li|p|div|summary)>|</?[ou]l>|<br\s?/?>)(?=[^\n])", re.IGNORECASE)
_BREAK_BEFORE = re.compile(r"(?<=[^\n])(?=<(?:h[1-6]|p|div|[ou]l)[\s>])", re.IGNORECASE)
_SOURCE_TAG = re.compile(r"<(?:h[1-6]|p|div|[ou]l|li|b|strong)[\s>]", re.IGNORECASE)
_NUMBER = re.compile(r"(?:\d{1,2}|[ivx]{1,4}|[a-z])[.)]\s+", re.IGNORECASE)
_DECORATION = frozenset(" \t\u00a0#>*_-=~|`\"'“””»«([【（{•◦▪‣·–—+:：.!/\\")
_AFTER = re.compile(r"[\s*_~`\"'“”»)\]】）}]*")
_ASIDE = re.compile(r"\s*[(（][^()（）\n]{0,60}[)）]")
_SEPARATOR = re.compile(r"[*_~\s]{0,6}(?:[:：]|\s[–—-](?=\s))[*_~\s]{0,6}")
_RULE = re.compile(r"\s{0,3}[=\-_*~]{2,}\s*")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s|\s{0,3}\*\*[^*\n]{1,100}\*\*:?\s*$")
_SPACED = re.compile(r"(?:[^\W\d_] ){3,}[^\W\d_](?!\w)")
_CUT = re.compile(r"(?<=[\w)\]][.!?])\s+(?=[A-ZÅÄÖ\u4e00-\u9fff])")
_ABBREVIATED = re.compile(r"(?:\b(?:s|sid|p|pp|kap|ch|nr|no|jfr|cf|ed|red)\.)$", re.IGNORECASE)
_LONGEST = 1000
"""Characters of a reference within a line that are looked at."""
_REFERENCE_MARK = re.compile(r"\s{0,3}(?:\[\^?(?:\d{1,3}|c\d{1,3})\]:?|[¹²³⁴-⁹]{1,3})\s")
_LABEL = re.compile(r"[\s*_(\[-]{0,6}[^\W\d][\w -]{0,30}[*_]{0,2}[:：]")
_NUMBERED_MARK = r"\^?[1-9]\d{0,2}(?:†[^\]】\n]{0,60})?"


@dataclass(frozen=True, slots=True)
class Stripped:
    """The text without sources, and what was cut out."""

    text: str
    removed: tuple[str, ...]


def strip_sources(text: str, languages: Sequence[str]) -> Stripped:
    """Cut out every list of sources and every mark of a citation. A text without any comes back as it is."""
    return _cutter(tuple(languages)).cut(text)


@cache
def _cutter(languages: tuple[str, ...]) -> _Cutter:
    return _Cutter(languages)


class _Cutter:
    def __init__(self, languages: tuple[str, ...]) -> None:
        self._references = References(languages)
        words = listed("sources", languages)
        self._first = tuple(sorted(words, key=len, reverse=True))
        named = "|".join(map(re.escape, self._first))
        self._word = re.compile(rf"(?<!\w)(?:{named})(?!\w)")
        pointers = "|".join(map(re.escape, listed("pointers", languages)))
        self._inline = re.compile(
            rf"(?:(?<=[.!?…。！？)\]\"”*])\s*|\s[–—-]\s|;\s)[*_(\[]{{0,3}}(?:{named})[*_]{{0,2}}(?:\s?[:：]|(?=\s[\[(]?(?:c\d|\d{{1,3}}[\],;])))",
            re.IGNORECASE,
        )
        self._aside = re.compile(
            rf"\s?[(（\[【]\s?(?:(?:{pointers})\s)?(?:{named})(?!\w)(?P<colon>\s?[:：])?(?P<rest>[^()（）\[\]【】\n]{{0,300}})[)）\]】]",
            re.IGNORECASE,
        )
        self._brackets = re.compile(
            r"\s?(?P<open>[(（\[【［])(?P<inside>[^()（）\[\]【】［］\n]{1,200})[)）\]】］](?!\()"
        )
        self._marks = re.compile(
            rf"\s*(?:{_NUMBERED_MARK}|c\d{{1,3}}|{HEX})(?:\s*[,;–-]\s*(?:{_NUMBERED_MARK}|c\d{{1,3}}|{HEX}))*\s*"
        )

    def cut(self, text: str) -> Stripped:
        removed: list[str] = []
        lines = self._without_sections(_broken_at_tags(text).split("\n"), removed)
        cut = [self._without_marks(line, removed) for line in lines]
        if not removed:
            return Stripped(text, ())
        return Stripped(re.sub(r"\n{3,}", "\n\n", "\n".join(cut)).strip(), tuple(removed))

    def _without_sections(self, lines: list[str], removed: list[str]) -> list[str]:
        kept: list[str] = []
        at = 0
        while at < len(lines):
            end = self._section_end(lines, at)
            if end > at:
                removed.append("\n".join(lines[at:end]).strip())
                at = end
                continue
            kept.append(self._without_tail(lines[at], removed))
            at += 1
        return kept

    def _section_end(self, lines: list[str], at: int) -> int:
        """Where the list of sources that begins in this line ends; `at` where none does."""
        if not lines[at].strip():
            return at
        rest = self._after_heading(lines[at])
        if rest is None:
            return (
                self._lone_reference_end(lines, at)
                if not self._announces(lines, at)
                else self._entries_end(lines, at + 1)
            )
        if rest:
            is_list = not self._references.says_something(rest) or self._references.names_source(rest)
            return self._entries_end(lines, at + 1, sure=True) if is_list else at
        if self._is_among_items(lines, at):
            return at
        following = at + 1
        if following < len(lines) and lines[following].strip() and _RULE.fullmatch(lines[following]):
            following += 1
        return self._entries_end(lines, following)

    def _after_heading(self, line: str) -> str | None:
        """What follows a heading for sources in its line, "" where nothing does; None for a line that is no such heading."""
        bare = _undecorated(_TAG.sub(" ", seen(line[:_LONGEST])))
        small = _together(bare).casefold()
        word = next((word for word in self._first if small.startswith(word)), None)
        if word is None:
            return None
        rest = _together(bare)[len(word) :]
        if rest[:1].isalnum() and not "\u4e00" <= word[0] <= "\u9fff":
            return None
        separator = _SEPARATOR.match(_ASIDE.sub("", rest, count=1) if _ASIDE.match(rest) else rest)
        rest = _ASIDE.sub("", rest, count=1) if _ASIDE.match(rest) else rest
        said = _undecorated(rest[separator.end() :] if separator else rest).rstrip("".join(_DECORATION))
        if not _says(said):
            return ""
        named = self._references.names_source(said) and not self._references.says_something(said)
        return said if separator or named else None

    def _is_among_items(self, lines: list[str], at: int) -> bool:
        """Is the line an item between items of its own kind, so that the word is one of the things that are listed?"""
        if not is_item(lines[at]) or lines[at].rstrip("*_ ").endswith((":", "：")):
            return False
        before = lines[at - 1] if at else ""
        after = lines[at + 1] if at + 1 < len(lines) else ""
        if self._references.names_source(after):
            return False
        return (is_item(before) and _indent(before) == _indent(lines[at])) or (
            is_item(after) and _kind(after) == _kind(lines[at])
        )

    def _entries_end(self, lines: list[str], at: int, *, sure: bool = False) -> int:
        """The line after the last reference from here on. `sure`: only what names a source counts."""
        end, gap = at, False
        for place in range(at, len(lines)):
            line = _TAG.sub(" ", lines[place]).strip()
            if not line:
                gap = gap or (not lines[place].strip() and end > at)
                end = place + 1 if lines[place].strip() else end
                continue
            if not self._is_entry(lines[place], line, sure=sure or gap):
                break
            end = place + 1
        return end

    def _is_entry(self, raw: str, line: str, *, sure: bool) -> bool:
        if _HEADING.match(raw) or self._after_heading(raw) is not None:
            return False
        points = self._references.points(line)
        if self._references.says_something(line):
            return (
                points
                and (is_item(raw) or "<li" in raw.lower())
                and not (sure and not self._references.names_source(line))
            )
        return points or not sure

    def _announces(self, lines: list[str], at: int) -> bool:
        """Does the line lead up to a list or table of sources: "Svaret bygger på följande källor:", "| Källa | Sida |"?"""
        line = lines[at][:_LONGEST]
        is_row = line.count("|") > 1
        if not is_row and not line.rstrip("*_ ").endswith((":", "：")):
            return False
        if self._word.search(line.casefold()) is None or self._references.names_source(line):
            return False
        following = (line for line in lines[at + 1 : at + 4] if _says(line))
        return self._references.names_source(next(following, ""))

    def _lone_reference_end(self, lines: list[str], at: int) -> int:
        """A line as "[1] Handbok.pdf, s. 5", "¹ Handbok.pdf" or "Underlag: c1, c2" is a reference also without a heading."""
        line = lines[at][:_LONGEST]
        opens = _REFERENCE_MARK.match(line)
        if opens is not None:
            line = line[opens.end() :]
            return at if self._references.says_something(line) or not self._references.points(line) else at + 1
        labelled = _LABEL.match(line)
        return at + 1 if self._references.only_points(line[labelled.end() :] if labelled else line) else at

    def _without_tail(self, line: str, removed: list[str]) -> str:
        """The line without "Källa: ..." behind its sentences; sentences behind that stay."""
        kept: list[str] = []
        done = at = 0
        while (found := self._inline.search(line, at)) is not None:
            at = found.end() + self._reference_length(line[found.end() : found.end() + _LONGEST])
            if at > found.end():
                removed.append(line[found.start() : at].strip())
                kept.append(line[done : found.start()].rstrip())
                done = at
        return "".join([*kept, line[done:]])

    def _reference_length(self, text: str) -> int:
        """How many characters from the start on are references."""
        length = 0
        for piece in _pieces(text):
            if self._references.says_something(piece) and not self._references.names_source(piece):
                break
            if length and not self._references.points(piece):
                break
            length += len(piece)
        return length

    def _without_marks(self, line: str, removed: list[str]) -> str:
        """The line without citations in brackets."""
        if not any(bracket in line for bracket in "([（【［"):
            return line

        def drop(match: re.Match[str], *, is_mark: bool) -> str:
            if not is_mark:
                return match[0]
            removed.append(match[0].strip())
            return ""

        before = len(removed)
        line = self._aside.sub(lambda m: drop(m, is_mark=self._is_aside(m)), line)
        line = self._brackets.sub(lambda m: drop(m, is_mark=self._is_mark(m)), line)
        if len(removed) == before:
            return line
        return self._aside.sub(lambda m: drop(m, is_mark=self._is_aside(m) or not _says(m["rest"])), line)

    def _is_aside(self, match: re.Match[str]) -> bool:
        rest = match["rest"]
        if match["colon"]:
            return not self._references.says_something(rest) or self._references.names_source(rest)
        return self._references.points(rest) or bool(re.fullmatch(r"\s?\d{1,3}", rest))

    def _is_mark(self, match: re.Match[str]) -> bool:
        inside = match["inside"]
        if match["open"] in "([（":
            return self._references.only_points(inside) or (
                match["open"] == "[" and self._marks.fullmatch(inside) is not None
            )
        return self._marks.fullmatch(inside) is not None or self._references.points(inside)


def _broken_at_tags(text: str) -> str:
    """HTML on one line as lines, so that a heading stands alone."""
    if not _SOURCE_TAG.search(text):
        return text
    return _BREAK_BEFORE.sub("\n", _BREAK_AFTER.sub(lambda match: match[0] + "\n", text))


def _undecorated(line: str) -> str:
    """The line from its first word on: without marks of headings and lists, numbers, emoji."""
    line = line.lstrip()
    for _ in range(4):
        start = 0
        while start < len(line) and (line[start] in _DECORATION or unicodedata.category(line[start])[0] in "SCM"):
            start += 1
        line = line[start:]
        number = _NUMBER.match(line)
        if number is None:
            break
        line = line[number.end() :]
    return line


def _together(line: str) -> str:
    """A word that is written with spaces between its letters, without them."""
    spaced = _SPACED.match(line)
    return spaced[0].replace(" ", "") + line[spaced.end() :] if spaced else line


def _says(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _pieces(text: str) -> Iterator[str]:
    """The text cut where a sentence ends; an abbreviation ends none."""
    start = 0
    for cut in _CUT.finditer(text):
        if not _ABBREVIATED.search(text, max(0, cut.start() - 6), cut.start()):
            yield text[start : cut.start()]
            start = cut.start()
    yield text[start:]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _kind(line: str) -> tuple[int, bool]:
    """Items of one list share it: how far in, and numbered or not."""
    return _indent(line), line.lstrip()[:1].isdecimal()
