"""By what files are sorted that is no attribute of a path: *by modification time*, *by size*."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, walk

_OF_PATHS = ("glob", "rglob", "iterdir")


def file_fact(source: Source, items: ast.expr, text: str) -> str | None:
    """The code that asks it of an `{item}`; nothing for other words, or where the items are not found by
    looking into a folder."""
    fact = phrases.lookup("file_facts", text)
    made = next(_made_by(source, items), None) if fact is not None else None
    if made is None or fact is None:
        return None
    owner = ast.unparse(made.func.value) if isinstance(made.func, ast.Attribute) else ""
    asked = f"os.path.get{fact.removeprefix('st_')}"
    has_os = any(one.name == "os" for node in find_nodes(source.tree, ast.Import) for one in node.names)
    if owner == "os" and len(made.args) == 1:
        return f"{asked}(os.path.join({source.segment(made.args[0])}, {{item}}))"
    if owner == "glob":
        return f"{asked}({{item}})" if has_os else None
    return f"{{item}}.stat().{fact}" if called_name(made) in _OF_PATHS and owner else None


def _made_by(source: Source, items: ast.expr) -> Iterator[ast.Call]:
    """The look into a folder that gives some items, or what they are taken from."""
    root = source.function_of(items) or source.tree
    name = ast.unparse(items)
    sources: list[ast.expr] = [items]
    for node in walk(root):
        if (
            isinstance(node, ast.Assign | ast.AnnAssign)
            and node.value
            and name in map(ast.unparse, targets(node))
        ):
            sources.append(node.value)
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            added = f"{name}.append({node.target.id})"
            sources += [node.iter for one in find_nodes(node, ast.Call) if ast.unparse(one) == added]
    for one in sources:
        inner = _within(one)
        if isinstance(inner, ast.Call) and called_name(inner) in (*_OF_PATHS, "listdir"):
            yield inner


def _within(node: ast.expr) -> ast.expr:
    """What a list is made of, where it has the same items."""
    if isinstance(node, ast.Call) and called_name(node) in ("list", "sorted") and node.args:
        return _within(node.args[0])
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        first = node.generators[0]
        return _within(first.iter) if ast.unparse(node.elt) == ast.unparse(first.target) else node
    return node
