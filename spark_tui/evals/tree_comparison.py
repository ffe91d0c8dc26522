"""Python as a tree: whether it parses, and whether two texts are the same code.

Comes in: text. Goes out: trees, yes or no. Must not know: cases, models.
"""

from __future__ import annotations

import ast
import warnings

from spark_tui.pysource.parsing import parse_code


def parse(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse_code(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def same_tree(one: str, two: str) -> bool:
    """Equal as code, layout and comments aside."""
    first, second = parse(one), parse(two)
    return first is not None and second is not None and ast.dump(first) == ast.dump(second)
