"""Are ratings taken for what they are, told where they are not, and kept with the answer that was read?"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from ankare.errors import BadInputError, EvaluationError
from ankare.evaluation.captured import Run
from ankare.evaluation.measures.score import score_run
from ankare.evaluation.measures.scores_file import write_scores
from ankare.evaluation.reviewing import files as review_files
from ankare.evaluation.reviewing import read as review_read
from ankare.evaluation.reviewing.criteria import CRITERIA
from ankare.evaluation.reviewing.files import read_file
from ankare.evaluation.reviewing.items import items_of, select
from ankare.evaluation.reviewing.page import FORMAT
from ankare.evaluation.reviewing.ratings import FILE, Rating, read_ratings
from ankare.evaluation.reviewing.read import Reviewed, take_in
from ankare.evaluation.reviewing.result import review_result
from ankare.evaluation.reviewing.sheet import Form, write_sheet
from ankare.evaluation.statistics.agreement import Level, Strength
from tests.evaluation.kept_runs import BODIES, CASES, body, write_run

Told = Mapping[str, object]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return write_run(tmp_path / "run")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


def ids(run: Run) -> dict[str, str]:
    """The item of each case."""
    return {item.case.id: id_ for id_, item in items_of(run).items()}


def table(path: Path, rows: Sequence[Told], *, delimiter: str = ",", encoding: str = "utf-8-sig") -> Path:
    head = ["sheet", "item", *CRITERIA, "comment", "rater"]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow([row.get(name, "") for name in head])
    path.write_bytes(out.getvalue().encode(encoding))
    return path


def saved(path: Path, rater: str, rows: Sequence[Told]) -> Path:
    path.write_text(json.dumps({"format": FORMAT, "sheet": "s", "rater": rater, "ratings": list(rows)}), "utf-8")
    return path


def rated(item: str, *values: object, **more: object) -> dict[str, object]:
    return {"item": item, **dict(zip(CRITERIA, values, strict=False)), **more}


# --- forms


@pytest.mark.parametrize(
    ("delimiter", "encoding"), [(",", "utf-8-sig"), (";", "cp1252"), ("\t", "utf-16"), (";", "utf-8")]
)
def test_tables_of_every_program_are_read(tmp_path: Path, delimiter: str, encoding: str) -> None:
    row = rated("a1", 4, "5.0", "3,0", "Kan inte bedöma", "", comment="på rak\nlinje", rater="Åsa  Ek")
    (read,) = read_file(table(tmp_path / "r.csv", [row], delimiter=delimiter, encoding=encoding)).rows
    assert read.scores == {"directness": 4, "language": 5, "conclusion": 3}
    assert read.cannot == ("source_support",)
    assert (read.comment, read.rater) == ("på rak\nlinje", "Åsa Ek")


def test_a_workbook_that_was_filled_in_is_read(tmp_path: Path, run: Run) -> None:
    path = write_sheet(select([run]), tmp_path / "s.xlsx", Form.XLSX, "sv").sheet
    book = load_workbook(path)
    head = [cell.value for cell in book["ratings"][1]]
    for name, value in {**dict(zip(CRITERIA, (5, 4, 3, "cannot", 1), strict=True)), "rater": "Bo"}.items():
        book["ratings"].cell(2, head.index(name) + 1, value)
    book.save(path)
    read = read_file(path)
    assert read.rows[0].scores == {"directness": 5, "language": 4, "conclusion": 3, "abstention": 1}
    assert (read.rows[0].item, read.rows[0].rater, read.empty) == (ids(run)["board"], "Bo", 3)


def test_what_the_page_saved_is_read(tmp_path: Path) -> None:
    path = saved(tmp_path / "r.json", "Bo", [rated("a", 1, 2, 3, 4, 5, comment="ja"), rated("b")])
    read = read_file(path)
    assert read.rows[0].scores == dict(zip(CRITERIA, (1, 2, 3, 4, 5), strict=True))
    assert read.empty == 1


def test_a_comment_that_was_made_harmless_is_as_it_was(tmp_path: Path) -> None:
    (read,) = read_file(table(tmp_path / "r.csv", [rated("a", 1, comment="'=1+1", rater="Bo")])).rows
    assert read.comment == "=1+1"


# --- faults


@pytest.mark.parametrize("value", ["6", "0", "-1", "3.5", "ja", "4 5", "1e0", "nan", "=4", "5" * 400, "٣", "３", "²"])
def test_a_value_out_of_the_scale_is_told_with_line_and_column(tmp_path: Path, value: str) -> None:
    path = table(tmp_path / "r.csv", [rated("a", 4, rater="Bo"), rated("b", 4, value, rater="Bo")])
    with pytest.raises(BadInputError, match=r"r\.csv:3, language: "):
        read_file(path)


def test_a_line_is_found_behind_cells_of_many_lines(tmp_path: Path) -> None:
    path = table(tmp_path / "r.csv", [rated("a", 4, comment="ett\ntvå\ntre", rater="Bo"), rated("b", 9, rater="Bo")])
    with pytest.raises(BadInputError, match=r"r\.csv:5, directness: '9'"):
        read_file(path)


def test_a_row_of_a_workbook_is_told(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["item", *CRITERIA, "rater"])
    book.active.append(["a", 7, 1, 1, 1, 1, "Bo"])
    book.save(tmp_path / "r.xlsx")
    with pytest.raises(BadInputError, match=r"r\.xlsx, row 2, directness: '7'"):
        read_file(tmp_path / "r.xlsx")


def test_the_same_rater_twice_is_told_with_both_places(tmp_path: Path) -> None:
    rows = [rated("a", 4, rater="Bo Ek"), rated("b", 4, rater="Bo Ek"), rated("a", 5, rater="bo  ek")]
    with pytest.raises(BadInputError, match=r"r\.csv:4: bo ek has rated a already, in .*r\.csv:2"):
        read_file(table(tmp_path / "r.csv", rows))


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([rated("", 4, rater="Bo")], "column item is empty"),
        ([rated("a", 4)], "column rater is empty"),
        ([rated("a", 4, rater="Bo"), rated("b", 4, rater="Eva"), rated("c", 4)], ":4: the column rater is empty"),
    ],
)
def test_who_rated_what_has_to_be_told(tmp_path: Path, rows: list[Told], told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        read_file(table(tmp_path / "r.csv", rows))


def test_one_name_in_the_file_or_given_stands_for_all_rows(tmp_path: Path) -> None:
    path = table(tmp_path / "r.csv", [rated("a", 4, rater="Bo"), rated("b", 4)])
    assert [row.rater for row in read_file(path).rows] == ["Bo", "Bo"]
    assert [row.rater for row in read_file(table(path, [rated("a", 4)]), rater="Eva").rows] == ["Eva"]


HEAD = f"item,{','.join(CRITERIA)},comment,rater\n".encode()
BROKEN: dict[str, tuple[str, bytes, str]] = {
    "no such column": ("r.csv", b"item,directness\na,1\n", "has no column language"),
    "a column twice": ("r.csv", f"item,{','.join(CRITERIA)},item\n".encode(), "item twice"),
    "empty": ("r.csv", b"", "is empty|no column"),
    "a million columns": ("r.csv", b"item" + b",x" * 1_000_000 + b"\n", r"r\.csv:1 has more than 200 columns"),
    "a wide row": ("r.csv", HEAD + b"a" + b"," * 300 + b"\n", r"r\.csv:2 has more than 200 columns"),
    "rows without end": ("r.csv", HEAD + b"item\n" * 3_000_000, "more than 100000 rows"),
    "ratings without end": (
        "r.json",
        json.dumps({"format": FORMAT, "ratings": [{}] * 100_001}).encode(),
        "more than 100000 rows",
    ),
    "a quote that is not closed": ("r.csv", HEAD + b'a,4,,,,,"good,Bo\nb,4,,,,,,Bo\n', r"r\.csv:3 is no CSV"),
    "a zero byte": ("r.csv", b"item\0,x\n", "no column|no CSV"),
    "no workbook": ("r.xlsx", b"PK\x03\x04 nothing", "truncated or damaged"),
    "no json": ("r.json", b"{", "is no JSON"),
    "deep json": ("r.json", b"[" * 100_000, "is no JSON"),
    "another json": ("r.json", b'{"ratings": []}', "holds no ratings"),
    "a rating that is none": ("r.json", json.dumps({"format": FORMAT, "ratings": [3]}).encode(), "rating 1"),
    "another kind of file": ("r.pdf", b"%PDF", "no file of ratings"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_file_of_ratings_is_refused(tmp_path: Path, name: str) -> None:
    file, data, told = BROKEN[name]
    (tmp_path / file).write_bytes(data)
    with pytest.raises(BadInputError, match=told):
        read_file(tmp_path / file)


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        read_file(tmp_path / "nothing.csv")
    monkeypatch.setattr(review_files, "MOST_BYTES", 10)
    with pytest.raises(BadInputError, match="larger"):
        read_file(table(tmp_path / "r.csv", [rated("a", 1, rater="Bo")]))


def test_rows_are_counted_while_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_files, "MOST_ROWS", 2)
    rows = [rated(name, 4, rater="Bo") for name in "ab"]
    path = table(tmp_path / "r.csv", rows)
    assert len(read_file(path).rows) == 2
    path.write_bytes(path.read_bytes() + b'c,"' + b"x" * 200_000)  # a row that no reader of CSV would take
    with pytest.raises(BadInputError, match=r"r\.csv:4 is no CSV"):
        read_file(path)
    path.write_bytes(HEAD + b"a\nb\nc\n" + b'"' + b"x" * 200_000)
    with pytest.raises(BadInputError, match="more than 2 rows"):
        read_file(path)


@pytest.mark.parametrize("name", ["r.csv", "r.xlsx", "r.json"])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(BadInputError, match=r"no regular file.*Name a file of ratings"):
        read_file(tmp_path / name)


def test_a_device_is_no_key(run: Run, folder: Path) -> None:
    with pytest.raises(BadInputError, match=r"no regular file.*Name the key"):
        take_in([(folder, run)], [], Path("/dev/zero"))


def test_half_a_character_and_signs_for_a_terminal_do_no_harm(run: Run, folder: Path, tmp_path: Path) -> None:
    path = saved(tmp_path / "r.json", "\x1b[31mBo\ud83d", [rated(ids(run)["board"], 4, comment="bra \ud83d\x1b[2J")])
    take_in([(folder, run)], [path])
    (kept,) = read_ratings(folder)
    assert (kept.rater, kept.comment) == ("[31mBo", "bra \ufffd\ufffd[2J")


@pytest.mark.parametrize("rater", ["\ud800", ["Bo"], {"a": 1}])
def test_a_name_that_is_none_is_told(tmp_path: Path, rater: object) -> None:
    told = {"format": FORMAT, "rater": rater, "ratings": [rated("a", 4)]}
    (tmp_path / "r.json").write_text(json.dumps(told), "utf-8")
    with pytest.raises(BadInputError, match=r"r\.json, rating 1: the column rater is empty"):
        read_file(tmp_path / "r.json")


def test_an_unknown_answer_is_told_without_signs_for_a_terminal(run: Run, folder: Path, tmp_path: Path) -> None:
    path = saved(tmp_path / "r.json", "Bo", [rated("\x1b[31m\u202e\ud800nobody", 4)])
    with pytest.raises(BadInputError, match=r"rating 1: \[31mnobody is no answer") as told:
        take_in([(folder, run)], [path])
    assert str(told.value).replace("\n", "").isprintable()


def test_the_remedy_has_a_line_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(BadInputError) as told:
        read_file(table(tmp_path / "r.csv", [rated("a", 9, rater="Bo")]))
    assert str(told.value).splitlines()[-1] == "Put it right in the file, and read it again."


@pytest.mark.parametrize(("language", "said"), [("sv", "saknar kolumnen language"), ("zh", "缺少列 language")])
def test_the_form_of_a_file_is_told_in_the_language_of_the_sheet(tmp_path: Path, language: str, said: str) -> None:
    (tmp_path / "r.csv").write_bytes(b"item,directness\na,1\n")
    with pytest.raises(BadInputError, match=said):
        read_file(tmp_path / "r.csv", language=language)


def test_many_faults_are_told_in_part(tmp_path: Path) -> None:
    path = table(tmp_path / "r.csv", [rated(f"a{n}", 9, rater="Bo") for n in range(50)])
    with pytest.raises(BadInputError, match="and 30 more"):
        read_file(path)


# --- keeping


def test_ratings_are_kept_and_a_later_file_replaces_them(run: Run, folder: Path, tmp_path: Path) -> None:
    item = ids(run)
    first = table(tmp_path / "a.csv", [rated(item["board"], 2, rater="Bo"), rated(item["money"], 3, rater="Eva")])
    taken = take_in([(folder, run)], [first])
    assert len(read_ratings(folder)) == 2
    assert not any("place of earlier" in line for line in taken.told)
    later = table(tmp_path / "b.csv", [rated(item["board"], 5, rater="BO")])
    taken = take_in([(folder, run)], [later])
    kept = {rating.case_id: rating for rating in read_ratings(folder)}
    assert kept["board"].scores == {"directness": 5}
    assert kept["money"].scores == {"directness": 3}
    assert any("1 rating stands in the place of an earlier" in line for line in taken.told)
    assert take_in([(folder, run)], []).reviewed[0].ratings == read_ratings(folder)


def test_an_unknown_answer_is_told_and_nothing_is_kept(run: Run, folder: Path, tmp_path: Path) -> None:
    good = table(tmp_path / "a.csv", [rated(ids(run)["board"], 2, rater="Bo")])
    wrong = table(tmp_path / "b.csv", [rated("ffffffffffff", 2, rater="Bo")])
    with pytest.raises(BadInputError, match=r"b\.csv:2: ffffffffffff is no answer"):
        take_in([(folder, run)], [good, wrong])
    assert not (folder / FILE).exists()


def test_a_rating_is_not_counted_for_an_answer_that_was_captured_anew(run: Run, folder: Path, tmp_path: Path) -> None:
    take_in([(folder, run)], [table(tmp_path / "a.csv", [rated(ids(run)["board"], 1, rater="Bo")])])
    (folder / "answers.jsonl").unlink()
    anew = write_run(folder, bodies={**BODIES, "board": body(CASES[0].question, "De är fem.")})
    taken = take_in([(folder, anew)], [])
    assert taken.reviewed[0].ratings == ()
    assert "captured anew" in taken.told[0]
    assert len(read_ratings(folder)) == 1  # still there, should the answer come back


def test_ratings_of_a_blind_sheet_find_their_runs_by_the_key(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("a", "b")}
    runs = {name: write_run(path, name=name) for name, path in folders.items()}
    found = select(list(runs.values()), blind=True, seed=1)
    written = write_sheet(found, tmp_path / "s.html", Form.HTML, "sv")
    value = {"a": 2, "b": 5}
    path = saved(tmp_path / "r.json", "Bo", [rated(item.id, value[item.run_name]) for item in found.items])
    with pytest.raises(BadInputError, match="no answer of these runs"):
        take_in([(folders["a"], runs["a"])], [path])
    taken = take_in([(folders[name], runs[name]) for name in runs], [path], written.key)
    for one in taken.reviewed:
        assert {rating.scores["directness"] for rating in one.ratings} == {value[one.run.conditions.name]}
        assert all(rating.blind for rating in one.ratings)
    alone = take_in([(folders["a"], runs["a"])], [path], written.key)
    assert "4 ratings are of b" in alone.told[1]


@pytest.mark.parametrize(
    "data", [b"{", b"[]", b'{"format": "x"}', b'{"format": "ankare-review-key/1", "items": {"a": 1}}']
)
def test_what_is_no_key_is_refused(run: Run, folder: Path, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "k.json").write_bytes(data)
    with pytest.raises(BadInputError, match="no key"):
        take_in([(folder, run)], [], tmp_path / "k.json")


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"item": "a"}',
        '{"item":"a","case_id":"b","repeat":0,"rater":"c","scores":{"x":9},"cannot":[]}',
        '{"item":"a","case_id":"b","repeat":0,"rater":"\\ud800","scores":{},"cannot":[],"comment":"","blind":false}',
    ],
)
def test_a_broken_line_of_kept_ratings_is_told(folder: Path, run: Run, line: str) -> None:
    (folder / FILE).write_text(f"{line}\n", "utf-8")
    with pytest.raises(EvaluationError, match=r"ratings\.jsonl:1"):
        read_ratings(folder)


def test_a_failed_write_leaves_what_was_kept(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in([(folder, run)], [table(tmp_path / "a.csv", [rated(ids(run)["board"], 2, rater="Bo")])])
    before = (folder / FILE).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        take_in([(folder, run)], [table(tmp_path / "b.csv", [rated(ids(run)["board"], 5, rater="Bo")])])
    assert (folder / FILE).read_bytes() == before


def test_ids_that_leave_the_text_out_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The saboteur: an id that is the case alone counts a rating for an answer that nobody read."""
    right = review_read.items_of

    def by_case(run: Run) -> dict[str, Any]:
        return {item.case.id: item for item in right(run).values()}

    run = write_run(tmp_path / "r")
    path = table(tmp_path / "a.csv", [rated("board", 1, rater="Bo")])
    with pytest.raises(BadInputError):
        take_in([(tmp_path / "r", run)], [path])
    monkeypatch.setattr(review_read, "items_of", by_case)
    assert take_in([(tmp_path / "r", run)], [path]).reviewed[0].items["board"]


