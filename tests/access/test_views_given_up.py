"""A view that nobody waits for any more is left once, without a trace; whoever comes back for it gets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ankare.domain.cancel import CallCancelledError, CancelToken, cancelled_by
from ankare.index import view_build
from ankare.index.home import Home
from ankare.index.objects import DocumentObject
from ankare.index.views import Views
from tests.access.world import access, at_once


class Slow:
    """Nobody waits any more once the first document of a view has been read."""

    def __init__(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.read = home, 0
        self.token = CancelToken()
        self.stopping = False
        whole = Home.read_object

        def read_object(home: Home, key: str) -> DocumentObject:
            self.read += 1
            self.token.cancel(stopping=self.stopping)
            return whole(home, key)

        monkeypatch.setattr(Home, "read_object", read_object)

    def asked(self) -> int:
        """How many documents were read for the view of a reader with a label."""
        self.read, self.token = 0, CancelToken()
        try:
            with cancelled_by(self.token):
                Views(self.home).open(access("board"))
        except CallCancelledError:
            assert not list(self.home.views.glob(".building-*"))
            return self.read
        return -self.read


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Slow:
    monkeypatch.setattr(view_build, "_left", set())
    return Slow(Home(at_once(tmp_path)), monkeypatch)


def test_it_is_left_once(slow: Slow) -> None:
    before = view_build.view_folders(slow.home)
    assert slow.asked() == 1
    assert view_build.view_folders(slow.home) == before
    assert slow.asked() < -1  # and made the second time, although nobody waits again
    assert len(view_build.view_folders(slow.home)) == len(before) + 1
    assert slow.asked() == 0  # it is there


def test_the_end_of_the_process_ends_it_at_any_time(slow: Slow) -> None:
    slow.stopping = True
    before = view_build.view_folders(slow.home)
    assert [slow.asked() for _ in range(3)] == [1, 1, 1]
    assert view_build.view_folders(slow.home) == before


def test_a_home_that_cannot_be_written_keeps_no_half_of_it(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(view_build, "_turn", refused)
    monkeypatch.setattr(view_build, "_temporary", {})
    assert slow.asked() == 1
    assert not view_build._temporary
    assert slow.asked() < -1


def test_nobody_waits_for_a_turn_that_is_not_wanted(slow: Slow) -> None:
    slow.token.cancel()
    turn, wanted = view_build._turn(slow.home, "view-b"), cancelled_by(slow.token)
    with view_build._turn(slow.home, "view-a"), wanted, pytest.raises(CallCancelledError), turn:
        raise AssertionError


def test_a_saboteur_that_always_leaves_it_never_has_it(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(set[str]):
        def add(self, _name: str) -> None:
            pass

    monkeypatch.setattr(view_build, "_left", Forgetful())
    with pytest.raises(AssertionError):
        test_it_is_left_once(slow)
