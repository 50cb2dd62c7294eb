"""How does one make the sample again? `python -m ankare.sample.generate [--out FOLDER] [--facts FOLDER]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ankare.sample import pack_path
from ankare.sample.generate.build import build
from ankare.sample.generate.check_suite import misplaced, misstated
from ankare.sample.generate.fact_files import build_facts


def main() -> int:
    """Write documents and fact files; then name the cases of the suite that a change has made untrue.

    Without options they go into the pack; with one, only what it names is written, there.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="where the documents go")
    parser.add_argument("--facts", type=Path, help="where the fact files go")
    given = parser.parse_args()
    both = given.out is None and given.facts is None
    if both or given.out:
        print("\n".join(build(given.out or pack_path() / "documents")))
    if both or given.facts:
        print("\n".join(build_facts(given.facts or pack_path() / "facts")))
    faults = [*misplaced(pack_path()), *misstated(pack_path())]
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
