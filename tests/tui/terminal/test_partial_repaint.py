"""What is painted in parts is what would be painted whole, and no more of it is asked for than changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from support.fake_session import CART, FakeSession, Pause, guard
from support.small_terminal import SmallTerminal
from support.workbench_app import SIZE, answered, app_for, ask, bench, press, running, settle
from textual.geometry import Size
from textual.pilot import Pilot
from textual.strip import Strip

from spark_tui.config.settings import Settings
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.workbench import Workbench
from spark_tui.tui.terminal.output import TerminalWriter
from spark_tui.tui.terminal.partial_repaint import PaintsPartially, PartialFrame
from spark_tui.tui.widgets.code_view import CodeView
from spark_tui.tui.widgets.hunk_list import HunkList
from spark_tui.tui.widgets.prompt import PromptBox
from spark_tui.tui.widgets.status_bar import StatusBar


class OnSmallTerminal(SparkApp):
    """What would be written goes to a small terminal."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.terminal, self.frames = SmallTerminal(), 0
        self._small_wire = TerminalWriter()

    def _display(self, screen: Any, renderable: Any) -> None:
        if isinstance(renderable, PartialFrame):
            self.frames += 1
            self.terminal.feed(self._small_wire.draw(renderable.pieces, self.console))
        elif renderable is not None:
            self._small_wire.forget()
            self.terminal.feed(renderable.render_segments(self.console))
        super()._display(screen, renderable)

    def whole(self) -> SmallTerminal:
        terminal = SmallTerminal()
        for y, strip in enumerate(self.screen._compositor.render_strips()):
            terminal.feed(f"\x1b[{y + 1};1H{Strip(list(strip)).render(self.console)}")
        return terminal


def on_terminal(session: FakeSession, **more: Any) -> OnSmallTerminal:
    made = app_for(session)
    return OnSmallTerminal(made._start, **({"environ": {}} | more))


async def is_right(app: OnSmallTerminal, pilot: Pilot[Any]) -> None:
    """Until nothing is left to be painted; then the terminal shows the screen."""
    for _ in range(400):
        await pilot.pause()
        size, whole = app.size, app.whole()
        shown = {
            at: cell for at, cell in app.terminal.cells.items() if at[0] < size.height and at[1] < size.width
        }
        if shown == whole.cells:
            return
    assert app.terminal.text() == whole.text()
    assert shown == whole.cells


@pytest.mark.parametrize("theme", ["spark-dark", "spark-light", "ansi-16", ""])
async def test_the_terminal_shows_the_screen_whatever_was_done(theme: str) -> None:
    pause = Pause()
    session = FakeSession(
        {"cart.py": CART, "wide.py": "s = '漢字'\n" * 50}, {"guard it": guard(pause_inside=pause)}
    )
    if theme:
        session.settings = Settings(theme=theme)
    app = on_terminal(session, **({} if theme else {"environ": {"NO_COLOR": "1"}}))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pause.come()
        await is_right(app, pilot)
        pause.go()
        await settle(pilot)
        await is_right(app, pilot)
        for keys in (["tab", "j", "down", "a"], ["p", "b", "v"], ["f1"], ["escape", "i", "q", "w", "enter"]):
            await press(pilot, *keys)
            if isinstance(app.screen, Workbench):
                await is_right(app, pilot)
        await bench(app).open_file.show_file("wide.py")
        await is_right(app, pilot)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        await is_right(app, pilot)
        assert app.frames > 5


async def test_one_key_paints_everything_again_whatever_lies_over_the_workbench(session: FakeSession) -> None:
    app = on_terminal(session)
    async with running(app) as pilot:
        for over, seen in (
            ("", "✦ spark"),
            ("tab", "✦ spark"),
            ("f1", "─ keys"),
            ("escape", ""),
            ("ctrl+p", "command ›"),
        ):
            if over:
                await press(pilot, over)
            app.terminal.cells.clear()
            await pilot.press("ctrl+l")
            for _ in range(400):
                await pilot.pause()
                if seen in "\n".join(app.terminal.text()) and len(app.terminal.text()) == SIZE[1]:
                    break
            assert seen in "\n".join(app.terminal.text())
            if isinstance(app.screen, Workbench):
                await is_right(app, pilot)


async def test_the_key_that_paints_again_can_be_another(session: FakeSession) -> None:
    session.settings = Settings(keys={"redraw": "ctrl+t"})
    app = on_terminal(session)
    async with running(app) as pilot:
        app.terminal.cells.clear()
        await pilot.press("ctrl+t")
        await is_right(app, pilot)


async def test_a_line_that_changes_is_the_only_one_that_is_asked_for(
    session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = on_terminal(session)
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await is_right(app, pilot)
        asked: Counter[str] = Counter()
        for kind in (StatusBar, CodeView, HunkList):

            def counted(widget: Any, y: int, draw: Any = kind.render_line) -> Strip:
                asked[widget.id] += 1
                return draw(widget, y)

            monkeypatch.setattr(kind, "render_line", counted)
        lines = PromptBox.render_lines
        monkeypatch.setattr(PromptBox, "render_lines", lambda *args: asked.update(["prompt"]) or lines(*args))
        bench(app).bar("status").show([(" 12 tok/s", "pane")])
        bench(app).bar("header").show([(" spark", "pane")])
        frames = app.frames
        while app.frames == frames:
            await pilot.pause()
        assert asked == {"status": 1, "header": 1}


async def test_after_a_scroll_the_widgets_are_not_all_placed_again(
    session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = on_terminal(session)
    async with running(app) as pilot:
        await bench(app).open_file.show_file("cart.py")
        bench(app).code.set_reactive(CodeView.virtual_size, Size(90, 400))
        await is_right(app, pilot)
        placed: list[bool] = []
        arrange = PaintsPartially._arrange_root

        def counted(self: Any, root: Any, size: Size, visible_only: bool = True) -> Any:
            placed.append(visible_only)
            return arrange(self, root, size, visible_only=visible_only)

        monkeypatch.setattr(PaintsPartially, "_arrange_root", counted)
        for y in (9, 3):
            bench(app).code.scroll_to(y=y, animate=False)
            bench(app).bar("status").show([(f" {y} tok/s", "pane")])
            frames = app.frames
            while app.frames == frames:
                await pilot.pause()
        assert all(placed)


async def test_the_session_opens_once_the_first_frame_was_painted(session: FakeSession) -> None:
    app = on_terminal(session)
    painted: list[bool] = []

    def opened() -> FakeSession:
        painted.append(bench(app).painted.is_set())
        return session

    app._start = replace(app._start, open=opened)
    async with running(app):
        pass
    assert painted == [True]


async def test_a_frame_that_changes_nothing_is_not_written(
    session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = on_terminal(session)
    async with running(app) as pilot:
        await is_right(app, pilot)
        written: list[str] = []
        monkeypatch.setattr(app._driver, "write", written.append)
        monkeypatch.setattr(OnSmallTerminal, "is_headless", False)
        sent = []
        for _ in range(2):
            bench(app).bar("header").refresh()
            frames = app.frames
            while app.frames == frames:
                await pilot.pause()
            sent.append("".join(written))
            written.clear()
        monkeypatch.setattr(OnSmallTerminal, "is_headless", True)
        assert "spark" in sent[0]
        assert sent[1] == ""
