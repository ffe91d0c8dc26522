"""Skeletons of everyday functions: loops, branches, values, checks.

Comes in: nothing. Goes out: a table of templates (`string.Template`). Must not know: anything.
"""

from __future__ import annotations

from spark_tui.train.tables import table

_TABLES = table("skeletons/functions")


FUNCTIONS: str = _TABLES["functions"]
