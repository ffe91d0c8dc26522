"""Commands that fail, fork, ask, never end, print too much, or print what is no text."""

import contextlib
import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from spark_tui.problems.runner import MOST_KEPT_BYTES, MOST_UNREAD_BYTES, Backlog, run_command


def run(command, directory, **more):
    return run_command(command, directory, stop=more.pop("stop", threading.Event()), **more)


def gone(pid):
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def test_the_output_and_the_problems_come_while_it_runs(tmp_path):
    shown, found = [], []
    result = run("echo a.py:3:1: E501 long; exit 3", tmp_path, show=shown.append, found=found.append)
    assert b"".join(shown) == b"a.py:3:1: E501 long\n" == result.output.encode()
    assert [item.line for item in found] == [3] and result.problems == tuple(found)
    assert (result.code, result.words) == (3, "failed with exit code 3")


def test_a_command_that_does_not_exist_is_said_to(tmp_path):
    result = run(["no-such-command-at-all"], tmp_path)
    assert (result.code, result.words) == (None, "no such command: no-such-command-at-all")
    assert "no such folder" in run(["true"], tmp_path / "gone").words
    (tmp_path / "plain").write_text("x")
    assert "cannot be run" in run([str(tmp_path / "plain")], tmp_path).words


def test_a_command_that_asks_for_input_gets_none(tmp_path):
    result = run("read answer; echo code $?", tmp_path, seconds=20)
    assert result.output == "code 1\n"


def test_a_command_that_needs_a_terminal_finds_none(tmp_path):
    result = run("test -t 0 || test -t 1 || (: < /dev/tty) 2>/dev/null || echo no terminal", tmp_path)
    assert result.output == "no terminal\n"


def test_a_command_that_never_ends_is_ended_with_its_processes(tmp_path):
    result = run("sleep 3600 & echo $!; sleep 3600", tmp_path, seconds=0.5)
    assert result.words == "timed out after 0.5 seconds"
    assert gone(int(result.output))


def test_a_command_can_be_stopped(tmp_path):
    stop = threading.Event()
    result = run("echo begun; sleep 3600", tmp_path, stop=stop, show=lambda _: stop.set())
    assert (result.code, result.words) == (None, "stopped")


def test_what_it_left_running_ends_with_it(tmp_path):
    result = run("sleep 3600 & echo $!", tmp_path)
    assert result.code == 0
    assert gone(int(result.output))


def test_a_process_that_left_the_group_does_not_hold_it_up(tmp_path):
    code = "import os, time; os.setsid(); time.sleep(300)"
    result = run(f'{sys.executable} -c "{code}" & echo $!', tmp_path)
    with contextlib.suppress(ProcessLookupError):  # it ended with the group, not having left it yet
        os.kill(int(result.output), signal.SIGKILL)
    assert result.code == 0 and result.seconds < 300


def test_a_command_that_closes_its_output_is_waited_for(tmp_path):
    result = run("exec >&- 2>&-; sleep 0.3; exit 4", tmp_path)
    assert result.code == 4


def test_a_command_that_is_killed_says_by_what(tmp_path):
    assert run("kill -9 $$", tmp_path).words == "killed by SIGKILL"


def test_binary_output_is_no_problem(tmp_path):
    result = run("head -c 100000 /dev/urandom", tmp_path)
    assert (result.code, result.output_bytes) == (0, 100_000)


def test_much_output_takes_little_room_and_its_ends_are_read(tmp_path):
    script = (
        "import sys; out = sys.stdout; print('a.py:1:1: E501 first')\n"
        "for _ in range(1500): out.write(('x' * 63 + '\\n') * 1000)\n"
        "print('a.py:2:1: E501 last')"
    )
    size = 0

    def show(piece):
        nonlocal size
        size += len(piece)

    result = run([sys.executable, "-c", script], tmp_path, show=show)
    assert size == result.output_bytes > 96_000_000
    assert [problem.message for problem in result.problems] == ["first", "last"]
    assert len(result.output) <= MOST_KEPT_BYTES


@pytest.mark.parametrize("many", [1, 10, 1000])
def test_of_too_much_the_middle_is_left_out_and_counted(many):
    backlog, pieces = Backlog(100), [b"%8d\n" % number for number in range(many)]
    for piece in pieces:
        backlog.put(piece)
    taken = b""
    while backlog:
        taken += backlog.take()
    assert len(taken) <= 220 < MOST_UNREAD_BYTES
    assert taken.startswith(pieces[0]) and taken.endswith(pieces[-1])
    assert (backlog.unread_bytes > 0) == (many > 22)
