"""What pytest gives a parameter of a test or fixture: the value of the fixture that has its name. The nearest
one counts: of the class, the file, or a `conftest.py` in its folder or above."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.pysource.inference.inferring import Inferring
from spark_tui.pysource.inference.values import UNKNOWN, Container, FunctionValue, Values, joined
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes

_FIXTURE = "fixture"


def fixture_values(
    infer: Inferring, path: str, function: Function, owner: ast.ClassDef | None, name: str
) -> Values:
    """What a parameter without an annotation holds; unknown where no fixture is found for it."""
    if not (function.name.startswith("test") or _is_fixture(function)) or function.name == name:
        return (UNKNOWN,)
    decorators = (*function.decorator_list, *(owner.decorator_list if owner is not None else ()))
    if any(last_name(getattr(one, "func", one)) == "parametrize" and _names(one, name) for one in decorators):
        return (UNKNOWN,)
    found = next(_fixtures(infer, path, owner, name), None)
    return _given(infer, found) if found is not None else (UNKNOWN,)


def _names(decorator: ast.expr, name: str) -> bool:
    texts = (node.value for node in find_nodes(decorator, ast.Constant) if isinstance(node.value, str))
    return any(name in text for text in texts)


def _is_fixture(function: Function) -> bool:
    return _FIXTURE in decorator_names(function)


def _fixtures(infer: Inferring, path: str, owner: ast.ClassDef | None, name: str) -> Iterator[FunctionValue]:
    """The fixtures with a name, the nearest first."""
    for stmt in owner.body if owner is not None else ():
        if isinstance(stmt, Function) and stmt.name == name and _is_fixture(stmt):
            yield FunctionValue(path, stmt)
    folder = path.rpartition("/")[0]
    above = [folder, *(folder.rsplit("/", count)[0] for count in range(1, folder.count("/") + 1)), ""]
    for at in dict.fromkeys((path, *(f"{one}/conftest.py".lstrip("/") for one in above))):
        infer.touched |= infer.bit(at)
        module = infer.index.scopes(at).module if at in infer.index.paths else None
        for value in infer.name(at, name, module) if module is not None else ():
            if isinstance(value, FunctionValue) and _is_fixture(value.node):
                yield value


def _given(infer: Inferring, fixture: FunctionValue) -> Values:
    """What a fixture returns, or gives with its `yield`. One that is called otherwise is not known."""
    node, path = fixture.node, fixture.path
    if any(
        isinstance(one, ast.Call) and any(keyword.arg == "name" for keyword in one.keywords)
        for one in node.decorator_list
    ):
        return (UNKNOWN,)
    scopes = infer.index.scopes(path)
    inner = scopes.scope_of.get(node)
    yields = [one for one in find_nodes(node, ast.Yield) if scopes.source.function_of(one) is node]
    if not yields or inner is None:
        return infer.returned(fixture, awaited=True)
    infer.touched |= infer.bit(path)
    if node.returns is not None:
        outer = scopes.scope_at.get(node, scopes.module)
        hinted = infer.annotation(path, node.returns, outer)
        return joined(one.iterated if isinstance(one, Container) else (UNKNOWN,) for one in hinted)
    return joined(
        infer.values(path, one.value, inner) if one.value is not None else (UNKNOWN,) for one in yields
    )
