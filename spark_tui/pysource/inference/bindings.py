"""The values that one binding of a name gives it: an assignment, parameter, import, loop, handler or pattern.
The parameter of a test or fixture is the value of the nearest fixture that has its name: of the class, the
file, or a `conftest.py` in its folder or above."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.pysource.inference.inferring import Inferring
from spark_tui.pysource.inference.values import (
    FOREIGN,
    UNKNOWN,
    ClassValue,
    Container,
    FunctionValue,
    InstanceValue,
    Values,
    instances,
    joined,
)
from spark_tui.pysource.names.scopes import Occurrence, Role, Scope, ScopeKind
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes

OF_CLASS = ("__new__", "__init_subclass__", "__class_getitem__")
_FIXTURE = "fixture"
_SAME_ITEMS = ("sorted", "reversed", "list", "tuple", "set", "frozenset", "iter")


def bound_values(infer: Inferring, path: str, occurrence: Occurrence) -> Values:
    """What a name is after this binding."""
    node = occurrence.node
    if occurrence.role is Role.FUNCTION and isinstance(node, Function):
        return (FunctionValue(path, node), *_made_by_decorators(infer, path, node, occurrence.scope))
    if occurrence.role is Role.CLASS and isinstance(node, ast.ClassDef):
        return (ClassValue(path, node),)
    if occurrence.role is Role.IMPORT and isinstance(node, ast.alias):
        return imported_values(infer, path, node)
    if occurrence.role is Role.PARAMETER and isinstance(node, ast.arg):
        return _parameter(infer, path, node, occurrence.scope)
    if occurrence.role is Role.EXCEPT and isinstance(node, ast.ExceptHandler) and node.type is not None:
        types = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        return instances(joined(infer.values(path, element, occurrence.scope) for element in types))
    if isinstance(node, ast.MatchAs) and isinstance(node.pattern, ast.MatchClass):
        return instances(infer.values(path, node.pattern.cls, occurrence.scope))
    if isinstance(node, ast.Name):
        return _assigned(infer, path, node, occurrence.scope)
    return (UNKNOWN,)


def _made_by_decorators(infer: Inferring, path: str, node: Function, scope: Scope) -> Values:
    """The objects of classes that decorate a function: `@Counter` puts one in its place."""
    plain = (one for one in node.decorator_list if isinstance(one, ast.Name | ast.Attribute))
    found = (value for one in plain for value in infer.values(path, one, scope))
    return instances(tuple(value for value in found if isinstance(value, ClassValue)))


def imported_values(infer: Inferring, path: str, node: ast.alias) -> Values:
    index = infer.index
    statement = index.scopes(path).aliases[node]
    if isinstance(statement, ast.ImportFrom):
        module = index.modules.absolute(path, statement.module, statement.level)
        return infer.exported(module, node.name, path)
    return infer.module(node.name if node.asname else node.name.split(".")[0], path)


def _parameter(infer: Inferring, path: str, node: ast.arg, scope: Scope) -> Values:
    function = scope.node
    outer = scope.outer or scope
    if not isinstance(function, Function):
        return (UNKNOWN,)
    spec = function.args
    if node is spec.vararg or node is spec.kwarg:
        items = infer.annotation(path, node.annotation, outer) if node.annotation is not None else (UNKNOWN,)
        return (Container(items if node is spec.vararg else (FOREIGN,), items),)
    owner = _class_around(scope)
    first = [*spec.posonlyargs, *spec.args][:1]
    decorators = [last_name(decorator) for decorator in function.decorator_list]
    if owner is not None and first == [node] and "staticmethod" not in decorators:
        here = ClassValue(path, owner)
        of_class = "classmethod" in decorators or function.name in OF_CLASS
        if any(last_name(base) == "type" for base in owner.bases):
            return (InstanceValue(here), UNKNOWN)  # a class, of which the metaclass does not know the members
        return (here,) if of_class else (InstanceValue(here, open=True),)
    if node.annotation is not None:
        return infer.annotation(path, node.annotation, outer)
    return fixture_values(infer, path, function, owner, node.arg)


def _class_around(scope: Scope) -> ast.ClassDef | None:
    """The class in whose body the function of a scope stands. Its scopes tell it without the parents of all
    nodes of the file."""
    around = (item.node for item in list(scope.outwards())[1:] if item.kind is not ScopeKind.TYPE_PARAMETERS)
    node = next(around, None)
    return node if isinstance(node, ast.ClassDef) else None


def _assigned(infer: Inferring, path: str, node: ast.Name, scope: Scope) -> Values:
    if found := infer.index.scopes(path).unpacked.get(node):
        return _unpacked(infer, path, scope, *found)
    parent = infer.index.scopes(path).setting(node)
    if isinstance(parent, ast.AnnAssign):
        return infer.annotation(path, parent.annotation, scope)
    if isinstance(parent, ast.Assign):
        return _type_variable(infer, path, parent.value, scope) or infer.values(path, parent.value, scope)
    if isinstance(parent, ast.NamedExpr):
        return infer.values(path, parent.value, scope)
    if isinstance(parent, ast.For | ast.AsyncFor | ast.comprehension):
        return _iterated(infer, path, parent.iter, scope)
    if isinstance(parent, ast.withitem):
        return joined(_entered(infer, item) for item in infer.values(path, parent.context_expr, scope))
    return () if isinstance(parent, ast.AugAssign) else (UNKNOWN,)


def _unpacked(infer: Inferring, path: str, scope: Scope, holder: ast.AST, at: int, count: int) -> Values:
    """What a name in a row gets: of a row that is written there, of `enumerate`, `zip` and `.items()`."""
    value = (
        getattr(holder, "value", None) if isinstance(holder, ast.Assign) else getattr(holder, "iter", None)
    )
    if isinstance(value, ast.Tuple) and isinstance(holder, ast.Assign):
        whole = len(value.elts) == count and not any(isinstance(one, ast.Starred) for one in value.elts)
        return infer.values(path, value.elts[at], scope) if whole else (UNKNOWN,)
    if not isinstance(value, ast.Call) or isinstance(holder, ast.Assign | ast.AsyncFor):
        return (UNKNOWN,)
    if _is_builtin(infer, path, value.func, scope, ("enumerate",)) and value.args and count == 2:
        return _iterated(infer, path, value.args[0], scope) if at else (FOREIGN,)
    if _is_builtin(infer, path, value.func, scope, ("zip",)) and len(value.args) == count:
        return _iterated(infer, path, value.args[at], scope)
    if isinstance(value.func, ast.Attribute) and value.func.attr == "items" and count == 2:
        found = infer.values(path, value.func.value, scope)
        return joined(
            (item.item if at else item.iterated) if isinstance(item, Container) else (UNKNOWN,)
            for item in found
        )
    return (UNKNOWN,)


def _iterated(infer: Inferring, path: str, node: ast.expr, scope: Scope) -> Values:
    """What a loop over something gives."""
    call = node if isinstance(node, ast.Call) and len(node.args) == 1 else None
    if call is not None and _is_builtin(infer, path, call.func, scope, _SAME_ITEMS):
        return _iterated(infer, path, call.args[0], scope)
    found = infer.values(path, node, scope)
    return joined(item.iterated if isinstance(item, Container) else (UNKNOWN,) for item in found)


def _is_builtin(infer: Inferring, path: str, node: ast.expr, scope: Scope, names: tuple[str, ...]) -> bool:
    """Whether something is one of some functions that Python has."""
    known = isinstance(node, ast.Name) and node.id in names
    return known and infer.index.scopes(path).lookup(last_name(node), scope) is None


def _type_variable(infer: Inferring, path: str, value: ast.expr, scope: Scope) -> Values:
    """`T = TypeVar("T", bound=Cart)` stands for its bound where it is an annotation."""
    if not isinstance(value, ast.Call) or last_name(value.func) not in ("TypeVar", "NewType"):
        return ()
    bounds = [keyword.value for keyword in value.keywords if keyword.arg == "bound"] or value.args[1:]
    found = joined(infer.annotation(path, bound, scope) for bound in bounds)
    return tuple(item.of if isinstance(item, InstanceValue) else item for item in found) or (UNKNOWN,)


def _entered(infer: Inferring, value: object) -> Values:
    """What `with value as name` gives."""
    if value is FOREIGN:
        return (FOREIGN,)
    if not isinstance(value, InstanceValue):
        return (UNKNOWN,)
    for stmt in value.of.node.body:
        if isinstance(stmt, Function) and stmt.name in ("__enter__", "__aenter__"):
            bound = FunctionValue(value.of.path, stmt, value.of, bound=True)
            return infer.returned(bound, awaited=isinstance(stmt, ast.AsyncFunctionDef))
    return (UNKNOWN,)


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


def owner_of(path: str, scope: Scope) -> ClassValue | None:
    """The class in whose method a scope lies."""
    nodes = (item.node for item in scope.outwards() if item.kind is ScopeKind.CLASS)
    return next((ClassValue(path, node) for node in nodes if isinstance(node, ast.ClassDef)), None)
