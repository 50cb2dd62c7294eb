"""Measures tell how much is asked and refused, so where there are keys they are for whoever looks after the service."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from ankare.service.door import identity
from ankare.service.door.identity import Doorman
from ankare.settings import Settings
from tests.service.doors import TOKEN, Doors, doors

FOR_PROMETHEUS = "the-token-of-the-monitoring"
KEYS = ("", "reader", "admin key", "admin token", "measures token", "wrong")


def statuses(opened: Doors) -> dict[str, int]:
    """What /metrics says to each kind of caller, also when only the head is asked for."""
    sent = {
        "": "",
        "reader": opened.key("reader", labels=["board"]),
        "admin key": opened.key("admin", admin=True),
        "admin token": TOKEN,
        "measures token": FOR_PROMETHEUS,
        "wrong": "ank_00000000_x",
    }
    found = {}
    for name, key in sent.items():
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        answer = opened.client.get("/metrics", headers=headers)
        assert answer.status_code == opened.client.head("/metrics", headers=headers).status_code
        assert ("ankare_build_info" in answer.text) is (answer.status_code == 200)
        found[name] = answer.status_code
    return found


CLOSED = dict(zip(KEYS, (401, 403, 200, 200, 200, 401), strict=True))
WITHOUT_KEYS = dict(zip(KEYS, (401, 401, 401, 200, 200, 401), strict=True))


@pytest.mark.parametrize(
    ("keys", "token", "expected"),
    [
        ("required", FOR_PROMETHEUS, CLOSED),
        ("optional", FOR_PROMETHEUS, CLOSED),
        ("optional", "", {**CLOSED, "measures token": 401}),
        ("off", FOR_PROMETHEUS, WITHOUT_KEYS),
        ("off", "", dict.fromkeys(KEYS, 200)),
    ],
)
def test_who_sees_the_measures(tmp_path: Path, keys: str, token: str, expected: dict[str, int]) -> None:
    with doors(tmp_path, api_keys=keys, admin_token=TOKEN, metrics_token=token) as opened:
        assert statuses(opened) == expected


def test_the_token_for_measures_opens_nothing_else(tmp_path: Path) -> None:
    with doors(tmp_path, page=True, api_keys="required", admin_token=TOKEN, metrics_token=FOR_PROMETHEUS) as opened:
        sent = {"Authorization": f"Bearer {FOR_PROMETHEUS}"}
        assert opened.ask(FOR_PROMETHEUS).status_code == 401
        for path in ("/api/admin/documents", "/v1/models", "/sources/d1"):
            assert opened.client.get(path, headers=sent).status_code == 401, path
        answer = opened.client.post("/login", data={"key": FOR_PROMETHEUS})
        assert "set-cookie" not in answer.headers


def test_it_is_guessed_at_no_faster_than_any_other(tmp_path: Path) -> None:
    with doors(tmp_path, api_keys="required", metrics_token=FOR_PROMETHEUS) as opened:
        tried = [opened.client.get("/metrics", headers={"X-API-Key": f"guess{n}"}).status_code for n in range(12)]
        assert tried == [401] * 10 + [429] * 2
        assert opened.client.get("/metrics", headers={"X-API-Key": FOR_PROMETHEUS}).status_code == 429


def test_a_browser_is_told_and_not_led_to_a_form_that_does_not_take_it(tmp_path: Path) -> None:
    with doors(tmp_path, metrics_token=FOR_PROMETHEUS) as opened:
        answer = opened.client.get("/metrics", headers={"Accept": "text/html"})
        assert (answer.status_code, "ANKARE_METRICS_TOKEN" in answer.json()["detail"]) == (401, True)


def test_a_short_token_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="at least 20"):
        Settings(home=tmp_path, metrics_token="short")  # noqa: S106


def no_watcher(patch: pytest.MonkeyPatch) -> None:
    """Measures are asked for as anything else."""
    patch.setattr(identity, "keeps_metrics", lambda _settings: False)


def any_key_will_do(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Doorman, "_watcher", lambda self, scope: self._known(scope, identity.sent_key(scope)))


def an_unset_token_is_a_token(patch: pytest.MonkeyPatch) -> None:
    """Whoever sends anything has it."""
    patch.setattr(identity, "opens_metrics", lambda _settings, _sent: True)


@pytest.mark.parametrize("saboteur", [no_watcher, any_key_will_do, an_unset_token_is_a_token])
def test_a_door_that_stands_open_is_found_out(tmp_path: Path, saboteur: object) -> None:
    with pytest.MonkeyPatch.context() as patch:
        saboteur(patch)  # type: ignore[operator]
        with pytest.raises(AssertionError):
            test_who_sees_the_measures(tmp_path, "optional", "", {**CLOSED, "measures token": 401})
