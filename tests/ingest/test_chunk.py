"""What a chunk promises: whole sentences, recoverable offsets, nothing lost, the same id everywhere."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankare.domain.document import Block, BlockKind, Box, Chunk, Extraction, Piece, UnitKind
from ankare.ingest.chunk import ChunkOrigin, chunk_document, document_id
from ankare.language.languages import get_language
from tests.ingest.making import extraction, heading, item, paragraph, row, words


def chunks_of(found: Extraction, source: str = "a/b.txt") -> tuple[Chunk, ...]:
    return chunk_document(found, ChunkOrigin(document_id(source), source, found.title, "sv"), get_language("sv"))


def test_a_section_is_one_chunk_with_its_heading_path() -> None:
    chunks = chunks_of(extraction(heading("Drift"), paragraph(words(20)), heading("Stöd", 2), paragraph(words(30))))
    assert [chunk.section for chunk in chunks] == [("Drift",), ("Drift", "Stöd")]


def test_sentences_are_spans_without_markers() -> None:
    (chunk,) = chunks_of(
        extraction(paragraph("Först en sak. Sedan detta:"), item("ett"), item("två", level=1), item("tre", marker="3."))
    )
    assert chunk.text == "Först en sak. Sedan detta:\n• ett\n  • två\n3. tre"
    assert [chunk.sentence_text(s) for s in chunk.sentences] == ["Först en sak.", "Sedan detta:", "ett", "två", "tre"]
    assert [s.marker for s in chunk.sentences] == ["", "", "•", "•", "3."]
    assert [s.kind for s in chunk.sentences][2:] == [UnitKind.ITEM] * 3


def test_table_rows_are_lines_and_keep_their_header() -> None:
    (chunk,) = chunks_of(extraction(row("Roll | Ansvar", header=True), row("Chef | Beslut")))
    assert chunk.text == "Roll | Ansvar\nChef | Beslut"
    assert [s.header for s in chunk.sentences] == [True, False]


def test_a_long_section_is_cut_between_sentences_near_the_target() -> None:
    chunks = chunks_of(extraction(heading("Drift"), *(paragraph(words(45)) for _ in range(20))))
    sizes = [len(chunk.text.split()) for chunk in chunks]
    assert sum(sizes) == 900
    assert all(90 <= size <= 320 for size in sizes)


def test_a_lead_in_is_never_parted_from_its_list() -> None:
    for before in range(60, 330, 10):
        chunks = chunks_of(
            extraction(paragraph(words(before)), paragraph("Detta ingår:"), *(item(words(12)) for _ in range(30)))
        )
        (lead,) = [chunk for chunk in chunks if "Detta ingår:" in chunk.text]
        assert "Detta ingår:\n• " in lead.text


def test_a_header_row_is_never_parted_from_the_first_row() -> None:
    for before in range(60, 330, 10):
        rows = [row("Roll | Ansvar", header=True), *(row(words(12)) for _ in range(30))]
        chunks = chunks_of(extraction(paragraph(words(before)), *rows))
        (head,) = [chunk for chunk in chunks if "Roll | Ansvar" in chunk.text]
        assert "Roll | Ansvar\nOrd" in head.text


def test_a_section_over_a_page_break_is_cut_there_when_both_sides_are_big_enough() -> None:
    chunks = chunks_of(extraction(heading("Drift"), paragraph(words(50), 1), paragraph(words(50), 2)))
    assert [chunk.pages for chunk in chunks] == [(1,), (2,)]
    (whole,) = chunks_of(extraction(heading("Drift"), paragraph(words(50), 1), paragraph(words(20), 2)))
    assert whole.pages == (1, 2)


def test_small_sibling_sections_stand_together_with_their_headings_as_lines() -> None:
    (chunk,) = chunks_of(
        extraction(
            heading("Roller"), heading("Chef", 2), paragraph("Beslutar."), heading("Ägare", 2), paragraph("Betalar.")
        )
    )
    assert chunk.section == ("Roller",)
    assert chunk.text == "Chef\nBeslutar.\n\nÄgare\nBetalar."


@pytest.mark.parametrize(
    "blocks",
    [
        (heading("Tom"), heading("Full"), paragraph(words(30))),
        (heading("Full"), paragraph(words(30)), heading("Tom")),
        (heading("Tom"),),
        (heading("Full", page=1), paragraph(words(30)), heading("Tom", page=2)),
    ],
)
def test_a_heading_without_a_body_is_found_in_the_text(blocks: tuple[Block, ...]) -> None:
    chunks = chunks_of(extraction(*blocks))
    assert any("Tom" in [c.sentence_text(s) for s in c.sentences] for c in chunks)


def test_a_first_heading_that_repeats_the_title_is_not_in_the_paths() -> None:
    (chunk,) = chunks_of(extraction(heading("TITEL"), heading("Drift", 2), paragraph(words(20))))
    assert chunk.section == ("Drift",)


def test_equal_text_in_one_section_still_gets_ids_of_its_own() -> None:
    chunks = chunks_of(extraction(*(part for _ in range(3) for part in (heading("A"), paragraph(words(20))))))
    assert len({chunk.id for chunk in chunks}) == 3


def test_ids_depend_on_the_place_and_text_alone() -> None:
    found = extraction(heading("A"), paragraph(words(20)))
    assert [c.id for c in chunks_of(found)] == [c.id for c in chunks_of(found)]
    assert chunks_of(found)[0].id != chunks_of(found, "other.txt")[0].id
    assert chunks_of(found)[0].id == "f4e7176346f57ba7"


def test_a_sentence_knows_its_part_of_the_line() -> None:
    text = "Ett två. Tre fyra."
    block = Block(BlockKind.PARAGRAPH, text, (Piece(0, len(text), 4, Box(100, 10, 280, 20)),))
    (chunk,) = chunks_of(extraction(block))
    first, second = (sentence.places[0].boxes[0] for sentence in chunk.sentences)
    assert (first.x0, first.x1) == (100, 180)
    assert (second.x0, second.x1) == (190, 280)
    assert chunk.pages == (4,)


_TEXT = st.lists(
    st.sampled_from(["Drift.", "stöd", "Planen", "3.2", "bl.a.", "ordning!", "IT-miljö", "och"]),
    min_size=1,
    max_size=60,
).map(" ".join)
_BLOCK = st.builds(
    lambda kind, text, level, group, header: Block(
        kind,
        text,
        (Piece(0, len(text), 1, None),),
        level + 1 if kind is BlockKind.HEADING else level,
        "•" if kind is BlockKind.ITEM else "",
        group if kind in (BlockKind.ITEM, BlockKind.ROW) else 0,
        header and kind is BlockKind.ROW,
    ),
    st.sampled_from(list(BlockKind)),
    _TEXT,
    st.integers(0, 2),
    st.integers(1, 4),
    st.booleans(),
)


def _paged(blocks: list[Block], turns: list[bool]) -> list[Block]:
    page, placed = 1, []
    for block, turn in zip(blocks, turns, strict=False):
        page += turn
        placed.append(
            Block(
                block.kind,
                block.text,
                (Piece(0, len(block.text), page, None),),
                block.level,
                block.marker,
                block.group,
                block.header,
            )
        )
    return placed


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_BLOCK, min_size=1, max_size=25), st.lists(st.booleans(), min_size=25, max_size=25))
def test_no_word_is_lost_or_doubled_and_spans_recover_the_text(blocks: list[Block], turns: list[bool]) -> None:
    blocks = _paged(blocks, turns)
    chunks = chunks_of(extraction(*blocks))
    told = [chunk.sentence_text(sentence) for chunk in chunks for sentence in chunk.sentences]
    body = [word for text in told for word in text.split()]
    given_words = [word for block in blocks if block.kind is not BlockKind.HEADING for word in block.text.split()]
    headings = [block.text for block in blocks if block.kind is BlockKind.HEADING]
    # Body words keep their order; headings may stand among them.
    rest = iter(body)
    assert all(any(word == other for other in rest) for word in given_words)
    paths = {part for chunk in chunks for part in chunk.section}
    assert all(text in paths or any(text in line for line in told) for text in headings)
    assert len(body) <= len(given_words) + sum(len(text.split()) for text in headings)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    for chunk in chunks:
        assert all(first.end <= second.start for first, second in pairwise(chunk.sentences))
        assert chunk.pages == tuple(sorted({place.page for s in chunk.sentences for place in s.places}))
