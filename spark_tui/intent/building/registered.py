"""The finders, and the converters of slots, which register themselves when they are imported."""

from spark_tui.intent.finders import blocks, displays, expressions, handlers, messages, statements
from spark_tui.intent.values import class_values, new_names, other_callables, replaced_statements, text_values

__all__ = [
    "blocks",
    "class_values",
    "displays",
    "expressions",
    "handlers",
    "messages",
    "new_names",
    "other_callables",
    "replaced_statements",
    "statements",
    "text_values",
]
