"""A transformer in numpy, from token ids to token ids.

Importing this package loads neither numpy nor a model: each public name is imported from its file on first
access, so that `kernels.blas` can choose the matrix kernels before numpy loads.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spark_tui.engine.draft import SuffixDrafter as SuffixDrafter
    from spark_tui.engine.engine import Cache as Cache
    from spark_tui.engine.engine import Engine as Engine
    from spark_tui.engine.engine import load as load
    from spark_tui.engine.sampler import Sampler as Sampler

if "numpy" in sys.modules:
    from spark_tui.engine.kernels.blas import prepare

    prepare()

_HOMES = {
    "Cache": "engine",
    "Engine": "engine",
    "Sampler": "sampler",
    "SuffixDrafter": "draft",
    "load": "engine",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
