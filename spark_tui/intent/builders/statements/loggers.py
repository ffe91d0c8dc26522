"""The logger of a file, and log calls that write the traceback."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from spark_tui.intent.building.building import Built, build_at, call
from spark_tui.intent.building.shown_code import logged_as_exception
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.finders.blocks import LOG_METHODS
from spark_tui.intent.words import phrases
from spark_tui.pysource.syntax.walking import find_nodes


def logger_of(context: Context, path: str) -> tuple[str, tuple]:  # type: ignore[type-arg]
    """The name by which a file logs, and calls that make it."""
    bound = context.repo.index.scopes(path).module.bound
    for name in ("logger", "log", "_logger", "_log", "LOG", "LOGGER"):
        if name in bound:
            return name, ()
    if "logging" in bound:
        return "logging", ()
    return "logging", (call("add_import", path=path, module="logging"),)


def log_methods(node: ast.AST) -> list[ast.Attribute]:
    """The methods of loggers that are called in some code."""
    called = (one.func for one in find_nodes(node, ast.Call))
    return [one for one in called if isinstance(one, ast.Attribute) and one.attr in LOG_METHODS]


def with_traceback(context: Context, anchor: Anchor, logged: Sequence[ast.Attribute]) -> Iterator[Built]:
    """The one log call of a handler, which is to write the traceback too."""
    words = [*phrases.table()["levels"]["exception"][1:], "exc_info"]
    instruction = context.situation.instruction.lower()
    said = ".exception" in instruction or phrases.any_stands_in(words, instruction)
    source = context.source(anchor.path)
    made = source.parents.get(logged[0])
    if said and len(logged) == 1 and logged[0].attr != "exception" and isinstance(made, ast.Call):
        new = logged_as_exception(source, made)
        spot = f"{anchor.path}:{made.lineno}"
        yield build_at(anchor, call("replace_expression", place=spot, old=source.segment(made), new=new))
