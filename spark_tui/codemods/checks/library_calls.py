"""Calls of the standard library that fail whatever they are given: `ClassVar(…)`, a file that is opened for
bytes with an encoding."""

from __future__ import annotations

import ast
import typing
from collections.abc import Collection, Iterator

from spark_tui.codemods.checks.library_names import library_name
from spark_tui.codemods.checks.value_uses import changed_lines
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.parsing import walk_lines

_OF_TEXT = frozenset(("encoding", "errors", "newline"))
"""What only a file that is opened for text takes."""
_MODES = frozenset("rwaxbt+")


def library_calls(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change makes a call that always fails."""
    for path in paths:
        lines, tree = changed_lines(before, after, path), after.index.source(path).tree
        for node in walk_lines(tree, lines) if lines and tree is not None else ():
            if isinstance(node, ast.Call) and (why := _why_it_fails(after.index.scopes(path), node)):
                yield Finding(path, node.lineno, "library calls", why)


def _why_it_fails(scopes: Scopes, node: ast.Call) -> str:
    given = sorted(_OF_TEXT & {keyword.arg for keyword in node.keywords if keyword.arg})
    if given and _mode(scopes, node).endswith("b"):
        return f"a file that is opened for bytes takes no {given[0]}"
    module, name = library_name(scopes, node.func) or ("", "")
    value = getattr(typing, name, None) if module == "typing" else None
    # The old names of classes have an origin, and some of them make objects: `typing.Deque()`.
    is_form = type(value).__module__ == "typing" and not hasattr(value, "__origin__")
    return f"{name} is for annotations and cannot be called" if is_form or value is typing.Any else ""


def _mode(scopes: Scopes, node: ast.Call) -> str:
    """The mode that is shown in `open(path, mode)` or `path.open(mode)`, with a `b` at its end."""
    if isinstance(node.func, ast.Name) and node.func.id == "open" and "open" not in scopes.module.bound:
        shown = [*node.args[1:2], *(one.value for one in node.keywords if one.arg == "mode")]
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "open":
        shown = node.args[:1]  # of `codecs.open` it is a path
    else:
        return ""
    modes = (one.value for one in shown if isinstance(one, ast.Constant) and isinstance(one.value, str))
    return next(("".join(sorted(mode, key="b".__eq__)) for mode in modes if _MODES.issuperset(mode)), "")
