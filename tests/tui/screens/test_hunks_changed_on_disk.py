"""Hunks of files that another program changes: marked where it changes their lines, when that is seen and
when a write is refused for it, and moved with their lines where a file is read again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from support.two_file_shop import CART, USES, opened, rename, shown, struck
from support.workbench_app import bench, press, screen_text, settle, stop_looking, until
from textual.pilot import Pilot

from spark_tui import events
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.session import Session
from spark_tui.session.storage import archive
from spark_tui.tui.app import SparkApp


def past_of(session: Session) -> list[events.Event]:
    return [entry.event for turn in archive.turns_of(session.folder) for entry in turn.entries]


async def told(app: SparkApp, pilot: Pilot[None], words: str, wanted: bool) -> None:
    """Wait until the status line says these words or no longer does: where a look at the file came before
    the one at its hunks, they are told by the next look."""
    await until(pilot, lambda: (words in bench(app).message[0]) is wanted)


async def test_a_hunk_in_conflict_with_the_disk_is_marked(tmp_path: Path) -> None:
    session, root = opened(tmp_path), tmp_path / "shop"
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        for text, mark in ((CART.replace("twice(items)", "twice(items=())"), "≠"), (CART, "●")):
            (root / "shop/cart.py").write_text(text)
            bench(app).disk_watch.look()
            await until(pilot, lambda mark=mark: f"{mark} 1  L5" in screen_text(app))
            await told(app, pilot, "in lines of hunk 1: reject it", mark == "≠")
        changed = USES.replace("print(twice([1]))", "print(twice([2]))")
        for text, mark in ((changed, "≠"), (USES, "●")):
            bench(app).disk_watch.look()
            await settle(pilot)
            (root / "shop/uses.py").write_text(text)
            bench(app).disk_watch.look()
            await until(pilot, lambda mark=mark: f"{mark} 3  L3" in screen_text(app))
            await told(app, pilot, "shop/uses.py changed on disk in lines of hunk 3: reject it", mark == "≠")
        (root / "shop/uses.py").write_text(changed)
        bench(app).code.focus()
        await pilot.press("ctrl+a", "w")
        await until(pilot, lambda: "≠ 3  L3" in screen_text(app))
        assert "✓ 1  L5" in screen_text(app)
    session.close()


async def test_the_footer_does_not_offer_to_accept_a_hunk_in_conflict(tmp_path: Path) -> None:
    session = opened(tmp_path)
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        bench(app).code.focus()
        await until(pilot, lambda: " a accept " in screen_text(app))
        (session.root / "shop/cart.py").write_text(CART.replace("twice(items)", "twice(items=())"))
        await until(pilot, lambda: "≠ 1  L5" in screen_text(app))
        await until(pilot, lambda: " a accept " not in screen_text(app))
        assert " r reject " in screen_text(app) and " e edit hunk " not in screen_text(app)
        await press(pilot, "e")
        assert bench(app).message[0] == "this hunk is in conflict with the text of the file: reject it first"
    session.close()


async def test_a_hunk_of_a_file_that_is_deleted_is_in_conflict_until_it_is_back(tmp_path: Path) -> None:
    session = opened(tmp_path)
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        bench(app).disk_watch.look()
        await settle(pilot)
        (session.root / "shop/cart.py").unlink()
        bench(app).disk_watch.look()
        await until(pilot, lambda: "≠ 1  L5" in screen_text(app))
        await told(app, pilot, "shop/cart.py deleted on disk, with the place of hunk 1", True)
        (session.root / "shop/cart.py").write_text(CART)
        bench(app).disk_watch.look()
        await until(pilot, lambda: "● 1  L5" in screen_text(app))
        await told(app, pilot, "deleted", False)
    session.close()


async def test_a_file_that_another_program_empties_before_it_writes_it_is_shown_as_it_was_written(
    tmp_path: Path,
) -> None:
    session = opened(tmp_path)
    file = session.root / "shop/cart.py"
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        bench(app).disk_watch.look()
        await settle(pilot)
        file.write_text("")
        bench(app).disk_watch.look()
        await until(pilot, lambda: not any(bench(app).code.file.lines))
        file.write_text("# top\n" + CART)
        bench(app).disk_watch.look()
        await until(pilot, lambda: "● 1  L6" in screen_text(app))
        assert bench(app).code.file.lines[0] == "# top"
        await settle(pilot)
        assert "that you typed" not in screen_text(app)
    session.close()


async def test_a_file_that_comes_back_otherwise_after_a_refused_write_is_looked_at_again(
    tmp_path: Path,
) -> None:
    session = opened(tmp_path)
    file = session.root / "shop/cart.py"
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        bench(app).disk_watch.look()
        await settle(pilot)
        bench(app).code.focus()
        await press(pilot, "ctrl+a")
        file.unlink()
        bench(app).disk_watch.look()
        await until(pilot, lambda: "≠ 1  L5" in screen_text(app))
        await press(pilot, "w")
        assert "shop/cart.py deleted on disk" in bench(app).message[0]
        for _ in range(2):
            file.write_text("# top\n" + CART)
            bench(app).disk_watch.look()
            await until(pilot, lambda: "✓ 1  L6" in screen_text(app))
            file.unlink()
            bench(app).disk_watch.look()
            await until(pilot, lambda: "≠ 1  L6" in screen_text(app))
    session.close()


async def test_hunks_of_a_reopened_session_are_shown_at_their_lines(tmp_path: Path) -> None:
    session = opened(tmp_path)
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
    session.close()
    (tmp_path / "shop/shop/cart.py").write_text("import os\nimport re\n\n" + CART)
    (tmp_path / "shop/shop/uses.py").write_text(USES.replace("print(", "print(1 + "))
    session = opened(tmp_path, session.id)
    async with shown(session, past_of(session)) as (app, pilot):
        await until(pilot, lambda: "● 1  L8" in screen_text(app))
        await until(pilot, lambda: struck(app) == ["def twice(items):"])
        await until(pilot, lambda: "≠ 3  L3" in screen_text(app))
        await bench(app).open_file.show_file("shop/uses.py")
        await until(pilot, lambda: struck(app) == ["from shop.cart import twice"])
        bench(app).code.focus()
        await press(pilot, "ctrl+a", "w")
    session.close()


async def test_accepted_hunks_move_when_the_next_turn_reads_their_file_again(tmp_path: Path) -> None:
    session, root = opened(tmp_path), tmp_path / "shop"
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        bench(app).code.focus()
        await press(pilot, "ctrl+a")
        (root / "shop/cart.py").write_text("import os\nimport re\n\n" + CART)
        assert bench(app).slash_command("/rename shop/cart.py::total.items wares")
        await until(pilot, bench(app).controller.turn_state.open_hunks)
        await until(pilot, lambda: "✓ 1  L8" in screen_text(app))
        await until(pilot, lambda: "def twice(items):" in struck(app))
        await press(pilot, "ctrl+a", "w")
        assert "def double(items):" in (root / "shop/cart.py").read_text()
    session.close()


async def test_a_turn_that_is_resumed_after_a_restart_goes_on_at_its_lines(tmp_path: Path) -> None:
    old = ["return sum(items)", "return 2 * total(items)"]
    blocks = [
        f"shop/cart.py\n<<<<<<< SEARCH\n    {line}\n=======\n    {line} or 0\n>>>>>>> REPLACE\n"
        for line in old
    ]
    session = opened(tmp_path, answer=[blocks[0], *blocks[1].splitlines(keepends=True)])
    stop = threading.Event()
    for event in session.turns.start(ContextRequest("never None", "shop/cart.py"), stop=stop):
        if isinstance(event, events.HunkClosed):
            stop.set()
    session.close()
    (tmp_path / "shop/shop/cart.py").write_text("import os\nimport re\n\n" + CART)
    session, written = opened(tmp_path, session.id), threading.Event()

    def slowly() -> Iterator[str]:
        *head, last = blocks[1].splitlines(keepends=True)
        yield from head
        assert written.wait(60)
        yield last

    session.backend.texts = slowly()
    async with shown(session, past_of(session)) as (app, pilot):
        await until(pilot, lambda: "● 1  L5" in screen_text(app))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "◌ 2  L9" in screen_text(app))
        assert struck(app) == [f"    {line}" for line in old]
        written.set()
        await until(pilot, lambda: "● 2  L9" in screen_text(app))
        assert struck(app) == [f"    {line}" for line in old]
        await settle(pilot)
    session.close()


async def test_what_was_written_before_a_turn_that_is_refused_is_shown_as_written(tmp_path: Path) -> None:
    session, root = opened(tmp_path), tmp_path / "shop"
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        bench(app).code.focus()
        await press(pilot, "ctrl+a")
        assert bench(app).slash_command("/rename shop/cart.py::total.items wares")
        await until(pilot, bench(app).controller.turn_state.open_hunks)
        await press(pilot, "ctrl+a")
        await stop_looking(pilot)
        (root / "shop/cart.py").write_text(CART.replace("sum(items)", "sum(items, 1)"))
        await pilot.press("w")
        await until(pilot, lambda: "■ 1  L5" in screen_text(app) and "≠ 4" in screen_text(app))
        assert "3 hunks were written before" in " ".join(screen_text(app).split())
        assert "■ wrote 3 hunks to shop/cart.py, shop/uses.py" in screen_text(app)
        assert bench(app).controller.review.can_undo
    session.close()


async def test_an_undone_hunk_of_a_file_that_changed_since_stays_in_view(tmp_path: Path) -> None:
    session, root = opened(tmp_path), tmp_path / "shop"
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        bench(app).code.focus()
        await pilot.press("ctrl+a", "w")
        await until(pilot, lambda: "■ 1  L5" in screen_text(app))
        written = (root / "shop/cart.py").read_text()
        (root / "shop/cart.py").write_text("import os\n" + written)
        bench(app).disk_watch.look()
        await until(pilot, lambda: "import os" in screen_text(app))
        await pilot.press("u")
        await until(pilot, lambda: "↶ 1  L6" in screen_text(app))
        await pilot.press("ctrl+y")
        await until(pilot, lambda: (root / "shop/cart.py").read_text() == "import os\n" + written)
        await settle(pilot)
    session.close()
