"""What does the rerank look at in a chunk?

A `ChunkView` holds, per term, the sentences it stands in as the bits of one integer. How well the words of a question
come together in one sentence is then a handful of integer operations, and sixty candidates take a fraction of a
millisecond.
"""

from __future__ import annotations

from ankare.domain.document import Chunk
from ankare.domain.question import QuestionType
from ankare.index.terms import source_words
from ankare.language.protocol import Language
from ankare.retrieve.forms import form_mask


class ChunkView:
    """A chunk as the rerank sees it. Never changes, save that form masks are worked out when they are first asked for.

    `masks`: per body term, bit i is set where it stands in sentence i. `heading`: terms of the section path, `source`: of
    title and file name.
    """

    __slots__ = ("_forms", "chunk", "heading", "masks", "source")

    def __init__(self, chunk: Chunk, language: Language) -> None:
        """A view of a chunk whose sentences carry their terms."""
        masks: dict[str, int] = {}
        bit = 1
        for sentence in chunk.sentences:
            for term in sentence.terms:
                masks[term] = masks.get(term, 0) | bit
            bit <<= 1
        self.chunk = chunk
        self.masks = masks
        self.heading = frozenset(language.index_terms(" \n".join(chunk.section)))
        self.source = frozenset(language.index_terms(f"{chunk.title} \n{source_words(chunk.source)}"))
        self._forms: dict[QuestionType, int] = {}

    def form(self, question_type: QuestionType, language: Language) -> int:
        """Bit i is set where sentence i has the form that a question of this type asks for."""
        mask = self._forms.get(question_type)
        if mask is None:
            mask = self._forms[question_type] = form_mask(self.chunk, question_type, language)
        return mask
