"""A file as the code pane shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from spark_tui.tui.code.hunk_view import HunkView
from spark_tui.tui.code.unsaved_edits import UnsavedFile


@dataclass
class FileViewport:
    """The open file. With a draft, `lines` are the draft's and contain the hunks."""

    path: str = ""
    lines: Sequence[str] = ()
    hunks: Sequence[HunkView] = field(default_factory=list)
    draft: UnsavedFile | None = None
