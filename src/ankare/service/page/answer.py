"""How does an answer stand on the page: what is said with its marks, choices, what is near, the sources?

HTML that we wrote around escaped text; no text of a document, table, profile or question is ever markup. Buttons that ask carry
the whole question (`data-ask`), marks the view that they show (`data-view`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape as quoted

from ankare.cite import escape
from ankare.cite.blocks import AnswerBlock, Items, Paragraph, Stretch, Table, answer_blocks
from ankare.cite.escape import plain
from ankare.cite.markdown import FULL_WIDTH, Rendered
from ankare.domain.answer import Answer, Refusal
from ankare.domain.clarification import ClarifyMode
from ankare.domain.figures import FigureAnswer
from ankare.domain.reply import Reply
from ankare.messages import messages
from ankare.profile.model import Profile
from ankare.service.page.figures import FigureHtml
from ankare.service.page.nearby import Offer
from ankare.service.page.views import View, Views
from ankare.service.shelf import Shelf
from ankare.structured.compose import Wording


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer for the page. `kind`: "answer", "refusal" or "question" (asked back). `sources`: how many are listed."""

    kind: str
    language: str
    html: str
    views: tuple[View, ...]
    sources: int


def shown_answer(
    reply: Reply, rendered: Rendered, shelf: Shelf, name: str, page_language: str, nearby: Sequence[Offer] = ()
) -> Shown:
    """The answer in its own language, what stands around it in the page's. `name` is unique in the document around it.
    `nearby`: what is offered beside a refusal. Raises HomeError."""
    language = reply.outcome.language
    views = Views(rendered, shelf, language, page_language)
    page = _Setting(reply, rendered, views, shelf.profile(), name, page_language, nearby)
    kind = "answer" if reply.answered else "question" if reply.figures and reply.figures.asks else "refusal"
    html = page.html()
    return Shown(kind, language, html, tuple(views.told), len(rendered.sources) + len(rendered.fact_sources))


