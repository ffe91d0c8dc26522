from __future__ import annotations

import base64
import os
import stat
from pathlib import Path

import pytest
from support.fake_session import CART, FakeSession
from support.workbench_app import answered, app_for, bench, press, running, settle
from textual.geometry import Offset
from textual.selection import Selection

from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.turns import turn_changes
from spark_tui.tui.terminal import clipboard


def test_the_terminal_is_given_the_text_in_base64() -> None:
    sequence = clipboard.sequence("naïve\n")
    assert sequence.startswith("\x1b]52;c;")
    assert base64.b64decode(sequence[7:-1]).decode() == "naïve\n"


def test_what_is_too_long_for_the_terminal_is_not_sent() -> None:
    assert clipboard.sequence("x" * (clipboard.MOST_BYTES + 1)) == ""


def test_only_what_is_there_and_has_a_display_is_run() -> None:
    found = clipboard.commands({"DISPLAY": ":0"}, lambda name: name if name in ("xsel", "wl-copy") else None)
    assert found == [("xsel", "--clipboard", "--input")]


def test_a_command_gets_the_text_and_a_failing_one_is_left_alone(tmp_path: Path) -> None:
    for name, body in (("xclip", "exit 3"), ("xsel", f"cat > {tmp_path}/taken")):
        tool = tmp_path / name
        tool.write_text(f"#!/bin/sh\n{body}\n")
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    path = os.environ["PATH"]
    os.environ["PATH"] = f"{tmp_path}:{path}"
    try:
        clipboard.copy_beside("a\nb", {"DISPLAY": ":0"})
    finally:
        os.environ["PATH"] = path
    assert (tmp_path / "taken").read_text() == "a\nb"


def test_a_notice_carries_no_sequence_of_its_text() -> None:
    said = turn_changes.sequence("x\x1b]0;y\x07;z")
    assert said.count("\x1b") == 2
    assert said.count("\x07") == 3


async def test_the_mouse_selects_source_without_its_gutter() -> None:
    app = app_for(FakeSession({"cart.py": CART}, {}))
    async with running(app):
        await bench(app).open_file.show_file("cart.py")
        chosen = Selection.from_offsets(Offset(5, 0), Offset(4, 2))
        assert bench(app).code.get_selection(chosen) == ('at one customer is about to buy."""\n\nfrom', "\n")


async def test_dragging_over_the_code_selects_what_is_under_it() -> None:
    app = app_for(FakeSession({"cart.py": CART}, {}))
    async with running(app) as pilot:
        await bench(app).open_file.show_file("cart.py")
        await pilot.pause()
        gutter = bench(app).code._painter.text.gutter
        await pilot.mouse_down("#code", offset=(gutter, 2))
        await pilot.hover("#code", offset=(gutter + 16, 2))
        await pilot.mouse_up("#code", offset=(gutter + 16, 2))
        await pilot.pause()
        assert "from shop import" in (bench(app).get_selected_text() or "")
        await pilot.press("shift+tab", "shift+tab", "y")
        await pilot.pause()
        assert bench(app).message[0] == "copied 1 line", "also without a hunk"
        assert not bench(app).get_selected_text()


async def test_copying_a_hunk_gives_its_new_side(session: FakeSession) -> None:
    sent: list[str] = []
    app = app_for(session)
    async with running(app) as pilot:
        bench(app).write_terminal = sent.append
        await answered(pilot)
        await press(pilot, "tab", "y")
    wanted = "        if qty < 1:\n            raise ValueError(qty)\n"
    assert base64.b64decode(sent[-1][7:-1]).decode() == wanted


@pytest.mark.parametrize(
    ("text", "said"), [("a", "1 line"), ("a\n", "1 line"), ("a\nb", "2 lines"), ("a\nb\n", "2 lines")]
)
async def test_how_many_lines_were_copied_is_said(app: SparkApp, text: str, said: str) -> None:
    async with running(app):
        bench(app).copy(text)
        assert bench(app).message == (f"copied {said}", False)


async def test_a_long_turn_that_ends_unseen_rings(session: FakeSession) -> None:
    sent: list[str] = []
    now = iter(range(0, 100_000, 10))
    app = app_for(session, clock=lambda: float(next(now)))
    async with running(app) as pilot:
        bench(app).write_terminal = sent.append
        app.app_focus = False
        bench(app).controller.submit("guard it")
        await settle(pilot)
    assert sent == [turn_changes.sequence("shop: the turn is done")]
