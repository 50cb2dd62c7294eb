"""`ankare smoke --base-url URL`: does a deployment work, from its health to its page?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.shown import json_text
from ankare.errors import SettingsError
from ankare.ingest.report import counted

if TYPE_CHECKING:
    from ankare.cli.smoke_checks import Deployment

FAILED = 1
NOT_ARRIVED = 3
PAUSE_SECONDS = 2.0
KEY_VARIABLE = "ANKARE_SMOKE_KEY"


@dataclass(frozen=True, slots=True)
class Checked:
    """One check that was made. `state`: "ok", "note" (well, as far as could be looked) or "FAILED"; `found`: what there was to
    see, what could not be looked at, or what is wrong."""

    name: str
    state: str
    milliseconds: float
    found: str


def smoke(
    base_url: Annotated[str, typer.Option(help="Where the deployment answers.")] = "http://127.0.0.1:7860",
    question: Annotated[str, typer.Option(help="A question that its documents answer.")] = "",
    revision: Annotated[
        str, typer.Option(help="The commit that has to run: its whole name or 7 signs of it at least.")
    ] = "",
    wait: Annotated[
        float, typer.Option(min=0, max=7200, help="Seconds to wait until it is ready, with the revision.")
    ] = 0,
    ca: Annotated[
        Path | None, typer.Option(help="The certificate of an authority of your own, in PEM form.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of lines.")] = False,
) -> None:
    """Check a running deployment. An API key is taken from the environment variable ANKARE_SMOKE_KEY.

    Exit code 0 when all is well, 1 if a check fails, 2 for bad use, 3 where it did not become ready in the time to wait.
    """
    deployment = _deployment(base_url, question, revision, ca)
    missing = _wait(deployment, wait)
    if missing:
        typer.echo(f"ankare: after {wait:g} s {base_url} is not what is waited for: {missing}", err=True)
        raise typer.Exit(NOT_ARRIVED)
    found: list[Checked] = []
    for checked in _run(deployment, base_url):
        found.append(checked)
        if not as_json:
            typer.echo(f"{checked.state:<7}{checked.name:<10}{checked.milliseconds:7.1f} ms  {checked.found}")
    _conclude(found, base_url, as_json=as_json)


def _deployment(base_url: str, question: str, revision: str, ca: Path | None) -> Deployment:
    from ankare.cli.smoke_call import Caller
    from ankare.cli.smoke_checks import LEAST_REVISION, Deployment
    from ankare.llm.address import Reach, reach
    from ankare.settings import load_settings

    if not base_url.startswith(("http://", "https://")):
        raise SettingsError(f"--base-url must begin with http:// or https://, not {base_url!r}.")
    if revision and len(revision) < LEAST_REVISION:
        raise SettingsError(f"--revision takes {LEAST_REVISION} signs of a commit's name at least, not {revision!r}.")
    key = load_settings().smoke_key.get_secret_value().strip()
    if key and base_url.startswith("http://") and reach(base_url) is Reach.PUBLIC:
        raise SettingsError(
            "The key would go unencrypted to a public host.", f"Write https://, or unset {KEY_VARIABLE}."
        )
    return Deployment(Caller(base_url, key, ca), question, revision)


def _wait(deployment: Deployment, seconds: float) -> str:
    """ "" once it is ready or nothing was to be waited for, else what was missing at the last look."""
    until = time.monotonic() + seconds
    while seconds:
        missing = deployment.arrived()
        left = until - time.monotonic()
        if not missing or left <= 0:
            return missing
        time.sleep(min(PAUSE_SECONDS, left))
    return ""


def _run(deployment: Deployment, base_url: str) -> Iterator[Checked]:
    """The checks in turn; none after one that finds nobody there, or somebody who cannot be trusted."""
    from ankare.cli.smoke_call import SmokeError, UnreachableError, UntrustedError
    from ankare.cli.smoke_checks import NotCheckedError

    for name, check in deployment.checks():
        started = time.perf_counter()
        state, there = "FAILED", True
        try:
            state, found = "ok", check()
        except NotCheckedError as error:
            state, found = "note", str(error)
        except UnreachableError as error:
            there, found = False, f"nothing listens at {base_url} ({error}); is it another address? --base-url"
        except UntrustedError as error:
            there, found = False, str(error)
        except SmokeError as error:
            found = str(error)
        except (LookupError, TypeError, AttributeError) as error:
            found = f"not of our form ({type(error).__name__}: {error})"
        yield Checked(name, state, round((time.perf_counter() - started) * 1000, 1), found)
        if not there:
            return


def _conclude(found: list[Checked], base_url: str, *, as_json: bool) -> None:
    failed = [checked.name for checked in found if checked.state == "FAILED"]
    noted = [checked.name for checked in found if checked.state == "note"]
    total = round(sum(checked.milliseconds for checked in found), 1)
    slowest = max(found, key=lambda checked: checked.milliseconds)
    if as_json:
        checks = [asdict(checked) for checked in found]
        shown = {"base_url": base_url, "ok": not failed, "milliseconds": total, "checks": checks}
        typer.echo(json_text(shown, 1))
    else:
        verdict = f"all is well, as far as was looked: see {', '.join(noted)}" if noted else "all is well"
        if failed:
            verdict = f"{len(failed)} of {counted(len(found), 'check')} failed: {', '.join(failed)}"
        typer.echo(
            f"{verdict}; {counted(len(found), 'check')} in {total:.0f} ms,"
            f" the slowest {slowest.name} ({slowest.milliseconds:.0f} ms)"
        )
    raise typer.Exit(FAILED if failed else 0)
