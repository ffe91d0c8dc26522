"""Problems in the current Python files of a tree: syntax errors and undefined names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spark_tui.codemods.checks.harm import CHECKS
from spark_tui.codemods.plan import Finding
from spark_tui.errors import UsageError
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.session.tree.exact_edits import WorkspaceFiles

MOST_SHOWN = 200
_KINDS = ("parses", "names")


def diagnose(root: Path, paths: Sequence[str] = (), cache: Path | None = None) -> list[Finding]:
    """The problems in these files, or in all. Raises UsageError for a file that is not listed."""
    files = WorkspaceFiles(root)
    listed = [path for path in files.paths() if path.endswith((".py", ".pyi"))]
    unknown = sorted(set(paths).difference(listed))
    if unknown:
        raise UsageError("no such Python file in this tree", where=unknown[0])
    here = Repository(files, index=Index(files, cache))
    nothing = Repository(DictTree({}))
    chosen = list(paths) or listed
    return sorted({item for kind in _KINDS for item in CHECKS[kind](nothing, here, chosen)})
