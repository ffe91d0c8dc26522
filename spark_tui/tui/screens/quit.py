"""Leaving the workbench: at once, unless something would be lost; then it says what, and leaves when asked
again.

Comes in: the workbench. Goes out: its result. Must not know: what keeps what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spark_tui.tui.startup import Reopen

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench


def quit(bench: Workbench) -> None:
    """At once, or when asked again."""
    if not _asks(bench, f"{bench.keymap.shown('quit')} again quits"):
        bench.end(0)


def reopen(bench: Workbench, session_id: str) -> None:
    """Close, and begin again with a kept session; its journal holds all that is shown, but not what is only
    typed."""
    if bench.conductor.typist.unsaved:
        bench.say(f"what you typed is not saved: {bench.keymap.shown('save')} saves it", True)
    else:
        bench.end(Reopen(session_id))


def interrupt(bench: Workbench) -> None:
    """What is selected is copied; else once stops, twice quits."""
    typed = bench.code.editor.buffer.selected if bench.code.editor else ""
    selected = bench.get_selected_text() or bench.prompt.selected_text or typed
    if selected:
        bench.copy(selected)
        bench.clear_selection()
        return
    again = f"{bench.keymap.shown('interrupt')} again quits"
    if bench.conductor.stop():
        bench.say(f"stopping; {again}")
        bench.quit_asked = True
    elif not _asks(bench, again):
        if bench.quit_asked:
            bench.end(0)
            return
        bench.say(again)
        bench.quit_asked = True


def _asks(bench: Workbench, again: str) -> bool:
    """Whether the person is asked first: hunks that are accepted and not written, text that is typed and not
    saved."""
    lost, save = [], ""
    if typed := bench.conductor.typist.unsaved:
        lost.append("not saved: " + ", ".join(draft.path for draft in typed))
        save = f", {bench.keymap.shown('save')} saves"
    if waiting := len(bench.conductor.board.taken()):
        plural = "s are" if waiting > 1 else " is"
        lost.append(f"{waiting} accepted hunk{plural} not written")
        save += ", Tab then w writes"
    if not lost or bench.quit_asked:
        return False
    bench.quit_asked = True
    bench.say(f"{'; '.join(lost)}: {again}{save}", True)
    return True
