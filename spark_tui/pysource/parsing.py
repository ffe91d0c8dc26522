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
        for name in one._fields:
            child = getattr(one, name, None)
            if isinstance(child, list):
                found += [each for each in child if isinstance(each, ast.AST)]
            elif isinstance(child, ast.AST):
                found.append(child)
