"""With which weights does the relevance gate tell what the material answers from what it does not?

    python -m benchmarks.calibrate_relevance SWEQUAD_HOME PDF_HOME --swequad training.json [--no-semantic]

SWEQUAD_HOME holds the SweQUAD texts (see `benchmarks.swequad.write_texts`). Every question is asked twice: once as it is,
where the gold text may be found (should be answered when it is), and once with every chunk of the gold text taken away
(should be refused, though another text may still answer, so these weigh less). To these come the development questions
about the PDFs. The model is a logistic regression with an L2 penalty, fitted by Newton's method on standardised witnesses;
the figures are of five-fold cross-validation.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ankare.channels.corpus import OpenCorpus
from ankare.domain.evidence import Hit
from ankare.gate.relevance import RelevanceGate, Witnesses
from ankare.settings import load_settings
from ankare.wiring import open_engine
from benchmarks import swequad
from benchmarks.answers_pdfs import QUESTIONS
from benchmarks.gold import GoldQuestion, load

POOL = 30
TOP = 8
PENALTY = 3.0
FOLDS = 5
WEIGHT = {"swequad": 0.05, "swequad without gold": 0.05, "pdf without gold": 0.4}


@dataclass(frozen=True, slots=True)
class Example:
    """What the gate sees of one question, and whether the material answers it."""

    name: str
    witnesses: Witnesses
    answerable: bool
    fold: int

    @property
    def weight(self) -> float:
        """What it counts in the fit."""
        return WEIGHT.get(self.name, 1.0)


def swequad_examples(corpus: OpenCorpus, path: Path) -> Iterator[Example]:
    """Each question with its gold text and without it. With it counts only where the gold text is among the first hits."""
    for asked in swequad.read(path)[1]:
        yield from _both(corpus, asked.question, "sv", "swequad", partial(_from_text, asked.source))


def pdf_examples(corpus: OpenCorpus) -> Iterator[Example]:
    """The development questions about the PDFs, answerable ones with and without the gold pages."""
    for asked in load(QUESTIONS, ["dev"]):
        if asked.answerable:
            yield from _both(corpus, asked.question, None, "pdf", partial(_on_gold_page, asked))
        else:
            yield from _example(corpus, asked.question, None, f"pdf {asked.distance}", False, lambda _hit: True)


def _both(
    corpus: OpenCorpus, text: str, language: str | None, name: str, gold: Callable[[Hit], bool]
) -> Iterator[Example]:
    hits = corpus.retrieve(corpus.interpret(text, language), POOL)
    if any(gold(hit) for hit in hits[:3]):
        yield from _example(corpus, text, language, name, True, lambda _hit: True)
    yield from _example(corpus, text, language, f"{name} without gold", False, lambda hit: not gold(hit))


def _example(
    corpus: OpenCorpus, text: str, language: str | None, name: str, answerable: bool, keep: Callable[[Hit], bool]
) -> Iterator[Example]:
    question = corpus.interpret(text, language)
    subject = corpus.subject(question)
    hits = [hit for hit in corpus.retrieve(question, POOL) if keep(hit)][:TOP]
    if hits and subject.words:
        fold = int(hashlib.sha256(text.encode()).hexdigest(), 16) % FOLDS
        yield Example(name, RelevanceGate().witnesses(subject, hits), answerable, fold)


def _from_text(source: str, hit: Hit) -> bool:
    return hit.chunk.source == source


def _on_gold_page(asked: GoldQuestion, hit: Hit) -> bool:
    places = {(hit.chunk.source, page) for page in hit.chunk.pages} | set(hit.duplicates)
    return bool(places & asked.places)


def fit(examples: Sequence[Example], names: Sequence[str]) -> dict[str, float]:
    """Logistic regression with an L2 penalty by Newton's method (Hastie et al. 2009, section 4.4.1); classes weigh alike."""
    x = _matrix(examples, names)
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
    x = np.hstack([np.ones((len(x), 1)), (x - mean) / spread])
    y = np.array([e.answerable for e in examples], dtype=float)
    w = np.array([e.weight for e in examples])
    w *= np.where(y == 1, w[y == 0].sum() / w[y == 1].sum(), 1.0)
    beta, penalty = np.zeros(x.shape[1]), np.diag([0.0] + [PENALTY] * len(names))
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        step = np.linalg.solve((x * (w * p * (1 - p))[:, None]).T @ x + penalty, x.T @ (w * (y - p)) - penalty @ beta)
        beta += step
        if float(np.abs(step).max()) < 1e-8:
            break
    slopes = beta[1:] / spread
    values = [float(beta[0] - (slopes * mean).sum()), *map(float, slopes)]
    return dict(zip(["bias", *names], (round(v, 2) for v in values), strict=True))


def _matrix(examples: Sequence[Example], names: Sequence[str]) -> NDArray[np.float64]:
    """One row of witnesses per example."""
    return np.array([[getattr(e.witnesses, name) or 0.0 for name in names] for e in examples])


def main() -> None:
    """Fit, report by cross-validation, print the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("swequad_home", type=Path)
    parser.add_argument("pdf_home", type=Path)
    parser.add_argument("--swequad", type=Path, required=True)
    parser.add_argument("--semantic", action=argparse.BooleanOptionalAction, default=True)
    given = parser.parse_args()
    texts = open_engine(load_settings(home=given.swequad_home, semantic=given.semantic)).corpus()
    pdfs = open_engine(load_settings(home=given.pdf_home, semantic=given.semantic)).corpus()
    examples = [*swequad_examples(texts, given.swequad), *pdf_examples(pdfs)]
    names = ["sentence", "focus", "kind", "standout"] + (["meaning"] if pdfs.semantic else ["chunk"])
    odds = np.zeros(len(examples))
    for fold in range(FOLDS):
        model = fit([e for e in examples if e.fold != fold], names)
        left = [i for i, e in enumerate(examples) if e.fold == fold]
        odds[left] = _matrix([examples[i] for i in left], names) @ [model[n] for n in names] + model["bias"]
    probability = 1 / (1 + np.exp(-odds))
    for name in sorted({e.name for e in examples}):
        chosen = probability[[e.name == name for e in examples]]
        shares = "  ".join(f"{t:.2f}: {float((chosen >= t).mean()):.2f}" for t in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6))
        print(f"  {name:22} n={len(chosen):4} admitted at threshold  {shares}")
    print("fitted on all:", fit(examples, names))


if __name__ == "__main__":
    main()
