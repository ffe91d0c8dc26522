"""Statements of SQL that order their rows the other way round."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.rewritten import Rewritten
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.pysource.syntax.walking import walk

_ORDERED = re.compile(r"(?P<head>\border\s+by\s+[\w.]+)(?P<end>\s+(?:asc|desc)\b)?(?!\s*,)", re.I)


def sorted_queries(context: Context, order: str) -> Iterator[Rewritten]:
    """The statements of a place that order by one column, as `down`, `up` or `turned` says."""
    for area, source, root in context.trees():
        for node in walk(root):
            text = source.segment(node) if isinstance(node, ast.Constant) and is_text(node) else ""
            found = _ORDERED.search(text)
            if found is None or not isinstance(node, ast.Constant):
                continue
            was_down = (found["end"] or "").strip().lower() == "desc"
            down = not was_down if order == "turned" else order == "down"
            if down is not was_down:
                end = (" DESC" if found["head"][:5].isupper() else " desc") if down else ""
                yield Rewritten(area, node, text[: found.start()] + found["head"] + end + text[found.end() :])
