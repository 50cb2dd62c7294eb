"""A question that is given up ends in the middle of whichever loop it is in, and spoils nothing for the next one."""

from __future__ import annotations

from threading import Lock
from typing import Any

import pytest

from ankare.answer import units
from ankare.answer.forms import listing, passage
from ankare.domain.cancel import CallCancelledError, CancelToken, cancelled_by, in_turn
from ankare.engine import Engine
from ankare.gate import relevance
from ankare.gate.coverage import Subject
from ankare.index.home import Home
from ankare.index.recent import Recent
from ankare.ingest.run import ingest
from ankare.retrieve import retriever
from ankare.retrieve.interpret import Interpreter
from ankare.settings import Settings
from ankare.wiring import open_engine

TEXT = """# Arkivets ordning

## Flytten

Flytten av arkivet sker i tre etapper.

- Etapp 1: arkivet packas under tio dagar av arkivarien.
- Etapp 2: arkivet flyttas under fem dagar av vaktmästaren.
- Etapp 3: arkivet öppnas efter sju dagar av föreståndaren.

## Budgeten för arkivet

Styrgruppen beslutar om arkivets budget i maj. Flytten av arkivet kostar fyra procent av budgeten.

1. Arkivets hyra sägs upp.
2. Arkivets nycklar lämnas.

## Arkivets öppettider

Arkivet är öppet i sex timmar. Flytten av arkivet tar tjugo dagar.
"""
LIST, LENGTH = "Vilka etapper har flytten av arkivet?", "Hur många dagar tar flytten av arkivet?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("given-up")
    for name in ("ett", "två"):
        (folder / f"{name}.md").write_text(TEXT.replace("Arkivets ordning", f"Ordning {name}"), "utf-8")
    made = Home(folder / "home")
    ingest([folder], made, workers=1)
    return made


def engine_of(home: Home) -> Engine:
    return open_engine(Settings(home=home.path, semantic=False))


LOOPS = [
    (LIST, Interpreter, "_word"),
    (LIST, retriever, "features"),
    (LIST, retriever, "values_of"),
    (LIST, Subject, "credits"),
    (LENGTH, relevance, "holds_kind"),
    (LIST, units, "has_form"),
    (LENGTH, units, "holds_kind"),
    (LIST, units, "lead_in"),
    (LIST, listing, "_weigh"),
    (LENGTH, passage, "tells_something"),
]


@pytest.mark.parametrize(("question", "place", "name"), LOOPS, ids=lambda value: getattr(value, "__name__", value))
def test_a_loop_ends_where_it_looks_next(
    home: Home, question: str, place: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = engine_of(home).ask(question).outcome
    monkeypatch.setattr(units, "_forms", Recent(100))
    calls, token = given_up_at_once(place, name, monkeypatch)
    engine = engine_of(home)
    with cancelled_by(token), pytest.raises(CallCancelledError):
        engine.ask(question)
    assert len(calls) == 1
    monkeypatch.undo()
    assert engine.ask(question).outcome == whole  # nothing half done is kept


def given_up_at_once(place: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], CancelToken]:
    """Once the loop has called this for the first time, nobody waits any more."""
    calls: list[str] = []
    token, called = CancelToken(), getattr(place, name)

    def slow(*given: Any, **named: Any) -> Any:
        calls.append(name)
        token.cancel()
        return called(*given, **named)

    monkeypatch.setattr(place, name, slow)
    return calls, token


@pytest.mark.parametrize(("question", "place", "name"), LOOPS, ids=lambda value: getattr(value, "__name__", value))
def test_each_loop_goes_round_more_than_once_where_somebody_waits(
    home: Home, question: str, place: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without this the test above would say nothing."""
    monkeypatch.setattr(units, "_forms", Recent(100))
    calls, _ = given_up_at_once(place, name, monkeypatch)
    engine_of(home).ask(question)
    assert len(calls) > 1


def test_a_saboteur_that_never_looks_answers_what_nobody_waits_for(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CancelToken, "cancel", lambda _token: None)
    with pytest.raises(pytest.fail.Exception):
        test_a_loop_ends_where_it_looks_next(home, *LOOPS[1], monkeypatch)


def test_nobody_waits_for_a_turn_that_is_not_wanted() -> None:
    lock, token = Lock(), CancelToken()
    token.cancel()
    with cancelled_by(token), lock, pytest.raises(CallCancelledError), in_turn(lock):
        raise AssertionError
    with cancelled_by(token), in_turn(lock):
        assert lock.locked()
    assert not lock.locked()


def test_steps_end_between_two_of_them(home: Home) -> None:
    token, begun = CancelToken(), list[str]()

    def on_step(name: str) -> None:
        begun.append(name)
        if name == "retrieve":
            token.cancel()

    with cancelled_by(token), pytest.raises(CallCancelledError):
        engine_of(home).ask(LIST, on_step=on_step)
    assert begun == ["interpret", "retrieve"]
    assert token.stage == "retrieve"
