"""What the workbench does when a signal reaches it."""

import asyncio
import signal
from unittest.mock import Mock

import pytest

from spark_tui.tui.terminal import job_control


@pytest.mark.parametrize("quits", [False, True])
async def test_a_process_that_continues_while_it_quits_does_not_read_keys_again(quits):
    ended = asyncio.Event()
    app, driver = Mock(_exit=quits), Mock(_must_signal_resume=True)
    app.exit.side_effect = lambda **_: ended.set()
    job_control.watch(app, driver, lambda: None, lambda: None)
    try:
        signal.raise_signal(signal.SIGCONT)
        signal.raise_signal(signal.SIGTERM)
        await ended.wait()
    finally:
        for one in (signal.SIGTSTP, signal.SIGCONT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().remove_signal_handler(one)
    assert driver.resume_application_mode.called is not quits
