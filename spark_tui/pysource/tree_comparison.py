"""Parse Python texts quietly, and compare them by their syntax trees."""

from __future__ import annotations

import ast
import warnings

from spark_tui.pysource.syntax.parsing import parse_code


def parse(text: str) -> ast.Module | None:
    """The tree, or None where the text does not parse."""
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
