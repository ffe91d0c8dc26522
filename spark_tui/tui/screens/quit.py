"""Leaves the workbench: immediately, unless something would be lost; then it names what, and leaves when
asked again."""

from __future__ import annotations

from typing import Protocol

from spark_tui.errors import SparkError
from spark_tui.tui.confirmations import Confirmations
from spark_tui.tui.screens.protocols import MessageHost
from spark_tui.tui.settings.startup import Reopen
from spark_tui.tui.turns.controller import TurnController
from spark_tui.tui.widgets.code_view import CodeView
from spark_tui.tui.widgets.prompt import PromptBox


class ReopenHost(MessageHost, Protocol):
    """Ends with a result."""

    controller: TurnController

    def exit_with(self, result: int | SparkError | Reopen) -> None: ...


class QuitHost(ReopenHost, Protocol):
    """Has text that may be selected, and remembers that it asked before."""

    code: CodeView
    prompt: PromptBox
    asked: Confirmations

    def copy(self, text: str) -> None: ...

    def get_selected_text(self) -> str | None: ...

    def clear_selection(self) -> None: ...


def quit(host: QuitHost) -> None:
    """At once, or when asked again."""
    if not _asks(host, f"{host.keymap.shown('quit')} again quits"):
        host.exit_with(0)


def reopen(host: ReopenHost, session_id: str) -> None:
    """Close, and begin again with a kept session; its journal holds all that is shown, but not what is only
    typed."""
    if host.controller.unsaved_files.unsaved:
        host.show_message(f"what you typed is not saved: {host.keymap.shown('save')} saves it", True)
    else:
        host.exit_with(Reopen(session_id))


def interrupt(host: QuitHost) -> None:
    """What is selected is copied; else once stops, twice quits."""
    typed = host.code.editor.buffer.selected if host.code.editor else ""
    selected = host.get_selected_text() or host.prompt.selected_text or typed
    if selected:
        host.copy(selected)
        host.clear_selection()
        return
    again = f"{host.keymap.shown('interrupt')} again quits"
    if host.controller.stop():
        host.show_message(f"stopping; {again}")
        host.asked.quit = True
    elif not _asks(host, again):
        if host.asked.quit:
            host.exit_with(0)
            return
        host.show_message(again)
        host.asked.quit = True


def _asks(host: QuitHost, again: str) -> bool:
    """Whether the person is asked first: hunks that are accepted and not written, text that is typed and not
    saved."""
    lost, save = [], ""
    if typed := host.controller.unsaved_files.unsaved:
        lost.append("not saved: " + ", ".join(draft.path for draft in typed))
        save = f", {host.keymap.shown('save')} saves"
    if waiting := len(host.controller.turn_state.taken()):
        plural = "s are" if waiting > 1 else " is"
        lost.append(f"{waiting} accepted hunk{plural} not written")
        save += ", Tab then w writes"
    if not lost or host.asked.quit:
        return False
    host.asked.quit = True
    host.show_message(f"{'; '.join(lost)}: {again}{save}", True)
    return True
