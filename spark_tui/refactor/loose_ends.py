"""Whether an edit leaves code that cannot run: a name that nothing makes any more, or that is read before it is made.

Comes in: two texts of the same lines. Goes out: names. Must not know: orders, rules.
"""

from __future__ import annotations

import ast
import builtins
import symtable
import warnings
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from spark_tui.refactor.source import Function, Source, parse

_BUILTINS = frozenset([*dir(builtins), "__file__", "__name__", "__doc__", "__path__", "__class__"])
_LOOPS = ast.For | ast.AsyncFor | ast.While


def left_undone(src: Source, text: str) -> Iterable[str]:
    """Names that the new text reads and nothing in it makes, or makes too late, where that was not so before."""
    front = "".join(f"{line}\n" for line in src.headers)
    old, new = _wanting(front + src.text), _wanting(front + text)
    return () if old is None or new is None else (new - old).keys()


def runs(src: Source, text: str) -> bool:
    """Whether what compiled still does: the tree alone does not tell a `continue` outside of a loop."""
    front = "".join(f"{line}\n" for line in src.headers)
    return not _compiles(front + src.text) or _compiles(front + text)


@lru_cache(maxsize=16)
def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


@lru_cache(maxsize=16)
def _wanting(text: str) -> Counter[str] | None:
    tree = parse(text)
    if tree is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            top = symtable.symtable(text, "", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return None
    made = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()}
    tables, read = [top], Counter[str]()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for one in table.get_symbols():
            here = one.is_assigned() or one.is_imported() or one.is_parameter() or one.is_free()
            if one.is_declared_global() and one.is_assigned():
                made.add(one.get_name())
            elif one.is_referenced() and (one.is_global() or (table is top and not here)):
                read[one.get_name()] += 1
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in tree.body):
        return Counter()
    wanting = Counter(dict.fromkeys(set(read) - made - _BUILTINS, 1))
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.Module):
            wanting.update(_too_early(node))
    return wanting


def _too_early(around: Function | ast.Module) -> set[str]:
    """Names of a body that its first statements read and only later ones make."""
    spec = around.args if isinstance(around, Function) else None
    made = {one.arg for one in ast.walk(spec) if isinstance(one, ast.arg)} if spec else set()
    if spec is not None:
        made |= {name for one in ast.walk(around) if isinstance(one, ast.Global | ast.Nonlocal) for name in one.names}
    bodies = [(one, _stores(one)) for one in around.body]
    later = {name for _, stores in bodies for name in stores}
    early: set[str] = set()
    for one, stores in bodies:
        own = stores if isinstance(one, _LOOPS | ast.Try | ast.With | ast.AsyncWith | ast.If) else set()
        known = made | own | _BUILTINS | _bound_within(one)
        early |= {
            node.id for node in _now(one) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        } - known
        made |= stores
    return early & later


def _bound_within(statement: ast.stmt) -> set[str]:
    """Names that an expression makes for itself."""
    targets = (node.target for node in ast.walk(statement) if isinstance(node, ast.NamedExpr | ast.comprehension))
    return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}


def _stores(statement: ast.stmt) -> set[str]:
    """Names that a statement makes, those of definitions and imports too."""
    out: set[str] = set()
    for node in _now(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            out.add(node.id)
        elif isinstance(node, Function | ast.ClassDef):
            out.add(node.name)
        elif isinstance(node, ast.alias):
            out.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            out.add(node.name)
    return out


def _now(statement: ast.stmt) -> Iterable[ast.AST]:
    """Nodes that are read when the statement is, none of what waits in functions."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Function):
            waiting += [*node.decorator_list, *node.args.defaults, *(one for one in node.args.kw_defaults if one)]
        elif not isinstance(node, ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
