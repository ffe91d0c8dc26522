"""The present as a value: *now* and *today*, as the file writes them or can write them with its imports."""

from __future__ import annotations

import ast

from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk

_FORMS = {"now": ("datetime.now()", "time.time()"), "today": ("date.today()",)}
_MODULES = {"datetime": "datetime", "date": "datetime", "time": "time"}


def present_moment(text: str, source: Source | None) -> str | None:
    """The code of `today` or `the current time`; None where a file imports nothing that gives it."""
    kind = phrases.lookup("moments", text)
    if kind is None or source is None or source.tree is None:
        return None
    calls = [node for node in walk(source.tree) if isinstance(node, ast.Call)]
    used = [ast.unparse(call) for call in calls if ast.unparse(call.func).rpartition(".")[2] == kind]
    if used:
        return max(used, key=used.count)
    for form in _FORMS[kind]:
        owner = form.partition(".")[0]
        for stmt in source.tree.body:
            if isinstance(stmt, ast.ImportFrom) and stmt.module == _MODULES[owner] and owner != "time":
                if any(alias.name == owner and not alias.asname for alias in stmt.names):
                    return form
            elif isinstance(stmt, ast.Import):
                module = _MODULES[owner]
                if any(alias.name == module and not alias.asname for alias in stmt.names):
                    return form if owner == "time" else f"datetime.{form}"
    return None
