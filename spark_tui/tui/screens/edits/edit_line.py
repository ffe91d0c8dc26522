"""The line in which a command for an exact edit is typed: completed while it is typed, then planned. What
touches the repository runs on threads; a key never waits for it."""

from __future__ import annotations

import asyncio
import threading
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from spark_tui.errors import SparkError
from spark_tui.session.exact.edit_cursor import Cursor
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.session.exact.exact_turns import EditRefused, ExactTurns
from spark_tui.tui.background_work import start_work
from spark_tui.tui.screens.edits.edit_candidates import NOTHING, CandidateFinder, Found
from spark_tui.tui.screens.pickers.overlay import Overlay
from spark_tui.tui.settings.model_switch import run_in_daemon
from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.text.safe_text import wrap
from spark_tui.tui.turns.session_access import one_line_error
from spark_tui.tui.widgets.choice_list import STEPS, ChoiceRow, Choices
from spark_tui.tui.widgets.line_input import LineInput
from spark_tui.tui.widgets.status_bar import StatusBar

_PROGRESS_SECONDS = 0.15


class EditLine(Overlay[PlannedEdit | None], inherit_bindings=False):
    """Letters are text, Tab takes a completion, Enter plans the edit and closes once there is one."""

    def __init__(
        self, exact: ExactTurns, palette: Palette, line: str, cursor: Cursor, *, at_once: bool = False
    ) -> None:
        """`at_once`: the line is whole, and is planned without a key."""
        super().__init__(palette)
        self._left = threading.Event()
        self._exact, self._cursor, self._at_once = exact, cursor, at_once
        self.line = LineInput(line)
        self.rows = Choices(palette, "")
        self._input, self._hint, self._call = StatusBar(), StatusBar(), StatusBar()
        self._rule, self._keys = StatusBar(fill="pane.rule", rule="─"), StatusBar(group=2)
        self._finder = CandidateFinder(exact, cursor, self._left.is_set)
        self._found = NOTHING
        self._looking = self._again = False
        self._moved = False
        """The person went to a row: Enter takes it."""
        self._planning = 0
        """The number of the plan that is being made; 0: none."""
        self._plans = 0
        self._stop = threading.Event()
        self._problem = ""
        self._choices: tuple[str, ...] = ()
        """Commands that may have been meant by the one that was refused."""
        self._note = ""
        self._ahead: list[events.Key] | None = None
        """Keys after a Tab that waits for a completion."""
        self._after: list[events.Key] = []
        """Keys since Enter: they are for what is below, once the edit is shown there."""
        self._tab = False
        self._loading = True

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self._input
            yield self._rule
            yield self.rows
            yield self._hint
            yield self._call
            yield self._keys

    def on_mount(self) -> None:
        start_work(self, self._load, "index")
        self._paint()
        if self._at_once:
            self._plan(self.line.text)
        else:
            self._changed()

    def on_unmount(self) -> None:
        self._left.set()

    # -- the repository

    async def _load(self) -> None:
        """Index the repository in the background; symbols are offered as soon as they are known."""
        work = asyncio.ensure_future(run_in_daemon(partial(self._exact.load, self._left)))
        while not work.done():
            await asyncio.wait([work], timeout=_PROGRESS_SECONDS)
            done, total = self._exact.done, self._exact.total
            progress = f"indexed {done:,} of {total:,} files" if total else "reading the files …"
            self._note = "" if work.done() else progress
            self._paint_input()
            if not self._choices and not self._moved:
                self._changed(typed=False)
        self._loading = False
        try:
            work.result()
        except SparkError as error:
            self._note = one_line_error(error)
        if not self._left.is_set() and not self._choices:
            self._changed(typed=False)

    # -- completion

    def _changed(self, *, typed: bool = True) -> None:
        """The line changed: find the candidates at the caret, one search at a time."""
        if typed:
            self._moved, self._problem, self._choices = False, "", ()
        self._paint()
        if self._looking:
            self._again = True
        else:
            self._looking = True
            start_work(self, self._look, "look")

    async def _look(self) -> None:
        while not self._left.is_set():
            self._again = False
            found = await run_in_daemon(partial(self._finder.find, self.line.text, self.line.at))
            if not self._again:
                break
        self._looking = False
        if self._left.is_set():
            return
        self._show(found)
        if self._tab and (not self._loading or self._found.is_sure):
            self._tab = False
            self._take()
            self._release()

    def _release(self) -> None:
        """Type what was held back."""
        ahead, self._ahead = self._ahead or [], None
        for event in ahead:
            # A Tab among them may wait again, and what follows it too.
            self.press(event)

    def _show(self, found: Found) -> None:
        if self._choices:
            return
        before = self.rows.chosen if self._moved else None
        self._found = found
        self.rows.nothing = found.usage
        at = found.rows.index(before) if before is not None and before in found.rows else 0
        self.rows.show(found.rows, at, found.candidates.typed)
        self._paint()

    def _take(self) -> bool:
        """Insert the selected row into the line; returns whether that changed it."""
        chosen, found = self.rows.chosen, self._found.candidates
        if chosen is None or self._looking:
            return False
        text = self.line.text
        space = "" if chosen.value.endswith("=") or text[found.end : found.end + 1] == " " else " "
        taken = text[: found.start] + chosen.value + space
        if taken.rstrip() == text.rstrip() and text.endswith(" "):
            return False
        self.line = LineInput(taken + text[found.end :])
        self.line.at = len(taken)
        self._changed()
        return True

    # -- planning

    def _enter(self) -> None:
        if self._choices:
            self._choose(self.rows.at)
        elif self._moved:
            self._take()
        elif self._found.missing and not self._looking and self._found.rows and self._take():
            return
        else:
            self._plan(self.line.text)

    def _choose(self, at: int) -> None:
        """One of the commands that may have been meant."""
        if 0 <= at < len(self._choices):
            self.line = LineInput(self._choices[at])
            self._plan(self.line.text)

    def _plan(self, line: str) -> None:
        self._plans += 1
        self._planning, self._problem, self._choices = self._plans, "", ()
        self._stop = threading.Event()
        self._after.clear()
        self._paint()
        start_work(self, partial(self._planned, self._plans, line), "plan")

    async def _planned(self, number: int, line: str) -> None:
        try:
            planned = await run_in_daemon(partial(self._exact.plan, line, self._cursor, self._stop))
        except SparkError as error:
            if self._planning == number:
                self._refuse(error)
            return
        if self._planning == number and not self._left.is_set():
            self._left.set()
            self.leave(planned, self._after)

    def _refuse(self, error: SparkError) -> None:
        """Say why, and offer what may have been meant."""
        self._planning, self._problem = 0, one_line_error(error)
        self._choices = error.choices[:9] if isinstance(error, EditRefused) else ()
        if self._choices:
            numbered = enumerate(self._choices, 1)
            rows = [ChoiceRow(f"{at}  {line}", line, by_label=True) for at, line in numbered]
            self._problem += "; did you mean:" if len(rows) == 1 else "; did you mean one of these:"
            self.rows.show(rows, 0, "")
        self._paint()

    # -- keys

    def press(self, event: events.Key) -> None:
        if self._ahead is not None and event.key != "escape":
            self._ahead.append(event)
        else:
            self._typed(event)

    def _typed(self, event: events.Key) -> None:
        number = event.character or ""
        match event.key:
            case "escape" if self._ahead is not None:
                self._tab, self._ahead = False, None
            case "escape" if self._planning:
                self._planning = 0
                self._stop.set()
                self._paint()
            case "escape" | "ctrl+c" | "ctrl+q":
                self._left.set()
                self.leave(None)
            case _ if self._planning:
                self._after.append(events.Key(event.key, event.character))
            case "enter":
                self._enter()
            case "tab" if not self._choices:
                if self._looking or (self._loading and not self._found.is_sure):
                    self._tab, self._ahead = True, []
                else:
                    self._take()
            case _ if event.key in STEPS:
                self._moved = bool(self.rows.found)
                self.rows.move(STEPS[event.key])
                self._paint()
            case _ if self._choices and number.isdigit() and 0 < int(number) <= len(self._choices):
                self._choose(int(number) - 1)
            case "ctrl+w":
                self._delete_word()
            case _ if self.line.key(event.key, event.character):
                self._changed()

    def _delete_word(self) -> None:
        before, after = self.line.text[: self.line.at], self.line.text[self.line.at :]
        kept = before.rstrip().rpartition(" ")
        self.line.text = kept[0] + kept[1] + after
        self.line.at = len(self.line.text) - len(after)
        self._changed()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        if not self._planning:
            self.line.insert(event.text)
            self._changed()

    def on_choices_clicked(self) -> None:
        if self._choices:
            self._choose(self.rows.at)
        elif not self._planning:
            self._take()

    # -- painting

    def _paint(self) -> None:
        self._paint_input()
        cells = max(self.size.width * 8 // 10 - 6, 20)
        first, second = self._sentences()
        style = "pane.error" if self._problem else "pane.faint"
        if self._problem:
            first, second = (*wrap(self._problem, min(cells, 104)), "")[:2]
        self._hint.show([(f" {first}", style)])
        self._call.show([(f" {second}", "pane.error" if self._problem else "pane.key")])
        self._paint_keys()

    def _paint_input(self) -> None:
        found = self._found
        cells = max(self._input.size.width - 24 - len(self._note), 30)
        count = f"{found.total:,} " if found.total and not self._choices else ""
        left = [(" exact edit ", "pane.soft"), ("› ", "pane"), *self.line.pieces(cells)]
        self._input.show(left, [(f"{self._note}  " if self._note else "", "pane.key"), (count, "pane.faint")])

    def _sentences(self) -> tuple[str, str]:
        """The field at the caret, and what Enter does."""
        slot = self._found.candidates.slot
        needed = "" if slot is None or slot.required else ", may be left out"
        field = f"{slot.name}: {slot.help}{needed}" if slot is not None else ""
        if self._planning:
            return field, "planning …"
        return field, f"→ {self._found.call}" if self._found.call else ""

    def _paint_keys(self) -> None:
        count, keys = len(self._choices), []
        if count:
            keys = [("1" if count == 1 else f"1–{count}", "take it")]
        elif not self._planning:
            keys = [("Tab", "complete"), ("Enter", "select" if self._moved else "show the edit")]
        self._keys.show_keys([*keys, ("Esc", "cancel")])
