"""The workflows are what they should be by their schema, may do little, refuse bad input, and undo a failed deployment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / ".github/workflows").glob("*.yml"))
FLOWS: dict[str, dict[Any, Any]] = {file.stem: yaml.safe_load(file.read_text("utf-8")) for file in FILES}
JOBS = [(flow, name, job) for flow, whole in FLOWS.items() for name, job in whole["jobs"].items()]
STEPS = [(flow, step) for flow, _, job in JOBS for step in job["steps"]]
OLD, NEW = "a" * 40, "b" * 40
# A tag can be moved to other code, and one of these jobs holds a token.
PINNED = re.compile(r"actions/[a-z-]+@[0-9a-f]{40}")


def step(flow: str, name: str) -> dict[str, Any]:
    return next(step for of, step in STEPS if of == flow and step.get("name") == name)


def run(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "GITHUB_ENV": str(folder / "env"), **variables}
    command = ["bash", "-e", "-o", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("schema", ["vendor.github-workflows", "custom.github-workflows-require-timeout"])
def test_they_are_workflows_and_end(schema: str) -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    done = subprocess.run([checker, "--builtin-schema", schema, *FILES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_there_are_five() -> None:
    assert set(FLOWS) == {"ci", "deploy-space", "model-health", "index-rebuild", "pages"}


@pytest.mark.parametrize("flow", FLOWS)
def test_each_may_only_read_and_runs_once_at_a_time(flow: str) -> None:
    assert FLOWS[flow]["permissions"] == {"contents": "read"}
    assert FLOWS[flow]["concurrency"]["group"].startswith(flow)


def test_few_jobs_may_do_more_and_none_may_write_to_the_repository() -> None:
    more = {flow: job["permissions"] for flow, _, job in JOBS if "permissions" in job}
    assert more == {
        "model-health": {"contents": "read", "issues": "write"},
        "pages": {"pages": "write", "id-token": "write"},
    }


@pytest.mark.parametrize(("flow", "used"), [(flow, step) for flow, step in STEPS if "uses" in step], ids=str)
def test_actions_are_github_s_own_pinned_and_keep_no_credentials(flow: str, used: dict[str, Any]) -> None:
    assert PINNED.fullmatch(used["uses"])
    if used["uses"].startswith("actions/checkout"):
        assert used["with"]["persist-credentials"] is False


def test_each_pin_tells_its_version_and_is_the_same_everywhere() -> None:
    lines = [line for file in FILES for line in file.read_text("utf-8").splitlines() if "uses:" in line]
    pins = {line.split("uses:")[1].strip() for line in lines}
    assert all(re.fullmatch(rf"{PINNED.pattern} # v\d+\.\d+\.\d+", pin) for pin in pins)
    assert len({pin.split("@")[0] for pin in pins}) == len(pins)


@pytest.mark.parametrize("used", ["actions/checkout@v6", "actions/checkout@main", f"someone/checkout@{'a' * 40}"])
def test_a_pin_that_can_be_moved_or_is_of_others_is_none(used: str) -> None:
    assert not PINNED.fullmatch(used)


@pytest.mark.parametrize(("flow", "ran"), [(flow, step) for flow, step in STEPS if "run" in step], ids=str)
def test_nothing_from_outside_is_pasted_into_a_script(flow: str, ran: dict[str, Any]) -> None:
    assert "${{" not in ran["run"]
    assert not re.search(r"echo .*(TOKEN|KEY)|set -x", ran["run"])


def test_every_script_in_them_exists() -> None:
    named = {path for _, step in STEPS for path in re.findall(r"\bdeploy/\w+\.py", step.get("run", ""))}
    assert named == {"deploy/make_space.py", "deploy/check_suite.py", "deploy/make_pages.py"}
    assert all((ROOT / path).is_file() for path in named)


GIVEN = {"SPACE": "owner/ankare", "WANTED": NEW, "QUESTION": "Vad?"}


@pytest.mark.parametrize(
    ("changed", "good"),
    [
        ({}, True),
        ({"WANTED": "1234567"}, True),
        ({"SPACE": "Owner/My_space.2"}, True),
        ({"WANTED": "123456"}, False),
        ({"WANTED": "main"}, False),
        ({"WANTED": "1234567; id"}, False),
        ({"WANTED": f"{OLD}\nX=1"}, False),
        ({"SPACE": "ankare"}, False),
        ({"SPACE": "a/b/c"}, False),
        ({"SPACE": "-x/b"}, False),
        ({"SPACE": "a/$(id)"}, False),
        ({"SPACE": "a/b\nX=1"}, False),
        ({"QUESTION": ""}, False),
        ({"QUESTION": "a" * 301}, False),
    ],
    ids=str,
)
def test_what_a_deployment_is_given_is_looked_at(tmp_path: Path, changed: dict[str, str], good: bool) -> None:
    done = run(step("deploy-space", "Look at what was given")["run"], tmp_path, **{**GIVEN, **changed})
    assert (done.returncode == 0) is good, done.stdout
    if changed.get("SPACE") == "Owner/My_space.2":
        assert (tmp_path / "env").read_text("utf-8") == "BASE_URL=https://owner-my-space-2.hf.space\n"


@pytest.mark.parametrize(
    ("pack", "least", "good"),
    [
        ("src/ankare/sample/pack", "0.8", True),
        ("packs/a", "1", True),
        ("../a", "0.8", False),
        ("/etc", "0.8", False),
        ("-rf", "0.8", False),
        ("a b", "0.8", False),
        ("a", "80", False),
        ("a", "", False),
    ],
)
def test_what_a_rebuild_is_given_is_looked_at(tmp_path: Path, pack: str, least: str, good: bool) -> None:
    done = run(step("index-rebuild", "Look at what was given")["run"], tmp_path, PACK=pack, LEAST=least)
    assert (done.returncode == 0) is good, done.stdout


def test_a_deployment_that_fails_its_check_goes_back(tmp_path: Path) -> None:
    back = step("deploy-space", "Bring the previous revision back")
    assert "failure()" in back["if"]
    (tmp_path / "bin").mkdir()
    for name in ("python", "hf", "ankare"):
        stub = tmp_path / "bin" / name
        stub.write_text(f'#!/bin/sh\necho "{name} $*" >> calls\n', "utf-8")
        stub.chmod(0o755)
    given = {**GIVEN, "COMMIT": OLD, "BASE_URL": "https://x.example", "WAIT_SECONDS": "1", "HF_TOKEN": "hf-5ecret"}
    done = run(back["run"], tmp_path, **given)
    assert done.returncode == 0, done.stderr
    calls = (tmp_path / "calls").read_text("utf-8").splitlines()
    assert [call.split()[0] for call in calls] == ["python", "hf", "ankare"]
    assert f"--revision {OLD}" in calls[0]
    assert f"--revision {OLD}" in calls[2]
    assert "5ecret" not in done.stdout + done.stderr + "".join(calls)


@pytest.mark.parametrize(
    ("answer", "known"),
    [(OLD, OLD), ("<html>", ""), ("", ""), (OLD + "\nX=1", "")],
    ids=["known", "page", "none", "two"],
)
def test_the_revision_that_runs_is_asked_for(tmp_path: Path, answer: str, known: str) -> None:
    (tmp_path / "bin").mkdir()
    stub = tmp_path / "bin/hf"
    made = f'mkdir -p before && printf "%s" "{answer}" > before/revision' if answer else "exit 1"
    stub.write_text(f"#!/bin/sh\n{made}\n", "utf-8")
    stub.chmod(0o755)
    script = step("deploy-space", "Ask which revision runs now")["run"]
    done = run(script, tmp_path, **GIVEN, GITHUB_OUTPUT=str(tmp_path / "output"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "output").read_text("utf-8") == f"commit={known}\n"
