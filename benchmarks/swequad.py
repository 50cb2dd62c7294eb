"""SweQUAD-MC as a corpus: its texts as chunks of an index, its questions with the place of the right answer.

The data (CC BY 4.0, Kalpakchi and Boye 2021) is not shipped; give its folder. Chunks are made by ankare's own reader and
chunker from plain text, so that what is measured is what a user gets.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """A question, the file name of its text, the answer's words, and the line of the text that holds them."""

    question: str
    source: str
    answer: str
    line: str


def read(path: Path) -> tuple[dict[str, str], list[TextQuestion]]:
    """The texts by file name, and the questions. `path` is a SweQUAD-MC JSON file."""
    data = json.loads(path.read_text(encoding="utf-8"))["data"]
    texts = {source_of(row["context"]): row["context"] for row in data}
    return texts, [_question(row) for row in data]


def write_texts(texts: dict[str, str], folder: Path, *, without: Iterable[str] = ()) -> None:
    """Write the texts as files, for an ordinary ingest."""
    folder.mkdir(parents=True, exist_ok=True)
    left_out = set(without)
    for source, text in sorted(texts.items()):
        if source not in left_out:
            (folder / source).write_text(text.replace("\r\n", "\n"), encoding="utf-8")


def source_of(text: str) -> str:
    """The file name of a text: stable, and without any words of it."""
    return f"{hashlib.sha256(text.encode()).hexdigest()[:12]}.txt"


def in_half(question: TextQuestion, half: int) -> bool:
    """Is the question's text in half 0 or 1? By a hash, so that a text's questions stay together."""
    return int(hashlib.sha256(question.source.encode()).hexdigest(), 16) % 2 == half


def _question(row: dict[str, object]) -> TextQuestion:
    text = str(row["context"])
    choices = [c for c in row["choices"] if c["type"] == "Correct answer"]  # type: ignore[attr-defined]
    start, end = int(choices[0]["start"]), int(choices[0]["end"])
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    return TextQuestion(
        str(row["question"]), source_of(text), text[start:end], text[first : last if last >= 0 else None]
    )
