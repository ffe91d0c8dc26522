"""What `spark bench steer` measures: a message after an edit that is given, however much of it had come."""

from __future__ import annotations

import pytest

from spark_tui.bench import steer
from spark_tui.bench.measuring.model_argument import BUILT_IN
from spark_tui.bench.sessions.conversation import backend_for

CASE = {
    "id": "rate",
    "kind": "value",
    "instruction": "we talked about this",
    "path": "shop.py",
    "before": "LIMIT = 3\nRATE = 1\n",
    "after_first": "LIMIT = 3\nRATE = 20\n",
    "steer": "no, 30",
    "after_steer": "LIMIT = 3\nRATE = 30\n",
}


@pytest.mark.parametrize("arrived", steer.ARRIVED)
def test_a_given_first_edit_is_what_the_message_is_about(arrived: float) -> None:
    backend, found = backend_for(BUILT_IN), steer.SteerResults()
    try:
        steer.judge(CASE, backend, found, arrived=arrived, first=steer.GIVEN)
    finally:
        backend.close()
    assert (found.given, found.right) == ([True], [])
