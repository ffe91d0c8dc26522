"""All nodes of a tree, kept for as long as the tree lives: what is asked for often is walked once."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeVar
from weakref import WeakKeyDictionary

from spark_tui.pysource.syntax import parsing

NodeT = TypeVar("NodeT", bound=ast.AST)

_MOST_KEPT = 400
"""Trees with fewer nodes are walked again: that is as fast."""
_KEPT: WeakKeyDictionary[ast.AST, tuple[ast.AST, ...]] = WeakKeyDictionary()

LOOPS = (ast.For, ast.AsyncFor, ast.While)
LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def walk(root: ast.AST | None) -> tuple[ast.AST, ...]:
    """The node and all that is in it, in the order of `ast.walk`, without the contexts of names; nothing of a
    file that does not parse."""
    if root is None:
        return ()
    found = _KEPT.get(root)
    if found is None:
        # The root itself is put in front when it is asked for: kept nodes must not hold their own key.
        found = tuple(parsing.walk(root))[1:]
        if len(found) >= _MOST_KEPT:
            _KEPT[root] = found
    return (root, *found)


def walk_each(roots: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The same of several nodes, as of the statements of a body."""
    for root in roots:
        yield from walk(root)


def find_nodes(root: ast.AST | None, kind: type[NodeT]) -> Iterator[NodeT]:
    """The nodes of one kind in a tree, in the order of `walk`."""
    return (node for node in walk(root) if isinstance(node, kind))


def root_of(node: ast.AST, *kinds: type[ast.AST]) -> ast.AST:
    """What a chain of nodes of some kinds begins with: of attributes, items and calls."""
    while isinstance(node, kinds):
        node = getattr(node, "func" if isinstance(node, ast.Call) else "value")
    return node


def root_name(node: ast.AST | None, *kinds: type[ast.AST]) -> str:
    """The name that such a chain begins with; empty where it is none."""
    root = root_of(node, *kinds) if node is not None else None
    return root.id if isinstance(root, ast.Name) else ""


def names_in(root: ast.AST | None) -> set[str]:
    """The names that stand in a node."""
    return {node.id for node in find_nodes(root, ast.Name)}


def has_break(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether a `break` stands in a loop, also one of a loop inside of it."""
    return any(isinstance(one, ast.Break) for one in walk_each(loop.body))
