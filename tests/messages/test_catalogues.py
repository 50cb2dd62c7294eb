"""Every language says the same things."""

from __future__ import annotations

import string

import pytest

from ankare.messages import languages, messages, preferred_language


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", languages())
def test_every_catalogue_has_the_same_keys_and_placeholders(language: str) -> None:
    swedish, other = messages("sv"), messages(language)
    assert sorted(swedish) == sorted(other)
    assert {key: fields(text) for key, text in swedish.items()} == {key: fields(text) for key, text in other.items()}


def test_an_unknown_language_is_answered_in_english() -> None:
    assert messages("fi") == messages("en")
    assert messages("sv-FI")["cite.sources"] == "Källor"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("sv-SE,sv;q=0.9,en;q=0.8", "sv"),
        ("en-US,en;q=0.9", "en"),
        ("fi, sv;q=0.2, en;q=0.7", "en"),
        ("fi", None),
        ("", None),
        ("sv;q=0", None),
        ("*;;;q=x, zh-Hans-CN", "zh"),
    ],
)
def test_the_browsers_language_is_followed(header: str, language: str | None) -> None:
    assert preferred_language(header, languages()) == language
