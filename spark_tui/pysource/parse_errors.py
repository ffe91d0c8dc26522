"""Why a file does not parse, in words."""

from __future__ import annotations

import re

from spark_tui.pysource.source import Source

_CONFLICT = re.compile(r"^<{7} ", re.MULTILINE)


def parse_error(source: Source) -> str:
    """`a.py does not parse: line 8, invalid syntax`, or a merge conflict in it; empty if it parses."""
    if source.tree is not None:
        return ""
    if conflict := conflict_in(source.path, source.text):
        return conflict
    line = getattr(source.error, "lineno", None)
    what = getattr(source.error, "msg", None) or str(source.error)
    return f"{source.path} does not parse: " + (f"line {line}, {what}" if line else what)


def in_conflict(source: Source) -> bool:
    """Whether a file does not parse because of a merge conflict."""
    return source.tree is None and bool(conflict_in(source.path, source.text))


def conflict_in(path: str, text: str) -> str:
    """Where a text has a merge conflict, in words; empty where it has none."""
    found = _CONFLICT.search(text)
    line = text.count("\n", 0, found.start()) + 1 if found else 0
    return f"{path} has a merge conflict in line {line}: resolve it first" if found else ""
