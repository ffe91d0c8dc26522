"""The type of a name or attribute by what the file gives to it (defaults, constants, pieces of texts), or by
what a function does with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.facts.expression_types import expression_type
from spark_tui.intent.facts.literal_types import classes_hinted, literal_type
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import ORDERED, find_nodes, names_in, walk
from spark_tui.pysource.words import word_set

_CUTS = ("split", "rsplit", "partition", "rpartition", "splitlines")
_MOMENTS = ("today", "now", "utcnow", "fromisoformat", "fromtimestamp", "strptime")
_COUNTING = ("range", "islice", "itertools.islice", "deque", "heapq.nlargest", "heapq.nsmallest")
_MOST_STEPS = 5
_OF_STRINGS = word_set(
    "capitalize casefold encode endswith isalpha isdigit isnumeric isspace isupper islower ljust lower lstrip"
    " partition removeprefix removesuffix replace rjust rpartition rsplit rstrip split splitlines startswith"
    " strip swapcase title upper zfill"
)
_OF_LISTS = word_set("append extend insert sort reverse")
_OF_DICTS = word_set("items setdefault keys values")
_OF_SETS = word_set("add union intersection issubset difference")
_KINDS = (("str", _OF_STRINGS), ("list", _OF_LISTS), ("dict", _OF_DICTS), ("set", _OF_SETS))


def made_type(node: ast.expr, function: Function, source: Source, steps: int = _MOST_STEPS) -> str:
    """The last name of the type of an expression in a function; empty where the file does not tell."""
    known = expression_type(node, function, source)
    if known or not steps:
        kinds = classes_hinted(ast.Constant(known))
        return kinds.pop() if len(kinds) == 1 else known.rpartition(".")[2]
    values: list[ast.expr] = []
    if isinstance(node, ast.Call):
        return _class_named(node)
    if isinstance(node, ast.Name):
        if _is_cut(node.id, function):
            return "str"
        default = default_in(function, node.id)
        values = [default] if default is not None and not _is_set(node.id, function) else []
        if not values and node.id not in _own(function):
            values = [value for name, value in _constants(source) if name == node.id]
    elif isinstance(node, ast.Subscript):
        return "str" if not isinstance(node.slice, ast.Slice) and _is_pieces(node.value, function) else ""
    elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self":
        return _attribute_type(node, function, source, steps)
    kinds = {made_type(value, function, source, steps - 1) for value in values}
    return kinds.pop() if len(kinds) == 1 else ""


def is_count(source: Source, called: str) -> bool:
    """Whether a file counts with what is called so: in ranges, slices, and how many it takes."""
    counts = [
        part
        for node in walk(source.tree)
        for part in (
            *(node.args if isinstance(node, ast.Call) and ast.unparse(node.func) in _COUNTING else ()),
            *((node.lower, node.upper) if isinstance(node, ast.Slice) else ()),
        )
        if part is not None
    ]
    sums = [part for part in counts if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub)]
    counts += [side for part in sums for side in (part.left, part.right)]
    return any(last_name(part) == called for part in counts)


def counted_like(called: str, root: ast.AST | None, source: Source | None) -> str:
    """The name with a unit that a function compares with a name, adds to it or takes from it, if that has no
    unit itself: `minutes` in `minutes + cost <= limit`; else the one under which a file passes it on:
    `timedelta(minutes=slot)`."""
    if phrases.unit_of(called):
        return called
    for node in walk(root):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ORDERED):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            sides = [node.left, node.right]
        else:
            continue
        if any(last_name(side) == called for side in sides):
            found = (name for name in names_in(node) if phrases.unit_of(name))
            return next(found, called)
    passed = find_nodes(source.tree, ast.keyword) if source is not None and called else ()
    units = {node.arg for node in passed if last_name(node.value) == called and node.arg}
    counted = [unit for unit in units if phrases.unit_of(unit)]
    return counted[0] if len(counted) == len(units) == 1 else called


def default_in(function: Function, name: str) -> ast.expr | None:
    """The default of a parameter."""
    known = any(item.arg == name for item in parameters(function))
    found = default_of(function, name) if known else None
    return found if isinstance(found, ast.expr) else None


def values_of(last: str, source: Source) -> Iterator[ast.expr]:
    """What the file sets names and attributes with this last part to, or compares them with."""
    for node in walk(source.tree):
        if isinstance(node, ast.Assign):
            if any(last_name(target) == last for target in node.targets):
                yield node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None and last_name(node.target) == last:
            yield node.value
        elif isinstance(node, ast.Compare) and last_name(node.left) == last:
            yield node.comparators[0]
        elif isinstance(node, Function) and (default := default_in(node, last)) is not None:
            yield default


def _attribute_type(node: ast.Attribute, function: Function, source: Source, steps: int) -> str:
    """The type of an attribute of the object, where all that the class sets it to is of one."""
    owner, shown = source.class_of(function), ast.unparse(node)
    kinds: set[str] = set()
    fields = (item for item in (owner.body if owner is not None else ()) if isinstance(item, ast.AnnAssign))
    if hinted := [item.annotation for item in fields if f"self.{ast.unparse(item.target)}" == shown]:
        kinds = classes_hinted(hinted[0])
        return kinds.pop() if len(kinds) == 1 else ""
    for inner in walk(owner) if owner is not None else ():
        if not isinstance(inner, ast.Assign) or shown not in map(ast.unparse, inner.targets):
            continue
        around = source.function_of(inner)
        kinds.add(made_type(inner.value, around, source, steps - 1) if around is not None else "")
    kinds -= {"None", ""}
    return kinds.pop() if len(kinds) == 1 else ""


def _class_named(call: ast.Call) -> str:
    name = called_name(call)
    if isinstance(call.func, ast.Attribute) and name in _MOMENTS:
        name = last_name(call.func.value)
    return name if name in ("timedelta", "datetime", "date", "Decimal", "Fraction", "Path", "deque") else ""


def _is_cut(name: str, function: Function) -> bool:
    """Whether a name is a piece that a text is cut into, and is set to nothing else."""
    sets = [
        node
        for node in find_nodes(function, ast.Assign)
        if any(isinstance(item, ast.Name) and item.id == name for part in node.targets for item in walk(part))
    ]
    return bool(sets) and all(
        isinstance(node.targets[0], ast.Tuple | ast.List)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr in _CUTS
        for node in sets
    )


def _is_pieces(node: ast.expr, function: Function) -> bool:
    """Whether an expression is what a text is cut into, or a name that is set to nothing else."""
    values = [node]
    if isinstance(node, ast.Name):
        sets = [one for one in find_nodes(function, ast.Assign) if node.id in map(ast.unparse, one.targets)]
        stores = [one for one in find_nodes(function, ast.Name) if one.id == node.id]
        alone = sum(isinstance(one.ctx, ast.Store) for one in stores) == len(sets) > 0
        values = [one.value for one in sets] if alone else []
    return bool(values) and all(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in _CUTS
        for one in values
    )


def _is_set(name: str, function: Function) -> bool:
    stores = (node for node in find_nodes(function, ast.Name) if node.id == name)
    return any(not isinstance(node.ctx, ast.Load) for node in stores)


def _own(function: Function) -> set[str]:
    stored = (node for node in find_nodes(function, ast.Name) if isinstance(node.ctx, ast.Store))
    return {node.id for node in stored} | {item.arg for item in parameters(function)}


def _constants(source: Source) -> Iterator[tuple[str, ast.expr]]:
    for stmt in getattr(source.tree, "body", ()):
        if isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Name):
            yield stmt.targets[0].id, stmt.value


def used_type(source: Source, function: Function, name: str) -> str:
    """The one type that all telling uses of a parameter have; empty where there is none."""
    uses = [
        node
        for part in function.body
        for node in find_nodes(part, ast.Name)
        if node.id == name and isinstance(node.ctx, ast.Load)
    ]
    found = {kind for use in uses for kind in _types_by_use(source, use)}
    return found.pop() if len(found) == 1 else ""


def _types_by_use(source: Source, node: ast.Name) -> Iterator[str]:
    outer: ast.AST | None = source.parents.get(node)
    part: ast.AST = node
    while isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Sub | ast.Mult | ast.Div):
        part, outer = outer, source.parents.get(outer)
    call = source.parents.get(outer) if isinstance(outer, ast.Attribute) else outer
    if isinstance(outer, ast.Attribute) and isinstance(call, ast.Call) and call.func is outer:
        own = len(call.args) == 1 or outer.attr not in ("add", "append", "extend")
        yield from (kind for kind, methods in _KINDS if own and outer.attr in methods)
    elif isinstance(outer, ast.Compare) and len(outer.comparators) == 1:
        other = outer.comparators[0] if outer.left is node else outer.left
        equal = isinstance(outer.ops[0], ast.Eq | ast.NotEq)
        if equal and isinstance(other, ast.Constant) and isinstance(other.value, str):
            yield "str"
    elif isinstance(outer, ast.Call) and part in outer.args:
        called = ast.unparse(outer.func)
        if called.startswith("math.") and called not in ("math.comb", "math.factorial", "math.gcd"):
            yield "float"
        elif called == "open" and outer.args[0] is node:
            yield "str"
    elif isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Add):
        other = outer.right if outer.left is node else outer.left
        yield from (item for item in (literal_type(other),) if item in ("str", "list"))
