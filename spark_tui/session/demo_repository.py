"""The scratch copy of the example repository that `spark --demo` opens.

Comes in: nothing. Goes out: the folder of a fresh, committed copy, which stays for the person to play with.
Must not know: what is done in it.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from spark_tui.config import paths
from spark_tui.errors import NoPlace
from spark_tui.workspace.repository import create_repository


def make_demo() -> Path:
    source = paths.examples_dir() / "shop"
    if not source.is_dir():
        raise NoPlace(
            "the example repository is missing from this installation",
            where=str(source),
            hint="Install spark again.",
        )
    try:
        root = Path(tempfile.mkdtemp(prefix="spark-demo-")) / "shop"
        shutil.copytree(source, root, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    except OSError as error:
        raise NoPlace(
            f"cannot create the demo folder: {error.strerror}",
            where=tempfile.gettempdir(),
            hint="Set TMPDIR to a writable folder.",
        ) from error
    create_repository(root, message="The shop as it came")
    return root
