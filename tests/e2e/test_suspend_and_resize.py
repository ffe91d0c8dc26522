"""What else happens on a terminal: other programs write on it, it is stopped, it goes away and comes back."""

from __future__ import annotations

import os
import re
import shutil
import signal
from pathlib import Path

import pytest
from support.tmux_terminal import Start, Terminal, runs

pytestmark = pytest.mark.terminal

GUARD = "raise ValueError in `add` when the quantity is below 1"
HELD = ("cart-guard", "if qty < 1:")
MARK = "Broadcast message"


@pytest.fixture
def job(start: Start) -> Terminal:
    """Spark as a job of a shell, with a hunk that grows."""
    if shutil.which("bash") is None:
        pytest.skip("needs bash")
    terminal = start(hold=HELD, in_a_shell=True)
    terminal.enter(GUARD)
    terminal.until("if qty < 1:▊")
    return terminal


def _spark(terminal: Terminal) -> int:
    """The child of the shell, which is one of what runs in the terminal."""
    pid = terminal.pid
    for _ in range(2):
        pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
    return pid


def test_what_another_program_wrote_over_the_screen_goes_with_one_key(start: Start) -> None:
    terminal = start(hold=HELD)
    terminal.enter(GUARD)
    terminal.until("if qty < 1:▊")
    for how in ("\x1b[4;30H", "\x1b[2J\x1b[H", "\x1bc"):
        terminal.spoil(how, MARK)
        terminal.press("C-l")
        terminal.whole("if qty < 1:▊", "◌1", without=MARK)
    terminal.press("F1")
    terminal.until("─ keys")
    terminal.spoil("\x1b[2J\x1b[H", MARK)
    terminal.press("C-l")
    terminal.until(lambda text: "─ keys" in text and MARK not in text, "the page as it was")


def test_a_key_goes_to_the_shell_and_fg_comes_back_to_the_whole_screen(job: Terminal) -> None:
    job.press("Tab")
    job.until("n next")
    job.press("C-z")
    job.until("Stopped")
    job.enter("fg")
    job.whole("if qty < 1:▊", "◌1")
    job.press("Escape")
    job.until("◐ stopped")


@pytest.mark.parametrize("way", ["C-z", "C-q", "SIGTSTP", "SIGTERM"])
def test_no_row_stays_on_the_shell_after_other_sizes(start: Start, way: str) -> None:
    terminal = start(size=(80, 24), in_a_shell=True)
    for columns, rows in ((200, 60), (40, 12), (110, 30)):
        terminal.resize(columns, rows)
        edge = re.compile(f"^─ you.{{{columns - 5}}}$", re.MULTILINE)
        terminal.until(lambda text, edge=edge: edge.search(text) is not None)
    if way.startswith("SIG"):
        os.kill(_spark(terminal), signal.Signals[way])
    else:
        terminal.press("Tab", way)
    terminal.wait(lambda: terminal.modes().startswith("screen=0"), "the shell")
    terminal.until(lambda text: "you" not in text, "none of the rows")


def test_a_stop_from_outside_costs_neither_the_screen_nor_a_key(job: Terminal) -> None:
    for stop in (signal.SIGTSTP, signal.SIGSTOP):
        os.kill(_spark(job), stop)
        job.until("Stopped")
        job.enter("fg")
        job.whole("if qty < 1:▊", "◌1")
    job.type("every key arrives once and in order")
    job.until("› every key arrives once and in order")


def test_where_no_shell_waits_it_says_so_and_stays(start: Start) -> None:
    terminal = start()
    terminal.press("Tab")
    terminal.until("f open")
    terminal.press("C-z")
    terminal.until("there is no shell to return to")


def test_a_kill_from_outside_gives_the_terminal_back(job: Terminal) -> None:
    assert job.modes() == "screen=1 mouse=1 cursor=0"
    os.kill(_spark(job), signal.SIGTERM)
    job.wait(lambda: job.modes() == "screen=0 mouse=0 cursor=1", "the terminal as it was")
    job.enter("echo ended=$?")
    job.until("ended=143")


def test_a_terminal_that_is_closed_leaves_no_process_behind(start: Start, tmp_path: Path) -> None:
    terminal, note = start(in_a_shell=True), tmp_path / "pid"
    terminal.enter(f"/check echo $$ > {note}; sleep 600")
    terminal.wait(lambda: note.is_file() and note.read_text().endswith("\n"), "a running check")
    pids = _spark(terminal), int(note.read_text())
    terminal.close()
    terminal.wait(lambda: not any(map(runs, pids)), "the end of both")
