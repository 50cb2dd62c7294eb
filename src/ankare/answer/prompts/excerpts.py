"""Which sentences of a chunk does a model get to see, where not all of it fits?

Whole sentences only, in their order: those that share most words with what it is about, the earlier ones first among equals.
A cut inside a sentence could turn its meaning round. Where sentences are left out between two, "[...]" stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ankare.answer.prompts.fence import PromptChunk
from ankare.language.languages import LANGUAGE_CODES, get_language

GAP = "[...]"
_ITEM = re.compile(r"(?:[•▪●◦‣*–—-]|\d{1,3}[.)]|\w\))\s")
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
    leads = _leads(text, spans)
    wanted = set(analysis.index_terms(about))
    shared = [len(wanted.intersection(analysis.index_terms(text[start:end]))) for start, end in spans]
    chosen: set[int] = set()
    left = most - len(_GAP_LINE)
    for number in sorted(range(len(spans)), key=lambda place: (-shared[place], place)):
        more = {number, leads[number]} - chosen
        needed = sum(spans[place][1] - spans[place][0] + len(_GAP_LINE) for place in more)
        if needed <= left:
            chosen |= more
            left -= needed
    return _joined(text, spans, sorted(chosen))


def _leads(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Per list item the sentence that leads into the list ("Not included:"), without which it would say something else; for
    any other sentence itself."""
    leads: list[int] = []
    lead = 0
    for number, (start, end) in enumerate(spans):
        if not _ITEM.match(text, start, end):
            lead = number
        leads.append(lead)
    return leads


def _joined(text: str, spans: Sequence[tuple[int, int]], chosen: Sequence[int]) -> str:
    """The chosen sentences with what stands between neighbours, and a mark where some are missing."""
    pieces: list[str] = []
    before = -1
    for number in [*chosen, len(spans)] if chosen else ():
        start, end = spans[number] if number < len(spans) else (len(text), len(text))
        between = text[spans[before][1] if before >= 0 else 0 : start]
        if number == before + 1:
            pieces.append(between)
        else:
            pieces.append(_GAP_LINE if "\n" in between else f" {GAP} ")
        pieces.append(text[start:end])
        before = number
    return "".join(pieces).strip()
