"""GET and POST /login, POST /logout: how does a person with a browser give a key?

The key goes into a cookie that no script can read and that no other site's request carries. It is the key itself, so that a
revoked one ends at once, in every process.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, quote

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ankare.service.door.admin import LIBRARY, is_admin_path
from ankare.service.door.identity import LOGIN, LOGOUT, Doorman, cookie_name, sent_cookie
from ankare.service.door.login_page import login_html, onward_html, policy
from ankare.service.page.language import page_language
from ankare.service.problem import ProblemError

FORM = "application/x-www-form-urlencoded"
DAY = 12 * 3600
"""Seconds that a browser keeps the key: a working day."""
HOME = "/"
# Browsers read a backslash as a slash, and // as the beginning of a host.
_OWN_PATH = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]{0,20000}")
_TROUBLES = {429: "wait", 503: "unusable"}


def add_login(app: FastAPI, doorman: Doorman) -> None:
    """Put the routes on the app. The doorman keeps them closed where there is nothing to log in to."""
    router = APIRouter(include_in_schema=False)

    @router.api_route(LOGIN, methods=["GET", "HEAD"], response_model=None)
    async def ask_for_key(request: Request) -> Response:
        target = _target(doorman, request.query_params.get("next", ""))
        language, sent = _language(request), sent_cookie(request.scope)
        if sent:
            try:
                if doorman.visitor_with(request.scope, sent) is not None:
                    return RedirectResponse(target, status_code=303)
            except ProblemError as error:
                return _refused(doorman, language, target, error)
            stale = _form(doorman, language, target)
            stale.delete_cookie(cookie_name(request.scope), **_kept(request))  # else each visit counts as a wrong guess
            return stale
        if request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            return _page(onward_html(language, f"{LOGIN}?next={quote(target, safe='')}"), 200)
        return _form(doorman, language, target)

    @router.post(LOGIN, response_model=None)
    async def take_key(request: Request) -> Response:
        fields = await _fields(request)
        target, sent = _target(doorman, fields.get("next", "")), fields.get("key", "").strip()
        try:
            if not sent or doorman.visitor_with(request.scope, sent) is None:
                return _form(doorman, _language(request), target, 401, "wrong")
        except ProblemError as error:
            return _refused(doorman, _language(request), target, error)
        answer = RedirectResponse(target, status_code=303)
        answer.set_cookie(cookie_name(request.scope), quote(sent, safe=""), max_age=DAY, **_kept(request))
        return answer

    @router.post(LOGOUT, response_model=None)
    async def forget_key(request: Request) -> Response:
        answer = RedirectResponse(HOME, status_code=303)
        answer.delete_cookie(cookie_name(request.scope), **_kept(request))
        return answer

    app.include_router(router)


def _target(doorman: Doorman, asked: str) -> str:
    """Where a key leads: to the page that was asked for, or to the library where everything else is open without one."""
    path = own_path(asked)
    return path if doorman.mode != "off" or is_admin_path(path.partition("?")[0]) else LIBRARY


def own_path(asked: str) -> str:
    """Where to go after logging in: the path that was asked for if it is one of ours, else the page."""
    return asked if _OWN_PATH.fullmatch(asked) else HOME


async def _fields(request: Request) -> dict[str, str]:
    """The fields of the form. Raises ProblemError (400, 415)."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise ProblemError(415, f"The form is sent as {FORM}.")
    try:
        read = parse_qs((await request.body()).decode("utf-8"), max_num_fields=10)
    except ValueError:
        raise ProblemError(400, "The form cannot be read.") from None
    return {name: values[0] for name, values in read.items()}


def _kept(request: Request) -> dict[str, Any]:
    return {"path": "/", "secure": request.scope["scheme"] == "https", "httponly": True, "samesite": "strict"}


def _refused(doorman: Doorman, language: str, target: str, error: ProblemError) -> Response:
    """The form again, since no key is looked at now."""
    form = _form(doorman, language, target, error.status, _TROUBLES[error.status])
    if error.retry_after is not None:
        form.headers["Retry-After"] = str(error.retry_after)
    return form


def _form(doorman: Doorman, language: str, target: str, status: int = 200, trouble: str = "") -> Response:
    of_library = is_admin_path(target.partition("?")[0])
    why = "library" if of_library else "intro" if doorman.mode == "required" else "optional"
    return _page(login_html(language, target, why=why, trouble=trouble), status)


def _page(html: str, status: int) -> Response:
    return HTMLResponse(html, status, headers={"Content-Security-Policy": policy(), "Vary": "Accept-Language"})


def _language(request: Request) -> str:
    return page_language(request.query_params, request.cookies, request.headers)
