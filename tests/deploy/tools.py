"""Programs of the system that some tests need: where one is missing, its tests are skipped, unless they are required."""

from __future__ import annotations

import os
import shutil

import pytest


def needed(program: str) -> str:
    """Where the program lies. ANKARE_PROGRAM_TESTS=required makes a missing one a failure."""
    found = shutil.which(program)
    if found is None:
        told = f"no {program} on this machine"
        pytest.fail(told) if os.environ.get("ANKARE_PROGRAM_TESTS") == "required" else pytest.skip(told)
    return found
