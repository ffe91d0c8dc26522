"""Another module of the standard library for one whose functions it has too: `secrets` for `random`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.import_origins import standard_homes
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes


def other_module(context: Context) -> Iterator[Built]:
    """All that is used of a module, of another one, with the imports of both."""
    old, new = (plain_name(context.text(slot)) for slot in ("old", "new"))
    if not {old, new} <= sys.stdlib_module_names or old == new:
        return
    for path in dict.fromkeys(area.path for area in context.areas):
        source = context.source(path)
        stmt = _import_of(source, old)
        names = [node for node in find_nodes(source.tree, ast.Name) if node.id == old]
        uses = [source.parents.get(node) for node in names]
        attributes = [node for node in uses if isinstance(node, ast.Attribute)]
        if stmt is None or not names or len(attributes) < len(names):
            continue
        homes = standard_homes()
        if lost := sorted({node.attr for node in attributes if new not in homes.get(node.attr, ())}):
            raise Unresolved(f"{new} has no {lost[0]}")
        edits = [
            call(
                "replace_expression",
                place=f"{path}:{line}",
                old=f"{old}.{name}",
                new=f"{new}.{name}",
                every=True,
            )
            for line, name in sorted({(node.lineno, node.attr) for node in attributes}, reverse=True)
        ]
        gone = call("delete_statements", place=place(context, Anchor(Area(path), stmt)))
        known = new in context.repo.index.scopes(path).module.bound
        added = () if known else (call("add_import", path=path, module=new),)
        yield Built((*edits, gone, *added), 0.95)


def _import_of(source: Source, name: str) -> ast.Import | None:
    """The statement that imports a module and nothing else."""
    found = [one for one in source.body if isinstance(one, ast.Import)]
    return next((one for one in found if [(a.name, a.asname) for a in one.names] == [(name, None)]), None)
