"""Where does a reader's browser find a source, and which web pages belong to it?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import quote

from ankare.domain.document import Chunk, Document
from ankare.profile.model import Profile, RelatedPage

PAGED = frozenset({"pdf"})
SLIDES = frozenset({"pptx"})


@dataclass(frozen=True, slots=True)
class Links:
    """`base_url` is where the sources lie on the web; without one the service itself serves them at /sources/{id}.

    `versions`: by document id, the version that a document's metadata give it; see `versions_of`. `service_url` is where
    readers reach the service, "" for readers that are on it already.
    """

    base_url: str = ""
    related: tuple[RelatedPage, ...] = ()
    versions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    service_url: str = ""

    @classmethod
    def of(cls, profile: Profile, versions: Mapping[str, str] | None = None, service_url: str = "") -> Links:
        """The links that a profile asks for."""
        known = versions or MappingProxyType({})
        return cls(profile.documents.base_url, profile.related_pages, known, service_url.rstrip("/"))

    def page_url(self, chunk: Chunk, page: int) -> str:
        """The address of a page of the chunk's document."""
        if self.base_url:
            address = self.base_url.rstrip("/") + "/" + quote(chunk.source)
        else:
            address = f"{self.service_url}/sources/" + quote(chunk.document_id, safe="")
        return f"{address}#page={page}" if chunk.source_type in PAGED else address

    def related_to(self, sources: tuple[str, ...]) -> tuple[RelatedPage, ...]:
        """The related pages of these sources, in the profile's order, each address once."""
        found: dict[str, RelatedPage] = {}
        for page in self.related:
            if any(page.fits(source) for source in sources):
                found.setdefault(page.url, page)
        return tuple(found.values())


def versions_of(documents: Iterable[Document]) -> Mapping[str, str]:
    """The versions of those documents that have one, by document id."""
    return MappingProxyType({document.id: document.version for document in documents if document.version})
