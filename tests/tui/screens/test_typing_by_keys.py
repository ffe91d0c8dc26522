"""Typing in a file, saving it, and the model's hunks over and under it: the workbench on a session that
writes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.fake_session import CART, Pause
from support.workbench_app import SIZE, answered, ask, bench, press, screen_text, settle, until
from textual import events as textual_events
from textual.pilot import Pilot

from spark_tui import events
from spark_tui.backends.base import Request
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.app import SparkApp
from spark_tui.tui.settings.startup import Startup


class Played:
    """A backend whose text is a scripted answer in the format `lines`; ghost text by how a line ends."""

    name, window, fills_from = "played", 0, 0.5

    def __init__(self) -> None:
        self.pieces: list[str | Pause] = []
        self.ghosts: dict[str, str] = {}
        self.asked: list[str] = []
        self.hold: Pause | None = None

    def format_for(self, request: Request) -> str:
        return "lines"

    def stream(self, request: Request, stop: threading.Event) -> Iterator[events.Event]:
        if request.kind == "fill":
            self.asked.append(request.prefix.split("\n")[-1])
            if self.hold:
                self.hold.wait(stop)
            found = next((text for end, text in self.ghosts.items() if request.prefix.endswith(end)), "")
            if not stop.is_set():
                yield events.Token(0, found)
            return
        if request.kind != "edit":
            return
        for number, piece in enumerate(self.pieces[len(request.emitted) :]):
            if isinstance(piece, Pause):
                piece.wait(stop)
            if stop.is_set():
                return
            yield events.Token(number, "" if isinstance(piece, Pause) else piece)

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def close(self) -> None: ...


@pytest.fixture
def played() -> Played:
    return Played()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "cart.py").write_text(CART, encoding="utf-8")
    return folder


@pytest.fixture
def app(root: Path, played: Played, tmp_path: Path) -> SparkApp:
    settings = Settings()
    return SparkApp(
        Startup(root, settings, lambda: Session(root, played, settings, tmp_path / "state")), environ={}
    )


def text(root: Path) -> str:
    return (root / "cart.py").read_bytes().decode()


async def type_into(pilot: Pilot[Any], row: int = 0) -> None:
    """The file on the stage, and `i` on one of its rows."""
    await until(pilot, lambda: not bench(pilot.app).controller.opening)
    await bench(pilot.app).open_file.show_file("cart.py")
    code = bench(pilot.app).code
    code.focus()
    await pilot.pause()
    code.go_to(row)
    await pilot.press("i")
    await until(pilot, lambda: code.editor is not None)


def shown(app: SparkApp) -> list[str]:
    return bench(app).code.editor.buffer.lines  # type: ignore[union-attr]


async def test_what_is_typed_is_seen_marked_and_only_saved_when_asked(app: SparkApp, root: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await type_into(pilot, row=2)
        await press(pilot, "end", *"  # x", "enter", "y")
        assert "from shop import prices  # x" in screen_text(app)
        assert "✎" in screen_text(app)
        assert text(root) == CART
        await press(pilot, "escape")
        assert "not saved" in screen_text(app)
        await press(pilot, "ctrl+s")
        assert text(root) == CART.replace("import prices\n", "import prices  # x\ny\n")
        assert "saved cart.py" in screen_text(app)
        assert "✎" not in screen_text(app).split("transcript")[0]


async def test_what_is_typed_and_not_saved_stands_in_the_plain_diff(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await type_into(pilot, row=2)
        await press(pilot, "end", *"  # x", "escape", "enter")
        shown = screen_text(app)
        assert "what Ctrl+S would save" in shown
        assert "typed, not saved: Ctrl+S saves it, w does not" in shown
        assert "+from shop import prices  # x" in shown


async def test_one_undo_takes_a_save_out_and_redo_brings_it_back(app: SparkApp, root: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await type_into(pilot)
        await pilot.press("x", "ctrl+s")
        await until(pilot, lambda: text(root).startswith("x"))
        await press(pilot, "escape")
        await pilot.press("u")
        await until(pilot, lambda: text(root) == CART)
        await settle(pilot)
        assert bench(app).controller.unsaved_files.unsaved == []
        await pilot.press("ctrl+y")
        await until(pilot, lambda: text(root).startswith("x"))


async def test_keys_that_follow_i_at_once_are_text_and_no_commands(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not bench(app).controller.opening)
        await bench(app).open_file.show_file("cart.py")
        bench(app).code.focus()
        await pilot.pause()
        for key in "iarw":
            bench(app).code.post_message(textual_events.Key(key, key))
        await until(pilot, lambda: bench(app).code.editor is not None and shown(app)[0].startswith("arw"))
        await settle(pilot)


async def test_a_file_that_cannot_be_typed_into_says_why_and_keys_are_commands_again(
    app: SparkApp, root: Path
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not bench(app).controller.opening)
        await bench(app).open_file.show_file("cart.py")
        (root / "cart.py").write_bytes(b"\0binary")
        bench(app).code.focus()
        await pilot.press("i")
        await until(pilot, lambda: "binary" in screen_text(app))
        await press(pilot, "j")
        assert bench(app).code.editor is None
        assert bench(app).code.cursor == 1


async def test_a_paste_is_one_step_and_cut_lines_can_be_put_elsewhere(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await type_into(pilot)
        bench(app).code.post_message(textual_events.Paste("one\r\ntwo\r\n"))
        await until(pilot, lambda: shown(app)[:2] == ["one", "two"])
        await pilot.press("ctrl+z")
        assert "\n".join(shown(app)) + "\n" == CART
        await pilot.press("ctrl+x", "down", "ctrl+v")
        lines = CART.split("\n")
        assert shown(app)[:2] == [lines[1], lines[0]]
        await press(pilot, "shift+up", "shift+up", "delete")
        assert shown(app)[0] == lines[2]


async def test_quitting_with_unsaved_text_asks_first(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await type_into(pilot)
        await pilot.press("x", "ctrl+q")
        await pilot.pause()
        assert "not saved: cart.py" in screen_text(app)
        assert app.return_value is None
        await pilot.press("ctrl+q")
        await pilot.pause()
    assert app.return_value == 0


async def test_writing_the_models_hunks_leaves_what_was_typed_unsaved_and_in_its_place(
    app: SparkApp, played: Played, root: Path
) -> None:
    played.pieces = ["*** cart.py\n@@ 20,21\n+        return not self.lines\n"]
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await type_into(pilot)
        await press(pilot, *"# mine", "enter", "escape")
        assert bench(app).code.file.hunks[0].start == 21, "it moved down with its lines"
        await pilot.press("a", "w")
        await until(pilot, lambda: "return not self.lines" in text(root))
        await settle(pilot)
        assert "# mine" not in text(root)
        assert bench(app).code.file.lines[0] == "# mine"
        await press(pilot, "ctrl+s")
        assert text(root) == "# mine\n" + CART.replace("return len(self.lines) == 0", "return not self.lines")


async def test_typing_above_a_hunk_that_streams_moves_it_and_typing_in_its_lines_marks_it(
    app: SparkApp, played: Played, root: Path
) -> None:
    pause = Pause()
    played.pieces = ["*** cart.py\n@@ 20,21\n+        return not", pause, " self.lines\n@@ 24,24\n+# new\n"]
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pause.come()
        await until(pilot, lambda: bench(app).controller.turn_state.hunks)
        await type_into(pilot)
        await pilot.press("enter", "enter")
        await settle_typed(pilot)
        assert [hunk.start for hunk in bench(app).code.file.hunks] == [22]
        assert bench(app).code.file.hunks[0].state == "streaming"
        pause.go()
        await settle(pilot)
        assert [(hunk.start, hunk.state) for hunk in bench(app).code.file.hunks] == [
            (22, "closed"),
            (26, "closed"),
        ]
        bench(app).code.editor.buffer.go_to(21, 0)  # type: ignore[union-attr]
        await press(pilot, "end", "!")
        assert shown(app)[21] == "        return len(self.lines) == 0!"
        assert [hunk.state for hunk in bench(app).code.file.hunks] == ["conflict", "closed"]
        assert "≠" in screen_text(app)
        await press(pilot, "escape")
        bench(app).navigation.pick(1)
        await press(pilot, "a")
        assert "change the same lines" in screen_text(app)
        assert bench(app).controller.turn_state.hunks[1].state == "closed"
        await pilot.press("A", "w")
        await until(pilot, lambda: "# new" in text(root))
        await settle(pilot)
        assert "return not self.lines" not in text(root)
        await press(pilot, "ctrl+s")
        wanted = CART.replace("== 0\n", "== 0!\n").replace("    def count", "# new\n    def count", 1)
        lines = text(root).split("\n")
        assert sorted(lines) == sorted(("\n\n" + wanted).split("\n"))
        assert lines.index("# new") == 25, text(root)


async def settle_typed(pilot: Pilot[Any]) -> None:
    for _ in range(3):
        await pilot.pause()


async def test_a_saved_file_keeps_the_places_of_hunks_through_the_next_turn(
    app: SparkApp, played: Played, root: Path
) -> None:
    played.pieces = ["*** cart.py\n@@ 20,21\n+        return not self.lines\n"]
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await type_into(pilot)
        await pilot.press("enter", "ctrl+s")
        await until(pilot, lambda: text(root) == "\n" + CART)
        await press(pilot, "escape")
        played.pieces = ["*** cart.py\n@@ 2,2\n+# two\n"]
        bench(app).prompt.focus()
        await answered(pilot, "again")
        starts = {hunk.new[0].strip(): hunk.start for hunk in bench(app).code.file.hunks}
        assert starts == {"return not self.lines": 21, "# two": 2}
        bench(app).code.focus()
        await pilot.press("A", "w")
        await until(pilot, lambda: "# two" in text(root))
        await settle(pilot)
        expected = "\n# two\n" + CART.replace("return len(self.lines) == 0", "return not self.lines")
        assert text(root) == expected


async def test_i_on_a_new_line_of_a_hunk_types_into_the_hunk(app: SparkApp, played: Played) -> None:
    played.pieces = ["*** cart.py\n@@ 20,21\n+        return not self.lines\n"]
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        code = bench(app).code
        code.focus()
        _, end = code.layout_rows.span(1)
        code.go_to(end - 1)
        await press(pilot, "i", "end", "!", "escape")
        assert bench(app).controller.turn_state.hunks[1].new == ["        return not self.lines!"]
        assert bench(app).controller.unsaved_files.drafts == {}


async def test_ghost_text_comes_at_a_pause_is_taken_whole_or_by_words_and_hidden_by_esc(
    app: SparkApp, played: Played
) -> None:
    played.ghosts = {"zot": "al = price * qty"}
    async with app.run_test(size=SIZE) as pilot:
        await type_into(pilot)
        await pilot.press("enter", "up", *"zot")
        await until(pilot, lambda: bench(app).code.ghost)
        assert "zotal = price * qty" in screen_text(app)
        assert shown(app)[0] == "zot", "it is not in the text"
        await pilot.press("ctrl+right")
        assert shown(app)[0] == "zotal "
        assert bench(app).code.ghost == "= price * qty"
        await pilot.press("escape")
        await pilot.pause()
        assert bench(app).code.ghost == ""
        assert bench(app).code.editor is not None, "one Esc does one thing"
        bench(app).code.show_ghost("= 1")
        await pilot.press("tab")
        assert shown(app)[0] == "zotal = 1"
        await pilot.press("tab")
        assert shown(app)[0] == "zotal = 1   ", "with nothing proposed it indents"
        await press(pilot, "escape")
        assert bench(app).code.editor is None


async def test_typing_what_is_proposed_keeps_the_rest_of_it(app: SparkApp, played: Played) -> None:
    played.ghosts = {"zot": "al = 1"}
    async with app.run_test(size=SIZE) as pilot:
        await type_into(pilot)
        await pilot.press("enter", "up", *"zot")
        await until(pilot, lambda: bench(app).code.ghost)
        await pilot.press("a")
        assert bench(app).code.ghost == "l = 1"
        await pilot.press("x")
        assert bench(app).code.ghost == ""


async def test_the_next_key_stops_a_question_and_what_comes_late_is_not_shown(
    app: SparkApp, played: Played
) -> None:
    played.ghosts = {"zot": "al", "zota": "never"}
    played.hold = Pause()
    async with app.run_test(size=SIZE) as pilot:
        await type_into(pilot)
        await pilot.press("enter", "up", *"zot")
        await asyncio.to_thread(played.hold.reached.wait, 30)
        first = played.hold
        played.hold = None
        await pilot.press("x")
        await until(pilot, lambda: played.asked[-1] == "zotx")
        first.go()
        await settle(pilot)
        assert bench(app).code.ghost == ""
        assert shown(app)[0] == "zotx"


async def test_nothing_is_proposed_in_the_middle_of_a_line_or_for_a_move(
    app: SparkApp, played: Played
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await type_into(pilot, row=2)
        for keys in (("right", "x"), ("down", "end")):
            await press(pilot, *keys)
            assert bench(app).file_typing._timer is None
        assert played.asked == []
