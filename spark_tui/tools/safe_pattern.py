"""Regular expressions of a model, as far as their time is bounded.

Python's `re` cannot be stopped while it matches, and takes exponential time for nested repetitions: such a
pattern is refused, so that a search can be stopped between two lines.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

from spark_tui.tools.registry import WrongArguments

_MOST_LENGTH = 1_000
_MOST_REPEATS = 3
"""Repetitions without an end, one after the other: the time grows with a power of the line for each."""
_UNBOUNDED = 32


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern. Raises WrongArguments for one that is none, or that may take for ever."""
    if len(pattern) > _MOST_LENGTH:
        raise WrongArguments(f"the pattern is longer than {_MOST_LENGTH} characters")
    try:
        made = re.compile(pattern)
        parser: Any = importlib.import_module("re._parser")
        repeats = _repeats(parser.parse(pattern), inside=False)
    except (re.error, OverflowError, RecursionError) as error:
        raise WrongArguments(f"not a regular expression: {error}") from None
    if repeats > _MOST_REPEATS:
        raise WrongArguments("the pattern repeats too much to be searched for; use a simpler one")
    return made


def _repeats(parsed: Any, *, inside: bool) -> int:
    """How many repetitions without an end are in it; one inside another counts as too many."""
    count = 0
    for kind, value in parsed:
        name = str(kind)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            _, most, inner = value
            endless = int(most) >= _UNBOUNDED
            found = _repeats(inner, inside=inside or endless)
            if endless and (inside or found):
                return _MOST_REPEATS + 1
            count += endless + found * min(int(most), _UNBOUNDED)
        elif name == "BRANCH":
            if inside:
                return _MOST_REPEATS + 1
            count += max(_repeats(branch, inside=inside) for branch in value[1])
        elif isinstance(value, tuple):
            count += sum(_repeats(part, inside=inside) for part in value if hasattr(part, "data"))
        elif name == "GROUPREF":
            count += 1
    return count
