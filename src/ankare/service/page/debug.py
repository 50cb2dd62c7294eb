"""How did an answer come about: route, decision, hits with the parts of their scores, agents, the gate's verdicts, times?

HTML that we wrote around escaped text. No text of a model stands here that the gate has not passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape as quoted

from ankare.cite.escape import plain
from ankare.domain.agents import AgentRun, Pipeline
from ankare.domain.evidence import Hit, ScorePart
from ankare.domain.grounding import SentenceVerdict
from ankare.domain.reply import Reply
from ankare.messages import messages
from ankare.service.desk import Served

BAR = 90.0
"""The width of the longest bar."""


def debug_html(served: Served, language: str) -> str:
    """Everything, section by section, in the page's language."""
    texts = messages(language)
    reply = served.reply
    record = reply.shadow.pipeline if reply.shadow else reply.pipeline
    sections = (
        ("decision", _decision(served, texts)),
        ("hits", _hits(reply, texts)),
        ("agents", _agents(record, texts) if record else ""),
        ("grounding", _grounding(record, texts, shown=reply.shadow is None) if record else ""),
        ("times", _times(reply, texts)),
    )
    told = "".join(f"<h4>{quoted(texts['debug.' + name])}</h4>{html}" for name, html in sections if html)
    return f'<div class="ak-debug">{told}</div>'


def _decision(served: Served, texts: Mapping[str, str]) -> str:
    reply, relevance, body = served.reply, served.reply.relevance, served.body
    pipeline = body["agentic_pipeline"]
    fallback = pipeline.get("fallback_reason") if isinstance(pipeline, dict) else None
    fallback = fallback or (reply.figures.fell_back if reply.figures else None)
    semantic = "–" if relevance.semantic is None else f"{relevance.semantic:.2f}"
    rows = {
        "answered": texts["debug.yes"] if reply.answered else texts["debug.no"],
        "route": _named(texts, "route", reply.route),
        "reason": _named(texts, "reason", relevance.reason),
        "covered": ", ".join(relevance.covered),
        "missing": ", ".join(relevance.missing),
        "coverage": f"{relevance.coverage:.2f}",
        "probability": f"{relevance.probability:.2f}",
        "semantic": semantic,
        "type": _named(texts, "type", reply.question.type.value),
        "language": _named(texts, "language", reply.question.language),
        "origin": reply.origin,
        "fallback": _named(texts, "reason", str(fallback)) if fallback else "–",
        "version": reply.index_version,
        "revision": str(body.get("revision") or "–"),
        "answer_id": str(body.get("answer_id") or "–"),
    }
    return _pairs((texts["debug." + key], value) for key, value in rows.items())


def _hits(reply: Reply, texts: Mapping[str, str]) -> str:
    if not reply.hits:
        return ""
    names = ("rank", "source", "pages", "section", "score", "parts")
    head = "".join(f'<th scope="col">{quoted(texts["debug." + name])}</th>' for name in names)
    most = max((abs(part.contribution) for hit in reply.hits for part in hit.parts), default=0.0) or 1.0
    rows = "".join(_hit_row(rank, hit, texts, most) for rank, hit in enumerate(reply.hits, start=1))
    return _scrolled(
        f"<table class='ak-hits'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>", texts["debug.hits"]
    )


def _hit_row(rank: int, hit: Hit, texts: Mapping[str, str], most: float) -> str:
    pages = ", ".join(str(page) for page in hit.chunk.pages)
    cells = (str(rank), hit.chunk.source, pages, " › ".join(hit.chunk.section), f"{hit.score:.3f}")
    parts = "".join(_part(part, texts, most) for part in hit.parts if part.contribution)
    told = "".join(f"<td>{quoted(plain(cell))}</td>" for cell in cells)
    return f'<tr>{told}<td><ul class="ak-parts">{parts}</ul></td></tr>'


def _part(part: ScorePart, texts: Mapping[str, str], most: float) -> str:
    """One summand: its name, a bar as long as what it added, and that in figures."""
    name = texts.get("part." + part.name, part.name)
    width = BAR * min(1.0, abs(part.contribution) / most)
    sign = " ak-less" if part.contribution < 0 else ""
    return (
        f"<li><span>{quoted(plain(name))}</span>"
        f'<svg class="ak-share{sign}" viewBox="0 0 {BAR:g} 8" width="{BAR:g}" height="8" aria-hidden="true">'
        f'<rect width="{width:.1f}" height="8"/></svg><span class="ak-number">{part.contribution:.3f}</span></li>'
    )


def _agents(record: Pipeline, texts: Mapping[str, str]) -> str:
    if not record.agents:
        return ""
    told = [("review", record.review.value), ("final", record.final.value), ("origin", record.origin.value)]
    rows = [(texts["debug." + key], value) for key, value in told]
    rows += [(f"{run.agent.value}, {run.agent.role}", _run(run, texts)) for run in record.agents]
    return _pairs(rows)


def _run(run: AgentRun, texts: Mapping[str, str]) -> str:
    used = run.usage.total_tokens if run.usage else None
    tokens = texts["debug.unknown"] if used is None else str(used)
    reason = [_named(texts, "reason", run.reason)] if run.reason else []
    spent = f"{run.milliseconds:.0f} {texts['debug.milliseconds']}"
    return ", ".join((run.status.value, *reason, run.model, spent, f"{texts['debug.tokens']}: {tokens}"))


def _grounding(record: Pipeline, texts: Mapping[str, str], *, shown: bool) -> str:
    """The verdict on each sentence; its words only where they were published."""
    found = record.grounding
    if found is None:
        return ""
    verdict = texts["debug.passed" if found.passed else "debug.blocked"]
    told = shown and found.passed
    items = "".join(f"<li>{_sentence(sentence, texts, told=told)}</li>" for sentence in found.sentences)
    return f"<p>{quoted(verdict)}</p><ol>{items}</ol>"


def _sentence(sentence: SentenceVerdict, texts: Mapping[str, str], *, told: bool) -> str:
    verdict = texts["debug.supported"] if sentence.supported else f"{texts['debug.unsupported']} ({sentence.reason})"
    words = f"{plain(sentence.text)} " if told else ""
    return quoted(f"{words}[{verdict}, {sentence.score:.2f}]")


def _times(reply: Reply, texts: Mapping[str, str]) -> str:
    return _pairs(
        (_named(texts, "step", t.step), f"{t.milliseconds:.2f} {texts['debug.milliseconds']}") for t in reply.timings
    )


def _pairs(rows: Iterable[tuple[str, str]]) -> str:
    cells = "".join(_pair(name, value) for name, value in rows)
    return f"<table class='ak-pairs'><tbody>{cells}</tbody></table>"


def _pair(name: str, value: str) -> str:
    return f'<tr><th scope="row">{quoted(name)}</th><td>{quoted(plain(value))}</td></tr>'


def _scrolled(table: str, name: str) -> str:
    return f'<div class="ak-scroll" role="region" tabindex="0" aria-label="{quoted(name)}">{table}</div>'


def _named(texts: Mapping[str, str], table: str, code: str) -> str:
    """What a code means, in words, with the code that the API uses; the code alone where there are no words for it."""
    words = texts.get(f"{table}.{code}")
    return f"{words} ({code})" if words else code
