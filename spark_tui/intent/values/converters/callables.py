"""Functions in the place of operators, and modules in the place of others: `hmac.compare_digest(a, b)` for
`a == b`, `secrets.choice` for `random.choice`."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.values.converters.of_slots import SlotWords, converter, ending
from spark_tui.intent.values.converters.texts import unquoted
from spark_tui.pysource.names.scopes import Role


def is_function(context: Context, path: str, text: str) -> bool:
    """Whether a name is that of a function of the file, or of something small of a module."""
    tree = parsed(text)
    scopes = context.repo.index.scopes(path)
    if isinstance(tree, ast.Attribute):
        modules = {
            imported.alias for imported in context.repo.index.summary(path).imports if not imported.name
        }
        holder = ast.unparse(tree.value)
        loaded = getattr(sys.modules.get(holder), tree.attr, len)
        known = holder in modules or holder.partition(".")[0] in sys.stdlib_module_names
        return known and callable(loaded) and not tree.attr[:1].isupper()
    variable = scopes.variable(text, scopes.module) if isinstance(tree, ast.Name) else None
    return variable is not None and any(binding.role is Role.FUNCTION for binding in variable.bindings)


def called_with_both(context: Context, path: str, node: ast.AST | None, text: str) -> str:
    """A call of a function with both sides of an operator; empty where that is not what a name stands for."""
    text = unquoted(text).removesuffix("()")
    if not is_function(context, path, text):
        return ""
    source = context.source(path)
    if isinstance(node, ast.BinOp):
        return f"{text}({source.segment(node.left)}, {source.segment(node.right)})"
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        shown = f"{text}({source.segment(node.left)}, {source.segment(node.comparators[0])})"
        return shown if isinstance(node.ops[0], ast.Eq) else f"not {shown}"
    return ""


@converter
def in_place(slot: SlotWords) -> list[Option]:
    """What stands in the place of an expression: of an operator also the function that does it."""
    call = called_with_both(slot.context, slot.anchor.path, slot.anchor.node, slot.span.text)
    if call:
        return [Option(call)]
    bare = re.sub(r"\(\s*\)\Z", "", slot.span.text.strip())
    if _is_called(slot) and not slot.context.text("old").endswith(")"):
        slot = replace(slot, span=replace(slot.span, text=bare))
    return _method_of(slot) or ending(slot)


def _is_called(slot: SlotWords) -> bool:
    """Whether the code that is replaced is what a call calls."""
    path, node = slot.anchor.path, slot.anchor.node
    outer = slot.context.source(path).parents.get(node) if node is not None else None
    return isinstance(outer, ast.Call) and outer.func is node


def _method_of(slot: SlotWords) -> list[Option]:
    """A call of a method that is said without its object in the place of an attribute: of the same object."""
    node, text = slot.anchor.node, slot.span.text.strip().strip("`")
    tree = parsed(text)
    func = tree.func if isinstance(tree, ast.Call) else None
    if not isinstance(node, ast.Attribute) or not isinstance(func, ast.Name) or "holder" in slot.anchor.words:
        return []
    plain = isinstance(node.value, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    known = slot.context.visible(slot.anchor.path, node).knows(func.id)
    return [Option(f"{ast.unparse(node.value)}.{text}")] if plain and not known else []


@lru_cache(maxsize=1)
def standard_homes() -> Mapping[str, Sequence[str]]:
    """The modules of the standard library that have a public name."""
    data = tomllib.loads(Path(__file__).with_name("standard_names.toml").read_text("utf-8"))
    out: dict[str, list[str]] = {}
    for module, names in data.items():
        for name in names.split():
            out.setdefault(name, []).append(module)
    return out


def of_other_module(context: Context, path: str, node: ast.Call, old: str, new: str) -> str:
    """What is called, of another module that has the same: `secrets.choice` for `random.choice`."""
    func = node.func
    if not isinstance(func, ast.Attribute) or ast.unparse(func.value) != old or not new.isidentifier():
        return ""
    imported = {item.alias for item in context.repo.index.summary(path).imports if not item.name}
    return f"{new}.{func.attr}" if old in imported and new in standard_homes().get(func.attr, ()) else ""
