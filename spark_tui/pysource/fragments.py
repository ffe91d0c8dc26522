"""Lines of code that may begin inside a class or a function: what makes them a module, and whether they
parse."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from spark_tui.pysource.parsing import parse_code


def enclosing_lines(lines: Sequence[str]) -> list[str]:
    """Heads of classes and a function that indented lines need above them to be parsed alone."""
    depths = [
        len(line) - len(line.lstrip()) for line in lines if line.strip() and not line.lstrip().startswith("#")
    ]
    if not depths or not depths[0]:
        return []
    outer = [0, *sorted({depth for depth in depths if 0 < depth < depths[0]})]
    return [" " * depth + "class _:" for depth in outer[:-1]] + [" " * outer[-1] + "async def _():"]


def parses(lines: Sequence[str], *, compiles: bool = False) -> bool:
    """`compiles` also finds a repeated parameter, or a `return` outside of a function."""
    text = "\n".join([*enclosing_lines(lines), *lines, ""])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if compiles:
                compile(text, "shown", "exec", dont_inherit=True)
            else:
                parse_code(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
