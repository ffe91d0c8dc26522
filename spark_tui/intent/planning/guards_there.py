"""Guards that do not do what they say at their place: what surrounds them catches their error, or the
statement behind them is left without a case."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, walk


def doubts_of_guards(found: RankedEdit) -> tuple[str, ...]:
    """Why a new guard may have no effect, or may make the code behind it useless."""
    if not found.executed.candidate.reading.intent.startswith(("guard", "skip")):
        return ()
    repo, plan = found.situation.repo, found.executed.plan
    after = repo.with_changes(plan.texts(repo)).index
    for path in filter(is_python, dict.fromkeys(edit.path for edit in plan.edits)):
        source, known = after.source(path), _guards(repo.index, path)
        for node in find_nodes(source.tree, ast.If):
            if ast.dump(node) in known:
                continue
            if reason := next(_reasons(source, node), ""):
                return (assumed(reason),)
    return ()


def _guards(index: Index, path: str) -> set[str]:
    return {ast.dump(node) for node in find_nodes(index.source(path).tree, ast.If)}


def _reasons(source: Source, node: ast.If) -> Iterator[str]:
    raised = node.body[-1] if isinstance(node.body[-1], ast.Raise) else None
    inner: ast.AST = node
    around = source.parents.get(node)
    while raised is not None and around is not None and not isinstance(around, ast.FunctionDef):
        if isinstance(around, ast.Try) and inner in around.body:
            for handler in around.handlers:
                if _catches(handler, raised) and not any(_is_again(one, handler) for one in walk(handler)):
                    kind = f"except {ast.unparse(handler.type)}" if handler.type else "except"
                    yield f"the {kind} around it catches this error: no caller sees it"
        inner, around = around, source.parents.get(around)
    rest = source.following(node)
    following = rest[0] if rest else None
    denied = node.test.operand if isinstance(node.test, ast.UnaryOp) and len(rest) == 1 else node.test
    if isinstance(following, ast.If) and ast.dump(following.test) in (ast.dump(node.test), ast.dump(denied)):
        yield f"{ast.unparse(node.test)} is asked again behind it"
    empty = node.test.operand if isinstance(node.test, ast.UnaryOp) and raised is not None else None
    inside = source.function_of(node)
    if not isinstance(empty, ast.Name) or inside is None:
        return
    for later in (one for one in walk(inside) if isinstance(one, ast.BoolOp)):
        held = isinstance(later.op, ast.And) and later.lineno > node.lineno
        if held and any(isinstance(one, ast.Name) and one.id == empty.id for one in later.values):
            yield f"{empty.id} may be empty in {ast.unparse(later)}"


def _is_again(node: ast.AST, handler: ast.ExceptHandler) -> bool:
    """Whether a handler raises what it caught."""
    again = node.exc if isinstance(node, ast.Raise) else node
    return again is None or (isinstance(node, ast.Raise) and ast.unparse(again) == handler.name)


def _catches(handler: ast.ExceptHandler, raised: ast.Raise) -> bool:
    made = raised.exc.func if isinstance(raised.exc, ast.Call) else raised.exc
    if made is None or is_none(made):
        return False
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    error = getattr(builtins, last_name(made), None)
    for kind in kinds:
        if kind is None or ast.unparse(kind) == ast.unparse(made):
            return True
        caught = getattr(builtins, last_name(kind), None)
        if isinstance(caught, type) and caught in (Exception, BaseException):
            return True
        if isinstance(error, type) and isinstance(caught, type) and issubclass(error, caught):
            return True
    return False
