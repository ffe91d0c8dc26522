"""Which file stands on the stage, with the hunks and the typing in it.

Comes in: what changed on the board, what the person wants to see. Goes out: a `FileViewport` for the code
pane, hunks for the list. Must not know: keys, how anything is drawn.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

from spark_tui.context.mentions import find_mentions
from spark_tui.tui.hunk_view import HunkView
from spark_tui.tui.turn_state import TouchedFile
from spark_tui.tui.widgets.code_view import FileViewport

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench


class OpenFile:
    """What is shown, as against how."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    def changed(self, touched: TouchedFile) -> None:
        """The board is another: follow the stream, and read again what may be another file now."""
        bench, board, code = self._bench, self._bench.conductor.board, self._bench.code
        if touched.started:
            bench.conductor.typist.settle()
        if touched.opened and code.following and not bench.walk.chosen:
            bench.walk.current_id = touched.opened[-1]
        # A short answer opens and closes within one batch: it is gone to as well.
        stream = next((h for h in board.hunks.values() if h.state == "streaming"), None)
        if stream is None and touched.opened and not bench.walk.chosen:
            stream = board.hunks.get(touched.opened[-1])
        wanted = stream.path if stream and code.following and not stream.changes_nothing else code.file.path
        if not wanted and board.paths():
            wanted = board.paths()[0]
        again = touched.started or wanted != code.file.path or code.file.path in touched.paths
        drafts = set(bench.conductor.typist.drafts)
        typed = drafts if touched.started else drafts & touched.paths
        if again or typed:
            bench.later(partial(self._read_again, wanted if again else "", typed))
        elif touched.hunks or touched.ended:
            self.show_hunks()

    async def _read_again(self, wanted: str, typed: Collection[str]) -> None:
        await self._bench.conductor.typist.keep_up(typed)
        await self.show_file(wanted)

    async def show_file(self, path: str) -> None:
        """Put a file on the stage."""
        bench = self._bench
        if path:
            lines = await bench.conductor.lines_of(path)
            typist = bench.conductor.typist
            hunks, draft = typist.hunks(path), typist.drafts.get(path)
            bench.code.current = bench.walk.current_id
            bench.code.show_file(FileViewport(path, draft.lines if draft else lines, hunks, draft))
            bench.conductor.in_view = path
        self.show_hunks()
        bench.paint_rim()

    async def show_named(self, prompt: str) -> None:
        """Where nothing is open yet: the file that the prompt names. It is seen whatever the answer is, and
        what is said next is about it."""
        bench = self._bench
        for mention in find_mentions(prompt):
            if bench.code.file.path or bench.conductor.opening:
                return
            # A name without an ending may be a folder or a symbol.
            named = "." in mention.path and not mention.is_glob
            if named and await bench.conductor.lines_of(mention.path):
                if not bench.code.file.path:
                    await self.show_file(mention.path)
                    bench.code.go_to(bench.code.layout_rows.row_of_line(max(mention.first - 1, 0)))
                return

    def show_hunks(self) -> None:
        bench = self._bench
        typist, code = bench.conductor.typist, bench.code
        code.current = bench.walk.current_id
        code.show_hunks(typist.hunks(code.file.path))
        listed = [hunk for path in bench.conductor.board.paths() for hunk in typist.hunks(path)]
        bench.list.show_hunks([*listed, *typist.own_hunks()], bench.walk.current_id)

    def tell_place(self) -> None:
        """What the person looks at and has selected belongs to what is asked, in lines of the file on the
        disk."""
        bench, draft = self._bench, self._bench.code.file.draft
        line, selection = bench.code.place()
        if draft is not None:
            line = draft.back(line - 1) + 1 if line else 0
            selection = selection and (draft.back(selection[0] - 1) + 1, draft.back(selection[1] - 1) + 1)
        bench.conductor.cursor, bench.conductor.selection = line, selection

    def stuck(self, hunks: Collection[HunkView]) -> list[HunkView]:
        """Those that cannot be taken as the text is; the rim says so."""
        found = self._bench.conductor.typist.in_conflict(hunks)
        if found:
            numbers = ", ".join(hunk.label for hunk in found)
            keys = self._bench.keymap
            self._bench.say(
                f"≠ your text and hunk {numbers} change the same lines: {keys.shown('reject')} rejects the"
                f" hunk, {keys.shown('type.undo')} while typing undoes yours",
                True,
            )
        return found
