"""How does one make the documents again? `python -m ankare.sample.generate [--out FOLDER]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ankare.sample import pack_path
from ankare.sample.generate.build import build
from ankare.sample.generate.check_suite import misplaced


def main() -> int:
    """Write the documents; then name the gold snippets of the suite that a change of text has moved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=pack_path() / "documents")
    for name in build(parser.parse_args().out):
        print(name)
    faults = misplaced(pack_path())
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
