"""`ankare embed` promises that meaning is ready when it ends, also where another process has begun."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

from ankare.index.home import Home
from ankare.ingest.run import ingest


def test_embed_waits_for_the_process_that_is_embedding(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Driften testas av beställaren.", encoding="utf-8")
    home = Home(tmp_path / "home")
    ingest([tmp_path / "a.txt"], home)
    home.embeddings.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "ankare", "embed", "--home", str(home.path)]
    with (home.embeddings / "lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert "waiting" in process.stdout.readline()
        assert process.poll() is None
        assert not (home.embeddings / home.version_folder().name / "layout.json").exists()
    process.communicate(timeout=120)
    assert process.returncode == 0
    assert (home.embeddings / home.version_folder().name / "layout.json").is_file()
