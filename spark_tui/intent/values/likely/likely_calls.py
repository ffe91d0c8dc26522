"""Of several calls those that an argument can be meant for: they take it, or read where reading is said."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.codemods.signatures.called_parameters import parameters_called
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Source


def likely_calls(context: Context, source: Source, calls: Sequence[ast.AST | None]) -> list[ast.Call]:
    """The calls that have the argument that is named among their parameters, and of those that open files
    those that read, or write, where it is said; all where that tells nothing."""
    wanted = key(plain_name(context.text("argument")))
    every = [call for call in calls if isinstance(call, ast.Call)]
    if wanted and len(every) > 1:
        takes = [call for call in every if wanted in map(key, parameters_called(context.repo, source, call))]
        every = takes or every
    return every
