"""A home on a medium that nobody can write to is read like any other."""

from __future__ import annotations

from pathlib import Path

from ankare.index.home import Home
from ankare.index.protocol import LexicalQuery, WeightedTerm
from ankare.ingest.run import ingest


def test_an_index_in_which_no_lock_can_be_made_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Driften ska testas av beställaren.")
    home = Home(tmp_path / "home")
    ingest([tmp_path / "a.txt"], home)
    folder = home.version_folder() / "tantivy"
    for lock in (".tantivy-meta.lock", ".tantivy-writer.lock"):
        (folder / lock).unlink(missing_ok=True)
        (folder / lock).mkdir()  # not even the superuser, whom no file mode keeps out, can open it as a file
    index = home.open_current().index
    (hit,) = index.search(LexicalQuery((WeightedTerm("drift", 1.0),)), 3)
    assert index.chunks([hit.chunk_id])[0].text.startswith("Driften")
