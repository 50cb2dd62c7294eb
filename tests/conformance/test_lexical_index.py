"""Every lexical index keeps the same promises, and the suite notices one that does not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ankare.index.protocol import LexicalHit, LexicalIndex, LexicalQuery
from ankare.index.tantivy_index import TantivyIndex, TantivyIndexWriter
from tests.conformance.lexical_index import CORPUS, Entry, LexicalIndexSuite, entry, query


class TestTantivyIndex(LexicalIndexSuite):
    def build(
        self, folder: Path, chunks: Sequence[Entry], base: Path | None = None, removed: Sequence[str] = ()
    ) -> LexicalIndex:
        writer = TantivyIndexWriter(folder, base)
        for document_id in removed:
            writer.remove_document(document_id)
        writer.add(chunks)
        writer.commit()
        return TantivyIndex(folder)


class TestTantivyIndexOfManyChunks(TestTantivyIndex):
    """The way that versions of large corpora come about: segments taken over, removed chunks marked."""

    @pytest.fixture(autouse=True)
    def _never_rewrite(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("ankare.index.tantivy_index.REWRITE_LIMIT", 0)
        monkeypatch.setattr("ankare.index.tantivy_index.BUFFERED", 2)

    def test_history_does_not_show_in_scores(self, tmp_path: Path) -> None:
        """The documented limit: removed chunks count in the statistics for a while, never in what is found."""
        self.build(tmp_path / "one", [*CORPUS, entry("x1", "plan budget plan", document="gone")])
        grown = self.build(tmp_path / "two", [entry("y1", "plan ny", document="late")], tmp_path / "one", ["gone"])
        fresh = self.build(tmp_path / "three", [*CORPUS, entry("y1", "plan ny", document="late")])
        asked = query("plan", "budget", "drift")
        found = [{hit.chunk_id for hit in index.search(asked, 10)} for index in (grown, fresh)]
        assert found[0] == found[1]


class _Backwards(TantivyIndex):
    """A saboteur: ties in the wrong order."""

    def search(self, query: LexicalQuery, limit: int) -> list[LexicalHit]:
        hits = super().search(query, 10_000)
        hits.sort(key=lambda hit: hit.chunk_id, reverse=True)
        return sorted(hits, key=lambda hit: -hit.score)[:limit]


class _Forgetful(TantivyIndex):
    """A saboteur: the last hit is lost."""

    def search(self, query: LexicalQuery, limit: int) -> list[LexicalHit]:
        return super().search(query, limit)[:-1]


class _Boastful(TantivyIndex):
    """A saboteur: it explains a score that it did not give."""

    def explain(self, query: LexicalQuery, chunk_id: str) -> dict[str, float]:
        return {field: 2 * value for field, value in super().explain(query, chunk_id).items()}


SABOTEURS = [
    (_Backwards, lambda suite, index, folder: suite.test_ties_are_broken_by_id_also_at_the_limit(folder / "t", 7)),
    (_Forgetful, lambda suite, index, folder: suite.test_only_chunks_with_a_term_are_found(index)),
    (_Boastful, lambda suite, index, folder: suite.test_explanation_sums_to_the_score(index)),
]


@pytest.mark.parametrize(("kind", "promise"), SABOTEURS, ids=[kind.__name__ for kind, _promise in SABOTEURS])
def test_the_suite_fails_a_saboteur(kind, promise, tmp_path: Path) -> None:
    class Sabotaged(LexicalIndexSuite):
        def build(
            self, folder: Path, chunks: Sequence[Entry], base: Path | None = None, removed: Sequence[str] = ()
        ) -> LexicalIndex:
            writer = TantivyIndexWriter(folder, base)
            writer.add(chunks)
            writer.commit()
            return kind(folder)

    suite = Sabotaged()
    index = suite.build(tmp_path / "one", CORPUS)
    with pytest.raises(AssertionError):
        promise(suite, index, tmp_path)
