"""ankare answers questions from your own documents, shows page and sentence, and says so when they do not hold the answer."""

from ankare._version import __version__

__all__ = ["__version__"]
