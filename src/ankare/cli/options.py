"""Which options do several commands share?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HomeOption = Annotated[
    Path,
    typer.Option(
        "--home",
        envvar=["ANKARE_HOME", "SYSTEMINFORANDE_HOME"],
        help="The home folder: index, copies of documents, caches.",
        show_default=True,
    ),
]
DEFAULT_HOME = Path(".ankare")

SemanticOption = Annotated[
    bool,
    typer.Option(
        "--semantic/--no-semantic",
        envvar=["ANKARE_SEMANTIC", "SYSTEMINFORANDE_SEMANTIC"],
        help="Prepare search by meaning, where the `semantic` extra is installed.",
    ),
]

JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON instead of a table.")]
