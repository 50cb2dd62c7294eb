"""After one read that waited in vain nobody else waits, until the server answers again."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import Any

import pytest

import ankare.facts.breaker
from ankare.errors import FactStoreError
from ankare.facts.breaker import Breaker

HUNG = 60.0


def failing(*, retry: bool = True) -> FactStoreError:
    error = FactStoreError("The server did not answer in time.", "Try again.")
    error.retry = retry
    return error


class Server:
    """Asked within a breaker for which every failure has taken long enough, or none has."""

    def __init__(self, breaker: Breaker) -> None:
        self.breaker = breaker
        self.answers = Event()
        self.tries = 0

    def ask(self, error: FactStoreError | None = None) -> str:
        with self.breaker.watching(self.again):
            if error is not None:
                raise error
            return "a figure"

    def again(self) -> None:
        self.tries += 1
        assert self.answers.wait(HUNG)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(ankare.facts.breaker, "WORTH_SECONDS", 0.05)
    server = Server(Breaker(slow_seconds=0.0))
    yield server
    server.answers.set()


def opened(server: Server) -> None:
    with pytest.raises(FactStoreError):
        server.ask(failing())


def test_while_a_try_waits_all_others_are_told_at_once(server: Server) -> None:
    opened(server)
    for _ in range(5):
        with pytest.raises(FactStoreError, match="in time") as told:
            server.ask()
        assert told.value.retry and told.value.remedy
    assert server.tries == 1


def test_what_tells_is_a_new_error_each_time(server: Server) -> None:
    opened(server)
    told = []
    for _ in range(3):
        with pytest.raises(FactStoreError) as error:
            server.breaker.check()
        told.append(error.value)
    assert len({id(error) for error in told}) == 3


@pytest.mark.parametrize("again", [lambda: None, lambda: (_ for _ in ()).throw(failing())])
def test_a_server_that_answers_whatever_it_says_is_asked_again(again: Callable[[], object]) -> None:
    breaker = Breaker(slow_seconds=0.0)
    with suppress(FactStoreError), breaker.watching(again):
        raise failing()
    breaker._slow = HUNG
    breaker.check()
    with breaker.watching(again):
        pass


@pytest.mark.parametrize(
    ("slow", "error"),
    [(HUNG, failing()), (0.0, failing(retry=False)), (0.0, ZeroDivisionError())],
    ids=["quick", "for good", "a fault of ours"],
)
def test_only_waiting_in_vain_keeps_others_from_asking(slow: float, error: Exception) -> None:
    breaker = Breaker(slow)
    with suppress(type(error)), breaker.watching(lambda: None):
        raise error
    breaker.check()
    assert breaker._failure is None


def test_a_try_that_failed_is_followed_by_another(server: Server) -> None:
    server.answers.set()  # so that a try ends, which then counts as one that was kept waiting
    opened(server)
    seen = 0
    while server.tries < 3:
        seen += 1
        with suppress(FactStoreError):
            server.ask()
        assert seen < 10_000
    server.breaker._slow = HUNG
    while True:
        with suppress(FactStoreError):
            assert server.ask() == "a figure"
            break


def test_without_a_thread_to_be_had_the_others_are_told(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    opened(server)
    with monkeypatch.context() as patch:
        patch.setattr("threading.Thread.start", none_left)
        with pytest.raises(FactStoreError, match="in time"):
            server.ask()
    server.breaker._slow = HUNG
    server.answers.set()
    assert server.ask() == "a figure"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_asks_for_itself(server: Server) -> None:
    opened(server)
    with server.breaker._lock:  # as another thread may hold it at that moment
        child = os.fork()
        if not child:
            os._exit(0 if server.ask() == "a figure" else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with pytest.raises(FactStoreError):
        server.ask()
