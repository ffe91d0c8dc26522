"""Ids in, tokens out: a transformer in numpy.

Importing this room loads numpy, with the matrix kernels that fit the machine (see `spark_tui/blas.py`).
"""

from __future__ import annotations

from spark_tui.blas import prepare
from spark_tui.engine.arch import Arch
from spark_tui.engine.constraints import Constraint, ForcedText, LinesGrammar, MaskConstraint
from spark_tui.engine.draft import DraftSource, SuffixDrafter
from spark_tui.engine.engine import Cache, Engine, load
from spark_tui.engine.sampler import Sampler

prepare()

__all__ = [
    "Arch",
    "Cache",
    "Constraint",
    "DraftSource",
    "Engine",
    "ForcedText",
    "LinesGrammar",
    "MaskConstraint",
    "Sampler",
    "SuffixDrafter",
    "load",
]
