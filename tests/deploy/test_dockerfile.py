"""The Dockerfile is read as Docker reads it, found good by a linter, and its steps make an image that works."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ankare.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
sys.path.insert(0, str(DEPLOY))

from dockerfile import DockerfileError, expand, ignored, ignores, parse, stages  # noqa: E402
from image_steps import Runner, Stage  # noqa: E402

TEXT = (ROOT / "Dockerfile").read_text("utf-8")


def last_stage() -> dict[str, str]:
    """Each instruction of the stage that runs, the last of its kind."""
    return {step.word: step.text for step in stages(parse(TEXT))[-1][2]}


def run_steps(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(DEPLOY / "run_dockerfile_steps.py"), "--folder", str(folder), "--reuse-packages"]
    command += ["--env", "ANKARE_SEMANTIC=false", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_linter_finds_nothing() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_what_runs_is_small_not_root_and_watched() -> None:
    steps = last_stage()
    assert steps["USER"] == "1000:1000"
    assert steps["EXPOSE"] == "7860"
    assert steps["STOPSIGNAL"] == "SIGTERM"
    assert "healthcheck.py" in steps["HEALTHCHECK"]
    assert "COPY" in steps
    assert not re.search(r"gcc|build-essential|curl|wget|\bpip (install|wheel)\b", " ".join(steps.values()))


def run_of_the_last_stage(text: str, folder: Path) -> set[str]:
    """The names that are left of what the base image brings, once the last stage's RUN has been."""
    runner = Runner(folder, folder / "work", {}, sys.executable, {})
    brought = ("lib/python3.11/site-packages/pip", "lib/python3.11/ensurepip", "bin/pip", "bin/pip3.11", "bin/wheel")
    for name in (*brought, "lib/python3.11/json", "bin/python3.11"):
        (runner.root / "usr/local" / name).mkdir(parents=True)
    for instruction in stages(parse(text))[-1][2]:
        if instruction.word == "RUN":
            runner._run(instruction, Stage({"PATH": str(runner.shims)}))
    return {path.name for path in (runner.root / "usr/local").rglob("*")}


def test_nothing_is_left_of_the_base_image_s_pip(tmp_path: Path) -> None:
    left = {"bin", "lib", "python3.11", "site-packages", "json"}
    assert run_of_the_last_stage(TEXT, tmp_path) == left
    kept = re.sub(r" +&& rm -rf /usr/local/.*\n", "", TEXT)
    assert "pip3.11" in run_of_the_last_stage(kept, tmp_path / "saboteur")


def test_every_stage_starts_from_a_slim_python_with_a_tag() -> None:
    assert {image for _, image, _ in stages(parse(TEXT))} == {"python:3.11-slim-bookworm"}


def test_every_setting_of_the_image_is_one() -> None:
    named = set(re.findall(rf"\b{PREFIX}([A-Z_]+)=", TEXT))
    assert named
    assert {name.lower() for name in named} <= set(Settings.model_fields)


@pytest.mark.slow
def test_its_steps_make_an_image_that_works() -> None:
    done = run_steps(ROOT, "--revision", "a" * 40)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert "left out: apt-get install" in done.stdout
    assert "second stop: SIGTERM ended it" in done.stdout
    assert "nothing was written outside of /data and /tmp" in done.stdout


