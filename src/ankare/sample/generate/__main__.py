"""How does one make the documents again? `python -m ankare.sample.generate [--out FOLDER]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from ankare.sample import pack_path
from ankare.sample.generate.build import build

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=pack_path() / "documents")
    for name in build(parser.parse_args().out):
        print(name)
