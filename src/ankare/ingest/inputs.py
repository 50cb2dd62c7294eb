"""What is to be ingested, and with which profile?"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ankare.errors import BadInputError, HomeDamagedError, PackError, ProfileError
from ankare.index.manifest import PROFILE_FILE
from ankare.profile.model import Profile
from ankare.regular_file import read_regular

DOCUMENTS_FOLDER = "documents"
FACTS_FOLDER = "facts"


@dataclass(frozen=True, slots=True)
class Inputs:
    """Files and folders to read, and the profile in use. `profile_given`: it was named now, not kept from earlier."""

    roots: tuple[Path, ...]
    profile: Profile
    profile_bytes: bytes | None
    profile_given: bool

    @property
    def folders(self) -> tuple[Path, ...]:
        """The roots that are folders, as absolute paths."""
        return tuple(Path(os.path.abspath(root)) for root in self.roots if root.is_dir())  # noqa: PTH100

    @property
    def prefixes(self) -> tuple[str, ...]:
        """What the path of everything in these folders begins with."""
        return tuple(f"{folder}/" for folder in self.folders)

    @property
    def profile_digest(self) -> str:
        """Hash of the profile's bytes, empty for no profile."""
        return hashlib.sha256(self.profile_bytes).hexdigest() if self.profile_bytes is not None else ""


def choose_inputs(paths: Sequence[Path], pack: Path | None, base: Path | None) -> Inputs:
    """Replace packs among the paths by their documents and figures and find the profile.

    The profile is that of `pack`, else of the first pack among the paths, else the one that the version folder `base`
    keeps, else none. Raises BadInputError, PackError and ProfileError.
    """
    if pack is not None and not is_pack(pack):
        raise PackError(
            f"{pack} is no pack.",
            f"A pack holds profile.toml and {DOCUMENTS_FOLDER}/ or {FACTS_FOLDER}/; see `ankare init`.",
        )
    given = list(paths) or ([pack] if pack is not None else [])
    if not given:
        raise BadInputError("Nothing to ingest.", "Name files, folders or a pack.")
    packs = [pack] if pack is not None else [path for path in given if is_pack(path)]
    roots = tuple(root for path in given for root in (_content(path) if is_pack(path) else [path]))
    chosen = packs[0] / PROFILE_FILE if packs else _kept_profile(base)
    if chosen is None:
        return Inputs(roots, Profile(), None, profile_given=False)
    from ankare.profile.load import load_profile

    try:
        profile = load_profile(chosen)
    except ProfileError as error:
        if packs:
            raise
        raise HomeDamagedError(
            f"The profile that the home kept is damaged: {error}", "Name its pack: --pack."
        ) from error
    return Inputs(roots, profile, read_regular(chosen), profile_given=bool(packs))


def is_pack(path: Path) -> bool:
    """Is this a pack: a folder with profile.toml and documents/ or facts/?"""
    return (path / PROFILE_FILE).is_file() and bool(_content(path))


def _content(pack: Path) -> list[Path]:
    return [pack / name for name in (DOCUMENTS_FOLDER, FACTS_FOLDER) if (pack / name).is_dir()]


def _kept_profile(base: Path | None) -> Path | None:
    kept = base / PROFILE_FILE if base is not None else None
    return kept if kept is not None and kept.is_file() else None
