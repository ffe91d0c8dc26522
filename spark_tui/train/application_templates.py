"""Skeletons of what applications are made of: classes, files, the console, the web, tests.

Comes in: nothing. Goes out: a table of templates (`string.Template`). Must not know: anything.
"""

from __future__ import annotations

from spark_tui.train.tables import table

_TABLES = table("skeletons/parts")


PARTS: str = _TABLES["parts"]
