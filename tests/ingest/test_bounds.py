"""What one file may cost: a reader that breaks a bound fails its file alone, is told why, and is not started for it again."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from ankare.cli.doctor import _bounds
from ankare.index.home import Home
from ankare.ingest import bounds as bounds_module
from ankare.ingest import pool, work
from ankare.ingest.bounds import Bounds, limit_memory, limit_seconds, unbounded
from ankare.ingest.report import FileReport
from ankare.ingest.run import ingest
from ankare.settings import Settings
from tests.ingest.making import pdf

TIGHT = Bounds(memory_bytes=250_000_000, seconds=1.0)
NOTE = "# Drift\n\nDriften ska testas varje vecka.\n"
pytestmark = pytest.mark.skipif(bool(unbounded()), reason="this system cannot bound a process")


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers are forked, so that they have what the test has put in."""
    monkeypatch.setattr("ankare.ingest.pool.threading.active_count", lambda: 1)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Two honest files."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "drift.md").write_text(NOTE, "utf-8")
    (folder / "plan.pdf").write_bytes(pdf([["Planen testas av beställaren."]]))
    return folder


def objects_pdf(objects: list[bytes]) -> bytes:
    """A PDF of these objects, the first one its catalogue."""
    out, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    tail = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % size + rows + tail


def stream(data: bytes, extra: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(data), extra, data)


def paged(content: bytes, *more: bytes) -> bytes:
    return objects_pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R" + _RESOURCES + b">>",
            content,
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            *more,
        ]
    )


def doubling(steps: int) -> bytes:
    """Forms that each draw the next one twice: some hundred bytes that stand for two to the power of so many texts."""
    text = b"BT /F1 9 Tf 5 5 Td (Planen testas) Tj ET"
    return paged(stream(b"/X0 Do"), *(_form(7 + step) for step in range(steps)), stream(text, _FORM + b">>"))


def _form(following: int) -> bytes:
    return stream(b"/X0 Do /X0 Do", _FORM + b"/XObject<</X0 %d 0 R>>>>" % following)


_RESOURCES = b"/Resources<</Font<</F1 5 0 R>>/XObject<</X0 6 0 R>>>>"
_FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</Font<</F1 5 0 R>>"


def files(folder: Path, home: Path, bounds: Bounds = TIGHT, **more: bool) -> dict[str, FileReport]:
    report = ingest([folder], Home(home), workers=2, bounds=bounds, **more)
    return {file.source: file for file in report.files}


def told(file: FileReport) -> tuple[str, str]:
    return str(file.status), file.message


def test_a_file_that_needs_too_much_memory_fails_alone_and_says_so(docs: Path, tmp_path: Path) -> None:
    (docs / "form.pdf").write_bytes(doubling(28))
    found = files(docs, tmp_path / "home", Bounds(TIGHT.memory_bytes, 40))
    status, message = told(found["form.pdf"])
    assert status == "failed"
    assert "more than 250,000,000 bytes of memory" in message
    assert "ANKARE_READER_MEMORY_BYTES" in message
    assert {str(found[name].status) for name in ("drift.md", "plan.pdf")} == {"added"}


