"""What is the document called?"""

from __future__ import annotations

import re
from pathlib import Path

from ankare.domain.document import Block, BlockKind
from ankare.ingest.pdf.artefacts import title_key

_PRODUCER = re.compile(r"^(?:microsoft|libreoffice|openoffice|powerpoint)\b", re.I)
_SUFFIX = re.compile(r"\.(?:docx?|pptx?|xlsx?|odt|odp|pdf|rtf|indd|tex|dvi|qxd)$", re.I)
_WORDS = re.compile(r"[^\W\d_]{3,}")
MAX_TITLE = 120


def title_of(metadata: str, path: Path, blocks: list[Block], furniture: list[str]) -> str:
    """The title from the metadata where the pages or the file name bear it out, else from page 1, else the file name."""
    stated = " ".join(_SUFFIX.sub("", metadata.strip()).replace("_", " ").split())
    named = " ".join(_SUFFIX.sub("", path.name).replace("_", " ").split())
    first = [block.text for block in blocks if block.pieces and block.pieces[0].page == 1]
    if stated and len(stated) <= MAX_TITLE and not _PRODUCER.match(stated):
        seen = title_key(" ".join([*furniture, *first]))
        if title_key(stated) in seen:
            return stated
    for text in furniture:
        if _alike(text, named):
            return text
    for block in blocks[:6]:
        plain = not block.text[:1].isdigit() and len(block.text) <= MAX_TITLE
        if block.kind is BlockKind.HEADING and block.level == 1 and plain:
            return block.text
    return named or path.name


def _alike(text: str, named: str) -> bool:
    """Does a running header say what the file name says?"""
    words = {word.casefold() for word in _WORDS.findall(text)}
    return bool(words) and len(text) <= MAX_TITLE and words <= {word.casefold() for word in _WORDS.findall(named)}
