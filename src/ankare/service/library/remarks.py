"""In which words is a reader told what a job has to say about each file?

A job keeps codes and values, and the English text. Each reader gets them in a language of their own; what an earlier ankare
wrote, and codes that this one does not know, in English.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from fastapi import Request

from ankare.messages import FALLBACK, languages, preferred_language
from ankare.messages.remarks import Remark, remark_from_json, translated
from ankare.service.library.jobs import Job
from ankare.service.library.schemas import JobBody

ROWS = "rows"
"""The value of a remark that holds remarks on single rows."""


def asked_language(lang: str, request: Request) -> str:
    """The language of a call: what it says itself, Accept-Language, English."""
    code = lang.strip().lower().split("-")[0]
    if code in languages():
        return code
    return preferred_language(request.headers.get("accept-language", ""), languages()) or FALLBACK


def job_body(job: Job, language: str = FALLBACK) -> JobBody:
    """A job as it is told to a reader of this language."""
    raw = asdict(job)
    if job.report is not None:
        raw["report"] = {**job.report, "files": [_file(file, language) for file in job.report["files"]]}
    return JobBody.model_validate(raw)


def _file(file: Mapping[str, Any], language: str) -> dict[str, Any]:
    held = file.get("remarks")
    remarks = held if isinstance(held, list) else [file["message"]] * bool(file["message"])
    return {**file, "remarks": [_told(raw, language) for raw in remarks]}


def _told(raw: object, language: str) -> dict[str, Any]:
    """One remark in the reader's language; where that does not have it, all of it in English."""
    found = _read(raw)
    parts = found.values.get(ROWS, ()) if isinstance(found, Remark) else ()
    rows = parts if isinstance(parts, tuple) else ()
    for code in (language, FALLBACK):
        texts = [translated(text, code, page=True) for text in (found, *rows)]
        said = [text for text in texts if text is not None]
        if len(said) == len(texts):
            return {**_coded(raw), "text": said[0], "language": code, ROWS: said[1:]}
    return {**_coded(raw), "text": str(found), "language": FALLBACK, ROWS: []}


def _read(raw: object) -> str:
    """The remark in a job's file, as its text where it is of another form."""
    with suppress(ValueError, KeyError, TypeError, AttributeError):
        return remark_from_json(raw)
    return str(raw["text"]) if isinstance(raw, Mapping) and "text" in raw else ""


def _coded(raw: object) -> dict[str, Any]:
    named = raw if isinstance(raw, Mapping) else {}
    values = named.get("values")
    return {"code": str(named.get("code", "")), "values": values if isinstance(values, dict) else {}}
