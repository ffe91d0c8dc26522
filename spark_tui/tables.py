"""Tables in TOML beside the modules that read them."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any


def read_table(module: str, name: str) -> dict[str, Any]:
    """A file in the folder of a module, which is told by its `__file__`."""
    return tomllib.loads(Path(module).with_name(name).read_text("utf-8"))


def table_beside(module: str, name: str) -> Callable[[], dict[str, Any]]:
    """The same, read at the first call and kept."""
    return functools.cache(functools.partial(read_table, module, name))
