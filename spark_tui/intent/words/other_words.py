"""What is easily taken for something else."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def other_words() -> dict[str, dict[str, list[str]]]:
    """The words of `other_words.toml`."""
    loaded: dict[str, dict[str, list[str]]] = tomllib.loads(
        Path(__file__).with_name("other_words.toml").read_text("utf-8")
    )
    return loaded
