"""What do the routes that change what is held take and give?"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class HeldDocument(BaseModel):
    """A document of the index. `library`: its file came over the service, and goes when it is removed."""

    id: str
    source: str = Field(examples=["plan.pdf"])
    title: str
    type: str = Field(examples=["pdf"])
    language: str
    pages: int
    pages_without_text: list[int] = Field(description="Pages that hold only images, counted from 1.")
    chunks: int
    label: str = Field(description="Who may read it; empty for everyone.")
    version: str
    notes: list[str]
    library: bool
    added: str = Field(description="When it came into the library (ISO, UTC); empty for a document of another folder.")


class HeldDocuments(BaseModel):
    """Documents by source, a page of them."""

    total: int
    offset: int
    documents: list[HeldDocument]


class HeldFigures(BaseModel):
    """A file of figures and how many it gave, by review status."""

    id: str
    file: str
    approved: int
    pending: int
    rejected: int
    label: str
    library: bool
    added: str


class HeldFigureFiles(BaseModel):
    """Files of figures by name."""

    total: int
    figures: int
    files: list[HeldFigures]


class StatedFigure(BaseModel):
    """What one source says. `value` is a decimal in a string."""

    id: int
    value: str
    unit: str
    document: str
    locator: str
    file: str
    review_status: str
    valid_as_of: str


class FigureOf(BaseModel):
    """A figure, and what is said of it."""

    metric: str
    entity: str
    period_type: str
    period: str
    channel: str
    stated: list[StatedFigure]


class FiguresToDecide(BaseModel):
    """Figures for which sources differ, and those that wait for review. `more`: there are further ones."""

    conflicts: list[FigureOf]
    pending: list[FigureOf]
    more: bool


class ReviewRequest(BaseModel):
    """A decision about figures, by their ids: about all of them or, where one is unknown, none."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"ids": [17, 18], "status": "rejected"}]})

    ids: Annotated[list[int], Field(min_length=1, max_length=1000)]
    status: Literal["approved", "rejected", "pending"]


class UploadedFile(BaseModel):
    """A file of the library. `held`: it has been read into the index, or its figures into the store."""

    name: str
    kind: Literal["document", "figures"]
    size: int = Field(description="Bytes.")
    label: str
    added: str
    held: bool = False


class UploadedFiles(BaseModel):
    """The files of the library, with how much they take up and may take up."""

    files: list[UploadedFile]
    bytes: int
    most_bytes: int
    most_bytes_of_one: int


class JobRequest(BaseModel):
    """What is to be read again: the library, or all folders that the home has documents from."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"everything": False}]})

    everything: bool = False


class Remark(BaseModel):
    """Something to know about a file: a code with the values that it was said with, and the text of it."""

    code: str = Field(description="Names the kind; empty for a text without one.", examples=["rows_skipped"])
    values: dict[str, Any] = Field(
        description="By name; a value is a text, a number, a list, or again an object with `code` and `values`."
    )
    text: str = Field(description="In the language that was asked for, in English where it is not known in that.")
    language: str = Field(examples=["sv"], description="The language of the text.")
    rows: list[str] = Field(description="The faults of rows and cells, each with its place, in the same language.")


class FileOutcome(BaseModel):
    """What a job did with one file. `message`: the remarks in one English text."""

    source: str
    status: Literal["added", "changed", "unchanged", "removed", "skipped", "failed"]
    chunks: int
    pages: int
    pages_without_text: list[int]
    facts: int
    message: str
    remarks: list[Remark]
    access: str = ""


class JobReport(BaseModel):
    """What a job did, and what the home holds after it. `more`: the list of jobs leaves some files out; the job has them."""

    files: list[FileOutcome] = Field(description="Files that are as they were are left out.")
    unchanged: int = 0
    more: bool = False
    version: str
    built: bool
    documents: int
    chunks: int
    facts: int


class JobBody(BaseModel):
    """A job: reading the library into the index. `stage`: waiting (for another ingest), removing or reading."""

    id: str
    state: Literal["queued", "running", "finished", "failed", "interrupted"]
    stage: str
    requested: str
    started: str
    ended: str
    done: int
    total: int
    current: str = Field(description="The file that was read last.")
    report: JobReport | None
    error: str


class Jobs(BaseModel):
    """The latest jobs, the newest first."""

    jobs: list[JobBody]


class Started(BaseModel):
    """What a change began. `file`: what was taken in. `returns`: it is read again with its folder, where it still lies."""

    job: JobBody
    file: UploadedFile | None = None
    replaced: bool = False
    returns: bool = False
    note: str = ""
