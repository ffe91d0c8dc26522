"""Errors of the repository that are made with a message where they take something else first."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from spark_tui.codemods.plan import Plan
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes, walk_each
from spark_tui.pysource.tree_comparison import changed_statements


def doubts_of_raised(plan: Plan, repo: Repository) -> tuple[str, ...]:
    """That a text is the first argument of an error that a plan raises, which does not take its message so:
    `DeliveryError(code, reason)`."""
    after = repo.with_changes(plan.texts(repo))
    for path in filter(is_python, plan.paths):
        old, now = _raised(repo, after, path)
        if _unheld(after, path, now) > _unheld(repo, path, old):
            return (assumed("no error is at hand that could be raised again"),)
        if several := Counter(_of_several(now)) - Counter(_of_several(old)):
            return (assumed(f"{next(iter(several))} takes a message alone"),)
        for name in Counter(_made_of_text(now)) - Counter(_made_of_text(old)):
            for where, _ in after.index.symbols(name):
                for node in after.index.source(where).classes.get(name, ())[-1:]:
                    if first := _taken_first(node):
                        return (assumed(f"{name} takes {first} first, not a message"),)
    return ()


def _raised(before: Repository, after: Repository, path: str) -> tuple[list[ast.Raise], list[ast.Raise]]:
    """The `raise` statements of a file as it was and as it is, but for statements of the module that stay."""
    found = [repo.index.source(path) if repo.has(path) else Source("") for repo in (before, after)]
    old, new = (walk_each(statements) for statements in changed_statements(found[0], found[1]))
    return [one for one in old if isinstance(one, ast.Raise)], [
        one for one in new if isinstance(one, ast.Raise)
    ]


def _unheld(repo: Repository, path: str, raised: Sequence[ast.Raise]) -> int:
    """How many plain `raise` statements stand outside of handlers."""
    around = (repo.index.source(path).ancestors(one) for one in raised if one.exc is None)
    return sum(not any(isinstance(outer, ast.ExceptHandler) for outer in every) for every in around)


def _of_several(raised: Iterable[ast.Raise]) -> Iterator[str]:
    """The builtin errors that are raised with more than a message."""
    for node in raised:
        kind = getattr(builtins, called_name(node.exc), None)
        several = isinstance(node.exc, ast.Call) and len(node.exc.args) > 1
        if several and isinstance(kind, type) and not issubclass(kind, (OSError, UnicodeError, SyntaxError)):
            yield kind.__name__


def _made_of_text(raised: Iterable[ast.Raise]) -> Iterator[str]:
    """The classes of what is raised with a text alone, or first."""
    for node in raised:
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
