"""Paths as objects of pathlib, without the import of `os` that nothing uses then."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.plan import Plan
from spark_tui.intent.building.building import Built, builder, call, of_table
from spark_tui.intent.context.reading_in_place import Context

_IMPORTS = re.compile(r"import os(?:\.path)?")


@builder("pattern.to_pathlib")
def to_pathlib(context: Context) -> Iterator[Built]:
    for built in of_table(context, "pattern.to_pathlib"):
        plan = built.calls[0].plan(context.repo)
        texts = plan.texts(context.repo) if isinstance(plan, Plan) else {}
        lines = [(path, line) for path, text in texts.items() if (line := _unused_import(text or ""))]
        gone = tuple(call("delete_statements", place=f"{path}:{line}") for path, line in lines)
        yield replace(built, calls=(*built.calls, *gone))


def _unused_import(text: str) -> int:
    """The line of the import of `os` in a text that does not use it; 0 for none."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return 0
    imports = [
        one for one in tree.body if isinstance(one, ast.Import) and _IMPORTS.fullmatch(ast.unparse(one))
    ]
    used = any(isinstance(node, ast.Name) and node.id == "os" for node in ast.walk(tree))
    return imports[0].lineno if len(imports) == 1 and not used else 0
