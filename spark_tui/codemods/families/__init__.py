"""One file a family of operations. A file here is found by itself; nothing else has to be edited to add
one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache


@cache
def load() -> None:
    """Import every family, which registers its operations."""
    for one in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{one.name}")
