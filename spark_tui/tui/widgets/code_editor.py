"""The carets of the code pane: in the new side of a hunk, or in the file itself. A hunk keeps its text in the
turn state until the session has taken the edit."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.tui.code.code_layout import CodeLayout, CodeRow
from spark_tui.tui.code.hunk_view import HunkView
from spark_tui.tui.code.unsaved_edits import UnsavedFile
from spark_tui.tui.text.buffer import Place, TextBuffer


class HunkEditor:
    """One hunk being typed into."""

    def __init__(self, hunk: HunkView, row: int = 0) -> None:
        self.hunk_id = hunk.id
        self._hunk = hunk
        line = hunk.new[row] if row < len(hunk.new) else ""
        self.buffer = TextBuffer(hunk.new, row, len(line) - len(line.lstrip(" \t")))

    def working(self, hunk: HunkView) -> HunkView:
        """What the code pane shows of a hunk: of this one both sides, as while it is open."""
        if hunk.id != self.hunk_id:
            return hunk
        return replace(self._hunk, start=hunk.start, new=list(self.buffer.lines), tail="", state="closed")

    def row_of(self, row: CodeRow, side: str) -> int:
        """Which row of the buffer a row of the pane shows; -1 for none."""
        return row.index if side == "new" and row.hunk == self.hunk_id else -1

    def y(self, layout: CodeLayout) -> int:
        """The row of the pane on which the caret is."""
        start, end = layout.span(self.hunk_id)
        return next((y for y in range(start, end) if layout.row(y).index == self.buffer.row), start)

    @property
    def text(self) -> str:
        """The new side with an end to each line; nothing at all when one empty line is left."""
        lines = self.buffer.lines
        return "" if lines == [""] else "\n".join(lines) + "\n"


class FileEditor:
    """A file being typed into."""

    def __init__(self, draft: UnsavedFile) -> None:
        self.draft = draft
        self.buffer = draft.buffer

    def working(self, hunk: HunkView) -> HunkView:
        return hunk

    def row_of(self, row: CodeRow, side: str) -> int:
        return row.old if side != "new" else -1

    def y(self, layout: CodeLayout) -> int:
        return layout.row_of_line(self.buffer.row)


Editor = HunkEditor | FileEditor


def marked(editor: Editor, at: int) -> tuple[int, int] | None:
    """The selected characters of a row of the buffer; the end of a line that continues counts as one."""
    found = editor.buffer.selection
    if found is None or not found[0][0] <= at <= found[1][0]:
        return None
    first: Place = found[0]
    last: Place = found[1]
    start = first[1] if at == first[0] else 0
    return start, last[1] if at == last[0] else len(editor.buffer.lines[at]) + 1
