"""What is done with one file, from its bytes to an object in the home?

Runs in worker processes; everything that goes in and comes out can be pickled.
"""

from __future__ import annotations

import errno
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ankare._version import __version__
from ankare.domain.document import Chunk, Document, Extraction
from ankare.errors import AnkareError, DocumentError, HomeError
from ankare.index.build import write_once, writing
from ankare.index.home import Home, original_name
from ankare.index.objects import DocumentObject, decode_object, encode_object, object_key
from ankare.index.protocol import ChunkTerms
from ankare.ingest.blocks import clean
from ankare.ingest.facts import holds_facts
from ankare.ingest.labels import Labels
from ankare.ingest.readers import read_document, source_type_of
from ankare.ingest.reading import reading_fingerprint
from ankare.ingest.refused import Refused
from ankare.ingest.sidecar import Sidecar, load_sidecar
from ankare.messages.remarks import Remark, both, remark, some
from ankare.regular_file import read_regular

if TYPE_CHECKING:
    from ankare.language.protocol import Language

_SAMPLE_SIGNS = 6000
_SHOWN_HIDDEN = 3


@dataclass(frozen=True, slots=True)
class Task:
    """One file to read into the home. `settings`: what its chunks depend on beside its bytes.

    `languages`: accepted codes, the default one first. `allowed_types` None means all. `sidecar` None: look beside the
    file. `charset`: what a web server said. `size` in bytes, for the order of work. `fresh`: read it even if its object is
    there. `access`: the label that the file had when its sidecar was read, None where it is not to be looked at. `refused`: the
    contents that are not to be read again.
    """

    source: str
    path: Path
    home: Path
    settings: tuple[tuple[str, str], ...]
    languages: tuple[str, ...]
    allowed_types: tuple[str, ...] | None = None
    sidecar: Sidecar | None = None
    size: int = 0
    charset: str = ""
    fresh: bool = False
    access: str | None = None
    refused: Refused | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task: a document, or why it was `skipped` or `failed`, or that it is `facts`, to be read as figures.

    `broke`: it failed because the reader was at its end, not because of what the file says.
    """

    source: str
    document: Document | None = None
    object: str = ""
    sidecar: str = ""
    notes: tuple[str, ...] = ()
    skipped: str = ""
    failed: str = ""
    facts: bool = False
    broke: bool = False
    chunks: tuple[tuple[Chunk, ChunkTerms], ...] = field(default=(), repr=False)
    words: dict[str, int] = field(default_factory=dict, repr=False)


def settings_of(languages: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """What chunks and terms depend on beside the files, for the manifest."""
    return (("ankare", __version__), ("languages", ",".join(languages)), ("reading", reading_fingerprint()))


def work(task: Task) -> Outcome:
    """Read one file and write its object and copy. Raises HomeError where the home cannot be written, nothing else."""
    try:
        return _work(task)
    except HomeError:
        raise
    except AnkareError as error:
        return Outcome(task.source, failed=both(error.message, error.remedy))
    except OSError as error:
        if error.errno == errno.ENOMEM:
            return _no_memory(task)
        return Outcome(task.source, failed=_unreadable(str(error.strerror or error)))
    except MemoryError:
        return _no_memory(task)
    except Exception as error:  # one file that no reader foresaw must not take the others with it
        return Outcome(task.source, failed=_unreadable(f"{type(error).__name__}: {error}"))


def _no_memory(task: Task) -> Outcome:
    return Outcome(task.source, failed=remark("file_memory"), broke=True)


def _unreadable(error: str) -> Remark:
    return remark("file_unreadable", error=error)


def _work(task: Task) -> Outcome:
    seen = task.path.stat()  # before its sidecar is read: a file that takes its place now must not get that one's label
    sidecar = task.sidecar if task.sidecar is not None else load_sidecar(task.path)
    source_type = source_type_of(task.path)
    if task.allowed_types is not None and source_type not in task.allowed_types:
        if _is_fact_table(task, source_type):
            return Outcome(task.source, facts=True)
        return Outcome(task.source, skipped=remark("type_not_allowed", type=source_type))
    data = task.path.read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    if task.refused is not None and not task.fresh and (told := task.refused.of(sha256)):
        return Outcome(task.source, failed=told)
    home = Home(task.home)
    key = object_key(sha256, task.source, sidecar.digest, *(f"{name}={value}" for name, value in task.settings))
    made = (None if task.fresh else _made_before(home, key)) or _read(task, sidecar, source_type, sha256)
    now = task.path.stat()
    if (now.st_size, now.st_mtime_ns) != (seen.st_size, seen.st_mtime_ns):
        raise DocumentError(remark("file_changed"), remark("do_ingest_when_done"))
    if task.access is not None and Labels().of(task.path) != task.access:
        raise DocumentError(remark("own_label_changed"), remark("do_ingest_again"))
    if made is None:
        return Outcome(task.source, facts=True)
    with writing(f"what was read from {task.source}"):
        write_once(home.originals / original_name(sha256, source_type), data, again=task.fresh)
        write_once(home.object_path(key), encode_object(made), again=task.fresh)
    return Outcome(
        task.source, made.document, key, sidecar.digest, made.notes, chunks=made.chunks, words=dict(made.words)
    )


def _is_fact_table(task: Task, source_type: str) -> bool:
    """Is a file that may be no document one of figures?"""
    if source_type not in ("csv", "xlsx"):
        return False
    try:
        return holds_facts(read_document(task.path, source_type, str.isalpha), task.languages)
    except DocumentError:
        return False


def _made_before(home: Home, key: str) -> DocumentObject | None:
    """The object of an earlier build, where it is whole."""
    path = home.object_path(key)
    try:
        return decode_object(read_regular(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        path.unlink(missing_ok=True)
        return None


def _read(task: Task, sidecar: Sidecar, source_type: str, sha256: str) -> DocumentObject | None:
    """Read, cut and analyse; None for a table of facts, which is no document."""
    from ankare.index.terms import chunk_terms
    from ankare.ingest.chunk import ChunkOrigin, chunk_document, document_id
    from ankare.language.languages import get_language

    default = get_language(task.languages[0])
    name = PurePosixPath(task.source).name
    extraction = read_document(task.path, source_type, default.is_word, task.charset, name)
    if holds_facts(extraction, task.languages):
        return None
    language = _language(extraction, task.languages)
    title = sidecar.title or _own_title(extraction, task)
    identity = document_id(task.source)
    chunks = chunk_document(extraction, ChunkOrigin(identity, task.source, title, language.code), language)
    document = Document(
        id=identity,
        source=task.source,
        source_type=source_type,
        sha256=sha256,
        title=title,
        language=language.code,
        page_count=extraction.page_count,
        pages_without_text=extraction.pages_without_text,
        version=sidecar.version,
        valid_from=sidecar.valid_from,
        supersedes=tuple(_beside(task.source, name) for name in sidecar.supersedes),
        chunk_ids=tuple(chunk.id for chunk in chunks),
    )
    pairs = tuple(chunk_terms(chunk, language) for chunk in chunks)
    return DocumentObject(document, pairs, _words(chunks, language), _notes(extraction))


def _own_title(extraction: Extraction, task: Task) -> str:
    """The document's own title, else its name. Readers know only the file they read, which may be a copy of another name."""
    named_by_file = extraction.title in ("", task.path.stem, clean(task.path.stem))
    return Path(task.source).stem if named_by_file else extraction.title


