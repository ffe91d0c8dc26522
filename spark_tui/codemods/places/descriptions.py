"""The text below a constant or an attribute that describes it: it goes where that goes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import is_text, targets


def with_description(source: Source, run: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements of one suite, with the text that describes what the last of them sets."""
    last = run[-1]
    below = next(iter(source.following(last)), None)
    described = isinstance(last, ast.Assign | ast.AnnAssign) and len(targets(last)) == 1
    if not described or below is None or not is_text(below) or source.function_of(last) is not None:
        return list(run)
    return [*run, below] if source.first_line(below) == source.last_line(last) else list(run)
