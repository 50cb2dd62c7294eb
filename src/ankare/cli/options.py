"""Which options do several commands share?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ankare.domain.access import Access

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

AsLabelOption = Annotated[
    list[str] | None,
    typer.Option(
        "--as-label", help="See what a reader with this label sees; may be given several times.", show_default=False
    ),
]
AsPublicOption = Annotated[bool, typer.Option("--as-public", help="See what a reader without any label sees.")]


def refuse_unknown(language: str | None, known: Sequence[str]) -> None:
    """Raises BadInputError for a language that is none of those that a profile accepts."""
    from ankare.errors import BadInputError

    if language is not None and language not in known:
        raise BadInputError(f"--language: {language[:10]!r} is not one of {', '.join(known)}.", "Choose one of them.")


def reader(labels: list[str] | None, public: bool) -> Access:
    """Through whose eyes a command looks: the owner's, unless an option says otherwise. Raises BadParameter."""
    from ankare.domain.access import OWNER, Access, checked_label

    if not labels:
        return Access() if public else OWNER
    if public:
        raise typer.BadParameter("Give either --as-label or --as-public.")
    try:
        return Access(frozenset(map(checked_label, labels)))
    except ValueError as error:
        raise typer.BadParameter(f"--as-label: {error}.") from error
