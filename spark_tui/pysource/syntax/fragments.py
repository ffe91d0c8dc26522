"""Lines of code that may begin inside a class or a function: what makes them a module, and whether they
parse and compile."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.pysource.syntax.parsing import compile_error, parse


def enclosing_lines(lines: Sequence[str]) -> list[str]:
    """Heads of classes and a function that indented lines need above them to be parsed alone."""
    depths = [
        len(line) - len(line.lstrip()) for line in lines if line.strip() and not line.lstrip().startswith("#")
    ]
    if not depths or not depths[0]:
        return []
    outer = [0, *sorted({depth for depth in depths if 0 < depth < depths[0]})]
    return [" " * depth + "class _:" for depth in outer[:-1]] + [" " * outer[-1] + "async def _():"]


def parses(lines: Sequence[str]) -> bool:
    return parse(_module_of(lines)) is not None


def fault(lines: Sequence[str]) -> str:
    """The first reason why they do not compile, without its line; empty where they do."""
    error = compile_error(_module_of(lines))
    return "" if error is None else error.msg


def _module_of(lines: Sequence[str]) -> str:
    return "\n".join([*enclosing_lines(lines), *lines, ""])
