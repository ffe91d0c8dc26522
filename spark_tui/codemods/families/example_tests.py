"""Tests of one call that is shown with what it gives: `assert fine(3) == 0.6`."""

from __future__ import annotations

import ast
import builtins

from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.rewriting.edits import read_expression
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.walking import find_nodes


def example_body(call: str, result: str, error: str = "", *, awaited: bool) -> str:
    """The lines of a test of a call; without a result or error they only ask that there is a result."""
    read_expression(call)
    made = f"asyncio.run({call})" if awaited else call
    if error and result:
        raise Refusal("what raises an error has no result")
    if error:
        return f"    with pytest.raises({error}):\n        {made}\n"
    if not result:
        return f"    result = {made}\n    assert result is not None\n"
    tree = read_expression(result)
    single = isinstance(tree, ast.Constant) and (tree.value is None or isinstance(tree.value, bool))
    return f"    assert {made} {'is' if single else '=='} {result}\n"


def names_needed(repo: Repository, path: str, module: str, *codes: str) -> list[tuple[str, str, str]]:
    """Imports (module, name, alias) of the names that code uses as in a file."""
    used = {node.id for code in codes if code for node in find_nodes(read_expression(code), ast.Name)}
    bound = repo.index.scopes(path).module.bound
    imported = {one.alias: one for one in repo.index.summary(path).imports}
    out = []
    for name in sorted(used):
        if one := imported.get(name):
            alias = one.alias if one.alias != (one.name or one.module.split(".")[0]) else ""
            out.append((repo.index.imported_module(path, one), one.name, alias))
        elif name in bound:
            out.append((module, name, ""))
        elif not hasattr(builtins, name):
            raise Refusal(f"{name} is not defined in {path}")
    return out


def import_lines(needed: list[tuple[str, str, str]], *, last: str) -> str:
    """The lines of imports, those of a module joined; those of the module `last` stand apart at the end."""
    rows: dict[str, list[str]] = {}
    for module, name, alias in needed:
        shown = f"{name or module} as {alias}" if alias else name or module
        rows.setdefault(module if name else "", []).append(shown)
    own = rows.pop(last, [])
    plain = [f"import {shown}\n" for shown in rows.pop("", [])]
    others = [f"from {home} import {', '.join(row)}\n" for home, row in sorted(rows.items())]
    gap = ["\n"] if own and (plain or others) else []
    return "".join([*plain, *others, *gap, *([f"from {last} import {', '.join(own)}\n"] if own else [])])
