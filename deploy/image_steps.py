"""How are the steps of a Dockerfile carried out without Docker? As plain processes, with every absolute path moved.

Only programs that the image has and that touch nothing else are within reach. What would change this machine (apt-get,
useradd) is told and left out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dockerfile import DockerfileError, Instruction, expand, ignored, ignores, stages

TOOLS = (
    *("sh", "env", "echo", "cat", "cp", "rm", "mkdir", "chmod", "chown", "ls", "ln", "mv", "test", "true", "false"),
    *("dirname", "basename", "uname", "sleep", "kill"),
)
SKIPPED = ["apt-get", "groupadd", "useradd", "addgroup", "adduser"]
KEPT_PATHS = ("/bin/", "/usr/bin/env", "/usr/sbin/nologin", "/dev/")
_ABSOLUTE = re.compile(r"(?<![\w.~*?$}/-])/(?=\w)[^\s'\":;,\])=]*")


@dataclass
class Stage:
    """What the steps of a stage have made of its environment."""

    environment: dict[str, str]
    arguments: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = ""
    signal: str = "SIGTERM"
    port: str = ""
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)

    def variables(self) -> dict[str, str]:
        """What `$NAME` stands for."""
        return {**self.arguments, **self.environment}


class Runner:
    """Builds in `work`, where `root` stands for / of the stage at hand; finished stages are put aside, at the same paths."""

    def __init__(
        self, context: Path, work: Path, given: Mapping[str, str], python: str, outside: Mapping[str, str]
    ) -> None:
        """`given`: build arguments. `python`: stands in for the base image's. `outside`: how packages are reached from here."""
        self.context, self.work, self.root = context, work, work / "root"
        self.given, self.python, self.outside = given, python, outside
        self.current = ""
        self.shims = work / "image-bin"
        self.told: list[str] = []
        self._write_shims()

    def build(self, instructions: list[Instruction]) -> Stage:
        """Carry out every stage; the last one's root stays. Raises DockerfileError."""
        done = Stage({})
        for name, image, steps in stages(instructions):
            self._begin(name, image)
            done = Stage({"PATH": str(self.shims), "HOME": str(self.root / "root"), **self.outside})
            for step in steps:
                self._step(step, done)
            self.current = name
        return done

    def _begin(self, name: str, image: str) -> None:
        if self.root.exists():
            shutil.move(self.root, self.work / f"stage-{self.current}")
        for folder in ("root", "tmp", "var/lib/apt/lists"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "tmp").chmod(0o1777)
        self.say(f"FROM {image} ({name}): {self.python} stands in for its Python")

    def _step(self, step: Instruction, stage: Stage) -> None:
        started = time.perf_counter()
        getattr(self, f"_{step.word.lower()}")(step, stage)
        self.say(f"{step.word} {step.text[:90]}  [{time.perf_counter() - started:.1f} s]")

    def _env(self, step: Instruction, stage: Stage) -> None:
        for name, value in step.pairs().items():
            stage.environment[name] = expand(self.rebased(value), stage.variables())

    def _arg(self, step: Instruction, stage: Stage) -> None:
        for name, value in step.pairs().items():
            stage.arguments[name] = self.given.get(name, expand(value, stage.variables()))

    def _workdir(self, step: Instruction, stage: Stage) -> None:
        stage.folder = expand(step.text, stage.variables())
        self._inside(stage, stage.folder).mkdir(parents=True, exist_ok=True)

    def _copy(self, step: Instruction, stage: Stage) -> None:
        *sources, target = (expand(word, stage.variables()) for word in step.words())
        origin = self.work / f"stage-{step.flags['from']}" if "from" in step.flags else self.context
        patterns = [] if "from" in step.flags else ignores(self.context)
        into = self._inside(stage, target)
        for source in sources:
            found = sorted(origin.glob(source.strip("/")))
            if not found:
                raise DockerfileError(f"line {step.line}: there is no {source} to copy")
            for path in found:
                self._copy_one(path, origin, into, patterns, many=target.endswith("/") or len(sources) > 1)

    def _copy_one(self, path: Path, origin: Path, into: Path, patterns: list[str], *, many: bool) -> None:
        def left_out(folder: str, names: Sequence[str]) -> set[str]:
            place = Path(folder).relative_to(origin)
            return {name for name in names if ignored((place / name).as_posix(), patterns)}

        if path.is_dir():
            shutil.copytree(path, into, ignore=left_out, dirs_exist_ok=True, symlinks=True)
            return
        if ignored(path.relative_to(origin).as_posix(), patterns):
            raise DockerfileError(f"{path.name} is in .dockerignore, so the builder does not have it")
        if many:
            into.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, into / path.name if many else into)

    def _add(self, step: Instruction, stage: Stage) -> None:
        source, target = (expand(word, stage.variables()) for word in step.words())
        if ".tar" not in source or "://" in source:
            raise DockerfileError(f"line {step.line}: ADD is understood for archives alone")
        into = self._inside(stage, target)
        into.mkdir(parents=True, exist_ok=True)
        with tarfile.open(self.context / source) as archive:
            archive.extractall(into, filter="data")

    def _run(self, step: Instruction, stage: Stage) -> None:
        words = step.words() if step.text.startswith("[") else ["sh", "-ec", step.text]
        environment = {**stage.environment, **stage.arguments, "ROOT": str(self.root)}
        command = [self.rebased(word) for word in words]
        where = self._inside(stage, ".")
        done = subprocess.run(
            command,
            cwd=where,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        for line in done.stdout.splitlines():
            if line.startswith("left out: "):
                self.say(f"    {line}")
        if done.returncode:
            raise DockerfileError(f"line {step.line}: RUN ended with {done.returncode}:\n{done.stdout[-4000:]}")

    def _user(self, step: Instruction, stage: Stage) -> None:
        stage.user = step.text
        if not re.fullmatch(r"[1-9]\d*(:[1-9]\d*)?", step.text):
            raise DockerfileError(f"line {step.line}: USER {step.text} is root, or no number")

    def _expose(self, step: Instruction, stage: Stage) -> None:
        stage.port = step.text

    def _stopsignal(self, step: Instruction, stage: Stage) -> None:
        stage.signal = step.text

    def _healthcheck(self, step: Instruction, stage: Stage) -> None:
        if not step.text.startswith("CMD ["):
            raise DockerfileError(f"line {step.line}: HEALTHCHECK is understood as CMD [...]")
        stage.health = Instruction("CMD", step.text.removeprefix("CMD "), {}, step.line).words()

    def _entrypoint(self, step: Instruction, stage: Stage) -> None:
        stage.entrypoint = step.words()

    def _cmd(self, step: Instruction, stage: Stage) -> None:
        stage.command = step.words()

    def _label(self, step: Instruction, stage: Stage) -> None:
        """Changes nothing that runs."""

    def _volume(self, step: Instruction, stage: Stage) -> None:
        """The folder itself stands in for it."""

    def rebased(self, text: str) -> str:
        """The text with each absolute path moved below the root."""

        def moved(found: re.Match[str]) -> str:
            return found[0] if found[0].startswith(KEPT_PATHS) else f"{self.root}{found[0]}"

        return _ABSOLUTE.sub(moved, text)

    def _inside(self, stage: Stage, path: str) -> Path:
        found = Path(
            os.path.normpath(self.root / stage.folder.lstrip("/") / path if path[:1] != "/" else f"{self.root}{path}")
        )
        if not found.is_relative_to(self.root):
            raise DockerfileError(f"{path} leads out of the image")
        return found

    def _write_shims(self) -> None:
        """The programs that steps may call: a few of this machine's, Python, and ones that only tell what they leave out."""
        self.shims.mkdir(parents=True)
        for name in TOOLS:
            found = shutil.which(name)
            if found:
                (self.shims / name).symlink_to(found)
        for name in SKIPPED:
            self._shim(name, f'echo "left out: {name} $*"')
        if os.geteuid():
            (self.shims / "chown").unlink()
            self._shim("chown", 'echo "left out: chown $*"')
        for name in ("python", "python3"):
            self._shim(name, f'exec "{self.python}" "$@"')

    def _shim(self, name: str, line: str) -> None:
        path = self.shims / name
        path.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
        path.chmod(0o755)

    def say(self, line: str) -> None:
        """Tell it on the terminal, and keep it in `told`."""
        self.told.append(line)
        print(line, flush=True)
