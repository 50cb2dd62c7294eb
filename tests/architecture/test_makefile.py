"""Every target that the Makefile promises is there, and says what it does."""

from __future__ import annotations

import re
from pathlib import Path

MAKEFILE = (Path(__file__).parents[2] / "Makefile").read_text("utf-8")


def test_every_phony_target_exists_and_has_a_help_text() -> None:
    named = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.M)
    assert named is not None
    assert sorted(named[1].split()) == sorted(re.findall(r"^([a-z]+):.*## \S", MAKEFILE, re.M))


def test_no_install_is_silent() -> None:
    for recipe in re.findall(r"^\$\(VENV\)/\.(?!made)\w+:.*\n((?:\t.*\n)+)", MAKEFILE, re.M):
        assert recipe.startswith("\t@echo "), recipe
