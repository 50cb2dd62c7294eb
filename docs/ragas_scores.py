"""Which scores does ragas 0.4 give samples that `ankare eval judge RUN --export-ragas` has written? See docs/judge.md.

    python docs/ragas_scores.py samples.jsonl scores.csv --model MODEL [--base-url URL] [--embeddings MODEL]

Runs in an environment of its own, with ragas and without ankare. The key is in OPENAI_API_KEY. Answer relevancy needs a model
of embeddings and is left out without one.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import math
import sys
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI
from ragas.embeddings.base import embedding_factory
from ragas.llms import llm_factory
from ragas.metrics.collections import AnswerRelevancy, ContextPrecisionWithReference, ContextRecall, Faithfulness

AT_ONCE = 4
NEEDS = {
    "faithfulness": ("user_input", "response", "retrieved_contexts"),
    "answer_relevancy": ("user_input", "response"),
    "context_precision": ("user_input", "reference", "retrieved_contexts"),
    "context_recall": ("user_input", "retrieved_contexts", "reference"),
}


def metrics_of(model: str, base_url: str | None, embeddings: str | None) -> dict[str, Any]:
    """The metrics by the name of their column."""
    client = AsyncOpenAI(base_url=base_url) if base_url else AsyncOpenAI()
    llm = llm_factory(model, client=client, temperature=0, max_tokens=4000)
    found: dict[str, Any] = {
        "faithfulness": Faithfulness(llm=llm),
        "context_precision": ContextPrecisionWithReference(llm=llm),
        "context_recall": ContextRecall(llm=llm),
    }
    if embeddings:
        vectors = embedding_factory("openai", model=embeddings, client=client)
        found["answer_relevancy"] = AnswerRelevancy(llm=llm, embeddings=vectors)
    return found


async def score(sample: dict[str, Any], metrics: dict[str, Any], places: asyncio.Semaphore) -> dict[str, Any]:
    """The sample with its scores; "" where a metric does not apply, or failed (told on stderr)."""
    row = {**sample, "retrieved_contexts": json.dumps(sample["retrieved_contexts"], ensure_ascii=False)}
    for name, metric in metrics.items():
        given = {need: sample.get(need) for need in NEEDS[name]}
        row[name] = ""
        if not all(given.values()):
            continue
        try:
            async with places:
                value = (await metric.ascore(**given)).value
        except Exception as error:  # one sample that fails is no reason to lose the others
            sys.stderr.write(f"{name}: {sample['user_input'][:60]!r}: {error}\n")
            continue
        row[name] = "" if math.isnan(value) else value
    return row


async def main() -> None:
    """Read samples, score them, write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("samples", type=Path)
    parser.add_argument("scores", type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--base-url")
    parser.add_argument("--embeddings")
    given = parser.parse_args()
    samples = [json.loads(line) for line in given.samples.read_text("utf-8").splitlines()]
    metrics, places = metrics_of(given.model, given.base_url, given.embeddings), asyncio.Semaphore(AT_ONCE)
    rows = await asyncio.gather(*(score(sample, metrics, places) for sample in samples))
    with given.scores.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, [*samples[0], *metrics])
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    asyncio.run(main())
