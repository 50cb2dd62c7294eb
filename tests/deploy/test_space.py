"""The folder of a Space holds one commit and nothing else, and its Dockerfile is the repository's."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
sys.path.insert(0, str(DEPLOY))

from make_space import BUILT_FROM, SpaceError, make_space, space_dockerfile  # noqa: E402

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit of what is deployed, and more in its working tree."""
    folder = tmp_path / "repository"
    for name in BUILT_FROM:
        path = folder / name if "." in name or name.isupper() else folder / name / "a.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, "utf-8")
    (folder / "Dockerfile").write_text(DOCKERFILE, "utf-8")
    (folder / "secret.env").write_text("secret", "utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "One")
    (folder / "src/later.txt").write_text("not committed", "utf-8")
    return folder


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout.strip()


def test_the_folder_holds_the_commit_and_nothing_else(repository: Path, tmp_path: Path) -> None:
    commit = make_space(repository, "HEAD", tmp_path / "space", "ankare")
    space = tmp_path / "space"
    assert commit == git(repository, "rev-parse", "HEAD")
    assert {path.name for path in space.iterdir()} == {"Dockerfile", "README.md", "revision", "source.tar.gz"}
    assert (space / "revision").read_text("utf-8") == commit + "\n"
    with tarfile.open(space / "source.tar.gz") as archive:
        names = {name for name in archive.getnames() if (repository / name).is_file()}
    assert names == {"pyproject.toml", "constraints.txt", "README.md", "LICENSE", "NOTICE", "src/a.txt", "deploy/a.txt"}
    about = yaml.safe_load((space / "README.md").read_text("utf-8").split("---")[1])
    assert (about["sdk"], about["app_port"], about["title"]) == ("docker", 7860, "ankare")


def test_the_same_commit_gives_the_same_bytes(repository: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        make_space(repository, "HEAD", tmp_path / name, "ankare")
    assert (tmp_path / "one/source.tar.gz").read_bytes() == (tmp_path / "two/source.tar.gz").read_bytes()


def test_its_dockerfile_builds_from_the_archive_and_knows_its_revision(tmp_path: Path) -> None:
    text = space_dockerfile(DOCKERFILE, "a" * 40)
    assert "ADD source.tar.gz ./" in text
    assert "\nCOPY src" not in text
    assert f'ARG REVISION="{"a" * 40}"' in text
    assert "huggingface.co" in text
    (tmp_path / "Dockerfile").write_text(text, "utf-8")
    linter = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([linter, tmp_path / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("revision", ["nowhere", "--help", "HEAD:src", ""])
def test_what_is_no_commit_is_told(repository: Path, tmp_path: Path, revision: str) -> None:
    with pytest.raises(SpaceError):
        make_space(repository, revision, tmp_path / "space", "ankare")
    assert not (tmp_path / "space").exists()


def test_a_folder_with_something_in_it_and_an_odd_title_are_refused(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(SpaceError, match="not empty"):
        make_space(repository, "HEAD", repository, "ankare")
    with pytest.raises(SpaceError, match="no title"):
        make_space(repository, "HEAD", tmp_path / "space", "a\nsdk: static")


def test_a_dockerfile_of_another_form_is_refused() -> None:
    with pytest.raises(SpaceError):
        space_dockerfile(DOCKERFILE.replace('ARG REVISION=""', ""), "a" * 40)


@pytest.mark.slow
def test_the_steps_of_its_dockerfile_make_an_image_that_works(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no repository here")
    commit = make_space(ROOT, "HEAD", tmp_path / "space", "ankare")
    command = [sys.executable, DEPLOY / "run_dockerfile_steps.py", "--folder", tmp_path / "space", "--reuse-packages"]
    command += ["--env", "ANKARE_SEMANTIC=false", "--revision", commit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
