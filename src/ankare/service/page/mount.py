"""The page on `/`: how does a person without any tools ask, read the answer, and see where it stands?

Built with Gradio: the field and the button, and the call `submit` of existing clients, through the same desk as the API. What
stands around them is set by `page.shell`; what happens after a question is up to the page's own script and `page.routes`. The
page loads nothing from other hosts and tells nobody that it runs. Importing this module imports Gradio, which takes seconds:
only `create_app` does it. Gradio reads the types of arguments at run time, so its names have to stand in this module.
"""

from __future__ import annotations

import os
from typing import Any

import gradio as gr
from fastapi import FastAPI
from gradio.events import api

from ankare.messages import languages, messages
from ankare.service.api.ask import run_flags
from ankare.service.api.schemas import AskRequest, usable_text
from ankare.service.caller import ANONYMOUS, Caller, caller_of
from ankare.service.crew import Crew
from ankare.service.desk import Desk
from ankare.service.page.files import add_page_files
from ankare.service.page.language import PAGE_LANGUAGE
from ankare.service.page.message import message_text
from ankare.service.page.paths import PagePaths
from ankare.service.page.queue import bound_queue
from ankare.service.page.routes import add_page_ask, in_words
from ankare.service.page.sessions import OwnSessions, SessionNames, keep_apart
from ankare.service.page.shell import PageShell
from ankare.service.watch.slip import Slip, with_slip

FONTS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "Helvetica", "Arial", "sans-serif")
MOST_SESSIONS = 100
"""Callers of whom Gradio keeps a state, a tenth of a megabyte each. None is needed; by itself it keeps 10,000."""
MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")


def mount_page(app: FastAPI, desk: Desk, crew: Crew, patient: Crew) -> None:
    """Mount the page on `/`. It must be mounted last: it takes every address that no route has."""
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    add_page_ask(app, desk, crew, patient)
    add_page_files(app)
    blocks, names = _Page(desk).build(), SessionNames()
    keep_apart(blocks, names)
    gr.mount_gradio_app(
        app,
        blocks,
        path="/",
        theme=gr.themes.Default(primary_hue="blue", font=FONTS, font_mono=MONO),
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        mcp_server=False,
        ssr_mode=False,
        pwa=False,
        show_error=False,
        i18n=gr.I18n(**{code: _own_words(code) for code in languages()}),
    )
    app.add_middleware(PagePaths)
    app.add_middleware(PageShell, desk=desk)
    app.add_middleware(OwnSessions, names=names)


class _Blocks(gr.Blocks):
    """Blocks that hand on what a program sends as it is. Gradio's own copy each file of this machine, and fetch each address,
    that stands in it: `{"path": ..., "meta": {"_type": "gradio.FileData"}}`."""

    async def preprocess_data(
        self, block_fn: Any, inputs: list[Any], state: Any, explicit_call: bool = False
    ) -> list[Any]:
        """The inputs of a call. Raises ValueError where there are too few."""
        self.validate_inputs(block_fn, inputs)
        return inputs[: len(block_fn.inputs)]


class _Page:
    """Gradio's part of the page."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def build(self) -> gr.Blocks:
        """The field and the button as Gradio blocks, and the call of other programs."""
        texts = messages(PAGE_LANGUAGE)
        blocks: gr.Blocks
        with _Blocks(title=texts["page.title"], analytics_enabled=False) as blocks:
            with gr.Row(equal_height=False, elem_classes="ak-ask"):
                gr.Textbox(
                    label=texts["page.question"],
                    placeholder=texts["page.placeholder"],
                    lines=2,
                    max_lines=8,
                    autofocus=True,
                    scale=5,
                    elem_id="question",
                )
                gr.Button(texts["page.ask"], variant="primary", scale=1, min_width=110, elem_id="ask")
            api(self.submit, api_name="submit")
        bound_queue(blocks, self._desk.settings.max_in_flight)
        blocks.state_session_capacity = MOST_SESSIONS
        return blocks

    def submit(self, message: str, request: gr.Request) -> str:
        """A chat message in, the answer as Markdown out. Gradio hands on whatever a program sends."""
        settings, asked = self._desk.settings, ""
        try:
            asked = message_text(message)
            usable_text(asked, "question", settings.max_question_chars)
            flags = run_flags(AskRequest(question=" "), {}, settings)
            caller = _caller(request)
            with with_slip(Slip("page", lambda: caller.name)), self._desk.turnstile:
                served = self._desk.ask(asked, None, flags, "page", caller=caller)
            return served.rendered.markdown
        except Exception as error:
            return in_words(error, PAGE_LANGUAGE, settings.max_question_chars, asked)


def _caller(request: gr.Request) -> Caller:
    return ANONYMOUS if request.request is None else caller_of(request.request.scope)


def _own_words(language: str) -> dict[str, str]:
    """Gradio's texts that it has no translation for, and says on the page by their keys."""
    return {"common.complete": messages(language)["page.done"]}
