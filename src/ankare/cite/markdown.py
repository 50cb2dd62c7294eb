"""How does a reply read: which text, which marks, which list of sources?

The application owns the source list: one entry per file and page that the published claims cite, in the order in which
they are first cited. A refusal has neither sources nor related pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ankare.cite import escape
from ankare.cite.blocks import Items, Paragraph, Table, answer_blocks, pages_of, places_of
from ankare.cite.figures import FactSource, fact_sources, figure_blocks, option_list
from ankare.cite.links import PAGED, SLIDES, Links
from ankare.domain.answer import Answer, Citation, Claim, NearSection, Refusal
from ankare.domain.document import Chunk
from ankare.domain.figures import FigureAnswer
from ankare.domain.reply import Reply
from ankare.messages import messages
from ankare.profile.model import RelatedPage

FULL_WIDTH = ("。", "！", "？", "；", "：", "，")


@dataclass(frozen=True, slots=True)
class Source:
    """One numbered entry of the source list: a page of a document and what is cited on it, in order."""

    number: int
    page: int
    url: str
    label: str
    citations: tuple[Citation, ...]

    @property
    def chunk(self) -> Chunk:
        """The chunk that was cited first on this page."""
        return self.citations[0].chunk


@dataclass(frozen=True, slots=True)
class Rendered:
    """A reply as Markdown, with its source list and related pages as data.

    `answer` is the Markdown without any list, `listed` with sources and related pages but without the choices, which a page
    shows as buttons. The places of figures are numbered first, then the pages of documents.
    """

    markdown: str
    answer: str
    listed: str
    sources: tuple[Source, ...]
    homepage_links: tuple[RelatedPage, ...]
    fact_sources: tuple[FactSource, ...] = ()


def render(reply: Reply, links: Links) -> Rendered:
    """Set a reply in Markdown, in the language of its answer. No text of a document, table or question acts as markup."""
    outcome, narrative = reply.outcome, reply.narrative
    figures = fact_sources(outcome) if isinstance(outcome, FigureAnswer) else ()
    sources = cited_sources(narrative, links, len(figures)) if narrative else ()
    related = links.related_to(tuple(source.chunk.source for source in sources))
    blocks = list(_said(outcome, figures))
    if narrative is not None:
        blocks += _answer_blocks(narrative, _Marks(sources))
    elif isinstance(reply.documents, Refusal):
        blocks.append(messages(outcome.language)["figures.documents_none"])
    answer = "\n\n".join(blocks)
    lists = list(_lists(outcome.language, figures, sources, related))
    markdown = "\n\n".join(filter(None, (answer, option_list(reply.figures), *lists)))
    return Rendered(markdown, answer, "\n\n".join((answer, *lists)), sources, related, figures)


def _said(outcome: Answer | Refusal | FigureAnswer, figures: Sequence[FactSource]) -> Iterator[str]:
    """What the figures say, or why nothing is said."""
    if isinstance(outcome, FigureAnswer):
        yield from figure_blocks(outcome, figures)
    elif isinstance(outcome, Refusal):
        yield escape.markdown(outcome.message)


def nearby(outcome: Answer | Refusal | FigureAnswer) -> str:
    """For a refusal, the sections that its question comes closest to, with their documents, as one sentence in Markdown without
    links; else ""."""
    if not isinstance(outcome, Refusal) or not outcome.nearby:
        return ""
    texts = messages(outcome.language)
    sections = "; ".join(section_label(section, outcome.language) for section in outcome.nearby)
    return escape.markdown(texts["page.nearby"].format(sections=sections))


def section_label(section: NearSection, language: str) -> str:
    """ "1.4 Ansvar (Handbok)" as plain text."""
    heading, title = escape.plain(section.heading), escape.plain(section.title)
    form = messages(language)["page.nearby_section"]
    return form.format(section=heading, document=title) if heading != title else heading


def cited_sources(answer: Answer, links: Links, before: int = 0) -> tuple[Source, ...]:
    """The pages that an answer cites, in the order in which they are first cited; numbered on from `before`."""
    cited: dict[tuple[str, int], dict[tuple[str, int, int], Citation]] = {}
    for claim in answer.claims:
        for citation in claim.citations:
            span = (citation.chunk.id, citation.start, citation.end)
            for page in pages_of(citation):
                cited.setdefault((citation.chunk.document_id, page), {}).setdefault(span, citation)
    return tuple(
        _source(number, page, tuple(citations.values()), answer.language, links)
        for number, ((_, page), citations) in enumerate(cited.items(), start=before + 1)
    )


def _source(number: int, page: int, citations: tuple[Citation, ...], language: str, links: Links) -> Source:
    chunk = citations[0].chunk
    label = source_label(chunk, page, language, links.versions.get(chunk.document_id, ""))
    return Source(number, page, links.page_url(chunk, page), label, citations)


def source_label(chunk: Chunk, page: int, language: str, version: str = "") -> str:
    """ "title, version 2.0, s. 5 (section)" as plain text. A version that the title tells already is not told again."""
    texts = messages(language)
    label = escape.plain(chunk.title) or escape.plain(chunk.source)
    told = texts["cite.version"].format(version=escape.plain(version)) if escape.plain(version) else ""
    if told and told.casefold() not in label.casefold():
        label += ", " + told
    if chunk.source_type in PAGED:
        label += ", " + texts["cite.page"].format(page=page)
    elif chunk.source_type in SLIDES:
        label += ", " + texts["cite.slide"].format(page=page)
    section = escape.plain(chunk.section[-1]) if chunk.section else ""
    return f"{label} ({section})" if section and section != chunk.title else label


class _Marks:
    """Knows which numbers a claim's citations have in the source list."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = {(source.chunk.document_id, source.page): source for source in sources}

    def of(self, claims: Sequence[Claim]) -> str:
        """ "[[1]](url) [[3]](url)", or nothing for claims without citations."""
        found = {
            source.number: source for claim in claims for source in map(self._sources.get, places_of(claim)) if source
        }
        return " ".join(f"[[{number}]]({escape.url(found[number].url)})" for number in sorted(found))


