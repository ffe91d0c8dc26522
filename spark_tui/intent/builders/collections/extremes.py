"""Calls that find the largest or smallest by `max` and `min` in place of a loop or an `if`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from spark_tui.codemods.rewriting.edits import is_same_tree
from spark_tui.intent.building.building import Built, builder
from spark_tui.intent.building.rewritten import Rewritten, build_together, is_meant, list_suites
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import find_nodes, names_in

_MOST = {ast.Gt: "max", ast.GtE: "max", ast.Lt: "min", ast.LtE: "min"}
_CALL = re.compile(r"(?:^|= |return )(max\(|min\()", re.MULTILINE)
_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef)
_OTHER = {"max": "min", "min": "max"}
_INFINITE = re.compile(r"[+-]?(?:inf|infinity|maxsize)", re.IGNORECASE)


@builder("pattern.extreme")
def extreme(context: Context) -> Iterator[Built]:
    loops: list[Rewritten] = []
    limits: list[Rewritten] = []
    sorts: list[Rewritten] = []
    for area, source, root in context.trees():
        for rows in list_suites(root):
            for at, one in enumerate(rows):
                loops += _of_loop(context, area, source, rows, at) if isinstance(one, ast.For) else ()
                limits += _of_limit(area, source, one) if isinstance(one, ast.If) else ()
                sorts += _of_sorted(area, source, rows, at)
    if any(context.repo.index.files_with("IndexError", "LookupError")):
        loops, sorts = ([*map(_of_no_items, found)] for found in (loops, sorts))
    found = _of_word(context.situation.instruction, loops or [*limits, *sorts])
    yield from build_together(context, found, "loop that keeps the largest or smallest")


def _of_no_items(one: Rewritten) -> Rewritten:
    """Some code handles the error of the first item of none."""
    doubt = "of no items it raises ValueError now, not IndexError"
    return one if "default=" in one.new else replace(one, doubts=(*one.doubts, doubt))


def _of_word(text: str, found: list[Rewritten]) -> list[Rewritten]:
    """Those with the one of `max` and `min` that is said; if there are none, all of them with a doubt."""
    said = set(re.findall(r"(?<!\w)(max|min)(?!\w)", text.lower()))
    other = "".join({"max", "min"} - said) if len(said) == 1 else ""
    fit = [one for one in found if not other or f"{other}(" not in _CALL.findall(one.new)[-1:]]
    return fit or [replace(one, doubts=(*one.doubts, f"only {other} fits there")) for one in found]


def _of_sorted(area: Area, source: Source, rows: list[ast.stmt], at: int) -> Iterator[Rewritten]:
    """`max(x, key=f)` for the last of `sorted(x, key=f)`, also where that is set to a name first."""
    one, following = rows[at], rows[at + 1] if at + 1 < len(rows) else None
    for node in find_nodes(one, ast.Subscript) if not isinstance(one, _COMPOUND) else ():
        if isinstance(node.value, ast.Call) and (new := _first_or_last(source, node, node.value)):
            yield Rewritten(area, node, *new)
    goal = one.targets[0] if isinstance(one, ast.Assign) and len(one.targets) == 1 else None
    given = following.value if isinstance(following, ast.Return) else None
    if (
        not isinstance(one, ast.Assign)
        or not isinstance(goal, ast.Name)
        or not isinstance(given, ast.Subscript)
    ):
        return
    made = one.value if ast.unparse(given.value) == goal.id else None
    if isinstance(made, ast.Call) and (new := _first_or_last(source, given, made)):
        assert following is not None
        yield Rewritten(area, one, f"return {new[0]}", new[1], last=following)


def _first_or_last(source: Source, node: ast.Subscript, made: ast.Call) -> tuple[str, tuple[str, ...]] | None:
    """The call of `max` or `min` that gives the first or last of what is sorted, and what may differ."""
    options = {one.arg: one for one in made.keywords}
    place = ast.unparse(node.slice)
    if ast.unparse(made.func) != "sorted" or len(made.args) != 1 or place not in ("0", "-1"):
        return None
    if not set(options) <= {"key", "reverse"}:
        return None
    down = "reverse" in options and ast.unparse(options["reverse"].value) == "True"
    if "reverse" in options and not down:
        return None
    key = [source.segment(options["key"])] if "key" in options else []
    word = "max" if (place == "-1") != down else "min"
    doubts = ("of equal ones the first is taken, not the last",) if place == "-1" else ()
    return f"{word}({', '.join([source.segment(made.args[0]), *key])})", doubts


def _alike(node: ast.expr, two: ast.expr) -> bool:
    """Whether two expressions read the same."""
    return ast.unparse(node) == ast.unparse(two)


def _of_limit(area: Area, source: Source, node: ast.If) -> Iterator[Rewritten]:
    """`if x > top: x = top` becomes `x = min(x, top)`."""
    one = node.body[0] if len(node.body) == 1 and not node.orelse else None
    test = node.test
    if not isinstance(one, ast.Assign) or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return
    goal, word = one.targets[0], _MOST.get(type(test.ops[0]))
    left, right = test.left, test.comparators[0]
    if word and _alike(left, goal) and _alike(right, one.value):
        yield Rewritten(
            area,
            node,
            f"{source.segment(goal)} = {_OTHER[word]}({source.segment(goal)}, {source.segment(right)})",
        )
    elif word and _alike(right, goal) and _alike(left, one.value):
        yield Rewritten(
            area, node, f"{source.segment(goal)} = {word}({source.segment(goal)}, {source.segment(left)})"
        )


@dataclass(frozen=True, eq=False)
class _Kept:
    """What a loop keeps: the name, `max` or `min`, and what is compared."""

    name: str
    word: str
    value: ast.expr
    key: ast.expr | None = None
    beside: str = ""
    """A second name that holds what is compared of the one that is kept."""


def _of_loop(
    context: Context, area: Area, source: Source, rows: list[ast.stmt], at: int
) -> Iterator[Rewritten]:
    loop = rows[at]
    assert isinstance(loop, ast.For)
    kept = _kept(loop)
    starts = _starts(rows[:at])
    if kept is None or loop.orelse or not is_meant(context, kept.name, source.segment(loop.iter)):
        return
    names = [kept.name, kept.beside] if kept.beside else [kept.name]
    if any(name not in starts for name in names) or any(set(starts[name][2]) - set(names) for name in names):
        return
    first = min((starts[name][0] for name in names), key=rows.index)
    inside = source.function_of(loop) or source.tree
    if kept.beside and not _alike(kept.value, loop.target):
        return
    between = [row for row in rows[rows.index(first) : at] if row not in [starts[name][0] for name in names]]
    later = [node for row in rows[at + 1 :] for node in find_nodes(row, ast.Name)]
    if inside is None or any(not isinstance(row, ast.Assign | ast.AnnAssign) for row in between):
        return
    if any(kept.name in names_in(row) for row in between) or kept.beside in {item.id for item in later}:
        return
    made, doubts = _call_of(source, loop, kept, starts[kept.name][1])
    if kept.beside:
        doubts = _beyond(source, starts[kept.beside][1])
    behind = rows[at + 1] if at + 1 < len(rows) else None
    value = behind.value if isinstance(behind, ast.Return) else None
    returned = isinstance(value, ast.Name) and value.id == kept.name
    lines = [source.segment(row) for row in between]
    lines.append(f"return {made}" if returned else f"{kept.name} = {made}")
    last = behind if returned else loop
    yield Rewritten(area, first, "\n".join(lines), doubts, last)


def _starts(rows: list[ast.stmt]) -> dict[str, tuple[ast.stmt, ast.expr, list[str]]]:
    """What names are set to, with the statement and all the names that it sets: `best, top = None, 0`."""
    out: dict[str, tuple[ast.stmt, ast.expr, list[str]]] = {}
    for row in rows:
        value = row.value if isinstance(row, ast.Assign | ast.AnnAssign) else None
        goal = row.targets[0] if isinstance(row, ast.Assign) and len(row.targets) == 1 else None
        if value is not None and (name := _goal(row)):
            out[name] = (row, value, [name])
        elif (
            isinstance(goal, ast.Tuple) and isinstance(value, ast.Tuple) and len(goal.elts) == len(value.elts)
        ):
            names = list(map(ast.unparse, goal.elts))
            out |= {name: (row, each, names) for name, each in zip(names, value.elts, strict=True)}
    return out


def _beyond(source: Source, start: ast.expr) -> tuple[str, ...]:
    """A doubt where a loop starts with a value, which was the least or largest that came out: not with None,
    nor with infinity."""
    none = isinstance(start, ast.Constant) and start.value is None
    infinite = any(_INFINITE.fullmatch(str(part)) for part in _words_of(start))
    return () if none or infinite else (f"values beyond {source.segment(start)} count now",)


def _words_of(node: ast.expr) -> list[object]:
    """The names and literals in an expression."""
    kept = (ast.Name, ast.Attribute, ast.Constant)
    return [
        next(getattr(one, name) for name in ("id", "attr", "value") if hasattr(one, name))
        for one in ast.walk(node)
        if isinstance(one, kept)
    ]


def _kept(loop: ast.For) -> _Kept | None:
    """What a loop keeps whose only statement is an `if` that does so."""
    body = loop.body
    choice = body[0] if len(body) == 1 else None
    if not isinstance(choice, ast.If) or choice.orelse:
        return None
    set_there = _starts(choice.body)
    sets: dict[str, ast.expr | None] = {name: value for name, (_, value, _) in set_there.items()}
    if {one for one, _, _ in set_there.values()} != set(choice.body) or not 0 < len(sets) <= 2:
        return None
    asked = choice.test
    if isinstance(asked, ast.BoolOp) and isinstance(asked.op, ast.Or) and len(asked.values) == 2:
        none = asked.values[0]
        unset = (
            isinstance(none, ast.Compare)
            and isinstance(none.ops[0], ast.Is)
            and ast.unparse(none.left) in sets
        )
        asked = asked.values[1] if unset else asked
    if not isinstance(asked, ast.Compare) or len(asked.ops) != 1 or type(asked.ops[0]) not in _MOST:
        return None
    word = _MOST[type(asked.ops[0])]
    for new, old, kind in (
        (asked.left, asked.comparators[0], word),
        (asked.comparators[0], asked.left, _OTHER[word]),
    ):
        made = _matched(sets, new, old, loop.target)
        if made is not None:
            return _Kept(made[0], kind, made[1], made[2], made[3])
    return None


def _matched(
    sets: dict[str, ast.expr | None], new: ast.expr, old: ast.expr, target: ast.expr
) -> tuple[str, ast.expr, ast.expr | None, str] | None:
    """The name that is kept, its value, the key by which it is compared, and the name of the key."""
    if isinstance(old, ast.Name) and old.id in sets:
        value = sets[old.id]
        if value is None or not is_same_tree(value, new):
            return None
        rest = [item for item in sets if item != old.id]
        if not rest:
            return old.id, new, None, ""
        other = sets[rest[0]]
        whole = other is not None and (
            _alike(other, target) or _alike(other, getattr(target, "elts", [new])[0])
        )
        return (rest[0], other, new, old.id) if other is not None and whole else None
    for name, value in sets.items():
        if len(sets) == 1 and value is not None and _alike(value, target) and isinstance(target, ast.Name):
            swapped = ast.unparse(
                _Renamed(target.id, name).visit(ast.parse(ast.unparse(new), mode="eval").body)
            )
            if swapped == ast.unparse(old) and swapped != ast.unparse(new):
                return name, target, new, ""
    return None


class _Renamed(ast.NodeTransformer):
    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.new if node.id == self.old else node.id, node.ctx)


def _call_of(source: Source, loop: ast.For, kept: _Kept, start: ast.expr) -> tuple[str, tuple[str, ...]]:
    """The call of `max` or `min`, with the start value as its default."""
    goal, items = source.segment(loop.target), source.segment(loop.iter)
    whole = source.segment(start.value) if isinstance(start, ast.Subscript) else ""
    first = isinstance(start, ast.Subscript) and ast.unparse(start.slice) == "0"
    among = first and items in (whole, f"{whole}[1:]")
    items = whole if among else items
    default = "" if among else f", default={source.segment(start)}"
    doubts = () if among else _beyond(source, start)
    plain = _alike(kept.value, loop.target)
    made = (
        items
        if plain or kept.key is not None
        else f"{source.segment(kept.value) if not plain else goal} for {goal} in {items}"
    )
    made = f"({made})" if made != items and (default or kept.key is not None) else made
    if kept.key is None:
        return f"{kept.word}({made}{default})", doubts
    return f"{kept.word}({made}, key=lambda {goal}: {source.segment(kept.key)}{default})", doubts


def _goal(node: ast.stmt) -> str:
    """The one name that a statement sets to a value."""
    goals = targets(node) if isinstance(node, ast.Assign | ast.AnnAssign) else []
    return goals[0].id if len(goals) == 1 and isinstance(goals[0], ast.Name) else ""
