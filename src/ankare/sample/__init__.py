"""Where is the sample pack that ships with ankare?

`pack/` is a complete pack about a municipality that does not exist and the companies that it owns: a profile, documents,
fact files and a question suite. `generate/` makes documents and fact files from `generate/texts/`
(`python -m ankare.sample.generate`).
"""

from __future__ import annotations

from pathlib import Path


def pack_path() -> Path:
    """The folder of the sample pack. Read it or copy it; it belongs to the installation, so never write in it."""
    return Path(__file__).parent / "pack"
