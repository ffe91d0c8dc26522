"""Annotations that allow None, as their file writes it: `str | None`, or `Optional[str]`."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.plan import Edit
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_ALLOWED = re.compile(r"\b(?:None|Optional|Any|object)\b")


def allow_none(repo: Repository, source: Source, hint: ast.expr | None, value: str) -> list[Edit]:
    """The edit of an annotation of what is newly None; nothing where it allows that, or for another value."""
    shown = source.segment(hint) if hint is not None else ""
    if hint is None or value.strip() != "None" or _ALLOWED.search(shown):
        return []
    if isinstance(hint, ast.Constant):
        new = f"{shown[:-1]} | None{shown[-1]}"
    elif "Optional" in repo.index.scopes(source.path).module.bound:
        new = f"Optional[{shown}]"
    else:
        new = f"{shown} | None"
    return [Edit(source.path, *source.span(hint), new)]
