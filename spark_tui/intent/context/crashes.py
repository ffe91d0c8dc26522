"""A crash while candidates are looked for costs one reading, and not the turn."""

from __future__ import annotations

import logging
import os
import traceback
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from spark_tui.intent.context.situation import Candidate
from spark_tui.intent.words.readings import Reading

STRICT = "SPARK_STRICT"
"""The environment variable with which a crash is raised, as in the tests."""
_LOGGED: set[tuple[str, int]] = set()
"""The places of the crashes that were logged."""
_P = ParamSpec("_P")
_LOG = logging.getLogger("spark.intent")
_LOG.addHandler(logging.NullHandler())  # without a handler a warning is printed over the screen


def dropping_crashes(
    find: Callable[Concatenate[Reading, _P], list[Candidate]],
) -> Callable[Concatenate[Reading, _P], list[Candidate]]:
    """`find`, where a crash leaves the reading without any candidate. The first one at a place is logged with
    its traceback."""

    @wraps(find)
    def found(reading: Reading, /, *args: _P.args, **kwargs: _P.kwargs) -> list[Candidate]:
        try:
            return find(reading, *args, **kwargs)
        except Exception as error:
            log_crash(error, f"the reading {reading.intent}")
            return [Candidate((), reading)]

    return found


def log_crash(error: Exception, what: str) -> None:
    """Log that something was dropped because it crashed, once for each place; raise the error in tests."""
    if os.environ.get(STRICT):
        raise error
    place = _place(error)
    if place not in _LOGGED:
        _LOGGED.add(place)
        _LOG.warning("dropped %s, which crashed", what, exc_info=error)


def _place(error: Exception) -> tuple[str, int]:
    """The file and line that raised an error."""
    frame = traceback.extract_tb(error.__traceback__, -1)[-1]
    return frame.filename, frame.lineno or 0
