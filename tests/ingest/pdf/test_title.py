"""Is the title one that a reader would give?"""

from __future__ import annotations

from pathlib import Path

import pytest

from ankare.ingest.pdf import read_pdf
from tests.ingest.pdf.making import a4, is_word, put, put_lines, read, save


@pytest.mark.parametrize(
    ("stated", "name", "header", "title"),
    [
        ("Testplan för systemet", "Mallar_testplan.pdf", "Testplan för systemet", "Testplan för systemet"),
        ("Microsoft Word - plan.doc", "Mallar_testplan.pdf", "Testplan 2026", "Testplan 2026"),
        ("Gammal mall", "Rutin_arkivering.pdf", "Arkivering av handlingar", "Arkivering av handlingar"),
        ("Ovantad_rubrik", "x.pdf", "Kommunens rutiner", "Stor rubrik"),
        ("", "Arbetsgang_drift.pdf", "Arbetsgång", "Arbetsgång"),
    ],
)
def test_title(tmp_path: Path, stated: str, name: str, header: str, title: str) -> None:
    pdf = a4()
    pdf.set_title(stated)
    for number in range(2):
        pdf.add_page()
        put(pdf, 57, 40, header, 9)
        put(pdf, 72, 200, ("Stor rubrik", "Nästa del")[number], 20, "B")
        put_lines(pdf, 72, 230, [f"Text på sida {'ab'[number]} som säger något."])
    assert read(save(pdf, tmp_path, name)).title == title


def test_without_anything_else_the_file_name_is_the_title(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 300, "bara lite text.")
    assert read(save(pdf, tmp_path, "min_egen_fil.pdf")).title == "min egen fil"


def test_a_copy_has_the_title_of_the_file_it_was_made_from(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 60, "Arkivering av handlingar", 9)
    put_lines(pdf, 72, 300, ["bara lite text."])
    path = save(pdf, tmp_path, "0f3c9a.pdf")
    assert read_pdf(path, is_word=is_word, name="Rutin_arkivering.pdf").title == "Arkivering av handlingar"
    assert read_pdf(path, is_word=is_word).title == "0f3c9a"
