"""Which version of ankare is this?"""

__version__ = "0.1.0"
