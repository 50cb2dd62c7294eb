"""Does the image work, on a machine that has no Docker? Runs the steps of a Dockerfile as plain processes in a clean folder.

    python deploy/run_dockerfile_steps.py [--folder .] [--keep FOLDER] [--reuse-packages] [--python PATH] [--revision SHA]

RUN, COPY, ADD, ENV, ARG and WORKDIR are carried out with every absolute path moved below the folder; only programs that the
image has and that touch nothing else are within reach. What would change this machine (apt-get, useradd) is told and left
out. Then the entrypoint is started as the image's user, checked with the image's health check and `ankare smoke`, stopped with
the image's stop signal, started again, and what was written outside of /data and /tmp is told.
"""

from __future__ import annotations

import argparse
import http.client
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from dockerfile import DockerfileError, parse
from image_steps import Runner, Stage

PASSED = ("PIP_", "SSL_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "REQUESTS_CA_BUNDLE")
WRITABLE = ("data", "tmp")
PATIENCE = 300.0


class Container:
    """The image as it runs: its entrypoint with its environment and, where this process may, as its user."""

    def __init__(self, runner: Runner, stage: Stage, extra: Mapping[str, str]) -> None:
        self._runner, self._stage = runner, stage
        self._environment = {**stage.environment, **extra}
        self._user = self._user_of(stage)

    def run(self, words: Sequence[str], **options: str) -> subprocess.CompletedProcess[str]:
        """One command in the running container."""
        return subprocess.run(**self._call(words, options), capture_output=True, text=True, check=False)

    def start(self, **options: str) -> subprocess.Popen[bytes]:
        """The entrypoint."""
        return subprocess.Popen(**self._call([*self._stage.entrypoint, *self._stage.command], options))

    def _user_of(self, stage: Stage) -> dict[str, Any]:
        """The image's user, where this process may become it and the user may start this machine's Python."""
        first, _, last = stage.user.partition(":")
        user: dict[str, Any] = {"user": int(first), "group": int(last or first), "extra_groups": []}
        try:
            subprocess.run([self._runner.python, "-c", ""], check=True, **user)
        except (OSError, subprocess.SubprocessError) as error:
            self._runner.say(f"USER {stage.user} is only noted: {error}")
            return {}
        return user

    def _call(self, words: Sequence[str], options: Mapping[str, str]) -> dict[str, Any]:
        environment = {**self._environment, **options}
        command = [self._runner.rebased(word) if word.startswith("/") else word for word in words]
        found = shutil.which(command[0], path=environment["PATH"])
        if found is None:
            raise DockerfileError(f"{words[0]} is not in the image")
        return {"args": [found, *command[1:]], "env": environment, "cwd": self._runner.root / "data", **self._user}


def check(runner: Runner, stage: Stage, question: str, revision: str, extra: Mapping[str, str]) -> None:
    """Start, look, stop, and all that once more. Raises DockerfileError."""
    if not (stage.entrypoint and stage.health and stage.user and stage.port):
        raise DockerfileError("ENTRYPOINT, HEALTHCHECK, USER and EXPOSE are needed")
    container = Container(runner, stage, extra)
    where = container.run(["python", "-c", "import ankare; print(ankare.__file__)"]).stdout.strip()
    if not where.startswith(str(runner.root)):
        raise DockerfileError(f"the image's ankare is {where or 'not there'}")
    before = listing(runner.root)
    for which in ("first", "second"):
        _one_life(container, runner, stage, question, revision, which)
    changed = sorted(set(listing(runner.root).items()) ^ set(before.items()))
    if changed:
        raise DockerfileError(f"written outside of {WRITABLE}: {', '.join(sorted({name for name, _ in changed})[:9])}")
    runner.say("nothing was written outside of /data and /tmp")


def _one_life(container: Container, runner: Runner, stage: Stage, question: str, revision: str, which: str) -> None:
    port = str(free_port())
    started = time.perf_counter()
    with ended(container.start(PORT=port)) as process:
        await_ready(process, port)
        options = [*(["--question", question] if question else []), *(["--revision", revision] if revision else [])]
        smoked = container.run(["ankare", "smoke", "--base-url", f"http://127.0.0.1:{port}", *options])
        runner.say(f"{which} start: checked after {time.perf_counter() - started:.1f} s\n{smoked.stdout.rstrip()}")
        if smoked.returncode:
            raise DockerfileError(f"ankare smoke ended with {smoked.returncode}: {smoked.stdout}{smoked.stderr}")
        if container.run(stage.health, PORT=port).returncode:
            raise DockerfileError("the health check says that a healthy service is ill")
        stopped = time.perf_counter()
        process.send_signal(signal.Signals[stage.signal])
        code = process.wait(PATIENCE)
        if code not in (0, -signal.Signals[stage.signal]):
            raise DockerfileError(f"{stage.signal} ended it with {code}")
        runner.say(f"{which} stop: {stage.signal} ended it in {time.perf_counter() - stopped:.1f} s with {code}")
    if not container.run(stage.health, PORT=port).returncode:
        raise DockerfileError("the health check says that a stopped service is healthy")


def await_ready(process: subprocess.Popen[bytes], port: str) -> None:
    """Until /ready answers with 200. Raises DockerfileError where the process ends or the patience does."""
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=PATIENCE)
        try:
            connection.request("GET", "/ready")
            if connection.getresponse().status == http.client.OK:
                return
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(0.1)
    raise DockerfileError(f"it did not become ready; its exit code: {process.poll()}")


