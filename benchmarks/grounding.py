"""How much of what the evidence holds does the grounding gate pass, and how much of the rest does it stop?

    python -m benchmarks.grounding [--data FILE] [--show fp|fn N] [--part pairs|corrupt|speed ...]

The pairs are those the gate was developed on (`benchmarks/data/grounding`), so the figures are those of development; a file of
pairs that nobody looked at goes in with `--data`, and only aggregates are printed of it unless examples are asked for. Two
baselines judge the same pairs in the same run: the share of the claim's words that the evidence has, and whether it has all of
them. After the pairs come corruptions made by machine (`benchmarks.corrupt`) and speed (`benchmarks.grounding_speed`).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ankare.domain.document import Chunk
from ankare.domain.grounding import Grounding, Ungrounded
from ankare.gate.grounding import GroundingGate
from ankare.gate.grounding.evidence import chunk_of
from ankare.language.languages import get_language

DATA = Path(__file__).parent / "data" / "grounding" / "dev.jsonl"
STOPPED = (0.90, 0.93, 0.95, 0.97, 0.98, 0.99)
PARTS = ("pairs", "corrupt", "speed")
NOT_BY_SCORE = (Ungrounded.LEAKED_INTERNALS, Ungrounded.ONLY_QUESTION_WORDS, Ungrounded.EMPTY, Ungrounded.GATE_ERROR)


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and the evidence it is held against. `kind`: how the claim was made."""

    id: str
    language: str
    evidence: tuple[str, ...]
    claim: str
    supported: bool
    kind: str
    question: str = ""

    def chunks(self) -> list[Chunk]:
        """The evidence as the gate takes it; pairs over the same text share what is read of it."""
        return [chunk_of(text, self.language, id=f"{hash(text)}") for text in self.evidence]


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair and what became of it. `score`: 0 to 1, comparable to the threshold; 0 for a refusal that no threshold undoes."""

    pair: Pair
    passed: bool
    score: float
    reason: str = ""
    detail: str = ""


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="pairs in the format of benchmarks/data/grounding")
    parser.add_argument(
        "--show", nargs=2, metavar=("WHAT", "N"), help="fp: unsupported but passed, fn: supported but stopped"
    )
    parser.add_argument("--part", nargs="+", choices=PARTS, default=PARTS)
    given = parser.parse_args()
    pairs = load(given.data)
    if "pairs" in given.part:
        measure(pairs, given.show)
    if "corrupt" in given.part:
        from benchmarks.corrupt import measure as measure_corruptions

        measure_corruptions(pairs)
    if "speed" in given.part:
        from benchmarks.grounding_speed import measure as measure_speed

        measure_speed(pairs)


def load(path: Path) -> list[Pair]:
    """The pairs of a file. Raises KeyError for a field that is missing."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Pair(
            row["id"],
            row["language"],
            tuple(row["evidence"]),
            row["claim"],
            row["supported"],
            row["kind"],
            row.get("question") or "",
        )
        for row in rows
    ]


def measure(pairs: Sequence[Pair], show: Sequence[str] | None = None) -> None:
    """The gate and the baselines on all pairs, then per language."""
    judged = {
        "the gate": [judge(pair) for pair in pairs],
        "word overlap": [by_overlap(pair) for pair in pairs],
        "every word": [by_every_word(pair) for pair in pairs],
    }
    print(f"{len(pairs)} pairs, {sum(pair.supported for pair in pairs)} of them supported")
    for language in ("", *sorted({pair.language for pair in pairs})):
        chosen = {name: [j for j in all_ if language in ("", j.pair.language)] for name, all_ in judged.items()}
        print(f"\n== {language or 'all'} ==")
        _kinds(chosen["the gate"])
        _curves(chosen)
    if show:
        _examples(judged["the gate"], show[0], int(show[1]))


def judge(pair: Pair, gate: GroundingGate | None = None) -> Judged:
    """What the gate says of a pair; the score is that of the weakest sentence."""
    gate = gate or GroundingGate()
    found = gate.judge(pair.claim, pair.chunks(), question=pair.question, language=pair.language)
    detail = next((v.detail for v in found.sentences if v.reason == found.reason), "")
    return Judged(pair, found.passed, score_of(found, gate.settings.threshold), found.reason or "", detail)


def score_of(found: Grounding, threshold: float) -> float:
    """The lowest score of the sentences. One that is refused for another reason than its score has 0."""
    return min(
        (
            0.0 if not v.supported and (v.reason in NOT_BY_SCORE or v.score >= threshold) else v.score
            for v in found.sentences
        ),
        default=0.0,
    )


