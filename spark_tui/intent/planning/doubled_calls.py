"""Edits that make a call of the call that is there already: `sorted(sorted(items, key=key), key=key)`."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.plan import Plan
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.walking import find_nodes

_TWICE = re.compile(r"\b([A-Za-z_]\w*)\((?:\w+\.)*\1\(")
"""How the text of one begins."""


def doubled_call(plan: Plan, repo: Repository) -> str:
    """What an edit calls of its own result, with nothing that the inner call is not given; empty for none."""
    for path in {edit.path for edit in plan.edits if _TWICE.search(edit.new)}:
        if path not in repo.index.modules.paths:
            continue
        new, old = (_doubled(text or "") for text in (plan.texts(repo)[path], repo.index.text(path)))
        if len(new) > len(old) and (made := {*new} - {*old}):
            return min(made)
    return ""


def _doubled(text: str) -> list[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    return [ast.unparse(node.func) for node in find_nodes(tree, ast.Call) if _is_doubled(node)]


def _is_doubled(node: ast.Call) -> bool:
    inner = node.args[0] if node.args else None
    if not isinstance(inner, ast.Call) or ast.dump(inner.func) != ast.dump(node.func) or not inner.args:
        return False
    given = {ast.dump(one) for one in (*inner.args[1:], *inner.keywords)}
    return all(ast.dump(one) in given for one in (*node.args[1:], *node.keywords))


def shows_doubled(reading: Reading) -> bool:
    """Whether the message itself shows such a call."""
    return any(_TWICE.search(span.text) for span in reading.spans)
