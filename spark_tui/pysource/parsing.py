"""Python's parser, for one thread at a time, and its compiler.

Goes out: `parse_code`, which is `ast.parse`. Some versions of Python count how deep a tree is in one place
for all threads: two that parse at once may fail (*AST constructor recursion depth mismatch*). Here files are
read ahead while others are asked about.
"""

from __future__ import annotations

import ast
import functools
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

BOM = "\ufeff"
_Parse = TypeVar("_Parse", bound=Callable[..., Any])
_LOCK = threading.RLock()
_PLAIN_FIELDS = {"arg", "attr", "conversion", "ctx", "id", "level", "module", "name", "type_comment"}
"""Fields of nodes that hold text, numbers, or how a name is used."""
_NODE_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}
"""The other fields of the kinds of nodes that were met."""


def _one_at_a_time(parse: _Parse) -> _Parse:
    @functools.wraps(parse)
    def waiting(*args: Any, **more: Any) -> Any:
        with _LOCK:
            return parse(*args, **more)

    return cast(_Parse, waiting)


parse_code = _one_at_a_time(ast.parse)


@functools.lru_cache(maxsize=16)
def compile_error(text: str) -> SyntaxError | None:
    """Why a file would not compile; None where it does. It also finds what has a tree: a parameter that is
    named twice, a `return` outside of a function, a `nonlocal` that binds nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text.removeprefix(BOM), "file", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error.with_traceback(None)
    except (ValueError, RecursionError, MemoryError) as error:
        return SyntaxError(str(error) or "too large")
    return None


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree in the order of `ast.walk`, without the contexts of names, in half of its time."""
    found = [node]
    for one in found:
        yield one
        found += children(one)


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one, as `ast.iter_child_nodes` gives them, but for the contexts of names."""
    kind = type(node)
    if kind not in _NODE_FIELDS:
        _NODE_FIELDS[kind] = _node_fields(kind)
    out: list[ast.AST] = []
    for name in _NODE_FIELDS[kind]:
        child = getattr(node, name, None)
        if isinstance(child, list):
            out += [each for each in child if isinstance(each, ast.AST)]
        elif isinstance(child, ast.AST):
            out.append(child)
    return out


def _node_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that may hold nodes."""
    if issubclass(kind, ast.Constant):
        return ()
    # The name of `type Name = …` is a node.
    plain = _PLAIN_FIELDS if "value" not in kind._fields else _PLAIN_FIELDS - {"name"}
    return tuple(one for one in kind._fields if one not in plain)
