"""Are headings found, with their levels, and only headings?"""

from __future__ import annotations

from pathlib import Path

from ankare.domain.document import BlockKind
from tests.ingest.pdf.making import a4, headings, put, put_lines, read, save, texts


def test_size_number_and_weight_together_give_levels(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 80, "1 Införande", 18, "B")
    put_lines(pdf, 72, 105, ["Text om införandet i allmänhet."])
    put(pdf, 72, 140, "1.1 Förberedelser", 14, "B")
    put_lines(pdf, 72, 160, ["Text om förberedelserna."])
    put(pdf, 72, 190, "1.1.1 Samband", 11, "B")
    put_lines(pdf, 72, 210, ["Text om sambanden."])
    put(pdf, 72, 240, "Att tänka på", 11, "B")
    put_lines(pdf, 72, 254, ["· en sak", "· en annan sak"])
    assert headings(read(save(pdf, tmp_path))) == [
        (1, "1 Införande"), (2, "1.1 Förberedelser"), (3, "1.1.1 Samband"), (4, "Att tänka på"),
    ]  # fmt: skip


def test_number_set_apart_from_its_title_is_one_heading(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 80, "2", 16, "B")
    put(pdf, 110, 80, "Planering", 16, "B")
    put_lines(pdf, 110, 105, ["Planen beskriver vad som ska göras och när det ska vara klart."])
    assert headings(read(save(pdf, tmp_path))) == [(1, "2 Planering")]


def test_heading_over_two_lines_is_joined(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 80, "Så genomför kommunen ett införande av ett", 18, "B")
    put(pdf, 72, 102, "nytt verksamhetssystem", 18, "B")
    put_lines(pdf, 72, 140, ["Texten börjar här och säger vad som gäller."])
    assert headings(read(save(pdf, tmp_path))) == [
        (1, "Så genomför kommunen ett införande av ett nytt verksamhetssystem")
    ]


def test_bold_sentence_is_no_heading(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 100, "Observera att beslutet ska dokumenteras.", 11, "B")
    put_lines(pdf, 72, 114, ["Det gäller alla beslut i projektet."])
    extraction = read(save(pdf, tmp_path))
    assert headings(extraction) == []
    assert "Observera att beslutet ska dokumenteras." in " ".join(texts(extraction))


def test_long_text_in_large_type_is_text(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put_lines(
        pdf,
        72,
        100,
        ["En ingress i större grad som berättar vad allt", "handlar om, och som tar slut med en punkt."],
        14,
        17,
    )
    put_lines(
        pdf, 72, 160, [f"Brödtext rad {sign} som är mycket längre än ingressen ovanför den." for sign in "abcdef"]
    )
    assert headings(read(save(pdf, tmp_path))) == []


def test_outline_gives_the_level_of_a_heading_without_number(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    pdf.start_section("Översikt")
    put(pdf, 72, 80, "Översikt", 16, "B")
    put_lines(pdf, 72, 100, ["Om helheten."])
    pdf.start_section("Detaljer", level=1)
    put(pdf, 72, 140, "Detaljer", 16, "B")
    put_lines(pdf, 72, 160, ["Om delarna."])
    assert headings(read(save(pdf, tmp_path))) == [(1, "Översikt"), (2, "Detaljer")]


def test_slide_title_is_a_heading(tmp_path: Path) -> None:
    pdf = a4(orientation="landscape")
    for title in ("Mål", "Vägen dit"):
        pdf.add_page()
        put(pdf, 300, 80, title, 28, "B")
        put_lines(pdf, 100, 200, [f"· punkt ett om {title.lower()}", "· punkt två"], 16, 24)
    extraction = read(save(pdf, tmp_path))
    assert [text for _, text in headings(extraction)] == ["Mål", "Vägen dit"]
    assert sum(block.kind is BlockKind.ITEM for block in extraction.blocks) == 4
