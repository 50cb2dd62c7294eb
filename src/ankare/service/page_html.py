"""What does the page show beside the answer: the pages that it stands on, and how it came about?

Everything here is HTML that we wrote around escaped text; no text of a document or question is ever markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape as quoted
from importlib.resources import files

from ankare.cite.body import picture_url
from ankare.cite.escape import plain
from ankare.cite.markdown import Source
from ankare.domain.evidence import Hit
from ankare.messages import messages
from ankare.service.desk import Served

CONTEXT_CHARS = 160
MOST_PICTURES = 12


def style() -> str:
    """The page's style sheet."""
    return (files("ankare.service") / "page.css").read_text(encoding="utf-8")


def head_html(language: str) -> str:
    """The heading of the page."""
    texts = messages(language)
    return f'<div class="ak-head"><h1>{quoted(texts["page.title"])}</h1><p>{quoted(texts["page.intro"])}</p></div>'


def sources_html(sources: Sequence[Source], language: str) -> str:
    """Each cited page as a picture with the sentence marked, or as quoted text where the format has no pages."""
    if not sources:
        return ""
    texts = messages(language)
    shown = "".join(_source(source, language, place) for place, source in enumerate(sources[:MOST_PICTURES]))
    return f'<div class="ak-sources"><h3>{quoted(texts["page.pictures"])}</h3>{shown}</div>'


def debug_html(served: Served, language: str) -> str:
    """The decision, the hits with the parts of their scores, and the times."""
    texts = messages(language)
    head = "".join(
        f"<th>{quoted(texts['debug.' + key])}</th>" for key in ("rank", "source", "pages", "section", "score", "parts")
    )
    hits = "".join(_hit_row(rank, hit) for rank, hit in enumerate(served.reply.hits, start=1))
    times = _pairs((t.step, f"{t.milliseconds:.2f} {texts['debug.milliseconds']}") for t in served.reply.timings)
    return (
        f'<div class="ak-debug"><h3>{quoted(texts["debug.decision"])}</h3>{_decision(served, language)}'
        f"<h3>{quoted(texts['debug.hits'])}</h3><table><thead><tr>{head}</tr></thead><tbody>{hits}</tbody></table>"
        f"<h3>{quoted(texts['debug.times'])}</h3>{times}</div>"
    )


def _source(source: Source, language: str, place: int) -> str:
    texts = messages(language)
    label = quoted(source.label)
    link = (
        f'<p><a href="{quoted(source.url)}" target="_blank" rel="noopener">{quoted(texts["page.open_source"])}</a></p>'
    )
    picture = picture_url(source)
    if picture:
        alt = quoted(texts["page.picture_alt"].format(label=source.label))
        body = f'<img loading="lazy" src="{quoted(picture)}" alt="{alt}">'
    else:
        body = f"<p>{quoted(texts['page.no_picture'])}</p>" + "".join(_quote(source))
    opened = " open" if place == 0 else ""
    return (
        f'<details{opened}><summary>{source.number}. {label}</summary><div class="ak-body">{link}{body}</div></details>'
    )


def _quote(source: Source) -> Iterable[str]:
    """Each citation in its context, the cited text marked."""
    for citation in source.citations:
        text = citation.chunk.text
        before = text[max(0, citation.start - CONTEXT_CHARS) : citation.start]
        after = text[citation.end : citation.end + CONTEXT_CHARS]
        yield (
            f"<blockquote>{_open(before, citation.start > CONTEXT_CHARS)}"
            f"<mark>{quoted(plain(citation.quote))}</mark> {quoted(plain(after))}</blockquote>"
        )


def _open(before: str, cut: bool) -> str:
    return ("… " if cut else "") + (quoted(plain(before)) + " " if before.strip() else "")


def _decision(served: Served, language: str) -> str:
    texts, reply, relevance = messages(language), served.reply, served.reply.relevance
    pipeline = served.body["agentic_pipeline"]
    fallback = pipeline.get("fallback_reason") if isinstance(pipeline, dict) else None
    rows = {
        "answered": texts["debug.yes"] if reply.answered else texts["debug.no"],
        "reason": relevance.reason,
        "type": reply.question.type.value,
        "language": reply.question.language,
        "covered": ", ".join(relevance.covered),
        "missing": ", ".join(relevance.missing),
        "coverage": f"{relevance.coverage:.2f}",
        "route": reply.route,
        "fallback": str(fallback or "–"),
        "version": reply.index_version,
    }
    return _pairs((texts["debug." + key], value) for key, value in rows.items())


def _pairs(rows: Iterable[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><th>{quoted(name)}</th><td>{quoted(plain(value))}</td></tr>" for name, value in rows)
    return f"<table><tbody>{cells}</tbody></table>"


def _hit_row(rank: int, hit: Hit) -> str:
    parts = ", ".join(f"{part.name} {part.contribution:.3f}" for part in hit.parts)
    pages = ", ".join(str(page) for page in hit.chunk.pages)
    cells = (str(rank), hit.chunk.source, pages, " › ".join(hit.chunk.section), f"{hit.score:.3f}", parts)
    return "<tr>" + "".join(f"<td>{quoted(plain(cell))}</td>" for cell in cells) + "</tr>"
