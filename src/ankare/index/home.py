"""Where does an index live, and how does a reader get one whole version of it?

    home/
      CURRENT               name of the version in use, replaced in one step
      versions/<name>/      manifest.json, origins.json, sizes.json, vocabulary.tsv, profile.toml, tantivy/
      objects/<key>.jsonl   chunks and terms of one document, never rewritten
      originals/<sha><ext>  the documents as they were read, for links and page pictures
      embeddings/           the semantic part's cache
      views/<digest>/       a version as readers of some labels see it (`ankare.index.views`), laid out as one
      lock                  held by the process that builds

A version is never changed once CURRENT names it, so a reader that has opened one can go on with it.
`ankare.index.build` writes versions.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ankare.domain.document import Chunk, Document
from ankare.errors import HomeDamagedError, HomeMissingError
from ankare.index.manifest import (
    INDEX_FOLDER,
    PROFILE_FILE,
    REBUILD,
    REPAIR,
    Manifest,
    cut_short,
    read_manifest,
    read_vocabulary,
)
from ankare.index.objects import DocumentObject, decode_object, decode_words
from ankare.index.protocol import LexicalIndex
from ankare.regular_file import read_regular

Found = TypeVar("Found")
_MOST_OF_A_NAME = 255
_OPEN_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One whole version of the index, open for reading, or what a reader may see of it.

    `documents` by id, `sources` by source. `vocabulary`: word (normalised) to how often it stands in the corpus.
    `profile_path`: the profile that the documents went in with, None for none. `version`: the version on disk that it is of.
    """

    name: str
    manifest: Manifest
    index: LexicalIndex
    vocabulary: Mapping[str, int]
    documents: Mapping[str, Document]
    sources: Mapping[str, Document]
    originals: Path
    profile_path: Path | None
    version: str = ""

    def original(self, document_id: str) -> Path:
        """The copy of a document's bytes. Raises KeyError for an unknown id, HomeDamagedError where it is gone."""
        document = self.documents[document_id]
        path = self.originals / original_name(document.sha256, document.source_type)
        if not path.is_file():
            raise HomeDamagedError(f"The copy of {document.source} is missing: {path}.", REBUILD)
        return path


@dataclass(frozen=True, slots=True)
class Home:
    """A home folder. Making one does nothing; `open_current` reads, `ankare.index.build.Build` writes."""

    path: Path

    @property
    def current_file(self) -> Path:
        """The file that names the version in use."""
        return self.path / "CURRENT"

    @property
    def versions(self) -> Path:
        """The folder of versions."""
        return self.path / "versions"

    @property
    def objects(self) -> Path:
        """The folder of objects."""
        return self.path / "objects"

    @property
    def originals(self) -> Path:
        """The folder of copies of documents."""
        return self.path / "originals"

    @property
    def embeddings(self) -> Path:
        """The folder of the semantic part's cache."""
        return self.path / "embeddings"

    @property
    def views(self) -> Path:
        """The folder of what readers of some labels see."""
        return self.path / "views"

    @property
    def fetched(self) -> Path:
        """Where web pages lie while an ingest reads them."""
        return self.path / "fetched"

    def current_version(self) -> str | None:
        """The name of the version in use, None where nothing has been ingested. Cheap: one small file is read."""
        try:
            name = read_regular(self.current_file, _MOST_OF_A_NAME).decode("ascii").strip()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise HomeDamagedError(f"{self.current_file} cannot be read: {error}.", _remedy(error)) from error
        if not name:
            raise HomeDamagedError(f"{self.current_file} is empty.", REBUILD)
        return name

    def version_folder(self) -> Path:
        """The folder of the version in use. Raises HomeMissingError where there is none."""
        name = self.current_version()
        if name is None:
            raise HomeMissingError(
                f"{self.path} holds no index yet.", f"Put documents in with `ankare ingest PATH --home {self.path}`."
            )
        folder = self.versions / name
        try:
            found = os.sep not in name and folder.is_dir()
        except (OSError, ValueError) as error:
            raise HomeDamagedError(f"{folder} cannot be read: {error}.", _remedy(error)) from error
        if not found:
            raise HomeDamagedError(f"{self.current_file} names {name!r}, which does not exist.", REBUILD)
        return folder

    def manifest(self) -> Manifest:
        """The manifest of the version in use. Raises HomeMissingError, HomeVersionError or HomeDamagedError."""
        return read_manifest(self.version_folder())

    def open_current(self) -> Snapshot:
        """Open the version in use. Raises HomeMissingError, HomeVersionError or HomeDamagedError."""
        return self.of_current(lambda folder: open_snapshot(folder, self.originals))

    def of_current(self, read: Callable[[Path], Found]) -> Found:
        """What `read` makes of the folder of the version in use. Raises what it raises, and HomeError."""
        for _ in range(_OPEN_ATTEMPTS - 1):
            name = self.current_version()
            try:
                return read(self.version_folder())
            except HomeDamagedError:
                # Versions may have moved on and this one been pruned between two reads; only then a new try helps.
                if self.current_version() == name:
                    raise
        return read(self.version_folder())

    def read_object(self, key: str) -> DocumentObject:
        """One document's object. Raises HomeDamagedError when it is missing or broken."""
        path = self.object_path(key)
        try:
            return decode_object(read_regular(path))
        except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
            raise HomeDamagedError(f"{path} cannot be read: {error!r}.", REBUILD) from error

    def read_words(self, key: str) -> dict[str, int]:
        """How often each word stands in one document. Raises HomeDamagedError when its object is missing or broken."""
        path = self.object_path(key)
        try:
            return decode_words(read_regular(path))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise HomeDamagedError(f"{path} cannot be read: {error!r}.", REBUILD) from error

    def object_path(self, key: str) -> Path:
        """Where an object lies."""
        return self.objects / f"{key}.jsonl"

    def chunks(self) -> Iterator[Chunk]:
        """Every chunk of the version in use, by source and then in reading order, read from the objects."""
        for entry in self.manifest().entries:
            for chunk, _terms in self.read_object(entry.object).chunks:
                yield chunk


def open_snapshot(folder: Path, originals: Path, name: str = "") -> Snapshot:
    """Open the folder of a version, or of a view. Raises HomeVersionError or HomeDamagedError."""
    from ankare.index.tantivy_index import TantivyIndex

    manifest = read_manifest(folder)
    if not (folder / INDEX_FOLDER).is_dir():
        raise HomeDamagedError(f"{folder / INDEX_FOLDER} is missing.", REPAIR)
    damaged = cut_short(folder)
    if damaged is not None:
        raise HomeDamagedError(f"{damaged} is missing or not as it was written.", REPAIR)
    documents = [entry.document for entry in manifest.entries]
    profile = folder / PROFILE_FILE
    return Snapshot(
        name=name or folder.name,
        manifest=manifest,
        index=TantivyIndex(folder / INDEX_FOLDER),
        vocabulary=read_vocabulary(folder),
        documents={document.id: document for document in documents},
        sources={document.source: document for document in documents},
        originals=originals,
        profile_path=profile if profile.is_file() else None,
        version=folder.name,
    )


def _remedy(error: Exception) -> str:
    return "Check who may read it." if isinstance(error, PermissionError) else REBUILD


def original_name(sha256: str, source_type: str) -> str:
    """The file name of a document's copy: its extension is its real type, whatever it was called."""
    return f"{sha256}.{source_type}"
