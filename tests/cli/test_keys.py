"""`ankare keys`: a key is shown once, and what the list shows opens nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ankare.cli.doctor import examine
from ankare.service.door.keys import add_key, digest, read_keys
from ankare.settings import Settings
from tests.cli.test_asking import run
from tests.service.real import build_home, write_documents


def test_a_key_is_shown_once_and_listed_without_what_opens(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path))
    options = ("--label", "styrelse", "--label", "hr", "--admin", "--expires", "2090-01-31", "--rate", "30")
    made = run("keys", "add", "Anna", *options, *home)
    assert made.returncode == 0
    (sent,) = made.stdout.split()
    (key,) = read_keys(tmp_path)
    assert key.sha256 == digest(sent)
    (listed,) = json.loads(run("keys", "list", "--json", *home).stdout)
    assert listed == {
        "id": key.id,
        "name": "Anna",
        "labels": ["hr", "styrelse"],
        "admin": True,
        "created": key.created.isoformat(),
        "expires": "2090-01-31",
        "rate": 30,
        "revoked": None,
        "state": "live",
    }
    shown = run("keys", "list", *home).stdout
    assert "Anna" in shown
    assert key.sha256 not in shown
    assert run("keys", "revoke", key.id, *home).returncode == 0
    assert json.loads(run("keys", "list", "--json", *home).stdout)[0]["state"] == "revoked"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("add", "Anna", "--expires", "soon"), "is not a date"),
        (("add", "Anna", "--expires", "2020-01-01"), "is past"),
        (("add", "Anna", "--label", ""), "labels"),
        (("add", ""), "name"),
        (("revoke", "00000000"), "keys list"),
    ],
)
def test_bad_use_is_told(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    done = run("keys", *arguments, "--home", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_a_label_that_nothing_carries_is_told_and_the_key_is_made(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents")
    (documents / "plan.pdf.meta.toml").write_text('access = "styrelse"\n', "utf-8")
    home = ("--home", str(build_home(tmp_path / "home", documents)))
    right = run("keys", "add", "Anna", "--label", "styrelse", *home)
    assert (right.returncode, "has the label" in right.stderr) == (0, False)
    wrong = run("keys", "add", "Bo", "--label", "styrelse", "--label", "styrlse", *home)
    assert wrong.returncode == 0
    assert "has the label 'styrlse'; there are: styrelse." in wrong.stderr
    assert len(wrong.stdout.split()) == 1


@pytest.mark.parametrize(
    ("settings", "keys", "state", "told"),
    [
        ({"api_keys": "required"}, 0, "note", "keys add"),
        ({"api_keys": "required"}, 1, "ok", "1 live"),
        ({"api_keys": "off"}, 1, "note", "ANKARE_API_KEYS"),
        ({"api_keys": "off", "host": "0.0.0.0"}, 0, "note", "docs/security.md"),  # noqa: S104
        ({"api_keys": "off"}, 0, "ok", "off"),
    ],
)
def test_doctor_tells_who_may_ask(tmp_path: Path, settings: dict[str, str], keys: int, state: str, told: str) -> None:
    for n in range(keys):
        add_key(tmp_path, f"name {n}")
    check = next(check for check in examine(Settings(home=tmp_path, **settings)) if check.name == "keys")
    assert check.state == state
    assert told in check.found + check.remedy


def test_doctor_tells_of_keys_that_cannot_be_read_or_that_others_can(tmp_path: Path) -> None:
    add_key(tmp_path, "Anna", admin=True)
    path = tmp_path / "keys.json"
    path.chmod(0o644)
    found = [check for check in examine(Settings(home=tmp_path, api_keys="optional")) if check.name == "keys"]
    assert "chmod 600" in found[-1].remedy
    path.write_text("{")
    found = [check for check in examine(Settings(home=tmp_path, api_keys="optional")) if check.name == "keys"]
    assert found[0].state == "missing"


def test_doctor_tells_who_opens_the_library(tmp_path: Path) -> None:
    add_key(tmp_path, "Root", admin=True)
    settings = Settings(home=tmp_path, api_keys="optional", admin_token="x" * 20)
    check = next(check for check in examine(settings) if check.name == "library page")
    assert check.found == "open to the admin token, Root"
