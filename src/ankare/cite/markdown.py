"""How does a reply read: which text, which marks, which list of sources?

The application owns the source list: one entry per file and page that the published claims cite, in the order in which
they are first cited. A refusal has neither sources nor related pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ankare.cite import escape
from ankare.cite.figures import FactSource, fact_sources, figure_blocks, option_list
from ankare.cite.links import PAGED, SLIDES, Links
from ankare.domain.answer import Answer, Citation, Claim, ClaimForm, Refusal
from ankare.domain.document import Chunk, Sentence
from ankare.domain.figures import FigureAnswer
from ankare.domain.reply import Reply
from ankare.messages import messages
from ankare.profile.model import RelatedPage

COLUMNS = " | "
DASH = " – "
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
    """For a refusal, the headings that its question comes closest to, as one sentence in Markdown without links; else ""."""
    if not isinstance(outcome, Refusal) or not outcome.nearby:
        return ""
    texts = messages(outcome.language)
    return escape.markdown(texts["page.nearby"].format(sections="; ".join(map(escape.plain, outcome.nearby))))


def cited_sources(answer: Answer, links: Links, before: int = 0) -> tuple[Source, ...]:
    """The pages that an answer cites, in the order in which they are first cited; numbered on from `before`."""
    cited: dict[tuple[str, int], dict[tuple[str, int, int], Citation]] = {}
    for claim in answer.claims:
        for citation in claim.citations:
            span = (citation.chunk.id, citation.start, citation.end)
            for page in citation.pages or (1,):
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

    def of(self, claim: Claim) -> str:
        """ "[[1]](url) [[3]](url)", or nothing for a claim without citations."""
        found: dict[int, Source] = {}
        for citation in claim.citations:
            for page in citation.pages or (1,):
                source = self._sources[citation.chunk.document_id, page]
                found[source.number] = source
        return " ".join(f"[[{number}]]({escape.url(found[number].url)})" for number in sorted(found))


def _answer_blocks(answer: Answer, marks: _Marks) -> Iterator[str]:
    """The claims as Markdown blocks: runs of one form are set together."""
    runs = [(form, list(run)) for form, run in groupby(answer.claims, key=lambda claim: claim.form)]
    carried = ""
    for place, (form, run) in enumerate(runs):
        if form is ClaimForm.TEXT:
            carried = _shared_mark(runs[place + 1][1], marks) if _introduces(run, runs, place) else ""
            yield from _paragraphs(run, marks, carried)
        elif form is ClaimForm.ROW:
            for rows in _tables(run):
                yield _table(rows, marks, bool(carried))
            carried = ""
        else:
            yield _list(run, marks, bool(carried), numbered=form is ClaimForm.STEP)
            carried = ""
    if answer.note:
        yield escape.markdown(answer.note)


def _introduces(run: Sequence[Claim], runs: Sequence[tuple[ClaimForm, list[Claim]]], place: int) -> bool:
    return run[-1].text.rstrip().endswith((":", "：")) and place + 1 < len(runs)


def _shared_mark(run: Sequence[Claim], marks: _Marks) -> str:
    """The mark that every item of a list has, so that it can be said once, after the line that introduces the list."""
    found = {marks.of(claim) for claim in run}
    return found.pop() if len(found) == 1 else ""


def _paragraphs(run: Sequence[Claim], marks: _Marks, carried: str) -> Iterator[str]:
    """Sentences joined; a mark stands after the last of the sentences that share it, a new document starts anew."""
    words: list[str] = []
    for place, claim in enumerate(run):
        following = run[place + 1] if place + 1 < len(run) else None
        words.append(escape.markdown(claim.text))
        mark = marks.of(claim)
        if following is None and carried and mark in ("", carried):
            mark = carried
        if following is None or marks.of(following) != mark:
            words.append(mark)
        if following is None or _new_document(claim, following):
            yield _joined(words)
            words = []


def _joined(words: Sequence[str]) -> str:
    """Sentences with spaces between them, except after the full-width marks of Chinese, which bring their own."""
    text = ""
    for word in filter(None, words):
        text += word if not text or text.endswith(FULL_WIDTH) else f" {word}"
    return text


def _new_document(claim: Claim, following: Claim) -> bool:
    if not claim.citations or not following.citations:
        return False
    return claim.citations[0].chunk.document_id != following.citations[0].chunk.document_id


def _list(run: Sequence[Claim], marks: _Marks, marked: bool, *, numbered: bool = False) -> str:
    lines = []
    numbers = [_number(claim) for claim in run] if numbered else []
    if not all(numbers):
        numbers = list(range(1, len(run) + 1))
    running = bool(numbers) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    for place, claim in enumerate(run):
        # A Markdown list counts on from its first number: where the source does not, its numbers stand as text.
        lead = "-" if not numbered else f"{numbers[place]}." if running else f"- {numbers[place]}\\."
        lines.append(" ".join(filter(None, (lead, escape.markdown(claim.text), "" if marked else marks.of(claim)))))
    return "\n".join(lines)


def _number(claim: Claim) -> int:
    """The number that the step has in its document; 0 where it has none."""
    markers = (sentence.marker for _, sentence in _sentences(claim))
    found = next((re.search(r"\d{1,9}", marker) for marker in markers if marker), None)
    return int(found[0]) if found else 0


def _tables(run: Sequence[Claim]) -> list[list[Claim]]:
    """Rows by the table that they stand in, in the order in which the tables are first cited."""
    tables: dict[tuple[str, int], list[Claim]] = {}
    for claim in run:
        found = next(((chunk.document_id, sentence.group) for chunk, sentence in _sentences(claim)), ("", 0))
        tables.setdefault(found, []).append(claim)
    return list(tables.values())


def _table(run: Sequence[Claim], marks: _Marks, marked: bool) -> str:
    """Rows as a Markdown table, headed by the row that names the columns in the document, cited or not.

    Markdown has no table without a head: rows whose columns have no names become a list.
    """
    head = _header(run)
    if not head:
        return _list([replace(claim, text=claim.text.replace(COLUMNS, DASH)) for claim in run], marks, marked)
    rows = [[escape.cell(text) for text in claim.text.split(COLUMNS)] for claim in run]
    headed = _first_is_header(run)
    width = max(len(row) for row in (*rows, head))
    for row, claim in zip(rows, run, strict=True):
        row += [""] * (width - len(row))
        if not marked and not (headed and claim is run[0]):
            row[-1] = f"{row[-1]} {marks.of(claim)}".strip()
    if headed:
        head = rows.pop(0)
    head += [""] * (width - len(head))
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * width, *rows))


def _first_is_header(run: Sequence[Claim]) -> bool:
    return len(run) > 1 and any(sentence.header for _, sentence in _sentences(run[0]))


def _header(run: Sequence[Claim]) -> list[str]:
    """The header of the table that the rows stand in, as cells; empty where the document names no columns."""
    for chunk, sentence in (found for claim in run for found in _sentences(claim)):
        for other in chunk.sentences:
            if other.header and other.group == sentence.group:
                return [escape.cell(text) for text in chunk.sentence_text(other).split(COLUMNS)]
    return []


def _sentences(claim: Claim) -> Iterator[tuple[Chunk, Sentence]]:
    """The sentences that a claim cites, with their chunks."""
    for citation in claim.citations:
        for sentence in citation.chunk.sentences:
            if sentence.start < citation.end and citation.start < sentence.end:
                yield citation.chunk, sentence


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
