"""Each way to keep a secret badly is noticed by what `test_not_there` compares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ankare.channels.corpus import OpenCorpus
from ankare.domain.access import OWNER, PUBLIC, Access
from ankare.domain.evidence import Hit
from ankare.domain.question import Question
from ankare.facts.sql_store import SqlFactReader, SqlFactStore
from ankare.index import views
from ankare.index.home import Home, Snapshot
from ankare.index.views import Standing, Views
from ankare.service.shelf import HomeShelf
from tests.access.test_not_there import ids
from tests.access.world import BOARD_FILES, LEGAL_FILES, PUBLIC_FILES, QUESTIONS, Reader, built, reading

Patch = pytest.MonkeyPatch
_open = Views.open


def hits_are_filtered(patch: Patch) -> None:
    """One index for all; what a reader may not read is taken out of the hits."""

    def whole(self: Views, access: Access) -> Snapshot:
        own = _open(self, access)
        return replace(_open(self, OWNER), name=own.name, documents=own.documents, vocabulary=own.vocabulary)

    def retrieve(self: OpenCorpus, question: Question, top_k: int) -> tuple[Hit, ...]:
        hits = self._retriever.search(question, 10 * top_k)
        return tuple(hit for hit in hits if hit.chunk.document_id in self.documents)[:top_k]

    patch.setattr(Views, "open", whole)
    patch.setattr(OpenCorpus, "retrieve", retrieve)


def _shared(patch: Patch, **whole: Callable[[Snapshot], object]) -> None:
    def opened(self: Views, access: Access) -> Snapshot:
        return replace(_open(self, access), **{name: of(_open(self, OWNER)) for name, of in whole.items()})  # type: ignore[arg-type]

    patch.setattr(Views, "open", opened)


def vocabulary_is_shared(patch: Patch) -> None:
    """Spelling knows every word."""
    _shared(patch, vocabulary=lambda snapshot: snapshot.vocabulary)


def documents_are_shared(patch: Patch) -> None:
    """What a secret document replaces is set back."""
    _shared(patch, documents=lambda snapshot: snapshot.documents)


def names_count_versions(patch: Patch) -> None:
    """A reader is told the name of the version on disk."""

    def standing(self: Views, access: Access) -> Standing:
        found = _standing(self, access)
        return replace(found, name=found.version)

    _standing = Views.standing
    patch.setattr(Views, "standing", standing)


def names_hold_what_is_hidden(patch: Patch) -> None:
    """The name of a view is made of the whole manifest."""
    patch.setattr(views, "readable", lambda manifest, access: manifest)


def figures_are_not_filtered(patch: Patch) -> None:
    """Every reader looks up in all figures."""
    patch.setattr(SqlFactStore, "readable", lambda self, access: self)


def periods_are_not_filtered(patch: Patch) -> None:
    """The periods of a metric are those of all."""
    _patched_reader(patch, "periods")


def look_ups_are_not_filtered(patch: Patch) -> None:
    """One key finds all of its figures."""
    _patched_reader(patch, "lookup_all")


def _patched_reader(patch: Patch, method: str) -> None:
    def everything(self: SqlFactReader, *given: object) -> object:
        return getattr(SqlFactReader(self._database, lambda: self.profile), f"_true_{method}")(*given)

    patch.setattr(SqlFactReader, f"_true_{method}", getattr(SqlFactReader, method), raising=False)
    patch.setattr(SqlFactReader, method, everything)


def sources_are_not_filtered(patch: Patch) -> None:
    """Whoever has a link sees the document."""
    patch.setattr(HomeShelf, "of", lambda self, access: self)


SABOTEURS = (
    hits_are_filtered,
    vocabulary_is_shared,
    documents_are_shared,
    names_count_versions,
    names_hold_what_is_hidden,
    figures_are_not_filtered,
    periods_are_not_filtered,
    look_ups_are_not_filtered,
    sources_are_not_filtered,
)


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("homes")
    return built(folder / "a", PUBLIC_FILES), built(folder / "b", PUBLIC_FILES, BOARD_FILES, LEGAL_FILES)


def seen(reader: Reader, documents: list[tuple[str, str]]) -> list[object]:
    return [
        *(reader.asked(question) for question in QUESTIONS),
        *(reader.looked(document, chunk) for document, chunk in documents),
        reader.state(),
    ]


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda saboteur: saboteur.__name__)
def test_a_saboteur_is_caught(
    homes: tuple[Path, Path], saboteur: Callable[[Patch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = ids(*homes)
    saboteur(monkeypatch)
    with reading(homes[0]) as one, reading(homes[1]) as other:
        assert seen(one, documents) != seen(other, documents)


def test_a_count_of_all_figures_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every figure is secret there are none: a question about one goes to the documents."""
    files = {name: text for name, text in PUBLIC_FILES.items() if not name.startswith("facts/")}
    plain, mixed = built(tmp_path / "a", files), built(tmp_path / "b", files, BOARD_FILES)
    with reading(plain) as one, reading(mixed) as other:
        assert [one.asked(question) for question in QUESTIONS] == [other.asked(question) for question in QUESTIONS]
    _patched_reader(monkeypatch, "count")
    with reading(plain) as one, reading(mixed) as other:
        assert [one.asked(question) for question in QUESTIONS] != [other.asked(question) for question in QUESTIONS]


def test_without_a_saboteur_nothing_is_caught(homes: tuple[Path, Path]) -> None:
    documents = ids(*homes)
    with reading(homes[0]) as one, reading(homes[1]) as other:
        assert seen(one, documents) == seen(other, documents)
    assert Views(Home(homes[0])).standing(PUBLIC).name == Views(Home(homes[1])).standing(PUBLIC).name