def listing(root: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every file that must not change while the image runs."""
    found = {}
    for folder, folders, names in os.walk(root):
        if Path(folder) == root:
            folders[:] = [name for name in folders if name not in WRITABLE]
        for name in names:
            about = os.lstat(Path(folder, name))
            if stat.S_ISREG(about.st_mode):
                found[os.path.relpath(Path(folder, name), root)] = (about.st_size, about.st_mtime_ns)
    return found


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """A process that does not outlive the block."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def passed() -> dict[str, str]:
    """How packages are reached from here: what pip reads from the environment."""
    return {name: value for name, value in os.environ.items() if name.upper().startswith(PASSED)}


def own_packages() -> dict[str, str]:
    """This Python's packages in place of those that the image would fetch."""
    offline = {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_IGNORE_INSTALLED": "1"}
    return {**offline, "PYTHONPATH": sysconfig.get_paths()["purelib"]}


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Exit code 0 where all steps and checks went well, else 1."""
    given = _options().parse_args(arguments)
    work = Path(given.keep or tempfile.mkdtemp(prefix="dockerfile-")).resolve()
    work.mkdir(parents=True, exist_ok=True)
    work.chmod(0o755)  # the image's user goes through it
    extra = dict(pair.split("=", 1) for pair in given.env)
    try:
        steps = parse((given.folder / "Dockerfile").read_text("utf-8"))
        build_arguments = {"REVISION": given.revision} if given.revision else {}
        outside = own_packages() if given.reuse_packages else passed()
        runner = Runner(given.folder.resolve(), work, build_arguments, given.python, outside)
        stage = runner.build(steps)
        check(runner, stage, given.question, given.revision, extra)
    except DockerfileError as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    finally:
        if not given.keep:
            shutil.rmtree(work, ignore_errors=True)
    print("the image's steps work")
    return 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--folder", type=Path, default=Path(), help="where the Dockerfile and its context are")
    parser.add_argument("--keep", help="an empty folder to work in, kept afterwards; else a temporary one")
    parser.add_argument("--reuse-packages", action="store_true", help="use this Python's packages; nothing is fetched")
    base = getattr(sys, "_base_executable", sys.executable)
    parser.add_argument("--python", default=base, help="what stands in for the image's Python")
    parser.add_argument("--revision", default="", help="the build argument REVISION, checked afterwards")
    parser.add_argument("--question", default="Vad är en beslutspunkt?", help="one that the sample pack answers")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="as docker run --env")
    return parser


if __name__ == "__main__":
    sys.exit(main())
