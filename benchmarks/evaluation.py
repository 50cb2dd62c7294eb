"""How long does it take to score a thousand captured answers, beside reading their JSON alone?

    python -m benchmarks.evaluation [--answers 1000] [--apart]

The answers are those that the sample pack's documents give, with the gold of their questions, varied so that no two are alike:
in each sentence a word is another one. The passages that were found are those of one corpus, as in any run, so what is read
of one serves again; with `--apart` each of them is varied as well, as if every question had a corpus of its own.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

from ankare.evaluation.asking.in_process import InProcess
from ankare.evaluation.asking.run_folder import ANSWERS, capture_line, keep_suite, read_run, write_conditions
from ankare.evaluation.captured import AnswerPath, Capture, Conditions
from ankare.evaluation.case import Case
from ankare.evaluation.measures.score import score_run
from ankare.evaluation.measures.scores_file import write_scores
from ankare.evaluation.measures.summary import summarise
from ankare.evaluation.measures.summary_text import write_summary
from ankare.evaluation.suites.suite import read_suite, suite_of
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from ankare.settings import Settings

LIMIT_SECONDS = 10.0
_WORD = re.compile(r"[^\W\d_]{4,}")
Body = dict[str, Any]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Timed:
    """What one stage took, by the clock and of a processor: on a busy machine the two differ."""

    name: str
    seconds: float
    processor: float


def main() -> None:
    """Make the captures, score them, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=1000)
    parser.add_argument("--apart", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        run.mkdir()
        make_run(run, answered(Path(folder) / "home"), given.answers, apart=given.apart)
        size = (run / ANSWERS).stat().st_size
        print(f"{given.answers} captured answers, {size / 1e6:.1f} MB")
        report(list(measure(run)), given.answers)


def answered(home: Path) -> list[tuple[Case, Body]]:
    """The questions of the sample suite that the control path answers from documents, with what it answers."""
    pack = pack_path()
    ingest([pack / "documents"], Home(home), pack=pack)
    asker = InProcess(Settings(home=home, semantic=False), AnswerPath.CONTROL)
    asked = ((case, asker.ask(case, Event())) for case in read_suite(pack / "suite.jsonl"))
    return [(case, dict(told.body)) for case, told in asked if told and told.body and told.body["claims"]]


def make_run(folder: Path, given: Sequence[tuple[Case, Body]], wanted: int, *, apart: bool) -> None:
    """A run of so many questions, each a varied copy of one that was asked."""
    dice = random.Random(0)
    words = sorted({word for _, body in given for text in _texts(body) for word in _WORD.findall(text)})
    cases = []
    with (folder / ANSWERS).open("wb") as out:
        for number in range(wanted):
            case, body = given[number % len(given)]
            cases.append(replace(case, id=f"{case.id}-{number}"))
            varied = vary(body, dice, words, apart=apart)
            out.write(capture_line(Capture(cases[-1].id, 0, AnswerPath.CONTROL, "", 20.0, body=varied)))
    suite = suite_of(cases)
    keep_suite(folder, suite)
    write_conditions(folder, Conditions(AnswerPath.CONTROL, suite.digest, "a thousand"))


def _texts(body: Body) -> Iterator[str]:
    yield from (claim["text"] for claim in body["claims"])
    yield from (hit["text"] for hit in body["retrieval"]["top_results"])


def vary(body: Body, dice: random.Random, words: Sequence[str], *, apart: bool) -> Body:
    """A body with another word in each of its sentences, and `apart` in each of its passages."""
    varied = copy.deepcopy(body)
    for claim in varied["claims"]:
        claim["text"] = _vary(claim["text"], dice, words)
        for span in claim["evidence"]:
            span["text"] = _vary(span["text"], dice, words)
    for hit in varied["retrieval"]["top_results"] if apart else ():
        hit["text"] = _vary(hit["text"], dice, words)
    return varied


def _vary(text: str, dice: random.Random, words: Sequence[str]) -> str:
    found = list(_WORD.finditer(text))
    if not found:
        return text
    place = dice.choice(found)
    return text[: place.start()] + dice.choice(words) + text[place.end() :]


def measure(folder: Path) -> Iterator[Timed]:
    """The stages, each with its seconds; the first is what the others are told beside."""
    yield _timed("json alone", lambda: [json.loads(line) for line in (folder / ANSWERS).open("rb")])[0]
    reading, run = _timed("read the run", lambda: read_run(folder))
    yield reading
    scoring, scored = _timed("score", lambda: score_run(run))
    yield scoring
    yield _timed("write scores", lambda: write_scores(scored, folder))[0]
    yield _timed("summary", lambda: write_summary(summarise(scored), folder))[0]


def _timed(name: str, work: Callable[[], Result]) -> tuple[Timed, Result]:
    started, before = time.perf_counter(), time.process_time()
    result = work()
    return Timed(name, time.perf_counter() - started, time.process_time() - before), result


def report(stages: Sequence[Timed], answers: int) -> None:
    """One line a stage, and the whole beside reading JSON alone."""
    baseline, *ours = stages
    whole = Timed("in all", sum(one.seconds for one in ours), sum(one.processor for one in ours))
    for stage in (*stages, whole):
        told = f"{stage.name:<14}{stage.seconds:8.2f} s (processor {stage.processor:6.2f} s)"
        print(f"{told} {answers / stage.seconds:10,.0f} answers/s  {stage.processor / baseline.processor:6.1f} x json")
    print(f"{'within' if whole.seconds < LIMIT_SECONDS else 'OVER'} {LIMIT_SECONDS:.0f} s by the clock")


if __name__ == "__main__":
    main()
