"""Under which terms is a chunk found?

Every backend is fed with these, so every backend ranks alike.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePosixPath

from ankare.domain.document import Chunk
from ankare.index.protocol import ChunkTerms
from ankare.language.protocol import Language

_NAME_SEPARATORS = re.compile(r"[_\W]+")


def chunk_terms(chunk: Chunk, language: Language) -> tuple[Chunk, ChunkTerms]:
    """The chunk with the terms of each sentence filled in, and its terms per field.

    The title field also holds the words of the file's name, where the title lacks them: many titles are left-overs of
    the template that the file was made from, while people name files for what they hold.
    """
    sentences = tuple(
        replace(sentence, terms=language.index_terms(chunk.sentence_text(sentence))) for sentence in chunk.sentences
    )
    body = tuple(term for sentence in sentences for term in sentence.terms)
    return (
        replace(chunk, sentences=sentences),
        ChunkTerms(title_terms(chunk, language), language.index_terms(" \n".join(chunk.section)), body),
    )


def title_terms(chunk: Chunk, language: Language) -> tuple[str, ...]:
    """Index terms of the chunk's title, then those of its file name that the title lacks."""
    title = language.index_terms(chunk.title)
    name = language.index_terms(source_words(chunk.source))
    return title + tuple(term for term in name if term not in title)


def source_words(source: str) -> str:
    """The words of a file's name, without its folders and extension: "mallar/Test_plan.pdf" -> "Test plan"."""
    return _NAME_SEPARATORS.sub(" ", PurePosixPath(source).stem).strip()
