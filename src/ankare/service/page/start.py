"""What stands on the page before anything is asked: heading, languages, examples, and what its script needs to know?

HTML that we wrote around escaped text, put around Gradio's part of the page by `page.shell`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape as quoted
from urllib.parse import urlencode

from ankare.cite.escape import plain
from ankare.errors import AnkareError
from ankare.messages import languages, messages
from ankare.service.caller import Caller
from ankare.service.desk import Desk
from ankare.service.page.examples import offered_examples
from ankare.service.page.files import file_url, page_files

_COMMIT = re.compile("[0-9a-f]{40}")
OWN_NAMES = {"sv": "Svenska", "en": "English", "zh": "中文"}
_PASSED_ON = ("reference_date", "enable_agentic_rag", "enable_synthesis", "debug", "debug_mode", "__theme")

BRAND = (
    '<a class="ak-brand" href="/">'
    '<svg class="ak-anchor" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="12" cy="4.5" r="2.2"/>'
    '<path d="M12 6.7V21M7.5 10.5h9M3.5 13.5c.4 4.6 4 7.5 8.5 7.5s8.1-2.9 8.5-7.5"/></svg>ankare</a>'
)


@dataclass(frozen=True, slots=True)
class Start:
    """The parts of the document: in its head, before Gradio's part, after it."""

    head: str
    before: str
    after: str


def start_of(desk: Desk, caller: Caller, language: str, query: Mapping[str, str]) -> Start:
    """The page's own parts for one reader. May read the profile from disk."""
    texts = messages(language)
    return Start(_head(texts), _before(desk, caller, language, query), _after(desk, caller, language))


def _head(texts: Mapping[str, str]) -> str:
    title, description = quoted(texts["page.title"]), quoted(texts["page.description"])
    modules = "".join(f'<link rel="modulepreload" href="{file_url(name)}">' for name in _modules())
    return (
        f'<title>{title}</title><meta name="description" content="{description}" />'
        f'<meta property="og:title" content="{title}" /><meta property="og:type" content="website" />'
        f'<meta property="og:description" content="{description}" />'
        f'<meta name="color-scheme" content="light dark" /><link rel="stylesheet" href="{file_url("page.css")}">{modules}'
    )


def _modules() -> list[str]:
    return sorted(name for name in page_files() if name.startswith("page") and name.endswith(".js"))


def _before(desk: Desk, caller: Caller, language: str, query: Mapping[str, str]) -> str:
    texts = messages(language)
    notice = (
        f'<p class="ak-notice" id="notice">{quoted(texts["page.meaning_pending"])}</p>'
        if desk.meaning_pending(caller.access)
        else ""
    )
    nav = f'<nav class="ak-nav" aria-label="{quoted(texts["page.main_language"])}">{_languages(language, query)}</nav>'
    return (
        f'<a class="ak-skip" href="#question">{quoted(texts["page.skip"])}</a>'
        f'<header class="ak-top"><div class="ak-top-in">{BRAND}{nav}{_account(desk, caller, texts)}</div></header>'
        f'<main class="ak-main" id="main"><div class="ak-intro"><h1>{quoted(texts["page.title"])}</h1>'
        f"<p>{quoted(texts['page.intro'])}</p>{notice}</div>"
        f'<noscript><p class="ak-problem">{quoted(texts["page.needs_script"])}</p></noscript>'
    )


def _after(desk: Desk, caller: Caller, language: str) -> str:
    texts = messages(language)
    return (
        f'<p class="ak-counter" id="counter" hidden></p>{_examples(desk, caller, texts)}'
        '<p class="ak-hidden" id="status" role="status"></p>'
        f'<div class="ak-layout" id="layout"><section class="ak-conversation" id="conversation" '
        f'aria-label="{quoted(texts["page.conversation"])}"></section>'
        f'<aside class="ak-panel" id="panel" aria-label="{quoted(texts["page.panel"])}" hidden></aside></div></main>'
        f'<footer class="ak-foot">{_foot(desk, texts)}</footer>'
        f'<dialog class="ak-sheet" id="sheet" aria-label="{quoted(texts["page.panel"])}"></dialog>'
        f'<script type="application/json" id="start">{_told(desk, caller, language)}</script>'
        f'<script type="module" src="{file_url("page.js")}"></script>'
    )


def _foot(desk: Desk, texts: Mapping[str, str]) -> str:
    """The revision; where everybody asks without a key, also the way to the library for whoever has its own."""
    settings = desk.settings
    said = quoted(texts["page.footer"].format(revision=_shown(settings.revision)))
    if settings.api_keys != "off" or not settings.admin_token.get_secret_value():
        return said
    return f'{said} · <a href="/library">{quoted(texts["page.library"])}</a>'


def _shown(revision: str) -> str:
    """A revision as people read it: of a commit its first twelve digits."""
    return revision[:12] if _COMMIT.fullmatch(revision) else revision


def _languages(language: str, query: Mapping[str, str]) -> str:
    """Links to the page in each language, with the flags of this address."""
    kept = {name: query[name] for name in _PASSED_ON if name in query}
    links = []
    for code in sorted(languages(), key=list(OWN_NAMES).index):
        now = ' aria-current="true"' if code == language else ""
        target = quoted("/?" + urlencode({**kept, "lang": code}))
        links.append(
            f'<a href="{target}" lang="{code}" hreflang="{code}" data-lang="{code}"{now}>{OWN_NAMES[code]}</a>'
        )
    return "".join(links)


def _account(desk: Desk, caller: Caller, texts: Mapping[str, str]) -> str:
    settings = desk.settings
    links = []
    if caller.admin:
        links.append(f'<a href="/library">{quoted(texts["page.library"])}</a>')
    if settings.api_keys != "off":
        if caller.name:
            links.append(
                f'<form method="post" action="/logout"><button type="submit">{quoted(texts["page.log_out"])}</button></form>'
            )
        else:
            links.append(f'<a href="/login">{quoted(texts["page.log_in"])}</a>')
    return f'<div class="ak-account">{"".join(links)}</div>' if links else ""


def _examples(desk: Desk, caller: Caller, texts: Mapping[str, str]) -> str:
    try:
        examples = offered_examples(desk, caller.access)
    except AnkareError:
        examples = ()
    if not examples:
        return ""
    buttons = "".join(
        f'<li><button type="button" class="ak-option" data-ask="{quoted(example)}">{quoted(plain(example))}</button></li>'
        for example in examples
    )
    title = quoted(texts["page.examples"])
    return f'<section class="ak-examples ak-asking" id="examples"><h2>{title}</h2><ul>{buttons}</ul></section>'


def _told(desk: Desk, caller: Caller, language: str) -> str:
    """What the script needs, as JSON that no text can break out of."""
    texts = {key.partition(".")[2]: text for key, text in messages(language).items() if key.startswith("page.")}
    texts["debug_title"] = messages(language)["debug.title"]
    told = {"language": language, "limit": desk.settings.max_question_chars, "texts": texts}
    return json.dumps(told, ensure_ascii=True).replace("<", "\\u003c").replace(">", "\\u003e")