BROKEN = {
    "runs as root": ("USER 1000:1000", "USER root", "is root"),
    "no health check": ("HEALTHCHECK", "# HEALTHCHECK", "are needed"),
    "a health check that is always well": (
        '"python", "/opt/ankare/deploy/healthcheck.py"',
        '"true"',
        "stopped service",
    ),
    "a health check that is always ill": ('"python", "/opt/ankare/deploy/healthcheck.py"', '"false"', "is ill"),
    "another revision": ("ENV ANKARE_REVISION=$REVISION", "ENV ANKARE_REVISION=abcdefg", "revision abcdefg runs"),
    "writes into the image": ("ANKARE_HOME=/data/home", "ANKARE_HOME=/opt/ankare/home", "opt/ankare/home"),
    "a file that the builder does not have": (
        "COPY deploy/entrypoint.sh",
        "COPY Makefile deploy/entrypoint.sh",
        "Makefile",
    ),
    "a program that the image does not have": ("RUN python -m pip wheel", "RUN gcc && python -m pip wheel", "gcc"),
    "an instruction that is not understood": ("STOPSIGNAL", "ONBUILD", "ONBUILD is not understood"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_dockerfile_is_found(name: str, tmp_path: Path) -> None:
    found, instead, told = BROKEN[name]
    assert found in TEXT
    context = tmp_path / "context"
    shutil.copytree(ROOT / "src", context / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for path in ("deploy/entrypoint.sh", "deploy/healthcheck.py", *["pyproject.toml", "constraints.txt", "README.md"]):
        (context / path).parent.mkdir(exist_ok=True)
        shutil.copy2(ROOT / path, context / path)
    for path in ("LICENSE", "NOTICE", ".dockerignore", "Makefile"):
        shutil.copy2(ROOT / path, context / path)
    text = TEXT.replace("\n    CMD [", " CMD [") if name == "no health check" else TEXT
    (context / "Dockerfile").write_text(text.replace(found, instead), "utf-8")
    done = run_steps(context, "--revision", "a" * 40)
    assert done.returncode == 1, done.stdout[-2000:]
    assert told in done.stderr, done.stderr


def test_lines_comments_and_flags_are_read() -> None:
    steps = parse("# a\nFROM x AS one\nRUN a \\\n  # why\n  && b\nCOPY --from=one --chown=1:1 /a /b\n")
    assert [(step.word, step.text, step.line) for step in steps] == [
        ("FROM", "x AS one", 2),
        ("RUN", "a && b", 3),
        ("COPY", "/a /b", 6),
    ]
    assert steps[2].flags == {"from": "one", "chown": "1:1"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "RUN a",
        "FROM a\nONBUILD RUN a",
        "FROM a\nRUN --mount=type=cache,target=/x a",
        "FROM a\nRUN <<EOF\na\nEOF",
        'FROM a\nSHELL ["sh"]',
        "FROM a\nCOPY --link a b",
        "FROM a\nMAINTAINER b",
    ],
)
def test_what_is_not_understood_is_an_error(text: str) -> None:
    with pytest.raises(DockerfileError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("$A/b", "1/b"), ("${A}b", "1b"), ("$B", ""), ("${B:-c}", "c"), ("${A:-c}", "1"), (r"\$A", "$A")],
)
def test_variables_are_set_in(text: str, expected: str) -> None:
    assert expand(text, {"A": "1"}) == expected


@pytest.mark.parametrize(
    ("path", "out"),
    [
        ("src/ankare/engine.py", False),
        ("src/ankare/__pycache__/engine.cpython-311.pyc", True),
        ("src/a.pyc", True),
        ("deploy/entrypoint.sh", False),
        ("deploy/env", True),
        (".git/config", True),
        ("tests/conftest.py", True),
        (".ankare/facts.db", True),
        ("my-home/originals/a.pdf", True),
        ("constraints.txt", False),
    ],
)
def test_only_what_the_image_is_built_from_goes_to_the_builder(path: str, out: bool) -> None:
    assert ignored(path, ignores(ROOT)) is out


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("cp a /opt/b", "cp a {root}/opt/b"),
        ("x=/a:/b c", "x={root}/a:{root}/b c"),
        ("'/a b'", "'{root}/a b'"),
        ("rm -rf /var/lib/x/*", "rm -rf {root}/var/lib/x/*"),
        ('"$(echo /wheels/a-*.whl)"', '"$(echo {root}/wheels/a-*.whl)"'),
        ("src/b ./c ../d a//b", "src/b ./c ../d a//b"),
        ("https://x.example/y", "https://x.example/y"),
        ("> /dev/null", "> /dev/null"),
        ("#!/bin/sh", "#!/bin/sh"),
    ],
)
def test_every_absolute_path_is_moved_below_the_folder(tmp_path: Path, text: str, moved: str) -> None:
    runner = Runner(tmp_path, tmp_path / "work", {}, sys.executable, {})
    assert runner.rebased(text) == moved.format(root=runner.root)


def test_no_step_leaves_the_folder(tmp_path: Path) -> None:
    runner = Runner(tmp_path, tmp_path / "work", {}, sys.executable, {})
    with pytest.raises(DockerfileError, match="leads out"):
        runner._inside(Stage({}), "../../etc")
