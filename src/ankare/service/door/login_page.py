"""What does the page on which a key is given look like? Plain HTML of our own: no script, nothing from anywhere else."""

from __future__ import annotations

import base64
import hashlib
from html import escape as quoted
from importlib.resources import files

from ankare.messages import messages


def style() -> str:
    """The page's style sheet."""
    return (files("ankare.service.door") / "login.css").read_text(encoding="utf-8")


def policy() -> str:
    """Nothing but this style may be used, and the form goes to this service alone."""
    known = base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{known}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


def login_html(language: str, target: str, *, why: str, trouble: str = "") -> str:
    """The form. `target`: where it leads, a path of ours. `why` a key is asked for and the `trouble` with one ("" for none) are
    keys of messages."""
    texts = {name: quoted(text) for name, text in messages(language).items() if name.startswith("login.")}
    told = f'<p class="trouble" role="alert">{texts["login." + trouble]}</p>' if trouble else ""
    body = (
        f"<h1>{texts['login.title']}</h1><p>{texts['login.' + why]}</p>{told}"
        f'<form method="post" action="/login"><input type="hidden" name="next" value="{quoted(target)}">'
        f'<label for="key">{texts["login.key"]}</label>'
        '<input type="password" id="key" name="key" autocomplete="current-password" required autofocus maxlength="500">'
        f'<button type="submit">{texts["login.submit"]}</button></form>'
    )
    return _document(language, texts["login.title"], body)


def onward_html(language: str, address: str) -> str:
    """A page that leads to an address of ours at once. The request that follows comes from this site, so that the browser
    adds the cookie to it, which it did not to the one from another site."""
    texts = messages(language)
    head = f'<meta http-equiv="refresh" content="0; url={quoted(address)}">'
    body = f'<p><a href="{quoted(address)}">{quoted(texts["login.again"])}</a></p>'
    return _document(language, quoted(texts["login.title"]), body, head)


def _document(language: str, title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">'
        f"<title>{title}</title>{head}<style>{style()}</style></head><body><main>{body}</main></body></html>"
    )
