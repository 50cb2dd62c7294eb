"""How often does an answer hold the gold fact, and how often does ankare refuse when it should (and only then)?

    python -m benchmarks.answers_pdfs HOME [--questions FILE] [--split dev|heldout] [--semantic/--no-semantic] [--show]

HOME is a home folder with the 49 PDFs ingested. Gold is held as hashes (see `benchmarks.gold`). "Fact" counts an answerable
question when every gold fact stands in the answer; a refusal of it counts as a miss. Abstention precision is the share of
refusals that are right, recall the share of unanswerable questions that are refused.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ankare.domain.answer import Answer
from ankare.domain.reply import Reply
from ankare.settings import load_settings
from ankare.wiring import open_engine
from benchmarks.gold import GoldQuestion, load

QUESTIONS = Path(__file__).parent / "data" / "pdf-questions.jsonl"


@dataclass(frozen=True, slots=True)
class Result:
    """One question's outcome. `facts`: share of the gold facts in the answer; `cited`: a cited page is a gold page."""

    asked: GoldQuestion
    reply: Reply
    facts: float
    cited: bool

    @property
    def complete(self) -> bool:
        """Does the answer hold every gold fact?"""
        return self.facts == 1.0


def judge(asked: GoldQuestion, reply: Reply) -> Result:
    """Hold a reply against its gold."""
    outcome = reply.outcome
    if not isinstance(outcome, Answer):
        return Result(asked, reply, 0.0, False)
    text = "\n".join(claim.text for claim in outcome.claims)
    pages = {(c.chunk.source, page) for claim in outcome.claims for c in claim.citations for page in c.pages}
    found = sum(fact.stands_in(text) for fact in asked.facts) / len(asked.facts) if asked.facts else 0.0
    return Result(asked, reply, found, bool(pages & asked.places))


def report(results: Iterable[Result]) -> dict[str, float]:
    """The figures of a run."""
    results = list(results)
    answerable = [r for r in results if r.asked.answerable]
    unanswerable = [r for r in results if not r.asked.answerable]
    refused = [r for r in results if not r.reply.answered]
    right = [r for r in refused if not r.asked.answerable]
    return {
        "questions": len(results),
        "fact in answer": _share(r.complete for r in answerable),
        "facts found": sum(r.facts for r in answerable) / max(1, len(answerable)),
        "gold page cited": _share(r.cited for r in answerable),
        "answerable refused": _share(not r.reply.answered for r in answerable),
        "abstention precision": len(right) / max(1, len(refused)),
        "abstention recall": _share(not r.reply.answered for r in unanswerable),
        "words per answer": sum(
            len(c.text.split()) for r in results if isinstance(r.reply.outcome, Answer) for c in r.reply.outcome.claims
        )
        / max(1, len(results) - len(refused)),
    }


def by_group(results: Iterable[Result]) -> dict[str, list[Result]]:
    """Results per lexical overlap, distance and type."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        for name in (result.asked.lexical, result.asked.distance, result.asked.type):
            if name:
                groups[name].append(result)
    return dict(sorted(groups.items()))


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--split", choices=["dev", "heldout"], default="dev")
    parser.add_argument("--semantic", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--show", action="store_true", help="print each question with its answer")
    given = parser.parse_args()
    engine = open_engine(load_settings(home=given.home, semantic=given.semantic))
    results = [judge(q, engine.ask(q.question)) for q in load(given.questions, [given.split])]
    if given.show:
        for result in results:
            _show(result)
    print(f"{'semantic' if engine.corpus().semantic else 'lexical'}, {given.split}")
    for name, value in report(results).items():
        print(f"  {name:22} {value:8.3f}")
    print(f"  {'group':22} {'n':>4} {'fact':>6} {'page':>6} {'refused':>8}")
    for name, group in by_group(results).items():
        row = report(group)
        refusals = _share(not r.reply.answered for r in group)
        print(f"  {name:22} {len(group):4} {row['fact in answer']:6.2f} {row['gold page cited']:6.2f} {refusals:8.2f}")


def _show(result: Result) -> None:
    outcome = result.reply.outcome
    mark = "ok " if result.complete or (not result.asked.answerable and not result.reply.answered) else "-- "
    print(f"\n{mark}{result.asked.id} {result.asked.question}  [{result.reply.question.type.value}]")
    relevance = result.reply.relevance
    gold = sorted(result.asked.places)
    print(
        f"    p={relevance.probability:.2f} {relevance.reason} missing={relevance.missing} facts={result.facts:.2f} {gold=}"
    )
    if isinstance(outcome, Answer):
        for claim in outcome.claims:
            first = claim.citations[0]
            print(f"    | {claim.text[:160]}  ({first.chunk.source} {first.pages})")


def _share(flags: Iterable[bool]) -> float:
    flags = list(flags)
    return sum(flags) / max(1, len(flags))


if __name__ == "__main__":
    main()
