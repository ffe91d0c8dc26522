"""Texts that are code and call a name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import walk_lines

_IN_FRONT = re.compile(r"(?:\W|\\\w{0,9})\Z")
"""The end of a text behind which a name is a whole word."""


def calling_lines(source: Source, name: str) -> Iterator[int]:
    """The lines of strings that call a name, of docstrings only in examples. Where one defines the name, the
    others mean that, unless they import something."""
    word = re.escape(name)
    own = re.compile(rf"^\s*(?:async )?(?:def {word}\(|class {word}[(:])", re.MULTILINE)
    if not _calls(source.text, name):
        return
    defined = any(own.search(str(string.value)) for string in source.strings)
    calls = re.compile(rf"(?<!\w){word}\(")
    example = re.compile(rf"^\s*(?:>>>|\.\.\.) (?:.*\W)?{word}\(", re.MULTILINE)
    lines = [at for at, line in enumerate(source.lines, 1) if f"{name}(" in line]
    nodes = list(walk_lines(source.tree, lines)) if source.tree is not None else []
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for string in (node for node in nodes if isinstance(node, ast.Constant)):
        text = string.value
        if not isinstance(text, str) or f"{name}(" not in text or (defined and "import " not in text):
            continue
        alone = string in docstrings
        found = (example if alone else calls).search(text)
        if found is not None:
            yield string.lineno + (text.count("\n", 0, found.end()) if alone else 0)


def _calls(text: str, name: str) -> bool:
    """Whether a text has a call of a name. What stands in front of it may be an escape: a line break."""
    at = text.find(f"{name}(")
    while at >= 0:
        if at == 0 or _IN_FRONT.search(text, max(0, at - 10), at):
            return True
        at = text.find(f"{name}(", at + 1)
    return False
