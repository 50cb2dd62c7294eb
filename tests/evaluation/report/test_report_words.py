"""What a report says in words is so: of its runs, of its measures, of what would be right, under which conditions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html as parse_html
from typer.testing import CliRunner

from ankare.cli.main import app
from ankare.evaluation.asking.run_folder import read_conditions, write_conditions
from ankare.evaluation.captured import AnswerPath, CitedSpan, Conditions, Response, Statement
from ankare.evaluation.case import Case, Gold
from ankare.evaluation.measures import citation_measures, score
from ankare.evaluation.report.condition_words import conditions_of, name_of, named
from ankare.evaluation.report.headline import warnings
from ankare.evaluation.report.markdown import report_markdown
from ankare.evaluation.report.page import page_html
from ankare.evaluation.report.right import RightPart, right_parts
from ankare.evaluation.report.told import Report
from ankare.evaluation.report.words import Words, language_of
from ankare.evaluation.report.write import beside, read_report
from ankare.evaluation.suites.gold import parts_of
from ankare.messages import languages, messages
from tests.evaluation.kept_runs import CASES
from tests.evaluation.reported import folders

NOTE = "scripted model, copies and <b>sometimes</b> invents"


def noted(root: Path, *notes: str) -> Report:
    """The report of both runs, with these notes."""
    made = folders(root)
    for folder, note in zip(made, notes, strict=True):
        write_conditions(folder, replace(read_conditions(folder), note=note))
    return read_report(made)


def parsed(told: Report, language: str = "sv") -> Any:
    return parse_html.document_fromstring(page_html(told, Words(language)))


# --- the note of a run


@pytest.mark.parametrize("language", languages())
def test_a_note_is_the_first_warning_and_stands_in_legend_and_conditions(tmp_path: Path, language: str) -> None:
    told = noted(tmp_path, "", NOTE)
    tree = parsed(told, language)
    first = tree.xpath("//aside[@class='warnings']//li")[0].text_content()
    assert (first.startswith("Kedja"), NOTE in first) == (True, True)
    control, chain = (run.text_content() for run in tree.xpath("//ul[@class='runs']/li"))
    assert (NOTE in control, NOTE in chain) == (False, True)
    rows = tree.xpath("//section[@id='conditions']//table[@class='pairs']//tr/td[1]")
    assert [row.text_content() for row in rows].count(NOTE) == 1


def test_the_short_report_says_it_before_what_came_of_it(tmp_path: Path) -> None:
    text = report_markdown(noted(tmp_path, "", "scripted model"), Words("en"))
    assert text.index("⚠ Kedja: scripted model") < text.index("There are too few questions")
    assert text.count("scripted model") == 1


def test_the_same_note_of_several_runs_is_said_once_and_a_report_without_notes_says_none(tmp_path: Path) -> None:
    assert warnings(noted(tmp_path / "a", "same", "same"), Words("sv"))[0] == "Utan modell och Kedja: same"
    assert not any("same" in one for one in warnings(noted(tmp_path / "b", "", " "), Words("sv")))


# --- what measures and tables are said to be


@pytest.mark.parametrize("language", languages())
def test_every_measure_is_named_and_explained(language: str) -> None:
    texts = messages(language)
    missing = [f"{kind}.{name}" for name in score.ALL for kind in ("measure", "measure_is")]
    assert [key for key in missing if key not in texts] == []


def test_a_page_cited_counts_by_any_part_as_its_text_says() -> None:
    case = Case("c", "?", "fact", True, "", (Gold("a.pdf", (1,), "fem ledamöter sitter"), Gold("b.pdf", (2,), "sju")))
    said = Statement("Fem ledamöter sitter där.", (CitedSpan("a.pdf", (1,), "fem ledamöter sitter"),))
    values, _ = citation_measures.measured(case, Response("?", True, "extractive", "rag", "sv", statements=(said,)))
    assert values["cited_gold_page"] == 1.0, "one of two parts suffices"
    for language, words in (("sv", "minst en av de sidor"), ("en", "at least one of the pages"), ("zh", "至少")):
        assert words in messages(language)["measure_is.cited_gold_page"]


@pytest.mark.parametrize(
    ("language", "praise"), [("sv", ("rätt", "riktig")), ("en", ("right", "correct")), ("zh", ("正确",))]
)
def test_the_table_of_abstaining_praises_no_answer(language: str, praise: tuple[str, ...]) -> None:
    texts = messages(language)
    names = [texts[f"report.abstention_{name}"].lower() for name in ("answered", "needless", "right", "missed")]
    assert len(set(names)) == 4
    assert [name for name in names if any(word in name for word in praise)] == []


@pytest.mark.parametrize("language", languages())
def test_a_unit_is_not_said_twice(language: str) -> None:
    words = Words(language)
    for measure in score.ALL.values():
        name, _, unit = words.labelled(measure).partition(", ")
        assert not unit or unit.lower() not in name.lower()
    assert words.labelled(score.ALL["wall_ms"]).endswith(f", {words('unit_ms')}")
    assert words.labelled(score.ALL["total_tokens"]) == words.measure("total_tokens")


@pytest.mark.parametrize(
    ("p", "told"), [(0.0, "< 0,001"), (0.0004, "< 0,001"), (0.0006, "0,001"), (0.0312, "0,031"), (1.0, "1,000")]
)
def test_a_small_chance_is_not_told_as_none(p: float, told: str) -> None:
    assert Words("sv").chance(p) == told


# --- what would be right

NESTED = (
    Gold("risk.pdf", (2,), "stor fara"),
    Gold("plan.pdf", (4, 5), "mycket stor fara"),
    Gold("plan.pdf", (7,), "sju dagar"),
    Gold("bilaga.pdf", (1,)),
)


def test_nested_snippets_stand_as_the_one_part_that_they_are_scored_as() -> None:
    case = Case("c", "?", gold=NESTED)
    parts = right_parts(case, lambda pages: f"s. {pages}")
    assert len(parts) == len(parts_of(case)) == 3
    assert parts == (
        RightPart("plan.pdf, s. 4, 5; risk.pdf, s. 2", "stor fara", ("mycket stor fara",)),
        RightPart("plan.pdf, s. 7", "sju dagar"),
        RightPart("bilaga.pdf, s. 1"),
    )


def test_the_page_says_which_are_one_part(tmp_path: Path) -> None:
    cases = (replace(CASES[0], gold=NESTED), *CASES[1:])
    told = read_report(folders(tmp_path, cases=cases))
    items = parsed(told).xpath(f"//details[@id='case-{CASES[0].id}']//ul[@class='gold']/li")
    assert [item.text_content() for item in items] == [
        "plan.pdf, s. 4, 5; risk.pdf, s. 2: stor fara (räknas som samma del: mycket stor fara)",
        "plan.pdf, s. 7: sju dagar",
        "bilaga.pdf, s. 1",
    ]


# --- conditions


def test_conditions_are_said_in_words_with_their_names_beside(tmp_path: Path) -> None:
    held = Conditions(
        AnswerPath.AGENTIC,
        "d",
        settings={"semantic": True, "cast": {"agent2": {"model": "m", "temperature": 0.2}}, "unheard_of": 3},
        environment={"cpus": 2},
    )
    told = {one.code: (one.name, one.value) for one in conditions_of(held, Words("sv")) if one.code}
    assert told == {
        "settings.semantic": ("Sökning efter betydelse", "på"),
        "settings.cast.agent2": ("skriver utkast", "model m · temperature 0.2"),
        "settings.unheard_of": ("", "3"),
        "environment.cpus": ("Processorkärnor", "2"),
    }
    page = parsed(noted(tmp_path, "", "")).xpath("string(//section[@id='conditions'])")
    assert "Sökning efter betydelse settings.semantic" in page
    assert "True" not in page


def test_a_warning_names_the_condition_that_differs(tmp_path: Path) -> None:
    told = " ".join(warnings(noted(tmp_path, "", ""), Words("sv")))
    assert "Sökning efter betydelse (settings.semantic)" in told
    assert named("settings.of_nobody", Words("sv")) == "settings.of_nobody"


@pytest.mark.parametrize("language", languages())
def test_every_setting_that_a_run_records_has_a_name(language: str) -> None:
    recorded = ("semantic", "semantic_in_use", "top_k", "llm_model", "agentic_rag_mode", "grounding_threshold")
    assert all(name_of(f"settings.{name}", Words(language)) for name in recorded)


# --- where it is written, in which language


@pytest.mark.parametrize(
    ("page", "short"),
    [
        ("report.html", "report.md"),
        ("rapport.html", "rapport.md"),
        ("RAPPORT.HTM", "RAPPORT.md"),
        ("v1.2", "v1.2.md"),
        ("rapport.md", "rapport.md.md"),
    ],
)
def test_what_lies_beside_a_page_is_named_after_it(page: str, short: str) -> None:
    assert beside(Path("x") / page, ".md") == Path("x") / short


def test_two_reports_in_a_folder_leave_each_other_alone(tmp_path: Path) -> None:
    runs = [str(folder) for folder in folders(tmp_path / "runs")]
    for name in ("report.html", "rapport.html"):
        done = CliRunner().invoke(app, ["eval", "report", *runs, "--out", str(tmp_path / "out" / name)])
        assert done.exit_code == 0, done.output
    written = {path.name for path in (tmp_path / "out").iterdir()}
    endings = (".html", ".md", "-questions.csv", "-measures.csv")
    assert written == {f"{name}{ending}" for name in ("report", "rapport") for ending in endings}


def test_a_folder_is_no_page(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["eval", "report", *map(str, folders(tmp_path)), "--out", str(tmp_path)])
    assert done.exit_code == 2
    assert "is a folder" in " ".join(done.output.replace("│", " ").split())


@pytest.mark.parametrize(
    ("asked", "told"),
    [(("sv", "sv", "en"), "sv"), (("en", "en", "sv"), "en"), (("zh",), "zh"), (("fi", "fi", "sv"), "sv"), ((), "en")],
)
def test_a_report_speaks_the_language_of_most_questions(asked: tuple[str, ...], told: str) -> None:
    assert language_of(Case(str(place), "?", language=code) for place, code in enumerate(asked)) == told


def test_the_command_takes_that_language_unless_told_another(tmp_path: Path) -> None:
    cases = tuple(replace(case, language="en") for case in CASES)
    runs = [str(folder) for folder in folders(tmp_path / "runs", cases=cases)]
    for given, language in (((), "en"), (("--language", "zh"), "zh")):
        done = CliRunner().invoke(app, ["eval", "report", *runs, "--out", str(tmp_path / "r.html"), *given])
        assert done.exit_code == 0, done.output
        assert f'<html lang="{language}">' in (tmp_path / "r.html").read_text("utf-8")
