"""Calls that make a dictionary a `defaultdict`, or a `Counter` where it is counted up by hand: nothing asks
for a missing key any more."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from spark_tui.codemods.rewriting.edits import is_same_tree
from spark_tui.intent.building.building import Built, builder
from spark_tui.intent.building.rewritten import Rewritten, build_together, is_meant, list_suites
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, walk

_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitOr: "|"}
_EMPTY = {
    "[]": "list",
    "list()": "list",
    "{}": "dict",
    "dict()": "dict",
    "set()": "set",
    "0": "int",
    "0.0": "float",
}
_STARTS = ("{}", "dict()")
_COUNTER_STARTS = (*_STARTS, "defaultdict(int)", "collections.defaultdict(int)")


@dataclass(frozen=True, eq=False)
class _Use:
    """A place that makes the entry of a missing key: what takes its place, and what the entry begins with."""

    node: ast.stmt | ast.expr
    new: str
    start: str


@builder("pattern.defaultdict")
def default_dict(context: Context) -> Iterator[Built]:
    found: list[Rewritten] = []
    kept: list[str] = []
    for area, source, root in context.trees():
        for goal, value in dictionaries(source, root):
            shown = ast.unparse(goal)
            if not is_meant(context, shown, shown.rpartition(".")[2]):
                continue
            inside = source.class_of(source.function_of(goal) or goal) if "." in shown else None
            within = inside or source.function_of(goal) or root
            uses = list(uses_of(source, within, shown))
            starts = {use.start for use in uses} or set(_begun_by_use(within, shown))
            if len(starts) == 1:
                start = starts.pop()
                factory = _factory(context, start)
                kept += (
                    [] if uses else [ast.unparse(one) for one in walk(within) if _begins(one, shown, start)]
                )
                name = spelled(context, area, "defaultdict")
                found.append(Rewritten(area, value, f"{name}({factory})"))
                found += _set_otherwise(area, source, within, shown, _STARTS, f"{name}({factory}, ")
                found += [Rewritten(area, use.node, use.new) for use in uses]
    for built in build_together(context, found, "dictionary whose missing keys are made"):
        yield replace(built, doubts=(*built.doubts, *(f"it is still said that {one}" for one in kept[:1])))


def _begins(node: ast.AST, name: str, start: str) -> bool:
    """Whether a statement makes an entry as the default would: `d[k] = 0`."""
    goal = node.targets[0] if isinstance(node, ast.Assign) else None
    entry = isinstance(goal, ast.Subscript) and ast.unparse(goal.value) == name
    return isinstance(node, ast.Assign) and entry and ast.unparse(node.value) == start


def dictionaries(
    source: Source, root: ast.AST, starts: Sequence[str] = _STARTS
) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Names and attributes that are set to an empty dictionary; those of a class from any of its methods that
    uses them."""
    owner = source.class_of(root) if root is not source.tree else None
    used = {ast.unparse(node) for node in walk(root) if isinstance(node, ast.Attribute)}
    for node in walk(owner or root):
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if value is not None and ast.unparse(value) in starts:
            assert isinstance(node, ast.Assign | ast.AnnAssign)
            goal = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(goal, ast.Name) or (isinstance(goal, ast.Attribute) and ast.unparse(goal) in used):
                yield goal, value


def _set_otherwise(
    area: Area, source: Source, within: ast.AST, name: str, starts: Sequence[str], made: str
) -> Iterator[Rewritten]:
    """Other values of the name: a new dictionary goes into one with missing keys, what may be another's stays
    with a doubt."""
    for node in walk(within):
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        goals = targets(node) if isinstance(node, ast.Assign | ast.AnnAssign) else []
        if value is None or name not in map(ast.unparse, goals) or ast.unparse(value) in starts:
            continue
        shown = source.segment(value)
        if isinstance(value, ast.Dict | ast.DictComp) or called_name(value) == "dict":
            yield Rewritten(area, value, f"{made}{shown})")
        elif called_name(value) not in ("defaultdict", "Counter"):
            yield Rewritten(area, value, shown, (f"{name} is set to {shown} too, which may lack keys",))


