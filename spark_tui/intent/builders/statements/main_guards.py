"""What only runs in a script goes under `if __name__ == "__main__"`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, builder, call, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source


@builder("add_main_guard")
def add_main_guard(context: Context) -> Iterator[Built]:
    """A guard around what runs at the end; where there is one, the named call goes into it."""
    for area in context.areas[:2]:
        source = context.source(area.path)
        guard, outside = _guard(source), _called(context, source)
        if guard is None or outside is None:
            yield build_at(area, call("add_main_guard", path=area.path))
            continue
        first = place(context, Anchor(area, guard.body[0]))
        made = call("move_statements", place=place(context, Anchor(area, outside)), to=first)
        yield build_at(area, made, weight=0.9)


def _guard(source: Source) -> ast.If | None:
    tests = (one for one in source.body if isinstance(one, ast.If))
    return next((one for one in tests if "__name__" in ast.unparse(one.test)), None)


def _called(context: Context, source: Source) -> ast.Expr | None:
    """The statement at the top of the file that makes the named call."""
    wanted = plain_name(context.text("call").partition("(")[0]).rpartition(".")[2]
    for one in source.body if wanted else ():
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) and called_name(one.value) == wanted:
            return one
    return None
