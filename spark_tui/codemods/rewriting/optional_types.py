"""Annotations that allow None, as their file writes it: `str | None`, or `Optional[str]`."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.plan import Edit
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_ALLOWED = re.compile(r"\b(?:None|Optional|Any|object)\b")


def allows_none(shown: str) -> bool:
    return _ALLOWED.search(shown) is not None


def optional_form(repo: Repository, path: str) -> str:
    return "Optional[{}]" if "Optional" in repo.index.scopes(path).module.bound else "{} | None"


def allow_none(repo: Repository, source: Source, hint: ast.expr | None, value: str) -> list[Edit]:
    """The edit of an annotation of what is newly None; nothing where it allows that, or for another value."""
    shown = source.segment(hint) if hint is not None else ""
    if hint is None or value.strip() != "None" or allows_none(shown):
        return []
    quoted = f"{shown[:-1]} | None{shown[-1]}" if isinstance(hint, ast.Constant) else ""
    new = quoted or optional_form(repo, source.path).format(shown)
    return [Edit(source.path, *source.span(hint), new)]
