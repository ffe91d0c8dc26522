"""Uses of a value that its kind does not take: `len` of a generator, an item of a set, the order of objects
that cannot be compared."""

from __future__ import annotations

import ast
import builtins
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache

from spark_tui.codemods.checks.operators import never_holds, uses_of_text
from spark_tui.codemods.checks.value_kinds import (
    MEMBERS,
    NOT_INDEXED,
    ONE_WAY,
    WITHOUT_ITEMS,
    ValueKind,
    value_kind,
)
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.inference.values import ClassValue, Container, InstanceValue
from spark_tui.pysource.names.scopes import Scope
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import walk, walk_lines
from spark_tui.pysource.words import word_set
from spark_tui.shared_ends import same_ends

_NO_BOUND = (ValueKind.TUPLE, ValueKind.LIST, ValueKind.TEXT, ValueKind.DICT, *ONE_WAY)
_NOT_OF = {
    "len": (*ONE_WAY, *WITHOUT_ITEMS),
    "range": (*_NO_BOUND, ValueKind.SET, ValueKind.NONE),
    "reversed": (*ONE_WAY, ValueKind.SET, *WITHOUT_ITEMS),
    **dict.fromkeys(("sorted", "min", "max", "list", "set", "tuple", "sum", "any", "all"), WITHOUT_ITEMS),
}
"""The builtins that do not take values of some kinds as their only argument."""
_FIXED = (ValueKind.TUPLE, ValueKind.TEXT, ValueKind.SET, ValueKind.NUMBER)
_CHOOSING = word_set("choice sample shuffle")
"""Functions of `random`, which take items by number."""
_OF_LISTS = word_set("append extend insert sort reverse index count")
_TRUE = (ValueKind.FUNCTION, ValueKind.OBJECT)
_NOT_OF_METHODS = {
    "writerows": (ValueKind.DICT, ValueKind.TEXT, *WITHOUT_ITEMS),
    **dict.fromkeys(("startswith", "endswith"), (ValueKind.LIST, ValueKind.SET, *WITHOUT_ITEMS)),
}
"""Methods that do not take values of some kinds as their only argument."""
_ORDERING = ("sorted", "min", "max")
_COMPARED = ("__lt__", "__gt__")
_USING = {
    *(ast.For, ast.While, ast.comprehension, ast.If, ast.IfExp, ast.Assert, ast.Assign, ast.Return),
    *(ast.Call, ast.Slice, ast.Subscript, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Compare),
    *(ast.AugAssign, ast.FormattedValue),
}
"""The kinds of nodes at which `_uses` looks."""
_WRITTEN = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict)
_Kind = Callable[[ast.expr], ValueKind | None]


