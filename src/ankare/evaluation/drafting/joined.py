"""Which sections does a chunk hold whose headings stand as lines of its text?

Small sections that follow each other are joined into one chunk when documents are read. What is drafted from a heading, or from
a list below one, needs them apart again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ankare.domain.document import Chunk, Sentence, UnitKind

LONGEST_LINE = 8
_ENDS = (".", ":", "!", ";", ",", "。", "：", "…")


def sections_in(chunk: Chunk) -> Iterator[Chunk]:
    """The chunk's parts in their order, each under its own heading, which is the last of its `section`; `id` and `text` stay.

    A heading with nothing below it is passed over. A chunk that does not begin with such a line is one section: itself.
    """
    if not chunk.sentences or not _is_heading(chunk.sentences[0], chunk):
        yield chunk
        return
    heading: tuple[str, ...] = ()
    held: list[Sentence] = []
    for sentence in chunk.sentences:
        if not _is_heading(sentence, chunk):
            held.append(sentence)
            continue
        if held:
            yield replace(chunk, section=(*chunk.section, *heading), sentences=tuple(held))
        heading, held = (chunk.sentence_text(sentence),), []
    if held:
        yield replace(chunk, section=(*chunk.section, *heading), sentences=tuple(held))


def _is_heading(sentence: Sentence, chunk: Chunk) -> bool:
    """Does it stand alone on its line, short, with a capital or a number first and no sign at its end but a question mark?"""
    text = chunk.sentence_text(sentence)
    alone = chunk.text[sentence.start - 1 : sentence.start] in ("", "\n") and chunk.text[sentence.end :][:1] == "\n"
    short = len(text.split()) <= LONGEST_LINE and "\n" not in text and not text.endswith(_ENDS)
    return sentence.kind is UnitKind.SENTENCE and alone and short and (text[:1].isupper() or text[:1].isdigit())
