"""Mutable defaults of parameters: `items=[]` becomes `items=None` with a line that makes a new one."""

from __future__ import annotations

import ast

from spark_tui.codemods.families.annotations import default_of
from spark_tui.codemods.places import at_start, function
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.refusal import Refusal, refusing
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting import planned, swap
from spark_tui.codemods.slots import CALLABLE, NewName, Symbol
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, parameters


def _is_mutable(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("list", "dict", "set") and not node.args and not node.keywords
    return isinstance(node, ast.List | ast.Dict | ast.Set)


@codemod
class FixMutableDefault:
    """Make a new list, dictionary or set for each call, where one was shared as a default."""

    target: Symbol = slot("the function or method", kinds=CALLABLE)
    name: NewName = slot("the parameter; empty for all", default=NewName(""))

    @refusing
    def plan(self, repo: Repository) -> Plan:
        source, target, node = function(repo, self.target)
        assert isinstance(node, Function)
        found = [
            one
            for one in parameters(node)
            if self.name in ("", one.arg) and _is_mutable(default_of(node, one))
        ]
        if not found:
            raise Refusal(f"{target.qualname} has no such default that is mutable")
        edits = []
        for one in found:
            default = default_of(node, one)
            assert default is not None
            if one.annotation is not None and "None" not in ast.unparse(one.annotation):
                edits.append(swap(source, one.annotation, f"{source.segment(one.annotation)} | None"))
            edits.append(swap(source, default, "None"))
            made = f"if {one.arg} is None:\n    {one.arg} = {source.segment(default)}"
            edits.append(at_start(source, node, made))
        return planned(repo, edits)
