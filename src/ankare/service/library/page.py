"""GET /library: how does whoever may change what is held see it, add to it and take from it, with a browser?

HTML of our own in the reader's language, with its script and style as files: the policy lets nothing that stands in the page
run. Whoever has not given the admin token yet is led to /login before this page is made.
"""

from __future__ import annotations

import json
from html import escape as quoted

from fastapi import APIRouter, Depends, FastAPI, Request
from starlette.responses import HTMLResponse, Response

from ankare.ingest.readers import EXTENSIONS, SAVED_AS
from ankare.messages import languages, messages
from ankare.service.door.admin import require_admin
from ankare.service.page.files import PLOT_STYLE, file_url
from ankare.service.page.language import page_language
from ankare.service.page.start import BRAND, OWN_NAMES
from ankare.settings import Settings

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


def add_library_page(app: FastAPI, settings: Settings) -> None:
    """Put the route on the app."""
    router = APIRouter(include_in_schema=False, dependencies=[Depends(require_admin)])

    @router.api_route("/library", methods=["GET", "HEAD"], response_model=None)
    def library_page(request: Request) -> Response:
        language = page_language(request.query_params, request.cookies, request.headers)
        html = library_html(language, settings.max_upload_bytes, keys=settings.api_keys != "off")
        return HTMLResponse(html, headers={"Content-Security-Policy": POLICY, "Vary": "Accept-Language"})

    app.include_router(router)


def library_html(language: str, most_bytes: int, *, keys: bool) -> str:
    """The document. `most_bytes`: of one file; `keys`: callers can have keys, and so labels."""
    said = messages(language)
    texts = {key.partition(".")[2]: text for key, text in said.items() if key.startswith(("library.", "page.reason_"))}
    shown = {key: quoted(text) for key, text in texts.items()}
    title = shown["title"]
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">'
        f'<meta name="color-scheme" content="light dark"><title>{title}</title><link rel="icon" href="data:,">'
        f'<link rel="stylesheet" href="{file_url("page.css")}"><link rel="stylesheet" href="{file_url("library.css")}">'
        f'<link rel="stylesheet" href="{file_url(PLOT_STYLE)}"><link rel="stylesheet" href="{file_url("library_usage.css")}">'
        f'</head><body><a class="ak-skip" href="#main">{shown["skip"]}</a>{_top(language, shown)}'
        f'<main class="ak-main lib-main" id="main" tabindex="-1">'
        f'<div class="ak-intro"><h1>{title}</h1><p>{shown["intro"]}</p></div>'
        f'<noscript><p class="ak-problem">{shown["needs_script"]}</p></noscript>'
        f'<p class="ak-hidden" id="status" role="status"></p>'
        f"{_add(shown, most_bytes)}{_jobs(shown)}{_documents(shown)}{_figures(shown)}{_use(shown)}{_usage(shown)}</main>"
        f"{_confirm(shown)}"
        f'<script type="application/json" id="start">{_told(language, texts, keys, _size(most_bytes))}</script>'
        f'<script type="module" src="{file_url("library.js")}"></script></body></html>'
    )


def _top(language: str, shown: dict[str, str]) -> str:
    page = messages(language)
    now = {language: ' aria-current="true"'}
    links = "".join(
        f'<a href="/library?lang={code}" lang="{code}" hreflang="{code}"{now.get(code, "")}>{OWN_NAMES[code]}</a>'
        for code in sorted(languages(), key=list(OWN_NAMES).index)
    )
    out = f'<form method="post" action="/logout"><button type="submit">{quoted(page["page.log_out"])}</button></form>'
    return (
        f'<header class="ak-top"><div class="ak-top-in">{BRAND}'
        f'<nav class="ak-nav" aria-label="{quoted(page["page.main_language"])}">{links}</nav>'
        f'<div class="ak-account"><a href="/">{shown["to_questions"]}</a>{out}</div></div></header>'
    )


def _add(shown: dict[str, str], most_bytes: int) -> str:
    """Who may read comes first: what is chosen below is sent at once."""
    limits = shown["limits"].format(size=_size(most_bytes), types=" ".join(sorted(EXTENSIONS)))
    return (
        f'<section aria-labelledby="add-title" class="lib-narrow"><h2 id="add-title">{shown["add"]}</h2>{_readers(shown)}'
        f'<div class="lib-drop lib-off" id="drop"><input type="file" id="files" multiple disabled '
        f'accept="{",".join(EXTENSIONS)}" aria-describedby="limits"><label class="ak-button" for="files">{shown["choose"]}'
        f'</label><span>{shown["drop"]}</span><p id="drop-why">{shown["readers_first"]}</p>'
        f'<p class="lib-hint" id="limits">{limits}</p></div>'
        f'<div hidden><h3>{shown["uploads"]}</h3><ul class="lib-list" id="uploads"></ul></div></section>'
    )


def _readers(shown: dict[str, str]) -> str:
    """Nothing is chosen at first, so that nothing is published by oversight."""
    radio = '<input type="radio" name="readers" required autocomplete="off"'
    return (
        f'<fieldset class="lib-readers" id="readers" aria-describedby="label-hint"><legend>{shown["readers"]}</legend>'
        f'<div class="lib-choice"><label>{radio} id="for-everyone">{shown["for_everyone"]}</label></div>'
        f'<div class="lib-choice"><label>{radio} id="for-label">{shown["for_label_only"]}</label>'
        f'<input id="label" type="text" maxlength="64" list="labels" aria-label="{shown["label"]}" autocomplete="off" '
        'autocapitalize="none" spellcheck="false"><datalist id="labels"></datalist></div>'
        f'<p class="lib-hint" id="label-hint">{shown["label_hint"]}</p></fieldset>'
    )


