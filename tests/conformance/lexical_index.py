"""What must every lexical index do? A backend's test class inherits `LexicalIndexSuite` and makes its index.

class TestTantivy(LexicalIndexSuite):
    def build(self, folder, chunks, base=None, removed=()): ...
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ankare.domain.document import Box, Chunk, Place, Sentence, UnitKind
from ankare.index.protocol import ChunkTerms, LexicalIndex, LexicalQuery, WeightedTerm

Entry = tuple[Chunk, ChunkTerms]


def entry(chunk_id: str, body: str, *, title: str = "", section: str = "", document: str = "doc") -> Entry:
    """A chunk whose terms are the words of `body`, one sentence per line."""
    sentences = []
    start = 0
    for line in body.split("\n"):
        place = Place(2, (Box(1.5, 2.0, 30.25, 4.0),))
        sentences.append(
            Sentence(
                start, start + len(line), UnitKind.SENTENCE, (place,), terms=tuple(line.split(" ")) if line else ()
            )
        )
        start += len(line) + 1
    chunk = Chunk(
        chunk_id, document, f"{document}.pdf", "pdf", title, (section,) if section else (), (2,), body, "sv", 0,
        tuple(sentences),
    )  # fmt: skip
    terms = tuple(term for sentence in sentences for term in sentence.terms)
    return chunk, ChunkTerms(tuple(title.split()), tuple(section.split()), terms)


def query(*terms: str | tuple[str, float], title: float = 1.0, section: float = 1.0, body: float = 1.0) -> LexicalQuery:
    """A query of terms, each with weight 1 or the one given."""
    weighted = tuple(WeightedTerm(t, 1.0) if isinstance(t, str) else WeightedTerm(*t) for t in terms)
    return LexicalQuery(weighted, (("title", title), ("section", section), ("body", body)))


CORPUS = (
    entry("a1", "plan test\nplan budget", title="handbok", section="test"),
    entry("a2", "budget ekonomi", title="handbok", section="ekonomi"),
    entry("b1", "plan drift personal utbildning", document="other", title="drift"),
    entry("b2", "personal utbildning", document="other", title="drift"),
    entry("c1", "drift", document="third", section="plan"),
)


class LexicalIndexSuite:
    """The promises. `build` makes an index of `chunks`, from `base` without the documents `removed` where given."""

    def build(
        self, folder: Path, chunks: Sequence[Entry], base: Path | None = None, removed: Sequence[str] = ()
    ) -> LexicalIndex:
        """Commit a version in `folder` and open it."""
        raise NotImplementedError

    @pytest.fixture
    def index(self, tmp_path: Path) -> LexicalIndex:
        return self.build(tmp_path / "one", CORPUS)

    def test_chunks_come_back_as_they_went_in(self, index: LexicalIndex) -> None:
        assert index.chunks([chunk.id for chunk, _terms in CORPUS]) == [chunk for chunk, _terms in CORPUS]
        assert len(index) == len(CORPUS)

    def test_unknown_chunk_is_a_key_error(self, index: LexicalIndex) -> None:
        with pytest.raises(KeyError):
            index.chunks(["a1", "nowhere"])

    def test_only_chunks_with_a_term_are_found(self, index: LexicalIndex) -> None:
        assert {hit.chunk_id for hit in index.search(query("budget"), 10)} == {"a1", "a2"}
        assert index.search(query("saknas"), 10) == []
        assert index.search(query(), 10) == []
        assert index.search(query("plan"), 0) == []

    def test_best_come_first_and_limit_holds(self, index: LexicalIndex) -> None:
        hits = index.search(query("plan", "utbildning"), 10)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert hits[0].chunk_id == "b1"
        assert index.search(query("plan", "utbildning"), 1) == hits[:1]

    def test_a_rarer_term_weighs_more(self, index: LexicalIndex) -> None:
        assert index.search(query("ekonomi"), 1)[0].score > index.search(query("budget"), 5)[-1].score

    def test_a_further_matching_term_never_lowers_a_score(self, index: LexicalIndex) -> None:
        alone = {hit.chunk_id: hit.score for hit in index.search(query("plan"), 10)}
        more = {hit.chunk_id: hit.score for hit in index.search(query("plan", "budget"), 10)}
        assert all(more[chunk_id] >= score for chunk_id, score in alone.items())
        assert more["a1"] > alone["a1"]

    def test_term_weight_scales_a_score(self, index: LexicalIndex) -> None:
        one = index.search(query("budget"), 1)[0].score
        assert index.search(query(("budget", 2.0)), 1)[0].score == pytest.approx(2 * one, rel=1e-3)

    def test_field_weight_zero_shuts_the_field_out(self, index: LexicalIndex) -> None:
        assert {hit.chunk_id for hit in index.search(query("drift", title=0.0), 10)} == {"b1", "c1"}
        assert {hit.chunk_id for hit in index.search(query("drift", title=0.0, body=0.0), 10)} == set()

    def test_explanation_sums_to_the_score(self, index: LexicalIndex) -> None:
        asked = query("plan", ("drift", 0.5), title=0.4, section=0.7)
        for hit in index.search(asked, 10):
            explained = index.explain(asked, hit.chunk_id)
            assert set(explained) == {"title", "section", "body"}
            assert sum(explained.values()) == pytest.approx(hit.score, abs=2e-3)

    def test_explanation_names_the_field(self, index: LexicalIndex) -> None:
        explained = index.explain(query("plan"), "c1")
        assert explained["section"] > 0
        assert explained["title"] == explained["body"] == 0

    def test_document_frequency_counts_the_body(self, index: LexicalIndex) -> None:
        assert [index.doc_freq(term) for term in ("plan", "ekonomi", "handbok", "saknas", "")] == [2, 1, 0, 0, 0]

    @pytest.mark.parametrize("limit", [1, 3, 7, 19, 40])
    def test_ties_are_broken_by_id_also_at_the_limit(self, tmp_path: Path, limit: int) -> None:
        ids = [f"chunk-{number * 7919 % 40:03}" for number in range(40)]
        index = self.build(tmp_path / "tied", [entry(chunk_id, "lika text") for chunk_id in ids])
        assert [hit.chunk_id for hit in index.search(query("lika"), limit)] == sorted(ids)[:limit]

    @pytest.mark.parametrize("term", ["två ord", "a\tb", "ö␣x", "␣", "3.2", "it-miljö", "中文", "a\u00a0b", "'\"\\"])
    def test_a_term_is_one_term_whatever_it_holds(self, tmp_path: Path, term: str) -> None:
        chunk, _terms = entry("odd", "text")
        index = self.build(
            tmp_path / "odd", [(chunk, ChunkTerms((), (term,), (term, "ord"))), entry("plain", "två ord")]
        )
        assert [hit.chunk_id for hit in index.search(query(term), 5)] == ["odd"]
        assert index.doc_freq(term) == 1

    def test_removed_document_is_gone(self, tmp_path: Path) -> None:
        self.build(tmp_path / "one", CORPUS)
        after = self.build(tmp_path / "two", [], tmp_path / "one", ["doc"])
        assert {hit.chunk_id for hit in after.search(query("plan", "budget"), 10)} == {"b1", "c1"}
        assert len(after) == 3
        with pytest.raises(KeyError):
            after.chunks(["a1"])

    def test_old_version_stays_whole(self, tmp_path: Path) -> None:
        before = self.build(tmp_path / "one", CORPUS)
        hits = before.search(query("plan", "budget"), 10)
        self.build(tmp_path / "two", [entry("n1", "plan plan", document="new")], tmp_path / "one", ["doc", "other"])
        self.build(tmp_path / "three", [entry("n2", "budget", document="newer")], tmp_path / "one")
        assert before.search(query("plan", "budget"), 10) == hits
        assert self.build(tmp_path / "four", [], tmp_path / "one").search(query("plan", "budget"), 10) == hits

    def test_replaced_document_has_its_new_text_alone(self, tmp_path: Path) -> None:
        self.build(tmp_path / "one", CORPUS)
        after = self.build(tmp_path / "two", [entry("a9", "riktlinje budget")], tmp_path / "one", ["doc"])
        assert [hit.chunk_id for hit in after.search(query("budget"), 10)] == ["a9"]
        assert len(after) == 4

    def test_history_does_not_show_in_scores(self, tmp_path: Path) -> None:
        """Adding, then removing, gives the scores of an index that never held it."""
        self.build(tmp_path / "one", [*CORPUS, entry("x1", "plan budget plan", document="gone")])
        grown = self.build(tmp_path / "two", [entry("y1", "plan ny", document="late")], tmp_path / "one", ["gone"])
        fresh = self.build(tmp_path / "three", [*CORPUS, entry("y1", "plan ny", document="late")])
        asked = query("plan", "budget", "drift")
        assert grown.search(asked, 10) == fresh.search(asked, 10)

    def test_empty_index_finds_nothing(self, tmp_path: Path) -> None:
        index = self.build(tmp_path / "empty", [])
        assert index.search(query("plan"), 5) == []
        assert len(index) == 0
