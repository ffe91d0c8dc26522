"""The signatures of Python's built-in functions, as far as Python provides them."""

from __future__ import annotations

import builtins
import inspect
from functools import lru_cache
from inspect import Parameter

from spark_tui.pysource.calls.signatures import Signature

_WITH_KEYWORDS = (ImportError, NameError, AttributeError)
"""The errors that take keywords."""
_OF_ERRORS = Signature((), (), (), frozenset(), rest="args")
"""What Python does not tell of the other errors."""


@lru_cache(maxsize=256)
def builtin_signature(name: str) -> Signature | None:
    """The signature of a builtin function; None where there is none, or Python does not tell."""
    own = getattr(builtins, name, None)
    if isinstance(own, type) and issubclass(own, BaseException) and not issubclass(own, _WITH_KEYWORDS):
        return _OF_ERRORS
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
