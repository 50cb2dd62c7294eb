"""What is shown of a case once it is opened: the evidence in its passage, what gates and agents decided, its scores?

One block of JSON for all cases. A text that stands in many places is kept once, in `texts`, and named by its number; a passage
holds what is cited and a little around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ankare.evaluation.captured import Capture, Context, Response
from ankare.evaluation.case import Case
from ankare.evaluation.report.cases import Extent, holds_up, numbered, place_of
from ankare.evaluation.report.passages import passages
from ankare.evaluation.report.safe import picture, seen, shortened
from ankare.evaluation.report.told import Report, ReportRun
from ankare.evaluation.report.words import Words, decimals_of
from ankare.evaluation.scored import Measure, Scored

MOST_QUOTES, MOST_PAGES, MOST_HITS, MOST_SENTENCES, MOST_CALLS = 30, 6, 8, 30, 12

Json = dict[str, Any]


class Texts:
    """Texts that are kept once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        """The number under which a text is kept."""
        return self._places.setdefault(seen(text), len(self._places))

    def all(self) -> list[str]:
        """The texts by their numbers."""
        return list(self._places)


def block(report: Report, words: Words, extent: Extent) -> Json:
    """The data of all cases, in the order in which they stand in the page."""
    texts = Texts()
    shown = report.shown_measures()
    cases = [_case(case, report, shown, words, extent, texts) for case in report.cases()]
    return {
        "runs": [run.name for run in report.runs],
        "measures": [{"id": one.name, "name": words.labelled(one), "up": str(one.better)} for one in shown],
        "labels": _labels(words),
        "cases": cases,
        "texts": texts.all(),
    }


def _labels(words: Words) -> Json:
    """What the script says."""
    keys = (
        "evidence", "decisions", "scores", "measure", "open_page", "agents", "used", "grounding", "relevance",
        "hits", "judged", "shown", "missing", "conflict", "near", "page",
    )  # fmt: skip
    places = {name: f"{{{name}}}" for name in ("shown", "all", "before", "after", "pages")}
    return {key: words(f"js_{key}", **places) for key in keys}


def _case(case: Case, report: Report, shown: Sequence[Measure], words: Words, extent: Extent, texts: Texts) -> Json:
    rows = [run.first(case.id) for run in report.runs]
    return {
        "id": seen(case.id),
        "type": seen(case.type),
        "outcomes": [str(row.outcome) if row else "" for row in rows],
        "asides": [bool(row and row.aside) for row in rows],
        "values": [list(_values(run.rows.get(case.id, ()), shown)) for run in report.runs],
        "answers": [
            _answer(run, row, words, extent, texts) if row else {} for run, row in zip(report.runs, rows, strict=True)
        ],
    }


def _values(rows: Sequence[Scored], shown: Sequence[Measure]) -> Iterator[float | None]:
    """The mean over the case's repeats of each shown measure, rounded for the reader; None where it does not count."""
    for measure in shown:
        held = [
            row.values[measure.name]
            for row in rows
            if measure.name in row.values and not (measure.of_path and row.aside)
        ]
        if held:
            mean = sum(held) / len(held)
            yield round(mean, max(decimals_of(measure, mean), 4 if not measure.unit else 0))
        else:
            yield None


def _answer(run: ReportRun, row: Scored, words: Words, extent: Extent, texts: Texts) -> Json:
    capture = run.captures.get((row.case_id, row.repeat))
    told: Json = {}
    judged = list(_judged(row, texts))
    if judged:
        told["judged"] = judged
    if capture is None or capture.response is None:
        return told
    if extent.evidence:
        told["evidence"] = list(_evidence(capture, capture.response, run, extent, texts))
    told |= {name: value for name, value in _decisions(capture, capture.response, words, texts).items() if value}
    return told


def _evidence(capture: Capture, response: Response, run: ReportRun, extent: Extent, texts: Texts) -> Iterator[Json]:
    """For each cited place its number, its passages with what is cited in them, and where its page can be seen."""
    contexts = (*response.context, *response.chain.context)
    known = {one.chunk_id: one.text for one in contexts if one.text and one.chunk_id}
    pictures = _pictures(capture, run.scored.conditions.base_url)
    cited = list(dict.fromkeys(span for one in response.statements for span in one.evidence if span.text))
    for (source, pages), number in numbered(response.statements).items():
        spans = [span for span in cited if (span.source, span.pages) == (source, pages)][:MOST_QUOTES]
        told: Json = {"n": number, "source": texts.place(source), "pages": list(pages[:MOST_PAGES])}
        told["passages"] = [[texts.place(part) for part in one] for one in passages(spans, known, extent.around)]
        link = next((pictures[source, page] for page in pages if (source, page) in pictures), "")
        yield told | ({"link": link} if link else {})


