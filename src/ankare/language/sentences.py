"""Where do the sentences of a text begin and end?

A sentence ends at a full stop, question or exclamation mark or ellipsis that is followed by a break and something that
can open a sentence, at 。！？, and at a line break that ends a paragraph or list line. Abbreviations, ordinals
("den 3. maj"), initials, numbers and section numbers do not end one.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from ankare.language.tokens import normalize

_CLOSERS = "\"'”’»)\\]”“"
_END = re.compile(
    rf"(?P<cjk>[。！？]+[”’」』）]*)|(?P<mark>[.!?…]+)(?P<close>[{_CLOSERS}]*)(?=\s|$)"
    r"|(?P<lines>\n[ \t]*(?:\n\s*)+)|(?P<line>\n)"
)
_OPENER = re.compile(r"\s*[\"'“”„»«(\[–—•*\-]*\s*(?P<char>\S)")
_BULLET = re.compile(r"[ \t]*(?:[•▪●◦‣*–—-]|\d{1,2}[.)]|[a-zåäö]\))[ \t]+\S")
_LAST_WORD = re.compile(r"[^\s(\[\"“”»]+$")
_ITEM_NUMBER = re.compile(r"(?:^|\n)[ \t]*(?:\d+(?:\.\d+)*|[a-zA-Z])\.$")


def sentence_spans(
    text: str, abbreviations: AbstractSet[str], ordinal_followers: AbstractSet[str]
) -> list[tuple[int, int]]:
    """Sentence spans (start, end) without outer white space; they cover all text that is not white space.

    `abbreviations` are case-folded with their points ("t.ex."); `ordinal_followers` are words before which "3." counts
    as an ordinal (months and the like).
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if _ends_sentence(text, start, match, abbreviations, ordinal_followers):
            _add(spans, text, start, match.end())
            start = match.end()
    _add(spans, text, start, len(text))
    return spans


def _ends_sentence(
    text: str, start: int, match: re.Match[str], abbreviations: AbstractSet[str], ordinal_followers: AbstractSet[str]
) -> bool:
    if match["cjk"] or match["lines"]:
        return True
    if match["line"]:
        return _BULLET.match(text, match.end()) is not None
    opener = _OPENER.match(text, match.end())
    if opener is None:
        return True
    if not match["mark"].startswith("."):
        return (match["mark"] != "…" and not opener["char"].islower()) or opener["char"].isupper()
    if match["mark"] in ("..", "..."):
        return opener["char"].isupper()
    return _full_stop_ends(text, start, match, opener, abbreviations, ordinal_followers)


def _full_stop_ends(
    text: str,
    start: int,
    match: re.Match[str],
    opener: re.Match[str],
    abbreviations: AbstractSet[str],
    ordinal_followers: AbstractSet[str],
) -> bool:
    stop = match.start("mark") + 1
    word_match = _LAST_WORD.search(text, start, stop)
    word = normalize(word_match[0]) if word_match else "."
    following = normalize(re.split(r"\W", text[opener.start("char") :][:30], maxsplit=1)[0])
    if opener["char"].islower():
        return False
    if word in abbreviations:
        return _may_close(word, text, match)
    bare = word[:-1]
    if bare.isdecimal() and (following in ordinal_followers or _ITEM_NUMBER.search(text[start:stop])):
        return False
    if len(bare) == 1 and bare.isalpha():
        return False
    return not _ITEM_NUMBER.search(text[start:stop].lstrip())


def _may_close(word: str, text: str, match: re.Match[str]) -> bool:
    """Abbreviations that end lists ("m.m.", "osv.", "etc.") may end a sentence too: they do before a capital letter."""
    return word in ("m.m.", "m.fl.", "osv.", "etc.", "o.d.", "o.s.v.") and bool(match["mark"])


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + len(piece) - len(piece.lstrip())
        spans.append((first, first + len(stripped)))
