"""What follow-ups replace: `followups.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any


@lru_cache(maxsize=1)
def followup_table() -> Mapping[str, Any]:
    """The slots that each kind of correction may replace, the likeliest first."""
    return tomllib.loads(Path(__file__).with_name("followups.toml").read_text("utf-8"))
