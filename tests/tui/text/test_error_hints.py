"""Each surface names its own remedy of a server that fails."""

from __future__ import annotations

import re

import pytest

from spark_tui import events
from spark_tui.backends.remote.answer_check import AnswerWatch, broken_off, unreachable
from spark_tui.backends.remote.error_bodies import Refusal, hint_for
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.cli.event_messages import failure
from spark_tui.errors import SparkError
from spark_tui.events.answer import AnswerEnded
from spark_tui.tui.text.error_hints import SPOKEN
from spark_tui.tui.turns.session_access import one_line_error

KEY = re.compile(r"Ctrl\+|\bF\d|(?:^|\s|\()/[a-z]")
FLAG = re.compile(r"(?:^|\s)--[a-z]|\bspark (?:exec|models|connect)\b")


def ended(reason: str) -> SparkError:
    with pytest.raises(SparkError) as caught:
        AnswerWatch("host", ended=AnswerEnded(reason)).check(goes_on=False)
    return caught.value


HINTS = {
    "no such model": hint_for(404, Refusal("no such model")),
    "broken off": broken_off(OSError("reset"), "host").hint,
    "not reached": unreachable(ConnectionLost("refused"), "host", RetryLimits()).hint,
    "no room": ended("length").hint,
    "empty": ended("stop").hint,
}


@pytest.mark.parametrize("name", HINTS)
def test_each_surface_names_its_own_remedy(name: str) -> None:
    failed = events.Failed("it failed", "host", HINTS[name], 8)
    told = failure(failed, "spark exec --resume last", kept=False)
    assert FLAG.search(told) and not KEY.search(told)
    for said in (one_line_error(failed), one_line_error(failed, SPOKEN)):
        assert not FLAG.search(said)
        assert KEY.search(said) or "say resume" in said
