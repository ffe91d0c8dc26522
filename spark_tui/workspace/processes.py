"""The environment that a command of the person's choice gets."""

from __future__ import annotations

import os
from pathlib import Path

_ELSEWHERE = frozenset(
    ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX")
)
"""Where spark was started by a git hook, these name the person's own repository."""


def environment(tree: Path) -> dict[str, str]:
    """The person's environment, adapted for a check of Python code in a copy of its tree."""
    own = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    # Two edits can come within one tick of the clock that compiled files are compared by.
    own["PYTHONDONTWRITEBYTECODE"] = "1"
    if any((tree / name).is_file() for name in ("pyproject.toml", "setup.py", "setup.cfg")):
        # Where the project is an editable install, its name would import the person's own tree.
        source = tree / "src" if (tree / "src").is_dir() else tree
        own["PYTHONPATH"] = os.pathsep.join(filter(None, (str(source), own.get("PYTHONPATH", ""))))
    return own
