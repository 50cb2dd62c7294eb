"""What happened to each file of an ingest?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ankare.domain.document import Document
from ankare.messages.remarks import parts_of, remark_to_json


class FileStatus(StrEnum):
    """What an ingest did with a file."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file: what was done, how much of it is in the index, and anything its owner should know.

    `message`: a remark (`ankare.messages.remarks`), or several in one. `pages` counts pages,
    `pages_without_text` names those that hold only images (pages count from 1). `access`: the label
    that its readers must carry, "" for none. `read_again`: it was read in this run and gave what the home had already.
    """

    source: str
    status: FileStatus
    chunks: int = 0
    pages: int = 0
    pages_without_text: tuple[int, ...] = ()
    facts: int = 0
    message: str = ""
    access: str = ""
    read_again: bool = False


@dataclass(frozen=True, slots=True)
class IngestReport:
    """All files of this run by source, and the name of the version that is now in use. `built` is false where nothing changed.

    `documents`, `chunks` and `facts`: how much the home holds now, also of what this run was not given. `labels`: each label
    and how many documents carry it.
    """

    files: tuple[FileReport, ...]
    version: str
    built: bool
    documents: int = 0
    chunks: int = 0
    facts: int = 0
    labels: tuple[tuple[str, int], ...] = ()

    def with_figures(self, files: Sequence[FileReport], count: int) -> IngestReport:
        """The report together with that on files of figures, of which the home now holds `count`."""
        return replace(self, files=tuple(sorted((*self.files, *files), key=lambda file: file.source)), facts=count)

    @property
    def failed(self) -> tuple[FileReport, ...]:
        """The files that could not be read."""
        return tuple(file for file in self.files if file.status is FileStatus.FAILED)

    def to_json(self) -> dict[str, object]:
        """The report as plain JSON values: `files` as the interface page says, and what the home now is."""
        return {
            "files": [
                {
                    "source": file.source,
                    "status": file.status.value,
                    "chunks": file.chunks,
                    "pages": file.pages,
                    "pages_without_text": list(file.pages_without_text),
                    "facts": file.facts,
                    "message": file.message,
                    "remarks": [remark_to_json(part) for part in parts_of(file.message)],
                    "access": file.access,
                    "read_again": file.read_again,
                }
                for file in self.files
            ],
            "version": self.version,
            "built": self.built,
            "documents": self.documents,
            "chunks": self.chunks,
            "facts": self.facts,
            "labels": dict(self.labels),
        }


def labels_of(documents: Iterable[Document]) -> tuple[tuple[str, int], ...]:
    """Each label with the number of documents that carry it, by label."""
    return tuple(sorted(Counter(document.access for document in documents if document.access).items()))


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 figure", "2 figures"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
