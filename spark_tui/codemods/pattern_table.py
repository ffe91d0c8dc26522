"""The table of patterns, read from `patterns.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Pattern:
    """A form and what it becomes. `needs` are conditions on the holes, `imports` pairs of module and name."""

    name: str
    summary: str
    old: str
    new: str
    needs: tuple[str, ...] = ()
    imports: tuple[tuple[str, str], ...] = ()
    same_order: bool = False
    """Whether both forms evaluate their holes in one order although the text differs."""
    doubt: str = ""
    """What may differ all the same."""


@lru_cache(maxsize=1)
def table() -> Mapping[str, tuple[Pattern, ...]]:
    """The patterns of the table. One name may have several forms."""
    text = files("spark_tui.codemods").joinpath("patterns.toml").read_text("utf-8")
    out: dict[str, tuple[Pattern, ...]] = {}
    for name, entry in tomllib.loads(text).items():
        imports = tuple((one.rpartition(".")[0], one.rpartition(".")[2]) for one in entry.get("imports", ()))
        out[name] = tuple(
            Pattern(
                name,
                entry["summary"],
                one["old"].strip("\n"),
                one["new"].strip("\n"),
                (*entry.get("needs", ()), *one.get("needs", ())),
                imports,
                entry.get("same_order", False),
                entry.get("doubt", ""),
            )
            for one in entry["forms"]
        )
    return out
