"""Does the README tell what a run of the sample suite measures today, and does the scripted model do what it is said to?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.copying_model import INVENTED, Told
from benchmarks.sample_eval import BEGIN, END, WAYS, ankare, captured, told_in_readme

from ankare.sample import pack_path
from benchmarks import sample_eval

CHUNKS = "<evidence key=1>\n\n<c1 key=1> (A)\n{}\n\n</evidence key=1>"


def test_the_readme_tells_what_the_first_way_measures_today(tmp_path: Path) -> None:
    home = tmp_path / "home"
    ankare("ingest", "--pack", pack_path(), "--home", home)
    run = captured(WAYS[0], home, tmp_path, {})
    ankare("eval", "score", run)
    assert json.loads((run / "summary.json").read_text("utf-8"))["overall"]["answers"] == 70
    row = sample_eval._row(WAYS[0], json.loads((run / "summary.json").read_text("utf-8")))
    assert row in sample_eval.README.read_text("utf-8"), "run `make eval`"


def test_another_table_is_seen_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", "utf-8")
    monkeypatch.setattr(sample_eval, "README", readme)
    assert told_in_readme("new", check=True) == 1
    assert "old" in readme.read_text("utf-8")
    assert told_in_readme("new", check=False) == 0
    assert readme.read_text("utf-8") == f"before\n{BEGIN}\nnew\n{END}\nafter\n"
    assert told_in_readme("new", check=True) == 0


def test_a_readme_without_a_place_for_the_table_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("nothing", "utf-8")
    monkeypatch.setattr(sample_eval, "README", readme)
    with pytest.raises(SystemExit, match="no place"):
        told_in_readme("new", check=False)


def test_the_scripted_model_copies_and_invents_by_the_question() -> None:
    said = "Planen beslutas av nämnden i maj varje år. Nämnden möts sedan fyra gånger under hösten."
    asked = [f"Vem beslutar om planen {n}?" for n in range(40)]
    drafts = [Told.of(f"<question key=1>\n{text}\n</question key=1>\n{CHUNKS.format(said)}") for text in asked]
    copied = json.loads(drafts[0].answer(invents=False))
    assert copied["answer"] == said
    assert copied["evidence_used"][0]["chunk_id"] == "c1"
    assert INVENTED["sv"] in json.loads(drafts[0].answer(invents=True))["answer"]
    assert {draft.luck for draft in drafts} == set(range(5))
    invented = Told(asked[0], f"{said} {INVENTED['sv']}", {})
    assert {Told(text, invented.draft, {}).verdict() for text in (asked[0], f"{asked[0]} ")} == {"approved", "rejected"}
    assert Told(asked[0], said, {}).verdict() == "approved"
