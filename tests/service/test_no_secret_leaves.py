"""No response tells a secret of the settings or a path of the machine, whatever goes wrong on the way."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ankare.domain.access import Access
from ankare.errors import (
    AnkareError,
    DocumentError,
    FactStoreError,
    HomeDamagedError,
    HomeMissingError,
    MissingExtraError,
    ProfileError,
    ProviderError,
    ProviderServiceError,
)
from ankare.service import problem
from ankare.service.watch.operator_log import OperatorLog
from tests.service.doors import QUESTION, TOKEN, Doors, doors
from tests.service.scripted import ScriptedShelf

SECRETS = {
    "admin_token": TOKEN,
    "llm_api_key": "sk-a-secret-of-the-model",
    "facts_url": "postgresql://user:hush-hush@db.internal/figures",
}
PLACE = "/srv/somewhere-private"
ADVICE = "Run it again as root."
FAULTS: dict[str, Exception] = {
    "home missing": HomeMissingError(f"Nothing has been ingested in {PLACE}.", ADVICE),
    "home damaged": HomeDamagedError(f"{PLACE}/current is not what its manifest says.", ADVICE),
    "figures": FactStoreError(f"{PLACE}/facts.db cannot be opened: {SECRETS['facts_url']}", ADVICE),
    "profile": ProfileError(f"{PLACE}/profile.toml:3 is broken.", ADVICE),
    "extra": MissingExtraError(f"{PLACE} lacks an extra.", ADVICE),
    "document": DocumentError(f"{PLACE}/a.pdf cannot be read.", ADVICE),
    "model's key": ProviderServiceError(f"https://model.internal refuses {SECRETS['llm_api_key']}", kind="auth"),
    "model's account": ProviderServiceError(f"no quota for {SECRETS['llm_api_key']}", kind="quota"),
    "model": ProviderError(f"https://model.internal gave no answer to {SECRETS['llm_api_key']}"),
    "any": AnkareError(f"something in {PLACE}", ADVICE),
    "a bug": RuntimeError(f"{PLACE} {SECRETS['llm_api_key']}"),
    "the system": PermissionError(13, "Permission denied", f"{PLACE}/current"),
    "the system, in words": OSError(f"{PLACE} is gone"),
}
REQUESTS = (
    ("GET", "/health", None),
    ("GET", "/ready", None),
    ("GET", "/metrics", None),
    ("GET", "/openapi.json", None),
    ("GET", "/v1/models", None),
    ("GET", "/v1/models/none", None),
    ("POST", "/api/ask", QUESTION),
    ("POST", "/api/ask", {"question": ""}),
    ("POST", "/api/ask", {"question": 3}),
    ("POST", "/api/search", {"query": "etapper"}),
    ("POST", "/api/understand", {"question": "och sedan?", "previous": "Vilka etapper finns?"}),
    ("POST", "/api/feedback", {"answer_id": "0" * 32, "rating": "up"}),
    ("POST", "/v1/chat/completions", {"model": "ankare", "messages": [{"role": "user", "content": "Etapper?"}]}),
    ("POST", "/page/ask", {"question": "Vilka etapper finns?"}),
    ("GET", "/sources/d1", None),
    ("GET", "/sources/{document}", None),
    ("GET", "/sources/{document}/pages/1.png", None),
    ("GET", "/sources/{document}/pages/1.png?claim=x:1-2", None),
    ("GET", "/sources/..%2f..%2fetc%2fpasswd", None),
    ("GET", "/api/admin/documents", None),
    ("GET", "/library", None),
    ("GET", "/login", None),
    ("GET", "/", None),
    ("GET", "/nothing", None),
)


class BrokenShelf(ScriptedShelf):
    """Fails with the same fault wherever it is asked."""

    fault: Exception | None = None

    def of(self, access: Access) -> BrokenShelf:
        return self

    def __getattribute__(self, name: str) -> Any:
        fault = object.__getattribute__(self, "fault")
        asked = ("version", "chunk_count", "document", "original", "chunk", "versions", "embedded", "profile")
        if fault is not None and name in asked:
            return _raising(fault)
        return object.__getattribute__(self, name)


def _raising(fault: Exception) -> Callable[..., Any]:
    def fail(*given: Any, **named: Any) -> Any:
        raise fault

    return fail


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    home = tmp_path_factory.mktemp("a-private-home")
    with doors(home, page=True, mcp=False, log_dir=home / "log", **SECRETS) as found:
        yield found


def assert_nothing_leaves(opened: Doors, headers: dict[str, str]) -> None:
    document = next(iter(opened.app.state.desk.shelf.documents))
    forbidden = [*SECRETS.values(), "hush-hush", PLACE, ADVICE, "model.internal", "Traceback", str(opened.home)]
    forbidden += [str(Path.home()) + "/", "site-packages"]
    for method, path, body in REQUESTS:
        answer = opened.client.request(method, path.format(document=document), json=body, headers=headers)
        told = answer.text + str(dict(answer.headers))
        assert not [word for word in forbidden if word in told], (method, path, told[:500])


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "text/html"])
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.parametrize("broken", ["engine", "shelf"])
def test_no_response_tells_a_secret_or_a_path(
    opened: Doors, monkeypatch: pytest.MonkeyPatch, broken: str, fault: Exception, accept: str
) -> None:
    if broken == "engine":
        monkeypatch.setattr(opened.engine, "ask", _raising(fault))
        monkeypatch.setattr(opened.engine, "search", _raising(fault))
    else:
        shelf = BrokenShelf(opened.home)
        monkeypatch.setattr(opened.app.state.desk, "shelf", shelf)
        shelf.fault = fault
    assert_nothing_leaves(opened, {"Accept": accept})


def test_telling_callers_the_operators_text_would_be_found_out(opened: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problem, "plainly", str)
    monkeypatch.setattr(opened.engine, "ask", _raising(FAULTS["home damaged"]))
    with pytest.raises(AssertionError):
        assert_nothing_leaves(opened, {})


def test_what_stands_in_the_way_is_logged_once_for_each_cause(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    log = OperatorLog(lambda: now[0])
    with caplog.at_level(logging.ERROR, "ankare.service"):
        for _ in range(50):
            log.tell(FAULTS["home damaged"])
            log.tell(FAULTS["figures"])
        assert len(caplog.records) == 2
        assert ADVICE in caplog.text
        now[0] = 601.0
        log.tell(FAULTS["home damaged"])
    assert len(caplog.records) == 3


def test_the_keys_of_callers_stand_in_no_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with doors(tmp_path, api_keys="required", log_dir=tmp_path / "log", log_texts=True) as opened:
        key = opened.key()
        with caplog.at_level(logging.DEBUG):
            opened.ask(key)
            opened.ask(key + "x")
            opened.client.post("/api/ask", json={"question": f"Vad är {key}?"}, headers={"X-API-Key": key})
            opened.client.get(f"/nothing?key={key}", headers={"Cookie": f"ankare_key={key}"})
        kept = "".join(path.read_text() for path in (tmp_path / "log").rglob("*") if path.is_file())
        assert '"key": "Anna"' in kept
        secret = key.split("_", 2)[2]
        assert secret not in kept
        ours = "".join(r.getMessage() for r in caplog.records if r.name.startswith(("ankare", "uvicorn")))
        assert secret not in ours
