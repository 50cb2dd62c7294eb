"""Which text becomes which document?"""

from __future__ import annotations

from pathlib import Path

from ankare.sample.generate import office
from ankare.sample.generate.source import read_manuscript
from ankare.sample.generate.typeset import typeset

TEXTS = Path(__file__).parent / "texts"


def build(folder: Path) -> list[str]:
    """Write every document of the pack into `folder`; returns the file names, sorted."""
    documents: dict[str, bytes] = {}
    for path in sorted(TEXTS.iterdir()):
        if path.suffix == ".md" or path.name.endswith(".earlier.toml"):
            manuscript = read_manuscript(path)
            documents[manuscript.file] = office.WRITERS.get(Path(manuscript.file).suffix, typeset)(manuscript)
        elif path.name.endswith(".sheets.toml"):
            documents.update(office.workbook(path))
    for path in sorted((TEXTS / "verbatim").iterdir()):
        documents[path.name] = path.read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in sorted(documents.items()):
        (folder / name).write_bytes(content)
    return sorted(documents)
