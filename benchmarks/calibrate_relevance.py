"""With which weights does the relevance gate tell what the material answers from what it does not?

    python -m benchmarks.calibrate_relevance SWEQUAD_HOME PDF_HOME --swequad training.json [--no-semantic]

SWEQUAD_HOME holds the SweQUAD texts (see `benchmarks.swequad.write_texts`). Every question is asked twice: once as it is,
where the gold text may be found (should be answered when it is), and once with every chunk of the gold text taken away
(should be refused). To these come the development questions about the PDFs. The model is a logistic regression with an L2
penalty, fitted by Newton's method; half of SweQUAD's texts and the questions of one author are left out and reported.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ankare.channels.corpus import OpenCorpus
from ankare.gate.relevance import RelevanceGate, Witnesses
from ankare.settings import load_settings
from ankare.wiring import open_engine
from benchmarks import swequad
from benchmarks.answers_pdfs import QUESTIONS
from benchmarks.gold import load

POOL = 30
TOP = 8
PENALTY = 1.0


@dataclass(frozen=True, slots=True)
class Example:
    """What the gate sees of one question, and whether the material answers it. `fold` 0 is fitted, 1 is reported."""

    name: str
    witnesses: Witnesses
    answerable: bool
    fold: int
    weight: float = 1.0


def swequad_examples(corpus: OpenCorpus, path: Path) -> list[Example]:
    """Each question with its gold text and without it. With it counts only where the gold text is among the hits."""
    gate = RelevanceGate()
    examples = []
    _texts, questions = swequad.read(path)
    for asked in questions:
        question = corpus.interpret(asked.question, "sv")
        subject = corpus.subject(question)
        if not subject.words:
            continue
        hits = corpus.retrieve(question, POOL)
        fold = int(swequad.in_half(asked, 1))
        without = tuple(hit for hit in hits if hit.chunk.source != asked.source)[:TOP]
        if any(hit.chunk.source == asked.source for hit in hits[:3]):
            examples.append(Example("swequad", gate.witnesses(subject, hits[:TOP]), True, fold))
        if without:
            examples.append(Example("swequad without gold", gate.witnesses(subject, without), False, fold))
    return examples


def pdf_examples(corpus: OpenCorpus) -> list[Example]:
    """The development questions about the PDFs; the second author's are reported. An answerable one counts only where a
    gold page is among the first hits: else there is nothing that the gate could admit."""
    gate = RelevanceGate()
    examples = []
    for asked in load(QUESTIONS, ["dev"]):
        question = corpus.interpret(asked.question, None)
        subject = corpus.subject(question)
        hits = corpus.retrieve(question, TOP)
        if not hits or not subject.words:
            continue
        found = any((hit.chunk.source, page) in asked.places for hit in hits[:3] for page in hit.chunk.pages)
        if asked.answerable and not found:
            continue
        name = f"pdf {asked.lexical or asked.distance}"
        examples.append(
            Example(name, gate.witnesses(subject, hits), asked.answerable, int(asked.id.startswith("d2")), 3.0)
        )
    return examples


def fit(examples: Sequence[Example], names: Sequence[str]) -> dict[str, float]:
    """Logistic regression with an L2 penalty by Newton's method (Hastie et al. 2009, section 4.4.1)."""
    x = matrix(examples, names)
    y = np.array([e.answerable for e in examples], dtype=float)
    w = np.array([e.weight for e in examples])
    beta = np.zeros(x.shape[1])
    penalty = np.diag([0.0] + [PENALTY] * len(names))
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        gradient = x.T @ (w * (y - p)) - penalty @ beta
        hessian = (x * (w * p * (1 - p))[:, None]).T @ x + penalty
        step = np.linalg.solve(hessian, gradient)
        beta += step
        if float(np.abs(step).max()) < 1e-8:
            break
    return dict(zip(["bias", *names], (round(float(b), 3) for b in beta), strict=True))


def matrix(examples: Sequence[Example], names: Sequence[str]) -> NDArray[np.float64]:
    """One row per example: 1 for the bias, then the witnesses."""
    rows = [asdict(e.witnesses) for e in examples]
    return np.array([[1.0, *(row[name] or 0.0 for name in names)] for row in rows])


def main() -> None:
    """Fit, report on what was not fitted, print the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("swequad_home", type=Path)
    parser.add_argument("pdf_home", type=Path)
    parser.add_argument("--swequad", type=Path, required=True)
    parser.add_argument("--semantic", action=argparse.BooleanOptionalAction, default=True)
    given = parser.parse_args()
    texts = open_engine(load_settings(home=given.swequad_home, semantic=given.semantic)).corpus()
    pdfs = open_engine(load_settings(home=given.pdf_home, semantic=given.semantic)).corpus()
    examples = swequad_examples(texts, given.swequad) + pdf_examples(pdfs)
    names = ["chunk", "window", "unknown", "focus", "kind", "words"]
    if pdfs.semantic:
        names += ["meaning", "standout"]
    model = fit([e for e in examples if e.fold == 0], names)
    print(model)
    for threshold in (0.3, 0.4, 0.5, 0.6):
        print(f"threshold {threshold}")
        _report([e for e in examples if e.fold == 1], model, threshold)
    print("fitted on all:", fit(examples, names))


def _report(examples: Sequence[Example], model: dict[str, float], threshold: float) -> None:
    names = [name for name in model if name != "bias"]
    odds = matrix(examples, names) @ np.array([model["bias"], *(model[name] for name in names)])
    admitted = 1 / (1 + np.exp(-odds)) >= threshold
    for name in sorted({e.name for e in examples}):
        chosen = [bool(a) for e, a in zip(examples, admitted, strict=True) if e.name == name]
        print(f"  {name:24} n={len(chosen):4} admitted {sum(chosen) / len(chosen):.3f}")


if __name__ == "__main__":
    main()
