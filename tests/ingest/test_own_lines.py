"""Of a text with a paragraph a line, headings, items and paragraphs are told apart; one that fills a margin stays as it is."""

from __future__ import annotations

import textwrap

import pytest

from ankare.ingest.own_lines import LineKind, line_kinds, stand_alone
from ankare.ingest.read_text import read_text

LONG = (
    "Den som hyr en lokal betalar avgiften i förväg och får den tillbaka om bokningen tas bort senast två veckor före den "
    "dag som den gäller."
)


def kinds(text: str) -> list[str]:
    return [kind.value for kind in line_kinds(text.split("\n"))]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"Avgifter\n{LONG}", ["heading", "text"]),
        (f"Hyra lokal\nAvgifter\n{LONG}", ["heading", "heading", "text"]),
        (f"Vem får boka?\n{LONG}", ["heading", "text"]),
        ("Öppettider\nAlla dagar.", ["heading", "text"]),
        (
            "Du ska ha med dig:\nnyckelkort\nkvitto på avgiften\nen giltig legitimation.",
            ["lead", "item", "item", "item"],
        ),
        ("Vi hyr ut till:\n\nFöreningar\nFöretag\nSkolor", ["lead", "text", "item", "item", "item"]),
        ("Du betalar inget om du är\nunder 18 år\nanställd.", ["lead", "item", "item"]),
        ("Avgiften betalas\ntill kassan.", ["lead", "rest"]),
        (f"Regler\nDet här gäller:\nlåna ut\nlämna tillbaka\n{LONG}", ["heading", "lead", "item", "item", "text"]),
        ("Kassan\nStorgatan 1\n123 45 Staden\nTelefon 08\nFax 09\n" + LONG, ["text"] * 6),
        ("Vad ingår?\nGymkort\nSimhall\nMassage\nUtrustning ingår inte.", ["heading", "item", "item", "item", "text"]),
        (f"Vem får?\n{LONG}\nNär?\n{LONG}", ["heading", "text", "heading", "text"]),
        ("Datum: 1 maj.\nDiarienummer 12", ["text", "text"]),
        ("Namn   Ansvar\n" + LONG, ["text", "text"]),
    ],
)
def test_a_line_is_what_its_looks_and_its_neighbours_say(text: str, told: list[str]) -> None:
    assert kinds(text) == told


def test_a_text_filled_to_a_margin_is_left_as_it_is() -> None:
    wrapped = (
        "Den som hyr en lokal betalar avgiften i\nförväg och får den tillbaka om bokningen\n"
        "tas bort senast två veckor före den dag\nsom den gäller."
    )
    assert not stand_alone(wrapped.split("\n"))
    assert [block.text for block in read_text(wrapped, "x").blocks] == [wrapped.replace("\n", " ")]


@pytest.mark.parametrize("width", [60, 72, 100, 125, 146, 200])
def test_a_margin_may_lie_anywhere(width: int) -> None:
    paragraphs = "\n\n".join("\n".join(textwrap.wrap(f"{LONG} {LONG.lower()} Sedan {LONG}", width)) for _ in range(3))
    text = f"Protokoll\nPlats: kansliet\nDatum: i dag\n\n{paragraphs}"
    assert not stand_alone(text.split("\n"))


@pytest.mark.parametrize("count", [1, 2, 3, 10])
def test_a_paragraph_a_line_is_told_whatever_its_length(count: int) -> None:
    paragraphs = "\n".join(" ".join([LONG] * (1 + place % 4)) for place in range(count))
    assert stand_alone(f"Rubrik\n{paragraphs}".split("\n"))


def test_one_long_line_does_not_undo_a_margin() -> None:
    wrapped = [
        "Den som hyr en lokal betalar avgiften i",
        "förväg och får den tillbaka om bokningen",
        "tas bort senast två veckor.",
    ]
    assert not stand_alone([*wrapped, "", "https://" + "a" * 150, "", *wrapped])


def test_headings_items_and_paragraphs_become_blocks() -> None:
    text = (
        f"Hyra lokal\n{LONG}\nAvgifter\nDet här kostar:\nstora salen, 400 kronor\nlilla salen, 200 kronor\n"
        "● köket, 100 kronor\nAndra rum är fria."
    )
    found = read_text(text, "x")
    assert found.title == "Hyra lokal"
    assert [(block.kind.value, block.level, block.text) for block in found.blocks] == [
        ("heading", 1, "Hyra lokal"),
        ("paragraph", 0, LONG),
        ("heading", 2, "Avgifter"),
        ("paragraph", 0, "Det här kostar:"),
        ("item", 0, "stora salen, 400 kronor"),
        ("item", 0, "lilla salen, 200 kronor"),
        ("item", 0, "köket, 100 kronor"),
        ("paragraph", 0, "Andra rum är fria."),
    ]
    assert len({block.group for block in found.blocks if block.kind.value == "item"}) == 1


def test_every_kind_of_line_can_be_told() -> None:
    assert {kind.value for kind in LineKind} == {"text", "lead", "heading", "item", "rest"}
