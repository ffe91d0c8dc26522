"""Exact edits in the workbench: opens the line in which a command is typed, and shows the planned edit as a
turn."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from spark_tui.session.exact.edit_cursor import Cursor
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.tui.screens.turns.prompts import PromptsHost
from spark_tui.tui.widgets.code_editor import FileEditor

NAMES: Collection[str] = ("rename", "signature", "imports", "extract", "test", "refactor")
"""The commands, each an action of the key table too."""


def open_line(host: PromptsHost, line: str, *, at_once: bool = False) -> None:
    """Lay the line over the workbench, with this in it; its edit becomes a turn."""
    from spark_tui.tui.screens.edits.edit_line import EditLine  # slow to import, and not needed before

    if host.controller.opening or host.controller.running:
        writing = f"the model is writing: {host.keymap.shown('stop')} stops it"
        told = "the session is still opening" if host.controller.opening else writing
        if host.pane is host.prompt and not host.prompt.text:
            host.prompt.insert(line)  # what is typed on would go there without it, and to the model
        host.show_message(told)
        return

    def take(planned: PlannedEdit | None) -> None:
        if planned is not None:
            run(host, planned)

    exact, cursor = host.controller.session.exact, cursor_of(host)
    host.push_overlay(EditLine(exact, host.palette, line, cursor, at_once=at_once), take)


def run(host: PromptsHost, planned: PlannedEdit) -> None:
    """Show the edit as the answer of a turn."""
    if host.controller.running:
        host.show_message("a turn has started; the edit was not shown", True)
        return
    # All of it comes at once: the view stays where it is, and goes to the first hunk, not to the last.
    host.code.following = host.navigation.chosen = False
    host.prompt.remember(planned.line)
    host.prompts.keep(planned.line)
    session = host.controller.session
    # The built-in model makes exact edits only.
    is_small = getattr(session.backend, "small_window", None) is not None
    if planned.line.startswith("/test") and planned.hunks and not is_small:
        # It is shown no hunks that are not written: it gets the skeleton, and its answer is the hunks.
        host.controller.submit(fill_tests(planned))
        return
    host.controller.show_turn(
        lambda stop: session.exact.run(planned, stop=stop),
        lambda: host.start_task(partial(_go_to_first, host)),
    )


def fill_tests(planned: PlannedEdit) -> str:
    """The instruction that completes the skeletons of tests."""
    hunk = planned.hunks[0]
    where = f"the new file {hunk.path}" if hunk.kind == "add" else f"@{hunk.path}"
    code = "\n".join(line for item in planned.hunks for line in item.new_lines).strip("\n")
    return (
        f"Write these tests into {where}, and complete them: replace `...` and the plain values by ones that"
        " matter, assert the results that the code gives, and take out the skip marks. Change nothing else."
        f"\n```python\n{code}\n```"
    )


async def _go_to_first(host: PromptsHost) -> None:
    """To the first new hunk of the file in view, else of all."""
    turn_state = host.controller.turn_state
    new = [hunk for hunk in host.navigation.ordered() if hunk.turn == turn_state.turn]
    here = [hunk for hunk in new if hunk.path == host.code.file.path]
    if new:
        await host.navigation.go_to((here or new)[0])
        host.navigation.chosen = False


def cursor_of(host: PromptsHost) -> Cursor:
    """Where the person is in the file in view."""
    host.open_file.report_position()
    controller, editor = host.controller, host.code.editor
    column = editor.buffer.column if isinstance(editor, FileEditor) else host.code.column()
    return Cursor(host.code.file.path, controller.cursor, column, controller.selection)
