"""Calls that count with `collections.Counter` in place of a dictionary that is counted up by hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.builders.collections.default_dicts import dictionaries, spelled, uses_of
from spark_tui.intent.building.building import Built, builder
from spark_tui.intent.building.rewritten import Rewritten, is_meant, suites, together
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import names_in, walk

_STARTS = ("{}", "dict()", "defaultdict(int)", "collections.defaultdict(int)")


@builder("pattern.counter")
def counter(context: Context) -> Iterator[Built]:
    found: list[Rewritten] = []
    for area, source, root in context.trees():
        for goal, value in dictionaries(source, root, _STARTS):
            shown = ast.unparse(goal)
            if not is_meant(context, shown, shown.rpartition(".")[2]):
                continue
            inside = source.class_of(source.function_of(goal) or goal) if "." in shown else None
            scope = inside or source.function_of(goal) or root
            uses = [one for one in uses_of(source, scope, shown) if one.start == "0"]
            plain = [one for one in walk(scope) if _is_raised(one, shown)]
            if not uses and not (plain and "defaultdict" in ast.unparse(value)):
                continue
            name = spelled(context, area, "Counter")
            by_one = all(one.new.endswith("+= 1") or not one.new for one in uses)
            if not by_one and not context.has("variable"):
                continue
            whole = _whole(source, goal, value, shown, name)
            if whole is not None:
                found += [Rewritten(area, *each) for each in whole]
                continue
            found.append(Rewritten(area, value, f"{name}()"))
            found += [Rewritten(area, one.node, one.new) for one in uses]
    yield from together(context, found, "dictionary that is counted up")


def _is_raised(node: ast.AST, name: str) -> bool:
    """Whether a statement counts an entry up."""
    goal = node.target if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) else None
    return isinstance(goal, ast.Subscript) and ast.unparse(goal.value) == name


def _whole(
    source: Source, goal: ast.expr, value: ast.expr, name: str, counter_name: str
) -> list[tuple[ast.expr | ast.stmt, str]] | None:
    """The assignment and the loop behind it as one `Counter(…)`, where the loop does nothing but count; where
    it is returned right away, the return."""
    statement = source.statement(value)
    suite = next((rows for rows in suites(source.tree or value) if statement in rows), [])
    at = suite.index(statement) if statement in suite else len(suite)
    loop = suite[at + 1] if at + 1 < len(suite) else None
    if not isinstance(loop, ast.For) or loop.orelse or not isinstance(statement, ast.Assign):
        return None
    counted = _counted(source, loop, name)
    if counted is None:
        return None
    item, conditions = counted
    target, over = source.segment(loop.target), source.segment(loop.iter)
    direct = item == target and not conditions
    code = f"{counter_name}({over if direct else f'{item} for {target} in {over}{conditions}'})"
    behind = suite[at + 2] if at + 2 < len(suite) else None
    function = source.function_of(goal)
    others = [
        one
        for one in walk(function or source.tree or loop)
        if isinstance(one, ast.Name) and one.id == name and one.lineno > (loop.end_lineno or 0)
    ]
    if (
        isinstance(behind, ast.Return)
        and behind.value is not None
        and ast.unparse(behind.value) == name
        and len(others) == 1
    ):
        return [(statement, ""), (loop, ""), (behind, f"return {code}")]
    return [(value, code), (loop, "")]


def _counted(source: Source, loop: ast.For, name: str) -> tuple[str, str] | None:
    """What a loop counts by one, and under which conditions; None where it does more."""
    body, conditions = loop.body, ""
    while len(body) == 1 and isinstance(body[0], ast.If) and not body[0].orelse:
        test = body[0].test
        if name in names_in(test):
            break
        conditions += f" if {source.segment(test)}"
        body = body[0].body
    inner = ast.Module(body, [])
    uses = [one for one in uses_of(source, inner, name) if one.start == "0"]
    codes = [one.new for one in uses if one.new]
    covered = {id(one.node) for one in uses}
    rest = [one for one in body if id(one) not in covered]
    if len(rest) == 1 and _is_raised(rest[0], name):
        codes.append(source.segment(rest[0]))
        rest = []
    if rest or len(codes) != 1 or not codes[0].endswith("+= 1"):
        return None
    tree = ast.parse(codes[0]).body[0]
    if not isinstance(tree, ast.AugAssign) or not isinstance(tree.target, ast.Subscript):
        return None
    low, high = codes[0].index("[") + 1, codes[0].rindex("]")
    return codes[0][low:high], conditions