def spelled(context: Context, area: Area, name: str) -> str:
    """A class of `collections` as a file names it."""
    bound = context.repo.index.scopes(area.path).module.bound
    return f"collections.{name}" if "collections" in bound and name not in bound else name


def _factory(context: Context, start: str) -> str:
    type_text = phrases.type_code(context.text("type")) if context.has("type") else None
    if start == "''":
        return "str"
    return (
        type_text
        if type_text is not None and type_text in _EMPTY.values()
        else _EMPTY.get(start, f"lambda: {start}")
    )


def uses_of(source: Source, root: ast.AST, name: str) -> Iterator[_Use]:
    for rows in list_suites(root):
        for at, row in enumerate(rows):
            asked = _asked(source, row, name) if isinstance(row, ast.If) else ()
            yield from (use for use in asked if use.new or _is_grown_in(rows[at + 1 :], row))
            yield from _counted(source, row, name) if isinstance(row, ast.Assign) else ()
    for node in walk(root):
        func = node.func if isinstance(node, ast.Call) else None
        if not isinstance(node, ast.Call) or not isinstance(func, ast.Attribute) or len(node.args) != 2:
            continue
        if func.attr != "setdefault" or ast.unparse(func.value) != name:
            continue
        key, start = node.args
        outer = source.parents.get(node)
        if isinstance(outer, ast.Expr):
            yield _Use(outer, "", ast.unparse(start))
        elif _is_used(source, node):
            yield _Use(node, f"{name}[{source.segment(key)}]", ast.unparse(start))


def _is_grown_in(rows: Sequence[ast.stmt], first: ast.stmt) -> bool:
    """Whether the entry that a statement begins is used behind it, so that the use can begin it. Else it is
    there for its own sake, as the zero of what is not counted."""
    made = [ast.unparse(node) for node in walk(first) if isinstance(node, ast.Subscript)]
    used = (node for row in rows for node in walk(row) if isinstance(node, ast.Subscript))
    return any(ast.unparse(node) in made for node in used)


def _begun_by_use(root: ast.AST, name: str) -> Iterator[str]:
    """What the entries begin with that fail now: `d[k] += 1`, `d[k].append(x)`."""
    starts = {"append": "[]", "extend": "[]", "add": "set()", "update": "{}"}
    for node in walk(root):
        entry = node.target if isinstance(node, ast.AugAssign) else getattr(node, "value", None)
        if not isinstance(entry, ast.Subscript) or ast.unparse(entry.value) != name:
            continue
        if isinstance(node, ast.AugAssign):
            kind = literal_type(node.value)
            yield "''" if kind == "str" else "[]" if kind == "list" else "0"
        elif isinstance(node, ast.Attribute) and node.attr in starts:
            yield starts[node.attr]


def _is_used(source: Source, node: ast.Call) -> bool:
    return isinstance(source.parents.get(node), ast.Attribute | ast.Subscript | ast.Assign)


def _asked(source: Source, node: ast.If, name: str) -> Iterator[_Use]:
    """`if k not in d: d[k] = []`, and `if k in d: d[k] += 1` with an else that sets it."""
    test, turned = node.test, False
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, turned = test.operand, True
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.In | ast.NotIn):
        return
    if ast.unparse(test.comparators[0]).removesuffix(".keys()") == name:
        there = isinstance(test.ops[0], ast.In) is not turned
        known, missing = (node.body, node.orelse) if there else (node.orelse, node.body)
        yield from _set(source, node, known, missing, name)


def _set(
    source: Source, node: ast.stmt, known: list[ast.stmt], missing: list[ast.stmt], name: str
) -> Iterator[_Use]:
    """What is done where the key is known, if a missing one is set to what it begins with."""
    start = missing[0] if len(missing) == 1 else None
    goal = start.targets[0] if isinstance(start, ast.Assign) else None
    if (
        not isinstance(start, ast.Assign)
        or not isinstance(goal, ast.Subscript)
        or ast.unparse(goal.value) != name
    ):
        return
    if not known:
        yield _Use(node, "", ast.unparse(start.value))
    elif len(known) == 1 and (begun := _begun(grown := _grown(known[0]), start.value, ast.unparse(goal))):
        code = source.segment(known[0]) if grown is known[0] else ast.unparse(grown)
        yield _Use(node, code, begun)


