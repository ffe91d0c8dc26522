"""What the screen knows: hunks, transcript and figures, derived from the events in journal order.

Decisions belong to the session, and show here when their event arrives or their call returns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import takewhile
from typing import Literal

from spark_tui import events
from spark_tui.edits.edit_failures import EditFailures
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import ExitCode
from spark_tui.events.tools import tool_line
from spark_tui.tui.code.hunk_view import (
    DOUBT_MARK,
    OPEN,
    REFUSED,
    STATE_OF,
    TAKEN,
    HunkState,
    HunkView,
)
from spark_tui.tui.turns.answer_wait import AnswerWait
from spark_tui.tui.turns.metrics import TurnMetrics
from spark_tui.tui.turns.session_access import one_line_error
from spark_tui.tui.turns.touched import Touched
from spark_tui.tui.turns.transcript_lines import (
    Speaker,
    TranscriptLine,
    change_line,
    choice_lines,
    failure_line,
    stopped_line,
    sum_of,
)
from spark_tui.tui.turns.turn_ending import Ending, TurnEnding, steers

Phase = Literal["idle", "reading", "streaming", "stopping", "steering"]


class TurnState:
    """The read model of one session."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.hunks: dict[int, HunkView] = {}
        self.lines: list[TranscriptLine] = []
        self.phase: Phase = "idle"
        self.turn = 0
        self.metrics = TurnMetrics()
        self.ending = TurnEnding()
        self.choices: tuple[str, ...] = ()
        """What the last turn may have meant; then the model."""
        self.wait = AnswerWait(clock)
        self._written: dict[str, tuple[int, ...]] = {}
        self._failures = EditFailures()
        self._outputs: dict[str, str] = {}
        """Of tools that are at work."""

    @property
    def last(self) -> Ending | None:
        return self.ending.last

    @property
    def busy(self) -> bool:
        return self.phase != "idle"

    def is_about_the_turn(self, text: str) -> bool:
        """Whether a message now steers the turn."""
        return not (self.busy or self.metrics.exact) and steers(text, self.last, self.of_turn())

    def in_view(self) -> list[HunkView]:
        """The hunks that change something, in the order in which they came."""
        # Nearly all have lines: asked first, as this is asked a dozen times a batch.
        return [
            hunk
            for hunk in self.hunks.values()
            if hunk.new or hunk.source.old_lines or not hunk.changes_nothing
        ]

    def of_turn(self) -> list[HunkView]:
        return [hunk for hunk in self.in_view() if hunk.turn == self.turn]

    def of_file(self, path: str) -> list[HunkView]:
        return [hunk for hunk in self.in_view() if hunk.path == path]

    def paths(self) -> list[str]:
        """Files with hunks, in the order in which they were first touched."""
        return list(dict.fromkeys(hunk.path for hunk in self.in_view()))

    def count(self, *states: HunkState) -> int:
        return sum(hunk.state in states for hunk in self.in_view())

    def open_hunks(self) -> list[HunkView]:
        return [hunk for hunk in self.in_view() if hunk.state in OPEN and hunk.state != "streaming"]

    def begin(self) -> None:
        """A turn or a leg was asked for; its first event is to come."""
        self.phase = "reading"
        self.ending.begin()
        self.wait.begin()
        self.metrics.start(self.clock())

    @property
    def failed_edits(self) -> int:
        """Edits of the turn that did not fit or were refused, and that the model did not write again."""
        return len(self._failures.left)

    def refuse(self, reason: str) -> None:
        """What was asked for did not begin."""
        self.add_line("error", reason)
        self.ending.refuse()

    def add_line(self, speaker: Speaker, text: str, detail: str = "") -> None:
        self.lines.append(TranscriptLine(speaker, text, detail))

    def apply(self, batch: Iterable[events.Event]) -> Touched:
        """Take in a batch, in order."""
        touched = Touched()
        batch = list(batch)
        now, lines = self.clock(), len(self.lines)
        for event in batch:
            self._one(event, touched)
        touched.transcript |= len(self.lines) > lines
        self.metrics.note(batch, now)
        return touched

    def _one(self, event: events.Event, touched: Touched) -> None:
        if thought := self.wait.note(event):
            self.add_line("note", thought, self.wait.thoughts)
        self._failures.note(event)
        match event:
            case events.TurnStarted():
                self._start(event, touched)
            case events.Finished() | events.Failed():
                self._end(event, touched)
            case events.Applied() | events.Undone():
                self._wrote(event, touched)
            case _:
                self._of_hunk(event, touched)

    def _start(self, event: events.TurnStarted, touched: Touched) -> None:
        from spark_tui.session.storage.index_rows import EXACT_BACKEND, JOB_BACKEND

        self.turn, self._failures, self._outputs = self.turn + 1, EditFailures(), {}
        if self.phase == "idle":
            self.begin()
        self.ending.forget()
        self.metrics.exact, self.choices = event.backend == EXACT_BACKEND, ()
        self.metrics.delivered = event.backend == JOB_BACKEND
        touched.paths.update(self.settle())
        self.add_line("you", event.prompt)
        touched.started = True

    def _said(self, event: events.Event, touched: Touched) -> None:
        """What is about no hunk."""
        match event:
            case events.Token():
                if self.phase == "reading":
                    self.phase = "streaming"
            case events.Prose(text):
                if not self.lines or self.lines[-1].speaker != "model":
                    self.add_line("model", "")
                self.lines[-1].text += text
                touched.transcript = True
            case events.ToolCalled(call_id):
                self._outputs[call_id] = ""  # an id may recur
            case events.ToolOutput(call_id, text):
                self._outputs[call_id] = self._outputs.get(call_id, "") + text
            case events.ToolFinished():
                if self.phase == "streaming":
                    self.phase = "reading"
                output = self._outputs.pop(event.call_id, "")
                self.add_line("note", tool_line(event).removeprefix("· "), output)
            case events.Choices(titles):
                self.choices = titles
                for line in choice_lines(titles, beside=bool(self.of_turn())):
                    self.add_line("note", line)
            case events.Chosen(number):
                self.add_line("note", f"choice {number}")
            case events.Interrupted(at, open_hunk):
                if self.phase != "steering":
                    self.add_line(
                        "note", stopped_line(at, self.hunks.get(open_hunk)), "".join(self._outputs.values())
                    )
                self._outputs.clear()
            case events.Steered(message):
                self.add_line("steer", message)

    def _of_hunk(self, event: events.Event, touched: Touched) -> None:
        """About a hunk, or else `_said`."""
        match event:
            case events.HunkOpened():
                self._open(event, touched)
            case events.HunkText(hunk_id, text):
                self.hunks[hunk_id].go_on()
                self.hunks[hunk_id].feed(text)
                touched.hunks.add(hunk_id)
            case events.HunkClosed():
                self._close(event, touched)
            case events.HunkFailed():
                self._fail(event, touched)
            case events.Doubt(hunk_id) if hunk_id in self.hunks:
                self._doubt(event, touched)
            case events.Checked(hunk_ids, note):
                for hunk in map(self.hunks.get, hunk_ids):
                    if hunk is not None:
                        hunk.breaks = ()
                touched.hunks.update(hunk_ids)
                if note:
                    self.add_line("note", note)
            case events.Decided(hunk_id, decision, text) if hunk_id in self.hunks:
                # Parts of a kept session that were split again are hidden.
                self.decide(hunk_id, decision, text)
                touched.hunks.add(hunk_id)
            case _:
                self._said(event, touched)

    def _open(self, event: events.HunkOpened, touched: Touched) -> None:
        if self.phase == "reading":
            self.phase = "streaming"  # an edit that is a tool call has no tokens
        place = Hunk(event.hunk_id, event.path, event.old_start, (), (), event.kind, event.new_path)
        self.hunks[event.hunk_id] = HunkView(place, event.old_count, turn=self.turn)
        touched.opened.append(event.hunk_id)
        touched.hunks.add(event.hunk_id)

    def _close(self, event: events.HunkClosed, touched: Touched) -> None:
        if event.hunk_id not in self.hunks:
            # A format may know the place only at the end; then the hunk opens and closes at once.
            self.hunks[event.hunk_id] = HunkView(Hunk.of(event), turn=self.turn)
            touched.opened.append(event.hunk_id)
        self.hunks[event.hunk_id].close(event)
        touched.hunks.add(event.hunk_id)

    def _fail(self, event: events.HunkFailed, touched: Touched) -> None:
        hunk = self.hunks.get(event.hunk_id)
        if hunk is None:
            hunk = HunkView(Hunk(event.hunk_id, event.path, max(event.line, 1), (), ()), turn=self.turn)
            self.hunks[event.hunk_id] = hunk
        hunk.note, hunk.removed = event.message, 0
        touched.hunks.add(event.hunk_id)
        if event.code == ExitCode.DONE:
            hunk.state = "left"
            return
        hunk.state = "failed"
        self.add_line("error", failure_line(event))

    def _doubt(self, event: events.Doubt, touched: Touched) -> None:
        """One of the model, or of a check, which names a place: of those the first of a hunk is said."""
        hunk = self.hunks[event.hunk_id]
        if event.path and not hunk.breaks:
            self.add_line("note", f"{DOUBT_MARK} hunk {hunk.label} {event.reason}")
        if event.path:
            hunk.breaks = (*hunk.breaks, event)
        else:
            hunk.doubt, hunk.doubt_reason = event.confidence, event.reason
        touched.hunks.add(event.hunk_id)

    def _wrote(self, event: events.Applied | events.Undone, touched: Touched) -> None:
        self.add_line("done", change_line(event))
        if isinstance(event, events.Applied):
            self._written[event.checkpoint] = event.hunks
            self._mark(event.hunks, "written")
            if event.note:
                self.add_line("note", f"{DOUBT_MARK} {event.note}")
        else:
            hunks = event.hunks or self._written.get(event.checkpoint, ())
            self._mark(hunks, "written" if event.redo else "undone")
        touched.paths.update(event.paths)
        touched.wrote = True

    def _mark(self, hunk_ids: Iterable[int], state: HunkState) -> None:
        for hunk_id in hunk_ids:
            if hunk_id in self.hunks:
                self.hunks[hunk_id].state = state

    def _end(self, event: events.Finished | events.Failed, touched: Touched) -> None:
        from spark_tui.session.reader.no_hunk_reason import DECLINED, why_no_hunk

        left_failures = {failure.hunk_id for failure in self._failures.left}
        for hunk in [item for item in self.of_turn() if item.state == "failed"]:
            if hunk.id not in left_failures:
                del self.hunks[hunk.id]  # the model wrote it again
        steering, self.ending.last = self.phase == "steering", event
        self.phase = "idle"
        if steering:
            touched.ended = True
            return
        if isinstance(event, events.Failed):
            self.add_line("error", one_line_error(event))
        elif (
            (self.metrics.exact and (event.reason != "stop" or not self.of_turn()))
            or event.reason == "choices"
            or (event.reason in DECLINED and self._prose())
        ):
            pass  # a sentence or the choices are the answer
        elif event.reason == "cannot":
            self.add_line("note", why_no_hunk(event.reason, ""))
        elif event.reason in events.CUT_OFF:
            self.add_line("note", f"{events.CUT_OFF[event.reason]}; Ctrl+R goes on")
        elif event.reason != "interrupted":
            hunks = self.of_turn()
            if not hunks:
                # Why the last leg of the turn has none.
                edited = any(hunk.turn == self.turn for hunk in self.hunks.values())
                self.add_line("note", why_no_hunk(event.reason, self._prose(), edited=edited))
            elif all(hunk.state in REFUSED for hunk in hunks):
                self.add_line("note", "the model wrote nothing in place of the dropped hunks")
        if left := [hunk for hunk in self.of_turn() if hunk.state in OPEN | TAKEN]:
            # Above an error: small screens end there.
            at = len(self.lines) - isinstance(event, events.Failed)
            self.lines.insert(at, TranscriptLine("sum", sum_of(left, self.metrics)))
        touched.transcript = touched.ended = True

    def _prose(self) -> str:
        """The text of the last leg."""
        recent = list(takewhile(lambda line: line.speaker not in ("you", "steer"), reversed(self.lines)))
        return "".join(line.text for line in recent if line.speaker == "model")

    def decide(self, hunk_id: int, decision: events.Decision, text: str = "") -> None:
        """A decision that the session has taken."""
        hunk = self.hunks[hunk_id]
        # What was cut off is partial again once a decision about it is taken back.
        again = decision == "open" and hunk.source.partial
        hunk.state = "partial" if again else STATE_OF[decision]
        if decision == "open":
            hunk.new = list(hunk.source.new_lines)
        if decision == "edited":
            hunk.new = text.split("\n")[: -1 if text.endswith("\n") else None] if text else []

    def add_part(self, part: Hunk, whole_id: int) -> None:
        """A part that a hunk was split into, undecided."""
        whole = self.hunks[whole_id]
        parts = sum(hunk.name.rpartition(".")[0] == whole.label for hunk in self.hunks.values())
        self.hunks[part.id] = replace(
            whole,
            source=replace(part, partial=False),
            name=f"{whole.label}.{parts + 1}",
            start=part.old_start,
            removed=len(part.old_lines),
            new=list(part.new_lines),
            state="closed",
        )

    def taken(self) -> list[HunkView]:
        """What a write would put on the disk."""
        return [hunk for hunk in self.in_view() if hunk.state in TAKEN and hunk.state != "written"]

    def settle(self, *, begins: bool = True) -> set[str]:
        """The files are read again: written hunks become text, and open ones move with their file. When a
        turn begins, refused hunks disappear."""
        paths = {hunk.path for hunk in self.hunks.values() if hunk.state == "written"}
        for path in paths:
            hunks = self.of_file(path)
            written = [hunk for hunk in hunks if hunk.state == "written"]
            for hunk in hunks:
                hunk.start += sum(w.added - w.removed for w in written if w.start < hunk.start)
        self.hunks = {
            hunk.id: hunk
            for hunk in self.hunks.values()
            if hunk.state != "written" and (not begins or hunk.state in OPEN | TAKEN)
        }
        return paths
