"""What does a Hugging Face Space need to run a revision of this repository? Makes the folder that is uploaded.

    python deploy/make_space.py --revision SHA --out FOLDER [--title TEXT]

The folder holds README.md (the Space's settings), the Dockerfile (the repository's own, built from the archive), the sources of
that commit as one archive, and a file `revision`. Nothing of the working tree goes in.
"""

from __future__ import annotations

import argparse
import gzip
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE = "source.tar.gz"
BUILT_FROM = ("pyproject.toml", "constraints.txt", "README.md", "LICENSE", "NOTICE", "src", "deploy")
FRAME = "'self' https://huggingface.co"
README = """---
title: {title}
emoji: ⚓
colorFrom: blue
colorTo: gray
sdk: docker
app_port: 7860
pinned: false
license: apache-2.0
short_description: Answers from documents, with page and sentence
---

Revision [`{short}`](revision) of ankare: it answers questions from documents and figures, with page and sentence or cell,
or says that they do not hold the answer. This Space shows the sample pack: the handbook of a fictional municipality.
"""
_COPIES = re.compile(r"(?:^COPY (?!--from).*\n)+", re.MULTILINE)
_REVISION = re.compile(r'^ARG REVISION=""$', re.MULTILINE)


class SpaceError(Exception):
    """The folder cannot be made."""


def make_space(repository: Path, revision: str, out: Path, title: str) -> str:
    """Fill the folder `out`, which must be empty. Returns the commit's whole name. Raises SpaceError."""
    commit = (
        _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        .decode()
        .strip()
    )
    if out.exists() and any(out.iterdir()):
        raise SpaceError(f"{out} is not empty")
    if not re.fullmatch(r"[^\n:#'\"]{1,60}", title):
        raise SpaceError(f"{title!r} is no title")
    archive = _git(repository, "archive", "--format=tar", commit, "--", *BUILT_FROM)
    dockerfile = _git(repository, "show", f"{commit}:Dockerfile").decode()
    out.mkdir(parents=True, exist_ok=True)
    (out / ARCHIVE).write_bytes(gzip.compress(archive, mtime=0))
    (out / "Dockerfile").write_text(space_dockerfile(dockerfile, commit), "utf-8")
    (out / "README.md").write_text(README.format(title=title, short=commit[:12]), "utf-8")
    (out / "revision").write_text(commit + "\n", "utf-8")
    return commit


def space_dockerfile(text: str, commit: str) -> str:
    """The repository's Dockerfile, built from the archive, with its revision written in. Raises SpaceError."""
    text, copied = _COPIES.subn(f"ADD {ARCHIVE} ./\n", text)
    text, named = _REVISION.subn(f'ARG REVISION="{commit}"\nENV ANKARE_FRAME_ANCESTORS="{FRAME}"', text)
    if (copied, named) != (1, 1):
        raise SpaceError("the Dockerfile does not have one group of COPY and one ARG REVISION")
    return text


def _git(repository: Path, *words: str) -> bytes:
    done = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, check=False)
    if done.returncode:
        raise SpaceError(done.stderr.decode("utf-8", "replace").strip() or f"git {words[0]}: there is no such commit")
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: writes the commit's name to standard output. Exit code 0, or 1 with the reason on standard error."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--revision", required=True, help="a commit, branch or tag of the repository")
    parser.add_argument("--out", required=True, type=Path, help="an empty folder, or one that is not there yet")
    parser.add_argument("--title", default="ankare", help="the Space's title")
    parser.add_argument("--repository", default=ROOT, type=Path, help="where the commit is")
    given = parser.parse_args(arguments)
    try:
        print(make_space(given.repository, given.revision, given.out, given.title))
    except SpaceError as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
