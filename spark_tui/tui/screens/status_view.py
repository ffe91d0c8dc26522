"""Paints the rim of the workbench from what stands on it: header, title, the prompt's edge, status, footer.

Comes in: the workbench. Goes out: pieces for its bars, which draw only when they differ. Must not know: keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spark_tui.events import Failed
from spark_tui.tui import status_text
from spark_tui.tui.hunk_view import MARKS
from spark_tui.tui.keys import Place
from spark_tui.tui.view_state import ViewState, beside_prompt, footer
from spark_tui.tui.widgets.code_editor import FileEditor

_UNFINISHED = ("interrupted", "length")

if TYPE_CHECKING:
    from spark_tui.tui.screens.workbench import Workbench


def situation(bench: Workbench, place: Place | None = None) -> ViewState:
    """What the meaning of a key rests on, now; or as it would be at another place."""
    board, hunk, typist = bench.conductor.board, bench.walk.current, bench.conductor.typist
    here: Place = "prompt" if bench.pane is bench.prompt else "edit" if bench.code.editor else "code"
    return ViewState(
        place=place or here,
        busy=board.busy,
        typed=bool(bench.prompt.text.strip()),
        queued=bench.conductor.waiting,
        hunk=None if not hunk else "conflict" if typist.in_conflict([hunk]) else hunk.state,
        hunks=len(board.in_view()),
        open=len(board.open_hunks()),
        taken=len(board.taken()),
        written=bench.conductor.can_undo,
        undone=bench.conductor.can_redo,
        uncommitted=bench.conductor.can_commit,
        following=bench.code.following,
        resumable=isinstance(board.last, Failed)
        or (board.last is not None and board.last.reason in _UNFINISHED),
        turns=board.turn,
        branching=bench.conductor.branch_from,
        goes_on=board.is_about_the_turn(bench.prompt.text),
        unsaved=bool(typist.unsaved),
        in_file=isinstance(bench.code.editor, FileEditor),
        ghost=bool(bench.code.ghost),
        loading=bench.conductor.loading is not None,
        finding="" if bench.code.find is None else "typing" if bench.code.find.typing else "found",
        next_pane="hunks" if bench.pane is bench.code and not bench.has_class("-narrow") else "prompt",
    )


def paint(bench: Workbench) -> None:
    conductor, board = bench.conductor, bench.conductor.board
    bench.prompt.queues = board.busy or conductor.opening or board.is_about_the_turn(bench.prompt.text)
    now = situation(bench)
    if conductor.opening:
        root, backend, window, mode = bench.start.root.name, "opening …", 0, ""
    else:
        session = conductor.session
        root, backend, window = session.root.name, session.backend.name, session.backend.window
        mode = status_text.mode(session.settings)
    jobs = bench.background.word
    bench.bar("header").show(
        *status_text.header(root, conductor.branch, conductor.dirty, backend, window, mode, jobs)
    )
    bench.bar("said-edge").show(*status_text.said_edge(bench.tour.sentence if bench.tour else ""))
    path, draft = bench.code.file.path, bench.code.file.draft
    path += f" {MARKS['unsaved']}" if draft is not None and draft.dirty else ""
    hunks = board.of_file(bench.code.file.path)
    bench.bar("title").show(
        *status_text.title(path, hunks, board, bench.code.following, bench.code.view, bench.code.find)
    )
    bench.bar("edge").show(*status_text.prompt_edge("you", beside_prompt(now, bench.keymap)))
    text, problem = bench.message
    busy_with = "opening" if conductor.opening else ""
    if conductor.loading is not None:
        busy_with = status_text.loading(
            conductor.loading.name, conductor.loading.done, conductor.loading.total
        )
    wafer_rate = bench.wafer.rate if bench.wafer.display else 0.0
    status = status_text.status(board, window, conductor.waiting, text, problem, busy_with, wafer_rate)
    bench.bar("status").show(*status)
    bench.bar("footer").show(*status_text.footer(footer(now, bench.keymap)))