def by_overlap(pair: Pair) -> Judged:
    """The share of the claim's index terms that the evidence has; passed from 0.8."""
    language = get_language(pair.language)
    held = {term for text in pair.evidence for term in language.index_terms(text)}
    terms = language.index_terms(pair.claim)
    score = sum(term in held for term in terms) / max(1, len(terms))
    return Judged(pair, score >= 0.8, score)


def by_every_word(pair: Pair) -> Judged:
    """Does the evidence have every word of the claim, as it is written but for case?"""
    language = get_language(pair.language)
    held = {token.norm for text in pair.evidence for token in language.tokens(text)}
    passed = all(token.norm in held for token in language.tokens(pair.claim))
    return Judged(pair, passed, float(passed))


# --- figures


def share(judged: Iterable[Judged], counts: Callable[[Judged], bool]) -> float:
    """How many of them count, NaN of none."""
    each = [counts(one) for one in judged]
    return sum(each) / len(each) if each else math.nan


def balanced(judged: Sequence[Judged]) -> float:
    """The mean of the shares of supported pairs that passed and of unsupported ones that were stopped."""
    return (_passed(judged) + _stopped(judged)) / 2


def at_stopped(judged: Sequence[Judged], wanted: float) -> tuple[float, float, float]:
    """The lowest threshold that stops at least that share of the unsupported pairs: it, what it stops and what it passes.

    A score passes from the threshold on; unsupported pairs of one score stop together, so more may be stopped than asked for.
    """
    scores = sorted(one.score for one in judged if not one.pair.supported)
    if not scores:
        return math.nan, math.nan, math.nan
    threshold = math.nextafter(scores[math.ceil(wanted * len(scores)) - 1], math.inf)
    unsupported = [one for one in judged if not one.pair.supported]
    supported = [one for one in judged if one.pair.supported]
    return (
        threshold,
        share(unsupported, lambda j: j.score < threshold),
        share(supported, lambda j: j.score >= threshold),
    )


def _passed(judged: Iterable[Judged]) -> float:
    return share((one for one in judged if one.pair.supported), lambda one: one.passed)


def _stopped(judged: Iterable[Judged]) -> float:
    return share((one for one in judged if not one.pair.supported), lambda one: not one.passed)


def _kinds(judged: Sequence[Judged]) -> None:
    """Per kind what is passed (of supported ones) or stopped (of the others) at the default threshold."""
    for supported, word in ((True, "passed"), (False, "stopped")):
        chosen = [one for one in judged if one.pair.supported is supported]
        for kind in sorted({one.pair.kind for one in chosen}):
            some = [one for one in chosen if one.pair.kind == kind]
            right = sum(one.passed is supported for one in some)
            print(f"  {word:8} {kind:16} {right:4} of {len(some):4}  {right / len(some):.3f}")
        right = sum(one.passed is supported for one in chosen)
        print(f"  {word:8} {'ALL':16} {right:4} of {len(chosen):4}  {right / max(1, len(chosen)):.3f}")
    print(f"  balanced accuracy {balanced(judged):.3f}")


def _curves(judged: dict[str, list[Judged]]) -> None:
    """What is passed where so much is stopped; more is stopped where many pairs have one score (told in brackets)."""
    print(f"  {'stopped':14}" + "".join(f"{wanted:>14.2f}" for wanted in STOPPED) + "   at its own threshold")
    for name, each in judged.items():
        cells = ""
        for wanted in STOPPED:
            _, stopped, passed = at_stopped(each, wanted)
            cells += f"{passed:>7.3f} ({stopped:.2f})".rjust(14)
        own = f"passed {_passed(each):.3f} stopped {_stopped(each):.3f} balanced {balanced(each):.3f}"
        print(f"  {name:14}{cells}   {own}")


def _examples(judged: Sequence[Judged], what: str, most: int) -> None:
    """Some of the pairs that are judged wrongly, the worst first."""
    wrong = [one for one in judged if one.passed is not one.pair.supported and one.passed is (what == "fp")]
    for one in sorted(wrong, key=lambda j: -j.score if what == "fp" else j.score)[:most]:
        print(f"\n{one.pair.id} {one.pair.kind} {one.score:.3f} {one.reason} {one.detail}")
        print(f"  claim:    {one.pair.claim}")
        print("\n".join(f"  evidence: {text}" for text in one.pair.evidence))


if __name__ == "__main__":
    main()
