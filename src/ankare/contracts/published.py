"""Which schemas does ankare publish for its agents?

They are made of the models; the files in `schemas/` are what comes out (`python -m ankare.contracts.published` writes them),
and a test holds the two equal.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from ankare.contracts.correction import CorrectionResult
from ankare.contracts.draft import EvidenceAnswerResult
from ankare.contracts.review import GroundingReviewResult
from ankare.contracts.rewrite import RetrievalRewriteResult
from ankare.contracts.schema import published_schema

CONTRACTS = (RetrievalRewriteResult, EvidenceAnswerResult, GroundingReviewResult, CorrectionResult)


def published_schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schema (2020-12) of each contract by its title."""
    return {model.__name__: published_schema(model) for model in CONTRACTS}


def stored_schemas() -> dict[str, dict[str, Any]]:
    """The same, as the files hold them."""
    folder = files("ankare.contracts").joinpath("schemas")
    return {name: json.loads(folder.joinpath(f"{name}.json").read_text("utf-8")) for name in published_schemas()}


def write_schemas(folder: Path) -> None:
    """Write one file per contract."""
    for name, schema in published_schemas().items():
        text = json.dumps(schema, ensure_ascii=False, indent=2)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(__file__).parent / "schemas")
