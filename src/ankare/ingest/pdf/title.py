"""What is the document called?"""

from __future__ import annotations

import re
import unicodedata

from ankare.domain.document import Block, BlockKind

_PRODUCER = re.compile(r"^(?:microsoft|libreoffice|openoffice|powerpoint|untitled)\b", re.I)
_SUFFIX = re.compile(r"\.(?:docx?|pptx?|xlsx?|odt|odp|pdf|rtf|indd|tex|dvi|qxd)$", re.I)
_WORDS = re.compile(r"[^\W\d_]{4,}")
MAX_TITLE = 120
MAX_PARTS = 2
SHARED = 5


def title_of(metadata: str, name: str, blocks: list[Block], edges: list[str]) -> str:
    """The metadata's title where the first page and the file name bear it out (templates leave stale ones), else the
    texts of page 1 that agree with the file name, else the most prominent heading of page 1, else the file name.

    `edges`: the texts at the top and bottom of page 1, running header included, in reading order.
    """
    named = _readable(name) or name
    stated = _readable(metadata)
    first = [block for block in blocks if block.pieces and block.pieces[0].page == 1]
    headings = [block for block in first if block.kind is BlockKind.HEADING and len(block.text) <= MAX_TITLE]
    shown = _folded(" ".join([*edges, *(block.text for block in first)]))
    if _borne_out(stated, _folded(named), shown):
        return stated
    agreed = _agreed([*edges, *(block.text for block in headings)], named)
    if agreed:
        return " – ".join([agreed[0][:1].upper() + agreed[0][1:], *agreed[1:]])
    unnumbered = [block.text for block in headings if block.level == 1 and not block.text[:1].isdigit()]
    return unnumbered[0] if unnumbered else named


def _borne_out(stated: str, named: str, shown: str) -> bool:
    """Is every word of the metadata's title on page 1 or in the file name, and at least one in the file name or all of
    them together on the page?"""
    words = [_folded(word) for word in _WORDS.findall(stated)]
    if not words or len(stated) > MAX_TITLE or _PRODUCER.match(stated):
        return False
    together = _folded(stated) in shown
    return together or (all(word in shown or word in named for word in words) and any(word in named for word in words))


def _readable(name: str) -> str:
    return " ".join(_SUFFIX.sub("", name.strip()).replace("_", " ").split())


def _folded(text: str) -> str:
    """Letters only, without case and accents: file names often lack them."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text).casefold() if sign.isalpha())


def _agreed(candidates: list[str], named: str) -> list[str]:
    """The texts that have words with the file name in common: the best, and a second one if it adds to that."""
    words = [_folded(word) for word in _WORDS.findall(named)]
    wanted = set(words)
    chosen: list[tuple[int, str]] = []
    while wanted and len(chosen) < MAX_PARTS:
        scored = [
            (-sum(map(len, found)), position, text, found)
            for position, text in enumerate(candidates)
            if len(text) <= MAX_TITLE and (found := _common(text, wanted))
        ]
        if not scored or -min(scored)[0] < SHARED:
            break
        _, position, text, found = min(scored)
        chosen.append((position, text.strip(" -–:")))
        wanted -= found
    return [text for _, text in sorted(chosen)]


def _common(text: str, wanted: set[str]) -> set[str]:
    """The words of the file name that `text` has too."""
    own = [_folded(word) for word in _WORDS.findall(text)]
    return {word for word in wanted if any(_shared(word, other) for other in own)}


def _shared(a: str, b: str) -> int:
    """How many letters two words have in common from the start, if that is most of the shorter one; else 0."""
    length = 0
    for left, right in zip(a, b, strict=False):
        if left != right:
            break
        length += 1
    return length if length >= max(4, 0.8 * min(len(a), len(b))) and length >= 0.5 * max(len(a), len(b)) else 0
