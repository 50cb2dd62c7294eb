"""How well are Swedish words conflated, split and corrected, and how fast?

    python benchmarks/language.py FOLDER

FOLDER holds three lists: `sv-word-classes.txt` (the forms of one class a line), `sv-compounds.tsv` (word, parts joined by +, or
- where it must stay whole) and `sv-misspellings.tsv` (written, meant). The Snowball stemmer alone is measured in the same run.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the three lists are")
    folder: Path = parser.parse_args().folder
    started = time.process_time()
    cold = measure_start()
    print(f"start: {cold * 1000:.0f} ms for the first question ({(time.process_time() - started) * 1000:.0f} ms CPU)")
    word_classes(rows(folder / "sv-word-classes.txt"))
    compounds(rows(folder / "sv-compounds.tsv"))
    misspellings(rows(folder / "sv-misspellings.tsv"))
    speed()
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


def measure_start() -> float:
    """Seconds from nothing loaded to the first question analysed."""
    started = time.perf_counter()
    from ankare.language.languages import get_language

    get_language("sv").index_terms("Vem godkänner projektplanen för överlämningen?")
    return time.perf_counter() - started


def rows(path: Path) -> list[list[str]]:
    """The fields of each line that is no comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line.strip() and not line.startswith("#")]


def word_classes(classes: Sequence[Sequence[str]]) -> None:
    """Pairwise precision and recall of sharing an index term."""
    import Stemmer

    from ankare.language.languages import get_language

    language, stemmer = get_language("sv"), Stemmer.Stemmer("swedish")
    for name, terms in (
        ("ankare", lambda word: set(language.analyze(word).terms)),
        ("Snowball alone", lambda word: {stemmer.stemWord(word)}),
    ):
        precision, recall = pairwise(classes, terms)
        print(f"word classes, {name}: precision {precision:.3f}, recall {recall:.3f}")


def pairwise(classes: Sequence[Sequence[str]], terms: Callable[[str], set[str]]) -> tuple[float, float]:
    """Of the pairs of forms that share a term, how many are of one class, and the other way round."""
    forms = [(terms(word), number) for number, words in enumerate(classes) for word in words]
    right = wrong = missed = 0
    for (left, one), (other, two) in combinations(forms, 2):
        shared = bool(left & other)
        right += shared and one == two
        wrong += shared and one != two
        missed += not shared and one == two
    return right / max(1, right + wrong), right / max(1, right + missed)


def compounds(cases: Sequence[Sequence[str]]) -> None:
    """Splits whose parts share an index term with the expected ones, part by part, and words split that must not be."""
    from ankare.language.languages import get_language

    language = get_language("sv")
    exact = compound = false = whole = 0
    for word, expected in cases:
        found = language.analyze(word).surface_parts
        if expected == "-":
            whole += 1
            false += bool(found)
            continue
        compound += 1
        parts = expected.split("+")
        same = [
            set(language.analyze(a).terms) & set(language.analyze(b).terms) for a, b in zip(parts, found, strict=False)
        ]
        exact += len(parts) == len(found) and all(same)
    print(f"compounds: {exact} of {compound} exact, {false} of {whole} split that must stay whole")


def misspellings(cases: Sequence[Sequence[str]]) -> None:
    """Corrections without any corpus: the misspelt ones and the right ones apart."""
    from ankare.language.languages import get_language
    from ankare.language.spelling import Speller

    speller = Speller({}, get_language("sv"))
    started = time.perf_counter()
    speller.correct("overlamnig")
    print(f"spelling: {(time.perf_counter() - started) * 1000:.0f} ms for the first correction")
    wrong = [(written, meant) for written, meant in cases if written != meant]
    right = [written for written, meant in cases if written == meant]
    for written, _ in wrong:
        speller.correct(written)
    again = Speller({}, get_language("sv"))
    started = time.perf_counter()
    corrected = sum(again.correct(written) == meant for written, meant in wrong)
    changed = sum(again.correct(written) is not None for written in right)
    each = (time.perf_counter() - started) * 1000 / len(cases)
    print(
        f"spelling: {corrected} of {len(wrong)} corrected, {changed} of {len(right)} right words changed, {each:.2f} ms each"
    )


def speed() -> None:
    """Analysis of new words, and index terms of text whose words are known."""
    from ankare.language.frequencies import frequencies
    from ankare.language.languages import get_language

    words = [word for word, _ in frequencies("sv").table if word.isalpha()]
    chosen = words[1000:5000] + [word for word in words[5000:] if len(word) > 10][:2000]
    language = type(get_language("sv"))()
    started = time.process_time()
    for word in chosen:
        language.analyze(word)
    print(f"analysis: {time.process_time() - started:.3f} s CPU for {len(chosen)} distinct words")
    text = " ".join(chosen * 20)
    language.index_terms(text)
    started = time.process_time()
    language.index_terms(text)
    print(f"index terms: {len(chosen) * 20 / (time.process_time() - started):,.0f} words/s once the words are known")


if __name__ == "__main__":
    main()
