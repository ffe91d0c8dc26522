"""Types of `typing` that are another name of a builtin class: `List[int]` as `list[int]`."""

from __future__ import annotations

import ast

from spark_tui.codemods.families.functions.annotations import union_doubts, unused_imports_of
from spark_tui.codemods.places.named import find_region
from spark_tui.codemods.plan import Edit, Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.slots import Place
from spark_tui.pysource.names.scopes import Role, Scopes
from spark_tui.pysource.repository import Repository

_BUILTINS = {name: name.lower() for name in ("List", "Dict", "Set", "FrozenSet", "Tuple", "Type")}


@codemod
class BuiltinGenerics:
    """Write `List[int]` of `typing` as `list[int]`, and so on for dictionaries, sets, tuples and types."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source, scopes = within.source, repo.index.scopes(within.path)
        uses = [(node, name) for node in within.nodes(ast.expr) if (name := _typing_name(scopes, node))]
        if not uses:
            raise Refusal("no type there is one of typing that has a builtin name", why="nothing")
        for node, name in uses:
            if scopes.lookup(_BUILTINS[name], scopes.of_function(node)) is not None:
                raise Refusal(f"{source.path}:{node.lineno}: {_BUILTINS[name]} means something else there")
        edits = [Edit(source.path, *source.span(node), _BUILTINS[name]) for node, name in uses]
        doubts = list(union_doubts(repo, source, edits, 9, "list[int]"))
        edits += unused_imports_of(repo, source, ("typing", *_BUILTINS), [node for node, _ in uses])
        return plan_edits(repo, edits, doubts)


def _typing_name(scopes: Scopes, node: ast.expr) -> str:
    """The name in `typing` that an expression is, if a builtin class has it too."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = scopes.by_node.get(node.value)
        return node.attr if node.attr in _BUILTINS and owner and _imported(scopes, node.value, "") else ""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in _BUILTINS:
        return node.id if _imported(scopes, node, node.id) else ""
    return ""


def _imported(scopes: Scopes, node: ast.Name, name: str) -> bool:
    """Whether a name is `typing`, or `name` of it, by its only binding."""
    use = scopes.by_node.get(node)
    bindings = scopes.resolve(use).bindings if use is not None else []
    if len(bindings) != 1 or bindings[0].role is not Role.IMPORT:
        return False
    alias = bindings[0].node
    if not isinstance(alias, ast.alias):
        return False
    statement = scopes.aliases[alias]
    if isinstance(statement, ast.ImportFrom):
        return bool(name) and statement.module == "typing" and alias.name == name
    return not name and alias.name == "typing"
