"""The kinds of edit that no call makes: something has to be written, or code is broken to be mended.

Importing this package registers them in `KINDS`.
"""

from __future__ import annotations

from spark_tui.train.kinds import (  # noqa: F401  (they register themselves)
    argument_count,
    behaviour_changes,
    bug_symptoms,
    class_members,
    options,
    parameter_passing,
    repairs,
    tests_and_results,
    told_code,
    web_and_sql,
)
from spark_tui.train.kinds.base import KINDS, Draw, Kind, Made

__all__ = ["KINDS", "Draw", "Kind", "Made"]
