"""What can go wrong, and what can the caller do about it?

    AnkareError
    ├── BadInputError            the caller gave something unusable
    │   ├── QuestionError        empty, blank, too long or unreadable question
    │   ├── ProfileError         profile.toml, with file and line
    │   ├── SettingsError        an environment variable or option
    │   ├── PackError            a pack folder that lacks what it needs
    │   └── FactFileError        a file of figures, or the mapping of one, with the place of each fault
    ├── DocumentError            one document cannot be read (the rest goes in)
    ├── HomeError                the home folder
    │   ├── HomeMissingError     nothing has been ingested there yet
    │   ├── HomeLockedError      another ingest is at work (a retry helps)
    │   ├── HomeVersionError     made by another version of ankare
    │   └── HomeDamagedError     a file in it is not what its manifest says
    ├── FactStoreError           the store of figures cannot be opened, read or written (a retry may help)
    ├── ProviderError            the model's network, API or time-out (never a programming error)
    │   └── ProviderServiceError the key or the quota: nothing but the operator helps (401, 402, 403)
    ├── EvaluationError          an evaluation cannot go on: a run, its scores or a verdict that cannot be read
    │   └── SuiteError           a suite of questions, with file, line and field of each fault
    ├── ContractError            a model's reply breaks its agent's contract (the chain goes on without it)
    └── MissingExtraError        an optional part is not installed

A refusal ("the material does not hold the answer") is an answer, never an exception.
"""

from __future__ import annotations


class AnkareError(Exception):
    """Base of every error that ankare raises on purpose.

    `message` says what happened and to what, `remedy` what to try; `retry` tells whether the same call may succeed later.
    """

    retry = False

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".rstrip()


class BadInputError(AnkareError):
    """The caller gave something that cannot be used."""


class QuestionError(BadInputError):
    """An empty, blank, too long or unreadable question."""


class ProfileError(BadInputError):
    """A broken profile.toml; the message names file and line."""


class SettingsError(BadInputError):
    """A setting that cannot be read; the message names it."""


class PackError(BadInputError):
    """A pack folder without what a pack needs."""


class FactFileError(BadInputError):
    """A file of figures, or its mapping, that cannot be taken in. `faults`: one line each, with its place (sheet and cell, or
    row)."""

    def __init__(self, message: str, remedy: str = "", faults: tuple[str, ...] = ()) -> None:
        super().__init__(message, remedy)
        self.faults = faults


class FactStoreError(AnkareError):
    """The store of figures cannot be opened, read or written."""


class ProviderError(AnkareError):
    """A model could not be reached or did not answer: network, API or time-out. `status`: the HTTP status, None without one.

    `kind` is machine readable: "timeout", "network", "rate_limited", "server", "bad_reply", "bad_request", "auth", "quota".
    """

    def __init__(self, message: str, remedy: str = "", *, kind: str = "network", status: int | None = None) -> None:
        super().__init__(message, remedy)
        self.kind = kind
        self.status = status
        self.retry = kind in ("timeout", "network", "rate_limited", "server")


class ProviderServiceError(ProviderError):
    """The service refuses us as a customer: a bad key (401, 403) or no quota (402). No further call helps."""


class ContractError(AnkareError):
    """A model's reply that cannot be read as what its agent owes. `reason` is machine readable: "empty", "truncated",
    "invalid_json", "missing_field", "wrong_type", ... (see `ankare.contracts`)."""

    def __init__(self, message: str, remedy: str = "", *, reason: str) -> None:
        super().__init__(message, remedy)
        self.reason = reason


class EvaluationError(AnkareError):
    """Something that an evaluation needs is missing or cannot be read."""


class SuiteError(EvaluationError):
    """A suite that cannot be used. `faults`: one text each, "line 3, gold[0].pages: what is wrong. What to do."; the message
    holds the first of them."""

    def __init__(self, message: str, remedy: str = "", faults: tuple[str, ...] = ()) -> None:
        super().__init__(message, remedy)
        self.faults = faults


class DocumentError(AnkareError):
    """One document cannot be read. Reported per file; the others go in."""


class HomeError(AnkareError):
    """Something is wrong with the home folder."""


class HomeMissingError(HomeError):
    """The home folder holds no index yet."""


class HomeLockedError(HomeError):
    """Another process is building in this home."""

    retry = True


class HomeVersionError(HomeError):
    """The home was made by a version of ankare with another index format."""


class HomeDamagedError(HomeError):
    """A file in the home is missing or is not what the manifest says."""


class MissingExtraError(AnkareError):
    """An optional part is needed that is not installed; the remedy names the extra."""
