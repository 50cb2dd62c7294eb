"""A report says what the scores say, tells what stood apart, and is one file that holds everything it needs."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from lxml import html as parse_html
from typer.testing import CliRunner

from ankare.cli.main import app
from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import read_run
from ankare.evaluation.captured import AnswerPath, Conditions, Run
from ankare.evaluation.case import Case
from ankare.evaluation.measures import score
from ankare.evaluation.measures.score import score_run
from ankare.evaluation.measures.scores_file import write_scores
from ankare.evaluation.measures.summary import summarise
from ankare.evaluation.report.csv_tables import measures_csv, questions_csv
from ankare.evaluation.report.markdown import report_markdown
from ankare.evaluation.report.page import page_html
from ankare.evaluation.report.told import Report, report_run
from ankare.evaluation.report.words import Words
from ankare.evaluation.report.write import read_report, report_of
from ankare.evaluation.statistics.resample import Interval
from ankare.evaluation.suites.suite import suite_of
from ankare.messages import languages
from tests.evaluation.kept_runs import CASES, body, capture
from tests.evaluation.reported import BASE_URL, EVIL_CASE, PICTURE, folders, report


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def tree(told: Report) -> Any:
    return parsed(told)


def parsed(told: Report, language: str = "sv", **given: Any) -> Any:
    return parse_html.document_fromstring(page_html(told, Words(language), **given))


def data_of(tree: Any) -> Any:
    return json.loads(tree.xpath("//script[@id='data']")[0].text)


# --- what it says


def test_every_figure_of_the_measures_is_that_of_the_summary(told: Report, tree: Any) -> None:
    summaries = [summarise(run.scored).overall.levels for run in told.runs]
    rows = tree.xpath("//section[@id='result']/div[@class='scroll']//tr[@data-measure]")
    shown = {row.get("data-measure"): row.xpath("./td") for row in rows}
    assert set(shown) == {name for levels in summaries for name in levels}
    for name, cells in shown.items():
        for cell, levels in zip(cells, summaries, strict=True):
            level = levels.get(name)
            assert (cell.get("data-v"), cell.get("data-n")) == (
                (repr(level.mean), str(level.n)) if level else (None, None)
            )


def test_every_difference_is_that_of_the_comparison(told: Report, tree: Any) -> None:
    (pair,) = told.pairs
    tables = tree.xpath("//details[@class='fold']//table[.//tr[starts-with(@class,'v-')]]")
    for table, held in zip(tables, (pair.measures, pair.as_served), strict=True):
        rows = table.xpath(".//tr[@data-measure]")
        assert [(row.get("data-measure"), row.get("data-v")) for row in rows] == [
            (one.measure, repr(one.difference)) for one in held
        ]
        assert [row.get("class") for row in rows] == [f"v-{one.verdict}" for one in held]


def test_what_stood_apart_is_told_with_its_reason_before_the_plots(told: Report, tree: Any) -> None:
    assert dict(told.runs[1].asides) == {"fallback:agent2_grounding_failed": 1}
    ids = [section.get("id") for section in tree.xpath("//main/section")]
    assert ids.index("aside") < ids.index("figures")
    text = tree.xpath("string(//section[@id='aside'])")
    assert "Reservväg: utkastet hade inte stöd i underlaget" in text
    warned = tree.xpath("string(//aside)")
    assert "Kedja 1 av 5" in warned
    counts = tree.xpath("//section[@id='aside']//tr[@class='counted']/td/@data-v")
    assert counts == ["5", "4"]


def test_few_questions_drafts_and_changed_conditions_are_warned_about(tmp_path: Path) -> None:
    cases = (*CASES, Case("new", "Nytt?", draft=True))
    warned = parsed(report(tmp_path, cases=cases, more={"new": body("Nytt?", answered=False)})).xpath("string(//aside)")
    assert "Bara 5 frågor" in warned
    assert "1 av 5 frågor är utkast" in warned
    assert "förutsättningar skiljer" in warned


def test_a_regression_stands_first_and_leads_to_its_case(told: Report, tree: Any) -> None:
    worse = tree.xpath("//ol[@class='worse']//a/@href")
    assert worse[0] in ("#case-money", "#case-moon")
    cases = tree.xpath("//details[contains(@class,'case')]")
    assert [f"#{case.get('id')}" for case in cases][: len(worse)] == worse
    assert len(cases) == len(told.suite)
    assert all("data-worse" in case.attrib for case in cases[: len(worse)])


def test_an_answer_stands_beside_the_other_with_its_citations_and_what_is_not_supported(tree: Any) -> None:
    (case,) = tree.xpath("//details[@id='case-money']")
    left, right = case.xpath(".//section[contains(@class,'answer')]")
    assert "två miljoner kronor" in left.text_content()
    assert right.xpath(".//p[contains(@class,'weak')]")[0].text_content().startswith("Budgeten är nio miljarder dollar")
    assert left.xpath(".//p[contains(@class,'weak')]") == []
    assert left.xpath(".//sup")[0].text == "1"
    assert left.xpath(".//ol[@class='sources']/li")[0].text == "a.pdf, s. 3"
    assert "Två miljoner kronor." in case.xpath("string(.//section[@class='right'])")


def test_the_data_of_a_case_holds_evidence_decisions_and_scores(told: Report, tree: Any) -> None:
    data = data_of(tree)
    case = next(one for one in data["cases"] if one["id"] == "board")
    texts = data["texts"]
    (place,) = case["answers"][0]["evidence"]
    before, cited, after = (texts[part] for part in place["passages"][0])
    assert (texts[place["source"]], place["pages"], place["link"]) == ("a.pdf", [3], BASE_URL + PICTURE)
    assert (before, cited, after) == ("", "Styrgruppen har fem ledamöter.", " Den sammanträder var fjärde vecka.")
    gate = [texts[part] for part in case["answers"][0]["gate"]]
    assert gate == ["Underlaget räcker", "ämnet täcks av underlaget", "sannolikhet 0,91", "täckning 1,00"]
    agents = case["answers"][1]["agents"]
    assert [(texts[one[0]], texts[one[1]], *one[2:]) for one in agents] == [
        ("skriver utkast (en-modell)", "klart", 812, 900, 120),
        ("granskar (en-modell)", "inte granskat: granskningen gick inte att läsa", 40, None, None),
    ]
    assert [(one[0], texts[one[1]]) for one in case["answers"][1]["sentences"]] == [
        (1, "Styrgruppen har fem ledamöter."),
        (0, "mening 2 (texten följde inte med): fel tal"),
    ]
    at = [one["id"] for one in data["measures"]].index("faithfulness")
    assert case["values"][0][at] == pytest.approx(told.runs[0].first("board").values["faithfulness"], abs=1e-4)  # type: ignore[union-attr]


def test_repeats_are_means_and_the_first_answer_is_shown(tmp_path: Path) -> None:
    many = report(tmp_path, repeats=3)
    assert len(many.runs[0].rows["board"]) == 3
    tree = parsed(many)
    assert len(tree.xpath("//details[@id='case-board']//section[contains(@class,'answer')]")) == 2
    assert "visas det första svaret" in tree.xpath("string(//section[@id='cases'])")


def test_an_answer_that_never_came_is_told_as_that(tmp_path: Path) -> None:
    cases = (*CASES, Case("gone", "Borta?", "fact", True))
    tree = parsed(report(tmp_path, cases=cases))
    text = tree.xpath("string(//details[@id='case-gone'])")
    assert "Inget svar kom: tiden tog slut" in text
    assert "late" in text


def test_one_run_alone_is_reported_without_a_comparison(tmp_path: Path) -> None:
    alone = read_report(folders(tmp_path)[:1])
    tree = parsed(alone)
    assert tree.xpath("//ol[@class='worse']") == []
    assert "Källtrohet" in tree.xpath("string(//div[@class='lead'])")
    assert len(tree.xpath("//details[contains(@class,'case')]")) == 5


def test_scores_that_were_kept_are_read_and_not_made_anew(tmp_path: Path) -> None:
    first, _ = folders(tmp_path)
    scored = score_run(read_run(first))
    row = scored.rows[0]
    changed = type(row)(**{name: getattr(row, name) for name in row.__slots__} | {"values": {"faithfulness": 0.125}})
    write_scores(type(scored)(scored.conditions, (changed, *scored.rows[1:]), scored.suite), first)
    assert read_report([first]).runs[0].rows["board"][0].values == {"faithfulness": 0.125}


# --- in which language, how large


@pytest.mark.parametrize("language", languages())
def test_every_language_has_every_text(told: Report, language: str) -> None:
    tree = parsed(told, language)
    assert tree.get("lang") == language
    shown = " ".join(tree.xpath("//body//text()[not(parent::script)]"))
    assert not re.search(r"\breport\.|\bmeasure\.|\{\w+\}", shown)
    assert report_markdown(told, Words(language))


def test_swedish_numbers_have_a_comma_and_english_ones_a_point(told: Report) -> None:
    cells = {
        code: parsed(told, code).xpath("string(//tr[@data-measure='faithfulness']/td[1]/b)") for code in ("sv", "en")
    }
    assert cells == {"sv": "1,00", "en": "1.00"}


def test_a_page_that_would_be_too_large_tells_less_and_says_what(tmp_path: Path) -> None:
    sentences = [f"Punkt {n} säger att regel {n} gäller från och med dag {n} i månaden." for n in range(120)]
    long = body("Vilka regler gäller?", *sentences[::4], contexts=("\n".join(sentences),))
    told = report(tmp_path, cases=(*CASES, Case("long", "Vilka regler gäller?", "list")), more={"long": long})
    pages = [page_html(told, Words("sv"))]
    while len(size := pages[-1].encode()) and len(pages) < 9:
        smaller = page_html(told, Words("sv"), most=len(size) - 1)
        if smaller == pages[-1]:
            break
        pages.append(smaller)
    assert len(pages) > 3
    assert [len(one) for one in pages] == sorted((len(one) for one in pages), reverse=True)
    said = [
        [words in one for words in ("mindre text kring", "visas inte styckena", "högst 400 tecken")] for one in pages
    ]
    assert (said[0], said[1], said[-1]) == ([False] * 3, [True, False, False], [False, True, True])
    assert all("answers.jsonl" in one for one in pages)


def test_a_page_with_too_many_questions_keeps_the_lowest_and_says_how_many_are_left_out(tmp_path: Path) -> None:
    names = [f"more{n}" for n in range(200)]
    more = {name: body(f"Vad gäller {name}?", f"Regel {name} gäller.") for name in names}
    cases = (*CASES, *(Case(name, f"Vad gäller {name}?", "fact", True) for name in names))
    told = report(tmp_path, cases=cases, more=more)
    worse, whole = set(told.regressions()), page_html(told, Words("sv"))
    most = len(page_html(told, Words("sv"), most=1).encode()) + 30_000
    page = page_html(told, Words("sv"), most=most)
    assert "frågorna utelämnats" not in whole
    assert len(page.encode()) <= most < len(whole.encode())
    tree: Any = parse_html.document_fromstring(page)
    shown = tree.xpath("//details[contains(@class,'case')]/@id")
    assert worse
    assert {f"case-{case_id}" for case_id in worse} <= set(shown)
    assert [one["id"] for one in data_of(tree)["cases"]] == [one.removeprefix("case-") for one in shown]
    left = len(cases) - len(shown)
    assert left > 0
    assert f"{left} av de {len(cases)} frågorna utelämnats" in page
    assert "CSV-tabellen" in page


@pytest.mark.slow
def test_a_thousand_answers_are_told_whole_in_less_than_five_megabytes() -> None:
    cases, captures = [], []
    for n in range(1000):
        sentences = [
            f"Regel {n}.{part} gäller den som ansöker om tillstånd {part} av slaget {n}." for part in range(24)
        ]
        cases.append(Case(f"c{n}", f"Vilka regler gäller för slaget {n}?", f"typ {n % 9}", True, sentences[0]))
        told = body(cases[n].question, *sentences[2:10:2], contexts=("\n".join(sentences), "\n".join(sentences[::-1])))
        captures.append(capture(f"c{n}", told))
    run = Run(Conditions(AnswerPath.CONTROL, "d"), suite_of(cases), tuple(captures))
    told_run = report_run("a", score_run(run), run, score.ALL.values())
    page = page_html(report_of((told_run,), [run.suite]), Words("sv"))
    assert len(page.encode("utf-8")) < 5_000_000
    assert "För att sidan inte ska bli för stor" not in page


def test_without_evidence_no_passage_is_in_the_page(tmp_path: Path) -> None:
    bare = page_html(report(tmp_path, evidence=False), Words("sv"))
    assert "Den sammanträder var fjärde vecka" not in bare
    assert '"evidence":[' not in bare
    assert "visar inga stycken" in bare


# --- Markdown and tables


def test_the_short_report_has_the_headline_the_figures_and_what_got_worse(told: Report) -> None:
    text = report_markdown(told, Words("sv"))
    assert text.startswith("## ")
    assert "| Källtrohet | 1,00" in text
    assert "**Kedja mot Utan modell**" in text
    assert re.search(r"^1\. .*\(m\w+\) – Kedja: ", text, re.M)


@pytest.mark.parametrize("most", [300, 1000, 2000])
def test_the_short_report_is_never_longer_than_it_may_be(told: Report, most: int) -> None:
    text = report_markdown(told, Words("sv"), most=most)
    assert len(text) <= most
    assert "avkortad" in text


def test_the_tables_hold_every_value(told: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(questions_csv(told))))
    assert len(rows) == 10
    for row, scored in zip(rows[:5], told.runs[0].scored.rows, strict=True):
        assert (row["run"], row["outcome"], row["aside"]) == ("Utan modell", scored.outcome, scored.aside)
        for name, value in scored.values.items():
            assert float(row[name]) == value
    measures = list(csv.DictReader(io.StringIO(measures_csv(told))))
    found = next(one for one in told.pairs[0].measures if isinstance(one.interval, Interval))
    line = next(row for row in measures if row["measure"] == found.measure and row["difference"])
    assert (float(line["difference"]), float(line["difference_low"])) == (found.difference, found.interval.low)  # type: ignore[union-attr]


# --- the command


def test_the_command_writes_a_page_a_short_report_and_two_tables(tmp_path: Path) -> None:
    runs = [str(folder) for folder in folders(tmp_path)]
    out = tmp_path / "ny" / "rapport.html"
    done = CliRunner().invoke(app, ["eval", "report", *runs, "--out", str(out), "--language", "en", "--title", "A < B"])
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in out.parent.iterdir()) == [
        "rapport-measures.csv", "rapport-questions.csv", "rapport.html", "rapport.md",
    ]  # fmt: skip
    written = out.read_text("utf-8")
    assert "<h1>A &lt; B</h1>" in written
    assert '<html lang="en">' in written


def test_a_folder_without_a_run_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["eval", "report", str(tmp_path)])
    assert done.exit_code != 0
    assert isinstance(done.exception, EvaluationError)
    assert "holds no run" in str(done.exception)


def test_an_unknown_language_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["eval", "report", str(tmp_path), "--language", "fi"])
    assert done.exit_code == 2


def test_the_hostile_case_is_one_of_them(told: Report) -> None:
    assert EVIL_CASE in told.suite.cases
