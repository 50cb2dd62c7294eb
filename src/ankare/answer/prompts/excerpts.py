"""Which sentences of a chunk does a model get to see, where not all of it fits?

Whole sentences only, in their order: those that share most words with what it is about, the earlier ones first among equals.
A cut inside a sentence could turn its meaning round. Where sentences are left out between two, "[...]" stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ankare.answer.prompts.fence import PromptChunk
from ankare.language.languages import LANGUAGE_CODES, get_language

GAP = "[...]"
_GAP_LINE = f"\n{GAP}\n"


@dataclass(frozen=True, slots=True)
class Allowance:
    """Characters that the texts of the evidence may have: of one chunk, and of all together."""

    chunk: int
    total: int


def excerpts(chunks: Sequence[PromptChunk], about: str, allowance: Allowance, language: str) -> tuple[PromptChunk, ...]:
    """The chunks with texts that fit. The best come first and are served first; one of which no sentence fits is left out."""
    given: list[PromptChunk] = []
    left = allowance.total
    for chunk in chunks:
        code = chunk.language or language
        text = excerpt(chunk.text, about, min(allowance.chunk, left), code if code in LANGUAGE_CODES else language)
        if text:
            given.append(replace(chunk, text=text))
            left -= len(text)
    return tuple(given)


def excerpt(text: str, about: str, most: int, language: str) -> str:
    """At most `most` characters of a text, in whole sentences; empty where not one fits."""
    text = text.strip()
    if len(text) <= most:
        return text
    analysis = get_language(language)
    spans = analysis.sentences(text)
    wanted = set(analysis.index_terms(about))
    shared = [len(wanted.intersection(analysis.index_terms(text[start:end]))) for start, end in spans]
    chosen: list[int] = []
    left = most - len(_GAP_LINE)
    for number in sorted(range(len(spans)), key=lambda place: (-shared[place], place)):
        needed = spans[number][1] - spans[number][0] + len(_GAP_LINE)
        if needed <= left:
            chosen.append(number)
            left -= needed
    return _joined(text, spans, sorted(chosen))


def _joined(text: str, spans: Sequence[tuple[int, int]], chosen: Sequence[int]) -> str:
    """The chosen sentences with what stands between neighbours, and a mark where some are missing."""
    pieces: list[str] = []
    before = -1
    for number in chosen:
        between = text[spans[before][1] if before >= 0 else 0 : spans[number][0]]
        if number == before + 1:
            pieces.append(between)
        else:
            pieces.append(_GAP_LINE if "\n" in between else f" {GAP} ")
        pieces.append(text[slice(*spans[number])])
        before = number
    if chosen and before < len(spans) - 1:
        pieces.append(f" {GAP}")
    return "".join(pieces).strip()
