"""What does the sample pack say of its domain? Read when it is first asked for, never at import."""

from __future__ import annotations

from functools import cache

from ankare.profile.load import PROFILE_NAME, load_profile
from ankare.profile.model import Profile
from ankare.sample import pack_path


@cache
def sample_profile() -> Profile:
    """The profile of the sample pack. Raises ProfileError where the installed pack was damaged."""
    return load_profile(pack_path() / PROFILE_NAME)
