"""Everything that tells its revision tells the same: the deployed one, the commit of a checkout, or the version."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankare import _revision
from ankare._revision import commit_of, running_revision
from ankare._version import __version__
from ankare.settings import as_environment, load_settings

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def checkout(folder: Path, head: str, **files: str) -> Path:
    git = folder / ".git"
    git.mkdir()
    (git / "HEAD").write_text(head + "\n")
    for name, text in files.items():
        path = git / name.replace("__", "/").replace("_", "-")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_what_the_deployment_says_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANKARE_REVISION", " r-17 ")
    assert load_settings().revision == "r-17"


def test_a_commit_that_is_checked_out_by_itself(tmp_path: Path) -> None:
    assert commit_of(checkout(tmp_path, COMMIT)) == COMMIT


def test_the_commit_of_a_branch(tmp_path: Path) -> None:
    assert commit_of(checkout(tmp_path, "ref: refs/heads/main", refs__heads__main=COMMIT + "\n")) == COMMIT


def test_the_commit_of_a_packed_branch(tmp_path: Path) -> None:
    packed = f"# pack-refs\n{'f' * 40} refs/heads/domain\n{COMMIT} refs/heads/main\n"
    assert commit_of(checkout(tmp_path, "ref: refs/heads/main", packed_refs=packed)) == COMMIT


def test_the_commit_of_one_of_several_work_trees(tmp_path: Path) -> None:
    main = checkout(tmp_path, "ref: refs/heads/other", refs__heads__mine=COMMIT)
    own = main / ".git/worktrees/mine"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/mine\n")
    (own / "commondir").write_text("../..\n")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {own}\n")
    assert commit_of(tree) == COMMIT


@pytest.mark.parametrize("head", ["", "ref: refs/heads/gone", "ref: ../../etc/passwd", "not a commit", COMMIT[:-1]])
def test_what_is_no_commit_is_none(tmp_path: Path, head: str) -> None:
    assert commit_of(checkout(tmp_path, head)) == ""


def test_no_checkout_at_all(tmp_path: Path) -> None:
    assert commit_of(tmp_path) == ""


def test_an_installed_package_says_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_revision, "__file__", str(tmp_path / "lib/site-packages/ankare/_revision.py"))
    _revision._found.cache_clear()
    try:
        assert running_revision() == __version__
    finally:
        _revision._found.cache_clear()


def test_workers_get_the_revision_of_the_process_that_started_them() -> None:
    assert as_environment(load_settings())["ANKARE_REVISION"] == running_revision()
