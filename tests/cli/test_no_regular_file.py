"""A pipe where a home keeps a file is told as damage; no command and no service waits for what never comes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ankare.errors import HomeDamagedError
from ankare.index.home import Home
from ankare.index.manifest import (
    MANIFEST_FILE,
    ORIGINS_FILE,
    SIZES_FILE,
    VOCABULARY_FILE,
    cut_short,
    read_manifest,
    read_origins,
    read_vocabulary,
)
from ankare.ingest.run import ingest
from ankare.regular_file import read_regular
from ankare.retrieve.embedding import embedded_objects
from ankare.retrieve.vectors import LAYOUT_FILE, Vectors
from ankare.service.door.keys import read_keys
from ankare.service.library.store import NOBODY, label_of
from ankare.service.watch.question_key import KEY_FILE, QuestionKey
from tests.service.librarian import pack_of

PATIENCE = 120.0
"""Seconds; only a command that hangs gets there."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    ingest([pack_of(folder / "pack")], Home(folder / "home"), workers=1)
    return folder / "home"


@pytest.fixture
def home(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "home"))


def ankare(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ankare", *arguments, "--home", str(home)]
    environment = {**os.environ, "ANKARE_SEMANTIC": "false"}
    return subprocess.run(
        command,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE,
        check=False,
    )


def piped(path: Path) -> Path:
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("name", ["CURRENT", "manifest.json", "profile.toml"])
@pytest.mark.parametrize("command", [("ask", "Vad ska testas varje vecka?"), ("search", "testas")])
def test_a_command_says_which_file_of_the_home_is_none(home: Path, name: str, command: tuple[str, ...]) -> None:
    path = home / name if name == "CURRENT" else Home(home).version_folder() / name
    piped(path)
    done = ankare(home, *command)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert name in done.stderr


def test_keys_that_are_a_pipe_are_told_as_damaged(home: Path) -> None:
    piped(home / "keys.json")
    done = ankare(home, "keys", "list")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert "keys.json" in done.stderr
    with pytest.raises(HomeDamagedError, match="pipe"):
        read_keys(home)


def test_every_other_file_of_a_home_is_read_the_same_way(home: Path) -> None:
    (key,) = [path.stem for path in (home / "objects").iterdir()]
    piped(home / "objects" / f"{key}.jsonl")
    with pytest.raises(HomeDamagedError):
        Home(home).read_object(key)
    vocabulary = piped(Home(home).version_folder() / VOCABULARY_FILE)
    with pytest.raises(HomeDamagedError):
        read_vocabulary(vocabulary.parent)
    piped(home / KEY_FILE)
    assert len(QuestionKey(home).of("Vad?")) > 0
    document = home / "plan.txt"
    piped(home / "plan.txt.meta.toml")
    assert label_of(document) == NOBODY


DEEP = b"[" * 200_000


def test_json_that_is_nested_too_deeply_is_damage_like_any_other(home: Path) -> None:
    version = Home(home).version_folder()
    (version / ORIGINS_FILE).write_bytes(DEEP)
    assert read_origins(version) == {}
    (version / SIZES_FILE).write_bytes(DEEP)
    assert cut_short(version) == version / SIZES_FILE
    (key,) = [path.stem for path in (home / "objects").iterdir()]
    (home / "objects" / f"{key}.jsonl").write_bytes(DEEP + b"\n")
    (version / MANIFEST_FILE).write_bytes(DEEP)
    for read in (Home(home).read_object, Home(home).read_words, lambda _: read_manifest(version)):
        with pytest.raises(HomeDamagedError):
            read(key)
    (version / LAYOUT_FILE).write_bytes(DEEP)
    assert embedded_objects(version.parent, version.name) == frozenset()
    with pytest.raises(HomeDamagedError):
        Vectors(version)
    document = home / "plan.txt"
    (home / "plan.txt.meta.toml").write_bytes(b"access = " + DEEP)
    assert label_of(document) == NOBODY


@pytest.mark.parametrize("rows", [[{}], [[]], 5, [[[], 1]], {"a": 1}])
def test_origins_of_another_shape_count_as_none(tmp_path: Path, rows: object) -> None:
    (tmp_path / ORIGINS_FILE).write_text(json.dumps(rows), "utf-8")
    assert read_origins(tmp_path) == {}


def test_a_regular_file_is_read_whole_or_so_far(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"0123456789")
    assert (read_regular(path), read_regular(path, 4)) == (b"0123456789", b"01234")
    for odd in (piped(tmp_path / "pipe"), Path(os.devnull), tmp_path):
        with pytest.raises(OSError, match=r"pipe|directory"):
            read_regular(odd)


# Streams that are closed, and Ctrl-C


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["facts list", "ask Hej", "keys list", "doctor", "ingest"])
def test_a_command_with_closed_streams_works_on_quietly(home: Path, command: str, closed: str) -> None:
    expected = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m ankare {command} --home {home}"],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m ankare {command} --home {home} {closed}"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == expected.returncode
    assert "Traceback" not in done.stdout + done.stderr
    assert not ("2>&-" in closed and done.stderr)


SLOW_IMPORT = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv = ["ankare", *{arguments!r}]
from ankare.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("typer", ["ask", "Hej"]),
        ("ankare.errors", ["ask", "Hej"]),
        ("ankare.wiring", ["ask", "Hej"]),
        ("gradio", ["serve", "--port", "0"]),
        ("uvicorn", ["serve", "--port", "0"]),
    ],
)
def test_ctrl_c_ends_with_130_and_no_traceback_whatever_is_being_loaded(
    home: Path, name: str, arguments: list[str]
) -> None:
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # as from a terminal
    script = heard + SLOW_IMPORT.format(name=name, arguments=[*arguments, "--home", str(home)])
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "ANKARE_SEMANTIC": "false"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (130, False), done.stderr