def _grown(known: ast.stmt) -> ast.stmt:
    """`d[k] += 1` for `d[k] = d[k] + 1`; any other statement as it is."""
    goal = known.targets[0] if isinstance(known, ast.Assign) and len(known.targets) == 1 else None
    value = known.value if isinstance(known, ast.Assign) else None
    grows = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)
    if not isinstance(goal, ast.Subscript) or not isinstance(value, ast.BinOp) or not grows:
        return known
    same = ast.unparse(goal) == ast.unparse(value.left)
    return ast.AugAssign(goal, value.op, value.right) if same else known


def _begun(known: ast.stmt, first: ast.expr, entry: str) -> str:
    """What an entry begins with where a known one grows by what a missing one is set to."""
    if (
        isinstance(known, ast.AugAssign)
        and ast.unparse(known.target) == entry
        and isinstance(known.op, ast.Add)
    ):
        if is_same_tree(known.value, first):
            return "0.0" if isinstance(first, ast.Constant) and isinstance(first.value, float) else "0"
        return "0" if ast.unparse(first) == "0" else ""
    made = known.value if isinstance(known, ast.Expr) else None
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute) or len(made.args) != 1:
        return ""
    single = (
        isinstance(first, ast.List | ast.Set)
        and len(first.elts) == 1
        and is_same_tree(first.elts[0], made.args[0])
    )
    kinds = {"append": ("[]", ast.List), "add": ("set()", ast.Set)}
    empty, kind = kinds.get(made.func.attr, ("", ast.Pass))
    return empty if single and isinstance(first, kind) and ast.unparse(made.func.value) == entry else ""


def _counted(source: Source, node: ast.Assign, name: str) -> Iterator[_Use]:
    """`d[k] = d.get(k, 0) + 1`."""
    entry, sum_ = node.targets[0], node.value
    if (
        not isinstance(entry, ast.Subscript)
        or ast.unparse(entry.value) != name
        or not isinstance(sum_, ast.BinOp)
    ):
        return
    sign = _SIGNS.get(type(sum_.op))
    for held, more in ((sum_.left, sum_.right), (sum_.right, sum_.left))[: 2 if sign in ("+", "*") else 1]:
        known = isinstance(held, ast.Call) and ast.unparse(held.func) == f"{name}.get" and len(held.args) == 2
        if (
            sign
            and isinstance(held, ast.Call)
            and known
            and ast.unparse(held.args[0]) == ast.unparse(entry.slice)
        ):
            code = f"{source.segment(entry)} {sign}= {source.segment(more)}"
            yield _Use(node, code, ast.unparse(held.args[1]))
            return


@builder("pattern.counter")
def counter(context: Context) -> Iterator[Built]:
    found: list[Rewritten] = []
    for area, source, root in context.trees():
        for goal, value in dictionaries(source, root, _COUNTER_STARTS):
            shown = ast.unparse(goal)
            if not is_meant(context, shown, shown.rpartition(".")[2]):
                continue
            inside = source.class_of(source.function_of(goal) or goal) if "." in shown else None
            scope = inside or source.function_of(goal) or root
            uses = [item for item in uses_of(source, scope, shown) if item.start == "0"]
            plain = [node for node in find_nodes(scope, ast.AugAssign) if _is_raised(node, shown)]
            counted = "defaultdict" in ast.unparse(value) or all(
                literal_type(one.value) == "int" for one in plain
            )
            if not uses and not (plain and counted):
                continue
            name = spelled(context, area, "Counter")
            by_one = all(use.new.endswith("+= 1") or not use.new for use in uses)
            if not by_one and not context.has("variable"):
                continue
            found.append(Rewritten(area, value, f"{name}()"))
            found += _set_otherwise(area, source, scope, shown, _COUNTER_STARTS, f"{name}(")
            found += [Rewritten(area, use.node, use.new) for use in uses]
    yield from build_together(context, found, "dictionary that is counted up")


def _is_raised(node: ast.AugAssign, name: str) -> bool:
    """Whether a statement counts an entry up."""
    goal = node.target if isinstance(node.op, ast.Add) else None
    return isinstance(goal, ast.Subscript) and ast.unparse(goal.value) == name
