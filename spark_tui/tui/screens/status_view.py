"""Paints the bars of the workbench: header, title, the edge of the prompt, status line and footer."""

from __future__ import annotations

import asyncio
from typing import Protocol

from rich.cells import cell_len

from spark_tui.edits.hunk_split import splits
from spark_tui.tui import status_text
from spark_tui.tui.code.hunk_view import MARKS, HunkView
from spark_tui.tui.screens.edits.edit_offers import EditOffers
from spark_tui.tui.screens.lists.background_jobs import BackgroundJobs
from spark_tui.tui.screens.lists.check_list import CheckList
from spark_tui.tui.screens.turns.prompts import PromptsHost
from spark_tui.tui.settings.keys import Place
from spark_tui.tui.turns.turn_ending import is_unfinished
from spark_tui.tui.view_state import ViewState, beside_prompt, beside_transcript, counts, footer
from spark_tui.tui.widgets.code_editor import FileEditor


class StatusHost(PromptsHost, Protocol):
    """What the bars of the workbench show."""

    background_jobs: BackgroundJobs
    check_list: CheckList
    edit_offers: EditOffers

    @property
    def painted(self) -> asyncio.Event: ...


def fit(message: str, width: int) -> tuple[str, bool]:
    """The message as it is shown in this width, and whether a part is cut off: not what to do about it, which
    then comes first."""
    cut = cell_len(message) + 2 > width
    swap = cut and "\n" not in message
    return " — ".join(reversed(message.split(" — ", 1))) if swap else message, cut


def view_state(host: StatusHost, place: Place | None = None) -> ViewState:
    """What the meaning of a key rests on, now; or as it would be at another place."""
    turn_state, unsaved_files = host.controller.turn_state, host.controller.unsaved_files
    hunk = host.navigation.current
    stuck = hunk and (unsaved_files.in_conflict([hunk]) or (hunk.stale and hunk.state == "closed"))
    here: Place = "prompt" if host.pane is host.prompt else "edit" if host.code.editor else "code"
    return ViewState(
        place=place or here,
        busy=turn_state.busy,
        typed=bool(host.prompt.text.strip()),
        queued=host.controller.waiting,
        hunk="conflict" if stuck else hunk.state if hunk else None,
        choosing=hunk is not None and hunk is host.navigation.choosing,
        splits=hunk is None or _is_splittable(hunk),
        breaks=bool(hunk and hunk.breaks),
        hunks=len(turn_state.in_view()),
        open=len(turn_state.open_hunks()),
        left_out=bool(host.asked.marked),
        taken=len(turn_state.taken()),
        written=host.controller.review.can_undo,
        undone=host.controller.review.can_redo,
        uncommitted=host.controller.review.can_commit,
        in_git=bool(host.controller.branch),
        following=host.code.following,
        resumable=is_unfinished(turn_state.last),
        turns=turn_state.turn,
        delivered=turn_state.metrics.delivered,
        choices=len(turn_state.choices),
        branching=host.controller.branch_from,
        goes_on=turn_state.is_about_the_turn(host.prompt.text),
        unsaved=bool(unsaved_files.unsaved),
        file=bool(host.code.file.path),
        in_file=isinstance(host.code.editor, FileEditor),
        ghost=bool(host.code.ghost),
        offer=host.edit_offers.state,
        loading=host.controller.loading is not None,
        finding="" if host.code.find is None else "typing" if host.code.find.typing else "found",
        selected=bool(host.selections),
        questioned=getattr(host.app.screen, "questions", False),
        transcript=host.transcript.hidden,
        tall=host.transcript.unfolded,
        next_pane="hunks" if host.pane is host.code and not host.has_class("-narrow") else "prompt",
    )


def _is_splittable(hunk: HunkView) -> bool:
    """Whether a hunk, whose end is known, can be made smaller."""
    return hunk.kind == "edit" and hunk.state != "streaming" and splits(hunk.old, tuple(hunk.new))


def paint(host: StatusHost) -> None:
    host.prompts.read_ahead(moved=True)
    controller, turn_state = host.controller, host.controller.turn_state
    host.prompt.queues = (
        turn_state.busy or controller.opening or turn_state.is_about_the_turn(host.prompt.text)
    )
    now = view_state(host)
    host.prompt.resumes = counts("resume", now)
    if controller.opening:
        root, backend, window, mode = host.start.root.name, "opening …", 0, ""
    else:
        session = controller.session
        root, backend, window = session.root.name, session.backend.name, session.backend.window
        mode = status_text.mode(session.settings)
    jobs = host.background_jobs.word
    host.bar("header").show(
        *status_text.header(root, controller.branch, controller.dirty, backend, window, mode, jobs)
    )
    tour = host.tour.sentence if host.tour else ""
    host.bar("transcript-edge").show(*status_text.transcript_edge(tour, beside_transcript(now, host.keymap)))
    path, draft = host.code.file.path, host.code.file.draft
    path += f" {MARKS['unsaved']}" if draft is not None and draft.dirty else ""
    hunks = turn_state.of_file(host.code.file.path)
    host.bar("title").show(
        *status_text.title(
            path,
            hunks,
            turn_state,
            host.code.following,
            host.code.view,
            host.code.find,
            has_keys=host.pane is host.code,
        )
    )
    host.bar("edge").show(*status_text.prompt_edge("you", beside_prompt(now, host.keymap)))
    text, problem = host.message
    text = text or ("" if turn_state.busy else host.edit_offers.line(host.keymap))
    busy_with = "opening" if controller.opening else ""
    if controller.loading is not None:
        busy_with = status_text.loading(
            controller.loading.name, controller.loading.done, controller.loading.total
        )
    wafer_rate = host.wafer.rate if host.wafer.display else 0.0
    left, right = status_text.status(
        turn_state, window, controller.waiting, text, problem, busy_with, wafer_rate
    )
    if not (text or busy_with or turn_state.busy):
        preview, is_read = host.prompts.preview
        by_reader = preview is not None and now.place == "prompt" and not (now.goes_on or now.branching)
        ahead = status_text.preview(preview, is_read) if preview is not None and by_reader else []
        hunk = host.navigation.current
        # Beside the outcome of a turn, in the prompt, an earlier hunk's mark would read as one of that turn.
        doubted = hunk is not None and (host.pane is not host.prompt or hunk.turn == turn_state.turn)
        left = ahead or [*left, *(status_text.doubt(hunk) if doubted else [])]
    host.bar("status").show(left, right)
    host.bar("footer").show_keys(footer(now, host.keymap))
