"""Why a file does not parse, in words."""

from __future__ import annotations

import re

from spark_tui.pysource.source import Source

_CONFLICT = re.compile(r"^<{7} ", re.MULTILINE)


def parse_error(source: Source) -> str:
    """`a.py does not parse: line 8, invalid syntax`, or a merge conflict in it; empty if it parses."""
    if source.tree is not None:
        return ""
    if (conflict := _CONFLICT.search(source.text)) is not None:
        at = source.line_number(conflict.start())
        return f"{source.path} has a merge conflict in line {at}: resolve it first"
    line = getattr(source.error, "lineno", None)
    what = getattr(source.error, "msg", None) or str(source.error)
    return f"{source.path} does not parse: " + (f"line {line}, {what}" if line else what)


def in_conflict(source: Source) -> bool:
    """Whether a file does not parse because of a merge conflict."""
    return source.tree is None and _CONFLICT.search(source.text) is not None