def test_a_file_that_takes_too_long_fails_alone_and_says_so(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (docs / "slow.md").write_text(NOTE, "utf-8")
    _slow(monkeypatch, "slow.md")
    found = files(docs, tmp_path / "home")
    status, message = told(found["slow.md"])
    assert status == "failed"
    assert "more than 1 seconds of a processor" in message
    assert "ANKARE_READER_SECONDS" in message
    assert {str(found[name].status) for name in ("drift.md", "plan.pdf")} == {"added"}


def _slow(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    real = work.read_document

    def slow(path: Path, *more: object) -> object:
        while path.name == name:
            pass
        return real(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(work, "read_document", slow)


def test_python_that_runs_out_of_memory_is_told_the_same_way(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = work.read_document

    def greedy(path: Path, *more: object) -> object:
        if path.name == "drift.md":
            bytearray(TIGHT.memory_bytes * 2)
        return real(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(work, "read_document", greedy)
    found = files(docs, tmp_path / "home")
    assert "more than 250,000,000 bytes of memory" in found["drift.md"].message
    assert str(found["plan.pdf"].status) == "added"


def test_what_broke_a_bound_is_not_read_again_until_it_or_the_bound_changes(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (docs / "slow.md").write_text(NOTE, "utf-8")
    with monkeypatch.context() as meanwhile:
        _slow(meanwhile, "slow.md")
        first = files(docs, tmp_path / "home")["slow.md"]
    assert "not read again until" in first.message
    again = files(docs, tmp_path / "home")["slow.md"]
    assert told(again) == told(first)
    (docs / "copy.md").write_text(NOTE, "utf-8")  # the same bytes by another name
    assert told(files(docs, tmp_path / "home")["copy.md"])[0] == "failed"
    assert told(files(docs, tmp_path / "home", Bounds(TIGHT.memory_bytes, 2.0))["slow.md"])[0] == "added"


def test_fresh_reads_what_was_refused(docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs / "slow.md").write_text(NOTE + "x", "utf-8")
    with monkeypatch.context() as meanwhile:
        _slow(meanwhile, "slow.md")
        files(docs, tmp_path / "home")
    assert told(files(docs, tmp_path / "home", fresh=True)["slow.md"])[0] == "added"


def test_a_crash_is_not_remembered(docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = work.read_document

    def deadly(path: Path, *more: object) -> object:
        if path.name == "drift.md":
            os.kill(os.getpid(), signal.SIGTRAP)
        return real(path, *more)  # type: ignore[arg-type]

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(work, "read_document", deadly)
        assert "crashed" in files(docs, tmp_path / "home")["drift.md"].message
    assert told(files(docs, tmp_path / "home")["drift.md"])[0] == "added"


def test_what_a_used_reader_could_not_hold_is_tried_once_in_a_new_one(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real = work.read_document

    def holds_on(path: Path, *more: object) -> object:
        if read:
            raise MemoryError
        read.append(path.name)
        return real(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(work, "read_document", holds_on)
    report = ingest([docs], Home(tmp_path / "home"), workers=1, bounds=TIGHT)
    assert [str(file.status) for file in report.files] == ["added", "added"]


BROKEN = [
    "{",
    "5",
    "[]",
    "\ud7ff",
    '{"code": "x"}',
    '{"code": "x", "text": "t", "values": 5}',
    '{"code": "x", "text": "t", "values": {"a": {"code": "y", "values": []}}}',
    '{"code": "x", "text": "t", "values": {"a": ' + "[" * 900 + "]" * 900 + "}}",
    "[" * 200_000,
    '{"code":' * 200_000,
]


def test_a_remembered_content_that_cannot_be_read_counts_as_none(docs: Path, tmp_path: Path) -> None:
    refused = pool.Refused(tmp_path, (), TIGHT)
    assert refused.of("0" * 64) == ""
    message = refused.remember(docs / "drift.md", TIGHT.out_of_memory())
    (kept,) = (tmp_path / "refused").iterdir()
    sha256 = kept.stem.partition("-")[2]
    assert refused.of(sha256) == message
    assert json.loads(kept.read_bytes())["code"] == "both"
    for broken in BROKEN:
        kept.write_text(broken, "utf-8")
        assert refused.of(sha256) == ""


def test_what_was_refused_under_other_bounds_is_forgotten(docs: Path, tmp_path: Path) -> None:
    pool.Refused(tmp_path, (), TIGHT).remember(docs / "drift.md", TIGHT.out_of_memory())
    pool.Refused(tmp_path, (), Bounds()).remember(docs / "plan.pdf", TIGHT.out_of_memory())
    assert len(list((tmp_path / "refused").iterdir())) == 1


@pytest.mark.parametrize(
    ("size", "pages", "seconds"),
    [
        (1000, 1, 40),  # a note
        (3_200_000, 2000, 184),  # an honest report of 2,000 pages: ten times what it takes
        (815_000, 1, 56),  # eight million operators on one page
        (360_000, 60_000, 95),  # one page, sixty thousand times
    ],
)
def test_time_grows_with_the_size_and_with_pages_that_are_really_there(size: int, pages: int, seconds: int) -> None:
    assert round(Bounds().seconds_for(size, pages)) == seconds


def test_time_is_given_for_each_file_anew(docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = work.read_document

    def some_time(path: Path, *more: object) -> object:
        until = time.process_time() + 0.8
        while time.process_time() < until:
            pass
        return real(path, *more)  # type: ignore[arg-type]

    for number in range(2):
        (docs / f"{number}.md").write_text(NOTE + str(number), "utf-8")
    monkeypatch.setattr(work, "read_document", some_time)
    report = ingest([docs], Home(tmp_path / "home"), workers=1, bounds=Bounds(seconds=1.5))
    assert {str(file.status) for file in report.files} == {"added"}


def test_a_system_without_bounds_says_so_and_reads_on(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_given: object) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(bounds_module.resource, "setrlimit", refuses)
    assert unbounded() == ("memory", "seconds")
    assert not limit_memory(1)
    assert not limit_seconds(1)
    assert {str(file.status) for file in files(docs, tmp_path / "home").values()} == {"added"}


def test_a_kernel_that_has_no_bound_of_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(bounds_module.resource, "RLIMIT_AS")
    assert unbounded() == ("memory",)
    assert not limit_memory(1)


def test_a_system_that_does_not_tell_how_much_memory_a_process_has_is_not_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounds_module, "memory_in_use", lambda _pid: None)
    assert unbounded() == ("memory",)
    assert not limit_memory(1)
    assert "cannot bound memory" in _bounds(Settings()).found


# Saboteurs


def test_a_saboteur_without_a_bound_of_memory_is_caught(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "limit_memory", lambda _more: True)
    with pytest.raises(AssertionError):
        test_python_that_runs_out_of_memory_is_told_the_same_way(docs, tmp_path, monkeypatch)


def test_a_saboteur_that_forgets_what_broke_a_bound_is_caught(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool.Refused, "of", lambda _self, _sha256: "")
    with pytest.raises(AssertionError):
        test_what_broke_a_bound_is_not_read_again_until_it_or_the_bound_changes(docs, tmp_path, monkeypatch)
