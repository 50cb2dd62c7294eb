"""Which words give the machine away, and how is a text looked at to find them behind a disguise?

The lists are `packs/*/leakage.toml`: "und" holds what is the same in every language.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from urllib.parse import unquote

from ankare.language.lookalikes import is_invisible, letters_of
from ankare.language.packs import named_lists

OPEN = r"(?<![^\W\u2e80-\u9fff])"
"""No letter or digit before this; a Chinese character is no hindrance, for it is written without spaces."""
CLOSE = r"(?![^\W\u2e80-\u9fff])"
_ENCODED = re.compile(r"%[0-9a-f]{2}", re.IGNORECASE)
_REMEMBERED = 50_000


@cache
def listed(name: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The entries of a list in the packs of these languages, each once."""
    return tuple(dict.fromkeys(entry for code in languages for entry in named_lists(code, "leakage")[name]))


@cache
def whole(entries: tuple[str, ...]) -> re.Pattern[str] | None:
    """A pattern for any of the case-folded entries as whole words, longest first; None without any. A Chinese entry, or one
    that ends in a mark, may stand anywhere."""
    ordered = sorted(set(entries), key=lambda entry: (-len(entry), entry))
    bounded = [OPEN + re.escape(entry) + CLOSE if _spaced(entry) else re.escape(entry) for entry in ordered]
    return re.compile("|".join(bounded)) if bounded else None


def seen(text: str) -> str:
    """The text as a reader sees it: without what is invisible, wide and styled letters plain, letters of other alphabets as
    the Latin ones that they look like."""
    return unicodedata.normalize("NFC", text).translate(_SEEN)


def decoded(text: str) -> str:
    """The text with percent-encoding undone, twice at most."""
    for _ in range(2):
        if not _ENCODED.search(text):
            return text
        text = unquote(text)
    return text


class _Seen(dict[int, str | None]):
    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        shown = char if char.isspace() else None if is_invisible(char) else _plain(char)
        if len(self) < _REMEMBERED:
            self[code] = shown
        return shown


_SEEN = _Seen()


def _plain(char: str) -> str:
    plain = unicodedata.normalize("NFKC", char)
    if plain.isascii() or unicodedata.category(char)[0] != "L" or "LATIN" in unicodedata.name(plain[0], ""):
        return plain
    return letters_of(char) or plain


def _spaced(entry: str) -> bool:
    return entry[-1:].isalnum() and not "\u3000" <= entry[-1] <= "\u9fff" and not "\u3000" <= entry[0] <= "\u9fff"
