"""`spark exec` in a process of its own: closed streams, encodings, Ctrl-C and a reader that goes away."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.git_command import git
from support.hearing_process import spark_that_hears
from support.recordings import write_recording

from spark_tui.backends import recording
from spark_tui.backends.recording import Recording, TimedText
from spark_tui.config import paths
from spark_tui.errors import ExitCode
from spark_tui.session.storage import journal


def test_a_reader_of_the_events_that_goes_away_stops_the_turn(repo, tmp_path):
    file = write_recording(tmp_path / "r", "*** shop/cart.py\n@@ 1,2\n+one\n" + "\n# more\n" * 150)
    spark = [
        sys.executable,
        "-m",
        "spark_tui",
        "exec",
        "x",
        "--json",
        "--apply",
        "--replay",
        str(file),
        "--pace",
        "off",
    ]
    with subprocess.Popen(spark, cwd=repo, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert "TurnStarted" in run.stdout.readline()
        run.stdout.close()
        err = run.stderr.read()
        assert run.wait(60) == ExitCode.INTERRUPTED
    assert err.count("\n") == 1 and "nothing was written; to resume: spark exec --resume 2" in err
    assert git(repo, "status", "--porcelain") == ""
    again = [*spark[:4], "--resume", "last", "--json", *spark[-4:]]
    done = subprocess.run(again, cwd=repo, capture_output=True, text=True, timeout=60, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and rows[-1]["reason"] == "stop"
    assert sum(len(row["text"]) for row in rows if row["type"] == "Token") == len(recording.load(file).text)


def run_process(repo, tmp_path, *words, text="*** shop/cart.py\n@@ 1,2\n+x\n", close=(), **kwargs):
    """In a process of its own, where streams are what the shell made them."""
    file = write_recording(tmp_path / "r", text)
    spark = [sys.executable, "-m", "spark_tui", *words, "--replay", str(file), "--pace", "unlimited"]

    def shut():
        for fd in close:
            os.close(fd)

    pipe = subprocess.PIPE
    done = subprocess.run(spark, cwd=repo, stdout=pipe, stderr=pipe, preexec_fn=shut, check=False, **kwargs)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("close", [(0,), (1,), (2,), (0, 1, 2)])
def test_streams_that_are_closed_are_no_reason_to_fail_or_to_write_into_a_journal(repo, tmp_path, close):
    words = ("exec", "--apply") if close != (0,) else ("exec",)
    code, _, err = run_process(repo, tmp_path, *words, *([] if close == (0,) else ["anything"]), close=close)
    assert b"Traceback" not in err
    assert code == (ExitCode.MALFORMED if close == (0,) else ExitCode.DONE)
    assert (git(repo, "diff", "--stat") == "") is (close == (0,))
    kept = [
        list(journal.read(path)) for path in paths.state_dir().glob("repositories/*/sessions/*/journal.jsonl")
    ]
    assert [bool(entries) for entries in kept] == ([] if close == (0,) else [True])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_messages_that_cannot_be_written_do_not_keep_back_the_patch(repo, unbuffered):
    words = [sys.executable, "-m", "spark_tui", "exec", "rename qty to count in add", "-f", "shop/cart.py"]
    environ = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            words, cwd=repo, check=False, stdout=subprocess.PIPE, stderr=full, text=True, env=environ
        )
    assert done.returncode == 0 and "+++ b/shop/cart.py" in done.stdout


@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii:strict", "latin-1"])
def test_a_patch_has_the_bytes_of_the_file_whatever_the_locale_says(repo, tmp_path, encoding):
    (repo / "old.py").write_bytes("# caf\xe9 \u2603\n".encode("utf-8") + b"# caf\xe9\na = 1\n")
    text = "*** old.py\n@@ 3,4\n+a = 2\n"
    code, out, err = run_process(
        repo, tmp_path, "exec", "x", text=text, env={**os.environ, "PYTHONIOENCODING": encoding}
    )
    assert (code, err) == (0, b"")
    subprocess.run(["git", "apply"], cwd=repo, input=out, check=True)
    assert (repo / "old.py").read_bytes().endswith(b"# caf\xe9\na = 2\n")


def test_bytes_that_are_no_text_are_an_instruction_like_any_other(repo, tmp_path):
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    code, out, _ = run_process(repo, tmp_path, "exec", "--json", input=b"do \xff it", env=strict)
    assert code == 0
    assert json.loads(out.splitlines()[0])["prompt"] == "do \udcff it"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_with_130_and_the_closed_hunks_are_printed(repo, tmp_path, number):
    slow = Recording(
        "r", "x", "lines", (TimedText(0.0, "*** shop/cart.py\n@@ 1,1\n+a\n@@ 3,3\n"), TimedText(900.0, "x"))
    )
    (tmp_path / "r").write_text(recording.dump(slow))
    command = spark_that_hears("exec", "--json", "x", "--replay", str(tmp_path / "r"))
    process = subprocess.Popen(command, cwd=repo, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:
        if "HunkClosed" in line:
            break
    process.send_signal(number)
    with process:
        rest, err = process.stdout.read(), process.stderr.read()
    assert process.returncode == ExitCode.INTERRUPTED
    assert json.loads(rest.splitlines()[-1])["reason"] == "interrupted"
    assert "interrupted" in err
