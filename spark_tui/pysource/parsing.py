"""Python's parser, for one thread at a time.

Goes out: `parse_code`, which is `ast.parse`. Some versions of Python count how deep a tree is in one place
for all threads: two that parse at once may fail (*AST constructor recursion depth mismatch*). Here files are
read ahead while others are asked about.
"""

from __future__ import annotations

import ast
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

_Parse = TypeVar("_Parse", bound=Callable[..., Any])
_LOCK = threading.RLock()


def _one_at_a_time(parse: _Parse) -> _Parse:
    @functools.wraps(parse)
    def waiting(*args: Any, **more: Any) -> Any:
        with _LOCK:
            return parse(*args, **more)

    return cast(_Parse, waiting)


parse_code = _one_at_a_time(ast.parse)


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree in the order of `ast.walk`, in half of its time."""
    found = [node]
    for one in found:
        yield one
        found += children(one)


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one, as `ast.iter_child_nodes` gives them."""
    out: list[ast.AST] = []
    for name in node._fields:
        child = getattr(node, name, None)
        if isinstance(child, list):
            out += [each for each in child if isinstance(each, ast.AST)]
        elif isinstance(child, ast.AST):
            out.append(child)
    return out
