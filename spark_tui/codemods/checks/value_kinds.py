"""What the code shows of a value that can be gone through but not indexed: an iterator, a set, a view."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from enum import Enum
from functools import cache
from types import BuiltinFunctionType

from spark_tui.pysource.inference.values import FunctionValue
from spark_tui.pysource.names.scopes import Occurrence, Scope
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.parsing import parse_expression
from spark_tui.tables import read_table


class ValueKind(Enum):
    """A kind of value, as it is called in a sentence."""

    ITERATOR = "an iterator"
    FILE = "an open file"
    SET = "a set"
    VIEW = "a view of a dictionary"
    NUMBER = "a number"
    NONE = "None"
    FUNCTION = "a function"
    TRUTH = "a truth value"
    TEXT = "a text"
    OBJECT = "an object without a length"
    LIST = "a list"
    TUPLE = "a tuple"
    DICT = "a dictionary"


ONE_WAY = (ValueKind.ITERATOR, ValueKind.FILE)
"""What is gone through once, from its first item."""
WITHOUT_ITEMS = (ValueKind.NUMBER, ValueKind.TRUTH, ValueKind.NONE, ValueKind.FUNCTION)
NOT_INDEXED = (*ONE_WAY, ValueKind.SET, ValueKind.VIEW, *WITHOUT_ITEMS)
MEMBERS = {
    ValueKind.NUMBER: frozenset((*dir(int), *dir(float))),
    ValueKind.TEXT: frozenset((*dir(str), *dir(bytes))),
    ValueKind.TRUTH: frozenset(dir(bool)),
    ValueKind.LIST: frozenset(dir(list)),
    ValueKind.TUPLE: frozenset((*dir(tuple), "_asdict", "_replace", "_fields")),
}
"""What values of a kind have; `strip` and its like are methods of bytes, too."""
_DISPLAYS: dict[type[ast.expr], ValueKind] = {
    ast.GeneratorExp: ValueKind.ITERATOR,
    ast.Set: ValueKind.SET,
    ast.SetComp: ValueKind.SET,
    ast.List: ValueKind.LIST,
    ast.ListComp: ValueKind.LIST,
    ast.Tuple: ValueKind.TUPLE,
    ast.Dict: ValueKind.DICT,
    ast.DictComp: ValueKind.DICT,
    ast.JoinedStr: ValueKind.TEXT,
    ast.Compare: ValueKind.TRUTH,
}
_CONSTANTS = {
    bool: ValueKind.TRUTH,
    int: ValueKind.NUMBER,
    float: ValueKind.NUMBER,
    str: ValueKind.TEXT,
    type(None): ValueKind.NONE,
}
_TUPLES = ("tuple", "Tuple")
_MOST_STEPS = 5


@cache
def _told_by(table: str) -> dict[str, ValueKind]:
    """The words of a table with the kind of value that each tells."""
    kinds = read_table(__file__, "value_kinds.toml")[table].items()
    return {word: ValueKind[kind.upper()] for kind, words in kinds for word in words.split()}


def value_kind(
    repo: Repository, path: str, node: ast.expr, scope: Scope, steps: int = _MOST_STEPS
) -> ValueKind | None:
    """The kind of a value in a scope; None where the code does not show one."""
    if type(node) in _DISPLAYS:
        return _DISPLAYS[type(node)]
    if isinstance(node, ast.Constant):
        return _CONSTANTS.get(type(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return ValueKind.TRUTH
    if isinstance(node, ast.BinOp) and steps:
        sides = {value_kind(repo, path, side, scope, steps - 1) for side in (node.left, node.right)}
        return ValueKind.NUMBER if sides == {ValueKind.NUMBER} else None
    if isinstance(node, ast.Call):
        return _of_call(repo, path, node, scope)
    if isinstance(node, ast.Name) and isinstance(getattr(builtins, node.id, None), BuiltinFunctionType):
        return ValueKind.FUNCTION if repo.index.scopes(path).lookup(node.id, scope) is None else None
    if isinstance(node, ast.Name) and steps:
        return _of_name(repo, path, node, scope, steps - 1)
    return None


def _of_call(repo: Repository, path: str, call: ast.Call, scope: Scope) -> ValueKind | None:
    scopes, name = repo.index.scopes(path), ast.unparse(call.func)
    if isinstance(call.func, ast.Name) and scopes.lookup(name, scope) is None:
        return _told_by("builtins").get(name)
    values = repo.infer.values(path, call.func, scope)
    if any(isinstance(value, FunctionValue) for value in values):
        made = {_of_result(repo, one) if isinstance(one, FunctionValue) else None for one in values}
        return made.pop() if len(made) == 1 else None
    if isinstance(call.func, ast.Name):
        nodes = (one.node for one in scopes.by_name.get(name, ()))
        imports = (scopes.aliases.get(node) for node in nodes if isinstance(node, ast.alias))
        modules = {one.module for one in imports if isinstance(one, ast.ImportFrom)}
        return ValueKind.ITERATOR if modules == {"itertools"} else None
    words = (name, name.partition(".")[0], last_name(call.func))
    found = next(filter(None, map(_told_by("calls").get, words)), None)
    return None if found is ValueKind.VIEW and (call.args or call.keywords) else found


def _of_result(repo: Repository, value: FunctionValue) -> ValueKind | None:
    """What a call of a function of the repository gives."""
    node = value.node
    if isinstance(node, ast.AsyncFunctionDef) or any(
        last_name(one) not in ("staticmethod", "classmethod") for one in node.decorator_list
    ):
        return None
    if node.returns is not None:
        return kind_of_hint(node.returns)
    returned = repo.index.source(value.path).returned(node)
    if returned is None:
        return ValueKind.ITERATOR
    kinds = {_written_out(one) for one in returned} - {ValueKind.NONE}
    return kinds.pop() if len(kinds) == 1 else None


def _written_out(value: ast.expr | None) -> ValueKind | None:
    """The kind of a value that is written out; one that may be None besides is of that kind, as what cannot
    be done with it cannot be done with None."""
    if value is None:
        return ValueKind.NONE
    if isinstance(value, ast.Constant):
        return _CONSTANTS.get(type(value.value))
    return _DISPLAYS.get(type(value))


def kind_of_hint(hint: ast.expr | None) -> ValueKind | None:
    """The kind of values that an annotation is for, where it is one kind."""
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        hint = parse_expression(hint.value)
    if hint is None:
        return None
    return _told_by("hints").get(last_name(hint.value if isinstance(hint, ast.Subscript) else hint))


def _of_name(repo: Repository, path: str, name: ast.Name, scope: Scope, steps: int) -> ValueKind | None:
    """What a name is, where all that it is set to is of one kind. What a parameter was does not count behind
    the one line of the body that sets it."""
    scopes = repo.index.scopes(path)
    home = scopes.lookup(name.id, scope)
    variable = scopes.variable(name.id, home) if home is not None else None
    bindings = list(variable.bindings) if variable else []
    bindings = [one for one in bindings if not isinstance(scopes.setting(one.node), ast.AugAssign)]
    if home is not None and isinstance(home.node, Function) and len(bindings) == 2:
        begun = [one for one in bindings if isinstance(one.node, ast.arg)]
        above = [stmt for stmt in home.node.body if (stmt.end_lineno or 0) < name.lineno]
        later = [one for one in bindings if scopes.setting(one.node) in above]
        bindings = later if begun and later else bindings
    kinds = {kind for one in bindings for kind in _of_binding(repo, path, one, steps)}
    return kinds.pop() if len(kinds) == 1 else None


def _of_binding(repo: Repository, path: str, one: Occurrence, steps: int) -> Iterator[ValueKind | None]:
    node, setting = one.node, repo.index.scopes(path).setting(one.node)
    if isinstance(node, ast.arg):
        function = one.scope.node
        collecting = (function.args.vararg, function.args.kwarg) if isinstance(function, Function) else ()
        if node in collecting:
            yield (ValueKind.TUPLE, ValueKind.DICT)[collecting.index(node)]
        else:
            yield kind_of_hint(node.annotation) if node.annotation is not None else None
    elif isinstance(setting, ast.Assign | ast.NamedExpr):
        yield value_kind(repo, path, setting.value, one.scope, steps)
    elif isinstance(setting, ast.AnnAssign):
        made = value_kind(repo, path, setting.value, one.scope, steps) if setting.value is not None else None
        yield kind_of_hint(setting.annotation) or made
    elif isinstance(setting, ast.withitem):
        found = value_kind(repo, path, setting.context_expr, one.scope, steps)
        yield found if found in ONE_WAY else None
    else:
        yield _of_part(repo, path, one)


def _of_part(repo: Repository, path: str, one: Occurrence) -> ValueKind | None:
    """One of several names that are set to the parts of a tuple, which a function is annotated to give."""
    parents = repo.index.source(path).parents
    whole = parents.get(one.node)
    setting = parents.get(whole) if isinstance(whole, ast.Tuple) else None
    if not isinstance(setting, ast.Assign) or not isinstance(setting.value, ast.Call):
        return None
    values = repo.infer.values(path, setting.value.func, one.scope)
    hints = [value.node.returns for value in values if isinstance(value, FunctionValue)]
    if len(hints) != len(values) or len(hints) != 1 or not isinstance(hints[0], ast.Subscript):
        return None
    parts = hints[0].slice.elts if isinstance(hints[0].slice, ast.Tuple) else []
    at = next((at for at, part in enumerate(getattr(whole, "elts", ())) if part is one.node), 0)
    same = (
        isinstance(whole, ast.Tuple)
        and len(parts) == len(whole.elts)
        and last_name(hints[0].value) in _TUPLES
    )
    return kind_of_hint(parts[at]) if same else None
