"""What a person does, in a real terminal. Each journey asserts what is on the screen and what is on the
disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.tmux_terminal import Shop, Start, runs

pytestmark = pytest.mark.terminal

GUARD = "raise ValueError in `add` when the quantity is below 1"
LONG = "annotate-inventory-and-orders"


def test_ask_accept_write_and_the_file_has_changed(start: Start, shop: Shop) -> None:
    before = shop.read("shop/cart.py")
    terminal = start()
    terminal.enter(GUARD)
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
    terminal.quit()


def test_who_quits_while_git_commits_is_told_what_is_waited_for(
    start: Start, shop: Shop, tmp_path: Path
) -> None:
    begun, go_on = tmp_path / "begun", tmp_path / "go_on"
    hook = shop.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {begun}\nuntil [ -e {go_on} ]; do sleep 0.02; done\n")
    hook.chmod(0o755)
    who = {
        f"GIT_{kind}_{name}": "ann@example.org"
        for kind in ("AUTHOR", "COMMITTER")
        for name in ("NAME", "EMAIL")
    }
    terminal = start("--pace", "unlimited", size=(80, 24), environ=who)
    terminal.enter(GUARD)
    terminal.until("✓ done")
    terminal.press("Tab")
    terminal.until("a accept")
    terminal.accept_and_write()
    terminal.type("C")
    terminal.wait(begun.exists, "the hook runs")
    terminal.press("C-q")
    terminal.until("git still commits, and its hooks are waited for: Ctrl+Q again quits")
    terminal.press("C-q")
    terminal.until(lambda text: "spark: waiting for git" in text and "✦" not in text, "what is waited for")
    assert "screen=0" in terminal.modes()
    go_on.touch()
    terminal.until("exit=0")
    assert shop.git("status", "--porcelain") == "" and "ValueError" in shop.git("show", "HEAD")


def test_reject_and_nothing_is_written(start: Start, shop: Shop) -> None:
    terminal = start("--pace", "unlimited")
    terminal.enter(GUARD)
    terminal.until("✓ done")
    terminal.press("Tab")
    terminal.until("r reject")
    terminal.type("r")
    terminal.until("✗1")
    terminal.type("w")
    terminal.until("nothing to write here")
    terminal.quit()
    assert shop.git("status", "--porcelain") == ""


def test_an_interrupt_inside_a_hunk_keeps_what_was_closed_and_marks_the_rest_partial(
    start: Start, shop: Shop
) -> None:
    terminal = start(recording=LONG, hold=(LONG, "One kind of goods"))
    terminal.enter("annotate inventory and orders")
    terminal.until(
        lambda text: "●2" in text and "One kind of goods▊" in text, "closed hunks, and one that grows"
    )
    terminal.press("Escape")
    terminal.until(
        lambda text: all(word in text for word in ("◐ stopped", "hunk 3 is partial", "●2 ◐1")), "it stopped"
    )
    assert shop.git("status", "--porcelain") == ""
    terminal.press("Tab")
    terminal.until("a accept")
    terminal.type("p")
    terminal.until("resume")
    terminal.type("r")
    terminal.until("✗1")
    terminal.quit()


def test_a_resize_in_the_middle_of_a_stream_loses_nothing(start: Start) -> None:
    terminal = start(recording=LONG, stretch=(LONG, "One kind of goods", 20.0))
    terminal.enter("annotate")
    terminal.until(
        lambda text: "●2" in text and "One kind of goods" in text, "closed hunks, and one that grows slowly"
    )
    for columns, rows in ((80, 24), (60, 16), (160, 50), (90, 26)):
        terminal.resize(columns, rows)
        terminal.whole("writing", "Esc stop")
    terminal.press("Escape")
    terminal.whole("◐ stopped", "Tab decide")
    terminal.quit()


def test_quitting_while_it_streams_does_not_wait_for_the_end_and_leaves_no_process(
    start: Start, shop: Shop
) -> None:
    terminal = start(recording=LONG, hold=(LONG, "One kind of goods"))
    terminal.enter("annotate")
    terminal.until("▊")
    children = _descendants(terminal.pid)
    assert children
    terminal.quit()
    terminal.wait(lambda: not any(map(runs, children)), "the processes are gone")
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
