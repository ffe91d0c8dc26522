"""Training waits for its first data only while something makes it."""

import multiprocessing
from pathlib import Path

import pytest

from spark_tui.errors import SparkError
from spark_tui.train.__main__ import wait_for_data


def test_nobody_is_waited_for_who_has_ended() -> None:
    ended = multiprocessing.get_context("spawn").Process(target=print)
    ended.start()
    ended.join()
    with pytest.raises(SparkError, match="no data was made"):
        wait_for_data(list, [ended])
    wait_for_data(lambda: [Path("w00-0000-0.npz")], [ended])
    wait_for_data(list, [])