def value_uses(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change does something with a value that fails, or is always true, for its kind."""
    for path in paths:
        found = list(_wrong(after, path, changed_lines(before, after, path)))
        within = {where for where, _, _ in found}
        had = _wrong(before, path, None, within) if found else ()
        known = {(where, reason) for where, _, reason in had}
        for where, line, reason in dict.fromkeys(found):
            if (where, reason) not in known:
                yield Finding(path, line, "value uses", reason, sure=False)
        lines, tree = changed_lines(before, after, path), after.index.source(path).tree
        for test in walk_lines(tree, lines) if lines and tree is not None else ():
            if isinstance(test, ast.Compare) and test.lineno in lines and never_holds(test):
                yield Finding(path, test.lineno, "value uses", f"{ast.unparse(test)} never holds")


def changed_lines(before: Repository, after: Repository, path: str) -> Sequence[int]:
    """The lines that a change touches, counted in the new text: of as many as before those that are others,
    else all from the first to the last."""
    return _lines_changed(before.index.source(path), after.index.source(path))


@lru_cache(maxsize=32)
def _lines_changed(before: Source, after: Source) -> Sequence[int]:
    old, new = before.lines, after.lines
    if len(new) == len(old):
        return [at for at, (was, line) in enumerate(zip(old, new, strict=True), 1) if was != line]
    first, last = same_ends(old, new)
    return range(first + 1, len(new) - last + 1)


def _wrong(
    repo: Repository, path: str, changed: Sequence[int] | None, within: Collection[str] = ()
) -> Iterator[tuple[str, int, str]]:
    """The uses on some lines, and those of a name that is set on them in the functions that have them; of all
    lines only those in the functions `within` these."""
    source, scopes = repo.index.source(path), repo.index.scopes(path)
    roots = _roots(source, changed)
    if changed is None:
        roots = [
            one for one in roots if not isinstance(one, Function) or _holds(source.qualname(one), within)
        ]
    nodes = [node for root in roots for node in walk(root)]
    lines = frozenset(changed) if changed is not None else None
    bound = {
        node.arg if isinstance(node, ast.arg) else node.id
        for node in (nodes if lines is not None else ())
        if isinstance(node, ast.Name | ast.arg)
        and not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
        and node.lineno in (lines or ())
    }

    def scope_of(node: ast.AST) -> Scope:
        used = scopes.by_node.get(
            node
        )  # the parents of all nodes of a file are found only where it is needed
        return used.scope if used is not None else scopes.scope_at.get(node) or scopes.of_function(node)

    def kind(value: ast.expr) -> ValueKind | None:
        inside = lines is None or value.lineno in lines or isinstance(value, _WRITTEN)
        if not inside and not (isinstance(value, ast.Name) and value.id in bound):
            return None
        known = value_kind(repo, path, value, scope_of(value))
        return known or (ValueKind.OBJECT if _is_plain_object(repo, path, value, scope_of(value)) else None)

    for node in (node for node in nodes if type(node) in _USING):
        found = [*_uses(node, kind)]
        if isinstance(node, ast.Call) and (lines is None or node.lineno in lines):
            found += _unordered(repo, path, node, scope_of)
        around = source.function_of(node) if found else None
        where = source.qualname(around) if around is not None else ""
        yield from ((where, value.lineno, reason) for value, reason in found)


def _is_plain_object(repo: Repository, path: str, value: ast.expr, scope: Scope) -> bool:
    """Whether a name is an object of a class of the repository that has no length and no truth of its own,
    and cannot be called; what a protocol stands for may have all of these."""
    values = repo.infer.values(path, value, scope) if isinstance(value, ast.Name) else ()
    owners = [item.of for item in values if isinstance(item, InstanceValue)]
    return (
        bool(owners)
        and len(owners) == len(values)
        and not any(
            repo.classes.has_foreign_base(owner) or repo.classes.lookup(owner, name)
            for owner in owners
            for name in ("__len__", "__bool__", "__getattr__", "__call__")
        )
        and not any(last_name(base) == "Protocol" for owner in owners for base in owner.node.bases)
    )


def _holds(name: str, within: Collection[str]) -> bool:
    return any(one == name or one.startswith(f"{name}.") for one in within)


def _roots(source: Source, lines: Sequence[int] | None) -> list[ast.stmt]:
    """The statements at the top of a file, or methods of a class, that have some of the lines."""
    out: list[ast.stmt] = []
    todo = list(source.body)
    for node in todo:
        at = bisect_left(lines, node.lineno) if lines is not None else 0
        if lines is not None and (at == len(lines) or lines[at] > (node.end_lineno or 0)):
            continue
        if isinstance(node, ast.ClassDef):
            todo += node.body
        else:
            out.append(node)
    return out


def _uses(node: ast.AST, kind: _Kind) -> Iterator[tuple[ast.expr, str]]:
    """The values that a node uses as their kind does not allow, each with the reason."""
    yield from _uses_of_any(node, kind)
    yield from _uses_by_form(node, kind)
    yield from uses_of_text(node, kind)


def _uses_of_any(node: ast.AST, kind: _Kind) -> Iterator[tuple[ast.expr, str]]:
    """What is gone through, called, or bounds a slice."""
    if isinstance(node, ast.For | ast.comprehension) and (found := kind(node.iter)) in WITHOUT_ITEMS:
        yield node.iter, f"{ast.unparse(node.iter)} is {found.value}: it has no items"
    if (
        isinstance(node, ast.Call)
        and (found := kind(node.func)) is not None
        and found is not ValueKind.FUNCTION
    ):
        yield node.func, f"{ast.unparse(node.func)} is {found.value}, which cannot be called"
    for bound in (node.lower, node.upper, node.step) if isinstance(node, ast.Slice) else ():
        if bound is not None and (found := kind(bound)) in _NO_BOUND:
            yield bound, f"{ast.unparse(bound)} is {found.value}, which is no bound of a slice"


def _uses_by_form(node: ast.AST, kind: _Kind) -> Iterator[tuple[ast.expr, str]]:
    """What certain functions, operators and statements use."""
    match node:
        case ast.Call(func=ast.Name(id=name), keywords=[ast.keyword(arg=str(given)), *_]) if _takes_no(
            name, given
        ):
            yield node.func, f"{name}() takes no {given}"
        case (
            ast.Assign(value=ast.Call(func=ast.Name(id="sorted"), args=[value]) as made)
            | ast.Return(value=ast.Call(func=ast.Name(id="sorted"), args=[value]) as made)
        ) if kind(made) and kind(value) is ValueKind.DICT:
            yield made, f"sorted() gives the keys of {ast.unparse(value)} alone"
        case ast.Call(func=ast.Name(id=name), args=[value]) if (
            name in _NOT_OF and (found := kind(value)) in _NOT_OF[name]
        ):
            yield value, f"{name}() does not take {found.value}: {ast.unparse(value)}"
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass" as name), args=[_, value]):
            if (found := kind(value)) not in (None, ValueKind.TUPLE, ValueKind.FUNCTION, ValueKind.OBJECT):
                yield value, f"{name}() does not take {found.value}: {ast.unparse(value)}"
        case ast.Call(func=ast.Attribute(attr=name), args=[value]) if (
            name in _NOT_OF_METHODS and (found := kind(value)) in _NOT_OF_METHODS[name]
        ):
            yield value, f"{name}() does not take {found.value}: {ast.unparse(value)}"
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[value, *_]) if (
            name in _CHOOSING
        ):
            if (found := kind(value)) in NOT_INDEXED:
                yield value, f"{name}() does not take {found.value}: {ast.unparse(value)}"
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="sorted"), args=[_]) as value):
            if any(_asks_kind(inner, name) for inner in walk(node)) and not value.keywords:
                yield value, f"the loop asks of which kind {name} is: its items may not be comparable"
        case ast.Subscript(value=value, ctx=ast.Load()):
            if (found := kind(value)) in NOT_INDEXED:
                yield value, f"{ast.unparse(value)} is {found.value}: it has no items by number"
            elif isinstance(value, ast.Call) and value.args and ast.unparse(value.func) in ("min", "max"):
                yield value, f"{ast.unparse(value.func)}() gives one of the items"
        case ast.Subscript(value=value):
            if (found := kind(value)) in _FIXED:
                yield value, f"{ast.unparse(value)} is {found.value}: its items cannot be set"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            yield from _always_true(test, kind)
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()):
            if (found := kind(value)) is not None and _lacks(found, name):
                yield value, f"{ast.unparse(value)} is {found.value}, which has no {name}"


def _takes_no(name: str, given: str) -> bool:
    """Whether an error of Python takes no such argument by name."""
    found = getattr(builtins, name, None)
    is_error = isinstance(found, type) and issubclass(found, BaseException)
    return is_error and not (given in ("name", "path", "obj") and hasattr(found, given))


def _lacks(kind: ValueKind, name: str) -> bool:
    """Whether values of a kind have no such member; of iterators and sets only methods of lists are known."""
    return name not in MEMBERS[kind] if kind in MEMBERS else kind in NOT_INDEXED and name in _OF_LISTS


def _asks_kind(node: ast.AST, name: str) -> bool:
    """Whether a node asks of which class a name is, or whether it is None."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=asked), _]):
            return asked == name
        case ast.Compare(left=ast.Name(id=asked), ops=[ast.Is() | ast.IsNot()]):
            return asked == name
    return False


def _always_true(test: ast.expr, kind: _Kind) -> Iterator[tuple[ast.expr, str]]:
    """The iterators whose truth a condition asks for."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _always_true(test.operand, kind)
    elif isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _always_true(value, kind)
    elif isinstance(test, ast.Name | ast.Call) and (found := kind(test)) in (*ONE_WAY, *_TRUE):
        yield test, f"{ast.unparse(test)} is {found.value}, which is always true"


def _unordered(
    repo: Repository, path: str, call: ast.Call, scope_of: Callable[[ast.AST], Scope]
) -> Iterator[tuple[ast.expr, str]]:
    """A collection that is ordered without a key, whose items cannot be compared with each other."""
    match call:
        case ast.Call(func=ast.Name(id=name), args=[value]) if name in _ORDERING:
            pass
        case ast.Call(func=ast.Attribute(value=value, attr="sort"), args=[]):
            pass
        case _:
            return
    if any(keyword.arg == "key" for keyword in call.keywords):
        return
    if isinstance(value, ast.List | ast.Tuple | ast.Set):
        kinds = {_comparable(item) for item in value.elts}
        if len(kinds - {""}) > 1:
            yield value, f"the items of {ast.unparse(value)} cannot be compared with each other"
        return
    for one in repo.infer.values(path, value, scope_of(value)):
        items = one.iterated if isinstance(one, Container) else ()
        for owner in (item.of for item in items if isinstance(item, InstanceValue)):
            if not _has_order(repo, owner):
                yield value, f"objects of {owner.node.name} have no order"
                return


def _has_order(repo: Repository, owner: ClassValue) -> bool:
    """Whether objects of a class may be compared by `<`."""
    line = repo.classes.ancestors(owner)
    given = any(set(decorator_names(one.node)) - {"dataclass"} for one in line)
    given = given or any(
        "order=True" in ast.unparse(item) for one in line for item in one.node.decorator_list
    )
    own = any(repo.classes.lookup(owner, name) is not None for name in _COMPARED)
    return own or given or repo.classes.has_foreign_base(owner)


def _comparable(node: ast.expr) -> str:
    """What an item of a display is compared as."""
    if not isinstance(node, ast.Constant):
        return "dict" if isinstance(node, ast.Dict) else ""
    return "number" if isinstance(node.value, int | float) else type(node.value).__name__
