"""How long do building, searching and reranking take as the index grows, beside bm25s on the same words?

    python -m benchmarks.index_scale [--million] [--work FOLDER]

Synthetic chunks of 64 words in eight sentences, drawn from a Zipf vocabulary of 200,000 words (exponent 1.07, as natural
texts have). Questions are three to six words of a chunk, so that each finds something; every question is asked before
the clock starts ("warm"), as for bm25s. Times are milliseconds per question in one
thread: by the clock, and in brackets of the processor, which a busy machine does not change.
"""

from __future__ import annotations

import argparse
import gc
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ankare.domain.document import Chunk, Place, Sentence, UnitKind
from ankare.domain.question import QueryWord, Question, QuestionType
from ankare.index.protocol import ChunkTerms
from ankare.index.tantivy_index import TantivyIndex, TantivyIndexWriter
from ankare.language.languages import get_language
from ankare.retrieve.expand import lexical_query
from ankare.retrieve.retriever import Retriever
from ankare.retrieve.settings import RetrievalSettings

VOCABULARY = 200_000
EXPONENT = 1.07
WORDS, SENTENCES = 64, 8
QUESTIONS = 200
TOP = 8
Rows = NDArray[np.int64]


def main() -> None:
    """Measure each size and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--work", type=Path)
    arguments = parser.parse_args()
    if arguments.work:
        arguments.work.mkdir(parents=True, exist_ok=True)
    for size in (1_000, 10_000, 100_000, *((1_000_000,) if arguments.million else ())):
        with tempfile.TemporaryDirectory(dir=arguments.work) as folder:
            _measure(size, Path(folder) / "index")
        gc.collect()


def _measure(size: int, folder: Path) -> None:
    rows = _rows(size)
    started = time.perf_counter()
    writer = TantivyIndexWriter(folder)
    writer.add(_chunks(rows))
    writer.commit()
    built = time.perf_counter() - started
    disk = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
    index = TantivyIndex(folder)
    settings = RetrievalSettings()
    retriever = Retriever(index, None, settings, language_of=get_language)
    questions = _questions(rows)
    queries = [lexical_query(question, (), settings) for question in questions]
    print(f"\n{size:,} chunks: built in {built:.1f} s, {disk:.0f} MB")
    _report(
        f"index search, {settings.pool} candidates", [partial(index.search, query, settings.pool) for query in queries]
    )
    _report("search and rerank", [partial(retriever.search, question, TOP) for question in questions])
    _bm25s(rows, questions, settings)
    print(f"  peak memory of the process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _rows(size: int) -> Rows:
    """Word numbers per chunk, shape (size, WORDS)."""
    weights = 1 / np.arange(1, VOCABULARY + 1) ** EXPONENT
    edges = np.cumsum(weights / weights.sum())
    drawn: Rows = np.searchsorted(edges, np.random.default_rng(0).random((size, WORDS)))
    return np.minimum(drawn, VOCABULARY - 1)


def _chunks(rows: Rows) -> Iterator[tuple[Chunk, ChunkTerms]]:
    length = WORDS // SENTENCES
    for number, row in enumerate(rows.tolist()):
        words = [f"w{word}" for word in row]
        parts = [words[start : start + length] for start in range(0, WORDS, length)]
        text, sentences = "", []
        for part in parts:
            start = len(text)
            text += " ".join(part) + ". "
            sentences.append(Sentence(start, len(text) - 1, UnitKind.SENTENCE, (Place(1, ()),), terms=tuple(part)))
        document = f"d{number // 20}"
        chunk = Chunk(
            f"{number:016x}", document, f"{document}.txt", "txt", document, (words[0],), (1,), text, "sv", number,
            tuple(sentences),
        )  # fmt: skip
        yield chunk, ChunkTerms((document,), (words[0],), tuple(words))


def _questions(rows: Rows) -> list[Question]:
    random = np.random.default_rng(1)
    questions = []
    for row in rows[random.integers(0, len(rows), QUESTIONS)]:
        picked = random.choice(row, int(random.integers(3, 7)), replace=False)
        words = tuple(QueryWord(f"w{word}", 0, 0, (f"w{word}",)) for word in dict.fromkeys(picked.tolist()))
        questions.append(Question(" ".join(word.text for word in words), "sv", QuestionType.GENERAL, words))
    return questions


def _bm25s(rows: Rows, questions: Sequence[Question], settings: RetrievalSettings) -> None:
    import bm25s

    started = time.perf_counter()
    engine = bm25s.BM25()
    engine.index([[f"w{word}" for word in row] for row in rows.tolist()], show_progress=False)
    print(f"  bm25s built in {time.perf_counter() - started:.1f} s")
    asked = [[[word.text for word in question.words]] for question in questions]
    _report("bm25s", [partial(engine.retrieve, words, k=settings.pool, show_progress=False) for words in asked])


def _report(name: str, calls: Sequence[Callable[[], object]]) -> None:
    for call in calls:
        call()
    clock, processor = [], []
    for call in calls:
        started, spent = time.perf_counter(), time.process_time()
        call()
        clock.append((time.perf_counter() - started) * 1000)
        processor.append((time.process_time() - spent) * 1000)
    middle, high = np.percentile(clock, [50, 95])
    low, top = np.percentile(processor, [50, 95])
    print(f"  {name:<28} p50 {middle:.2f} ({low:.2f}) ms  p95 {high:.2f} ({top:.2f}) ms")


if __name__ == "__main__":
    main()
