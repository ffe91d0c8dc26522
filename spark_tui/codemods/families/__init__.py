"""One file a family of operations. A file here is found by itself; nothing else has to be edited to add
one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache


@cache
def load() -> None:
    """Import every family, which registers its operations."""
    for package in pkgutil.walk_packages(__path__, f"{__name__}."):
        importlib.import_module(package.name)
