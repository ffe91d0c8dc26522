"""Next edits by keys: offered at a pause, shown as hunks, taken, dismissed, switched off."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.fakes import FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import SIZE, app_for, bench, press, screen_text, settle, until
from textual.pilot import Pilot

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.edits.edit_offers import PAUSE_SECONDS

CART = "def total(items):\n    return sum(items)\n\n\ndef twice(items):\n    return 2 * total(items)\n"
USES = "from shop.cart import total\n\nprint(total([1]))\n"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    files = {"shop/__init__.py": "", "shop/cart.py": CART, "shop/uses.py": USES}
    root = uncommitted(tmp_path / "shop", files)
    made = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "state")
    yield made
    made.close()


@pytest.fixture
def app(session: Session) -> SparkApp:
    return app_for(session)


async def rename(pilot: Pilot[Any], column: int = 9, key: str = "s") -> None:
    """Put a letter into the first line (without others, `total` becomes `totals`), and wait for the offer."""
    await until(pilot, lambda: not bench(pilot.app).controller.opening)
    await bench(pilot.app).open_file.show_file("shop/cart.py")
    code = bench(pilot.app).code
    code.focus()
    await pilot.pause()
    code.go_to(0)
    await pilot.press("i")
    await until(pilot, lambda: code.editor is not None)
    code.editor.buffer.go_to(0, column)
    await pilot.press(key)
    await until(pilot, lambda: "more place" in screen_text(pilot.app))


async def nothing_is_asked_any_more(pilot: Pilot[Any]) -> None:
    """What was typed or written is noticed, the pause behind it is over, and what it leads to is found."""
    bench(pilot.app).disk_watch.look()
    await settle(pilot)
    await asyncio.sleep(2 * PAUSE_SECONDS)
    await settle(pilot)


def events(tmp_path: Path) -> list[str]:
    lines = (tmp_path / "state" / "next-edits.jsonl").read_text().splitlines()
    return [json.loads(line)["event"] for line in lines]


async def test_tab_shows_the_offer_as_hunks_and_tab_again_takes_it(
    app: SparkApp, session: Session, tmp_path: Path
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await rename(pilot)
        buffer = bench(app).code.editor.buffer
        assert "↹ 3 more places in 2 files: rename total → totals" in screen_text(app)
        at = buffer.at
        await pilot.press("tab")
        await until(pilot, lambda: "takes all of it" in screen_text(app))
        assert (buffer.at, bench(app).code.editor.buffer) == (at, buffer)
        assert "return 2 * totals(items)" in screen_text(app)
        await nothing_is_asked_any_more(pilot)
        assert "breaks" not in screen_text(app), "the typed text is part of what was checked"
        hunks = bench(app).controller.turn_state.hunks
        assert {hunk.state for hunk in hunks.values()} == {"closed"}
        await pilot.press("tab")
        await until(pilot, lambda: "taken" in screen_text(app))
        assert {hunk.state for hunk in hunks.values()} == {"accepted"}
        assert (session.root / "shop/uses.py").read_text() == USES
        await press(pilot, "escape", "w", "ctrl+s")
        await until(pilot, lambda: "totals" in (session.root / "shop/uses.py").read_text())
        assert (session.root / "shop/uses.py").read_text() == USES.replace("total", "totals")
        assert (session.root / "shop/cart.py").read_text() == CART.replace("total", "totals")
    assert events(tmp_path) == ["shown", "taken"]


async def test_esc_dismisses_the_offer_first_and_it_does_not_come_back(app: SparkApp, tmp_path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await rename(pilot)
        await press(pilot, "escape")
        assert "more places" not in screen_text(app)
        assert bench(app).code.editor is not None
        await pilot.press("backspace", "s")
        await nothing_is_asked_any_more(pilot)
        assert "more places" not in screen_text(app)
        await press(pilot, "escape")
        assert bench(app).code.editor is None
    assert events(tmp_path) == ["shown", "dismissed"]


async def test_esc_takes_back_the_hunks_that_are_shown(app: SparkApp, session: Session) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await rename(pilot)
        await pilot.press("tab")
        await until(pilot, lambda: "takes all of it" in screen_text(app))
        await press(pilot, "escape")
        hunks = bench(app).controller.turn_state.hunks
        assert {hunk.state for hunk in hunks.values()} == {"rejected"}
        assert bench(app).code.editor.buffer.lines[0] == "def totals(items):"


async def take(pilot: Pilot[Any]) -> None:
    """Take the offer, and leave the text."""
    await pilot.press("tab")
    await until(pilot, lambda: "takes all of it" in screen_text(pilot.app))
    await pilot.press("tab")
    await until(pilot, lambda: "taken" in screen_text(pilot.app))
    await pilot.press("escape")
    await until(pilot, lambda: bench(pilot.app).code.editor is None)


@pytest.mark.parametrize("saved", ["at last", "before it is written"])
async def test_the_line_below_the_typed_one_is_written_and_undone_too(
    app: SparkApp, session: Session, saved: str
) -> None:
    cart = session.root / "shop/cart.py"
    async with app.run_test(size=SIZE) as pilot:
        await rename(pilot, 15, "2")
        await take(pilot)
        hunks = bench(app).controller.unsaved_files.hunks("shop/cart.py")
        assert [(hunk.start, hunk.state) for hunk in hunks] == [(2, "accepted")]
        head, body = ("items):", "items2):"), ("sum(items)", "sum(items2)")
        steps = {"w": body, "ctrl+s": head}
        text = CART
        for key in ("w", "ctrl+s") if saved == "at last" else ("ctrl+s", "w"):
            await pilot.press(key)
            text = text.replace(*steps[key], 1)
            await until(pilot, lambda text=text: cart.read_text() == text)
            await settle(pilot)
        for undone in (text.replace(*reversed(steps[key]), 1), CART):
            await pilot.press("u")
            await until(pilot, lambda undone=undone: cart.read_text() == undone)
            await settle(pilot)


async def test_what_was_written_or_undone_is_not_offered_again(
    app: SparkApp, session: Session, tmp_path: Path
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await rename(pilot)
        await take(pilot)
        for key in ("ctrl+s", "w", "u", "u"):
            await pilot.press(key)
            await nothing_is_asked_any_more(pilot)
            assert "more places" not in screen_text(app), key
        assert (session.root / "shop/cart.py").read_text() == CART
    assert events(tmp_path) == ["shown", "taken", "undone"]


async def test_an_answer_about_the_text_before_a_write_is_not_shown(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await rename(pilot)
        offers = bench(app).edit_offers
        late, offered = offers._deliverer(), offers._offered
        offers.wrote()
        await asyncio.to_thread(late, offered)
        await settle(pilot)
        assert not offers.state


async def test_a_key_takes_back_the_hunks_that_are_shown(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await rename(pilot)
        await pilot.press("tab")
        await until(pilot, lambda: "takes all of it" in screen_text(app))
        await pilot.press("_")
        await until(pilot, lambda: "rename total → totals_" in screen_text(app))
        hunks = bench(app).controller.turn_state.hunks
        assert {hunk.state for hunk in hunks.values()} == {"rejected"}
        await take(pilot)
        hunks = bench(app).controller.turn_state.hunks
        taken = [hunk for hunk in hunks.values() if hunk.state != "rejected"]
        assert {hunk.state for hunk in taken} == {"accepted"}
        assert all("totals_" in "".join(hunk.new) for hunk in taken)


async def test_a_key_takes_the_offer_away_and_goes_into_the_text(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await rename(pilot)
        await press(pilot, "_")
        assert bench(app).code.editor.buffer.lines[0] == "def totals_(items):"
        assert not bench(app).code.offered
        await until(pilot, lambda: "rename total → totals_" in screen_text(app))


async def test_one_key_switches_offers_off(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not bench(pilot.app).controller.opening)
        await settle(pilot)  # the end of the opening writes into the same line
        await pilot.press("alt+o")
        await until(pilot, lambda: "not offered any more" in screen_text(app))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(rename(pilot), 3)


async def test_a_file_that_another_program_changes_is_a_change_too(app: SparkApp, session: Session) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not bench(pilot.app).controller.opening)
        await bench(app).open_file.show_file("shop/cart.py")
        bench(app).disk_watch.look()
        await settle(pilot)
        (session.root / "shop/cart.py").write_text(CART.replace("def total(", "def amount("))
        await until(pilot, lambda: "rename total → amount" in screen_text(app))
        assert "def amount(items)" in screen_text(app)


async def test_what_another_program_writes_is_shown_while_hunks_wait(app: SparkApp, session: Session) -> None:
    file = session.root / "shop/cart.py"
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: not bench(pilot.app).controller.opening)
        await bench(app).open_file.show_file("shop/cart.py")
        assert bench(app).slash_command("/rename twice double")
        waiting = bench(app).controller.turn_state.open_hunks
        await until(pilot, waiting)
        await settle(pilot)
        for text, line in (("A = 1\n" + CART, "L6"), (CART, "L5"), ("B = 2\n\n" + CART, "L7")):
            file.write_text(text)
            await until(pilot, lambda text=text: bench(app).code.file.lines == text.splitlines())
            await settle(pilot)
            assert [f"L{hunk.start}" for hunk in bench(app).code.file.hunks] == [line]
        bench(app).code.focus()
        await press(pilot, "ctrl+a", "w")
        assert file.read_text() == "B = 2\n\n" + CART.replace("twice", "double")


async def test_ones_own_write_is_no_change_of_another(app: SparkApp, session: Session) -> None:
    file = session.root / "shop/cart.py"
    file.write_text(CART + "\n\ndef thrice(items):\n    return twice(items)\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: not bench(pilot.app).controller.opening)
        await bench(app).open_file.show_file("shop/cart.py")
        assert bench(app).slash_command("/rename twice double")
        await until(pilot, bench(app).controller.turn_state.open_hunks)
        await settle(pilot)
        file.write_text("A = 1\n" + file.read_text())
        await until(pilot, lambda: "A = 1" in screen_text(app))
        bench(app).code.focus()
        await press(pilot, "a", "w", "w")
        assert "double" in file.read_text()
        bench(app).disk_watch.look()
        await settle(pilot)
        assert bench(app).controller.turn_state.open_hunks()
        assert "changed on disk" not in screen_text(app)


async def test_what_a_formatter_changes_right_after_a_write_is_shown(app: SparkApp, session: Session) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: not bench(pilot.app).controller.opening)
        await bench(app).open_file.show_file("shop/cart.py")
        assert bench(app).slash_command("/rename twice double")
        await until(pilot, bench(app).controller.turn_state.open_hunks)
        await settle(pilot)
        bench(app).code.focus()
        await press(pilot, "a", "w")
        file = session.root / "shop/cart.py"
        assert "double" in file.read_text()
        file.write_text("B = 2\n" + file.read_text())
        await until(pilot, lambda: "B = 2" in screen_text(app))


async def test_after_an_edit_one_key_goes_to_the_callers(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not bench(pilot.app).controller.opening)
        await bench(app).open_file.show_file("shop/cart.py")
        bench(app).code.focus()
        await pilot.pause()
        await pilot.press("j", "alt+j")
        await until(pilot, lambda: "shop/cart.py:6" in screen_text(app))
        await pilot.press("alt+j")
        await until(pilot, lambda: bench(app).code.file.path == "shop/uses.py")


async def test_what_a_formatter_writes_meanwhile_is_part_of_the_next_offer(
    app: SparkApp, session: Session
) -> None:
    cart = session.root / "shop/cart.py"
    async with app.run_test(size=SIZE) as pilot:
        await rename(pilot)
        formatted = CART.replace("2 * total(items)", "2 * total(\n        items\n    )")
        cart.write_text(formatted)
        await pilot.press("tab")
        await until(pilot, lambda: "the offer for the text before is off" in screen_text(app))
        assert not bench(app).controller.turn_state.hunks
        await until(pilot, lambda: "rename total → totals" in screen_text(app))
        await take(pilot)
        await pilot.press("w", "ctrl+s")
        await until(pilot, lambda: cart.read_text() == formatted.replace("total", "totals"))
        await settle(pilot)
    assert "totals([1])" in (session.root / "shop/uses.py").read_text()


async def test_a_place_that_is_left_out_is_told(app: SparkApp, session: Session) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await rename(pilot)
        uses = session.root / "shop/uses.py"
        uses.write_text(USES + "# another line\n")
        await pilot.press("tab")
        await until(pilot, lambda: "2 left out" in screen_text(app))
        hunks = bench(app).controller.turn_state.hunks
        assert {hunk.path for hunk in hunks.values()} == {"shop/cart.py"}
