"""Errors of the repository that are made with a message where they take something else first."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator

from spark_tui.codemods.plan import Plan
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes


def doubts_of_raised(plan: Plan, repo: Repository) -> tuple[str, ...]:
    """That a text is the first argument of an error that a plan raises, which does not take its message so:
    `DeliveryError(code, reason)`."""
    after = repo.with_changes(plan.texts(repo))
    for path in filter(is_python, plan.paths):
        if len(_unheld(after, path)) > len(_unheld(repo, path)):
            return (assumed("no error is at hand that could be raised again"),)
        if several := Counter(_of_several(after, path)) - Counter(_of_several(repo, path)):
            return (assumed(f"{next(iter(several))} takes a message alone"),)
        new = Counter(_made_of_text(after, path)) - Counter(_made_of_text(repo, path))
        for name in new:
            for where, _ in after.index.symbols(name):
                for node in after.index.source(where).classes.get(name, ())[-1:]:
                    if first := _taken_first(node):
                        return (assumed(f"{name} takes {first} first, not a message"),)
    return ()


def _unheld(repo: Repository, path: str) -> list[ast.Raise]:
    """The plain `raise` statements of a file outside of handlers."""
    source = repo.index.source(path) if repo.has(path) else None
    again = (node for node in find_nodes(source.tree, ast.Raise) if node.exc is None) if source else ()
    return [
        node
        for node in again
        if source is not None
        and not any(isinstance(one, ast.ExceptHandler) for one in source.ancestors(node))
    ]


def _of_several(repo: Repository, path: str) -> Iterator[str]:
    """The builtin errors that a file raises with more than a message."""
    for node in find_nodes(repo.index.source(path).tree, ast.Raise) if repo.has(path) else ():
        kind = getattr(builtins, called_name(node.exc), None)
        several = isinstance(node.exc, ast.Call) and len(node.exc.args) > 1
        if several and isinstance(kind, type) and not issubclass(kind, (OSError, UnicodeError, SyntaxError)):
            yield kind.__name__


def _made_of_text(repo: Repository, path: str) -> Iterator[str]:
    """The classes of what a file raises with a text alone, or first."""
    for node in find_nodes(repo.index.source(path).tree, ast.Raise) if repo.has(path) else ():
        match node.exc:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str()) | ast.JoinedStr(), *_]):
                yield name


def _taken_first(node: ast.ClassDef) -> str:
    """The first parameter of an error, unless it is its message; empty where it has no constructor."""
    made = next((one for one in node.body if isinstance(one, Function) and one.name == "__init__"), None)
    names = [item.arg for item in made.args.args[1:]] if made is not None else []
    passed = [call for call in find_nodes(made, ast.Call) if ast.unparse(call.func) == "super().__init__"]
    given = {ast.unparse(arg) for call in passed for arg in call.args[:1]}
    held = [one for one in find_nodes(node, ast.Attribute) if isinstance(one.value, ast.Attribute)]
    parts = {one.attr for one in held if names and ast.unparse(one.value) == f"self.{names[0]}"}
    if any(not hasattr(str, part) for part in parts):
        return names[0]
    return names[0] if names and passed and names[0] not in given else ""
