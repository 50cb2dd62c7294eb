"""POST /page/ask: how does the page ask, be told of each step in words, and get an answer that it can show?

One request without any state, so that it works with any number of workers and ends when the reader goes away. The events:

    event: step     {"step": "draft", "text": "Skriver ett utkast"}
    event: answer   what `told_answer` builds: HTML around escaped text, and what its marks show
    event: problem  {"status", "code", "detail", "retry_after"}, the detail in words for a reader

The question is the whole body. Flags, the reference date and the page's language stand in the URL, as on the page itself.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import date
from functools import partial

import orjson
from fastapi import APIRouter, FastAPI, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse

from ankare.cite.body import Json, RunFlags
from ankare.domain.cancel import CallCancelledError
from ankare.domain.reply import Reply
from ankare.errors import HomeMissingError, ProviderServiceError, QuestionError
from ankare.messages import messages
from ankare.service.api.ask import run_flags
from ankare.service.api.request_body import read_json
from ankare.service.api.schemas import AskRequest, url_date, usable_text
from ankare.service.api.stream import EVENT_STREAM, KEEP_ALIVE, OnStep, followed
from ankare.service.caller import Caller, caller_of
from ankare.service.crew import Crew
from ankare.service.desk import Desk, Served
from ankare.service.page.answer import shown_answer
from ankare.service.page.debug import debug_html
from ankare.service.page.language import page_language
from ankare.service.page.nearby import Offer, offers_of
from ankare.service.problem import LOG, ProblemError, problem_of

ASK = "/page/ask"
MORE_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""The second one lets nginx hand on each event as it comes."""


def add_page_ask(app: FastAPI, desk: Desk, crew: Crew, patient: Crew) -> None:
    """Put the route on the app. `crew` answers without a model, `patient` waits for one."""
    router = APIRouter()

    @router.post(ASK, include_in_schema=False, response_model=None)
    async def ask(request: Request) -> Response:
        language = page_language(request.query_params, request.cookies, request.headers)
        call = await read_json(AskRequest, request)
        events = _events(request, call, desk, (crew, patient), language)
        return StreamingResponse(events, media_type=EVENT_STREAM, headers=MORE_HEADERS)

    app.include_router(router)


async def _events(
    request: Request, call: AskRequest, desk: Desk, crews: tuple[Crew, Crew], language: str
) -> AsyncIterator[bytes]:
    """The events of one question. Whatever is wrong with it is told as an event too, in words."""
    texts = messages(language)
    try:
        flags = run_flags(call, request.query_params, desk.settings)
        reference = url_date("reference_date", request.query_params.get("reference_date"))
        question = usable_text(call.question, "question", desk.settings.max_question_chars)
        waits = flags.agentic or flags.synthesis
        crew = crews[1] if waits else crews[0]
        answer = partial(_answered, desk, question, flags, reference, caller_of(request.scope), language)
        with desk.turnstile.of(waits=waits):
            async for found in followed(crew, request.is_disconnected, lambda step: answer(on_step=step)):
                if not isinstance(found, str):
                    yield _event("answer", found)
                elif found:
                    yield _event("step", {"step": found, "text": texts.get(f"progress.{found}", "")})
                else:
                    yield KEEP_ALIVE
    except (ClientDisconnect, CallCancelledError):
        return
    except Exception as error:  # the response has begun: a problem can only be told in it
        yield _event("problem", told_problem(error, language, desk.settings.max_question_chars, call.question))


def _answered(
    desk: Desk,
    question: str,
    flags: RunFlags,
    reference: date | None,
    caller: Caller,
    language: str,
    *,
    on_step: OnStep | None = None,
) -> Json:
    served = desk.ask(question, None, flags, "page", reference, on_step, caller)
    offers = offers_of(served.reply, partial(_tried, desk, reference, caller))
    return told_answer(served, desk, caller, flags, language, offers)


def _tried(desk: Desk, reference: date | None, caller: Caller, question: str) -> Reply:
    """What a question would be answered, were it asked without a model; no record is kept."""
    return desk.engine().ask(question, reference_date=reference, agentic=False, synthesis=False, access=caller.access)


def told_answer(
    served: Served, desk: Desk, caller: Caller, flags: RunFlags, language: str, nearby: Sequence[Offer] = ()
) -> Json:
    """An answer as the page gets it. `html` and `debug` are set around escaped text; `said` is for a screen reader. `goes_on`:
    follow-ups go on from this question, which was answered, asked back, or looked up a figure that is not held."""
    answer_id = str(served.body["answer_id"])
    shelf, name = desk.shelf.of(caller.access), f"plot-{answer_id[:12]}"
    shown = shown_answer(served.reply, served.rendered, shelf, name, language, nearby)
    texts = messages(language)
    title = {"answer": "answer_to", "refusal": "refusal_to", "question": "asks_back"}[shown.kind]
    return {
        "kind": shown.kind,
        "title": texts[f"page.{title}"],
        "said": texts[f"page.said_{shown.kind}"].format(count=shown.sources),
        "language": shown.language,
        "html": shown.html,
        "views": list(shown.views),
        "markdown": served.rendered.markdown,
        "answer_id": answer_id,
        "goes_on": shown.kind != "refusal" or bool(served.reply.figures and served.reply.figures.results),
        "debug": debug_html(served, language) if flags.debug else "",
    }


def told_problem(error: Exception, language: str, limit: int, question: str = "") -> Json:
    """A problem as the page gets it, in words for a reader. What only an operator can use goes to the log."""
    body = orjson.loads(bytes(problem_of(error).body))
    retry = error.retry_after if isinstance(error, ProblemError) else None
    return {
        "status": body["status"],
        "code": body.get("code", ""),
        "detail": in_words(error, language, limit, question),
        "retry_after": retry,
    }


def in_words(error: Exception, language: str, limit: int, question: str = "") -> str:
    """What a reader is told in place of an answer."""
    texts = messages(language)
    if isinstance(error, HomeMissingError):
        return texts["page.not_ready"]
    if isinstance(error, ProblemError):
        return _of_problem(error, texts, limit, question)
    if isinstance(error, QuestionError):
        return texts["page.unusable"]
    if isinstance(error, ProviderServiceError):
        LOG.error("the model's service refuses: %s", error)
        return texts["page.model_refused"]
    return texts["page.failed"]


def _of_problem(error: ProblemError, texts: Mapping[str, str], limit: int, question: str) -> str:
    if error.status == 503:
        return texts["page.busy"]
    if error.field == "question":
        return texts["page.too_long"].format(limit=limit) if len(question) > limit else texts["page.empty"]
    if error.field == "reference_date":
        return texts["page.bad_date"]
    return texts["page.bad_flag"].format(field=error.field) if error.field else error.detail


def _event(name: str, told: Json) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + orjson.dumps(told) + b"\n\n"
