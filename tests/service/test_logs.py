"""A log keeps every whole record, whatever was left half written before it, and no key."""

from __future__ import annotations

import json
import logging
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ankare.service.watch.redaction import HIDDEN, Redaction
from ankare.service.watch.usage_log import CONTRACTS, MAX_RAW, SHADOW, USAGE, JsonLines, Logs
from ankare.settings import load_settings

KEY = 'sk-"abc\\123'
HALF = '{"time": "2024-01-01T00:00:00.000+00:00", "question": "Vad är'


def whole(path: Path) -> list[dict[str, Any]]:
    """The records that can be read."""
    records = []
    for line in path.read_bytes().split(b"\n"):
        try:
            records.append(json.loads(line))
        except ValueError:
            continue
    return records


def log_in(folder: Path, name: str = USAGE) -> JsonLines:
    return JsonLines(folder, name, Redaction((), MAX_RAW))


@pytest.mark.parametrize("name", [USAGE, SHADOW, CONTRACTS])
@pytest.mark.parametrize("half", [HALF.encode(), HALF.encode()[:-1], b"{", b"\x00"])
def test_a_record_after_half_a_line_stands_on_its_own(tmp_path: Path, name: str, half: bytes) -> None:
    (tmp_path / name).write_bytes(b'{"question": "1"}\n' + half)
    for question in ("2", "3"):
        log_in(tmp_path, name).write(question=question)
    assert [record["question"] for record in whole(tmp_path / name)] == ["1", "2", "3"]
    assert (tmp_path / name).read_bytes().count(b"\n") == 4


@pytest.mark.parametrize("before", [None, b"", b'{"question": "1"}\n'])
def test_no_blank_line_is_written_where_all_is_well(tmp_path: Path, before: bytes | None) -> None:
    if before is not None:
        (tmp_path / USAGE).write_bytes(before)
    log = log_in(tmp_path)
    log.write(question="2")
    log.write(question="3")
    lines = (tmp_path / USAGE).read_text("utf-8").splitlines()
    assert [json.loads(line)["question"] for line in lines][-2:] == ["2", "3"]
    assert all(lines)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file grows beyond this many bytes: the system writes what fits and then refuses, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    earlier = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, earlier)


def test_a_full_disk_costs_the_record_that_did_not_fit_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    monkeypatch.setattr(logging.getLogger("ankare.service"), "warning", lambda *said: told.append(said))
    log = log_in(tmp_path)
    log.write(question="1")
    size = (tmp_path / USAGE).stat().st_size
    with room_for(size + 20):
        log.write(question="2")
    assert (tmp_path / USAGE).stat().st_size == size + 20
    assert len(told) == 1
    log.write(question="3")
    assert [record["question"] for record in whole(tmp_path / USAGE)] == ["1", "3"]


def test_processes_do_not_write_into_each_others_lines(tmp_path: Path) -> None:
    (tmp_path / USAGE).write_text(HALF, "utf-8")
    code = (
        "import sys; from pathlib import Path; from ankare.service.watch.usage_log import Logs\n"
        "log = Logs(Path(sys.argv[1])).usage\n"
        "for n in range(50): log.write(question='x' * 20_000)"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(2)]
    assert [process.wait(60) for process in running] == [0, 0]
    assert len(whole(tmp_path / USAGE)) == 100
    assert (tmp_path / USAGE).read_bytes().count(b"\n") == 101


def test_half_a_character_is_kept_as_its_number(tmp_path: Path) -> None:
    log_in(tmp_path).write(raw="a\ud800b")
    assert whole(tmp_path / USAGE)[0]["raw"] == "a\ud800b"


@pytest.mark.parametrize("log", ["usage", "shadow", "contracts"])
def test_no_log_holds_a_key(tmp_path: Path, log: str) -> None:
    settings = load_settings(llm_api_key=f" {KEY}\n", facts_url="postgresql://me:pass-word@db/figures")
    logs = Logs(tmp_path, secrets=settings.secrets)
    getattr(logs, log).write(
        raw=f"The key is {KEY}, and pass-word.",
        nested={"list": [f"{KEY}{KEY}", 1, None, True], KEY: "a"},
        header="Authorization: Bearer hf_unknownToken.123==, bearer  abcdefgh",
    )
    (record,) = whole(tmp_path / f"{log}.jsonl")
    del record["time"]
    assert record == {
        "raw": f"The key is {HIDDEN}, and {HIDDEN}.",
        "nested": {"list": [HIDDEN * 2, 1, None, True], HIDDEN: "a"},
        "header": f"Authorization: Bearer {HIDDEN}, bearer {HIDDEN}",
    }


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Authorization: Basic dXNlcjpwYXNz", f"Authorization: Basic {HIDDEN}"),
        ("postgresql://me:pass@db/x and redis://:pass@r", f"postgresql://me:{HIDDEN}@db/x and redis://:{HIDDEN}@r"),
        (f"ank_0a1b2c3d_{'x' * 43} is mine", f"{HIDDEN} is mine"),
        ("Basic facts: https://example.org/a:b@c", "Basic facts: https://example.org/a:b@c"),
        ("ank_0a1b2c3d is a key's number", "ank_0a1b2c3d is a key's number"),
        ("http://example.org:8080/x and me@example.org", "http://example.org:8080/x and me@example.org"),
    ],
)
def test_what_gives_itself_out_as_a_secret_is_hidden_and_other_texts_are_not(said: str, kept: str) -> None:
    assert Redaction((), MAX_RAW).text(said) == kept


def test_a_long_text_is_cut_after_its_keys_are_hidden(tmp_path: Path) -> None:
    Logs(tmp_path, secrets=[KEY]).contracts.write(raw="x" * (MAX_RAW - 5) + KEY + "y")
    (record,) = whole(tmp_path / CONTRACTS)
    assert record["raw"] == "x" * (MAX_RAW - 5) + HIDDEN + "y"


def test_the_token_of_the_router_is_hidden_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_of_the_user")
    assert "hf_of_the_user" in load_settings(llm_base_url="https://router.huggingface.co/v1").secrets


def test_a_short_word_for_a_key_garbles_no_text() -> None:
    assert Redaction(["x", "", "  "], MAX_RAW).text("exakt x") == "exakt x"
