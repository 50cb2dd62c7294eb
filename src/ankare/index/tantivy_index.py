"""How are chunks searched on one machine? By tantivy, memory mapped, one folder per version.

Scores are BM25 per field (k1 1.2, b 0.75; Robertson and Zaragoza 2009), summed with the query's weights. A version is
never changed: the next one takes over its segment files by hard link, and a search that is under way keeps its own.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ankare.domain.document import Chunk
from ankare.errors import HomeDamagedError
from ankare.index.manifest import REBUILD, REPAIR
from ankare.index.payload import decode_chunk, decode_terms, encode_chunk, escape_term, join_terms
from ankare.index.protocol import FIELDS, ChunkTerms, LexicalHit, LexicalQuery
from ankare.index.recent import Recent

CHUNKS_IN_MEMORY = 2048
"""Decoded chunks that an open index keeps (some 6 kB each), up to twice as many."""

ADDRESSES_IN_MEMORY = 65_536
FREQUENCIES_IN_MEMORY = 65_536

REWRITE_LIMIT = 50_000
"""Up to this many chunks, a version that removes something is written anew, so that removed chunks leave no trace in
the scores. Beyond it they count in the statistics until tantivy merges their segment."""

_NUMBER_ID = re.compile("[0-9a-f]{16}")  # ids of this form are read from a column, without the stored document
_DIGITS = 4  # single precision sums differ in the last bits with the order of their terms
BUFFERED = 20_000
"""Chunks that a writer holds back in memory."""

_WRITER_MEMORY = 128_000_000
_NOT_TAKEN_OVER = (".lock", ".tmp")
_COPIED = ("meta.json", ".managed.json")


class TantivyIndex:
    """One version of an index, open for reading. Safe for many threads."""

    def __init__(self, path: Path) -> None:
        """Open the index in the folder `path`. Raises HomeDamagedError where there is none, or a broken one."""
        self._engine = _open(path)
        self._searcher = self._engine.searcher()
        self._schema = self._engine.schema
        self._chunks: Recent[str, Chunk] = Recent(CHUNKS_IN_MEMORY)
        self._addresses: Recent[str, Any] = Recent(ADDRESSES_IN_MEMORY)
        self._frequency = lru_cache(FREQUENCIES_IN_MEMORY)(self._count)

    def search(self, query: LexicalQuery, limit: int) -> list[LexicalHit]:
        """The best `limit` chunks, best first; ties are broken by chunk id, also where the limit cuts through a tie."""
        compiled = self._compile(query, [name for name, weight in query.field_weights if weight > 0])
        if compiled is None or limit <= 0:
            return []
        top = self._top(compiled, limit)
        ids = self._ids([address for _score, address in top])
        hits = [LexicalHit(chunk_id, round(score, _DIGITS)) for chunk_id, (score, _) in zip(ids, top, strict=True)]
        hits.sort(key=lambda hit: (-hit.score, hit.chunk_id))
        return hits[:limit]

    def explain(self, query: LexicalQuery, chunk_id: str) -> dict[str, float]:
        """What each field added to this chunk's score; the values sum to the score of `search`.

        Raises KeyError for an unknown id.
        """
        address = self._address_of(chunk_id)
        return {field: self._field_score(query, field, address) for field in FIELDS}

    def chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """The chunks of these ids, in the same order. Raises KeyError for an unknown id."""
        return [self._chunk(chunk_id) for chunk_id in chunk_ids]

    def doc_freq(self, term: str) -> int:
        """In how many chunks the term stands in the body."""
        return self._frequency(term)

    def ids(self) -> list[str]:
        """The ids of all chunks, sorted."""
        return sorted(json.loads(payload)[0] for payload in _payloads(self._searcher))

    def __len__(self) -> int:
        """How many chunks there are."""
        return int(self._searcher.num_docs)

    def _top(self, compiled: Any, limit: int) -> list[tuple[float, Any]]:
        """The best `limit` (score, address); of those that tie with the last, the first by the start of their id."""
        wanted = limit + 8
        while True:
            found: list[tuple[float, Any]] = self._searcher.search(compiled, limit=wanted, count=False).hits
            if len(found) < wanted or found[-1][0] < found[limit - 1][0]:
                break
            wanted *= 4
        if len(found) <= limit:
            return found
        last = found[limit - 1][0]
        better = [hit for hit in found if hit[0] > last]
        tied = [hit for hit in found if hit[0] == last]
        keys = self._searcher.fast_field_values("id_start", [address for _score, address in tied])
        keep = sorted(keys)[limit - len(better) - 1]
        return better + [hit for hit, key in zip(tied, keys, strict=True) if key <= keep]

    def _compile(self, query: LexicalQuery, fields: Sequence[str]) -> Any | None:
        import tantivy

        weights = dict(query.field_weights)
        should = tantivy.Occur.Should
        clauses = []
        for weighted in query.terms:
            if not weighted.term or weighted.weight <= 0:
                continue
            term = escape_term(weighted.term)
            for field in fields:
                clause = tantivy.Query.term_query(self._schema, field, term, "freq")
                weight = weighted.weight * weights[field]
                clauses.append((should, clause if weight == 1.0 else tantivy.Query.boost_query(clause, weight)))
        return tantivy.Query.boolean_query(clauses) if clauses else None

    def _field_score(self, query: LexicalQuery, field: str, address: Any) -> float:
        if dict(query.field_weights).get(field, 0.0) <= 0:
            return 0.0
        compiled = self._compile(query, [field])
        if compiled is None:
            return 0.0
        try:
            return float(json.loads(compiled.explain(self._searcher, address).to_json())["value"])
        except ValueError:  # tantivy's answer for "this document does not match"
            return 0.0

    def _ids(self, addresses: list[Any]) -> list[str]:
        """Ids of documents, and a note of where each of them lies."""
        try:
            numbers = self._searcher.fast_field_values("id_number", addresses)
        except ValueError:  # an index from before there was this column
            numbers = [None] * len(addresses)
        ids = [
            json.loads(self._payload(address))[0] if number is None else f"{number:016x}"
            for number, address in zip(numbers, addresses, strict=True)
        ]
        for chunk_id, address in zip(ids, addresses, strict=True):
            self._addresses.put(chunk_id, address)
        return ids

    def _chunk(self, chunk_id: str) -> Chunk:
        chunk = self._chunks.get(chunk_id)
        if chunk is None:
            chunk = decode_chunk(self._payload(self._address_of(chunk_id)))
            self._chunks.put(chunk_id, chunk)
        return chunk

    def _payload(self, address: Any) -> bytes:
        payload: bytes = self._searcher.doc(address).get_first("payload")
        return payload

    def _address_of(self, chunk_id: str) -> Any:
        import tantivy

        address = self._addresses.get(chunk_id)
        if address is None:
            wanted = tantivy.Query.term_query(self._schema, "chunk_id", chunk_id, "basic")
            found = self._searcher.search(wanted, limit=1, count=False).hits
            if not found:
                raise KeyError(chunk_id)
            address = found[0][1]
            self._addresses.put(chunk_id, address)
        return address

    def _count(self, term: str) -> int:
        return int(self._searcher.doc_freq("body", escape_term(term))) if term else 0


class TantivyIndexWriter:
    """Builds one version in the folder `path`, from nothing or from the version in `base`, which stays whole.

    The first `BUFFERED` chunks are held back until it is clear whether the version has to be written anew; beyond them
    chunks go straight to disk, so that memory does not grow with the corpus.
    """

    def __init__(self, path: Path, base: Path | None = None) -> None:
        self._path = path
        self._base = base
        self._added: list[tuple[Chunk, ChunkTerms]] = []
        self._removed: set[str] = set()
        self._writer: Any = None
        self._done = False

    def add(self, chunks: Iterable[tuple[Chunk, ChunkTerms]]) -> None:
        """Add chunks."""
        self._check_open()
        for chunk, terms in chunks:
            if self._writer is not None:
                self._writer.add_document(_document(chunk, terms))
                continue
            self._added.append((chunk, terms))
            if len(self._added) >= BUFFERED:
                self._start(rewrite=False)

    def remove_document(self, document_id: str) -> None:
        """Remove all chunks of a document, also those added before in this version."""
        self._check_open()
        if self._writer is not None:
            self._writer.delete_documents_by_term("document_id", document_id)
            return
        self._removed.add(document_id)
        self._added = [(chunk, terms) for chunk, terms in self._added if chunk.document_id != document_id]

    def commit(self) -> None:
        """Make the changes durable. The writer cannot be used afterwards."""
        self._check_open()
        if self._writer is None:
            self._start(rewrite=bool(self._removed))
        self._done = True
        self._writer.commit()
        self._writer.wait_merging_threads()

    def _start(self, *, rewrite: bool) -> None:
        """Open the version on disk with what the base has, less what was removed, and all that was held back."""
        self._path.mkdir(parents=True, exist_ok=True)
        kept: Iterable[tuple[Chunk, ChunkTerms]] = ()
        if self._base is not None:
            if rewrite and len(TantivyIndex(self._base)) <= REWRITE_LIMIT:
                kept = self._kept(self._base)
            else:
                _take_over(self._base, self._path)
        self._writer = _create(self._path).writer(_WRITER_MEMORY, 1)  # one thread: same chunks, same segments
        for document_id in sorted(self._removed):
            self._writer.delete_documents_by_term("document_id", document_id)
        for chunk, terms in chain(kept, self._added):
            self._writer.add_document(_document(chunk, terms))
        self._added = []

    def _kept(self, base: Path) -> Iterator[tuple[Chunk, ChunkTerms]]:
        for payload in _payloads(_open(base).searcher()):
            chunk, terms = decode_terms(payload)
            if chunk.document_id not in self._removed:
                yield chunk, terms

    def _check_open(self) -> None:
        if self._done:
            raise RuntimeError("This index version is committed; open a new writer for the next one.")


def _document(chunk: Chunk, terms: ChunkTerms) -> Any:
    import tantivy

    document = tantivy.Document()
    document.add_text("chunk_id", chunk.id)
    if _NUMBER_ID.fullmatch(chunk.id):
        document.add_unsigned("id_number", int(chunk.id, 16))
    document.add_unsigned("id_start", int.from_bytes(chunk.id.encode("utf-8", "replace")[:8].ljust(8, b"\0"), "big"))
    document.add_text("document_id", chunk.document_id)
    document.add_text("title", join_terms(terms.title))
    document.add_text("section", join_terms(terms.section))
    document.add_text("body", join_terms(terms.body))
    document.add_bytes("payload", encode_chunk(chunk, terms))
    return document


def _schema() -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in ("chunk_id", "document_id"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in FIELDS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field("id_start", fast=True)
    builder.add_unsigned_field("id_number", fast=True)
    builder.add_bytes_field("payload", stored=True)
    return builder.build()


def _create(path: Path) -> Any:
    import tantivy

    return tantivy.Index(_schema(), path=str(path))


def _open(path: Path) -> Any:
    import tantivy

    if not (path / "meta.json").is_file():
        raise HomeDamagedError(f"There is no index in {path}.", REPAIR)
    try:
        try:
            return tantivy.Index.open(str(path))
        except ValueError as error:
            if "Lockfile" not in str(error):
                raise
            return _open_read_only(path)
    except (ValueError, OSError) as error:
        raise HomeDamagedError(f"The index in {path} cannot be opened: {error}", REBUILD) from error


def _open_read_only(path: Path) -> Any:
    """Open an index where nothing can be written: tantivy wants to make a lock file even to read, so it gets a folder of
    links to the files, which it needs only until it has mapped them."""
    import tantivy

    # tantivy may still be putting a lock down there when the folder goes
    with TemporaryDirectory(prefix="ankare-", ignore_cleanup_errors=True) as folder:
        for file in path.iterdir():
            if file.suffix != ".lock":
                Path(folder, file.name).symlink_to(file.absolute())
        return tantivy.Index.open(folder)


def _payloads(searcher: Any) -> Iterator[bytes]:
    """The payloads of all living chunks, in the order of the index."""
    import tantivy

    size = int(searcher.num_docs)
    if size:
        for _score, address in searcher.search(tantivy.Query.all_query(), limit=size, count=False).hits:
            yield searcher.doc(address).get_first("payload")


def _take_over(base: Path, path: Path) -> None:
    """Link the immutable segment files of `base` into `path`, and copy the two files that tantivy rewrites."""
    for file in sorted(base.iterdir()):
        if file.name in _COPIED:
            shutil.copyfile(file, path / file.name)
        elif file.is_file() and not file.name.endswith(_NOT_TAKEN_OVER):
            try:
                os.link(file, path / file.name)
            except OSError:  # another file system, or one without hard links
                shutil.copyfile(file, path / file.name)
