"""The test whether a folder is there, which `exist_ok=True` takes the place of."""

from __future__ import annotations

import ast
from dataclasses import replace

from spark_tui.codemods.families.functions.arguments import SetArgument
from spark_tui.codemods.registry import Operation
from spark_tui.intent.builders.conditions.removed_parts import parts_of, without_parts
from spark_tui.intent.building.building import Built
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_ASKING = ("exists", "isdir", "is_dir")


def without_check(context: Context, built: Built) -> Built:
    """The edit with the test taken away, where the words say *instead of checking*."""
    one = built.calls[0]
    exchanged = phrases.any_stands_in(phrases.words("exchanged"), context.situation.instruction.lower())
    path, _, line = str(getattr(one, "place", "")).rpartition(":")
    if not exchanged or not isinstance(one, SetArgument) or one.name != "exist_ok" or not line.isdigit():
        return built
    source = context.source(path)
    calls = (node for node in find_nodes(source.tree, ast.Call) if node.lineno == int(line))
    gone = [made for node in calls if (made := _gone(source, node)) is not None]
    return replace(built, calls=(*built.calls, *gone[:1]))


def _gone(source: Source, node: ast.Call) -> Operation | None:
    """The call that takes the test for the folder of a call away from the `if` around it."""
    holder = next((one for one in source.ancestors(node) if isinstance(one, ast.If)), None)
    if holder is None or holder.orelse:
        return None
    asked = {part for part in parts_of(holder.test) if _asks(part, node)}
    if (
        asked
        and asked != {*parts_of(holder.test)}
        and not isinstance(getattr(holder.test, "op", None), ast.And)
    ):
        return None
    return without_parts(source, holder, asked) if asked else None


def _asks(test: ast.expr, made: ast.Call) -> bool:
    """Whether a test is that what a call makes is not there."""
    asked = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
    if not isinstance(asked, ast.Call) or called_name(asked) not in _ASKING:
        return False
    subjects = [
        {ast.unparse(item) for item in (*one.args[:1], getattr(one.func, "value", one.func))}
        for one in (asked, made)
    ]
    return bool((subjects[0] & subjects[1]) - {"os", "os.path"})
