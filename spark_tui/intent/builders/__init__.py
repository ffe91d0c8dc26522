"""From readings to calls of codemods where the table `calls.toml` cannot say it: a family a file.

They register themselves."""

from spark_tui.intent.builders import (
    boundaries,
    calls,
    conditions,
    definitions,
    errors,
    files,
    guards,
    letter_case,
    logs,
    loops,
    messages,
    missing_values,
    options,
    orders,
    raises,
    returns,
    texts,
    transforms,
    values,
)

__all__ = [
    "boundaries",
    "calls",
    "conditions",
    "definitions",
    "errors",
    "files",
    "guards",
    "letter_case",
    "logs",
    "loops",
    "messages",
    "missing_values",
    "options",
    "orders",
    "raises",
    "returns",
    "texts",
    "transforms",
    "values",
]
