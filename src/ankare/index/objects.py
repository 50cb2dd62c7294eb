"""How does a read document lie on disk, so that the same content gives the same bytes everywhere?

An object is one immutable file per (document bytes, source, sidecar, versions of reader and analysis). Its name is a
hash of exactly that, so an object is never rewritten and two versions of the index can share it. Its first line is JSON
about the document, each further line is one chunk as in `ankare.index.payload`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ankare.domain.document import Chunk, Document
from ankare.index.payload import decode_terms, encode_chunk
from ankare.index.protocol import ChunkTerms
from ankare.messages.remarks import remark_from_json, remark_to_json
from ankare.regular_file import json_of

_NEWLINE = b"\n"


@dataclass(frozen=True, slots=True)
class DocumentObject:
    """One read document: what the manifest says of it, its chunks with their index terms, and its words' counts.

    `words`: the normalised words of the text. `notes` are for the person who ingests: warnings, hidden
    text left out, as remarks (`ankare.messages.remarks`).
    """

    document: Document
    chunks: tuple[tuple[Chunk, ChunkTerms], ...]
    words: Mapping[str, int]
    notes: tuple[str, ...] = ()


def object_key(*parts: str) -> str:
    """The name of an object: a hash of everything that its content depends on (32 hex digits)."""
    return hashlib.sha256(canonical_json(list(parts))).hexdigest()[:32]


def encode_object(value: DocumentObject) -> bytes:
    """Canonical bytes of an object; `decode_object` gives an equal value back."""
    notes = [remark_to_json(note) for note in value.notes]
    head = {"document": document_to_json(value.document), "words": dict(value.words), "notes": notes}
    lines = [encode_chunk(chunk, terms) + _NEWLINE for chunk, terms in value.chunks]
    return canonical_json(head) + b"".join(lines)


def decode_object(data: bytes) -> DocumentObject:
    """Read an object. Raises ValueError, KeyError, TypeError or IndexError when the bytes are not one."""
    head, *lines = data.split(_NEWLINE)
    raw = json_of(head)
    chunks = tuple(decode_terms(line) for line in lines if line)
    document = document_from_json(raw["document"])
    if len(chunks) != len(document.chunk_ids):
        raise ValueError(f"{len(chunks)} chunks of {len(document.chunk_ids)}")
    return DocumentObject(document, chunks, raw["words"], tuple(map(remark_from_json, raw["notes"])))


def decode_words(data: bytes) -> dict[str, int]:
    """Only the words of an object, without its chunks."""
    return dict(json_of(data[: data.index(_NEWLINE)])["words"])


def canonical_json(value: object) -> bytes:
    """The one way that ankare writes JSON to disk: sorted keys, no spaces, ASCII, a newline at the end."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii") + _NEWLINE


def document_to_json(document: Document) -> dict[str, Any]:
    """A document as plain JSON values. `access` is there only where there is a label."""
    return {
        "id": document.id,
        "source": document.source,
        "source_type": document.source_type,
        "sha256": document.sha256,
        "title": document.title,
        "language": document.language,
        "page_count": document.page_count,
        "pages_without_text": list(document.pages_without_text),
        "version": document.version,
        "valid_from": document.valid_from,
        "supersedes": list(document.supersedes),
        "chunk_ids": list(document.chunk_ids),
        **({"access": document.access} if document.access else {}),
    }


def document_from_json(raw: Mapping[str, Any]) -> Document:
    """The document that `document_to_json` wrote. Raises TypeError when fields are missing or unknown."""
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()}
    return Document(**values)
