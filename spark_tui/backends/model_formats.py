"""Which edit format a model of another program is asked for: rows of `model_formats.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def model_formats() -> tuple[tuple[str, str], ...]:
    """Pattern of a model's name, and its edit format; the first that fits counts."""
    text = files("spark_tui.backends").joinpath("model_formats.toml").read_text("utf-8")
    rows = tomllib.loads(text)["family"]
    return tuple((pattern, row["format"]) for row in rows for pattern in row["models"])
