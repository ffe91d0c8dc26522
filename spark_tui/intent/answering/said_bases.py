"""A class that is to become one of a kind that the standard library has a base for: *make Job a thread*."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.import_origins import standard_homes
from spark_tui.intent.context.situation import Situation

_SAID = re.compile(
    r"(?:please\s+)?(?:make|turn)\s+(?:the\s+)?(?:class\s+)?`?(?P<class>\w+)`?"
    r"\s+(?:into\s+)?an?\s+(?P<kind>[a-z]+)\W*",
    re.IGNORECASE,
)
_CLASSES = ("threading", "multiprocessing")
"""Modules whose classes are bases by what a person calls them."""


def with_base_named(instruction: str, situation: Situation) -> str:
    """The instruction with the name of the base."""
    said = _SAID.fullmatch(instruction.strip())
    base = said["kind"].capitalize() if said is not None else ""
    if said is None or situation.path not in situation.repo.index.paths:
        return instruction
    if not any(home in _CLASSES for home in standard_homes().get(base, ())):
        return instruction
    definitions = situation.repo.index.source(situation.path).definitions
    named = any(isinstance(one, ast.ClassDef) and one.name == said["class"] for one in definitions)
    return f"{said['class']} should be a {base}" if named else instruction