def _answer_blocks(answer: Answer, marks: _Marks) -> Iterator[str]:
    """The claims as Markdown blocks, and the note."""
    for block in answer_blocks(answer):
        if isinstance(block, Paragraph):
            yield _paragraph(block, marks)
        elif isinstance(block, Items):
            yield _list(block, marks)
        else:
            yield _table(block, marks)
    if answer.note:
        yield escape.markdown(answer.note)


def _paragraph(block: Paragraph, marks: _Marks) -> str:
    return _joined(
        [word for said in block.stretches for word in (*map(escape.markdown, said.texts), marks.of(said.cited))]
    )


def _joined(words: Sequence[str]) -> str:
    """Sentences with spaces between them, except after the full-width marks of Chinese, which bring their own."""
    text = ""
    for word in filter(None, words):
        text += word if not text or text.endswith(FULL_WIDTH) else f" {word}"
    return text


def _list(block: Items, marks: _Marks) -> str:
    lines = []
    for place, item in enumerate(block.items):
        # A Markdown list counts on from its first number: where the source does not, its numbers stand as text.
        number = block.numbers[place] if block.numbers else 0
        lead = "-" if not number else f"{number}." if block.running else f"- {number}\\."
        lines.append(" ".join(filter(None, (lead, escape.markdown(item.texts[0]), marks.of(item.cited)))))
    return "\n".join(lines)


def _table(block: Table, marks: _Marks) -> str:
    rows = [[escape.cell(text) for text in row.texts] for row in block.rows]
    for cells, row in zip(rows, block.rows, strict=True):
        cells[-1] = f"{cells[-1]} {marks.of(row.cited)}".strip()
    head = [escape.cell(text) for text in block.head]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))


def _lists(
    language: str, figures: Sequence[FactSource], sources: Sequence[Source], related: Sequence[RelatedPage]
) -> Iterator[str]:
    texts = messages(language)
    if figures or sources:
        lines = [f"{figure.number}. {escape.markdown(figure.label)}" for figure in figures]
        lines += [f"{s.number}. [{escape.markdown(s.label)}]({escape.url(s.url)})" for s in sources]
        yield f"### {texts['cite.sources']}\n\n" + "\n".join(lines)
    if related:
        lines = [f"- [{escape.markdown(page.label)}]({escape.url(page.url)})" for page in related]
        yield f"### {texts['cite.related']}\n\n" + "\n".join(lines)
