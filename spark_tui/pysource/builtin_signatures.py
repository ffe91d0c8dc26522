"""The signatures of Python's own functions, as far as Python tells them."""

from __future__ import annotations

import builtins
import inspect
from functools import lru_cache
from inspect import Parameter

from spark_tui.pysource.calls import Signature


@lru_cache(maxsize=256)
def builtin_signature(name: str) -> Signature | None:
    """The signature of a builtin function; None where there is none, or Python does not tell."""
    own = getattr(builtins, name, None)
    try:
        every = list(inspect.signature(own).parameters.values()) if callable(own) else None
    except (TypeError, ValueError):
        every = None
    if every is None:
        return None

    def of(*kinds: object) -> tuple[str, ...]:
        return tuple(one.name for one in every if one.kind in kinds)

    stars = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return Signature(
        of(Parameter.POSITIONAL_ONLY),
        of(Parameter.POSITIONAL_OR_KEYWORD),
        of(Parameter.KEYWORD_ONLY),
        frozenset(one.name for one in every if one.default is Parameter.empty and one.kind not in stars),
        "".join(of(Parameter.VAR_POSITIONAL)),
        "".join(of(Parameter.VAR_KEYWORD)),
    )
