"""Loads the TOML tables of the training generators by their path without the ending."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from spark_tui.train.templates.grammar import HELD_OUT


@cache
def table(name: str) -> Mapping[str, Any]:
    """The tables of `train/NAME.toml`, with tuples for lists."""
    text = resources.files("spark_tui.train").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return {key: _value(value) for key, value in tomllib.loads(text).items()}


def _value(value: Any) -> Any:
    """Replaces lists by tuples, and puts held-out templates after the `HELD_OUT` mark."""
    if isinstance(value, list):
        return tuple(_value(item) for item in value)
    if isinstance(value, dict):
        if value.keys() == {"seen", "held_out"}:
            return (*_value(value["seen"]), HELD_OUT, *_value(value["held_out"]))
        return {key: _value(item) for key, item in value.items()}
    return value
