"""Which answers does a sheet hold, and can nothing in an answer act on the page, or in a spreadsheet?"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from openpyxl import load_workbook

from ankare.errors import BadInputError
from ankare.evaluation.asking.response import response_of
from ankare.evaluation.case import Case
from ankare.evaluation.cells import as_written, harmless
from ankare.evaluation.reviewing import answer as review_answer
from ankare.evaluation.reviewing import page as review_page
from ankare.evaluation.reviewing import table as review_table
from ankare.evaluation.reviewing.answer import answer_html, cited_of, plain_answer
from ankare.evaluation.reviewing.criteria import CRITERIA, SCALE, criteria
from ankare.evaluation.reviewing.items import items_of, select, shares
from ankare.evaluation.reviewing.page import about, page, policy
from ankare.evaluation.reviewing.sheet import Form, write_sheet
from ankare.evaluation.reviewing.table import rows
from ankare.messages import languages
from tests.evaluation.kept_runs import BODIES, CASES, body, write_run

HOSTILE = (
    "<script>window.bad = 1</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</script><script>alert(1)</script>",
    "[klicka](javascript:alert(1))",
    "![bild](https://elak.example/x.png)",
    "[länk](https://elak.example/)",
    "<https://elak.example/>",
    "=HYPERLINK(1)",
)


class Seen(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


# --- which answers


def test_all_that_came_back_is_in_the_sheet_and_what_did_not_is_told(tmp_path: Path) -> None:
    run = write_run(tmp_path, bodies={**BODIES, "money": None})  # type: ignore[dict-item]
    found = select([run])
    assert [item.case.id for item in found.items] == ["board", "holiday", "moon"]
    assert found.failed == {"timeout": 1}
    assert "it took too long (1)" in about(found, "en")[1]


def test_what_stands_apart_from_its_path_is_told_or_left_out(tmp_path: Path) -> None:
    figures = body("Hur stor?", answered=True, route="structured", answer_origin="figures", claims=[])
    run = write_run(tmp_path, bodies={**BODIES, "money": figures})
    assert select([run]).asides == {"figures": 1}
    assert "besvarad ur siffrorna (1)" in about(select([run]), "sv")[1]
    assert "money" not in {item.case.id for item in select([run], on_path=True).items}


def test_a_sample_holds_every_stratum_and_the_same_questions_of_each_run(tmp_path: Path) -> None:
    cases = [replace(CASES[0], id=f"b{n}") for n in range(20)] + [replace(CASES[3], id=f"m{n}") for n in range(4)]
    bodies = {case.id: BODIES["board"] if case.id.startswith("b") else BODIES["moon"] for case in cases}
    runs = [write_run(tmp_path / name, name=name, cases=cases, bodies=bodies, repeats=3) for name in ("a", "b")]
    found = select(runs, sample=6, seed=4)
    counted = Counter((item.run_name, item.case.id[0]) for item in found.items)
    assert counted == {("a", "b"): 5, ("a", "m"): 1, ("b", "b"): 5, ("b", "m"): 1}
    assert len({item.case.id for item in found.items}) == found.cases == 6
    assert found == select(runs, sample=6, seed=4)
    assert found != select(runs, sample=6, seed=5)


def test_of_repeats_the_first_is_handed_out_and_the_rest_is_told(tmp_path: Path) -> None:
    run = write_run(tmp_path, repeats=3)
    found = select([run])
    assert {item.repeat for item in found.items} == {0}
    assert (len(found.items), found.repeats) == (4, 8)
    assert about(found, "en")[:2] == (
        "4 answers to 4 questions.",
        "8 answers to the same questions, asked again, are left out.",
    )
    every = select([run], all_repeats=True)
    assert (len(every.items), every.repeats) == (12, 0)
    assert Counter(item.case.id for item in select([run], sample=2, all_repeats=True).items).most_common(1)[0][1] == 3


def test_the_first_answer_that_came_stands_for_a_question(tmp_path: Path) -> None:
    run = write_run(tmp_path, repeats=3)
    later = replace(run, captures=tuple(reversed([one for one in run.captures if one.repeat])))
    assert {item.repeat for item in select([later]).items} == {1}


@pytest.mark.parametrize(
    ("form", "module"), [(Form.HTML, review_page), (Form.CSV, review_table), (Form.XLSX, review_table)]
)
def test_a_sheet_that_would_be_too_large_is_refused(
    tmp_path: Path, form: Form, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    found = select([write_run(tmp_path / "run")])
    with pytest.raises(BadInputError, match=r"larger than .* Give --sample N"):
        write_sheet(found, tmp_path / f"s.{form}", form, "sv")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.parametrize(
    ("sizes", "wanted", "given"),
    [
        ({"a": 20, "b": 4}, 6, {"a": 5, "b": 1}),
        ({"a": 98, "b": 1, "c": 1}, 4, {"a": 2, "b": 1, "c": 1}),
        ({"a": 3, "b": 3, "c": 3}, 2, {"a": 1, "b": 1, "c": 0}),
        ({"a": 2, "b": 1}, 50, {"a": 2, "b": 1}),
        ({}, 3, {}),
    ],
)
def test_shares_go_by_size_and_leave_none_out_where_there_is_room(
    sizes: dict[str, int], wanted: int, given: dict[str, int]
) -> None:
    assert shares(sizes, wanted) == given  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{"sample": 0}, {"on_path": True}])
def test_a_sheet_without_answers_is_refused(tmp_path: Path, given: dict[str, Any]) -> None:
    figures = body("Hur stor?", answered=True, route="structured", answer_origin="figures", claims=[])
    run = write_run(tmp_path, cases=CASES[:1], bodies={"board": figures})
    with pytest.raises(BadInputError):
        select([run], **given)


def test_the_same_run_twice_is_refused(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    with pytest.raises(BadInputError, match="twice"):
        select([run, run])


def test_another_answer_is_another_item(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a")
    changed = write_run(tmp_path / "b", bodies={**BODIES, "board": body(CASES[0].question, "De är sju.")})
    assert len(items_of(run).keys() & items_of(changed).keys()) == 3


# --- the page


def test_the_page_shows_question_answer_numbers_and_cited_sentences(tmp_path: Path) -> None:
    text = page(select([write_run(tmp_path)]), "sv")
    assert "Hur många ledamöter har styrgruppen?" in text
    item = next(iter(items_of(write_run(tmp_path))))
    assert f'<a class="cite" href="#i-{item}-1">[1]</a>' in text
    assert f'<li id="i-{item}-1" value="1">a.pdf, s. 3<blockquote>Styrgruppen har fem ledamöter.</blockquote>' in text
    assert "### Källor" not in text
    assert "Fem ledamöter." in text  # what would be right
    assert "Svaret citerar inget." in text  # the refusal


@pytest.mark.parametrize("language", languages())
def test_every_number_of_every_point_has_its_words(language: str, tmp_path: Path) -> None:
    text = page(select([write_run(tmp_path)]), language)
    for point in criteria(language):
        assert len(set(point.anchors)) == len(SCALE)
        assert all(anchor in text for anchor in point.anchors)
    assert "{" not in re.sub(r"(?s)<style>.*?</style>|<script.*?</script>", "", text)


def test_the_page_loads_nothing_and_runs_one_script(tmp_path: Path) -> None:
    seen = Seen(page(select([write_run(tmp_path)]), "sv"))
    assert "default-src 'none'" in policy()
    assert "unsafe" not in policy()
    for tag, attributes in seen.elements:
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert [a.get("type") for tag, a in seen.elements if tag == "script"] == ["application/json", None]


def hostile_run(folder: Path) -> Any:
    cases = [Case(f"h{n}", text, text, True, text, language="sv") for n, text in enumerate(HOSTILE)]
    bodies = {}
    for case in cases:
        told = body(
            case.question,
            case.question,
            markdown=f"{case.question} och\n\n| a | b |\n|---|---|\n| {case.question} | x |",
        )
        told["sources"][0]["source"] = case.question
        told["claims"][0]["evidence"][0] |= {"text": case.question, "source": case.question}
        bodies[case.id] = told
    return write_run(folder, name="<b>elak</b>", cases=cases, bodies=bodies)


def assert_nothing_acts(text: str) -> None:
    seen = Seen(text)
    assert Counter(tag for tag, _ in seen.elements)["script"] == 2
    assert not {"img", "svg", "iframe", "object", "form"} & {tag for tag, _ in seen.elements}
    assert not any(name.startswith("on") or name == "src" for _, a in seen.elements for name in a)
    assert all((a.get("href") or "#").startswith("#") for _, a in seen.elements)


def test_nothing_in_an_answer_acts(tmp_path: Path) -> None:
    assert_nothing_acts(page(select([hostile_run(tmp_path)]), "sv"))


@pytest.mark.parametrize("left_out", ["escape", "markdown"])
def test_what_was_not_made_harmless_would_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_out: str
) -> None:
    """The saboteurs."""
    if left_out == "escape":
        monkeypatch.setattr(review_page, "escape", str)
    else:
        monkeypatch.setattr(review_page, "answer_html", lambda response, item: response.markdown)
    with pytest.raises(AssertionError):
        assert_nothing_acts(page(select([hostile_run(tmp_path)]), "sv"))


def test_an_answer_without_end_is_cut() -> None:
    told = body("?", "kort", markdown="ord " * 100_000)
    shown = answer_html(response_of(told), "x")
    assert len(shown) < review_answer.LONGEST + 200
    assert review_answer.CUT in shown


def test_figures_show_where_they_stand_and_a_server_without_claims_has_no_sentences() -> None:
    figure = {"status": "found", "value": "12", "unit": "st", "source": {"doc": "tal.xlsx", "locator": "B2"}}
    told = body("Hur många?", facts=[figure], claims=[], sources=[{"number": 1, "source": "tal.xlsx", "pages": []}])
    assert [(one.place("sv"), one.quotes) for one in cited_of(response_of(told))] == [("tal.xlsx", ("B2: 12 st",))]
    bare = body("?", claims=[], sources=[{"number": 1, "source": "b.pdf", "pages": [2]}], contexts=())
    assert [(one.place("en"), one.quotes) for one in cited_of(response_of(bare))] == [("b.pdf, p. 2", ())]


# --- blind


def test_a_blind_sheet_does_not_say_which_run_and_its_key_does(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / name, name=name) for name in ("kontroll-xyz", "kedja-xyz")]
    found = select(runs, blind=True, seed=3)
    written = write_sheet(found, tmp_path / "blind.html", Form.HTML, "sv")
    text = written.sheet.read_text("utf-8")
    assert "kontroll-xyz" not in text
    assert "kedja-xyz" not in text
    plain = {id_ for run in runs for id_ in items_of(run)}
    assert not plain & {item.id for item in found.items}
    assert not any(id_ in text for id_ in plain)
    assert written.key is not None
    key = json.loads(written.key.read_text("utf-8"))
    assert {told["item"] for told in key["items"].values()} == plain
    assert {told["name"] for told in key["items"].values()} == {"kontroll-xyz", "kedja-xyz"}
    order = [item.run_name for item in found.items]
    assert order != sorted(order)
    assert order == [item.run_name for item in select(runs, blind=True, seed=3).items]
    assert "run" not in next(rows(found, "sv"))


# --- tables


def test_no_cell_of_a_table_is_a_formula(tmp_path: Path) -> None:
    found = select([hostile_run(tmp_path)])
    table = write_sheet(found, tmp_path / "s.csv", Form.CSV, "sv")
    cells = [cell for row in csv.reader(io.StringIO(table.sheet.read_text("utf-8-sig"))) for cell in row]
    assert "'=HYPERLINK(1)" in cells
    assert not any(re.match(r"\s*[=+\-@|%]", cell) for cell in cells)
    book = load_workbook(write_sheet(found, tmp_path / "s.xlsx", Form.XLSX, "sv").sheet)
    kinds = {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row}
    assert kinds <= {"s", "inlineStr"}
    assert not any(str(cell.value or "").startswith("=") for row in book["ratings"].iter_rows() for cell in row)


def test_a_workbook_takes_nothing_but_ratings_and_explains_them(tmp_path: Path) -> None:
    book = load_workbook(write_sheet(select([write_run(tmp_path)]), tmp_path / "s.xlsx", Form.XLSX, "en").sheet)
    (allowed,) = book["ratings"].data_validations.dataValidation
    assert allowed.formula1 == '"1,2,3,4,5,cannot"'
    assert any("Answers something else." in str(row[0]) for row in book["scale"].iter_rows(values_only=True))
    head = [cell.value for cell in book["ratings"][1]]
    assert head[-7:] == [*CRITERIA, "comment", "rater"]


def test_the_scale_lies_beside_a_csv_sheet(tmp_path: Path) -> None:
    written = write_sheet(select([write_run(tmp_path)]), tmp_path / "s.csv", Form.CSV, "sv")
    assert written.scale is not None
    assert "Rakt på sak" in written.scale.read_text("utf-8")


@pytest.mark.parametrize("text", [*HOSTILE, "-5 grader", "vanlig", "", "'citat", "+46"])
def test_a_harmless_cell_can_be_read_back(text: str) -> None:
    assert as_written(harmless(text)) == text


def test_a_plain_answer_has_neither_links_nor_escapes() -> None:
    told = body("?", "x", markdown="Se a\\_b och [sidan](/x). Fem st. [[1]](/sources/a#page=3)\n\n### Källor\n\n1. A")
    assert plain_answer(response_of(told)) == "Se a_b och sidan. Fem st. [1]"
