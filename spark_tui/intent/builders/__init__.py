"""From readings to calls of codemods where the table `calls.toml` cannot say it: a family a file.

They register themselves."""

from spark_tui.intent.builders import (
    calls,
    conditions,
    definitions,
    errors,
    files,
    guards,
    literals,
    logs,
    loops,
    messages,
    options,
    orders,
    raises,
    removed_imports,
    returns,
    rewrites,
    texts,
    transforms,
    types,
    values,
)

__all__ = [
    "calls",
    "conditions",
    "definitions",
    "errors",
    "files",
    "guards",
    "literals",
    "logs",
    "loops",
    "messages",
    "options",
    "orders",
    "raises",
    "removed_imports",
    "returns",
    "rewrites",
    "texts",
    "transforms",
    "types",
    "values",
]
