"""The kinds of edit that no call makes: code that is told has to be written, or is broken to be mended.

Importing this package registers them in `KINDS`.
"""

from __future__ import annotations

from spark_tui.train.kinds import (  # noqa: F401  (they register themselves)
    repairs,
    told_code,
)
from spark_tui.train.kinds.base import KINDS, Kind, Made

__all__ = ["KINDS", "Kind", "Made"]
