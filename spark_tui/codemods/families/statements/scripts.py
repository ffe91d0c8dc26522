"""Modules that are run: what they do on import goes under `if __name__ == "__main__"`."""

from __future__ import annotations

import ast

from spark_tui.codemods.families.statements.guards import wrapped
from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.named import at_line, file
from spark_tui.codemods.plan import Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import planned
from spark_tui.codemods.slots import FilePath
from spark_tui.pysource.names.type_hints import names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import required


@codemod
class AddMainGuard:
    """Put the statements that a module runs at its end under `if __name__ == "__main__"`."""

    path: FilePath = slot("the file")

    def plan(self, repo: Repository) -> Plan:
        source = file(repo, self.path)
        body = source.tree.body if source.tree is not None else []
        if any(isinstance(one, ast.If) and "__name__" in ast.unparse(one.test) for one in body):
            raise Refusal("the module already has a main guard", why="nothing")
        run: list[ast.stmt] = []
        for one in reversed(body):
            if not self._runs(one):
                break
            run.insert(0, one)
        while run and not isinstance(run[0], ast.Expr | ast.For | ast.While | ast.With | ast.If | ast.Try):
            used = names_within(*run[1:])
            names = {
                each.id
                for each in ast.walk(run[0])
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            }
            calls = any(isinstance(each, ast.Call) for each in ast.walk(run[0]))
            if calls and names <= used and not any(name.isupper() for name in names):
                break
            run.pop(0)
        if not run:
            main = next(
                (one for one in body if isinstance(one, ast.FunctionDef) and one.name == "main"), None
            )
            if main is None:
                raise Refusal("nothing runs at the end of the module", why="nothing")
            needed = required(main)
            if needed:
                raise Refusal(f"main needs {', '.join(needed)}: say what it is called with")
            end = source.newline
            text = f'{end * 2}if __name__ == "__main__":{end}{source.indent_unit}main(){end}'
            return planned(repo, [at_line(source, len(source.lines), text)])
        return planned_change(repo, [wrapped(source, run, 'if __name__ == "__main__":')])

    def _runs(self, one: ast.stmt) -> bool:
        """Whether a statement does something when the module is imported."""
        if isinstance(one, ast.Expr):
            return isinstance(one.value, ast.Call | ast.Await)
        return isinstance(one, ast.Assign | ast.AugAssign | ast.For | ast.While | ast.With | ast.Try | ast.If)
