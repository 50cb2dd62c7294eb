"""Which statements are made of a text, where a server tells no claims?"""

from __future__ import annotations

import pytest

from ankare.evaluation.asking.response_text import statements_of
from ankare.evaluation.captured import CitedSpan

CITED = {1: CitedSpan("a.pdf", (7,), ""), 2: CitedSpan("b.pdf", (1,), "")}
TABLE = "| Fas | Längd |\n| --- | --- |\n| Pilot | 6 veckor [[1]](/x) |\n| Drift | 4 veckor |"


def read(markdown: str, language: str = "sv") -> list[tuple[str, str, list[str]]]:
    """Form, words and the sources of each statement."""
    found = statements_of(markdown, language, CITED)
    return [(one.form, one.text, [span.source for span in one.evidence]) for one in found]


@pytest.mark.parametrize(
    ("markdown", "stated"),
    [
        ("Första. Andra t.ex. så.", [("text", "Första.", []), ("text", "Andra t.ex. så.", [])]),
        ("Första. [[1]](/x#page=7) Andra. [[2]](/y)", [("text", "Första.", ["a.pdf"]), ("text", "Andra.", ["b.pdf"])]),
        ("Båda. [[1]](/x) [[2]](/y)", [("text", "Båda.", ["a.pdf", "b.pdf"])]),
        ("Före punkten [1]. Sedan [^2].", [("text", "Före punkten.", ["a.pdf"]), ("text", "Sedan.", ["b.pdf"])]),
        ("Okänd [9] källa.", [("text", "Okänd källa.", [])]),
        ("- **Fet** punkt [[2]](/y)\n* \\*stjärna", [("item", "Fet punkt", ["b.pdf"]), ("item", "*stjärna", [])]),
        ("1. Börja\n2) Sluta [1]", [("step", "Börja", []), ("step", "Sluta", ["a.pdf"])]),
        (TABLE, [("row", "Pilot | 6 veckor", ["a.pdf"]), ("row", "Drift | 4 veckor", [])]),
        ("Svar.\n\n### Källor\n\n1. [A, s. 7](/x)\n\n### Relaterade hemsidor\n\n- [B](/y)", [("text", "Svar.", [])]),
        ("Svar.\n\n**Sources:**\n- a.pdf p. 7", [("text", "Svar.", [])]),
        ("Svar.\n\nKällor: a.pdf, s. 7; b.pdf", [("text", "Svar.", [])]),
        ("## Rubrik\nSvar.", [("text", "Svar.", [])]),
        ("# Rubrik ##  \nSvar.", [("text", "Svar.", [])]),
        ("Svar.\n\n## Källor: ##\n- a.pdf\n\n# Mer\nSlut.", [("text", "Svar.", []), ("text", "Slut.", [])]),
        ("Svar.\n\n_Formulerat av en språkmodell._\n\n> Obs.", [("text", "Svar.", [])]),
        ("Se [handboken](https://x.example/a) först.", [("text", "Se handboken först.", [])]),
        ("[[1]](/x)\n\n---\n\n", []),
        ("", []),
    ],
)
def test_statements_of_a_text(markdown: str, stated: list[tuple[str, str, list[str]]]) -> None:
    assert read(markdown) == stated


def test_a_language_that_is_not_known_is_read_too() -> None:
    assert [text for _, text, _ in read("Un. Deux.", "fr")] == ["Un.", "Deux."]


@pytest.mark.parametrize(
    "hostile",
    [
        "[[1]](" * 20_000,
        "| " * 50_000,
        "_" * 90_000,
        "[" * 90_000,
        "\n" * 90_000,
        "1. " * 30_000,
        *(f"{begun}{100_000 * ' '}x" for begun in ("# a", "- # a", "**a", "_a", "| a", "1. a", "> a", "a.", "[a")),
        *(f"{begun}{24_000 * ' '}x" for begun in ("# a", "- # a")),
        "# a" + " #" * 20_000 + "x",
        "# a" + "\t\u00a0" * 20_000 + "x",
    ],
)
def test_a_hostile_text_is_read_and_does_not_hang(hostile: str) -> None:
    assert isinstance(read(hostile), list)
