"""The workbench: composes the widgets, turns intents into calls of the conductor, paints what changed.

Comes in: a session, a keymap, a theme. Goes out: an exit code when the person quits. It owns no logic of editing.
Must not know: how a turn runs, how files are written.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget

from spark_tui.tui import rim
from spark_tui.tui.board import Touched
from spark_tui.tui.conductor import Conductor, Seat
from spark_tui.tui.hunks import OPEN, Hunk
from spark_tui.tui.keys import Keymap
from spark_tui.tui.messages import DraftChanged, HunkPicked, Intent, Looked, Queued, Submitted
from spark_tui.tui.screens.workbench_actions import perform
from spark_tui.tui.situation import Situation, beside_prompt, counts, footer
from spark_tui.tui.themes import Palette, Theme
from spark_tui.tui.widgets.bar import Bar
from spark_tui.tui.widgets.code_view import CodeView, FileView
from spark_tui.tui.widgets.divider import Divider
from spark_tui.tui.widgets.hunk_list import HunkList
from spark_tui.tui.widgets.prompt import Prompt
from spark_tui.tui.widgets.transcript import Transcript

NARROW_CELLS = 100
SHORT_ROWS = 30
NextTheme = Callable[[], Theme]


class Workbench(Screen[int], inherit_bindings=False):
    """The one screen that is always there."""

    AUTO_FOCUS = "#prompt"

    def __init__(
        self, session: Seat, keymap: Keymap, theme: Theme, origin: Mapping[str, str], next_theme: NextTheme
    ) -> None:
        super().__init__()
        self.origin = origin
        self._next_theme = next_theme
        self.conductor = Conductor(session, self._changed, self.say)
        self.keymap = keymap
        self._theme = theme
        self._current = 0
        self.chosen = False
        self._message: tuple[str, bool] = ("", False)
        self.quit_asked = False
        self._transcript_tall = False
        self._ready = False

    # What is there

    def compose(self) -> ComposeResult:
        yield Bar(id="header")
        with Horizontal(id="body"):
            with Horizontal(id="rim-left"):
                yield HunkList(id="hunks")
                yield Divider(id="divider")
            with Vertical(id="stage"):
                yield Bar(id="title", fill="title")
                yield CodeView(id="code")
        yield Bar(id="said-edge", fill="rim.rule", rule="─")
        yield Transcript(id="transcript")
        yield Bar(id="edge", fill="rim.rule", rule="─")
        with Horizontal(id="ask"):
            yield Bar(id="ask-sign")
            yield Prompt(id="prompt")
        yield Bar(id="status")
        yield Bar(id="footer", group=2)

    def on_mount(self) -> None:
        self.code, self.list = self.query_one(CodeView), self.query_one(HunkList)
        self.prompt, self.transcript = self.query_one(Prompt), self.query_one(Transcript)
        for widget in (self.code, self.list, self.prompt):
            widget.keymap = self.keymap
        self.code.view = self.conductor.session.settings.view
        self.bar("ask-sign").show([(" › ", "rim.key")])
        self.bar("said-edge").show([("─ ", "rim.rule"), ("said ", "rim.soft")])
        self.wear(self._theme)
        self._ready = True
        self._changed(Touched(said=True))
        self.set_interval(0.25, self._tick)
        self.later(self.conductor.look_at_tree)

    def bar(self, name: str) -> Bar:
        return self.query_one(f"#{name}", Bar)

    def wear(self, theme: Theme) -> None:
        self._theme = theme
        for widget in self.query("*"):
            if isinstance(widget, (Bar, CodeView, HunkList, Transcript, Divider)):
                widget.set_palette(theme.palette)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW_CELLS, "-narrow")
        self.set_class(event.size.height < SHORT_ROWS and not self._transcript_tall, "-short")
        self.paint_rim()

    # What changed

    def _changed(self, touched: Touched) -> None:
        """Called on the loop after every change of the board."""
        if not self._ready:
            return
        board, code = self.conductor.board, self.code
        if touched.opened and code.following and not self.chosen:
            self._current = touched.opened[-1]
        stream = next((h for h in board.hunks.values() if h.state == "streaming"), None)
        wanted = stream.path if stream and code.following else code.file.path
        if not wanted and board.paths():
            wanted = board.paths()[0]
        if touched.started or wanted != code.file.path or code.file.path in touched.paths:
            self.later(partial(self._show, wanted))
        elif touched.hunks or touched.ended:
            self._show_hunks()
        if touched.said:
            self.transcript.show_lines(board.lines)
        if touched.ended or touched.paths:
            self.chosen = False
            self.later(self.conductor.look_at_tree)
        self.paint_rim()

    def _show_hunks(self) -> None:
        board = self.conductor.board
        self.code.current = self._current
        self.code.show_hunks(board.of_file(self.code.file.path))
        self.list.show_hunks(board.in_view(), self._current)

    def follow(self) -> None:
        """Look where the model writes again."""
        self.code.following, self.chosen = True, False
        self._changed(Touched(hunks={self._current}))

    async def _show(self, path: str) -> None:
        """Put a file on the stage."""
        if path:
            lines = await self.conductor.lines_of(path)
            self.code.current = self._current
            self.code.show_file(FileView(path, lines, self.conductor.board.of_file(path)))
            self.conductor.in_view = path
        self._show_hunks()
        self.paint_rim()

    def later(self, function: Callable[[], Awaitable[None]]) -> None:
        """Run a coroutine of ours in order, without holding up the keys."""
        self.run_worker(function(), group="ours", exit_on_error=True)

    def _tick(self) -> None:
        if self.conductor.board.busy:
            self.paint_rim()

    def situation(self) -> Situation:
        board, hunk = self.conductor.board, self.current
        return Situation(
            place="prompt" if self.focused is self.prompt else "code",
            busy=board.busy,
            typed=bool(self.prompt.text.strip()),
            queued=len(self.conductor.queue),
            hunk=hunk.state if hunk else None,
            hunks=len(board.in_view()),
            open=len(board.open_hunks()),
            taken=len(board.taken()),
            written=self.conductor.can_undo,
            undone=self.conductor.can_redo,
            following=self.code.following,
        )

    def paint_rim(self) -> None:
        if not self._ready:
            return
        conductor, board, now = self.conductor, self.conductor.board, self.situation()
        backend = conductor.session.backend
        self.bar("header").show(
            *rim.header(conductor.session.root.name, conductor.branch, conductor.dirty, backend.name, backend.window)
        )
        path = self.code.file.path
        self.bar("title").show(*rim.title(path, board.of_file(path), board, self.code.following, self.code.view))
        hints = beside_prompt(now, self.keymap, steers=False)
        self.bar("edge").show(*rim.prompt_edge("you", hints))
        text, problem = self._message
        self.bar("status").show(*rim.status(board, backend.window, len(conductor.queue), text, problem))
        self.bar("footer").show(*rim.footer(footer(now, self.keymap)))

    def say(self, text: str, problem: bool = False) -> None:
        """A sentence at the rim, until the next key."""
        self._message = (text, problem)
        self.paint_rim()

    # Hunks

    @property
    def current(self) -> Hunk | None:
        return self.conductor.board.hunks.get(self._current)

    def ordered(self) -> list[Hunk]:
        board = self.conductor.board
        return [h for path in board.paths() for h in sorted(board.of_file(path), key=lambda h: (h.start, h.id))]

    async def go_to(self, hunk: Hunk) -> None:
        self._current, self.chosen, self.code.following = hunk.id, True, False
        if hunk.path != self.code.file.path:
            await self._show(hunk.path)
        self._show_hunks()
        self.code.reveal(hunk.id)
        self.paint_rim()

    async def step(self, by: int, *, only_open: bool = False) -> None:
        """To the next or previous hunk, round the end."""
        hunks = self.ordered()
        ids = [hunk.id for hunk in hunks]
        at = ids.index(self._current) if self._current in ids else (-1 if by > 0 else 0)
        for offset in range(1, len(hunks) + 1):
            hunk = hunks[(at + by * offset) % len(hunks)]
            if not only_open or (hunk.state in OPEN and hunk.state != "streaming"):
                return await self.go_to(hunk)

    async def step_file(self, by: int) -> None:
        paths = self.conductor.board.paths()
        if paths:
            at = paths.index(self.code.file.path) if self.code.file.path in paths else -1
            path = paths[(at + by) % len(paths)]
            await self.go_to(min(self.conductor.board.of_file(path), key=lambda h: h.start))

    async def judge(self, hunks: list[Hunk], accept: bool) -> None:
        if await self.conductor.decide(hunks, accept):
            await self.step(1, only_open=True)
            self._show_hunks()

    # What the person does

    def on_submitted(self, message: Submitted) -> None:
        self.code.following, self.chosen = True, False
        self.conductor.submit(message.text)

    def on_queued(self, message: Queued) -> None:
        self.conductor.enqueue(message.text)

    def on_draft_changed(self, message: DraftChanged) -> None:
        del message
        self.quit_asked = False
        self._message = ("", False)
        self.paint_rim()

    def on_looked(self, message: Looked) -> None:
        del message
        row = self.code.row_at_cursor()
        if row.hunk and row.hunk != self._current:
            self._current, self.chosen = row.hunk, True
            self._show_hunks()
        self.paint_rim()

    async def on_hunk_picked(self, message: HunkPicked) -> None:
        await self.go_to(self.conductor.board.hunks[message.hunk_id])

    def on_descendant_focus(self) -> None:
        self.call_after_refresh(self.paint_rim)

    def on_key(self, event: events.Key) -> None:
        """Keys that no pane has taken."""
        action = self.keymap.action("anywhere", event.key)
        if action is not None:
            event.stop()
            self.post_message(Intent(action))

    async def on_intent(self, message: Intent) -> None:
        action = message.action
        if action not in ("quit", "interrupt"):
            self.quit_asked = False
        self._message = ("", False)
        if not counts(action, self.situation()):
            self.say("nothing to " + action.split(".")[0] + " here")
            return
        await perform(self, action)
        self.paint_rim()

    def quit(self) -> None:
        """At once, unless accepted hunks are not written: then say so, and quit when asked again."""
        waiting = len(self.conductor.board.taken())
        if waiting and not self.quit_asked:
            self.quit_asked = True
            plural = "s are" if waiting > 1 else " is"
            again = self.keymap.shown("quit")
            self.say(f"{waiting} accepted hunk{plural} not written: {again} again quits, Tab and w write", True)
            return
        self.app.exit(0)

    def next_theme(self) -> None:
        self.wear(self._next_theme())
        self.say(f"theme: {self._theme.title}")

    @property
    def palette(self) -> Palette:
        return self._theme.palette

    def toggle_transcript(self) -> None:
        self._transcript_tall = not self._transcript_tall
        self.set_class(self._transcript_tall, "-tall")
        self.set_class(self.size.height < SHORT_ROWS and not self._transcript_tall, "-short")

    def focus_pane(self, by: int) -> None:
        panes: list[Widget] = [self.prompt, self.code]
        if not self.has_class("-narrow"):
            panes.append(self.list)
        at = panes.index(self.focused) if self.focused in panes else 0
        panes[(at + by) % len(panes)].focus()

    def on_unmount(self) -> None:
        self.conductor.close()
