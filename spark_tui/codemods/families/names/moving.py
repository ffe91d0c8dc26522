"""Move a function, class or variable into another module; imports follow on both sides and everywhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.checks.oldest_python import old_python_doubts
from spark_tui.codemods.families.names.movement import Move
from spark_tui.codemods.imports import graph
from spark_tui.codemods.imports.lines import sort_imports
from spark_tui.codemods.places.constants import constant_name
from spark_tui.codemods.places.named import need_definition, need_source
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, edited, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_harm
from spark_tui.codemods.slots import FilePath, Symbol, SymbolKind
from spark_tui.codemods.uses.references import unknown_attributes
from spark_tui.codemods.uses.symbols import Target, find_symbol, refuse_existing
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition
from spark_tui.pysource.syntax.walking import find_nodes, walk

_MOVED = frozenset((SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.VARIABLE))


@codemod
class MoveDefinition:
    """Move a function or class of a module to the end of another one, or a variable to its top, or into a new
    one; imports follow."""

    target: Symbol = slot("the function, class or variable", kinds=_MOVED)
    path: FilePath = slot("the file that it moves to")

    def plan(self, repo: Repository) -> Plan:
        if self.path not in repo.index.all_paths:
            return self._into_new(repo)
        target = need(find_symbol(repo, self.target, _MOVED))
        old, node = repo.index.source(target.path), _statement(repo, target)
        if isinstance(node, Definition):
            old, target, node = need_definition(repo, self.target, _MOVED)
        new = need_source(repo, self.path)
        if new.path == old.path:
            raise Refusal(f"{target.qualname} is already there", why="nothing")
        if target.variable is not None and len(target.variable.bindings) > 1:
            raise Refusal(f"{target.qualname} is defined more than once")
        if target.is_special:
            raise Refusal(f"Python uses {target.name}")
        if old.parents.get(node) is not old.tree:
            raise Refusal(f"{target.qualname} is not at the top of its module")
        if old.path.endswith(".pyi") != new.path.endswith(".pyi"):
            raise Refusal("one of both is a stub")
        if repo.index.scopes(old.path).module.star_import:
            raise Refusal(f"a star import in {old.path} hides where names come from")
        move = Move(repo, old, new, target, node)
        move.needed()
        cut, placed = move.body()
        edits = [cut, *_below(placed, [*move.reached(), *move.importers(), *move.exchanged()], new.newline)]
        move.no_circle(edits)
        if new.path.rpartition("/")[2] == "__main__.py" and any(edit.path != new.path for edit in edits):
            move.doubts.append(Unfollowed(new.path, 1, "importing it from there runs the program"))
        move.doubts += [*move.used_above(), *unknown_attributes(repo, target.name)]
        if _as_text(repo, old.path) and not _as_text(repo, new.path):
            move.doubts += _evaluated(repo, new.path, node)
        plan = plan_edits(repo, edits, move.doubts)
        doubts = graph.moving_doubts(repo, plan, node, target.name, old.path, new.path)
        return refuse_harm(repo, replace(plan, unfollowed=(*plan.unfollowed, *doubts)))

    def _into_new(self, repo: Repository) -> Plan:
        """The move into a file that is not there yet."""
        parts = self.path.removesuffix(".py").split("/")
        if not self.path.endswith(".py") or not all(map(str.isidentifier, parts)):
            raise Refusal(f"{self.path} is not the path of a Python file in the repository")
        refuse_existing(repo, self.path)
        with_file = repo.with_changes(
            {self.path: _as_text(repo, need(find_symbol(repo, self.target, _MOVED)).path)}
        )
        found = need(self.plan(with_file))
        text = (found.texts(with_file)[self.path] or "").lstrip("\r\n")
        text = edited(text, sort_imports(repo.with_changes({self.path: text}), self.path))
        edits = tuple(edit for edit in found.edits if edit.path != self.path)
        return replace(found, edits=edits, created={**found.created, self.path: text})


def _evaluated(repo: Repository, path: str, node: ast.stmt) -> Iterator[Unfollowed]:
    """What fails in annotations that are no text any more, on the Python of the project."""
    given = (getattr(one, field, None) for one in walk(node) for field in ("annotation", "returns"))
    joined = (one for hint in given if hint is not None for one in find_nodes(hint, ast.BinOp))
    if any(isinstance(one.op, ast.BitOr) for one in joined):
        yield from old_python_doubts(repo, path, 1, 10, "`X | Y` in an annotation")


def _as_text(repo: Repository, path: str) -> str:
    """The import that leaves the annotations of a file as text, if it has it: `X | None` may need it."""
    source = repo.index.source(path)
    ahead = (one for one in source.body if isinstance(one, ast.ImportFrom) and one.module == "__future__")
    given = {name.name for one in ahead for name in one.names}
    return f"from __future__ import annotations{source.newline}" if "annotations" in given else ""


def _statement(repo: Repository, target: Target) -> ast.stmt:
    """The definition, or the one statement that sets a variable."""
    if isinstance(target.node, Definition):
        return target.node
    bindings = target.variable.bindings if target.variable is not None else []
    stmt = repo.index.source(target.path).parents.get(bindings[0].node) if len(bindings) == 1 else None
    if not isinstance(stmt, ast.Assign | ast.AnnAssign) or constant_name(stmt) != target.name:
        raise Refusal(f"{target.qualname} is not set by one plain assignment")
    return stmt


def _below(placed: Edit, others: list[Edit], newline: str) -> list[Edit]:
    """The edits with the definition below the imports that are inserted where it is, at the end of a file."""
    place = (placed.path, placed.start, placed.end)
    above = sorted({edit for edit in others if (edit.path, edit.start, edit.end) == place})
    if not above:
        return [placed, *others]
    text = "".join(edit.new for edit in above) + newline * 2 + placed.new.lstrip("\r\n")
    return [Edit(*place, text), *(edit for edit in others if edit not in above)]
