"""A file that another program changes is shown as it is, whatever else goes on: while the model writes, while
hunks of it wait, while it is typed into, and where it is looked at later."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.two_file_shop import CART, USES, opened, rename, shown, struck
from support.workbench_app import bench, press, screen_text, settle, stop_looking, until

from spark_tui.tui.code.unsaved_edits import FileViewport


async def test_what_changes_while_the_model_writes_is_shown_and_marked_at_once(tmp_path: Path) -> None:
    blocks = [
        f"shop/cart.py\n<<<<<<< SEARCH\n    {line}\n=======\n    {line} or 0\n>>>>>>> REPLACE\n"
        for line in ("return sum(items)", "return 2 * total(items)")
    ]
    session, go_on = opened(tmp_path), [threading.Event(), threading.Event()]

    def slowly() -> Iterator[str]:
        for block, event in zip(["", *blocks], [*go_on, None], strict=False):
            yield block
            if event is not None:
                assert event.wait(60)

    session.backend.texts = slowly()
    file = tmp_path / "shop/shop/cart.py"
    async with shown(session) as (app, pilot):
        bench(app).controller.enqueue("never None")
        await until(pilot, lambda: bench(app).controller.turn_state.turn)
        await until(pilot, lambda: all(worker.is_finished for worker in app.workers))
        file.write_text("import os\n" + CART)  # no hunk of it is there yet
        await until(pilot, lambda: bench(app).code.file.lines[0] == "import os")
        go_on[0].set()
        await until(pilot, lambda: "● 1  L3" in screen_text(app))
        await until(pilot, lambda: struck(app) == ["    return sum(items)"])
        file.write_text("import os\n" + CART.replace("sum(items)", "sum(items, 1)"))
        await until(pilot, lambda: "≠ 1  L3" in screen_text(app))
        await until(pilot, lambda: not struck(app))
        assert bench(app).controller.running
        go_on[1].set()
        await until(pilot, lambda: "● 2  L7" in screen_text(app))
        await settle(pilot)
        bench(app).code.focus()
        await press(pilot, "ctrl+a", "w")
    assert file.read_text() == "import os\n" + CART.replace("sum(items)", "sum(items, 1)").replace(
        "2 * total(items)", "2 * total(items) or 0"
    )
    session.close()


@pytest.mark.parametrize("looked", [True, False])
async def test_a_hunk_whose_lines_changed_before_it_came_cannot_be_accepted(
    tmp_path: Path, looked: bool
) -> None:
    session, go_on = opened(tmp_path), [threading.Event(), threading.Event()]
    search, replace = (f"    return 2 * total(items){more}\n" for more in ("", " or 0"))

    def slowly() -> Iterator[str]:
        yield "shop/cart.py\n"
        assert go_on[0].wait(60)
        yield f"<<<<<<< SEARCH\n{search}=======\n{replace}"
        assert go_on[1].wait(60)
        yield ">>>>>>> REPLACE\n"

    session.backend.texts = slowly()
    file = tmp_path / "shop/shop/cart.py"
    async with shown(session) as (app, pilot):
        bench(app).controller.enqueue("never None")
        await until(pilot, lambda: bench(app).controller.turn_state.turn)
        await until(pilot, lambda: all(worker.is_finished for worker in app.workers))
        file.write_text("import os\n" + CART.replace("2 * total", "3 * total"))
        await until(pilot, lambda: bench(app).code.file.lines[0] == "import os")
        if not looked:
            await stop_looking(pilot)
        go_on[0].set()
        await until(pilot, lambda: "≠ 1  L7" in screen_text(app))
        bench(app).disk_watch.look()
        await until(pilot, lambda: all(worker.is_finished for worker in app.workers))
        go_on[1].set()
        await until(pilot, lambda: bench(app).controller.turn_state.hunks[1].state == "closed")
        await until(pilot, lambda: bench(app).controller.turn_state.hunks[1].stale or not looked)
        await settle(pilot)
        bench(app).code.focus()
        await press(pilot, "ctrl+a")
        assert bench(app).controller.turn_state.hunks[1].state == "closed"
        assert "changed on disk in lines of hunk 1" in bench(app).message[0]
    session.close()


async def test_a_change_of_the_file_that_is_typed_into_is_told_and_shown_after_it(tmp_path: Path) -> None:
    session, file = opened(tmp_path), tmp_path / "shop/shop/cart.py"
    async with shown(session) as (app, pilot):
        bench(app).code.focus()
        await press(pilot, "i", "#")
        bench(app).disk_watch.look()
        await settle(pilot)
        file.write_text(CART + "A = 1\n")
        await until(pilot, lambda: "changed on disk: shown once you leave the text" in screen_text(app))
        assert "A = 1" not in screen_text(app)
        await press(pilot, "escape")
        await until(pilot, lambda: "A = 1" in screen_text(app))
        assert "#def total" in screen_text(app)
        await press(pilot, "i")
        file.unlink()
        await until(pilot, lambda: "was deleted on disk: your text stays here" in screen_text(app))
        await press(pilot, "escape")
        assert "#def total" in screen_text(app)
    session.close()


async def test_a_write_that_is_known_to_be_refused_writes_nothing_of_other_turns(tmp_path: Path) -> None:
    session, root = opened(tmp_path), tmp_path / "shop"
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        assert bench(app).slash_command("/rename shop/cart.py::total.items wares")
        await until(pilot, lambda: len(bench(app).controller.turn_state.open_hunks()) > 3)
        await settle(pilot)
        bench(app).code.focus()
        await press(pilot, "ctrl+a")
        bench(app).disk_watch.look()  # what is gone by the first look is told by the write alone
        await settle(pilot)
        (root / "shop/uses.py").unlink()
        bench(app).disk_watch.look()
        await until(pilot, lambda: "shop/uses.py deleted on disk, with the place of hunk" in screen_text(app))
        await press(pilot, "w")
        assert bench(app).code.file.path == "shop/uses.py"
        assert (root / "shop/cart.py").read_text() == CART
        await press(pilot, "o", "ctrl+a")
        assert bench(app).message[0].startswith("≠ shop/uses.py deleted on disk")
        await press(pilot, "R", "w")
        assert "≠ shop/uses.py deleted on disk" in bench(app).message[0]
    session.close()


async def test_the_keys_go_to_a_written_hunk_of_a_file_that_changed_since(tmp_path: Path) -> None:
    session, root = opened(tmp_path), tmp_path / "shop"
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        bench(app).code.focus()
        await press(pilot, "ctrl+a", "w")
        (root / "shop/cart.py").write_text("import os\n\n" + CART.replace("twice", "double"))
        bench(app).disk_watch.look()
        await until(pilot, lambda: "import os" in screen_text(app))
        for _ in range(3):
            await press(pilot, "n")
            if bench(app).navigation.current_id == 1:
                assert bench(app).code.place()[0] == 7
        assert bench(app).code.file.path == "shop/cart.py"
    session.close()


async def test_a_file_that_changed_before_it_is_first_looked_at_shows_its_hunks_at_their_lines(
    tmp_path: Path,
) -> None:
    session, root = opened(tmp_path), tmp_path / "shop"
    async with shown(session) as (app, pilot):
        await rename(app, pilot)
        for turn in (1, 2):
            uses = USES.replace("print(", f"print({turn} + ")
            (root / "shop/uses.py").write_text(uses)
            await bench(app).open_file.show_file("shop/uses.py")
            bench(app).disk_watch.look()
            await until(pilot, lambda uses=uses: bench(app).code.file.lines == uses.splitlines())
            await until(pilot, lambda: struck(app) == ["from shop.cart import twice"])
            await bench(app).open_file.show_file("shop/cart.py")
            if turn == 1:
                assert bench(app).slash_command("/rename shop/cart.py::total.items wares")
                await until(pilot, lambda: len(bench(app).controller.turn_state.open_hunks()) > 3)
                await settle(pilot)
    session.close()


async def test_a_new_file_that_was_rejected_leaves_the_view_with_the_next_message(tmp_path: Path) -> None:
    answer = "NOTES.md\n<<<<<<< SEARCH\n=======\nhi\n>>>>>>> REPLACE\n"
    session = opened(tmp_path, answer=[answer])
    async with shown(session) as (app, pilot):
        bench(app).controller.enqueue("write some notes")
        await until(pilot, lambda: bench(app).code.file.path == "NOTES.md")
        await settle(pilot)
        bench(app).code.focus()
        await press(pilot, "r")
        assert bench(app).code.file.path == "NOTES.md"
        session.backend.texts = ["No."]
        bench(app).controller.enqueue("never mind")
        await until(pilot, lambda: "never mind" in screen_text(app))
        await settle(pilot)
        assert (bench(app).code.file.path, bench(app).controller.in_view) == ("", "")
        assert "no such file" not in screen_text(app)
    session.close()


async def test_a_look_that_is_asked_for_during_a_look_comes_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, looks = opened(tmp_path), []
    async with shown(session) as (app, pilot):
        watch = bench(app).disk_watch
        await until(pilot, lambda: not watch._looking)  # one of its own would make the first one here

        async def nothing() -> None: ...

        async def look_again() -> bool:
            looks.append("a look")
            if len(looks) == 1:
                await watch._look()
                assert len(looks) == 1
            return False

        bench(app).code.show_file(FileViewport())
        monkeypatch.setattr(watch, "_look_at_hunks", look_again)
        monkeypatch.setattr(watch, "_look_at_head", nothing)
        await watch._look()
        assert len(looks) == 2
    session.close()
