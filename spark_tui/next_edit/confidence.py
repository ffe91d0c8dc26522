"""How likely a candidate is what the person would do next: a logistic regression over what speaks for it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from spark_tui.tables import read_table

MANY_EXAMPLES = 6
NEXT = "least of next"
_IN_PROSE, _NEXT_IN_PROSE = 0.95, 0.9


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, float]]:
    """Weights by group, `bias` among them; `least` is the confidence from which a candidate is shown after
    one example, `least after more` and `least after many` that after more, and `least of next` that of the
    next places only."""
    return read_table(__file__, "confidence.toml")


def confidence(group: str, features: Mapping[str, float]) -> float:
    """The share of its places that are meant, as far as the features tell; 0 for a group without weights."""
    weights = _table().get(group)
    return 0.0 if weights is None else share_of(weights, features)


def share_of(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """The logistic regression itself. What speaks for a candidate says more after more than one example."""
    total = weights["bias"]
    for name, value in features.items():
        total += weights.get(name, 0.0) * value
        if "more" in features:
            total += weights.get(f"more {name}", 0.0) * value
    return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


def has_weights(group: str) -> bool:
    """Whether candidates of a group are ever shown."""
    return group in _table()


def is_shown(group: str, sure: float, examples: int, features: Mapping[str, float]) -> bool:
    """Whether a candidate of a group is likely enough to be shown. Comments and docs are less alike than
    code."""
    weights = _table().get(group)
    if weights is None:
        return False
    threshold = threshold_of(examples, features)
    least = weights[threshold]
    if features.get("in prose"):
        least = max(least, _NEXT_IN_PROSE if threshold == NEXT else _IN_PROSE)
    return sure >= least


def threshold_of(examples: int, features: Mapping[str, float]) -> str:
    """Which threshold a candidate has to reach. As few places as there are examples may come sooner."""
    if features.get("scope next"):
        return NEXT
    if examples >= MANY_EXAMPLES:
        return "least after many"
    return "least" if examples == 1 else "least after more"
