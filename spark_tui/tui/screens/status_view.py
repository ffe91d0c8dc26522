"""Paints the rim of the workbench from what stands on it: header, title, the prompt's edge, status, footer.

Comes in: the workbench. Goes out: pieces for its bars, which draw only when they differ. Must not know: keys.
"""

from __future__ import annotations

from typing import Protocol

from textual.widget import Widget

from spark_tui.events import Failed
from spark_tui.tui import status_text
from spark_tui.tui.hunk_view import MARKS
from spark_tui.tui.keys import Keymap, Place
from spark_tui.tui.screens.background_jobs import BackgroundJobs
from spark_tui.tui.screens.hunk_navigation import HunkNavigation
from spark_tui.tui.startup import Startup
from spark_tui.tui.tour import Tour
from spark_tui.tui.turn_controller import TurnController
from spark_tui.tui.view_state import ViewState, beside_prompt, footer
from spark_tui.tui.widgets.code_editor import FileEditor
from spark_tui.tui.widgets.code_view import CodeView
from spark_tui.tui.widgets.prompt import PromptBox
from spark_tui.tui.widgets.status_bar import StatusBar
from spark_tui.tui.widgets.wafer_panel import WaferPanel

_UNFINISHED = ("interrupted", "length")


class ViewStateHost(Protocol):
    """What the meaning of a key depends on."""

    conductor: TurnController
    walk: HunkNavigation
    code: CodeView
    prompt: PromptBox

    @property
    def pane(self) -> Widget: ...

    def has_class(self, *class_names: str) -> bool: ...


class StatusHost(ViewStateHost, Protocol):
    """What the bars of the workbench show, and the bars."""

    background: BackgroundJobs
    keymap: Keymap
    message: tuple[str, bool]
    start: Startup
    tour: Tour | None
    wafer: WaferPanel

    def bar(self, name: str) -> StatusBar: ...


def situation(host: ViewStateHost, place: Place | None = None) -> ViewState:
    """What the meaning of a key rests on, now; or as it would be at another place."""
    board, hunk, typist = host.conductor.board, host.walk.current, host.conductor.typist
    here: Place = "prompt" if host.pane is host.prompt else "edit" if host.code.editor else "code"
    return ViewState(
        place=place or here,
        busy=board.busy,
        typed=bool(host.prompt.text.strip()),
        queued=host.conductor.waiting,
        hunk=None if not hunk else "conflict" if typist.in_conflict([hunk]) else hunk.state,
        hunks=len(board.in_view()),
        open=len(board.open_hunks()),
        taken=len(board.taken()),
        written=host.conductor.can_undo,
        undone=host.conductor.can_redo,
        uncommitted=host.conductor.can_commit,
        following=host.code.following,
        resumable=isinstance(board.last, Failed)
        or (board.last is not None and board.last.reason in _UNFINISHED),
        turns=board.turn,
        branching=host.conductor.branch_from,
        goes_on=board.is_about_the_turn(host.prompt.text),
        unsaved=bool(typist.unsaved),
        in_file=isinstance(host.code.editor, FileEditor),
        ghost=bool(host.code.ghost),
        loading=host.conductor.loading is not None,
        finding="" if host.code.find is None else "typing" if host.code.find.typing else "found",
        next_pane="hunks" if host.pane is host.code and not host.has_class("-narrow") else "prompt",
    )


def paint(host: StatusHost) -> None:
    conductor, board = host.conductor, host.conductor.board
    host.prompt.queues = board.busy or conductor.opening or board.is_about_the_turn(host.prompt.text)
    now = situation(host)
    if conductor.opening:
        root, backend, window, mode = host.start.root.name, "opening …", 0, ""
    else:
        session = conductor.session
        root, backend, window = session.root.name, session.backend.name, session.backend.window
        mode = status_text.mode(session.settings)
    jobs = host.background.word
    host.bar("header").show(
        *status_text.header(root, conductor.branch, conductor.dirty, backend, window, mode, jobs)
    )
    host.bar("said-edge").show(*status_text.said_edge(host.tour.sentence if host.tour else ""))
    path, draft = host.code.file.path, host.code.file.draft
    path += f" {MARKS['unsaved']}" if draft is not None and draft.dirty else ""
    hunks = board.of_file(host.code.file.path)
    host.bar("title").show(
        *status_text.title(path, hunks, board, host.code.following, host.code.view, host.code.find)
    )
    host.bar("edge").show(*status_text.prompt_edge("you", beside_prompt(now, host.keymap)))
    text, problem = host.message
    busy_with = "opening" if conductor.opening else ""
    if conductor.loading is not None:
        busy_with = status_text.loading(
            conductor.loading.name, conductor.loading.done, conductor.loading.total
        )
    wafer_rate = host.wafer.rate if host.wafer.display else 0.0
    status = status_text.status(board, window, conductor.waiting, text, problem, busy_with, wafer_rate)
    host.bar("status").show(*status)
    host.bar("footer").show(*status_text.footer(footer(now, host.keymap)))
