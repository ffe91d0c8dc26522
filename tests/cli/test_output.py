"""The standard streams: what is written goes out whole."""

import io
import os
import subprocess
import sys

from spark_tui.cli import output

SAID = "a line — of some length\n" * 20


class Short(io.RawIOBase):
    """Takes a few bytes at a time, as a terminal may."""

    name = "short"

    def __init__(self):
        self.taken = b""

    def writable(self):
        return True

    def write(self, data):
        few = bytes(data[:7])
        self.taken += few
        return len(few)


def test_an_unbuffered_stream_that_takes_little_at_a_time_gets_all(monkeypatch):
    taken = {}
    for name in ("stdout", "stderr"):
        raw = taken[name] = Short()
        stream = io.TextIOWrapper(raw, "utf-8", "strict", write_through=True)
        monkeypatch.setattr(sys, name, stream)
        monkeypatch.setattr(sys, f"__{name}__", stream)
    output.prepare()
    print(SAID, end="")
    sys.stdout.buffer.write(b"bytes" * 9)
    output.print_error(SAID, end="")
    sys.__stderr__.write("what is drawn")
    assert taken["stdout"].taken == SAID.encode() + b"bytes" * 9
    assert taken["stderr"].taken == (SAID + "what is drawn").encode()


def test_what_pytest_or_an_editor_put_in_their_place_stays(monkeypatch):
    own, real = io.StringIO(), sys.__stdout__
    monkeypatch.setattr(sys, "stdout", own)
    output.prepare()
    assert sys.stdout is own
    assert sys.__stdout__ is real


def test_a_locale_without_the_characters_is_no_reason_to_fail():
    environ = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    words = [sys.executable, "-m", "spark_tui", "exec", "--help"]
    done = subprocess.run(words, env=environ, capture_output=True, text=True, check=True)
    assert "\\u2026" in done.stdout


def test_a_process_that_holds_nothing_back_has_such_streams():
    program = (
        "import sys; from spark_tui.cli import output; output.prepare(); print(sys.stdout.isatty(),"
        " file=sys.stderr)"
    )
    for unbuffered in ("", "1"):
        environ = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True
        )
        assert (done.stdout, done.stderr) == ("", "False\n")


def test_progress_in_a_pipe_is_a_line_for_the_first_and_for_each_tenth(capsys):
    for done in range(1, 31):
        output.show_progress(done, 30)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["1 of 30", "3 of 30"] and lines[-1] == "30 of 30" and len(lines) == 11
