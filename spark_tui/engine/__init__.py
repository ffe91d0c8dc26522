"""Ids in, tokens out: a transformer in numpy.

Importing this room loads numpy, with the matrix kernels that fit the machine (see `blas.py`); so whoever
wants them has to import it before numpy.
"""

from __future__ import annotations

from spark_tui.engine.blas import prepare

prepare()

from spark_tui.engine.arch import Arch  # noqa: E402
from spark_tui.engine.constraints import Constraint, ForcedText, LinesGrammar, MaskConstraint  # noqa: E402
from spark_tui.engine.draft import DraftSource, SuffixDrafter  # noqa: E402
from spark_tui.engine.engine import Cache, Engine, load  # noqa: E402
from spark_tui.engine.sampler import Sampler  # noqa: E402

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
