"""The journeys of a person who steers, resumes, splits, edits, picks and changes the look, in a real
terminal."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from support.held_streams import Far
from support.tmux_terminal import Shop, Start, runs

from spark_tui.config import paths

pytestmark = pytest.mark.terminal

TIDY = "simplify `revenue` and `by_day` in report.py"
STEER = "no, use a defaultdict in by_day instead"
GUARD = "raise ValueError in `add` when the quantity is below 1"
RENAME = "rename `qty` to `quantity` in cart.py"
LONG = "annotate-inventory-and-orders"


def test_a_steer_stops_the_model_and_what_follows_takes_its_place(start: Start, shop: Shop) -> None:
    terminal = start(hold=("tidy-report", "days.setdefault"))
    terminal.enter(TIDY)
    terminal.until(
        lambda text: "●1" in text and "days.setdefault▊" in text, "one hunk closed, one that grows"
    )
    terminal.type(STEER)
    terminal.until("Enter steer")
    terminal.press("Enter")
    terminal.until(f"↪ {STEER}")
    terminal.until("✓ done")
    terminal.press("Tab")
    terminal.until("a accept")
    terminal.type("A")
    terminal.until("✓4 ✗1")
    terminal.type("w")
    terminal.until("wrote 4 hunks")
    assert "defaultdict" in shop.read("shop/report.py")
    assert "setdefault" not in shop.read("shop/report.py")


def test_a_stopped_turn_is_resumed_to_the_same_end(start: Start, shop: Shop) -> None:
    terminal = start(hold=("cart-guard", "if qty < 1:"))
    terminal.enter(GUARD)
    terminal.until("if qty < 1:▊")
    terminal.press("Escape")
    terminal.until("◐ stopped")
    terminal.press("Tab")
    terminal.until("Ctrl+R resume")
    terminal.press("C-r")
    terminal.until("✓ done")
    terminal.accept_and_write()
    assert 'raise ValueError(f"the quantity must be at least 1, not {qty}")' in shop.read("shop/cart.py")


def test_esc_and_the_words_behind_it_may_arrive_together(start: Start) -> None:
    terminal = start(hold=("cart-guard", "if qty < 1:"))
    terminal.enter(GUARD)
    terminal.until("if qty < 1:▊")
    terminal.type("\x1bno, use KeyError")
    terminal.until("◐ stopped")
    terminal.until("› no, use KeyError")


def test_who_quits_while_the_model_writes_is_told_how_to_go_on(start: Start) -> None:
    terminal = start(hold=("cart-guard", "if qty < 1:"))
    terminal.enter(GUARD)
    terminal.until("if qty < 1:▊")
    terminal.press("C-q")
    terminal.until("1 hunk is not written yet. To go on: spark --session ")


def test_a_partial_hunk_is_kept_as_it_stands(start: Start, shop: Shop) -> None:
    terminal = start(recording="low-stock-test", hold=("low-stock-test", "inventory = Inventory("))
    terminal.enter("test to_reorder")
    terminal.until("inventory = Inventory(▊")
    terminal.press("Escape")
    terminal.until("◐1")
    terminal.press("Tab")
    terminal.until("a keep as it is")
    terminal.type("a")
    terminal.until("is partial; a again keeps")
    terminal.type("w")
    terminal.until("no hunk is accepted yet")
    terminal.type("aa")
    terminal.until("✓1")
    terminal.type("w")
    terminal.until("wrote 1 hunk")
    assert shop.git("status", "--porcelain", "-uall").startswith("?? tests/")


def test_a_message_for_later_is_said_after_the_turn(far: Far, start: Start) -> None:
    model = far("if qty < 1:")
    terminal = start("--connect", model.url, live=True)
    terminal.enter(GUARD)
    terminal.until("if qty < 1:▊")
    terminal.type(RENAME)
    terminal.until("Tab queue")
    terminal.press("Tab")
    terminal.until("1 queued")
    model.gate.set()
    terminal.until("10 hunks in shop/cart.py")


def test_a_hunk_is_split_and_half_of_it_written(start: Start, shop: Shop) -> None:
    terminal = start("--pace", "unlimited")
    terminal.enter(GUARD)
    terminal.until("✓ done")
    terminal.press("Tab")
    terminal.until("s split")
    terminal.type("s")
    terminal.until("●2")
    terminal.type("r")
    terminal.until("✗1 ●1")
    terminal.type("a")
    terminal.until("✓1 ✗1")
    terminal.type("w")
    terminal.until("w again writes it")  # half of the edit alone would not compile
    terminal.type("w")
    terminal.until("wrote 1 hunk")
    text = shop.read("shop/cart.py")
    assert "if qty < 1:" not in text
    assert "raise ValueError" in text


def test_a_hunk_is_edited_in_place_and_written_as_typed(start: Start, shop: Shop) -> None:
    terminal = start("--pace", "unlimited")
    terminal.enter(GUARD)
    terminal.until("✓ done")
    terminal.press("Tab")
    terminal.until("e edit hunk")
    terminal.type("e")
    terminal.until("leave and accept your edit")
    terminal.press("End")
    terminal.type("  # mine")
    terminal.until("if qty < 1:  # mine")
    terminal.press("Escape")
    terminal.until("accepted with your edit")
    terminal.type("w")
    terminal.until("wrote 1 hunk")
    assert "        if qty < 1:  # mine\n            raise ValueError" in shop.read("shop/cart.py")


def test_a_file_that_changed_underneath_is_merged_or_refused_and_never_overwritten(
    start: Start, shop: Shop
) -> None:
    terminal = start("--pace", "unlimited")
    terminal.enter(GUARD)
    terminal.until("✓ done")
    terminal.press("Tab")
    terminal.until("a accept")
    cart = shop.root / "shop" / "cart.py"
    cart.write_text("# from elsewhere\n" + cart.read_text(encoding="utf-8"), encoding="utf-8")
    terminal.accept_and_write()
    text = shop.read("shop/cart.py")
    assert text.startswith("# from elsewhere\n")
    assert "if qty < 1:" in text


def test_a_file_is_found_and_named_with_a_few_letters(start: Start) -> None:
    terminal = start()
    terminal.type("look at @")
    terminal.until("file or symbol ›")
    terminal.type("invpy")
    terminal.until("▸ shop/inventory.py")
    terminal.press("Enter")
    terminal.until("› look at @shop/inventory.py")


def test_a_theme_is_switched_and_stays_until_the_end(start: Start) -> None:
    terminal = start()
    terminal.press("C-p")
    terminal.until("command ›")
    terminal.type("paper")
    terminal.until("▸ Theme: paper")
    terminal.press("Enter")
    terminal.until("theme: Paper")


def test_a_storm_of_resizes_ends_with_a_whole_screen(start: Start) -> None:
    terminal = start("--pace", "900", recording=LONG)
    terminal.enter("annotate")
    terminal.until("●")
    for step in range(24):
        terminal.resize(60 + step * 7 % 90, 16 + step * 5 % 40)
    terminal.resize(100, 30)
    terminal.whole("✓ done", "29 hunks in 2 files", "Tab decide 29 hunks")
    terminal.quit()


def test_a_killed_terminal_leaves_no_process_and_an_unchanged_tree(start: Start, shop: Shop) -> None:
    terminal = start(recording=LONG, hold=(LONG, "One kind of goods"))
    terminal.enter("annotate")
    terminal.until("▊")
    pids = [
        int(pid) for pid in Path(f"/proc/{terminal.pid}/task/{terminal.pid}/children").read_text().split()
    ]
    assert pids
    os.kill(terminal.pid, signal.SIGHUP)
    terminal.close()
    terminal.wait(lambda: not any(map(runs, pids)), "the process is gone with its terminal")
    assert shop.git("status", "--porcelain") == ""


def test_what_waited_when_the_terminal_was_closed_is_said_at_the_next_start(start: Start) -> None:
    terminal = start("shop/cart.py", "--pace", "unlimited")
    terminal.enter(RENAME)
    terminal.until("✓ done")
    terminal.press("Tab")
    terminal.until("a accept")
    terminal.type("i")
    terminal.until("Esc leave")
    terminal.type("# mine")
    terminal.until("# mine")
    os.kill(terminal.pid, signal.SIGHUP)
    terminal.close()
    again = start()
    again.until("hunks waited when spark was killed: typed, not saved: shop/cart.py", "rename")
    again.quit()


def test_the_draft_is_there_again_after_a_restart(start: Start) -> None:
    first = start()
    first.type("half a thou")
    first.until("half a thou")
    first.quit()
    second = start()
    second.until("› half a thou")


def test_without_colour_every_state_can_be_read(start: Start) -> None:
    terminal = start("--pace", "unlimited", environ={"NO_COLOR": "1"})
    terminal.enter(RENAME)
    terminal.until("✓ done")
    terminal.press("Tab")
    terminal.until("a accept")
    terminal.type("a")
    terminal.until("✓1 ●9")
    terminal.type("r")
    terminal.until("✓1 ✗1 ●8")
    assert "\x1b[38" not in terminal.screen(escapes=True)


def test_the_demo_opens_without_a_repository(start: Start) -> None:
    assert paths.recordings_dir().is_dir()
    terminal = start("--demo", "--pace", "unlimited")
    terminal.enter(GUARD)
    terminal.until("1 hunk in shop/cart.py")
    terminal.press("C-q")
    terminal.until(
        lambda text: " --session 20" in text.replace("\n", ""), "the command that goes on with the hunk"
    )


def test_the_tour_begins_with_the_model_that_the_package_carries(start: Start) -> None:
    if not list(paths.models_dir().glob("*/config.json")):
        pytest.skip("the package carries no model")
    terminal = start("--demo", live=True, size=(80, 24))
    terminal.until(
        lambda text: "1/8 Enter sends this" in text and "when qty is below 1 @shop/cart.py" in text
    )
    assert "tok/s" not in terminal.screen(), "the tour's pace is not taken for the model's"
    terminal.press("Enter")
    # No Esc: the edit is there at once, and an Esc that comes too late is, with Enter behind it, Alt+Enter.
    terminal.until(
        lambda text: "no, use TypeError instead" in text and "2/8" in text, "the steer, ready to be sent"
    )
    terminal.press("Enter")
    terminal.until(
        lambda text: "accepts" in text or "1/8" in text, "the answer to it, or what to do without one"
    )


def test_a_write_is_undone_after_a_restart(start: Start, shop: Shop) -> None:
    before = shop.read("shop/cart.py")
    first = start("--pace", "unlimited")
    first.enter(GUARD)
    first.until("✓ done")
    first.press("Tab")
    first.until("a accept")
    first.accept_and_write()
    assert shop.read("shop/cart.py") != before
    first.quit()
    second = start("--session", "last")
    second.until("wrote 1 hunk")
    second.press("Tab")
    second.until("u undo")
    second.type("u")
    second.until("undid shop/cart.py")
    assert shop.read("shop/cart.py") == before


def test_a_kept_session_is_found_and_opened_in_the_place_of_this_one(start: Start) -> None:
    first = start("--pace", "unlimited")
    first.enter(RENAME)
    first.until("10 hunks")
    first.press("C-q")
    first.until("10 hunks are not written yet. To go on: spark --session ")
    first.until("exit=0")
    second = start()
    second.press("F6")
    second.until("rename `qty`")
    second.press("Enter")
    second.until("●10")