def _size(most_bytes: int) -> str:
    return f"{most_bytes // 1_000_000:d} MB" if most_bytes >= 1_000_000 else f"{most_bytes} B"


def _jobs(shown: dict[str, str]) -> str:
    return (
        f'<section aria-labelledby="jobs-title" class="lib-narrow"><h2 id="jobs-title">{shown["jobs"]}</h2>'
        f'<p id="no-jobs">{shown["no_jobs"]}</p><ul class="lib-list" id="jobs"></ul><div class="ak-row">'
        f'<button type="button" class="ak-plain" id="read-again">{shown["read_again"]}</button>'
        f'<button type="button" class="ak-plain" id="read-all">{shown["read_all"]}</button></div></section>'
    )


def _documents(shown: dict[str, str]) -> str:
    return (
        f'<section aria-labelledby="documents-title"><h2 id="documents-title">{shown["documents"]}</h2>'
        f'<div class="lib-field"><label for="search">{shown["search"]}</label>'
        '<input id="search" type="search" maxlength="200" autocomplete="off"></div>'
        '<p class="lib-hint" id="count"></p><div id="documents"></div>'
        f'<div class="ak-row"><button type="button" class="ak-plain" id="more" hidden>{shown["more"]}</button></div>'
        f'<div id="unread" hidden><h3>{shown["unread"]}</h3><p class="lib-hint">{shown["unread_hint"]}</p>'
        '<ul class="lib-list" id="unread-files"></ul></div></section>'
    )


def _figures(shown: dict[str, str]) -> str:
    return (
        f'<section aria-labelledby="figures-title"><h2 id="figures-title">{shown["figures"]}</h2>'
        f'<p id="no-figures" hidden>{shown["no_figures"]}</p><div id="figures"></div></section>'
        f'<section aria-labelledby="decide-title"><h2 id="decide-title" tabindex="-1">{shown["decide"]}</h2>'
        f'<h3>{shown["conflicts"]}</h3><p class="lib-hint" id="conflicts-hint" hidden>{shown["conflicts_hint"]}</p>'
        f'<p id="no-conflicts" hidden>{shown["no_conflicts"]}</p><div id="conflicts"></div>'
        f'<h3>{shown["pending"]}</h3><p id="no-pending" hidden>{shown["no_pending"]}</p><div id="pending"></div>'
        f'<p class="lib-hint" id="more-to-decide" hidden>{shown["more_to_decide"]}</p></section>'
    )


def _use(shown: dict[str, str]) -> str:
    """How the service is used: nothing is read before somebody opens it."""
    names = {"": "auto", "hour": "hour", "day": "day", "week": "week"}
    pieces = "".join(f'<option value="{by}">{shown[f"usage_by_{name}"]}</option>' for by, name in names.items())
    return (
        f'<section aria-labelledby="use-title" id="use"><h2 id="use-title">{shown["usage_title"]}</h2>'
        f'<p class="lib-hint">{shown["usage_intro"]}</p><details id="use-open"><summary>{shown["usage_open"]}</summary>'
        f'<form class="use-period" id="use-period"><label>{shown["usage_from"]}<input type="date" name="since"></label>'
        f'<label>{shown["usage_to"]}<input type="date" name="until"></label>'
        f'<label>{shown["usage_by"]}<select name="by">{pieces}</select></label>'
        f'<button class="ak-button" type="submit">{shown["usage_refresh"]}</button></form>'
        '<p class="ak-problem" id="use-problem" role="alert" hidden></p><div id="use-shown"></div>'
        f'<p><a id="use-json" href="/api/admin/usage">{shown["usage_json"]}</a></p></details></section>'
    )


def _usage(shown: dict[str, str]) -> str:
    """What readers thought of answers; hidden as long as nobody has said anything."""
    return (
        f'<section aria-labelledby="usage-title" id="usage" hidden><h2 id="usage-title">{shown["usage"]}</h2>'
        '<p id="feedback-counts"></p><div id="feedback"></div>'
        f'<p><a href="/api/admin/feedback">{shown["feedback_all"]}</a></p></section>'
    )


def _confirm(shown: dict[str, str]) -> str:
    return (
        '<dialog class="lib-confirm" id="confirm" aria-labelledby="confirm-title" aria-describedby="confirm-text">'
        '<h2 id="confirm-title"></h2><p id="confirm-text"></p><form method="dialog">'
        f'<button class="ak-button ak-quiet" value="" autofocus>{shown["cancel"]}</button>'
        f'<button class="ak-button" value="remove">{shown["remove"]}</button></form></dialog>'
    )


def _told(language: str, texts: dict[str, str], keys: bool, size: str) -> str:
    """What the script needs, as JSON that no text can break out of."""
    files = {"types": sorted(EXTENSIONS), "saved_as": SAVED_AS, "size": size}
    told = json.dumps({"language": language, "limit": 0, "keys": keys, **files, "texts": texts}, ensure_ascii=True)
    return told.replace("<", "\\u003c").replace(">", "\\u003e")
