"""What the sandbox holds back: time, memory, network, further programs; and what it lets through."""

from __future__ import annotations

import pytest

from spark_tui.evals.sandbox import run_program


def test_a_program_that_ends_is_ok_and_a_failing_one_says_why() -> None:
    assert run_program("import math\nassert math.sqrt(4) == 2").ok
    found = run_program("assert 1 == 2, 'not equal'")
    assert not found.ok
    assert found.reason == "AssertionError: not equal"


def test_a_program_that_does_not_end_is_ended() -> None:
    found = run_program("import time\ntime.sleep(60)", seconds=1)
    assert not found.ok
    assert "timed out" in found.reason
    assert not run_program("while True: pass", seconds=1).ok


def test_memory_is_bounded() -> None:
    found = run_program("x = bytearray(3_000_000_000)", memory_bytes=1 << 29)
    assert not found.ok
    assert "MemoryError" in found.reason


@pytest.mark.parametrize(
    "program",
    [
        "import socket\nsocket.socket().connect(('127.0.0.1', 80))",
        "import urllib.request\nurllib.request.urlopen('http://127.0.0.1/')",
        "import subprocess\nsubprocess.run(['true'])",
        "import os\nos.system('true')",
        "import os\nos.fork()",
    ],
)
def test_the_network_and_other_programs_are_refused(program: str) -> None:
    found = run_program(program)
    assert not found.ok
    assert "refused" in found.reason


def test_a_program_does_not_see_this_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_SECRET_FOR_TEST", "1")
    assert run_program(
        "import os\nassert 'SPARK_SECRET_FOR_TEST' not in os.environ\nassert not os.listdir('.')"
    ).ok


def test_a_large_file_is_not_written() -> None:
    assert not run_program("with open('x', 'wb') as f:\n    f.write(bytes(20_000_000))").ok
