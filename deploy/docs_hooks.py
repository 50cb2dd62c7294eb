"""Which pages of the guides are made from the code, and where do links lead that leave the docs folder?

Hooks of MkDocs (mkdocs.yml). Settings, commands, HTTP and Python are read from the package, so that they cannot be out of date.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
TAKEN_IN = {
    "inside/architecture.md": "ARCHITECTURE.md",
    "inside/changelog.md": "CHANGELOG.md",
    "inside/contributing.md": "CONTRIBUTING.md",
}
"""Files of the repository's top that are pages too."""
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)\s#]*)(#[^)\s]*)?\)")
_FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    pages = {name: (ROOT / source).read_text("utf-8") for name, source in TAKEN_IN.items()}
    pages |= {name: make() for name, make in GENERATED.items()}
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links within the site where they lead in the repository; those to its code become names."""
    name = page.file.src_uri
    folder = posixpath.dirname(TAKEN_IN.get(name, f"docs/{name}"))
    pieces = _FENCE.split(markdown)
    return "".join(piece if piece.startswith("```") else _rewritten(piece, name, folder) for piece in pieces)


def _rewritten(text: str, page: str, folder: str) -> str:
    def link(found: re.Match[str]) -> str:
        label, target, anchor = found[1], found[2], found[3] or ""
        if not target:
            return found[0]
        place = posixpath.normpath(posixpath.join(folder, target))
        inside = _page_of(place)
        if inside is None:
            return label
        return f"[{label}]({posixpath.relpath(inside, posixpath.dirname(page) or '.')}{anchor})"

    return _LINK.sub(link, text)


def _page_of(place: str) -> str | None:
    """The page of a path of the repository; None where it is none of the site."""
    for page, source in TAKEN_IN.items():
        if place == source:
            return page
    if place in ("docs/adr", "docs/adr/README.md"):
        return "inside/decisions.md"
    if place == "README.md":
        return "index.md"
    return place.removeprefix("docs/") if place.startswith("docs/") else None


def settings_page() -> str:
    """Every setting, from the class that reads them."""
    from pydantic import SecretStr

    from ankare.settings import PREFIX, Settings

    rows = []
    for name, setting in Settings.model_fields.items():
        value = setting.default.get_secret_value() if isinstance(setting.default, SecretStr) else setting.default
        shown = "" if value in (None, "") else f"`{str(value).lower() if isinstance(value, bool) else value}`"
        rows.append(f"| `{PREFIX}{name.upper()}` | {shown} | {_cell(setting.description or '')} |")
    head = "---\nhide: [toc]\n---\n\n# Settings\n\nRead from the environment; options of a command win over them.\n\n"
    return head + "| Variable | Default | What it does |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def commands_page() -> str:
    """Every command with its options, from the commands themselves."""
    import typer

    from ankare.cli.main import app

    lines = ["# Commands", "", "`ankare COMMAND --help` says the same on the terminal.", ""]
    for name, command in _commands(typer.main.get_command(app), "ankare"):
        lines += [f"## {name}", "", _prose(command.help or ""), "", *_options(command), ""]
    return "\n".join(lines)


def _commands(group: Any, path: str) -> Iterator[tuple[str, Any]]:
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if hasattr(command, "list_commands"):
            below = list(_commands(command, f"{path} {name}"))
            yield from below or [(f"{path} {name}", command)]
        else:
            yield f"{path} {name}", command


def _options(command: Any) -> list[str]:
    rows = []
    for one in command.params:
        if one.name == "help" or getattr(one, "hidden", False):
            continue
        names = ", ".join(f"`{name}`" for name in (*one.opts, *one.secondary_opts))
        label = names if names.startswith("`-") else f"`{(one.name or '').upper()}`"
        default = "" if one.default in (None, "", False, ()) or callable(one.default) else f"`{one.default}`"
        rows.append(f"| {label} | {default} | {_cell(getattr(one, 'help', '') or '')} |")
    return ["| Option | Default | What it does |", "|---|---|---|", *rows] if rows else []


def http_page() -> str:
    """Every address of the service, from its OpenAPI description."""
    import tempfile

    from ankare.service.app import create_app
    from ankare.settings import Settings

    with tempfile.TemporaryDirectory() as home:
        described = create_app(Settings(home=Path(home)), page=False).openapi()
    lines = ["# HTTP", "", "The service describes itself under `/openapi.json`; this page is made from it.", ""]
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            lines += [f"## {method.upper()} {path}", "", _prose(route.get("summary", "")), ""]
            lines += [_prose(route.get("description", "")), ""] if route.get("description") else []
            fields = _fields(route, described)
            lines += [*_parameters(route, fields), *_body(fields), *_answers(route), ""]
    return "\n".join(lines)


def _fields(route: Mapping[str, Any], described: Mapping[str, Any]) -> dict[str, tuple[str, bool]]:
    """The fields of a route's JSON body: what each is, and whether it is needed."""
    content = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    name = content.get("$ref", "").rpartition("/")[2]
    schema = described.get("components", {}).get("schemas", {}).get(name, content)
    needed = schema.get("required", ())
    return {
        field: (about.get("description", about.get("title", "")), field in needed)
        for field, about in schema.get("properties", {}).items()
    }


