"""The provider of a model is a reader too: it is sent the same, byte for byte, whether a secret is held or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ankare.channels import agentic, synthesized
from ankare.channels.corpus import OpenCorpus
from ankare.channels.figures import _Run
from ankare.domain.access import OWNER
from ankare.facts.sql_store import SqlFactReader
from ankare.structured.query_tools import look_up
from tests.access.model import Asked, with_a_model
from tests.access.world import BOARD_FILES, PUBLIC_FILES, at_once, built

DOCUMENTS = (
    "Hur ofta tas säkerhetskopior?",
    "Hur länge förvaras kopiorna?",
    "Vem beslutar om budgeten?",
    "När ska ansökan om semester lämnas?",
    "När flyttas arkivet?",
    "När avslutas projektet?",
    "Vad är backup?",
    "Vad är Zirkonbolgaet?",
    "Hur finansieras uppköpet?",
    "När stängs Quorvxen?",
)
FIGURES = (
    "Vad var omsättningen i Kina 2023?",
    "Vad var omsättningen i Kina 2024?",
    "Vad var vinsten i Kina första halvåret 2025?",
    "Vad var omsättningen i koncernen första kvartalet 2024?",
)
WAYS = ({"enable_agentic_rag": True}, {"enable_synthesis": True})
Two = tuple[Asked, Asked]
Patch = pytest.MonkeyPatch


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    """A reader without a label before a home without and one with secrets, each with the same model."""
    folder = tmp_path_factory.mktemp("homes")
    with ExitStack() as stack:
        homes = built(folder / "a", PUBLIC_FILES), at_once(folder / "b")
        one, other = (stack.enter_context(with_a_model(home, figures_tool_loop=True)) for home in homes)
        yield one, other


def told(asked: Asked, questions: tuple[str, ...], *ways: dict[str, bool]) -> list[object]:
    return [asked.ask(question, **way) for question in questions for way in ways]


def test_agents_and_synthesis_are_sent_the_same(two: Two) -> None:
    one, other = (told(asked, DOCUMENTS, *WAYS) for asked in two)
    assert one == other


def test_a_look_up_of_figures_is_sent_the_same(two: Two) -> None:
    one, other = (told(asked, FIGURES, {}) for asked in two)
    assert one == other


def test_a_reader_with_the_label_lets_the_model_see_it_and_nobody_after_that(two: Two) -> None:
    """Nothing that one reader's question left behind is sent along with another's."""
    one, other = two
    question, chain = "Hur finansieras uppköpet av Zirkonbolaget?", WAYS[0]
    before = told(one, DOCUMENTS[:3], chain)
    board = other.of("board")
    assert b"konvertibler" in repr(board.ask(question, **chain)[1]).encode()
    assert "1500" in repr(board.ask(FIGURES[1]))
    assert told(other, DOCUMENTS[:3], chain) == before
    assert one.ask(question, **chain) == other.ask(question, **chain)


def test_a_reader_with_the_label_is_one_before_a_home_without_labels(tmp_path: Path, two: Two) -> None:
    files = {name: text for name, text in BOARD_FILES.items() if not name.endswith("access.toml")}
    with with_a_model(built(tmp_path, PUBLIC_FILES, files), figures_tool_loop=True) as plain:
        board = two[1].of("board")
        for question in (*DOCUMENTS[-4:], *FIGURES[:2]):
            assert plain.ask(question, **WAYS[0]) == board.ask(question, **WAYS[0])


def test_every_part_of_a_model_was_asked(two: Two) -> None:
    """What is compared above holds rewrites, drafts, reviews, corrections, syntheses and look-ups."""
    parts = [told(two[1], DOCUMENTS[:4], WAYS[0]), told(two[1], DOCUMENTS[:1], WAYS[1]), told(two[1], FIGURES[:1], {})]
    roles = {name for name in ("agent1", "agent2", "agent3", "agent4", "synthesis") if f'"{name}"' in repr(parts)}
    assert roles == {"agent1", "agent2", "agent3", "agent4", "synthesis"}
    assert "query_metric" in repr(parts[2])


# Saboteurs: each sends to the model what its reader may not see.


def titles_are_those_of_all(patch: Patch, owner: OpenCorpus) -> None:
    """Agent 1 is shown the best titles of everything."""
    ask = agentic.ask_for_rewrites
    patch.setattr(agentic, "ask_for_rewrites", lambda a, q, hits, r: ask(a, q, owner.retrieve(q, 8), r))


def wordings_search_everything(patch: Patch, owner: OpenCorpus) -> None:
    """What agent 2 writes from is searched in the whole index."""
    retrieve = agentic.ChainRun._retrieve

    def everywhere(self: agentic.ChainRun, found: Any) -> None:
        self.corpus = owner
        retrieve(self, found)

    patch.setattr(agentic.ChainRun, "_retrieve", everywhere)


def corrections_see_what_is_near(patch: Patch, owner: OpenCorpus) -> None:
    """Agent 4 gets more evidence than the draft had."""
    ask = agentic.ask_for_correction

    def more(asking: Any, question: Any, draft: Any, review: Any, context: Any) -> Any:
        near = [hit.chunk for hit in owner.retrieve(question, 8)]
        return ask(asking, question, draft, review, (*context, *near))

    patch.setattr(agentic, "ask_for_correction", more)


def synthesis_reads_on(patch: Patch, owner: OpenCorpus) -> None:
    """A synthesis gets what stands near the cited."""
    ask = synthesized.ask_for_synthesis

    def more(asking: Any, question: Any, answer: Any, cited: Any) -> Any:
        return ask(asking, question, answer, (*cited, *(hit.chunk for hit in owner.retrieve(question, 8))))

    patch.setattr(synthesized, "ask_for_synthesis", more)


def the_tool_sees_all_figures(patch: Patch, owner: OpenCorpus) -> None:
    """What the model calls looks in all figures."""

    def everywhere(self: _Run, key: Any) -> Any:
        store: Any = self.channel.store
        return look_up(SqlFactReader(store._database, lambda: store.profile), key, self.channel.profile)

    patch.setattr(_Run, "_look_up", everywhere)


ASKED = (*DOCUMENTS[:4], FIGURES[1])
SABOTEURS = (
    titles_are_those_of_all,
    wordings_search_everything,
    corrections_see_what_is_near,
    synthesis_reads_on,
    the_tool_sees_all_figures,
)


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda saboteur: saboteur.__name__)
def test_what_reaches_the_model_alone_is_caught(
    two: Two, saboteur: Callable[[Patch, OpenCorpus], None], monkeypatch: Patch
) -> None:
    found: list[object] = []
    for asked in two:
        with monkeypatch.context() as patch:
            saboteur(patch, asked.engine.corpus(OWNER))
            found.append([asked.ask(q, **way)[1] for q in ASKED for way in WAYS])
    assert found[0] != found[1]
