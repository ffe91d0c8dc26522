"""Errors of the repository that are made with a message where they take something else first."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from spark_tui.codemods.plan import Plan
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes


def doubts_of_raised(plan: Plan, repo: Repository) -> tuple[str, ...]:
    """That a text is the first argument of an error that a plan raises, which does not take its message so:
    `DeliveryError(code, reason)`."""
    after = repo.with_changes(plan.texts(repo))
    for path in filter(is_python, plan.paths):
        new = Counter(_made_of_text(after, path)) - Counter(_made_of_text(repo, path))
        for name in new:
            for where, _ in after.index.symbols(name):
                for node in after.index.source(where).classes.get(name, ())[-1:]:
                    if first := _taken_first(node):
                        return (assumed(f"{name} takes {first} first, not a message"),)
    return ()


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
    return names[0] if names and passed and names[0] not in given else ""
