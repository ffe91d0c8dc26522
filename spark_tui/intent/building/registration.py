"""The finders, and the converters of slots, which register themselves when they are imported."""

from spark_tui.intent.finders import blocks, displays, expressions, given_arguments, messages, statements
from spark_tui.intent.values.converters import callables, classes, new_names, replaced_statements, texts

__all__ = [
    "blocks",
    "callables",
    "classes",
    "displays",
    "expressions",
    "given_arguments",
    "messages",
    "new_names",
    "replaced_statements",
    "statements",
    "texts",
]
