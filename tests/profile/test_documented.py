"""The profiles that the documentation shows are ones that load, and name every key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ankare.profile.load import _KEYS, parse_profile

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = "".join((DOCS / name).read_text("utf-8") for name in ("your-own-documents.md", "your-own-figures.md"))
PROFILES = [block for block in re.findall(r"```toml\n(.*?)```", GUIDE, re.S) if "[home]" in block]


@pytest.mark.parametrize("text", PROFILES)
def test_a_documented_profile_loads(text: str) -> None:
    assert parse_profile(text.encode()).home.language


def test_every_key_is_documented() -> None:
    shown = "\n".join(PROFILES)
    for section, keys in _KEYS.items():
        assert re.search(rf"\[{section}\b", shown), section
        assert all(re.search(rf"^{key} = ", shown, re.M) for key in keys), section
