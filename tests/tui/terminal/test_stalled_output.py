"""SIGTERM ends a program although nobody reads what it writes to its terminal."""

import os
import pty
import signal
import subprocess
import sys

import pytest

CHILD = """
import asyncio, os
from unittest.mock import Mock
from spark_tui.tui.terminal import job_control, stalled_output

stalled_output._PATIENCE_SECONDS = 0.2

async def main():
    ended = asyncio.Event()
    app = Mock(_exit=False)
    app.exit.side_effect = lambda **_: ended.set()
    job_control.watch(app, Mock(), lambda: None, lambda: None)
    os.write(2, b"ready")
    os.write(2, b"x" * 500_000)
    await ended.wait()

asyncio.run(main())
os._exit(7)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="how a terminal wakes who writes is not the same")
def test_a_terminal_that_nobody_reads_does_not_keep_a_killed_program():
    reads, terminal = pty.openpty()
    child = subprocess.Popen([sys.executable, "-c", CHILD], stdin=terminal, stderr=terminal)
    os.close(terminal)
    try:
        seen = b""
        while b"ready" not in seen:
            seen += os.read(reads, 5)
        child.send_signal(signal.SIGTERM)
        assert child.wait(60) == 7
    finally:
        child.kill()
        os.close(reads)
