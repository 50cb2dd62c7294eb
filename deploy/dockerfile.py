"""What does a Dockerfile say? Its instructions one by one; one that is not understood is an error, never skipped."""

from __future__ import annotations

import fnmatch
import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

BUILDS = ("FROM", "ARG", "ENV", "WORKDIR", "COPY", "ADD", "RUN")
SAYS = ("USER", "EXPOSE", "VOLUME", "LABEL", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD")
KNOWN = frozenset((*BUILDS, *SAYS))
FLAGS = {
    "FROM": {"platform"},
    "COPY": {"from", "chown", "chmod"},
    "ADD": {"chown", "chmod"},
    "HEALTHCHECK": {"interval", "timeout", "start-period", "retries"},
}
_VARIABLE = re.compile(r"\\(\$)|\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})")


class DockerfileError(Exception):
    """Something in the Dockerfile that is not understood, or cannot be done."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction. `text`: what stands after its flags, lines joined. `line`: where it begins, from 1."""

    word: str
    text: str
    flags: Mapping[str, str]
    line: int

    def words(self) -> list[str]:
        """The text as words; a JSON array is its items. Raises DockerfileError."""
        if self.text.startswith("["):
            try:
                return [str(item) for item in json.loads(self.text)]
            except ValueError as error:
                raise DockerfileError(f"line {self.line}: {self.text} is no JSON array") from error
        return shlex.split(self.text)

    def pairs(self) -> dict[str, str]:
        """`NAME=value` for each name, as ENV, ARG and LABEL have them. Values keep their variables."""
        found = {}
        for word in shlex.split(self.text):
            name, sign, value = word.partition("=")
            if not sign and self.word != "ARG":
                raise DockerfileError(f"line {self.line}: {self.word} takes NAME=value, not {word!r}")
            found[name] = value
        return found


def parse(text: str) -> list[Instruction]:
    """The instructions of a Dockerfile, in order. Raises DockerfileError."""
    found = []
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        start, whole = number, ""
        while number < len(lines):
            line = lines[number]
            number += 1
            if line.lstrip().startswith("#") or not line.strip():
                if whole:
                    continue
                break
            whole += line.removesuffix("\\").strip() + " "
            if not line.endswith("\\"):
                break
        if whole.strip():
            found.append(_instruction(whole.strip(), start + 1))
    if not found or found[0].word not in ("FROM", "ARG"):
        raise DockerfileError("a Dockerfile begins with FROM")
    return found


def _instruction(text: str, line: int) -> Instruction:
    word, _, rest = text.partition(" ")
    word, rest = word.upper(), rest.strip()
    if word not in KNOWN:
        raise DockerfileError(f"line {line}: {word} is not understood")
    if "<<" in rest and word in ("RUN", "COPY", "ADD"):
        raise DockerfileError(f"line {line}: here-documents are not understood")
    flags = {}
    while rest.startswith("--"):
        flag, _, rest = rest.partition(" ")
        name, _, value = flag.removeprefix("--").partition("=")
        if name not in FLAGS.get(word, set()):
            raise DockerfileError(f"line {line}: {word} --{name} is not understood")
        flags[name] = value
        rest = rest.strip()
    return Instruction(word, rest, flags, line)


def stages(instructions: list[Instruction]) -> list[tuple[str, str, list[Instruction]]]:
    """Name (or number), base image and instructions of each stage."""
    found: list[tuple[str, str, list[Instruction]]] = []
    for instruction in instructions:
        if instruction.word == "FROM":
            image, *named = instruction.text.split()
            name = named[1] if len(named) == 2 and named[0].lower() == "as" else str(len(found))
            found.append((name, image, []))
        elif found:
            found[-1][2].append(instruction)
        else:
            raise DockerfileError(f"line {instruction.line}: {instruction.word} before FROM is not understood")
    return found


def expand(text: str, variables: Mapping[str, str]) -> str:
    """The text with its variables set in; an unknown one is empty."""

    def value(found: re.Match[str]) -> str:
        if found[1]:
            return found[1]
        return variables.get(found[2] or found[3], "") or found[4] or ""

    return _VARIABLE.sub(value, text)


def ignores(folder: Path) -> list[str]:
    """The patterns of the folder's .dockerignore."""
    file = folder / ".dockerignore"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def ignored(path: str, patterns: list[str]) -> bool:
    """Does the builder get to see this path of the context? The last pattern that fits it or a folder above it decides."""
    parts = path.split("/")
    above = ["/".join(parts[: n + 1]) for n in range(len(parts))]
    out = False
    for pattern in patterns:
        bare = pattern.removeprefix("!").strip("/")
        names = [bare, bare.removeprefix("**/")] if bare.startswith("**/") else [bare]
        tails = [part for part in parts if bare.startswith("**/")]
        if any(fnmatch.fnmatchcase(name, wanted) for wanted in names for name in (*above, *tails)):
            out = not pattern.startswith("!")
    return out
