"""Where does a reader's browser find a source, and which web pages belong to it?"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from ankare.domain.document import Chunk
from ankare.profile.model import Profile, RelatedPage

PAGED = frozenset({"pdf"})
SLIDES = frozenset({"pptx"})


@dataclass(frozen=True, slots=True)
class Links:
    """`base_url` is where the sources lie on the web; without one the service itself serves them at /sources/{id}."""

    base_url: str = ""
    related: tuple[RelatedPage, ...] = ()

    @classmethod
    def of(cls, profile: Profile) -> Links:
        """The links that a profile asks for."""
        return cls(profile.documents.base_url, profile.related_pages)

    def page_url(self, chunk: Chunk, page: int) -> str:
        """The address of a page of the chunk's document."""
        if self.base_url:
            address = self.base_url.rstrip("/") + "/" + quote(chunk.source)
        else:
            address = "/sources/" + quote(chunk.document_id, safe="")
        return f"{address}#page={page}" if chunk.source_type in PAGED else address

    def related_to(self, sources: tuple[str, ...]) -> tuple[RelatedPage, ...]:
        """The related pages of these sources, in the profile's order, each address once."""
        found: dict[str, RelatedPage] = {}
        for page in self.related:
            if any(page.fits(source) for source in sources):
                found.setdefault(page.url, page)
        return tuple(found.values())
