"""Which benchmarks run without any data that is not shipped, and how are the others called?

python -m benchmarks            the service, the index and the gate, on the sample pack, made-up chunks and our own claims
python -m benchmarks.NAME -h    one of them; those on documents that are not shipped take their paths as arguments
"""

from __future__ import annotations

import subprocess
import sys

SHIPPED = (
    ["benchmarks.ingest"],
    ["benchmarks.service"],
    ["benchmarks.index_scale"],
    ["benchmarks.figures"],
    ["benchmarks.grounding"],
    ["benchmarks.evaluation"],
)


def main() -> int:
    """Run what needs nothing but this repository, one after the other."""
    codes = [subprocess.run([sys.executable, "-m", *command], check=False).returncode for command in SHIPPED]
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