class _Setting:
    """One answer being set."""

    def __init__(
        self,
        reply: Reply,
        rendered: Rendered,
        views: Views,
        profile: Profile,
        name: str,
        page_language: str,
        nearby: Sequence[Offer],
    ) -> None:
        self._nearby_offers = nearby
        self._reply = reply
        self._rendered = rendered
        self._views = views
        self._texts: Mapping[str, str] = messages(reply.outcome.language)
        self._around: Mapping[str, str] = messages(page_language)
        self._lang = f' lang="{page_language}"' if page_language != reply.outcome.language else ""
        self._figures: FigureHtml | None = None
        if isinstance(reply.outcome, FigureAnswer):
            wordings = Wording(profile, reply.outcome.language), Wording(profile, page_language)
            self._figures = FigureHtml(reply.outcome, rendered.fact_sources, views, wordings, name)

    def html(self) -> str:
        said = f'<div class="ak-said">{"".join(self._said())}</div>'
        return f"{said}{self._choices()}{self._nearby()}{self._sources()}{self._related()}"

    def _said(self) -> Iterator[str]:
        reply, outcome = self._reply, self._reply.outcome
        if self._figures is not None:
            yield self._figures.html()
        elif isinstance(outcome, Refusal):
            yield from (f"<p>{quoted(plain(part))}</p>" for part in outcome.message.split("\n\n"))
        if reply.narrative is not None:
            yield from self._told(reply.narrative)
        elif isinstance(reply.documents, Refusal):
            yield f'<p class="ak-note">{quoted(self._texts["figures.documents_none"])}</p>'
        if reply.by_model:
            yield f'<p class="ak-sign">{quoted(self._texts["cite.by_model"])}</p>'

    def _told(self, answer: Answer) -> Iterator[str]:
        yield from map(self._block, answer_blocks(answer))
        if answer.note:
            yield f'<p class="ak-note">{quoted(plain(answer.note))}</p>'

    def _block(self, block: AnswerBlock) -> str:
        if isinstance(block, Paragraph):
            return f"<p>{_joined([self._stretch(said) for said in block.stretches])}</p>"
        return self._list(block) if isinstance(block, Items) else self._table(block)

    def _stretch(self, said: Stretch) -> str:
        words = _joined([quoted(plain(text)) for text in said.texts])
        marks = self._views.marks(said.cited)
        return f'{words}<span class="ak-marks">{marks}</span>' if marks else words

    def _list(self, block: Items) -> str:
        tag = "ol" if block.numbers else "ul"
        values = [f' value="{number}"' for number in block.numbers] or [""] * len(block.items)
        items = "".join(
            f"<li{value}>{self._stretch(item)}</li>" for value, item in zip(values, block.items, strict=True)
        )
        return f"<{tag}>{items}</{tag}>"

    def _table(self, block: Table) -> str:
        head = "".join(f'<th scope="col">{quoted(plain(text))}</th>' for text in block.head)
        rows = "".join(f"<tr>{self._cells(row)}</tr>" for row in block.rows)
        return (
            f'<div class="ak-scroll" role="region" tabindex="0" aria-label="{quoted(self._texts["page.table"])}">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )

    def _cells(self, row: Stretch) -> str:
        """The marks stand in the first column, which is seen however far a wide table is scrolled."""
        first, *others = row.texts
        return f"<td>{self._stretch(Stretch((first,), row.cited))}</td>" + (
            "".join(f"<td>{quoted(plain(text))}</td>" for text in others)
        )

    def _choices(self) -> str:
        """The choices of a question asked back, or the other readings of one that was answered on an assumption."""
        found = self._reply.figures.clarification if self._reply.figures else None
        if found is None or not found.narrowing_options:
            return ""
        assumed = found.mode is ClarifyMode.ANSWER_WITH_ASSUMPTIONS
        title = self._title("page.instead" if assumed else "page.choices")
        return _asking("choices", title, [(option.label, option.question) for option in found.narrowing_options])

    def _nearby(self) -> str:
        """For a refusal: what the material holds near the question; as buttons what answers when it is asked for."""
        if not self._nearby_offers:
            return ""
        asked = [(offer.label, offer.question) for offer in self._nearby_offers]
        return _asking("nearby", self._title("page.nearby_title"), asked)

    def _sources(self) -> str:
        rendered, opened = self._rendered, quoted(self._around["page.open_source"])
        lines = [
            self._source_line(source.number, self._figures.source_view(source), source.label, "")
            for source in rendered.fact_sources
            if self._figures is not None
        ]
        for source in rendered.sources:
            link = (
                f'<a href="{quoted(address)}" target="_blank" rel="noopener"{self._lang} '
                f'aria-label="{opened}: {quoted(source.label)}">{opened}</a>'
                if (address := escape.url(source.url))
                else ""
            )
            lines.append(self._source_line(source.number, self._views.of_source(source), source.label, link))
        if not lines:
            return ""
        return _listed("sources", self._title("cite.sources"), f"<ol>{''.join(lines)}</ol>")

    def _source_line(self, number: int, view: int, label: str, link: str) -> str:
        return (
            f'<li value="{number}"><button type="button" class="ak-source" data-view="{view}">{quoted(label)}</button> '
            f"{link}</li>"
        )

    def _related(self) -> str:
        pages = [(page.label, escape.url(page.url)) for page in self._rendered.homepage_links]
        links = "".join(
            f'<li><a href="{quoted(url)}" target="_blank" rel="noopener">{quoted(plain(label))}</a></li>'
            for label, url in pages
            if url
        )
        return _listed("related", self._title("cite.related"), f"<ul>{links}</ul>") if links else ""

    def _title(self, key: str) -> str:
        """A heading of the page's own, as HTML."""
        return f"<h3{self._lang}>{quoted(self._around[key])}</h3>"


def _asking(name: str, title: str, offered: Sequence[tuple[str, str]]) -> str:
    """Buttons that ask with one click; a label without a question is only told. `title` is HTML."""
    items = "".join(f"<li>{_option(quoted(plain(label)), question)}</li>" for label, question in offered)
    return f'<section class="ak-asking" id="{name}">{title}<ul>{items}</ul></section>'


def _option(label: str, question: str) -> str:
    """`label` is HTML."""
    if not question:
        return f'<span class="ak-named">{label}</span>'
    return f'<button type="button" class="ak-option" data-ask="{quoted(question)}">{label}</button>'


def _listed(name: str, title: str, items: str) -> str:
    return f'<section class="ak-{name}" id="{name}">{title}{items}</section>'


def _joined(words: Sequence[str]) -> str:
    """Sentences with spaces between them, except after the full-width marks of Chinese, which bring their own."""
    text = ""
    for word in filter(None, words):
        text += word if not text or text.endswith(FULL_WIDTH) else f" {word}"
    return text
