"""A crash while candidates are looked for costs one reading, and not the turn."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from spark_tui.intent.context.situation import Candidate
from spark_tui.intent.words.readings import Reading

STRICT = "SPARK_STRICT"
"""The environment variable with which a crash is raised, as in the tests."""
_P = ParamSpec("_P")
_LOG = logging.getLogger("spark.intent")


def dropping_crashes(
    find: Callable[Concatenate[Reading, _P], list[Candidate]],
) -> Callable[Concatenate[Reading, _P], list[Candidate]]:
    """`find`, where a crash is logged with its traceback and leaves the reading without any candidate."""

    @wraps(find)
    def found(reading: Reading, /, *args: _P.args, **kwargs: _P.kwargs) -> list[Candidate]:
        try:
            return find(reading, *args, **kwargs)
        except Exception:
            if os.environ.get(STRICT):
                raise
            _LOG.debug("dropped the reading %s, which crashed", reading.intent, exc_info=True)
            return [Candidate((), reading)]

    return found