def _pictures(capture: Capture, base_url: str) -> dict[tuple[str, int], str]:
    """Where the pages of the sources can be seen on the server that answered."""
    found = {}
    sources = (capture.body or {}).get("sources")
    for one in sources if isinstance(sources, list) else ():
        if isinstance(one, Mapping) and isinstance(one.get("pages"), list):
            link = picture(base_url, one.get("page_image"))
            found.update(
                {(str(one.get("source")), page): link for page in one["pages"] if link and isinstance(page, int)}
            )
    return found


def _judged(row: Scored, texts: Texts) -> Iterator[Json]:
    """Sentences that are not supported, with the nearest one of the sources and what is missing in it."""
    details = row.details.get("faithfulness")
    statements = details.get("statements") if isinstance(details, Mapping) else None
    for one in statements[:MOST_SENTENCES] if isinstance(statements, list) else ():
        if not isinstance(one, Mapping) or holds_up(one):
            continue
        told: Json = {"text": texts.place(str(one.get("text", "")))}
        for name in ("sentence", "source", "conflict"):
            if isinstance(one.get(name), str) and one[name]:
                told[name] = texts.place(str(one[name]))
        missing = one.get("missing")
        if isinstance(missing, list) and missing:
            told["missing"] = texts.place(", ".join(map(str, missing[:8])))
        yield told


def _decisions(capture: Capture, response: Response, words: Words, texts: Texts) -> Json:
    """What gates and agents decided, in words."""
    return {
        "ms": round(capture.wall_ms),
        "gate": _gate(capture.body or {}, words, texts),
        "path": _path(response, words, texts),
        "agents": [_call(one, words, texts) for one in response.chain.calls[:MOST_CALLS]],
        "sentences": [
            _sentence(number, one, words, texts)
            for number, one in enumerate(response.chain.sentences[:MOST_SENTENCES], 1)
            if isinstance(one, Mapping)
        ],
        "hits": [_hit(one, words, texts) for one in response.context[:MOST_HITS]],
    }


def _gate(body: Mapping[str, Any], words: Words, texts: Texts) -> list[int]:
    """The relevance gate: its verdict, its reason, its figures, each as one text."""
    retrieval = body.get("retrieval")
    if not isinstance(retrieval, Mapping) or not isinstance(retrieval.get("relevance_supported"), bool):
        return []
    told = [words("gate_passed" if retrieval["relevance_supported"] else "gate_blocked")]
    told.append(words.named("reason", str(retrieval.get("relevance_reason") or "")))
    for name in ("probability", "coverage"):
        value = retrieval.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            told.append(f"{words(f'gate_{name}')} {words.number(float(value), 2)}")
    return [texts.place(shortened(one, 200)) for one in told if one]


def _path(response: Response, words: Words, texts: Texts) -> list[int]:
    """How the answer came about, each as one text."""
    chain = response.chain
    told = [f"{words('origin')}: {words.coded('origin', response.origin)}"] if response.origin else []
    if response.refusal_reason:
        told.append(f"{words('refusal')}: {words.named('reason', response.refusal_reason)}")
    if chain.final_status and chain.final_status != "not_run":
        told.append(f"{words('final')}: {words.coded('state', chain.final_status)}")
    if chain.review_status and chain.review_status != "not_run":
        told.append(f"{words('review')}: {words.coded('state', chain.review_status)}")
    if chain.fallback_reason:
        told.append(f"{words('fallback')}: {words.named('reason', chain.fallback_reason)}")
    if response.model not in ("", "none"):
        told.append(f"{words('model')}: {response.model}")
    return [texts.place(shortened(one, 200)) for one in told]


def _call(one: Any, words: Words, texts: Texts) -> list[int | float | None]:
    """Agent and model, how it ended, milliseconds, tokens in and out."""
    name = words.coded("agent", one.agent) + (f" ({one.model})" if one.model else "")
    status = words.coded("state", one.status) + (f": {words.named('reason', one.reason)}" if one.reason else "")
    ms = None if one.ms is None else round(one.ms)
    return [
        texts.place(shortened(name, 120)),
        texts.place(shortened(status, 200)),
        ms,
        one.prompt_tokens,
        one.completion_tokens,
    ]


def _sentence(number: int, one: Mapping[str, Any], words: Words, texts: Texts) -> list[int]:
    """One verdict of the grounding gate: 1 or 0, and the sentence with its reason; its number where its text is not told."""
    reason = words.coded("ungrounded", str(one.get("reason") or ""))
    said = str(one.get("text") or "") or words("sentence", number=number)
    told = ": ".join(filter(None, (said, reason)))
    return [int(one.get("supported") is True), texts.place(shortened(told, 300))]


def _hit(one: Context, words: Words, texts: Texts) -> list[int]:
    """Where a hit stands, as one text."""
    section = " › ".join(filter(None, (one.title, one.section)))
    return [texts.place(shortened(": ".join(filter(None, (place_of(one, words), section))), 200))]


def size_of(parts: Iterable[str]) -> int:
    """Bytes in UTF-8."""
    return sum(len(part.encode("utf-8")) for part in parts)
