"""The page on `/`: how does a person without any tools ask, read the answer, and see where it stands?

Built with Gradio, through the same desk as the API. It loads nothing from other hosts and tells nobody that it runs.
Importing this module imports Gradio, which takes seconds: only `create_app` does it. Gradio reads the types of the
handlers' arguments at run time, so its names have to stand in this module.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import date
from typing import Any

import gradio as gr
from fastapi import FastAPI
from gradio.events import api

from ankare.cite.body import RunFlags
from ankare.cite.markdown import nearby
from ankare.domain.reply import Reply
from ankare.errors import AnkareError, HomeMissingError, ProviderServiceError, QuestionError
from ankare.messages import languages, messages, preferred_language
from ankare.service.desk import Desk, Served
from ankare.service.page_html import debug_html, head_html, notice_html, sources_html, style
from ankare.service.page_shell import PAGE_LANGUAGE, PageShell
from ankare.service.problem import LOG, ProblemError
from ankare.service.routes_ask import run_flags
from ankare.service.schemas import AskRequest, url_date, usable_text

FONTS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "Helvetica", "Arial", "sans-serif")
MOST_OFFERED = 24
MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")


def mount_page(app: FastAPI, desk: Desk) -> None:
    """Mount the page on `/`. It must be mounted last: it takes every address that no route has."""
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    theme = gr.themes.Default(primary_hue="blue", font=FONTS, font_mono=MONO)
    gr.mount_gradio_app(
        app,
        _Page(desk).build(),
        path="/",
        theme=theme,
        css=style(),
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        mcp_server=False,
        ssr_mode=False,
        pwa=False,
        show_error=False,
        i18n=gr.I18n(**{code: _own_words(code) for code in languages()}),
    )
    app.add_middleware(PageShell)


class _Page:
    """The page's fields, and what happens in them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def build(self) -> gr.Blocks:
        """The page as Gradio blocks."""
        texts = messages(PAGE_LANGUAGE)
        blocks: gr.Blocks
        with gr.Blocks(title=texts["page.title"], analytics_enabled=False) as blocks:
            head = _markup(head_html(PAGE_LANGUAGE))
            notice = _markup(elem_id="notice", visible=False)
            with gr.Row(equal_height=True, elem_classes="ak-ask"):
                question = gr.Textbox(
                    label=texts["page.question"],
                    placeholder=texts["page.placeholder"],
                    max_lines=4,
                    autofocus=True,
                    scale=5,
                    elem_id="question",
                )
                button = gr.Button(texts["page.ask"], variant="primary", scale=1, min_width=110, elem_id="ask")
            answer = _markup(elem_id="answer", elem_classes="ak-answer")
            choices = gr.Dataset(
                components=[question],
                samples=[],
                label=texts["page.choices"],
                visible=False,
                elem_id="choices",
                samples_per_page=MOST_OFFERED,
            )
            with gr.Accordion(texts["debug.title"], open=True, visible=False, elem_id="debug") as debug:
                details = _markup()
            sources = _markup(elem_id="sources")
            examples = gr.Dataset(
                components=[question],
                samples=[],
                label=texts["page.examples"],
                visible=False,
                samples_per_page=MOST_OFFERED,
            )
            shown = [answer, choices, sources, debug, details, notice]
            quiet: dict[str, Any] = {"queue": False, "api_visibility": "private"}
            gr.on([button.click, question.submit], self._asked, question, shown, **quiet)
            for offered in (examples, choices):
                offered.click(self._example, offered, question, **quiet).then(self._asked, question, shown, **quiet)
            blocks.load(self._opened, None, [head, question, button, examples, *shown], **quiet)
            api(self.submit, api_name="submit")
        return blocks

    def submit(self, message: str) -> str:
        """A question in, the answer as Markdown out."""
        try:
            flags = run_flags(AskRequest(question=" "), {}, self._desk.settings)
            return self._ask(message, flags).rendered.markdown
        except Exception as error:
            return self._failure(error, PAGE_LANGUAGE)

    def _opened(self, request: gr.Request) -> list[Any]:
        language = page_language(request.headers)
        texts = messages(language)
        question = request.query_params.get("q", "")[:20_000]
        samples = [[sample] for sample in self._examples()]
        # Without a question in the address nothing is touched that a quick user may already have filled in or been shown.
        untouched = [*[gr.skip()] * 5, self._notice(language)]
        shown = self._shown(question, request) if question.strip() else untouched
        value = {"value": question} if question.strip() else {}
        return [
            head_html(language),
            gr.Textbox(label=texts["page.question"], placeholder=texts["page.placeholder"], **value),
            gr.Button(texts["page.ask"]),
            gr.Dataset(samples=samples, label=texts["page.examples"], visible=bool(samples)),
            *shown,
        ]

    def _example(self, row: list[str]) -> str:
        return row[0]

    def _asked(self, question: str, request: gr.Request) -> list[Any]:
        return self._shown(question, request)

    def _shown(self, question: str, request: gr.Request) -> list[Any]:
        """What stands below the question once it has been asked."""
        language = page_language(request.headers)
        hidden = gr.Accordion(visible=False)
        try:
            flags = run_flags(AskRequest(question=question or " "), request.query_params, self._desk.settings)
            served = self._ask(question, flags, url_date("reference_date", request.query_params.get("reference_date")))
        except Exception as error:
            return [self._failure(error, language, question), _choices(None), "", hidden, "", self._notice(language)]
        outcome = served.reply.outcome
        sign = f"*{messages(outcome.language)['cite.by_model']}*" if served.reply.by_model else ""
        answer = "\n\n".join(filter(None, (served.rendered.listed, nearby(outcome), sign)))
        # The pictures and choices belong to the answer, and speak its language like its list of sources.
        below = [answer, _choices(served.reply), sources_html(served.rendered.sources, outcome.language)]
        if not flags.debug:
            return [*below, hidden, "", self._notice(language)]
        opened = gr.Accordion(label=messages(language)["debug.title"], visible=True)
        return [*below, opened, debug_html(served, language), self._notice(language)]

    def _notice(self, language: str) -> gr.Markdown:
        """What a reader should know about the state of the service."""
        pending = self._desk.meaning_pending()
        return gr.Markdown(notice_html(messages(language)["page.meaning_pending"]) if pending else "", visible=pending)

    def _ask(self, question: str, flags: RunFlags, reference: date | None = None) -> Served:
        if not isinstance(question, str):  # Gradio hands on whatever a program sends
            raise ProblemError(400, "question: it is not a text.", field="question")
        usable_text(question, "question", self._desk.settings.max_question_chars)
        with self._desk.turnstile:
            return self._desk.ask(question, None, flags, "page", reference)

    def _failure(self, error: Exception, language: str, question: str = "") -> str:
        """A plain sentence for the user in place of an answer."""
        texts, limit = messages(language), self._desk.settings.max_question_chars
        if isinstance(error, HomeMissingError):
            return texts["page.not_ready"]
        if isinstance(error, ProblemError) and error.field == "question":
            return texts["page.too_long"].format(limit=limit) if len(question) > limit else texts["page.empty"]
        if isinstance(error, ProblemError):
            return texts["page.busy"] if error.status == 503 else error.detail
        if isinstance(error, QuestionError):
            return texts["page.unusable"]
        if isinstance(error, ProviderServiceError):
            LOG.error("the model's service refuses: %s", error)
            return texts["page.model_refused"]
        LOG.error("a question on the page failed", exc_info=error)
        return texts["page.failed"]

    def _examples(self) -> tuple[str, ...]:
        try:
            return self._desk.shelf.profile().examples
        except AnkareError:
            return ()


def _own_words(language: str) -> dict[str, str]:
    """Gradio's texts that it has no translation for, and says on the page by their keys."""
    return {"common.complete": messages(language)["page.done"]}


def _markup(value: str = "", **given: Any) -> gr.Markdown:
    """Markdown and our own HTML, cleaned once more in the browser. `gr.HTML` would need a policy that lets text run."""
    return gr.Markdown(value, latex_delimiters=[], sanitize_html=True, **given)


def _choices(reply: Reply | None) -> gr.Dataset:
    """The choices of a question asked back, or of an answer that assumed something: one click asks."""
    options = reply.figures.clarification.narrowing_options if reply is not None and reply.figures else ()
    label = messages(reply.outcome.language)["page.choices"] if reply is not None else ""
    questions = [[option.question] for option in options]
    labels = [option.label for option in options]
    return gr.Dataset(samples=questions, sample_labels=labels or None, label=label, visible=bool(options))


def page_language(headers: Mapping[str, str]) -> str:
    """The page's language: the browser's, Swedish where the browser asks for none that we have."""
    return preferred_language(headers.get("accept-language", ""), languages()) or PAGE_LANGUAGE
