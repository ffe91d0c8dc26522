"""How a call names a definition."""

from __future__ import annotations

from spark_tui.pysource.names.type_hints import is_overload
from spark_tui.pysource.source import Definition, Source


def symbol_text(source: Source, node: Definition) -> str:
    """A definition by its name; with its line where another one is called so, as the setter of a property."""
    shown = source.qualname(node)
    alike = (one for one in source.definitions if one.name == node.name and not is_overload(one))
    others = (one for one in alike if one is not node and source.qualname(one) == shown)
    return f"{source.path}::{shown}" + (f"@{node.lineno}" if any(others) else "")
