"""Results that Python does not take from a special method (`return 0` in `__init__`), that an annotation does
not allow, or with which callers fail."""

from __future__ import annotations

import ast
import builtins
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

from spark_tui.codemods.checks.expected_errors import uses_of
from spark_tui.codemods.checks.value_uses import changed_lines
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.inference.known_types import DISPLAYS
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, walk_each
from spark_tui.pysource.tree_comparison import changed_statements

_TYPES: dict[str, tuple[type, ...]] = {
    "__init__": (type(None),),
    "__len__": (int, bool),
    "__hash__": (int, bool),
    "__index__": (int, bool),
    "__bool__": (bool,),
    "__str__": (str,),
    "__repr__": (str,),
    "__format__": (str,),
    "__bytes__": (bytes,),
}
_ORDERING = (ast.Lt, ast.Gt, ast.LtE, ast.GtE)
_HINTED: dict[str, tuple[type, ...]] = {
    "int": (int, bool),
    "float": (float, int, bool),
    **{kind.__name__: (kind,) for kind in (str, bytes, bool, list, dict, set, tuple)},
}
_OF_TYPING = {kind.__name__.title(): (kind,) for kind in (list, dict, set, tuple)}


def special_results(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a function newly returns a value of a type that is refused."""
    for path in paths:
        source, old = after.index.source(path), before.index.source(path)
        yield from _no_generators(old, source)
        lines = changed_lines(before, after, path)
        within = ((node, bisect_left(lines, node.lineno)) for node in source.functions)
        changed = [node for node, at in within if at < len(lines) and lines[at] <= (node.end_lineno or 0)]
        earlier = {old.qualname(node): node for node in old.functions} if changed else {}
        for node in changed:
            name = source.qualname(node)
            was, special = earlier.get(name), node.name in _TYPES and source.class_of(node) is not None
            wrong = list(_wrong(source, node, after.index, special))
            same = special or (was is not None and _hint(was) == _hint(node))
            kinds = {kind for kind, *_ in _wrong(old, was, before.index, special)} if was and wrong else set()
            for kind, value, line in wrong if same else ():
                if kind not in kinds:
                    reason = f"{name} {'cannot return' if special else 'is not annotated to return'} {value}"
                    yield Finding(path, line, "special results", reason, special)
            if was is not None and _gives_none(old, was) != (none := _gives_none(source, node)):
                given = {ast.unparse(value) for value in old.returned(was) or () if value}
                new = (
                    value for value in source.returned(node) or () if ast.unparse(value or node) not in given
                )
                if none or all(map(_type, new)):
                    yield from _failing(after, node, none)


def _no_generators(old: Source, new: Source) -> Iterator[Finding]:
    """The functions that gave items one by one and give nothing any more but what they returned then."""
    if new.tree is None or "yield" not in old.text:
        return
    gone, come = changed_statements(old, new)
    if _yields(gone) <= _yields(come):
        return
    now = {new.qualname(node): node for node in new.functions}
    for was in old.functions:
        node = now.get(old.qualname(was))
        given = new.returned(node) if node is not None else None
        if node is None or given is None or old.returned(was) is not None:
            continue
        ends = (one.value for one in find_nodes(was, ast.Return) if one.value is not None)
        known = {"None", *map(ast.unparse, ends)}
        if all(value is None or ast.unparse(value) in known for value in given):
            reason = f"{new.qualname(node)} gives no items any more"
            yield Finding(new.path, node.lineno, "special results", reason, sure=False)


def _yields(statements: Sequence[ast.stmt]) -> int:
    return sum(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk_each(statements))


def _hint(function: Function) -> str:
    return ast.unparse(function.returns) if function.returns is not None else ""


def _wrong(
    source: Source, function: Function, index: Index, special: bool
) -> Iterator[tuple[type, str, int]]:
    """The types of results of a function that are refused, each with its text and line."""
    if function.returns is None and not special:
        return
    told = [(value, kind) for value in source.returned(function) or () if (kind := _type(value)) is not None]
    # A class of an annotation is looked for only where the form of a result tells its type.
    allowed = None if not told else _TYPES[function.name] if special else _allowed(function.returns, index)
    for value, kind in told:
        if allowed is not None and kind not in allowed:
            yield kind, ast.unparse(value) if value else "None", value.lineno if value else function.lineno


def _allowed(hint: ast.expr | None, index: Index) -> tuple[type, ...] | None:
    """The types of literals that an annotation allows; None where that is not known."""
    if isinstance(hint, ast.Subscript):
        word, inner = last_name(hint.value), hint.slice
        if word in ("Union", "Optional"):
            sides = [
                _allowed(one, index) for one in (inner.elts if isinstance(inner, ast.Tuple) else [inner])
            ]
            return _any_of([*sides, (type(None),)] if word == "Optional" else sides)
        return _allowed(hint.value, index)
    if isinstance(hint, ast.BinOp):
        return _any_of([_allowed(hint.left, index), _allowed(hint.right, index)])
    if isinstance(hint, ast.Constant):
        return (type(None),) if hint.value is None else None
    name = hint.id if isinstance(hint, ast.Name) else ""
    if not name or name in _HINTED:
        return _HINTED.get(name)
    classes = [one.kind == "class" and not one.bases for _, one in index.symbols(name)]
    return () if any(classes) else _OF_TYPING.get(name) if not classes else None


def _any_of(sides: Sequence[tuple[type, ...] | None]) -> tuple[type, ...] | None:
    """What one of several annotations allows; None where that is not known of each."""
    known = [side for side in sides if side is not None]
    return tuple(kind for side in known for kind in side) if len(known) == len(sides) else None


def _gives_none(source: Source, function: Function) -> bool:
    """Whether a function says that it returns None somewhere, or only ever does; a generator does not."""
    results = source.returned(function)
    parts = (one for value in results or () for one in ast.walk(value or ast.Constant(None)))
    return results == () or any(isinstance(one, ast.Constant) and one.value is None for one in parts)


def _failing(repo: Repository, function: Function, none: bool) -> Iterator[Finding]:
    """The calls of a function whose result is used as None cannot be, or is asked whether it is None."""
    for path in sorted(repo.index.files_with(function.name)):
        source = repo.index.source(path)
        for use in uses_of(repo, path, function.name, function):
            made = source.parents.get(use)
            outer = source.parents.get(made) if isinstance(made, ast.Call) and made.func is use else None
            while isinstance(outer, ast.BoolOp) and not none:
                outer = source.parents.get(outer)
            held = isinstance(outer, ast.BinOp | ast.Attribute | ast.Subscript | ast.For)
            ordered = isinstance(outer, ast.Compare) and isinstance(outer.ops[0], _ORDERING)
            if none:
                name = next(iter(targets(outer)), None) if isinstance(outer, ast.Assign) else None
                ordered = ordered or (isinstance(name, ast.Name) and _is_ordered(source, outer, name.id))
                if ordered or (held and made is not getattr(outer, "slice", None)):
                    reason = f"{last_name(use)}() may be None there"
                    yield Finding(path, use.lineno, "special results", reason, sure=False)
                continue
            asked = outer if isinstance(outer, ast.Compare) else _asked(source, outer)
            if asked is not None and _type(asked.comparators[0]) is type(None):
                reason = f"{last_name(use)}() is never None there"
                yield Finding(path, asked.lineno, "special results", reason, sure=False)


def _is_ordered(source: Source, setting: ast.AST | None, name: str) -> bool:
    """Whether a name that is set so is compared by size in its function, which asks for no None."""
    around = source.function_of(setting) if setting is not None else None
    compared = [(one.ops[0], [one.left, *one.comparators]) for one in find_nodes(around, ast.Compare)]
    named = [(sign, sides) for sign, sides in compared if name in map(ast.unparse, sides)]
    asked = any(
        _type(side) is type(None) for _, sides in named for side in sides if isinstance(side, ast.Constant)
    )
    tests = {ast.unparse(one.test) for one in find_nodes(around, ast.If)}
    return not asked and name not in tests and any(isinstance(sign, _ORDERING) for sign, _ in named)


def _asked(source: Source, setting: ast.AST | None) -> ast.Compare | None:
    """The test whether a name that is set so is None, in the same function."""
    target = next(iter(targets(setting)), None)
    if target is None:
        return None
    name, around = ast.unparse(target), source.function_of(setting) if setting else None
    tests = find_nodes(around or source.tree, ast.Compare)
    return next((one for one in tests if name in (ast.unparse(one.left), f"({ast.unparse(one.left)})")), None)


def _type(value: ast.expr | None) -> type | None:
    """The type of a value whose form tells it."""
    value = value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else value
    if value is None or isinstance(value, ast.Constant):
        return type(value.value if value is not None else None)
    kind = DISPLAYS.get(type(value), "")
    known = kind not in ("", "bool")  # a comparison may give anything
    found: type | None = getattr(builtins, kind) if known else None
    return found
