"""`super()` without arguments, and in place of the only base that a method calls by its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.patterns.hole_needs import method_around
from spark_tui.codemods.plan import Plan
from spark_tui.intent.building.building import Built, build_at, builder, of_table
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.inference.bindings import OF_CLASS
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.source import Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes


@builder("pattern.plain_super")
def plain_super(context: Context) -> Iterator[Built]:
    made = list(of_table(context, "pattern.plain_super"))
    fits = any(isinstance(one.calls[0].plan(context.repo), Plan) for one in made)
    calls = [
        operation
        for area, source, root in (() if fits else context.trees())
        for node in find_nodes(root, ast.Call)
        if (code := _without_base(context, source, node))
        for operation in build_at(area, replace_code(context, Anchor(area, node), code)).calls
    ]
    yield from [Built(tuple(calls), 0.95)] if calls else made


def _without_base(context: Context, source: Source, node: ast.Call) -> str:
    """The call with `super()` for its base, where that is the only one, of the classes below too."""
    method, owner = method_around(source, node)
    if owner is None or method is None or len(owner.bases) != 1 or not isinstance(node.func, ast.Attribute):
        return ""
    if method.name in OF_CLASS or {"staticmethod", "classmethod"} & set(decorator_names(method)):
        return ""  # the base is given a class, or nothing at all
    below = context.repo.classes.descendants(ClassValue(source.path, owner))
    if ast.unparse(node.func.value) != ast.unparse(owner.bases[0]) or any(
        len(i.node.bases) > 1 for i in below
    ):
        return ""
    own = next(iter(parameters(method)), None)
    if own is None or not node.args or ast.unparse(node.args[0]) != own.arg:
        return ""
    rest = ", ".join(map(source.segment, (*node.args[1:], *node.keywords)))
    return f"super().{node.func.attr}({rest})"
