"""Nothing that an answer, a document, a question or a server wrote is ever markup, script, formula or link."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html as parse_html
from markdown_it import MarkdownIt

from ankare.evaluation.report import safe
from ankare.evaluation.report.csv_tables import measures_csv, questions_csv
from ankare.evaluation.report.markdown import report_markdown
from ankare.evaluation.report.page import page_html
from ankare.evaluation.report.told import Report
from ankare.evaluation.report.words import Words
from tests.evaluation.reported import CASES, EVIL, EVIL_CASE, report
from tests.posted import CALLS, called, reads

ELEMENTS = frozenset(
    "html head meta title style body a header p h1 h2 h3 h4 div ul ol li span b nav main aside details summary section small "  # noqa: SIM905
    "table caption thead tbody tr th td figure figcaption svg desc text line rect path circle form label input select option "
    "output noscript sup q dl dt dd code script".split()
)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report(tmp_path_factory.mktemp("runs"), title=f"Titel {EVIL}")


@pytest.fixture(scope="module")
def page(told: Report) -> str:
    return page_html(told, Words("sv"))


def escapes(page: str) -> list[str]:
    """What in a page is not of the report's own making: foreign elements, attributes that act, scripts, addresses."""
    tree: Any = parse_html.document_fromstring(page)
    found = [one.tag for one in tree.iter() if isinstance(one.tag, str) and one.tag not in ELEMENTS]
    found += [
        f"{one.tag} {name}"
        for one in tree.iter()
        if isinstance(one.tag, str)
        for name in one.attrib
        if name.startswith("on") or name in ("style", "src", "srcdoc", "formaction")
    ]
    found += [str(one.tag) for one in tree.iter() if not isinstance(one.tag, str)]  # comments
    found += [href for href in tree.xpath("//@href") if not re.fullmatch(r"#[\w%.~-]+", href)]
    scripts = tree.xpath("//script")
    if [one.get("type") for one in scripts] != ["application/json", None]:
        found.append(f"{len(scripts)} scripts")
    return found


def test_hostile_text_stays_text_in_the_page(page: str) -> None:
    assert escapes(page) == []
    tree: Any = parse_html.document_fromstring(page)
    assert "<img src=x onerror" in tree.xpath("string(//details[contains(@class,'case')][.//q[contains(.,'Stycke')]])")
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u2028]", page)


