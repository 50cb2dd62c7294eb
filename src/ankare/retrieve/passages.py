"""Which pieces of a chunk are embedded?

Two kinds. Passages are what is searched: the chunk, in overlapping windows of whole sentences that fit the model, each
with its headings in front, since a section often only names its subject there. Sentences are what tells which of a
found chunk's sentences the question means.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ankare.domain.document import Chunk

TokenCount = Callable[[str], int]

WINDOW_TOKENS = 256
"""How long a passage may be, headings left aside. Shorter ones blur less; see `benchmarks/retrieval_pdfs.py`."""

OVERLAP_SENTENCES = 1
HEADING_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Pieces:
    """What to embed of one chunk. `sentences` has one text per sentence of the chunk, in order."""

    passages: tuple[str, ...]
    sentences: tuple[str, ...]


def pieces(chunk: Chunk, tokens: TokenCount, limit: int) -> Pieces:
    """The pieces of a chunk. `tokens` counts a text's tokens, `limit` is what the model reads at once."""
    heading = heading_of(chunk)
    texts = [_spaced(chunk.sentence_text(sentence)) for sentence in chunk.sentences] or [_spaced(chunk.text)]
    room = min(WINDOW_TOKENS, limit - tokens(heading) - 8)
    fitting = [piece for text in texts for piece in _fit(text, tokens, room)]
    windows = _windows(fitting, [tokens(text) for text in fitting], room)
    return Pieces(
        tuple(f"{heading}\n{window}" if heading else window for window in windows),
        tuple(_fit(text, tokens, limit - 8)[0] for text in texts) if chunk.sentences else (),
    )


@cache
def cutting() -> str:
    """A hash of this very module: what another one has cut is not taken over."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]


def heading_of(chunk: Chunk) -> str:
    """Title and section path on one line, cut where they are very long."""
    return _spaced(" – ".join(part for part in (chunk.title, *chunk.section) if part))[:HEADING_CHARACTERS]


def _windows(texts: Sequence[str], sizes: Sequence[int], room: int) -> list[str]:
    """Runs of texts of at most `room` tokens; each starts with the last of the one before, where that leaves it room."""
    windows = []
    start = 0
    while True:
        end, size = start, 0
        while end < len(texts) and (end == start or size + sizes[end] <= room):
            size += sizes[end]
            end += 1
        windows.append(" ".join(texts[start:end]))
        if end >= len(texts):
            return windows
        start = max(start + 1, end - OVERLAP_SENTENCES)


def _fit(text: str, tokens: TokenCount, room: int) -> list[str]:
    """The text in as many parts of whole words as it takes for each to fit."""
    if tokens(text) <= room:
        return [text]
    words = text.split(" ")
    if len(words) < 2:  # one endless "word": characters, of which a token holds at least one
        half = len(text) // 2
        return [*_fit(text[:half], tokens, room), *_fit(text[half:], tokens, room)] if half else [text]
    middle = len(words) // 2
    return [*_fit(" ".join(words[:middle]), tokens, room), *_fit(" ".join(words[middle:]), tokens, room)]


def _spaced(text: str) -> str:
    return " ".join(text.split())
