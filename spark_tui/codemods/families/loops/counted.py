"""Loops that count by hand or go through an index, turned into `enumerate` or into loops over the items."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.loops.held_items import is_dictionary, runs_at_once
from spark_tui.codemods.families.loops.lookups import LookedUp, find_lookups, replace_head, rewrite_lookups
from spark_tui.codemods.places.named import delete_statements, find_region, need_one
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_lost_comments, refuse_taken_builtin
from spark_tui.codemods.slots import NewName, Place
from spark_tui.pysource.names.type_hints import names_set, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk, walk_each


@codemod
class LoopEnumerate:
    """Use `enumerate` if a loop counts by hand or looks up its items by index."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the line of the loop")
    name: NewName = slot("a name for the items, if the loop has none", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        loops = [item for item in within.heads(ast.For) if _counter(source, item) or find_range_subject(item)]
        node = need_one(loops, "loop that counts", within)
        refuse_taken_builtin(repo, source, node, "enumerate")
        if not find_range_subject(node):
            _only_counts(repo, source, node)
            return plan_edits(repo, list(_counted(source, node)))
        assert isinstance(node.target, ast.Name)
        held, found = _indexed(repo, source, node, self.name)
        head = replace_head(source, node, f"{node.target.id}, {found.name} in enumerate({held})")
        return plan_edits(repo, [head, *found.edits], found.doubts)


@codemod
class LoopDirectly:
    """Iterate over a list directly if the loop's index only looks up its items."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the line of the loop")
    name: NewName = slot("a name for the items, if the loop has none", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        loops = [head for head in within.heads(ast.For) if find_range_subject(head)]
        node = need_one(loops, "loop over an index", within)
        assert isinstance(node.target, ast.Name)
        index = node.target.id
        if _reads(source, node, index) != len(find_lookups(node, find_range_subject(node), index)):
            raise Refusal(f"line {node.lineno}: {index} is used for something else too")
        held, found = _indexed(repo, source, node, self.name)
        head = replace_head(source, node, f"{found.name} in {held}")
        return plan_edits(repo, [head, *found.edits], found.doubts)


def _indexed(repo: Repository, source: Source, node: ast.For, text: str) -> tuple[str, LookedUp]:
    """What `for i in range(len(xs))` goes through, and its items `xs[i]` under a name."""
    held = find_range_subject(node)
    if is_dictionary(source, node, held):
        raise Refusal(f"line {node.lineno}: {held} is a dictionary: going through it gives its keys")
    found = rewrite_lookups(repo, source, node, held, text)
    if found.made_up:
        found.doubts.append(Unfollowed(source.path, node.lineno, f"the name {found.name} was made up"))
    return held, found


def find_range_subject(node: ast.For) -> str:
    """What a loop over `range(len(xs))` looks its items up in."""
    text = ast.unparse(node.iter)
    if not isinstance(node.target, ast.Name) or not text.startswith("range(len(") or not text.endswith("))"):
        return ""
    held = text.removeprefix("range(len(").removesuffix("))")
    if node.target.id in names_set(*node.body):
        return ""
    return held if find_lookups(node, held, node.target.id) else ""


def _only_counts(repo: Repository, source: Source, node: ast.For) -> None:
    """Refuse where a function or another file reads what a loop counts while it runs or afterwards."""
    found = _counter(source, node)
    assert found is not None
    scopes = repo.index.scopes(source.path)
    variable = scopes.resolve(scopes.by_node[found[0].targets[0]])
    refused = f"line {node.lineno}: {variable.name} is used elsewhere too"
    inside = set(ast.walk(node))
    outside = [one for one in variable.occurrences if one.node not in inside]
    if any(one.scope is not variable.scope for one in outside):
        raise Refusal(refused)
    if variable.scope is scopes.module:
        importers = repo.index.importers(source.path)
        read = any(variable.name in repo.index.summary(path).words for path in importers)
        if read or any(one.node is not found[0].targets[0] for one in outside):
            raise Refusal(refused)


def _counter(source: Source, node: ast.For) -> tuple[ast.Assign, ast.stmt, str] | None:
    """The statements that begin to count in front of a loop, or of a `with` around it, and that count in it;
    and the name that counts."""
    for stmt in node.body:
        name = _stepped(stmt)
        for earlier in _in_front(source, node) if name else ():
            if isinstance(earlier, ast.Assign) and ast.unparse(earlier.targets[0]) == name:
                number = isinstance(earlier.value, ast.Constant) and type(earlier.value.value) is int
                return (earlier, stmt, name) if number and len(earlier.targets) == 1 else None
            if name in names_within(earlier):
                break
    return None


def _stepped(node: ast.stmt) -> str:
    """The name that a statement counts up by one."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
        return node.target.id if ast.unparse(node.value) == "1" else ""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name):
        return ""
    return target.id if ast.unparse(node.value) == f"{target.id} + 1" else ""


