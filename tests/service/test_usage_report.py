"""A report says the same in every form and language, and nothing that somebody wrote acts in it."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from ankare.service.watch import usage_html, usage_markdown
from ankare.service.watch.usage_collect import summarise_usage
from ankare.service.watch.usage_html import report_html, sections_html
from ankare.service.watch.usage_markdown import report_markdown, write_tables
from ankare.service.watch.usage_period import period_of
from ankare.service.watch.usage_sections import Section, report_sections
from ankare.service.watch.usage_summary import UsageSummary
from ankare.service.watch.usage_words import Words
from tests.posted import CALLS, called, reads
from tests.service.usage_lines import line, write_log

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3)) | `=cmd|' /C calc'!A0` &amp; gymkort"
FORMULA = '=HYPERLINK("http://elak.example/") gymkort'


def evil_summary(tmp_path: Path) -> UsageSummary:
    """Everything that a caller, a model or a reader can write, written by somebody evil."""
    hour = timedelta(hours=1)
    refused = {"outcome": "refused", "reason": EVIL, "missing": [EVIL], "question_key": EVIL}
    told = [
        line(NOW - timedelta(days=80)),
        line(
            NOW - hour, question=EVIL, answer_id="a" * 32, route=EVIL, channel=EVIL, key=EVIL, language=EVIL, **refused
        ),
        line(NOW - hour, question=EVIL, **refused),
        line(NOW - 2 * hour, question=FORMULA, key="=1+1", **{**refused, "question_key": "k2"}),
        line(NOW - hour, **{**refused, "question_key": EVIL[::-1]}),
        line(NOW - hour, agents=2, final="fallback", steps_ms={EVIL: 3.0}, question_type=EVIL),
        line(NOW - hour, outcome="error", reason=EVIL),
        line(NOW - hour, agentic={"agents": [{"agent": EVIL, "ms": 4}], "final_status": EVIL, "fallback_reason": EVIL}),
    ]
    thumb = {"time": (NOW - hour).isoformat(), "rating": "down", "answer_id": "a" * 32, "reason": EVIL}
    write_log(tmp_path / "home" / "feedback", [{**thumb, "comment": EVIL, "question": FORMULA}], "feedback.jsonl")
    folder = write_log(tmp_path / "log", told)
    return summarise_usage([folder], tmp_path / "home", period_of(zone="UTC", now=NOW))


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("language", ["sv", "en", "zh"])
def test_nothing_that_somebody_wrote_is_markup(tmp_path: Path, language: str) -> None:
    page = report_html(report_sections(evil_summary(tmp_path), language), language)
    elements = Elements()
    elements.feed(page)
    tags = {tag for tag, _ in elements.found}
    assert not tags & {"script", "img", "a", "iframe", "form", "link", "object"}
    assert not any(
        name.startswith("on") or name in ("href", "src", "style") for _, given in elements.found for name in given
    )
    assert "&lt;script&gt;" in page


def test_saboteur_without_escaping_the_markup_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage_html, "quoted", str)
    elements = Elements()
    elements.feed(report_html(report_sections(evil_summary(tmp_path), "en"), "en"))
    assert {"script", "img"} & {tag for tag, _ in elements.found}


def test_saboteur_without_the_apostrophe_a_formula_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage_markdown, "harmless", str)
    summary = evil_summary(tmp_path)
    written = write_tables(summary, report_sections(summary, "en"), tmp_path / "csv")
    assert any(path.read_text("utf-8").count("\n=1+1,") for path in written)


def test_the_file_loads_nothing_and_its_policy_says_so(tmp_path: Path) -> None:
    page = report_html(report_sections(evil_summary(tmp_path), "en"), "en")
    assert "default-src 'none'; style-src 'sha256-" in page
    assert not re.search(r"url\(|@import|https?://(?!elak|www\.w3\.org)", page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_nothing_that_somebody_wrote_acts_in_markdown(tmp_path: Path) -> None:
    text = report_markdown(report_sections(evil_summary(tmp_path), "sv"), "sv")
    shown = MarkdownIt("commonmark").enable("table").render(text)
    elements = Elements()
    elements.feed(shown)
    assert {tag for tag, _ in elements.found} <= {"h1", "h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td"}
    widths = {row.count("<t") for row in re.findall(r"<tr>.*?</tr>", shown, re.DOTALL)}
    assert max(widths) <= 9


def test_a_report_that_is_posted_calls_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"question": CALLS, "question_key": "k", "key": CALLS, "channel": CALLS, "route": CALLS}
    refused = line(NOW - timedelta(hours=1), outcome="refused", reason=CALLS, missing=["octocat"], **asked)
    folder = write_log(tmp_path / "log", [refused, refused])
    sections = report_sections(summarise_usage([folder], None, period_of(zone="UTC", now=NOW)), "en")
    text = report_markdown(sections, "en")
    assert called(text) == []
    assert CALLS in reads(text)
    monkeypatch.setattr(usage_markdown, "unlinked", str)
    assert {"@o", "#1", "s://"} <= set(called(report_markdown(sections, "en")))


def test_no_cell_of_a_table_is_a_formula(tmp_path: Path) -> None:
    summary = evil_summary(tmp_path)
    written = write_tables(summary, report_sections(summary, "en"), tmp_path / "csv")
    assert {path.stem for path in written} >= {"figures", "subjects", "untold", "comments", "over_time", "by_key"}
    for path in written:
        rows = list(csv.reader(path.open(encoding="utf-8", newline="")))
        assert len({len(row) for row in rows}) == 1, path.name
        for row in rows:
            assert not any(re.match(r"[=+\-@\t\r]", cell) and not re.fullmatch(r"-?[\d.]+", cell) for cell in row), row


@pytest.mark.parametrize("language", ["sv", "en", "zh"])
def test_every_section_is_there_in_every_language(tmp_path: Path, language: str) -> None:
    summary = evil_summary(tmp_path)
    sections = report_sections(summary, language)
    assert [one.name for one in sections] == ["overview", "not_answered", "again", "who", "time", "models", "feedback"]
    figures = sections[0].tables[0]
    assert [row[1].value for row in figures.rows][:5] == [7, 2, 4, 0, 1]
    assert len(figures.head) == 4
    text = sections_html(sections)
    assert text.count("<svg") == sum(len(one.charts) for one in sections) >= 6


def said(sections: tuple[Section, ...]) -> str:
    return " ".join(line for one in sections for line in (*one.lines, *one.notes))


def test_what_is_not_known_is_told(tmp_path: Path) -> None:
    period = period_of(zone="UTC", now=NOW)
    assert "ANKARE_LOG_DIR" in said(report_sections(summarise_usage([], None, period), "en"))
    empty = write_log(tmp_path / "empty", [])
    assert "no questions of this time" in said(report_sections(summarise_usage([empty], None, period), "en"))
    refused = {"outcome": "refused", "reason": "no_hits", "question_key": "k"}
    folder = write_log(tmp_path / "log", [line(NOW - timedelta(hours=1), **refused), "{"])
    words = said(report_sections(summarise_usage([folder], None, period), "en"))
    assert "ANKARE_LOG_TEXTS=true" in words and "what they were about: 1." in words
    assert "Lines of the log that could not be read, and are left out: 1." in words
    assert "No comparison with the time before" in words
    summary = summarise_usage([folder], None, period)
    words = said(report_sections(replace(summary, log=replace(summary.log, complete=False)), "en"))
    assert "no time to read the whole log" in words


def test_silent_models_are_unknown_and_not_free(tmp_path: Path) -> None:
    silent = {"agents": [{"agent": "agent2", "status": "ok", "ms": 5, "usage": None}], "final_status": "approved"}
    folder = write_log(tmp_path, [line(NOW - timedelta(hours=1), agentic=silent)])
    sections = report_sections(summarise_usage([folder], None, period_of(zone="UTC", now=NOW)), "en")
    models = next(one for one in sections if one.name == "models")
    assert "told no tokens: 1 of 1." in models.lines[1]
    assert [cell.value for cell in models.tables[0].rows[0]][3:6] == [None, None, 1]


@pytest.mark.parametrize(
    ("language", "ms", "count", "share"),
    [
        ("sv", "1,5\u00a0s", "12\u00a0345", "12\u00a0%"),
        ("en", "1.5\u00a0s", "12,345", "12%"),
        ("zh", "1.5\u00a0s", "12,345", "12%"),
    ],
)
def test_figures_are_written_as_the_reader_writes_them(language: str, ms: str, count: str, share: str) -> None:
    words = Words(language)
    assert (words.ms(1500).shown, words.count(12345).shown, words.share(12, 100).shown) == (ms, count, share)
    assert words.share(1, 0).value is None
    assert words.name("reason", "{0.__class__}") == "{0.__class__}"
