"""How do the questions on documents that are not shipped become a suite for `ankare eval`, for whoever has the documents?

    python -m benchmarks.pdf_suite HOME OUT.jsonl [--questions FILE] [--split dev|heldout] [--count 30] [--seed 0]

HOME is a home folder with the documents ingested. Gold is held as hashes (see `benchmarks.gold`); its words are looked up in
the home, so OUT holds text of the documents and belongs where they belong. With `--count`, as many questions are drawn, the
share of those that cannot be answered kept.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from ankare.evaluation.case import Case, Gold
from ankare.evaluation.suites.suite import write_suite
from ankare.index.home import Home
from benchmarks.answers_pdfs import QUESTIONS
from benchmarks.gold import GoldQuestion, TextHash, load

Pages = Mapping[tuple[str, int], str]
_PIECE = re.compile(r"\S+")


def case_of(asked: GoldQuestion, pages: Pages) -> Case | None:
    """The question as a case; None where its gold cannot be found in the home."""
    gold = [
        Gold(source, (page,), words)
        for fact in asked.facts or (asked.gold,)
        if fact is not None
        for source, page in sorted(asked.places)
        if (words := wording(fact, pages.get((source, page), "")))
    ]
    if asked.answerable and not gold:
        return None
    reference = (wording(asked.gold, pages.get(place, "")) for place in sorted(asked.places)) if asked.gold else ()
    return Case(
        id=asked.id,
        question=asked.question,
        type=asked.type or f"unanswerable_{asked.distance}",
        answerable=asked.answerable,
        reference_answer=next(filter(None, reference), ""),
        gold=tuple(gold),
        language=asked.language,
    )


def wording(hashed: TextHash, text: str) -> str:
    """The shortest run of the text's own words that the hash stands for, "" where it stands for none."""
    pieces = list(_PIECE.finditer(text))
    for start in range(len(pieces)):
        for end in range(start, min(len(pieces), start + 2 * hashed.words + 2)):
            run = text[pieces[start].start() : pieces[end].end()]
            if TextHash.of(run) == hashed:
                return " ".join(run.split())
    return ""


def pages_of(home: Path) -> Pages:
    """The text of each page that a chunk stands on."""
    texts: dict[tuple[str, int], list[str]] = defaultdict(list)
    for chunk in sorted(Home(home).chunks(), key=lambda chunk: chunk.id):
        for page in chunk.pages:
            texts[chunk.source, page].append(chunk.text)
    return {place: "\n\n".join(found) for place, found in texts.items()}


def drawn(questions: Sequence[GoldQuestion], count: int, seed: int) -> list[GoldQuestion]:
    """So many of the questions, answerable and not in the same shares, in their order."""
    draw = random.Random(seed)
    kept: set[str] = set()
    for answerable in (True, False):
        ids = [question.id for question in questions if question.answerable is answerable]
        kept |= set(draw.sample(ids, min(len(ids), round(count * len(ids) / len(questions)))))
    return [question for question in questions if question.id in kept]


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--split", choices=["dev", "heldout"], default="dev")
    parser.add_argument("--count", type=int, default=0, help="0: all")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    questions = load(given.questions, [given.split])
    asked = drawn(questions, given.count, given.seed) if given.count else questions
    pages = pages_of(given.home)
    cases = [case for question in asked if (case := case_of(question, pages)) is not None]
    write_suite(cases, given.out)
    print(f"{len(cases)} of {len(asked)} questions in {given.out}; the others' gold is not in this home")
    return 0 if cases else 1


if __name__ == "__main__":
    sys.exit(main())
