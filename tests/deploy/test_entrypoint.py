"""The container reads documents once, where its home is empty, then becomes the service; any other word is a command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.tools import needed

SCRIPT = Path(__file__).parents[2] / "deploy/entrypoint.sh"
STUB = """#!/bin/sh
echo "ankare $*" >> "$CALLS"
env | grep ANKARE_START >> "$CALLS"
[ "$1" != ingest ] && exit 0
[ -n "$SLOW" ] && { echo $$ > "$SLOW"; exec sleep 600; }
exit "$CODE"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("ankare", STUB), ("python", "#!/bin/sh\necho /the/sample\n")):
        (tmp_path / name).write_text(text, "utf-8")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def variables(folder: Path, **more: str) -> dict[str, str]:
    here = {"CALLS": str(folder / "calls"), "ANKARE_HOME": str(folder / "home"), "CODE": "0", "SLOW": ""}
    return {"PATH": f"{folder}:{os.environ['PATH']}", **here, **more}


def start(folder: Path, *words: str, **more: str) -> tuple[int, list[str]]:
    """The exit code, and how ankare was called."""
    done = subprocess.run(["sh", SCRIPT, *words], env=variables(folder, **more), check=False)
    calls = folder / "calls"
    return done.returncode, calls.read_text("utf-8").splitlines() if calls.exists() else []


def test_an_empty_home_is_filled_before_it_serves(folder: Path) -> None:
    assert start(folder) == (0, ["ankare ingest --pack /the/sample", "ankare serve --port 7860"])


def test_a_home_that_holds_something_is_left_alone(folder: Path) -> None:
    (folder / "home").mkdir()
    (folder / "home/CURRENT").write_text("000001", "utf-8")
    assert start(folder) == (0, ["ankare serve --port 7860"])


@pytest.mark.parametrize(
    ("words", "more", "calls"),
    [
        ((), {"ANKARE_START_PACK": "none"}, ["ankare serve --port 7860"]),
        ((), {"ANKARE_START_PACK": "/my/pack"}, ["ankare ingest --pack /my/pack", "ankare serve --port 7860"]),
        ((), {"ANKARE_START_PACK": "none", "PORT": "8000"}, ["ankare serve --port 8000"]),
        (("--workers", "2"), {"ANKARE_START_PACK": "none"}, ["ankare serve --port 7860 --workers 2"]),
        (("doctor", "--json"), {}, ["ankare doctor --json"]),
        (("ingest", "--pack", "/a b"), {}, ["ankare ingest --pack /a b"]),
    ],
    ids=str,
)
def test_what_it_is_given_decides(folder: Path, words: tuple[str, ...], more: dict[str, str], calls: list[str]) -> None:
    assert start(folder, *words, **more) == (0, calls)


def test_files_that_cannot_be_read_do_not_stop_it(folder: Path) -> None:
    assert start(folder, CODE="1")[1][-1] == "ankare serve --port 7860"


def test_a_pack_that_cannot_be_read_at_all_does(folder: Path) -> None:
    assert start(folder, CODE="2") == (1, ["ankare ingest --pack /the/sample"])


def test_a_home_that_cannot_be_made_says_whose_it_must_be(folder: Path) -> None:
    (folder / "home").write_text("a file, where the folder should be", "utf-8")
    done = subprocess.run(["sh", SCRIPT], env=variables(folder), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"must belong to the user {os.getuid()}" in done.stderr
    assert not (folder / "calls").exists()


def test_it_can_be_stopped_while_it_reads(folder: Path) -> None:
    slow = folder / "reader"
    process = subprocess.Popen(["sh", SCRIPT], env=variables(folder, SLOW=str(slow)))
    try:
        while not (slow.exists() and slow.read_text("utf-8").strip()):
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 143
    finally:
        process.kill()
    with pytest.raises(ProcessLookupError):
        os.kill(int(slow.read_text("utf-8")), 0)
    assert (folder / "calls").read_text("utf-8").splitlines() == ["ankare ingest --pack /the/sample"]


def test_the_script_is_plain_shell() -> None:
    done = subprocess.run([needed("shellcheck"), SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_health_check_needs_no_package() -> None:
    script = SCRIPT.with_name("healthcheck.py")
    environment = {"PORT": "9", "PATH": os.environ["PATH"]}
    done = subprocess.run([sys.executable, "-I", "-S", script], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
