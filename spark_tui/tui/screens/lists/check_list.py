"""Runs the check and lists its problems, over the workbench and among the hunks.

Enter goes to the place; `f` asks for a fix, after which the check runs again.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.config.settings import Settings
from spark_tui.tui.background_work import call_on_loop
from spark_tui.tui.screens.turns.prompts import PromptsHost
from spark_tui.tui.text.safe_text import one_line, shorten
from spark_tui.tui.turns.touched import Touched
from spark_tui.tui.widgets.hunk_list import ProblemRow

if TYPE_CHECKING:
    from spark_tui.problems.locate import Located
    from spark_tui.session.tree.check_loop import CheckLoop, CheckRun
    from spark_tui.tui.screens.pickers.picker import ChoiceRow

_FIX_KEY = "f"
_OUTPUT_ROWS = 40
"""The number of lines shown from an output without problems."""
_SAY_SECONDS, _SHOWN = 0.1, 50
"""How often the last line of the output is shown, and so much of it and of the command."""


class CheckList:
    """Remembers the runs of the last command, so that one can be compared with the one before: those in the
    files as they are, and those in a copy with the hunks that are not written."""

    def __init__(self, host: PromptsHost) -> None:
        self._host = host
        self._command = ""
        self._loops: dict[Path, CheckLoop] = {}
        self._behind, self._listed = threading.Event(), threading.Event()
        """They stop the run that nobody looks at, and the one whose list is open."""
        self._found: tuple[list[Located], Path] = ([], host.start.root)
        """The problems that are listed beside the hunks, and the folder in which the check ran."""
        self._fixing = False
        """Whether a fix was asked for whose answer is still to come."""
        self.root = host.start.root
        """The tree of the session, once that is open."""

    def run(self, command: str = "") -> None:
        """Run this command, else the last one, else the one of the settings."""
        if self._chosen(command):
            self._list(self._command)

    def run_behind(self) -> None:
        """Run it without opening the list: the lines are marked, and the status line shows the result."""
        if not self._chosen(""):
            return
        self._behind.set()  # an earlier run is about files that have changed since
        stop = self._behind = threading.Event()

        async def look() -> None:
            run, folder = await asyncio.to_thread(self._run, stop)
            if not stop.is_set():
                self._show_run(run, folder, f"; {self._host.keymap.shown('check')} lists them")

        self._host.start_task(look)

    def close(self) -> None:
        """End what still runs: no process of a check outlives the workbench."""
        self._behind.set()
        self._listed.set()

    def turn_changed(self, touched: Touched) -> None:
        """Run it again after the answer to a fix, and after a write if that is configured."""
        if touched.wrote and self._settings.check_on_write:
            self.run_behind()
        elif touched.ended and self._fixing and not (state := self._host.controller.turn_state).choices:
            self._fixing = False
            if any(hunk.turn == state.turn for hunk in state.hunks.values()):
                self.run_behind()

    def picked(self, number: int, fix: bool) -> None:
        """Show or fix a problem among the hunks."""
        found, folder = self._found
        if number < len(found):
            self._take(found[number], folder, fix)

    def _take(self, located: Located, folder: Path, fix: bool) -> None:
        self._host.start_task(partial(self._ask, located, folder) if fix else partial(self._show, located))

    @property
    def _settings(self) -> Settings:
        """As they were changed since, once there is a session."""
        return self._host.controller.settings or self._host.start.settings

    def _chosen(self, command: str) -> bool:
        """Whether there is a command to run; it is remembered."""
        wanted = command or self._command or self._settings.check_command
        if not wanted:
            self._host.show_message("no check is known; type one: /check pytest -q", True)
            return False
        if self._command != wanted:
            self._command, self._loops = wanted, {}
        return True

    def _show_run(self, run: CheckRun, folder: Path, more: str = "") -> None:
        self._host.code.show_problems(_marks(run.problems))
        self._found = list(run.problems), folder
        self._host.list.show_problems([_row(problem) for problem in run.problems])
        where = "" if folder == self.root else ", with the hunks that are not written"
        more = more if run.problems else ""
        self._host.show_message(f"{run.words}{where}{more}: {self._command}", not run.passes)

    def _run(
        self, stop: threading.Event, show: Callable[[bytes], None] | None = None
    ) -> tuple[CheckRun, Path]:
        """A run, and the folder that it was in. `show` gets its output."""
        from spark_tui.session.tree.check_loop import CheckLoop

        controller = self._host.controller
        copy = None if controller.opening else controller.session.pending_tree(stop)
        root = copy or self.root
        loop = self._loops.setdefault(root, CheckLoop(self._command, root, root))
        return loop.run(stop, show=show), root

    def _list(self, command: str) -> None:
        from spark_tui.tui.screens.pickers.picker import Picker, PickerKey

        host, stop = self._host, threading.Event()
        self._listed = stop
        found: list[Located] = []
        folder = self.root
        title = shorten(one_line(f"check {command}"), _SHOWN)
        fix = PickerKey(_FIX_KEY, _FIX_KEY, "ask for the fix")
        picker = Picker(title, (), host.palette, takes="show", keys=(fix,), nothing="")

        def chosen(value: str | None) -> None:
            stop.set()  # nobody looks any more
            if value:
                self._take(found[int(value)], folder, picker.pressed == _FIX_KEY)

        async def fill() -> None:
            nonlocal folder
            show = _last_lines(picker.say)
            run, folder = await asyncio.to_thread(self._run, stop, show)
            found.extend(run.problems)
            rows = [_choice(one, at) for at, one in enumerate(found)] or _output(run)
            picker.fill(rows, "" if found else run.words)
            self._show_run(run, folder)
            if run.passes and not rows:
                picker.close_list()  # the status line says it all

        picker.looking()
        host.push_overlay(picker, chosen)
        host.start_task(fill)

    async def _show(self, located: Located) -> None:
        host = self._host
        if located.where != "here":
            where = {"gone": "no such file", "outside": "not in this repository"}.get(
                located.where, "no place"
            )
            host.show_message(
                one_line(f"{where}: {' '.join([located.place, located.problem.title]).strip()}"), True
            )
            return
        await host.open_file.show_line(located.path, max(located.line, 1))
        host.show_message(one_line(located.problem.title), True)

    async def _ask(self, located: Located, root: Path) -> None:
        from spark_tui.problems.describe import fix_request

        await self._show(located)
        self._fixing = True
        await self._host.prompts.submit(fix_request(self._command, [located.problem], root, root))


def _marks(found: Iterable[Located]) -> dict[str, dict[int, str]]:
    """The lines to mark in each file: errors in another style than warnings."""
    out: dict[str, dict[int, str]] = {}
    for located in sorted(found, key=lambda item: item.problem.severity == "error"):
        if located.where == "here":
            style = "old.mark" if located.problem.severity == "error" else "doubt"
            out.setdefault(located.path, {})[located.line] = style
    return out


def _last_lines(say: Callable[[str], None]) -> Callable[[bytes], None]:
    """Takes the output of a command on its thread, and reports its last line now and then."""
    loop, shown_at = asyncio.get_running_loop(), 0.0

    def show(piece: bytes) -> None:
        nonlocal shown_at
        lines = piece[-4_000:].decode("utf-8", "replace").split("\n")
        line = next((item for item in reversed(lines) if item.strip()), "")
        if line and time.monotonic() - shown_at > _SAY_SECONDS:
            shown_at = time.monotonic()
            call_on_loop(loop, say, shorten(one_line(line), _SHOWN))

    return show


def _output(run: CheckRun) -> list[ChoiceRow]:
    """The end of an output without problems, which may show why the command failed."""
    from spark_tui.tui.screens.pickers.picker import ChoiceRow

    lines = [] if run.passes else [line for line in run.result.output.splitlines() if line.strip()]
    return [ChoiceRow(one_line(line), "") for line in lines[-_OUTPUT_ROWS:]]


def _choice(located: Located, number: int) -> ChoiceRow:
    from spark_tui.tui.screens.pickers.picker import ChoiceRow

    place = f"{located.place}  " if located.place else ""
    # Most are errors: what is said needs the room.
    severity = "" if located.problem.severity == "error" else located.problem.severity
    return ChoiceRow(one_line(f"{place}{located.problem.title}"), str(number), severity)


def _row(located: Located) -> ProblemRow:
    path, _, rest = located.place.partition(":")
    place = f"{path.rpartition('/')[2]}:{rest.partition(':')[0]}" if path else "?"
    message = located.problem.message.partition("\n")[0]
    return ProblemRow(one_line(place), one_line(message), located.problem.severity == "error")
