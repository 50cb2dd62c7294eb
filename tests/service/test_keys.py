"""Keys: what lies on disk opens nothing, a wrong key is never anonymous, and keys that cannot be read open nothing."""

from __future__ import annotations

import errno
import json
import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankare.domain.access import OWNER, PUBLIC, Access
from ankare.errors import BadInputError, HomeDamagedError
from ankare.service.door.identity import Doorman
from ankare.service.door.keyring import Keyring
from ankare.service.door.keys import ApiKey, add_key, read_keys, revoke_key
from tests.service.doors import QUESTION, TOKEN, YESTERDAY, Doors, doors

SHAPE = re.compile(r"ank_[0-9a-f]{8}_[A-Za-z0-9_-]{43}")


@pytest.fixture
def required(tmp_path: Path) -> Iterator[Doors]:
    with doors(tmp_path, api_keys="required") as opened:
        yield opened


@pytest.fixture
def optional(tmp_path: Path) -> Iterator[Doors]:
    with doors(tmp_path, api_keys="optional") as opened:
        yield opened


def test_a_key_is_random_and_lies_nowhere(tmp_path: Path) -> None:
    sent = [add_key(tmp_path, f"name {n}")[1] for n in range(20)]
    assert all(SHAPE.fullmatch(key) for key in sent)
    assert len({key.rpartition("_")[2] for key in sent}) == 20
    on_disk = (tmp_path / "keys.json").read_text()
    assert not any(key.split("_", 2)[2] in on_disk for key in sent)
    assert (tmp_path / "keys.json").stat().st_mode & 0o777 == 0o600
    assert json.loads(on_disk)["format"] == 1


def test_a_key_opens_until_it_is_revoked_and_no_restart_is_needed(required: Doors) -> None:
    assert required.ask().status_code == 401
    key = required.key(labels=["styrelse"])
    assert required.ask(key).status_code == 200
    assert required.client.post("/api/ask", json=QUESTION, headers={"X-API-Key": key}).status_code == 200
    assert required.engine.readers == [Access(frozenset({"styrelse"}))] * 2
    revoke_key(required.home, read_keys(required.home)[0].id)
    assert required.ask(key).status_code == 401


def wrong_keys(home: Path) -> dict[str, str]:
    expired = add_key(home, "expired", expires=YESTERDAY)[1]
    revoked = add_key(home, "revoked")[1]
    revoke_key(home, revoked.split("_")[1])
    live = add_key(home, "live")[1]
    number, secret = live.split("_", 2)[1:]
    return {
        "expired": expired,
        "revoked": revoked,
        "unknown": "ank_00000000_" + "a" * 43,
        "another's secret": f"ank_{number}_{expired.split('_', 2)[2]}",
        "cut": live[:-1],
        "longer": live + "a",
        "no secret": f"ank_{number}_",
        "no id": secret,
        "in capitals": live.upper(),
        "the hash": read_keys(home)[-1].sha256,
        "of another service": "sk-proj-1234567890",
        "endless": "ank_" + "a" * 5000,
        "not ASCII": "ank_å",
    }


def assert_wrong_keys_are_refused(opened: Doors) -> None:
    for name, key in wrong_keys(opened.home).items():
        answer = opened.at(f"198.51.100.{len(name)}").post(
            "/api/ask", json=QUESTION, headers={"Authorization": b"Bearer " + key.encode()}
        )
        assert answer.status_code == 401, name
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.headers["content-type"] == "application/problem+json"
    assert not opened.engine.readers


@pytest.mark.parametrize("mode", ["optional", "required"])
def test_a_wrong_key_is_an_error_and_never_anonymous(tmp_path: Path, mode: str) -> None:
    with doors(tmp_path, api_keys=mode) as opened:
        assert_wrong_keys_are_refused(opened)


class _OpenRing(Keyring):
    """The saboteur: every key is good."""

    def key_of(self, sent: str) -> ApiKey | None:
        return read_keys(self._home)[-1]


class _ForgetfulRing(Keyring):
    """The saboteur: it looks at the id alone."""

    def key_of(self, sent: str) -> ApiKey | None:
        return next((key for key in read_keys(self._home) if f"_{key.id}_" in sent), None)


@pytest.mark.parametrize("ring", [_OpenRing, _ForgetfulRing])
def test_a_careless_keyring_would_be_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ring: Any) -> None:
    monkeypatch.setattr("ankare.service.door.identity.Keyring", ring)
    with doors(tmp_path, api_keys="required") as opened, pytest.raises(AssertionError):
        assert_wrong_keys_are_refused(opened)


def test_without_a_key_everyone_reads_what_has_no_label(optional: Doors) -> None:
    assert optional.ask().status_code == 200
    assert optional.engine.readers == [PUBLIC]


def test_where_keys_are_off_a_key_is_ignored_with_its_labels(tmp_path: Path) -> None:
    with doors(tmp_path, admin_token=TOKEN) as opened:
        for sent in (opened.key(labels=["styrelse"]), "sk-proj-whatever", TOKEN):
            assert opened.ask(sent).status_code == 200
        assert opened.engine.readers == [PUBLIC] * 3