@pytest.mark.parametrize("function", ["html", "json_block"])
def test_the_saboteur_that_escapes_nothing_is_caught(
    told: Report, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page as it would be, were one of the two ways in not closed."""
    loose = (lambda text: text) if function == "html" else (lambda value: json.dumps(value, ensure_ascii=False))
    for module in ("safe", "cases", "page", "sections", "tables"):
        name = f"ankare.evaluation.report.{module}.{function}"
        monkeypatch.setattr(name, loose, raising=False)
    assert escapes(page_html(told, Words("sv"))) != []


def test_the_block_of_data_says_what_was_said(page: str) -> None:
    tree: Any = parse_html.document_fromstring(page)
    raw = tree.xpath("//script[@id='data']")[0].text
    assert not re.search(r"[<>&\u2028\u2029]", raw)
    assert any("</script><script>" in text for text in json.loads(raw)["texts"])


def test_every_policy_lets_only_the_own_script_and_style_run(page: str) -> None:
    tree: Any = parse_html.document_fromstring(page)
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert re.fullmatch(
        r"default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'",
        policy,
    )


def test_hostile_text_stays_text_in_markdown(told: Report) -> None:
    text = report_markdown(told, Words("sv"))
    shown = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert "<script" not in shown
    assert "<img" not in shown
    assert "href=" not in shown
    rows = re.findall(r"^\|.*$", text, re.M)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} <= {4, 6}
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u2028]", text)


def calling(tmp_path: Path) -> Report:
    """A report whose title, names of runs, questions and reasons call people."""
    cases = tuple(replace(one, question=f"{one.question} {CALLS}") for one in CASES)
    told = report(tmp_path, title=CALLS, cases=cases)
    return replace(told, runs=tuple(replace(one, name=f"{one.name} {CALLS[:40]}") for one in told.runs))


def test_a_report_that_is_posted_calls_nobody(tmp_path: Path) -> None:
    text = report_markdown(calling(tmp_path), Words("sv"))
    assert called(text) == []
    assert CALLS in reads(text)


def test_the_saboteur_that_escapes_markup_alone_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe, "unlinked", str)
    assert {"@o", "#1", "s://"} <= set(called(report_markdown(calling(tmp_path), Words("sv"))))


@pytest.mark.parametrize("write", [questions_csv, measures_csv])
def test_no_cell_of_a_table_is_a_formula(told: Report, write: Any) -> None:
    for row in csv.reader(io.StringIO(write(told))):
        for cell in row:
            assert not re.match(r"\s*[=+@\t\r|%]", cell), cell
            if cell.startswith("-"):
                float(cell)  # a number may be negative


@pytest.mark.parametrize(
    ("base", "path", "kept"),
    [
        (
            "https://a.example",
            "/sources/a/pages/3.png?claim=c:0-9",
            "https://a.example/sources/a/pages/3.png?claim=c:0-9",
        ),
        ("https://a.example/x/", "/sources/a/pages/3.png", "https://a.example/x/sources/a/pages/3.png"),
        ("https://a.example", "https://a.example/sources/a/pages/3.png", "https://a.example/sources/a/pages/3.png"),
        ("https://a.example", "https://b.example/sources/a/pages/3.png", ""),
        ("https://a.example", "//b.example/sources/a/pages/3.png", ""),
        ("https://a.example", "/sources/../../admin", ""),
        ("https://a.example", "javascript:alert(1)", ""),
        ("https://a.example", '/sources/a/pages/3.png?x="><script>', ""),
        ("javascript:alert(1)", "/sources/a/pages/3.png", ""),
        ("https://user:pass@a.example", "/sources/a/pages/3.png", ""),
        ("", "/sources/a/pages/3.png", ""),
        ("https://a.example", None, ""),
        ("https://a.example", 7, ""),
    ],
)
def test_a_link_to_a_page_leads_to_the_server_that_answered_or_nowhere(base: str, path: object, kept: str) -> None:
    assert safe.picture(base, path) == kept


@pytest.mark.parametrize(
    ("case_id", "anchor"),
    [
        ("list-1", "case-list-1"),
        ("två ord", "case-tv_C3_A5_20ord"),
        ('"><b>', "case-_22_3E_3Cb_3E"),
        ("", "case-"),
    ],
)
def test_a_case_has_an_address_that_is_a_plain_name(case_id: str, anchor: str) -> None:
    assert safe.anchor(case_id) == anchor


def test_a_whole_run_of_hostile_bodies_is_reported(tmp_path: Path) -> None:
    """Bodies in which nothing is of the type that it should be."""
    odd: dict[str, Any] = {
        "question": 7,
        "answer_markdown": EVIL,
        "answered": True,
        "claims": [{"text": EVIL, "evidence": [{"text": EVIL, "source": [1], "pages": "x", "chunk_id": {}}]}, 7, None],
        "sources": [{"source": {}, "pages": [True, None, 10**30], "page_image": EVIL}, "x"],
        "retrieval": {
            "relevance_supported": True,
            "relevance_reason": {"a": 1},
            "probability": "x",
            "top_results": [7],
        },
        "agentic_pipeline": {
            "agents": [{"agent": EVIL, "ms": "x", "usage": 7}],
            "grounding": {"sentences": [7, {"text": [1], "supported": "x", "reason": {}}]},
        },
    }
    told = report(tmp_path, more={"board": odd, "moon": odd})
    assert escapes(page_html(told, Words("sv"))) == []
    assert report_markdown(told, Words("sv"))
    assert EVIL_CASE.id in questions_csv(told)
