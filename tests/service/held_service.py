"""A service in a process of its own whose questions wait until a file is there: `python -m ... HOME`.

Tells its port on the first line. An answer is made once `go` lies in the home; `begun` says that a question is waiting. With
HELD_LOOKS in the environment it ends too where nobody waits for it any more.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

from ankare.domain.cancel import check_wanted
from ankare.domain.reply import Reply
from tests.service.scripted import ScriptedEngine, ScriptedShelf


class HeldEngine(ScriptedEngine):
    """Answers once it may."""

    home = Path()

    def ask(self, question: str, **given: Any) -> Reply:
        (self.home / "begun").touch()
        while not (self.home / "go").exists():
            time.sleep(0.02)
            if "HELD_LOOKS" in os.environ:
                check_wanted()
        return super().ask(question, **given)


def main() -> None:
    from ankare.cli import serve
    from ankare.service import app

    home = Path(sys.argv[1])
    engine, shelf = HeldEngine(), ScriptedShelf(home)
    engine.home = home
    made = app.create_app
    app.create_app = lambda settings: made(settings, engine, shelf)  # type: ignore[misc, assignment]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    print(port, flush=True)  # noqa: T201
    serve.serve(host="127.0.0.1", port=port, home=home, pack=None, workers=None)


if __name__ == "__main__":
    main()
