"""Leaves the workbench: immediately, unless something would be lost; then it names what, and leaves when
asked again."""

from __future__ import annotations

import contextlib

from spark_tui.errors import SparkError
from spark_tui.tui.screens.protocols import WorkbenchHost
from spark_tui.tui.settings.startup import Reopen

_WAITS = "spark: waiting for git, which still commits\r\n"


def quit(host: WorkbenchHost) -> None:
    """At once, or when asked again."""
    if not _asks(host, f"{host.keymap.shown('quit')} again quits"):
        host.exit_with(0)


def reopen(host: WorkbenchHost, session_id: str) -> None:
    """Close, and begin again with a kept session, or without an id a new one. The journal holds all that is
    shown, but not what is only typed."""
    if host.controller.unsaved_files.unsaved:
        host.show_message(f"what you typed is not saved: {host.keymap.shown('save')} saves it", True)
    elif host.code.typed_hunk:
        host.show_message("what you typed in the hunk is not kept: Esc keeps it", True)
    else:
        host.exit_with(Reopen(session_id))


def interrupt(host: WorkbenchHost) -> None:
    """What is selected is copied; else once stops, twice quits."""
    typed = host.code.editor.buffer.selected if host.code.editor else ""
    selected = host.get_selected_text() or host.prompt.selected_text or typed
    if selected:
        host.copy(selected)
        host.clear_selection()
        return
    again = f"{host.keymap.shown('interrupt')} again quits"
    if host.controller.stop():
        # Whether it has stopped yet, the status and the transcript say.
        host.show_message(again)
        host.asked.quit = True
    elif not _asks(host, again):
        if host.asked.quit:
            host.exit_with(0)
            return
        host.show_message(again)
        host.asked.quit = True


def leave(host: WorkbenchHost) -> str:
    """The shell's screen is back, and the session is closed next, which waits for a commit: say so, and keep
    what is typed. The id of the session that holds it; empty if there is none."""
    if host.asked.commit:
        host.write_terminal(_WAITS)
    return _keep_typing(host)


def _keep_typing(host: WorkbenchHost) -> str:
    """If spark is ended by a signal or an error, nobody was asked: keep what is typed and not saved as a
    session, and an edit of a hunk as made. The id of the session; empty if there is none, or it could not be
    kept."""
    drafts, typed = host.controller.unsaved_files.unsaved, host.code.typed_hunk
    if not host.app.return_code or not (drafts or typed):
        return ""
    from spark_tui.jobs.kept_typing import keep_typing

    session, texts = host.controller.session, {draft.path: tuple(draft.lines) for draft in drafts}
    with contextlib.suppress(SparkError, OSError):
        if typed:
            session.decisions.decide(typed.hunk_id, typed.decision, typed.text)
        if texts:
            return keep_typing(session.root, session.folder.parent.parent, session.manual_edits.typed(texts))
    return ""


def _asks(host: WorkbenchHost, again: str) -> bool:
    """Whether the person is asked first: hunks that are accepted and not written, text that is typed and not
    saved or in a hunk, a commit that goes on."""
    lost, save = [], ""
    if typed := host.controller.unsaved_files.unsaved:
        lost.append("not saved: " + ", ".join(draft.path for draft in typed))
        save = f", {host.keymap.shown('save')} saves"
    if host.code.typed_hunk:
        lost.append("what you typed in the hunk is not kept")
        save += ", Esc keeps it"
    if waiting := len(host.controller.turn_state.taken()):
        plural = "s are" if waiting > 1 else " is"
        lost.append(f"{waiting} accepted hunk{plural} not written")
        way = "" if host.focused is not host.prompt else f"{host.keymap.shown('queue')} then "
        save += f", {way}{host.keymap.shown('write')} writes"
    if host.controller.review.committing:
        lost.append("git still commits, and its hooks are waited for")
    if not lost or host.asked.quit:
        return False
    host.asked.quit = True
    host.show_message(f"{'; '.join(lost)}: {again}{save}", True)
    return True
