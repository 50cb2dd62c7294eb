"""A log that has grown large is set aside once, by whichever process; no line is lost, and the oldest files go."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ankare.service.watch.json_lines import JsonLines, Limits, parts
from ankare.service.watch.redaction import Redaction

NAME = "usage.jsonl"
WRITER = """
import sys
from pathlib import Path
from ankare.service.watch.json_lines import JsonLines, Limits
from ankare.service.watch.redaction import Redaction

log = JsonLines(Path(sys.argv[1]), "usage.jsonl", Redaction((), 1000), Limits(bytes=2_000, kept=None))
for n in range(300):
    log.write(writer=sys.argv[2], n=n)
"""


def lines(folder: Path, kept: int | None = None, size: int = 200) -> JsonLines:
    return JsonLines(folder, NAME, Redaction((), 1000), Limits(bytes=size, kept=kept))


def read(folder: Path) -> list[dict[str, object]]:
    files = [*parts(folder / NAME), folder / NAME]
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def test_processes_that_set_files_aside_lose_no_line(tmp_path: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(n)]) for n in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    told = sorted((str(line["writer"]), line["n"]) for line in read(tmp_path))
    assert told == sorted((str(writer), n) for writer in range(3) for n in range(300))
    assert len(parts(tmp_path / NAME)) > 20


def test_the_newest_files_stay(tmp_path: Path) -> None:
    log = lines(tmp_path, kept=2)
    for n in range(50):
        log.write(n=n, filled="x" * 60)
    assert len(parts(tmp_path / NAME)) == 2
    left = [line["n"] for line in read(tmp_path)]
    assert left == list(range(left[0], 50))


def test_the_file_of_an_earlier_ankare_is_the_oldest(tmp_path: Path) -> None:
    (tmp_path / "usage.old.jsonl").write_text("")
    log = lines(tmp_path, kept=2)
    for n in range(50):
        log.write(n=n, filled="x" * 60)
    assert not (tmp_path / "usage.old.jsonl").exists()


def test_a_line_that_must_be_kept_says_when_it_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        lines(tmp_path / "file" / "log").append({"a": 1})