def test_the_admin_token_reads_everything_where_keys_are_used(tmp_path: Path) -> None:
    with doors(tmp_path, api_keys="required", admin_token=TOKEN) as opened:
        assert opened.ask(TOKEN).status_code == 200
        assert opened.engine.readers == [OWNER]


DAMAGES = {
    "no JSON": "{",
    "empty": "",
    "another format": '{"format": 2, "keys": []}',
    "a list": "[]",
    "no keys": '{"format": 1}',
    "an unknown field": '{"format": 1, "keys": [], "open": true}',
    "a key without a hash": '{"format": 1, "keys": [{"id": "00000000", "name": "x", "created": "2026-01-01"}]}',
    "not UTF-8": b"\xff\xfe",
}


def assert_damage_closes(opened: Doors, damage: str | bytes) -> None:
    key = opened.key()
    path = opened.home / "keys.json"
    path.unlink()
    path.write_bytes(damage if isinstance(damage, bytes) else damage.encode())
    answer = opened.ask(key)
    assert answer.status_code == 503
    assert answer.json()["code"] == "keys-unusable"
    assert str(opened.home) not in answer.text
    assert opened.client.get("/health", headers={"X-API-Key": key}).status_code == 200
    assert not opened.engine.readers


@pytest.mark.parametrize("mode", ["optional", "required"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_keys_that_cannot_be_read_open_nothing_and_the_operator_learns_why(
    tmp_path: Path, mode: str, damage: str | bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with doors(tmp_path, api_keys=mode) as opened, caplog.at_level(logging.ERROR, "ankare.service"):
        assert_damage_closes(opened, damage)
        opened.ask("ank_00000000_" + "a" * 43)
        if mode == "required":
            assert opened.ask().status_code == 401
    told = [record.getMessage() for record in caplog.records if "keys.json" in record.getMessage()]
    assert len(told) == 1
    assert "ankare keys add" in told[0]


def test_a_keyring_that_takes_damage_for_no_keys_would_be_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_then(home: Path) -> tuple[ApiKey, ...]:
        return ()

    with doors(tmp_path, api_keys="required") as opened:
        monkeypatch.setattr("ankare.service.door.keyring.read_keys", none_then)
        with pytest.raises(AssertionError):
            assert_damage_closes(opened, "{")


def test_a_repaired_file_opens_again(required: Doors) -> None:
    key = required.key()
    path = required.home / "keys.json"
    good = path.read_text()
    path.write_text("{")
    assert required.ask(key).status_code == 503
    path.write_text(good)
    assert required.ask(key).status_code == 200


PASSING = [errno.EMFILE, errno.ENFILE, errno.EIO, errno.ESTALE, errno.EACCES, errno.ENOMEM]


def assert_a_moment_passes(opened: Doors, number: int) -> None:
    """Keys that cannot be read for a moment, while nothing of the file changes, are read again with the next request."""
    number_of_keys = len(read_keys(opened.home))
    key = opened.key(f"Anna {number_of_keys}")
    assert opened.ask(key).status_code == 200
    opened.key(f"Bo {number_of_keys}")  # so that the file has to be read anew
    opens = Path.open

    def fails(path: Path, *given: Any, **named: Any) -> Any:
        if path.name == "keys.json":
            raise OSError(number, os.strerror(number), str(path))
        return opens(path, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "open", fails)
        for _ in range(3):
            answer = opened.ask(key)
            assert (answer.status_code, answer.json()["code"]) == (503, "keys-unusable")
    assert opened.ask(key).status_code == 200


@pytest.mark.parametrize("number", PASSING, ids=errno.errorcode.get)
def test_keys_that_could_not_be_read_for_a_moment_open_again(
    tmp_path: Path, number: int, caplog: pytest.LogCaptureFixture
) -> None:
    with doors(tmp_path, api_keys="required") as opened, caplog.at_level(logging.ERROR, "ankare.service"):
        assert_a_moment_passes(opened, number)
        assert_a_moment_passes(opened, number)
    told = [record.getMessage() for record in caplog.records if "keys.json" in record.getMessage()]
    assert len(told) == 2  # once for each time that it failed, not for each request
    assert "tried again" in told[0] and "ankare keys add" not in told[0]


class _GrudgingRing(Keyring):
    """The saboteur: whatever went wrong is a property of the file."""

    def _read(self) -> None:
        try:
            super()._read()
        except HomeDamagedError as error:
            self._damage = error


def test_a_keyring_that_remembers_a_moment_would_be_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ankare.service.door.identity.Keyring", _GrudgingRing)
    with doors(tmp_path, api_keys="required") as opened, pytest.raises(AssertionError):
        assert_a_moment_passes(opened, errno.EMFILE)


def test_a_damaged_file_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{")
    with pytest.raises(HomeDamagedError, match="cannot be read"):
        add_key(tmp_path, "Anna")
    assert (tmp_path / "keys.json").read_text() == "{"


UNUSABLE = ("", " ", "a\nb", "a\x1b[31mb", "a\x9b31mb", "a\u202eb", "x" * 81)


@pytest.mark.parametrize("given", [*({"name": name} for name in UNUSABLE), {"rate": 0}])
def test_what_cannot_be_a_key_is_refused(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(BadInputError):
        add_key(tmp_path, **{"name": "Anna", **given})


def test_two_live_keys_never_share_a_name(tmp_path: Path) -> None:
    first, _ = add_key(tmp_path, "Anna")
    with pytest.raises(BadInputError, match="already"):
        add_key(tmp_path, "Anna")
    revoke_key(tmp_path, first.id)
    add_key(tmp_path, "Anna")
    assert [key.state for key in read_keys(tmp_path)] == ["revoked", "live"]


PATHS = (
    "/",
    "/api/ask",
    "/api/search",
    "/api/understand",
    "/api/feedback",
    "/v1/models",
    "/v1/chat/completions",
    "/mcp",
    "/metrics",
    "/sources/d1",
    "/sources/d1/pages/1.png",
    "/page/ask",
    "/config",
    "/gradio_api/call/submit",
    "/gradio_api/queue/join",
    "/gradio_api/info",
    "/gradio_api/heartbeat/x",
    "/library",
    "/api/admin/documents",
    "/static/../api/ask",
    "/assets/%2e%2e/config",
    "/health",
    "/ready",
    "/openapi.json",
    "/theme.css",
    "/login",
    "/logout",
    "//",
    "/API/ASK",
    "/nothing",
)
FREE = ("/health", "/ready", "/openapi.json", "/login", "/logout", "/theme.css", "/static/", "/assets/")
requests = st.tuples(
    st.sampled_from(["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"]),
    st.sampled_from(PATHS),
    st.sampled_from(
        [
            {},
            {"Authorization": "Basic YTpi"},
            {"Authorization": "Bearer"},
            {"Authorization": "Bearer "},
            {"Cookie": "ankare_key="},
            {"Cookie": "other=1; ankare_lang=sv"},
            {"X-API-Key": ""},
            {"X-Forwarded-For": "127.0.0.1"},
            {"Accept": "text/html"},
            {"Origin": "https://evil.example"},
        ]
    ),
)


def assert_nobody_passes(opened: Doors, sequence: list[tuple[str, str, dict[str, str]]]) -> None:
    for method, path, headers in sequence:
        answer = opened.client.request(method, path, headers=headers, json=QUESTION if method == "POST" else None)
        at_login = answer.status_code == 303 and answer.headers["location"].startswith("/login?next=")
        free = path.startswith(FREE)
        assert free or at_login or answer.status_code in (401, 403, 404, 405, 429), (method, path, answer.status_code)
    assert not opened.engine.asked


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with doors(tmp_path_factory.mktemp("closed"), page=True, api_keys="required") as opened:
        opened.key()
        yield opened


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sequence=st.lists(requests, min_size=1, max_size=8))
def test_where_a_key_is_required_nobody_passes_without_one(
    closed: Doors, sequence: list[tuple[str, str, dict[str, str]]]
) -> None:
    assert_nobody_passes(closed, sequence)


def test_a_door_that_stands_open_would_be_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Doorman, "visitor", lambda self, scope: self._nobody(scope))
    with doors(tmp_path, api_keys="required") as opened, pytest.raises(AssertionError):
        assert_nobody_passes(opened, [("POST", "/api/ask", {})])


def test_the_page_works_with_the_cookie_and_leads_to_login_without(closed: Doors) -> None:
    gone = closed.client.get("/?q=Hej%3F")
    assert (gone.status_code, gone.headers["location"]) == (303, "/login?next=%2F%3Fq%3DHej%253F")
    key = add_key(closed.home, "cookie")[1]
    with_cookie = closed.client.get("/", headers={"Cookie": f"a=b; ankare_key={key}"})
    assert with_cookie.status_code == 200
    stale = closed.client.get("/", headers={"Cookie": "ankare_key=ank_00000000_x"})
    assert stale.status_code == 303
    assert 'ankare_key=""' in stale.headers["set-cookie"]


def test_the_library_is_not_there_until_somebody_may_open_it(tmp_path: Path) -> None:
    with doors(tmp_path, api_keys="optional") as opened:
        plain = opened.key()
        headers = {"Authorization": f"Bearer {plain}"}
        assert opened.client.get("/api/admin/documents", headers=headers).status_code == 404
        admin = opened.key("root", admin=True)
        assert opened.client.get("/api/admin/documents").status_code == 401
        assert opened.client.get("/api/admin/documents", headers=headers).status_code == 403
        sent = {"Authorization": f"Bearer {admin}"}
        assert opened.client.get("/api/admin/documents", headers=sent).status_code not in (401, 403, 404)
