"""What does `python -m ankare` do? The same as the `ankare` command."""

from __future__ import annotations

from ankare.cli.main import run

if __name__ == "__main__":
    run()
