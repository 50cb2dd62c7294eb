"""A session of Gradio's queue is its reader's own: nobody fetches what another one was answered by saying the same name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from ankare.service.page.sessions import SessionNames
from tests.access.other_doors import SUBMIT
from tests.access.world import Reader, Service, at_once, serving

HIDDEN = "Hur finansieras uppköpet av Zirkonbolaget?"
OPEN = "Hur ofta tas säkerhetskopior?"
JOIN, DATA = "/gradio_api/queue/join", "/gradio_api/queue/data"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(at_once(tmp_path_factory.mktemp("home")), page=True) as service:
        yield service


def join(reader: Reader, session: str, question: str) -> str:
    called = reader.open("POST", JOIN, json={"data": [question], "session_hash": session, "fn_index": 0})
    assert called.status_code == 200, called.text
    return str(called.json()["event_id"])


def call(reader: Reader, session: str, question: str) -> str:
    return str(reader.open("POST", SUBMIT, json={"data": [question], "session_hash": session}).json()["event_id"])


def data(reader: Reader, session: str) -> str:
    return reader.open("GET", DATA, params={"session_hash": session}).text


def taken(service: Service) -> list[str]:
    """All that a reader without a key gets by naming the sessions of somebody else, before that one has fetched anything."""
    board, public = service.reader("board"), service.reader()
    join(board, "s1", HIDDEN)
    call(board, "s2", HIDDEN)
    told = [data(public, "s1"), public.open("GET", f"{SUBMIT}/s1").text, data(public, "s2")]
    told += [public.open("GET", f"{SUBMIT}/s2").text, data(service.reader("legal"), "s1")]
    assert "konvertibler" in data(board, "s1")
    return told


def test_a_name_that_is_guessed_opens_nothing(service: Service) -> None:
    told = taken(service)
    assert not [text for text in told if "konvertibler" in text]
    public = service.reader()
    never = [data(public, "never"), public.open("GET", f"{SUBMIT}/never").text]
    assert told == [*never, *never, data(service.reader("legal"), "never")]


def test_the_same_name_is_another_session_to_another_reader(service: Service) -> None:
    board, public = service.reader("board"), service.reader()
    events = join(board, "s", HIDDEN), join(public, "s", OPEN)
    for reader, own, answer, foreign in (
        (public, events[1], "varje natt", "konv"),
        (board, events[0], "konv", "varje"),
    ):
        told = data(reader, "s")
        assert answer in told and own in told
        assert foreign not in told


def test_a_call_is_fetched_by_its_own_id(service: Service) -> None:
    board = service.reader("board")
    for session in ("s3", "s3", "s4"):
        event = call(board, session, HIDDEN)
        assert "konvertibler" in board.open("GET", f"{SUBMIT}/{event}").text


def one_name_for_all(patch: pytest.MonkeyPatch) -> None:
    """Gradio as it is by itself."""
    patch.setattr(SessionNames, "of", lambda self, scope, name: name)


def names_without_whose(patch: pytest.MonkeyPatch) -> None:
    """Names that only look like others."""
    patch.setattr(SessionNames, "of", lambda self, scope, name: f"own-{name}")


@pytest.mark.parametrize("saboteur", [one_name_for_all, names_without_whose], ids=lambda saboteur: saboteur.__name__)
def test_a_session_for_all_is_caught(
    service: Service, saboteur: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    saboteur(monkeypatch)
    board, public = service.reader("board"), service.reader()
    join(board, "s5", HIDDEN)
    assert "konvertibler" in data(public, "s5")
