"""Loops over an index that only looks items up, turned into loops over the items themselves."""

from __future__ import annotations

import ast

from spark_tui.codemods.families.loops.counted import is_dictionary, over
from spark_tui.codemods.families.loops.lookups import (
    is_changed,
    item_name,
    late_lookups,
    lookups,
    loops_of,
    rewritten,
)
from spark_tui.codemods.places.named import only, region
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import planned
from spark_tui.codemods.slots import NewName, Place
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


@codemod
class LoopDirectly:
    """Iterate over a list directly if the loop's index only looks up its items."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the line of the loop")
    name: NewName = slot("a name for the items, if the loop has none", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        within = region(repo, self.place)
        source = within.source
        node = only([one for one in loops_of(within) if over(one)], "loop over an index", within)
        assert isinstance(node.target, ast.Name)
        index, held, line = node.target.id, over(node), f"line {node.lineno}"
        uses = lookups(node, held, index)
        if _reads(source, node, index) != len(uses):
            raise Refusal(f"{line}: {index} is used for something else too")
        if is_dictionary(source, node, held):
            raise Refusal(f"{line}: {held} is a dictionary: going through it gives its keys")
        if is_changed(node, held, uses):
            raise Refusal(f"{line}: the loop changes {held}")
        name, gone = item_name(source, node, held, uses)
        if gone is None and self.name:
            name = str(self.name)
        low, high = source.span(node.target)[0], source.span(node.iter)[1]
        head = Edit(source.path, low, high, f"{name} in {held}")
        doubts = list(late_lookups(source, node, held, uses))
        if gone is None and not self.name:
            doubts.append(Unfollowed(source.path, node.lineno, f"the name {name} was made up"))
        return planned(repo, [head, *rewritten(source, uses, name, gone)], doubts)


def _reads(source: Source, node: ast.For, index: str) -> int:
    """How often the index of a loop is read in it, and behind it where no other loop sets it."""
    own = source.function_of(node) or source.tree or node
    inside = set(ast.walk(node))
    count = 0
    for one in ast.walk(own):
        if not isinstance(one, ast.Name) or one.id != index or not isinstance(one.ctx, ast.Load):
            continue
        loops = (each for each in source.ancestors(one) if isinstance(each, ast.For | ast.comprehension))
        set_again = any(ast.unparse(each.target) == index for each in loops)
        count += one in inside or (one.lineno > node.lineno and not set_again)
    return count
