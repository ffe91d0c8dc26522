"""What a person does, in a real terminal. Each journey asserts what is on the screen and what is on the disk."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from tmux_terminal import Shop, Start

pytestmark = pytest.mark.terminal

GUARD = "raise ValueError in `add` when the quantity is below 1"
LONG = "annotate-inventory-and-orders"


def test_ask_accept_write_and_the_file_has_changed(start: Start, shop: Shop) -> None:
    before = shop.read("shop/cart.py")
    terminal = start()
    terminal.type(GUARD)
    terminal.press("Enter")
    terminal.until("+         if qty < 1:")
    terminal.until("✓ done")
    assert shop.read("shop/cart.py") == before
    terminal.press("Tab")
    terminal.until("a accept")
    terminal.type("a")
    terminal.until("✓1")
    assert shop.read("shop/cart.py") == before
    terminal.type("w")
    terminal.until("wrote 1 hunk to shop/cart.py")
    after = shop.read("shop/cart.py")
    assert "        if qty < 1:\n            raise ValueError" in after
    terminal.until("main*")
    terminal.type("u")
    terminal.until("undid shop/cart.py")
    assert shop.read("shop/cart.py") == before
    terminal.press("C-q")
    terminal.until("exit=0")


def test_reject_and_nothing_is_written(start: Start, shop: Shop) -> None:
    terminal = start("--pace", "unlimited")
    terminal.type(GUARD)
    terminal.press("Enter")
    terminal.until("✓ done")
    terminal.press("Tab")
    terminal.until("r reject")
    terminal.type("r")
    terminal.until("✗1")
    terminal.type("w")
    terminal.until("nothing to write here")
    terminal.press("C-q")
    terminal.until("exit=0")
    assert shop.git("status", "--porcelain") == ""


def test_an_interrupt_inside_a_hunk_keeps_what_was_closed_and_marks_the_rest_partial(start: Start, shop: Shop) -> None:
    terminal = start("--pace", "120", recording=LONG)
    terminal.type("annotate inventory and orders")
    terminal.press("Enter")
    terminal.until(lambda text: "●" in text and "▊" in text, "a closed hunk, and one that grows")
    terminal.press("Escape")
    screen = terminal.until("◐ stopped")
    assert "●" in screen
    assert shop.git("status", "--porcelain") == ""
    if "◐1" in screen:
        terminal.press("Tab")
        terminal.until("a accept")
        terminal.type("p")
        terminal.until("resume")
        terminal.type("r")
        terminal.until("✗1")
    terminal.press("C-q")
    terminal.until("exit=0")


def test_a_resize_in_the_middle_of_a_stream_loses_nothing(start: Start) -> None:
    terminal = start("--pace", "150", recording=LONG)
    terminal.type("annotate")
    terminal.press("Enter")
    terminal.until("●")
    for columns, rows in ((80, 24), (60, 16), (160, 50), (90, 26)):
        terminal.resize(columns, rows)
        terminal.until(lambda text, rows=rows: len(text.split("\n")) == rows and "writing" in text, "a whole screen")
    terminal.press("Escape")
    screen = terminal.until("◐ stopped")
    assert len(screen.split("\n")) == 26
    assert "Tab" in screen.split("\n")[-1]
    terminal.press("C-q")
    terminal.until("exit=0")


def test_quitting_while_it_streams_is_quick_and_leaves_no_process(start: Start, shop: Shop) -> None:
    terminal = start("--pace", "60", recording=LONG)
    terminal.type("annotate")
    terminal.press("Enter")
    terminal.until("▊")
    children = _descendants(terminal.pid)
    assert children
    asked = time.monotonic()
    terminal.press("C-q")
    terminal.until("exit=0")
    took = time.monotonic() - asked
    terminal.wait(lambda: not any(Path(f"/proc/{pid}").exists() for pid in children), "the processes are gone")
    assert took < 5, "the bar is one second; a busy machine is given more"
    assert shop.git("status", "--porcelain") == ""


def _descendants(pid: int) -> list[int]:
    """Processes under `pid`, from the process table."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found: list[int] = []
    for child in parents:
        at = child
        while at in parents and at != pid:
            at = parents[at]
        if at == pid and child not in (pid, os.getpid()):
            found.append(child)
    return found