def _language(extraction: Extraction, accepted: tuple[str, ...]) -> Language:
    from ankare.language.languages import detect_language, get_language

    sample: list[str] = []
    size = 0
    for block in extraction.blocks:
        sample.append(block.text)
        size += len(block.text)
        if size >= _SAMPLE_SIGNS:
            break
    return get_language(detect_language("\n".join(sample)[:_SAMPLE_SIGNS], accepted, accepted[0]))


def _words(chunks: Sequence[Chunk], language: Language) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for chunk in chunks:
        counts.update(token.norm for token in language.tokens(chunk.text))
    for heading in sorted({heading for chunk in chunks for heading in chunk.section}):
        counts.update(token.norm for token in language.tokens(heading))
    return {word: counts[word] for word in sorted(counts) if not any(sign.isspace() for sign in word)}


def _beside(source: str, name: str) -> str:
    """The source that a sidecar means: a bare file name lies in the same folder, a path counts from the top."""
    folder = source.rpartition("/")[0]
    return f"{folder}/{name}" if folder and "/" not in name else name


def _notes(extraction: Extraction) -> tuple[str, ...]:
    notes = list(extraction.warnings)
    if extraction.pages_without_text and (extraction.blocks or extraction.page_count > 1):
        pages = tuple(map(str, extraction.pages_without_text))
        notes.append(remark("pages_without_text", pages=pages, count=len(pages)))
    if extraction.hidden_text:
        texts = some([f"“{text}”" for text in extraction.hidden_text], _SHOWN_HIDDEN)
        notes.append(remark("invisible", texts=texts))
    if not extraction.blocks:
        notes.append(remark("no_text"))
    return tuple(notes)
