"""What does the page show beside the answer: the pages that it stands on, and how it came about?

Everything here is HTML that we wrote around escaped text; no text of a document or question is ever markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape as quoted
from importlib.resources import files

from ankare.cite.body import picture_url
from ankare.cite.escape import plain
from ankare.cite.markdown import Source
from ankare.domain.agents import AgentRun
from ankare.domain.answer import Citation
from ankare.domain.evidence import Hit
from ankare.domain.reply import Reply
from ankare.messages import messages
from ankare.service.desk import Served

CONTEXT_CHARS = 160
MOST_PICTURES = 12
Span = tuple[int, int]


def style() -> str:
    """The page's style sheet."""
    return (files("ankare.service") / "page.css").read_text(encoding="utf-8")


def head_html(language: str) -> str:
    """The heading of the page."""
    texts = messages(language)
    return f'<div class="ak-head"><h1>{quoted(texts["page.title"])}</h1><p>{quoted(texts["page.intro"])}</p></div>'


def notice_html(text: str) -> str:
    """A quiet line under the heading."""
    return f'<p class="ak-notice">{quoted(text)}</p>'


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
    hits = "".join(_hit_row(rank, hit, texts) for rank, hit in enumerate(served.reply.hits, start=1))
    times = _pairs(
        (_named(texts, "step", t.step), f"{t.milliseconds:.2f} {texts['debug.milliseconds']}")
        for t in served.reply.timings
    )
    return (
        f'<div class="ak-debug"><h3>{quoted(texts["debug.decision"])}</h3>{_decision(served, language)}'
        f"{_agents(served.reply, texts)}"
        f'<h3>{quoted(texts["debug.hits"])}</h3><table class="ak-hits"><thead><tr>{head}</tr></thead>'
        f"<tbody>{hits}</tbody></table><h3>{quoted(texts['debug.times'])}</h3>{times}</div>"
    )


def _agents(reply: Reply, texts: Mapping[str, str]) -> str:
    """What each agent was asked and how it ended; nothing where none was."""
    record = reply.shadow.pipeline if reply.shadow else reply.pipeline
    if record is None or not record.agents:
        return ""
    told = [("review", record.review.value), ("final", record.final.value), ("origin", record.origin.value)]
    rows = [(texts["debug." + key], value) for key, value in told]
    rows += [(f"{run.agent.value}, {run.agent.role}", _run(run, texts)) for run in record.agents]
    return f"<h3>{quoted(texts['debug.agents'])}</h3>{_pairs(rows)}"


def _run(run: AgentRun, texts: Mapping[str, str]) -> str:
    used = run.usage.total_tokens if run.usage else None
    tokens = texts["debug.unknown"] if used is None else str(used)
    reason = [_named(texts, "reason", run.reason)] if run.reason else []
    spent = f"{run.milliseconds:.0f} {texts['debug.milliseconds']}"
    return ", ".join((run.status.value, *reason, run.model, spent, f"{texts['debug.tokens']}: {tokens}"))


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
        body = f"<p>{quoted(texts['page.no_picture'])}</p>" + "".join(_passages(source))
    opened = " open" if place == 0 else ""
    return (
        f'<details{opened}><summary>{source.number}. {label}</summary><div class="ak-body">{link}{body}</div></details>'
    )


def _passages(source: Source) -> Iterator[str]:
    """The cited text in its context, marked. Citations that stand close to each other share one passage."""
    by_chunk: dict[str, list[Citation]] = {}
    for citation in source.citations:
        by_chunk.setdefault(citation.chunk.id, []).append(citation)
    for citations in by_chunk.values():
        text = citations[0].chunk.text
        for marks in _neighbours(_merged((c.start, c.end) for c in citations)):
            yield f"<blockquote>{_passage(text, marks)}</blockquote>"


def _merged(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that overlap made one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _neighbours(spans: Sequence[Span]) -> list[list[Span]]:
    """Spans whose contexts meet stand together."""
    together: list[list[Span]] = []
    for span in spans:
        if together and span[0] - together[-1][-1][1] <= 2 * CONTEXT_CHARS:
            together[-1].append(span)
        else:
            together.append([span])
    return together


def _passage(text: str, marks: Sequence[Span]) -> str:
    """Some text before the first mark, everything up to the last one, and some text after it; cut between words."""
    first, last = marks[0][0], marks[-1][1]
    start, end = max(0, first - CONTEXT_CHARS), min(len(text), last + CONTEXT_CHARS)
    if start and (gap := re.search(r"\s", text[start:first])):
        start += gap.end()
    if end < len(text) and (gap := re.search(r"\s\S*$", text[last:end])):
        end = last + gap.start()
    shown, at = "… " if start else "", start
    for mark_start, mark_end in marks:
        shown += _lines(text[at:mark_start]) + f"<mark>{_lines(text[mark_start:mark_end])}</mark>"
        at = mark_end
    return shown + _lines(text[at:end]) + (" …" if end < len(text) else "")


def _lines(text: str) -> str:
    """Text as HTML with its line breaks, and with the space at its ends."""
    return "<br>".join(quoted(_spaced(line)) for line in re.split(r"\s*\n\s*", text))


def _spaced(line: str) -> str:
    inner = plain(line)
    if not inner:
        return " " if line else ""
    return " " * line[0].isspace() + inner + " " * line[-1].isspace()


def _decision(served: Served, language: str) -> str:
    texts, reply, relevance = messages(language), served.reply, served.reply.relevance
    pipeline = served.body["agentic_pipeline"]
    fallback = pipeline.get("fallback_reason") if isinstance(pipeline, dict) else None
    rows = {
        "answered": texts["debug.yes"] if reply.answered else texts["debug.no"],
        "reason": _named(texts, "reason", relevance.reason),
        "type": _named(texts, "type", reply.question.type.value),
        "language": _named(texts, "language", reply.question.language),
        "covered": ", ".join(relevance.covered),
        "missing": ", ".join(relevance.missing),
        "coverage": f"{relevance.coverage:.2f}",
        "route": _named(texts, "route", reply.route),
        "fallback": _named(texts, "reason", str(fallback)) if fallback else "–",
        "version": reply.index_version,
    }
    return _pairs((texts["debug." + key], value) for key, value in rows.items())


def _pairs(rows: Iterable[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><th>{quoted(name)}</th><td>{quoted(plain(value))}</td></tr>" for name, value in rows)
    return f"<table><tbody>{cells}</tbody></table>"


def _named(texts: Mapping[str, str], table: str, code: str) -> str:
    """What a code means, in words, with the code that the API uses; the code alone where there are no words for it."""
    words = texts.get(f"{table}.{code}")
    return f"{words} ({code})" if words else code


def _hit_row(rank: int, hit: Hit, texts: Mapping[str, str]) -> str:
    parts = ", ".join(f"{texts.get('part.' + part.name, part.name)} {part.contribution:.3f}" for part in hit.parts)
    pages = ", ".join(str(page) for page in hit.chunk.pages)
    cells = (str(rank), hit.chunk.source, pages, " › ".join(hit.chunk.section), f"{hit.score:.3f}", parts)
    return "<tr>" + "".join(f"<td>{quoted(plain(cell))}</td>" for cell in cells) + "</tr>"
