"""What does `ankare analyze` tell, with and without a home?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from ankare.cli.analyze import analyze

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(analyze)


def rows(arguments: list[str], home: Path, text: str | None = None) -> list[dict[str, object]]:
    result = CliRunner().invoke(app, [*arguments, "--home", str(home)], input=text)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.output.splitlines()]


def test_each_word_is_told_with_terms_parts_and_spelling(tmp_path: Path) -> None:
    (row,) = rows(["Kyrkogården har overlamnats", "--language", "sv", "--json"], tmp_path)
    assert row["text"] == "Kyrkogården har overlamnats"
    assert row["words"] == [
        {"word": "Kyrkogården", "terms": ["kyrkogård"], "parts": ["kyrka", "gården"], "corrected": None},
        {"word": "har", "terms": ["ha"], "parts": [], "corrected": None},
        {"word": "overlamnats", "terms": ["överlämna"], "parts": [], "corrected": "överlämnats"},
    ]


def test_a_batch_gives_one_line_of_json_per_line(tmp_path: Path) -> None:
    file = tmp_path / "texts.txt"
    file.write_text("skolskjuts\n\nwhat is risk\n什么是风险\n", encoding="utf-8")
    found = rows(["--batch", str(file)], tmp_path)
    assert [row["text"] for row in found] == ["skolskjuts", "", "what is risk", "什么是风险"]
    assert found[1]["words"] == []


def test_a_batch_is_read_from_standard_input(tmp_path: Path) -> None:
    assert [row["text"] for row in rows(["--batch", "-"], tmp_path, "en bok\ntvå böcker\n")] == ["en bok", "två böcker"]


def test_odd_text_is_analysed_too(tmp_path: Path) -> None:
    file = tmp_path / "texts.txt"
    file.write_bytes(b"\xff\xfe \x00 <b>x</b>\n")
    assert len(rows(["--batch", str(file)], tmp_path)) == 1
    file.write_text('{"text":' * 50_000, "utf-8")
    assert len(rows(["--batch", str(file)], tmp_path)) == 1


@pytest.mark.parametrize("arguments", [[], ["text", "--batch", "file"]])
def test_a_text_or_a_batch_must_be_given(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2
