"""The code pane with its keys and mouse: moving, choosing lines, selecting and typing."""

from __future__ import annotations

import re

from textual import events
from textual.selection import Selection

from spark_tui.events import Decided
from spark_tui.tui.code.hunk_view import HunkView, LineSelection
from spark_tui.tui.code.text_search import SearchHit
from spark_tui.tui.code.unsaved_edits import UnsavedFile
from spark_tui.tui.messages import CopyRequested, TextTyped, ViewMoved
from spark_tui.tui.text.safe_text import column_of, index_at
from spark_tui.tui.widgets.code_editor import FileEditor, HunkEditor
from spark_tui.tui.widgets.code_search import CodeSearch
from spark_tui.tui.widgets.file_view import MINIMAP_CELLS, FilePane
from spark_tui.tui.widgets.row_painter import line_of

_AROUND = 3
"""Rows that stay in view above and below the one of the keys."""
_WORD = re.compile(r"\s*(?:\w+|[^\w\s]+)\s?|\s+")


class CodeView(FilePane):
    """What is typed goes into `editor`: the new side of a hunk, or the file."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.search = CodeSearch(self, self._search_kept)
        self.offered = False
        """Whether a next edit is offered, which Tab shows."""
        self.clip = ""
        """What was cut or copied last."""
        self._clicked: tuple[int, int] | None = None
        """The row and the character of it that the mouse pointed at last."""

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """What the mouse has selected: source lines, unwrapped, as they are."""
        last = self.layout_rows.height - 1
        first = selection.start.y if selection.start is not None else 0
        end = min(selection.end.y, last) if selection.end is not None else last
        lines: list[str] = []
        for y in range(first, end + 1):
            row = self.layout_rows.row(y)
            span = self._painter.text.selected(row, y, selection)
            if span is not None and row.kind not in ("fold", "gone", "failed"):
                lines.append(self._painter.text.text_of(row)[slice(*span)])
        return "\n".join(lines), "\n"

    def place(self) -> tuple[int, tuple[int, int] | None]:
        """Where the person looks in the file as read, 1-based: the line of the keys, and the selected
        lines."""
        line = self.layout_rows.row(self.cursor).old + 1
        selection = self.text_selection
        if selection is None or selection.start is None or selection.end is None:
            return line, None
        rows = [self.layout_rows.row(y).old for y in range(selection.start.y, selection.end.y + 1)]
        known = [row + 1 for row in rows if row >= 0]
        return line, (known[0], known[-1]) if known else None

    def column(self) -> int:
        """The character of the line of the keys at which text was found or the mouse was; -1: neither."""
        hit, (y, column) = self._found_here(), self._clicked or (-1, 0)
        if hit is not None and not hit.new:
            return hit.start
        return column if y == self.cursor else -1

    # Moving

    def move(self, action: str) -> None:
        """The movements of the registry."""
        page = max(self.size.height - 2, 1)
        step = {"line.down": 1, "line.up": -1, "page.down": page, "page.up": -page}
        last = max(self.layout_rows.height - 1, 0)
        if action in ("left", "right"):
            self.scroll_to(x=max(self.scroll_offset.x + (8 if action == "right" else -8), 0), animate=False)
            return
        # From what is on the screen: the view went on without the keys where it followed, or by the mouse.
        top = self.scroll_offset.y
        seen = max(min(self.cursor, top + self.size.height - 1), top)
        target = {"top": 0, "bottom": last}.get(action, seen + step.get(action, 0))
        self.go_to(min(max(target, 0), last), around=_AROUND)
        self.following = False
        self.post_message(ViewMoved())

    # Typing

    def edit(self, hunk: HunkView) -> None:
        """Keys go into the new side of this hunk from now on: at the first letter of the line of the keys."""
        row, hit = self.row_at_cursor(), self._found_here()
        editor = HunkEditor(hunk, max(row.index, 0) if row.hunk == hunk.id else 0)
        if hit is not None and hit.new and hit.hunk == hunk.id:
            editor.buffer.go_to(hit.line, hit.start)
        self._begin(editor)

    def type_into(self, draft: UnsavedFile) -> None:
        """Keys go into the file from now on."""
        self._begin(FileEditor(draft))

    def _begin(self, editor: HunkEditor | FileEditor) -> None:
        # Letters are text from here on, `n` among them.
        self.following, self.find = False, None
        self.editor = editor
        editor.buffer.page = max(self.size.height - 2, 1)
        self._typed()

    @property
    def typed_hunk(self) -> Decided | None:
        """The edit of the hunk into which something was typed."""
        editor = self.editor
        if not isinstance(editor, HunkEditor) or not editor.buffer.changed:
            return None
        return Decided(editor.hunk_id, "edited", editor.text)

    def end_edit(self) -> HunkEditor | FileEditor | None:
        editor, self.editor, self.ghost = self.editor, None, ""
        self.update()
        return editor

    def where_to_type(self) -> tuple[int, int]:
        """The row and the character of the file at which typing begins: where text was found or where the
        mouse was, else at the first letter of the line of the keys."""
        row, column = max(self.row_at_cursor().old, 0), self.column()
        if column < 0:
            line = self.file.lines[row] if row < len(self.file.lines) else ""
            column = len(line) - len(line.lstrip(" \t"))
        return row, column

    def show_ghost(self, text: str) -> None:
        """Show what the model proposes after the caret; empty: nothing."""
        if text != self.ghost:
            self.ghost = text
            self.update()

    def _typed(self) -> None:
        """Show what was typed, with the caret in view."""
        editor = self.editor
        if editor is None:
            return
        first = editor.buffer.changed_from()
        if first is not None and isinstance(editor, FileEditor):
            self._painter.retext(first)
            self.file.hunks = editor.draft.hunks
        self.update()
        self.go_to(editor.y(self.layout_rows), around=_AROUND)
        at = column_of(editor.buffer.line, editor.buffer.column)
        room = self.size.width - self._painter.text.gutter - MINIMAP_CELLS - 1
        left = self.scroll_offset.x
        if not left + bool(left) <= at < left + room:  # in its first cell a line says that it is cut
            self.scroll_to(x=max(at - room // 2, 0), animate=False)

    def _press(self, editor: HunkEditor | FileEditor, event: events.Key) -> bool:
        """What a key does while something is typed into; False when it does nothing there."""
        buffer, version, ghost = editor.buffer, editor.buffer.version, self.ghost
        action = self.keymap.action("edit", event.key) or ""
        if action == "ghost.take" and self.offered and not ghost:
            self.typeahead.ask(self, action)
            return True
        self.ghost = ""
        if ghost and action in ("ghost.take", "ghost.word"):
            word = _WORD.match(ghost)
            taken = word.group() if word and action == "ghost.word" else ghost
            buffer.insert(taken)
            self.ghost = ghost[len(taken) :]
        elif action == "type.paste":
            buffer.paste(self.clip)
        elif action in ("type.cut", "type.copy"):
            self.clip = buffer.cut() if action == "type.cut" else buffer.taken()
            self.post_message(CopyRequested(self.clip))
        elif action.startswith("type."):
            buffer.do(action.removeprefix("type."))
        elif buffer.press(event.key, event.character):
            if event.character and ghost.startswith(event.character) and buffer.version != version:
                self.ghost = ghost[1:]
        else:
            self.ghost = ghost
            return False
        self._typed()
        changed = buffer.version != version
        self.post_message(TextTyped(changed and not self.ghost, changed))
        return True

    def on_key(self, event: events.Key) -> None:
        if self.typeahead.takes(event):
            return
        if self.search.press(event):
            pass
        elif not (self.editor is not None and self._owns(event.key) and self._press(self.editor, event)):
            action = self.keymap.action("edit" if self.editor else "code", event.key)
            if action is None:
                return
            if action in ("find", "find.slash") and self.file.path:
                # At once: the next letter may be there already, and is no command.
                self.search.begin()
            else:
                self.typeahead.ask(self, action)
        event.stop()
        event.prevent_default()

    def _owns(self, key: str) -> bool:
        """Keys of the text itself; those that count anywhere go their way, except the one that dedents."""
        action = self.keymap.action("edit", key)
        return action is None or key == "shift+tab" or action.startswith(("type.", "ghost."))

    def on_paste(self, event: events.Paste) -> None:
        if self.search.paste(event.text):
            event.stop()
        elif self.editor is not None:
            event.stop()
            self.ghost = ""
            self.editor.buffer.paste(event.text)
            self._typed()
            self.post_message(TextTyped(True, True))

    # Looking for text

    def _search_kept(self) -> None:
        """While typing in the file, the caret moves to the match and typing continues."""
        hit, editor = self.find.hit if self.find else None, self.editor
        if editor is None or self.find is None:
            return
        self.search.end()
        if hit is not None:
            row = self.layout_rows.row(hit.y)
            into = editor.row_of(row, "new" if hit.new else row.kind)
            if into >= 0:
                editor.buffer.go_to(into, hit.start)
                self._typed()

    def _found_here(self) -> SearchHit | None:
        """The place that was jumped to, while the keys are on it."""
        hit = self.find.hit if self.find else None
        return hit if hit is not None and hit.y == self.cursor else None

    def on_blur(self) -> None:
        super().on_blur()
        if self.find is not None and self.find.typing and self.app.app_focus:
            # To another pane, not to another window.
            self.search.keep()

    # Choosing lines

    def choose_line(self, hunk: HunkView) -> None:
        """Take the line at the cursor out of the hunk, or in again."""
        if self.choice is None or self.choice.hunk_id != hunk.id:
            self.choice = LineSelection(hunk.id)
        line = line_of(self.row_at_cursor())
        if line is not None and self.row_at_cursor().hunk == hunk.id:
            self.choice.toggle(line)
        self.update()

    def end_choice(self) -> LineSelection | None:
        choice, self.choice = self.choice, None
        self.update()
        return choice

    # The mouse

    def on_click(self, event: events.Click) -> None:
        y = min(event.y + self.scroll_offset.y, max(self.layout_rows.height - 1, 0))
        row = self.layout_rows.row(y)
        at = event.x - self._painter.text_from(row, self.size.width - MINIMAP_CELLS) + self.scroll_offset.x
        self._clicked = y, index_at(self._painter.text.text_of(row), max(at, 0))
        if self.find is not None and self.find.typing:
            self.search.keep()
        self.go_to(y)
        editor = self.editor
        if editor is not None:
            into = max(editor.row_of(row, "new"), editor.row_of(row, row.kind))
            if into >= 0:
                editor.buffer.go_to(into, self._clicked[1])
                self.ghost = ""
                self._typed()
        self.post_message(ViewMoved())

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, 3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -3)

    def _wheel(self, event: events.MouseEvent, rows: int) -> None:
        event.stop()
        self.scroll_to(y=self.scroll_offset.y + rows, animate=False)
        self.following = False
        self.post_message(ViewMoved())
