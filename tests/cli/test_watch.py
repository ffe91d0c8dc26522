"""`spark watch`: what it prints, and its exit codes."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest
from support.hearing_process import spark_that_hears

from spark_tui.cli.main import main
from spark_tui.errors import SIGNALLED, ExitCode


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["true"], ExitCode.DONE),
        (["false"], ExitCode.NOTHING),
        (["echo a.py:1:1: E501 long"], ExitCode.NOTHING),
        (["--", "no-such-command-at-all", "-x"], ExitCode.MALFORMED),
        (["--", "no-such-command-at-all"], ExitCode.MALFORMED),
        (["--", " "], ExitCode.MALFORMED),
        (["--timeout", "0.3", "--", "sleep 60"], ExitCode.TIMEOUT),
    ],
)
def test_the_exit_code_says_how_the_command_ended(tmp_path, command, code):
    assert main(["watch", "--once", "-C", str(tmp_path), *command]) == code


def test_the_output_is_on_stdout_and_the_problems_are_on_stderr(tmp_path, capfdbinary):
    (tmp_path / "a.py").write_text("x\n")
    main(["watch", "--once", "-C", str(tmp_path), "--", "echo a.py:1:1: E501 long; printf end"])
    out, err = capfdbinary.readouterr()
    assert out == b"a.py:1:1: E501 long\nend\n"
    assert b"  error: a.py:1:1: long [E501]\n" in err and b"1 problem" in err


def test_each_line_of_json_is_an_object(tmp_path, capfd):
    main(["watch", "--once", "--json", "-C", str(tmp_path), "--", "echo a.py:1:1: E501 long; exit 2"])
    started, problem, finished = map(json.loads, capfd.readouterr().out.splitlines())
    assert (started["event"], problem["event"], finished["event"]) == ("started", "problem", "finished")
    assert problem["where"] == "gone" and problem["problem"]["code"] == "E501"
    assert (finished["code"], finished["problems"], finished["passes"]) == (2, 1, False)


def test_enter_runs_it_again_and_q_ends(tmp_path):
    (tmp_path / "log").write_text("a.py:1:1: E501 long\n")
    leader, follower = pty.openpty()
    words = [sys.executable, "-m", "spark_tui", "watch", "-C", str(tmp_path), "--", "cat log"]
    with subprocess.Popen(words, stdin=follower, stdout=follower, stderr=follower, close_fds=True) as spark:
        os.close(follower)
        seen = ""

        def until(text):
            nonlocal seen
            end = time.monotonic() + 60
            while text not in seen and time.monotonic() < end:
                if select.select([leader], [], [], 0.1)[0]:
                    seen += os.read(leader, 65_536).decode()
            assert text in seen
            seen = seen.partition(text)[2]

        until("q ends.")
        (tmp_path / "log").write_text("\n")
        os.write(leader, b"\n")
        until("1 of 1 problem fixed")
        os.write(leader, b"q\n")
        assert spark.wait(60) == ExitCode.DONE
    os.close(leader)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("once", [("--once",), ("--on", "save")])
def test_a_signal_from_outside_ends_the_command_too(tmp_path, number, once):
    command = f"echo $$ > {tmp_path}/pid.new; mv {tmp_path}/pid.new {tmp_path}/pid; sleep 600"
    words = spark_that_hears("watch", "-C", str(tmp_path), *once, "--", command)
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as spark:
        end = time.monotonic() + 60
        while not (tmp_path / "pid").exists() and time.monotonic() < end:
            time.sleep(0.02)
        pid = int((tmp_path / "pid").read_text())
        spark.send_signal(number)
        assert spark.wait(60) == SIGNALLED + number
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
