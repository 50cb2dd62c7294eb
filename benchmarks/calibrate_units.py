"""With which weights do the signals of a sentence tell the one that answers?

    python -m benchmarks.calibrate_units SWEQUAD_HOME PDF_HOME --swequad training.json [--no-semantic]

A conditional logit (McFadden 1974): among all units of a question's hits, the probability of the ones that hold the gold fact
is to be as high as possible. Fitted by gradient ascent with an L2 penalty on half of SweQUAD's texts and one author's questions
about the PDFs; the share of questions whose best unit holds the fact is reported on the rest, beside the weights in use.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ankare.answer.forms.passage import tells_something
from ankare.answer.units import Material, Signals, UnitWeights
from ankare.channels.corpus import OpenCorpus
from ankare.domain.question import Question
from ankare.language.languages import get_language
from ankare.settings import load_settings
from ankare.wiring import open_engine
from benchmarks import swequad
from benchmarks.answers_pdfs import QUESTIONS
from benchmarks.gold import TextHash, load

TOP = 8
PENALTY = 0.5
STEPS = 3000
RATE = 0.05
NAMES = [f.name for f in fields(Signals)]


@dataclass(frozen=True, slots=True)
class Choice:
    """The units of one question: their signals (units x signals) and which of them hold the gold fact."""

    name: str
    signals: NDArray[np.float64]
    gold: NDArray[np.bool_]
    fitted: bool


def swequad_choices(corpus: OpenCorpus, path: Path) -> Iterator[Choice]:
    """One choice per question whose gold text is among the hits."""
    for asked in swequad.read(path)[1]:
        fact = TextHash.of(asked.answer)
        question = corpus.interpret(asked.question, "sv")
        material = _material(corpus, question)
        gold = [u.chunk.source == asked.source and fact.stands_in(u.text) for u in material.units]
        yield from _choice("swequad", material, gold, swequad.in_half(asked, 0))


def pdf_choices(corpus: OpenCorpus) -> Iterator[Choice]:
    """One choice per development question that has a gold page among its hits."""
    for asked in load(QUESTIONS, ["dev"]):
        if not asked.answerable:
            continue
        material = _material(corpus, corpus.interpret(asked.question, None))
        gold = [
            any((u.chunk.source, page) in asked.places for page in u.chunk.pages)
            and any(fact.stands_in(u.text) for fact in asked.facts)
            for u in material.units
        ]
        yield from _choice("pdf", material, gold, asked.id.startswith("d1"))


def fit(choices: Sequence[Choice]) -> NDArray[np.float64]:
    """The weights that make the gold units most probable."""
    weights = np.zeros(len(NAMES))
    for _ in range(STEPS):
        gradient = -PENALTY * weights / len(choices)
        for choice in choices:
            p = _softmax(choice.signals @ weights)
            q = np.where(choice.gold, p, 0.0)
            gradient += choice.signals.T @ (q / q.sum() - p) / len(choices)
        weights += RATE * 10 * gradient
    return weights


def hits(choices: Sequence[Choice], weights: NDArray[np.float64]) -> float:
    """Share of questions whose best unit holds the fact."""
    return sum(bool(c.gold[int(np.argmax(c.signals @ weights))]) for c in choices) / max(1, len(choices))


def main() -> None:
    """Fit and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("swequad_home", type=Path)
    parser.add_argument("pdf_home", type=Path)
    parser.add_argument("--swequad", type=Path, required=True)
    parser.add_argument("--semantic", action=argparse.BooleanOptionalAction, default=True)
    given = parser.parse_args()
    texts = open_engine(load_settings(home=given.swequad_home, semantic=given.semantic)).corpus()
    pdfs = open_engine(load_settings(home=given.pdf_home, semantic=given.semantic)).corpus()
    choices = [*swequad_choices(texts, given.swequad), *pdf_choices(pdfs)]
    weights = fit([c for c in choices if c.fitted])
    print({name: round(float(w), 2) for name, w in zip(NAMES, weights, strict=True)})
    in_use = np.array([getattr(UnitWeights(), name) for name in NAMES])
    for name in ("swequad", "pdf"):
        for fitted in (True, False):
            chosen = [c for c in choices if c.name == name and c.fitted is fitted]
            print(
                f"{name:8} {'fitted' if fitted else 'left out':9} n={len(chosen):4} best unit holds the fact: "
                f"fit {hits(chosen, weights):.3f}, in use {hits(chosen, in_use):.3f}"
            )


def _material(corpus: OpenCorpus, question: Question) -> Material:
    return Material(
        question,
        corpus.subject(question),
        corpus.retrieve(question, TOP),
        get_language,
        corpus.following,
        corpus.similarity(question),
    )


def _choice(name: str, material: Material, gold: Sequence[bool], fitted: bool) -> Iterator[Choice]:
    keep = [tells_something(u) for u in material.units]
    marked = np.array([g for g, k in zip(gold, keep, strict=True) if k], dtype=bool)
    if marked.any():
        rows = [astuple(u.signals) for u, k in zip(material.units, keep, strict=True) if k]
        yield Choice(name, np.array(rows), marked, fitted)


def _softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    shifted = np.exp(values - values.max())
    return np.asarray(shifted / shifted.sum())


if __name__ == "__main__":
    main()
