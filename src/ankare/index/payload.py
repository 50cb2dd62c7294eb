"""How is a chunk kept in the index, so that a hit can be shown and judged without another store?

A compact JSON array in UTF-8. Term lists are one string, so that decoding is a split, not a hundred small objects.
"""

from __future__ import annotations

import json
import re
from sys import intern
from typing import Any

from ankare.domain.document import Box, Chunk, Place, Sentence, UnitKind
from ankare.index.protocol import ChunkTerms

_UNSAFE = re.compile(r"[\s␣]")
_ESCAPED = re.compile(r"␣([0-9a-f]+);")


def encode_chunk(chunk: Chunk, terms: ChunkTerms) -> bytes:
    """A chunk and its terms as bytes; the same chunk gives the same bytes."""
    of_sentences = tuple(term for sentence in chunk.sentences for term in sentence.terms)
    record = [
        chunk.id,
        chunk.document_id,
        chunk.source,
        chunk.source_type,
        chunk.title,
        chunk.section,
        chunk.pages,
        chunk.text,
        chunk.language,
        chunk.ordinal,
        [_sentence_record(sentence) for sentence in chunk.sentences],
        join_terms(terms.title),
        join_terms(terms.section),
        None if terms.body == of_sentences else join_terms(terms.body),
    ]
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def decode_chunk(payload: bytes) -> Chunk:
    """The chunk of a payload."""
    return _chunk(json.loads(payload.decode("utf-8", "surrogatepass")))


def decode_terms(payload: bytes) -> tuple[Chunk, ChunkTerms]:
    """The chunk of a payload and its terms per field."""
    record = json.loads(payload.decode("utf-8", "surrogatepass"))
    chunk = _chunk(record)
    if record[13] is None:
        body = tuple(term for sentence in chunk.sentences for term in sentence.terms)
    else:
        body = split_terms(record[13])
    return chunk, ChunkTerms(split_terms(record[11]), split_terms(record[12]), body)


def join_terms(terms: tuple[str, ...]) -> str:
    """Terms as one text with a space between them; `split_terms` is its inverse (empty terms are dropped)."""
    return " ".join(escape_term(term) for term in terms if term)


def split_terms(text: str) -> tuple[str, ...]:
    """The terms that `join_terms` joined."""
    if "␣" not in text:
        return tuple(map(intern, text.split(" "))) if text else ()
    return tuple(_ESCAPED.sub(lambda match: chr(int(match[1], 16)), term) for term in text.split(" "))


def escape_term(term: str) -> str:
    """A term without white space, so that it stays one token; different terms stay different."""
    if term.isalnum():
        return term
    return _UNSAFE.sub(lambda match: f"␣{ord(match[0]):x};", term)


def _sentence_record(sentence: Sentence) -> list[Any]:
    places = [
        [place.page, *(coordinate for box in place.boxes for coordinate in (box.x0, box.y0, box.x1, box.y1))]
        for place in sentence.places
    ]
    return [
        sentence.start,
        sentence.end,
        sentence.kind.value,
        places,
        sentence.marker,
        sentence.group,
        sentence.level,
        int(sentence.header),
        join_terms(sentence.terms),
    ]


def _chunk(record: list[Any]) -> Chunk:
    return Chunk(
        record[0],
        record[1],
        record[2],
        record[3],
        record[4],
        tuple(record[5]),
        tuple(record[6]),
        record[7],
        record[8],
        record[9],
        tuple([_sentence(fields) for fields in record[10]]),
    )


def _sentence(fields: list[Any]) -> Sentence:
    return Sentence(
        fields[0],
        fields[1],
        _KINDS[fields[2]],
        tuple([_place(place) for place in fields[3]]),
        intern(fields[4]),
        fields[5],
        fields[6],
        bool(fields[7]),
        split_terms(fields[8]),
    )


def _place(record: list[Any]) -> Place:
    return Place(record[0], tuple([Box(*record[at : at + 4]) for at in range(1, len(record), 4)]))


_KINDS = {kind.value: kind for kind in UnitKind}
