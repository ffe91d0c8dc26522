"""Calls in the body of a class that declare what its objects hold, such as `Column(String)`: they make no
value."""

from __future__ import annotations

import ast

from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source

_PLAIN = frozenset(("Counter", "OrderedDict", "Path", "Decimal", "Fraction", "PurePath"))
"""Classes whose objects are values like those of the builtins."""


def is_declared(source: Source, node: ast.AST) -> bool:
    """Whether a call of a class is what the body of a class sets a name to."""
    outer, name = source.parents.get(node), called_name(node)
    if not isinstance(outer, ast.Assign | ast.AnnAssign):
        return False
    in_class = isinstance(source.parents.get(outer), ast.ClassDef)
    return in_class and name[:1].isupper() and name not in _PLAIN
