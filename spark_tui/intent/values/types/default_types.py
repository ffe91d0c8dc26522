"""The type of a new field of which only the default is given."""

from __future__ import annotations

import ast

from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.pysource.source import Source

_DECLARING = ("NamedTuple", "TypedDict", "BaseModel")
"""Bases of classes whose fields have types: without one it is no field."""


def declares_fields(node: ast.ClassDef) -> bool:
    """Whether the fields of a class are the names in it that have types."""
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    return not bases.isdisjoint(_DECLARING) or any(
        "dataclass" in ast.unparse(decorator) for decorator in node.decorator_list
    )


def type_of_default(tree: ast.expr | None, source: Source) -> str:
    """The type of a default: of a literal, a constant of the module, a member of a class, an object that is
    made. Words that are no code are a text."""
    if tree is None:
        return "str"
    if isinstance(tree, ast.Name):
        named = [one for one in source.body if tree.id in _names_set(one)]
        hints = [ast.unparse(one.annotation) for one in named if isinstance(one, ast.AnnAssign)]
        kinds = {literal_type(one.value) for one in named if isinstance(one, ast.Assign)}
        known = hints[0] if hints else kinds.pop() if len(kinds) == 1 else ""
        return (known if known != "None" else "") or ("object" if named else "str")
    owner = tree.value if isinstance(tree, ast.Attribute) else getattr(tree, "func", None)
    if isinstance(owner, ast.Name) and owner.id[:1].isupper() and not owner.id.isupper():
        return owner.id
    kind = literal_type(tree)
    return "object" if kind == "None" or (not kind and owner is not None) else kind or "str"


def _names_set(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    return [ast.unparse(one) for one in targets]
