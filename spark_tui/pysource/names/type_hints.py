"""Annotations: their names, also in strings (forward references), and where else a string is a type."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeVar

from spark_tui.pysource.source import Definition, Function, Source
from spark_tui.pysource.syntax.parsing import parse_expression
from spark_tui.pysource.words import word_set

N = TypeVar("N", bound=ast.AST)
_GENERICS = word_set(
    "Annotated Awaitable Callable ClassVar Concatenate Coroutine DefaultDict Deque Dict Final FrozenSet "
    "Generator Iterable Iterator List Mapping MutableMapping Optional Required NotRequired Sequence Set "
    "Tuple Type Union"
)
_CLASS_NAME = re.compile(r"_*[A-Z]\w*[a-z]\w*")
_NO_CLASSES = ("None", "True", "False")
_FIRST_IS_TYPE = ("cast", "assert_type", "ForwardRef")
_LATER_ARE_TYPES = ("TypeVar", "NewType", "TypeAliasType")
_FIRST_IS_OWN_NAME = (*_LATER_ARE_TYPES, "ParamSpec", "TypeVarTuple", "namedtuple", "NamedTuple", "TypedDict")


def last_name(node: ast.AST) -> str:
    """`c` of `a.b.c` and of `c`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_class_name(name: str) -> bool:
    """Whether a name is spelled as those of classes are."""
    return _CLASS_NAME.fullmatch(name) is not None and name not in _NO_CLASSES


def called(node: N) -> N | ast.expr:
    """A decorator without what it is called with."""
    return node.func if isinstance(node, ast.Call) else node


def called_name(node: ast.AST | None) -> str:
    """The last name of what is called: `get` of `os.environ.get(…)`; nothing of what is no call."""
    return last_name(node.func) if isinstance(node, ast.Call) else ""


def decorator_names(node: Definition) -> list[str]:
    """The last names of the decorators of a function or class, without what they are called with."""
    return [last_name(called(decorator)) for decorator in node.decorator_list]


def is_overload(node: ast.AST) -> bool:
    """Whether a function is only a signature beside the one that is run."""
    return isinstance(node, Function) and "overload" in decorator_names(node)


def names_within(*nodes: ast.AST) -> set[str]:
    """The names in some code, without attributes."""
    return {inner.id for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def names_set(*nodes: ast.AST) -> set[str]:
    """The names that some code sets."""
    named = (inner for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Name))
    return {name.id for name in named if isinstance(name.ctx, ast.Store)}


def is_generic_alias(node: ast.Subscript) -> bool:
    """Whether a subscript outside of annotations is a type of `typing`, so that strings in it are types."""
    return isinstance(node.ctx, ast.Load) and last_name(node.value) in _GENERICS


def is_type_argument(call: ast.Call, value: ast.expr) -> bool:
    """Whether an argument is a type that may stand in a string: `cast("X", …)`, `TypeVar("T", bound="X")`."""
    called = last_name(call.func)
    if called in _FIRST_IS_TYPE:
        return bool(call.args) and call.args[0] is value
    if called in _LATER_ARE_TYPES:
        named = (keyword.value for keyword in call.keywords if keyword.arg in ("bound", "default"))
        return value in (*call.args[1:], *named)
    return False


def own_name(value: ast.AST | None) -> ast.Constant | None:
    """The string in which a type is told the name that it is assigned to: `Size = NewType("Size", int)`."""
    if isinstance(value, ast.Call) and value.args and last_name(value.func) in _FIRST_IS_OWN_NAME:
        first = value.args[0]
        return first if isinstance(first, ast.Constant) else None
    return None


def parts(source: Source, node: ast.expr) -> Iterator[tuple[ast.expr, bool]]:
    """Expressions of an annotation to visit, and whether each stands in a string."""
    if isinstance(node, ast.Constant):
        inner = _quoted(source, node)
        if inner is None:
            yield node, False
        else:
            for one, _ in parts(source, inner):
                yield one, True
    elif isinstance(node, ast.Subscript):
        yield node.value, False
        if last_name(node.value) == "Literal":
            # Its strings are values, its names are code.
            yield node.slice, False
        elif last_name(node.value) == "Annotated" and isinstance(node.slice, ast.Tuple) and node.slice.elts:
            yield from parts(source, node.slice.elts[0])
            for one in node.slice.elts[1:]:
                yield one, False
        else:
            yield from parts(source, node.slice)
    elif isinstance(node, ast.Tuple | ast.List):
        for one in node.elts:
            yield from parts(source, one)
    elif isinstance(node, ast.BinOp):
        yield from parts(source, node.left)
        yield from parts(source, node.right)
    elif isinstance(node, ast.Starred):
        yield from parts(source, node.value)
    else:
        yield node, False


def _quoted(source: Source, node: ast.Constant) -> ast.expr | None:
    """The expression that a string holds, with its places; None where it holds none or its places are not
    plain."""
    inner = parse_expression(node.value) if isinstance(node.value, str) else None
    if inner is None:
        return None
    body = source.quoted(node) or (-1, -1)
    if body[0] < 0 or not source.place_expression(inner, *body):
        source.mark_unplaced(inner)
    return inner
