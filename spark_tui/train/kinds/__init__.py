"""All kinds of edit: importing this package fills `KINDS`.

Comes in: nothing. Goes out: the registry. Must not know: tokens, the model.
"""

from __future__ import annotations

from spark_tui.train.kinds import (
    arity,
    branches,
    classes,
    comments,
    decorators,
    docs,
    docstyles,
    everyday,
    expressions,
    flow,
    guards,
    hints,
    idioms,
    imports,
    meanings,
    options,
    pairs,
    parameters,
    pytests,
    rename,
    repairs,
    reworks,
    roles,
    statements,
    structure,
    text,
    two_values,
    values,
    widening,
)
from spark_tui.train.kinds.base import KINDS, Draw, Kind, Made, Pools

ROOMS = (
    arity,
    branches,
    classes,
    comments,
    decorators,
    docs,
    docstyles,
    everyday,
    expressions,
    flow,
    guards,
    hints,
    idioms,
    imports,
    meanings,
    options,
    pairs,
    parameters,
    pytests,
    rename,
    repairs,
    reworks,
    roles,
    statements,
    structure,
    text,
    two_values,
    values,
    widening,
)
__all__ = ["KINDS", "ROOMS", "Draw", "Kind", "Made", "Pools"]
