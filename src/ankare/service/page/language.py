"""Which language does the page speak? The address says it first, then the reader's earlier choice, then the browser."""

from __future__ import annotations

from collections.abc import Mapping

from ankare.messages import languages, preferred_language

PAGE_LANGUAGE = "sv"
"""The page's language where nobody asks for one that we have."""
LANGUAGE_COOKIE = "ankare_lang"
"""Set by the page's own script once a reader has chosen; holds a language code and nothing else."""


def page_language(query: Mapping[str, str], cookies: Mapping[str, str], headers: Mapping[str, str]) -> str:
    """The page's language: `?lang=`, the cookie, Accept-Language, Swedish."""
    for told in (query.get("lang", ""), cookies.get(LANGUAGE_COOKIE, "")):
        if (code := told.strip().lower().split("-")[0]) in languages():
            return code
    return preferred_language(headers.get("accept-language", ""), languages()) or PAGE_LANGUAGE
