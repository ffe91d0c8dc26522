"""From readings to calls of codemods where the table `calls.toml` cannot say it: a family a file.

They register themselves."""

from spark_tui.intent.builders import (
    arguments,
    calls,
    conditions,
    definitions,
    errors,
    files,
    guards,
    insertions,
    logs,
    loops,
    messages,
    options,
    orders,
    prints,
    raises,
    replaced_calls,
    returns,
    texts,
    transforms,
    values,
)

__all__ = [
    "arguments",
    "calls",
    "conditions",
    "definitions",
    "errors",
    "files",
    "guards",
    "insertions",
    "logs",
    "loops",
    "messages",
    "options",
    "orders",
    "prints",
    "raises",
    "replaced_calls",
    "returns",
    "texts",
    "transforms",
    "values",
]