# --- figures


def reviewed(folder: Path, run: Run, *given: tuple[str, str, Sequence[int]]) -> Reviewed:
    """Ratings as (rater, case, values)."""
    items = items_of(run)
    of_case = ids(run)
    ratings = tuple(
        Rating(of_case[case], case, 0, rater, dict(zip(CRITERIA, values, strict=False)))
        for rater, case, values in given
    )
    return Reviewed(folder, run, items, ratings)


def test_a_mean_is_over_questions_of_the_mean_over_raters(run: Run, folder: Path) -> None:
    one = reviewed(folder, run, ("Bo", "board", [5]), ("Eva", "board", [3]), ("Bo", "money", [1]))
    (group,) = review_result([one]).groups
    point = group.points[0]
    assert point.mean == pytest.approx((4 + 1) / 2)
    assert (point.questions, point.ratings, group.raters, group.answers) == (2, 3, 2, 2)
    assert point.low is not None and point.high is not None and point.low <= 2.5 <= point.high
    assert group.points[1].mean is None


def test_what_stands_apart_from_its_path_has_a_group_of_its_own(tmp_path: Path) -> None:
    figures = body(CASES[1].question, answered=True, route="structured", answer_origin="figures", claims=[])
    run = write_run(tmp_path, bodies={**BODIES, "money": figures})
    groups = review_result([reviewed(tmp_path, run, ("Bo", "board", [5]), ("Bo", "money", [1]))]).groups
    assert [(group.aside, group.points[0].mean) for group in groups] == [("", 5.0), ("figures", 1.0)]