def _in_front(source: Source, node: ast.stmt) -> Iterator[ast.stmt]:
    """The statements in front of one, the nearest first, and those in front of a `with` around it."""
    suite = source.suite(node)
    yield from reversed(suite[: suite.index(node)])
    outer = source.parents.get(node)
    if isinstance(outer, ast.With):
        yield from _in_front(source, outer)


def _counted(source: Source, node: ast.For) -> Iterator[Edit]:
    """The edits of a loop that counts by hand."""
    found = _counter(source, node)
    assert found is not None
    begin, step, name = found
    assert isinstance(begin.value, ast.Constant)
    line, steps = f"line {node.lineno}", set(ast.walk(step))
    at = node.body.index(step)
    first = at == 0
    if len(node.body) == 1:
        raise Refusal(f"{line}: the loop does nothing but count")
    if not first and any(name in names_within(stmt) for stmt in node.body[at + 1 :]):
        raise Refusal(f"{line}: {name} is used after where it is counted")
    if not first and any(isinstance(inner, ast.Continue) for inner in ast.walk(node)):
        raise Refusal(f"{line}: continue leaves the counting out")
    inside = set(walk_each(node.body))
    rounds = [one for one in source.ancestors(node) if isinstance(one, ast.For | ast.AsyncFor | ast.While)]
    again = set(walk_each(rounds))
    for item in walk(source.function_of(node) or source.tree):
        if not isinstance(item, ast.Name) or item.id != name:
            continue
        if item in inside and isinstance(item.ctx, ast.Store) and item not in steps:
            raise Refusal(f"{line}: the loop sets {name} elsewhere")
        if not isinstance(item.ctx, ast.Load) or item in steps:
            continue
        if item not in inside and (item.lineno > node.lineno or item in again):
            raise Refusal(f"{line}: {name} is used after the loop")
        if item in inside and not runs_at_once(source, item):
            raise Refusal(f"{line}: a function may read {name} later")
    start = ast.literal_eval(begin.value) + int(first)
    target = source.segment(node.target)
    if isinstance(node.target, ast.Tuple) and not target.startswith("("):
        target = f"({target})"
    items = source.segment(node.iter)
    if isinstance(node.iter, ast.Tuple) and not items.startswith("("):
        items = f"({items})"
    more = f", {start}" if start else ""
    gone = [delete_statements(source, [begin]), delete_statements(source, [step])]
    refuse_lost_comments(source, gone)
    yield from gone
    yield replace_head(source, node, f"{name}, {target} in enumerate({items}{more})")


def _reads(source: Source, node: ast.For, index: str) -> int:
    """How often the index of a loop is read in it, and after it where no other loop sets it."""
    inside = set(ast.walk(node))
    count = 0
    for inner in walk(source.function_of(node) or source.tree):
        if not isinstance(inner, ast.Name) or inner.id != index or not isinstance(inner.ctx, ast.Load):
            continue
        loops = (one for one in source.ancestors(inner) if isinstance(one, ast.For | ast.comprehension))
        set_again = any(ast.unparse(loop.target) == index for loop in loops)
        count += inner in inside or (inner.lineno > node.lineno and not set_again)
    return count
