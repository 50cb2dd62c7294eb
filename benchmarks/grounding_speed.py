"""How long does the gate take over a draft of five sentences against eight chunks, seen before and not?

    python -m benchmarks.grounding_speed [--data FILE]

Drafts and chunks are put together from the pairs: five true claims, and the passages they stand in, filled up with others
to eight chunks of about 150 words. Cold: chunks and sentences that this process has not read (words it may have met). Warm:
another draft of five new sentences against the same chunks, as when a revision is judged. Known: five sentences not read before
against sentences of the evidence that were. The ratio is to a plain check of
word overlap over the same texts in the same run.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ankare.domain.document import Chunk
from ankare.gate.grounding import GroundingGate
from ankare.gate.grounding.evidence import chunk_of
from ankare.gate.grounding.reading import read
from ankare.language.languages import get_language
from ankare.language.measures import read_values
from benchmarks.grounding import DATA, Pair, load

SENTENCES, CHUNKS, WORDS = 5, 8, 150
ROUNDS, WARM = 40, 5
SEED = 20


@dataclass(frozen=True, slots=True)
class Draft:
    """A text of five sentences, the same of others, and the chunks it is judged against."""

    text: str
    revised: str
    chunks: tuple[Chunk, ...]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    measure(load(parser.parse_args().data))


def measure(pairs: Sequence[Pair]) -> None:
    """A line each for the plain check, warm and cold."""
    made = list(drafts([pair for pair in pairs if pair.language == "sv"], ROUNDS + WARM))
    gate = GroundingGate()
    for draft in made[:WARM]:
        gate.judge(draft.text, draft.chunks)
        overlap(draft.text, draft.chunks)
    timed = made[WARM:]
    gc.collect()
    gc.freeze()  # as the service does once it has read its word lists
    cold, warm, known, plain = [], [], [], []
    for draft in timed:
        read.cache_clear()
        read_values.cache_clear()
        cold.append(_time(partial(gate.judge, draft.text, draft.chunks)))
        warm.append(_time(partial(gate.judge, draft.revised, draft.chunks)))
        read.cache_clear()
        read_values.cache_clear()
        known.append(_time(partial(gate.judge, draft.revised, draft.chunks)))
        plain.append(_time(partial(overlap, draft.revised, draft.chunks)))
    words = statistics.mean(len(chunk.text.split()) for draft in timed for chunk in draft.chunks)
    print(f"\nspeed: {SENTENCES} sentences against {CHUNKS} chunks of {words:.0f} words, {len(timed)} drafts")
    print(f"  {'':14} {'p50 ms':>8} {'p95 ms':>8} {'to word overlap':>16}")
    base = statistics.median(plain)
    for name, times in (("word overlap", plain), ("gate, known", known), ("gate, warm", warm), ("gate, cold", cold)):
        p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        print(f"  {name:14} {p50:8.2f} {p95:8.2f} {p50 / base:15.1f}x")


def drafts(pairs: Sequence[Pair], count: int) -> Iterator[Draft]:
    """So many drafts. Chunks get a new id each time, so that nothing that is remembered of one helps another."""
    chance = random.Random(SEED)
    true = [pair for pair in pairs if pair.supported]
    for number in range(count):
        chosen = chance.sample(true, 2 * SENTENCES)
        texts = [" ".join(pair.evidence) for pair in (*chosen, *chance.sample(true, 10 * CHUNKS))]
        chunks = tuple(
            chunk_of(text, "sv", id=f"{number}-{place}")
            for place, text in enumerate(_filled(texts, f"Omgång {number}."))
        )
        text, revised = (" ".join(p.claim for p in half) for half in (chosen[:SENTENCES], chosen[SENTENCES:]))
        yield Draft(text, revised, chunks)


def _filled(texts: Sequence[str], mark: str) -> list[str]:
    """Eight texts of about so many words; the first ones are spread over them. `mark` makes each text a new one."""
    filled = [mark] * CHUNKS
    for number, text in enumerate(texts):
        place = number % CHUNKS
        if len(filled[place].split()) < WORDS - 15:
            filled[place] += " " + text
    return filled


def overlap(text: str, chunks: Sequence[Chunk]) -> float:
    """The plain check: per sentence the greatest share of its index terms that one chunk has; the least of these."""
    language = get_language("sv")
    held = [{term for sentence in chunk.sentences for term in sentence.terms} for chunk in chunks]
    shares = []
    for start, end in language.sentences(text):
        terms = language.index_terms(text[start:end])
        shares.append(max(sum(term in terms_ for term in terms) for terms_ in held) / max(1, len(terms)))
    return min(shares, default=0.0)


def _time(work: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
