"""Functions that warn whoever calls them."""

from __future__ import annotations

import ast
import json

from spark_tui.codemods.checks.early_names import is_for_types
from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.places.named import (
    comment_lines_above,
    insert_at_line,
    need_function,
    own_lines,
    refuse_inline,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.slots import CALLABLE, Symbol, Text
from spark_tui.codemods.uses.references import find_uses
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, docstring
from spark_tui.pysource.syntax.walking import find_nodes

_DIRECT = frozenset(("staticmethod", "classmethod", "property", "abstractmethod"))
"""Decorators that put no call in between."""


@codemod
class Deprecate:
    """Let a function warn whoever calls it that it is deprecated."""

    target: Symbol = slot("the function", kinds=CALLABLE)
    message: Text = slot("what the warning says, if not that it is deprecated", default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target)
        if isinstance(node, ast.AsyncFunctionDef) or source.returned(node) is None:
            raise Refusal(
                f"{target.qualname} runs later than it is called: its warning would name another line"
            )
        if _warns(node):
            raise Refusal(f"{target.qualname} is deprecated already", why="nothing")
        run = node.body[1:] if docstring(node) is not None else node.body
        if not run:
            raise Refusal(f"{target.qualname} does nothing")
        refuse_inline(source, run)
        shown = json.dumps(self.message or f"{target.qualname} is deprecated", ensure_ascii=False)
        line = comment_lines_above(source, own_lines(source, run)[0])
        text = (
            f"{source.indent(run[0])}warnings.warn({shown}, DeprecationWarning, stacklevel=2){source.newline}"
        )
        edits = [*_imported(repo, source, node), insert_at_line(source, line, text)]
        between = set(decorator_names(node)) - _DIRECT
        reason = "its decorator calls it: the warning names a line of that"
        doubts = [Unfollowed(source.path, node.lineno, reason)] if between else []
        doubts += [Unfollowed(one.path, one.line, "warns now") for one in find_uses(repo, target, node, ())]
        return plan_edits(repo, edits, doubts)


def _warns(node: Function) -> bool:
    names = {name.rpartition(".")[2] for name in decorator_names(node)}
    warned = (
        ast.unparse(call) for call in find_nodes(node, ast.Call) if ast.unparse(call.func).endswith("warn")
    )
    return "deprecated" in names or any("DeprecationWarning" in one for one in warned)


def _imported(repo: Repository, source: Source, node: Function) -> list[Edit]:
    """The import of `warnings` that a function needs."""
    scopes = repo.index.scopes(source.path)
    variable = scopes.variable("warnings", scopes.module)
    if scopes.lookup("warnings", scopes.scope_of[node]) not in (None, scopes.module):
        raise Refusal(f"warnings means something else in {node.name}")
    bindings = variable.bindings if variable is not None else []
    if not bindings or is_for_types(scopes, "warnings"):
        return [insert_import(repo, source.path, "warnings", "", "")]
    alias = bindings[0].node
    plain = isinstance(alias, ast.alias) and isinstance(scopes.aliases[alias], ast.Import)
    if len(bindings) > 1 or not plain or getattr(alias, "name", "") != "warnings":
        raise Refusal(f"warnings means something else in {source.path}")
    return []
