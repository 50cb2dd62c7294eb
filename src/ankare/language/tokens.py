"""What are the words of a text, and where do they stand?

A word is a run of letters and digits with inner joiners: hyphen, apostrophe, point and colon between word characters
("IT-miljö", "3.2", "EU:s", "kap.3"), decimal comma and thin spaces within numbers ("12,5", "1 200 000"). Chinese,
Japanese and Korean characters come as runs of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ankare.language.protocol import Token

INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufffe"
CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff"
_LETTER = rf"[^\W_{CJK}{INVISIBLE}]"
_MARK = rf"[\u0300-\u036f{INVISIBLE}]"
_RUN = rf"{_LETTER}+(?:{_MARK}+{_LETTER}*)*"
_GROUPED = r"(?<![^\W_])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:,\d+)?(?![^\W_])"
WORD = re.compile(rf"{_GROUPED}|{_RUN}(?:(?:[-\u2010\u2011'\u2019:.&/]|(?<=\d),(?=\d)){_RUN})*|[{CJK}]+")
_SLASH = re.compile(r"[/&]|(?<=[^\W\d_]{3})\.(?=[^\W\d_]{3})")
_GROUP = re.compile(r"\d[ \u00a0\u202f]\d")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_HYPHENS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2019": "'"})
_SPACES = re.compile("[ \u00a0\u202f]")


def tokenize(text: str) -> list[Token]:
    """The words of a text, in order; `token.text == text[token.start:token.end]`."""
    return list(_tokens(text))


def norms(text: str) -> list[str]:
    """The words of a text as they are compared, in order: `token.norm` of each."""
    if _SLASH.search(text) or _GROUP.search(text):
        return [token.norm for token in tokenize(text)]
    return [normalize(word) for word in WORD.findall(text)]


def normalize(word: str) -> str:
    """A word as it is compared: NFKC (full width becomes half width), case-folded, without soft hyphens and zero widths."""
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", word)).casefold()
    return unicodedata.normalize("NFC", folded).translate(_HYPHENS)


def _tokens(text: str) -> Iterator[Token]:
    for match in WORD.finditer(text):
        start, end = match.span()
        if _SPACES.search(match[0]):
            yield Token(text[start:end], start, end, _SPACES.sub("", text[start:end]))
        elif _SLASH.search(match[0]):
            yield from _split(text, start, end)
        else:
            yield Token(text[start:end], start, end, normalize(match[0]))


def _split(text: str, start: int, end: int) -> Iterator[Token]:
    """The words of `och/eller`, `A&B` and of a sentence end without a space ("slut.Början")."""
    position = start
    for separator in [*_SLASH.finditer(text, start, end), None]:
        stop = separator.start() if separator else end
        if stop > position:
            yield Token(text[position:stop], position, stop, normalize(text[position:stop]))
        position = separator.end() if separator else end
