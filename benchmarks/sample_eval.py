"""How good are the ways to an answer on the sample pack, one beside the other, and what does the README say of it?

    make eval                            # runs, scores, comparison and report under eval/, and the README's table anew
    python -m benchmarks.sample_eval --out DIR [--check]

Each way asks the whole sample suite: the control path by words alone, by words and meaning, with synthesis, through the agent
chain, and the chain in the shadow. The model is `benchmarks.copying_model`, so figures on the model's ways tell how ankare
takes what it writes, not how good a model is. It is done by the commands that anybody would use.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any

from tests.model_server import model_server

from ankare.sample import pack_path
from benchmarks.copying_model import copying

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- eval: written by `make eval` -->", "<!-- eval: end -->"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to ask the suite. `name`: of the run; `told`: in the README."""

    name: str
    told: str
    path: str
    semantic: bool = False


WAYS = (
    Way("control", "no model, by words", "control"),
    Way("control-meaning", "no model, by words and meaning", "control", semantic=True),
    Way("synthesis", "synthesis, by words", "synthesis"),
    Way("agents", "agent chain, by words", "agentic"),
    Way("shadow", "chain in the shadow, by words", "shadow"),
)
SHADOW = "shadow"
SCRIPTED = "a scripted model that copies and now and then invents; it says nothing of a real one"
PAIRED = ("faithfulness", "answer_relevance", "context_precision", "context_recall", "fact_recall")
COLUMNS = {
    "faithfulness": "faithful",
    "answer_relevance": "relevant",
    "context_precision": "context precision",
    "context_recall": "context recall",
    "fact_recall": "gold facts",
    "citation_precision": "citation precision",
    "ndcg_at_10": "nDCG@10",
    "figure_exact": "figures exact",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. With `--check` the README is compared, not written: exit code 1 where it tells something else."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("eval/sample"))
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    rmtree(given.out, ignore_errors=True)
    given.out.mkdir(parents=True)
    home = given.out / "home"
    ankare("ingest", "--pack", pack_path(), "--home", home)
    ankare("embed", "--home", home)
    with model_of_ours() as environment:
        runs = [captured(way, home, given.out, environment) for way in WAYS]
    ankare("eval", "score", *runs)
    compared = given.out / "comparison.json"
    ankare("eval", "compare", *runs, "--json", "--out", compared)
    ankare("eval", "report", *runs, "--out", given.out / "report.html")
    told = json.loads(compared.read_text("utf-8"))
    print(f"\nOpen {given.out / 'report.html'}: the model in it is {SCRIPTED}.\n")
    return told_in_readme("\n\n".join((table(runs), differences(told), advice(told))), check=given.check)


def captured(way: Way, home: Path, out: Path, environment: Mapping[str, str]) -> Path:
    """Ask the suite one way; returns the folder of the run."""
    folder = out / way.name
    how = ["--path", way.path, "--name", way.name, *(() if way.semantic else ("--no-semantic",))]
    if way.path != "control":
        how += ["--note", SCRIPTED]
    ankare("eval", "run", pack_path() / "suite.jsonl", "--home", home, "--out", folder, *how, environment=environment)
    return folder


@contextmanager
def model_of_ours() -> Iterator[Mapping[str, str]]:
    """The settings that name the copying model, while it answers."""
    with model_server() as server:
        server.does(copying)
        yield {
            "ANKARE_LLM_PROVIDER": "openai",
            "ANKARE_LLM_BASE_URL": f"{server.url}/v1",
            "ANKARE_LLM_API_KEY": "sk-of-nobody",
            "ANKARE_LLM_MODEL": "copying-model",
            "ANKARE_AGENTIC_RAG_TIMEOUT_SECONDS": "60",
        }


def ankare(*words: object, environment: Mapping[str, str] | None = None) -> None:
    """The command line, as anybody calls it. Raises CalledProcessError."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("ANKARE_", "SYSTEMINFORANDE_"))}
    call = [sys.executable, "-m", "ankare", *map(str, words)]
    subprocess.run(call, check=True, env={**clean, **(environment or {})})


def table(runs: Sequence[Path]) -> str:
    """The README's table: what each way measured, on answers that took it."""
    head = f"| way | answers that count | {' | '.join(COLUMNS.values())} | refuses rightly (F1) |"
    rows = [
        _row(way, json.loads((run / "summary.json").read_text("utf-8")))
        for way, run in zip(WAYS, runs, strict=True)
        if way.path != SHADOW
    ]
    return "\n".join((head, "|---|" + "---:|" * (len(COLUMNS) + 2), *rows))


def _row(way: Way, summary: Mapping[str, Any]) -> str:
    overall = summary["overall"]
    means = [overall["measures"].get(name, {}).get("mean") for name in COLUMNS]
    values = [*means, overall["abstention"]["f1"]]
    cells = ["" if value is None else f"{value:.3f}".removeprefix("0") for value in values]
    return f"| {way.told} | {overall['counted']} of {overall['answers']} | {' | '.join(cells)} |"


def differences(compared: Mapping[str, Any]) -> str:
    """What each way does to the same questions, against the first: difference, 95 % interval, questions."""
    head = f"| against {WAYS[0].told}, on the same questions | {' | '.join(map(COLUMNS.__getitem__, PAIRED))} |"
    told = {way.name: way.told for way in WAYS if way.path != SHADOW}
    rows = []
    for pair in compared["comparison"]["pairs"]:
        if pair["other"] in told:
            found = {one["measure"]: one for one in pair["measures"]}
            rows.append(f"| {told[pair['other']]} | {' | '.join(_difference(found.get(name)) for name in PAIRED)} |")
    return "\n".join((head, "|---|" + "---:|" * len(PAIRED), *rows))


def _difference(one: Mapping[str, Any] | None) -> str:
    if one is None:
        return ""
    low, high = (_signed(one["interval"][name]) for name in ("low", "high"))
    return f"{_signed(one['difference'])} [{low}, {high}] ({one['n']})"


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("0.", ".", 1).replace("-", "−")


def advice(compared: Mapping[str, Any]) -> str:
    """What the comparison advises on the chain, beside and in the shadow of the control path."""
    names = {way.name: way.told for way in WAYS if way.path in ("agentic", SHADOW)}
    lines = []
    for name, told in names.items():
        texts = compared["advice"][name]["text"]
        texts = texts[:3] if name == SHADOW else texts[:1]
        lines.append(f"- *{told}*: {' '.join(texts)}")
    return "\n".join(lines)


def told_in_readme(told: str, *, check: bool) -> int:
    """Put the table into the README, or see whether it stands there."""
    text = README.read_text("utf-8")
    block = f"{BEGIN}\n{told}\n{END}"
    fresh = re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: block, text, flags=re.DOTALL)
    if block not in fresh:
        raise SystemExit(f"README.md has no place for the table: {BEGIN} ... {END}")
    print(told)
    if fresh == text:
        return 0
    if check:
        print("README.md tells other figures: run `make eval`.", file=sys.stderr)
        return 1
    README.write_text(fresh, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
