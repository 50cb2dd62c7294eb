"""While figures cannot be read, what may be about them is not answered, and what cannot be is; whatever the cause.

Not answered: the documents would answer as if no figures were held. Search and follow-ups need none: they have their own
threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from fastapi.testclient import TestClient

import ankare.facts.postgres
import ankare.facts.postgres_server
from ankare.channels import composite
from ankare.facts.postgres import PostgresFactStore
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.facts.postgres_server import PostgresServer, postgres
from tests.structured.conftest import FACTS, PROFILE

__all__ = ["postgres"]
LIMIT = 90.0
"""Seconds after which something counts as hung."""
FIGURE = "Vad var omsättningen i Kina 2024?"
MAY_BE = (
    FIGURE,
    "Vad var omsättningen?",
    "Varför minskade vinsten i Kina 2024?",
    "Hur många skrivare har vi?",
    "Hur stor var vinsten i Hongkong 2023?",
)
"""Some of these the documents could say something to."""
CANNOT_BE = ("Vad är en beslutspunkt?", "Vem leder styrgruppen?")
TEXT = """# Plan

En beslutspunkt är ett tillfälle då styrgruppen avgör om projektet går vidare.

Styrgruppen leds av direktören.

Vinsten i Kina minskade eftersom kostnaderna ökade.

Skrivare finns på varje våning, och vi har många skrivare.
"""
Client = TestClient


@pytest.fixture
def url(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(ankare.facts.postgres_server, "GRACE_SECONDS", 0.3)
    monkeypatch.setitem(PostgresFactStore.__init__.__kwdefaults__, "read_seconds", 0.5)
    url = f"{postgres.fresh_url()}&connect_timeout=2"
    store = PostgresFactStore(url)
    store.init_schema()
    store.add_facts(FACTS)
    store.close()
    return url


@pytest.fixture
def client(url: str, tmp_path: Path) -> Iterator[Client]:
    pack = tmp_path / "pack"
    (pack / "documents").mkdir(parents=True)
    (pack / "profile.toml").write_text(PROFILE, encoding="utf-8")
    (pack / "documents" / "plan.md").write_text(TEXT, encoding="utf-8")
    ingest([pack / "documents"], Home(tmp_path / "home"), pack=pack, workers=1)
    settings = Settings(home=tmp_path / "home", semantic=False, facts_url=url)  # type: ignore[arg-type]
    with TestClient(create_app(settings, page=False)) as client:
        yield client


def ask(client: Client, question: str) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/ask", json={"question": question})
    return answer.status_code, answer.json()


def is_right(client: Client) -> bool:
    status, body = ask(client, FIGURE)
    assert status == 503 or [fact["value"] for fact in body["facts"]] == ["1320.5"]
    return status == 200


def until_right(client: Client) -> None:
    end = time.monotonic() + LIMIT
    while not is_right(client):
        assert time.monotonic() < end
        time.sleep(0.05)


Fault = Callable[[PostgresServer, str], AbstractContextManager[None]]


@contextmanager
def down(server: PostgresServer, url: str) -> Iterator[None]:
    server.stop()
    try:
        yield
    finally:
        server.start()


@contextmanager
def hung(server: PostgresServer, url: str) -> Iterator[None]:
    with server.hung():
        yield


@contextmanager
def locked(server: PostgresServer, url: str) -> Iterator[None]:
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE ankare_facts IN ACCESS EXCLUSIVE MODE")
        yield


@contextmanager
def totals_locked(server: PostgresServer, url: str) -> Iterator[None]:
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE ankare_totals IN ACCESS EXCLUSIVE MODE")
        yield


@contextmanager
def renamed(server: PostgresServer, url: str) -> Iterator[None]:
    server.run("ALTER TABLE ankare_facts RENAME TO ankare_elsewhere", url)
    try:
        yield
    finally:
        server.run("ALTER TABLE ankare_elsewhere RENAME TO ankare_facts", url)


FAULTS = (down, hung, locked, totals_locked, renamed)


@pytest.mark.parametrize("fault", FAULTS)
def test_only_what_needs_no_figures_is_answered(
    fault: Fault, client: Client, url: str, postgres: PostgresServer
) -> None:
    until_right(client)
    before = {question: ask(client, question)[1]["answer_markdown"] for question in CANNOT_BE}
    assert all(ask(client, question)[0] == 200 for question in MAY_BE)
    with fault(postgres, url):
        for question in MAY_BE:
            status, body = ask(client, question)
            assert (status, body["code"]) == (503, "figures-unavailable"), question
        for question in CANNOT_BE:
            status, body = ask(client, question)
            assert (status, body["answer_markdown"]) == (200, before[question])
        assert client.post("/api/search", json={"query": "styrgrupp"}).json()["hits"]
    until_right(client)


@pytest.mark.parametrize("fault", [down, hung])
def test_a_service_that_starts_meanwhile_answers_from_documents(
    fault: Fault, client: Client, url: str, postgres: PostgresServer
) -> None:
    home = client.app.state.desk.settings.home  # type: ignore[attr-defined]
    settings = Settings(home=home, semantic=False, facts_url=url)  # type: ignore[arg-type]
    with fault(postgres, url), TestClient(create_app(settings, page=False)) as fresh:
        assert ask(fresh, CANNOT_BE[0])[0] == 200
        assert ask(fresh, FIGURE)[0] == 503
        while_it_lasts = fresh.get("/ready").status_code
    assert while_it_lasts == 200


def test_search_and_follow_ups_do_not_wait_for_reads_that_hang(
    client: Client, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reads hang for as long as the test may take: whoever shared a thread with them would, too."""
    monkeypatch.setattr(ankare.facts.postgres_server, "GRACE_SECONDS", LIMIT)
    until_right(client)
    with postgres.hung():
        asking = [threading.Thread(target=ask, args=(client, FIGURE), daemon=True) for _ in range(6)]
        for thread in asking:
            thread.start()
        hits = client.post("/api/search", json={"query": "styrgrupp"}).json()["hits"]
        given = {"previous": "Vad var omsättningen 2024?", "question": "och 2023?"}
        understood = client.post("/api/understand", json=given).json()
        assert hits and understood["changed"]
        assert all(thread.is_alive() for thread in asking)
    for thread in asking:
        thread.join(LIMIT)
        assert not thread.is_alive()
    until_right(client)


def test_taking_no_figures_for_granted_would_let_the_documents_answer(
    client: Client, postgres: PostgresServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The saboteur: a channel that goes on as if none were held."""
    monkeypatch.setattr(composite, "_OutOfReach", lambda *_: None)
    with down(postgres, url):
        assert [ask(client, question)[0] for question in MAY_BE] == [200] * len(MAY_BE)
