"""What is easily taken for something else."""

from __future__ import annotations

from functools import lru_cache

from spark_tui.tables import read_table


@lru_cache(maxsize=1)
def other_words() -> dict[str, dict[str, list[str]]]:
    """The words of `other_words.toml`."""
    loaded: dict[str, dict[str, list[str]]] = read_table(__file__, "other_words.toml")
    return loaded
