"""The page of documents lists what everyone may read; the check of a suite tells a home that answers from one that does not."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from ankare.index.home import Home
from ankare.ingest.run import ingest

sys.path.insert(0, str(Path(__file__).parents[2] / "deploy"))

import check_suite
import make_pages

PLAN = "# Plan <b>ett</b>\n\nProjektledaren bokar lokalen i god tid.\n"
CLOSED = "# Lönerevision\n\nLönerna höjs i maj.\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    documents = folder / "documents"
    (documents / "under").mkdir(parents=True)
    (documents / "under/plan å.md").write_text(PLAN, "utf-8")
    (documents / "hemlig.md").write_text(CLOSED, "utf-8")
    (documents / "hemlig.md.meta.toml").write_text('access = "hr"\n', "utf-8")
    ingest([documents], Home(folder / "home"), workers=1)
    return folder / "home"


def page(home: Path, out: Path, *options: str) -> str:
    assert make_pages.main(["--home", str(home), "--out", str(out), *options]) == 0
    return (out / "index.html").read_text("utf-8")


def test_it_lists_what_everyone_may_read_and_nothing_of_the_rest(home: Path, tmp_path: Path) -> None:
    shown = page(home, tmp_path, "--with-files")
    assert "plan å.md" in shown
    assert "Dokument: 1" in shown
    assert not re.search("hemlig|Lönerevision|hr", re.sub(r"href", "", shown))
    assert [path.name for path in tmp_path.rglob("*") if path.is_file() and path.name != "index.html"] == ["plan å.md"]


def test_its_links_lead_to_the_copies_or_to_the_service(home: Path, tmp_path: Path) -> None:
    (linked,) = re.findall(r'href="([^"]+)"', page(home, tmp_path / "a", "--with-files"))
    assert linked == "files/under/plan%20%C3%A5.md"
    assert (tmp_path / "a/files/under/plan å.md").read_text("utf-8") == PLAN
    (linked,) = re.findall(r'href="([^"]+)"', page(home, tmp_path / "b", "--service-url", "https://x.example/"))
    assert linked.startswith("https://x.example/sources/")
    assert "href" not in page(home, tmp_path / "c")


def test_it_loads_nothing_and_titles_are_no_markup(home: Path, tmp_path: Path) -> None:
    shown = page(home, tmp_path, "--title", "<script>x</script>", "--language", "en")
    assert not re.search(r"<script|<b>|src=|url\(|@import", shown)
    assert "default-src 'none'" in shown
    assert "&lt;script&gt;" in shown


def test_no_home_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make_pages.main(["--home", str(tmp_path / "none"), "--out", str(tmp_path)]) == 1
    assert "FAILED" in capsys.readouterr().err


CASES = [
    {"id": "a", "question": "Vem bokar lokalen?", "answerable": True, "gold": [{"source": "under/plan å.md"}]},
    {"id": "b", "question": "Vilken färg har brandbilen?", "answerable": False, "gold": []},
]


@pytest.mark.parametrize(
    ("cases", "code", "told"),
    [
        (CASES, 0, "2 of 2"),
        ([CASES[0], {**CASES[1], "answerable": True}], 1, "b: refused"),
        ([{**CASES[0], "answerable": False, "gold": []}, CASES[1]], 1, "a: answered, but"),
        ([{**CASES[0], "gold": [{"source": "annan.pdf"}]}, CASES[1]], 1, "a: answered from under/plan å.md"),
        ([], 0, "no questions yet"),
    ],
    ids=["whole", "refused", "answered", "another document", "no cases"],
)
def test_a_suite_that_does_not_hold_is_told(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], cases: list[dict[str, object]], code: int, told: str
) -> None:
    (tmp_path / "suite.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases), "utf-8")
    assert check_suite.main(["--home", str(home), "--pack", str(tmp_path)]) == code
    assert told in capsys.readouterr().out


def test_no_suite_is_told(home: Path, tmp_path: Path) -> None:
    assert check_suite.main(["--home", str(home), "--pack", str(tmp_path)]) == 2


def test_a_home_without_an_index_fails_without_a_question_too(tmp_path: Path) -> None:
    (tmp_path / "suite.jsonl").write_text("", "utf-8")
    assert check_suite.main(["--home", str(tmp_path / "none"), "--pack", str(tmp_path)]) == 2
