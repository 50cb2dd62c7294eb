"""A chunk comes back from the index exactly as it went in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ankare.domain.document import Box, Chunk, Place, Sentence, UnitKind
from ankare.index.payload import decode_chunk, decode_terms, encode_chunk, escape_term, join_terms, split_terms
from ankare.index.protocol import ChunkTerms
from ankare.index.terms import chunk_terms, source_words
from ankare.language.languages import get_language

terms = st.lists(st.text(min_size=1, max_size=12), max_size=6).map(tuple)
numbers = st.floats(0, 2000, allow_nan=False)
places = st.builds(
    Place, st.integers(1, 3000), st.lists(st.builds(Box, numbers, numbers, numbers, numbers), max_size=2).map(tuple)
)
sentences = st.builds(
    Sentence,
    st.integers(0, 9000),
    st.integers(0, 9000),
    st.sampled_from(UnitKind),
    st.lists(places, max_size=2).map(tuple),
    marker=st.text(max_size=3),
    group=st.integers(0, 50),
    level=st.integers(0, 5),
    header=st.booleans(),
    terms=terms,
)
texts = st.text(max_size=40)
chunks = st.builds(
    Chunk,
    texts, texts, texts, texts, texts,
    st.lists(texts, max_size=3).map(tuple),
    st.lists(st.integers(1, 500), max_size=3).map(tuple),
    st.text(max_size=200), texts, st.integers(0, 10_000),
    st.lists(sentences, max_size=4).map(tuple),
)  # fmt: skip


@given(chunk=chunks, title=terms, section=terms, body=terms)
def test_chunk_and_terms_survive(
    chunk: Chunk, title: tuple[str, ...], section: tuple[str, ...], body: tuple[str, ...]
) -> None:
    payload = encode_chunk(chunk, ChunkTerms(title, section, body))
    assert decode_chunk(payload) == chunk
    assert decode_terms(payload) == (chunk, ChunkTerms(title, section, body))
    assert encode_chunk(*decode_terms(payload)) == payload


@given(one=st.text(min_size=1), other=st.text(min_size=1))
def test_different_terms_stay_different_and_whole(one: str, other: str) -> None:
    assert (escape_term(one) == escape_term(other)) == (one == other)
    assert len(escape_term(one).split()) == 1


@given(some=terms)
def test_joined_terms_can_be_split(some: tuple[str, ...]) -> None:
    assert split_terms(join_terms(some)) == some


def test_sentences_carry_their_terms_and_the_file_name_is_part_of_the_title() -> None:
    language = get_language("sv")
    place = (Place(1, ()),)
    chunk = Chunk(
        "x", "d", "mallar/Test_plan-2.pdf", "pdf", "Handbok", ("4 Drift",), (1,), "Servrarna startas.\nVem gör vad?", "sv", 0,
        (Sentence(0, 18, UnitKind.SENTENCE, place), Sentence(19, 31, UnitKind.SENTENCE, place)),
    )  # fmt: skip
    done, found = chunk_terms(chunk, language)
    assert found.body == done.sentences[0].terms + done.sentences[1].terms
    assert done.sentences[0].terms == language.index_terms("Servrarna startas.")
    assert set(language.index_terms("Handbok")) | set(language.index_terms("test plan")) <= set(found.title)
    assert set(language.index_terms("Drift")) <= set(found.section)
    assert source_words("mallar/Test_plan-2.pdf") == "Test plan 2"