def test_raters_who_agree_and_who_do_not_are_told_apart(run: Run, folder: Path) -> None:
    cases, values = ("board", "money", "holiday", "moon"), (1, 3, 4, 5)
    alike = [("Eva", case, [value, value]) for case, value in zip(cases, values, strict=True)]
    alike += [("Bo", case, [value, 6 - value]) for case, value in zip(cases, values, strict=True)]
    found = review_result([reviewed(folder, run, *alike)]).agreements
    assert [one.level for one in found["directness"]] == [Level.ORDINAL, Level.NOMINAL, Level.INTERVAL]
    assert found["directness"][0].value == 1.0
    assert found["directness"][0].strength is Strength.RELIABLE
    assert found["language"][0].strength is Strength.CHANCE
    assert found["abstention"][0].strength is Strength.UNKNOWN


def test_measures_are_held_against_people(run: Run, folder: Path) -> None:
    scored = score_run(run)
    write_scores(scored, folder)
    values = {row.case_id: row.values for row in scored.rows}
    relevance = {case: told["answer_relevance"] for case, told in values.items() if "answer_relevance" in told}
    ranked = sorted(relevance, key=lambda case: relevance[case])
    given = [("Bo", case, [place + 1]) for place, case in enumerate(ranked)]
    result = review_result([reviewed(folder, run, *given)])
    held = {(one.point, one.measure): one.correlation for one in result.held}
    assert held["directness", "answer_relevance"].n == len(ranked) == 3
    spearman = held["directness", "answer_relevance"].spearman
    assert spearman is None or spearman > 0
    assert result.unscored == ()


def test_a_run_without_scores_is_held_against_nothing_and_says_so(run: Run, folder: Path) -> None:
    result = review_result([reviewed(folder, run, ("Bo", "board", [5]))])
    assert result.held == ()
    assert result.unscored == (str(folder),)
