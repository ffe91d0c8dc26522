"""What follow-ups replace: `followups.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def table() -> Mapping[str, Any]:
    """The slots that each kind of correction may replace, the likeliest first."""
    return tomllib.loads(files("spark_tui.intent").joinpath("followups.toml").read_text("utf-8"))