def _parameters(route: Mapping[str, Any], fields: Mapping[str, tuple[str, bool]]) -> list[str]:
    """A flag in the URL that is a field of the body too is told of there."""
    rows = []
    for one in route.get("parameters", ()):
        told = one.get("description") or fields.get(one["name"], ("",))[0]
        rows.append(f"| `{one['name']}` | {one['in']} | {_cell(told)} |")
    return ["| Parameter | In | What it does |", "|---|---|---|", *rows, ""] if rows else []


def _body(fields: Mapping[str, tuple[str, bool]]) -> list[str]:
    rows = [f"| `{name}` | {'yes' if needed else ''} | {_cell(told)} |" for name, (told, needed) in fields.items()]
    return ["| Field of the body | Needed | What it is |", "|---|---|---|", *rows, ""] if rows else []


def _answers(route: Mapping[str, Any]) -> list[str]:
    told = [f"`{status}` {_cell(about.get('description', ''))}" for status, about in route.get("responses", {}).items()]
    return ["Answers: " + "; ".join(told) + "."] if told else []


def python_page() -> str:
    """The names that the package exports, each where it is defined."""
    import ankare

    where = {name: f"{module}.{name}" for name, module in ankare._WHERE.items()}
    lines = ["# Python", "", "What `from ankare import ...` gives.", ""]
    for name in ankare.__all__:
        if name in where:
            lines += [f"::: {where[name]}", ""]
    return "\n".join(lines)


def decisions_page() -> str:
    """The list of decision records."""
    lines = ["# Decisions", "", "Each large choice has a page: what was decided, why, and what it costs.", ""]
    for file in sorted((ROOT / "docs/adr").glob("[0-9]*.md")):
        title = file.read_text("utf-8").splitlines()[0].lstrip("# ")
        lines.append(f"- [{title}](../adr/{file.name})")
    return "\n".join(lines) + "\n"


GENERATED: Mapping[str, Callable[[], str]] = {
    "reference/settings.md": settings_page,
    "reference/commands.md": commands_page,
    "reference/http.md": http_page,
    "reference/python.md": python_page,
    "inside/decisions.md": decisions_page,
}


def _cell(text: str) -> str:
    """A text as one cell of a table."""
    return " ".join(_prose(text).split()).replace("|", "\\|")


def _prose(text: str) -> str:
    """A text of the code in which nothing is markup but its own backticks."""
    return "`".join(
        piece if n % 2 else re.sub(r"([\[\]<>*_])", r"\\\1", piece) for n, piece in enumerate(text.split("`"))
    )
