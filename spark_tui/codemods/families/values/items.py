"""Items of list, tuple, set and dictionary displays."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.displays import add_item, find_displays, find_item, list_entries, remove_item
from spark_tui.codemods.places.named import find_region, need_one
from spark_tui.codemods.plan import Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    is_same_tree,
    names_in,
    read_expression,
    refuse_lost_comments,
    swap_expression,
)
from spark_tui.codemods.slots import Expression, Place
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import walk

_ROWS = (ast.List, ast.Tuple, ast.Set)
_FEWEST_IN_ORDER = 4
"""How many items, with a new one, have an order that is meant."""


@codemod
class AddItem:
    """Add an item to the end of a list, tuple or set display."""

    place: Place = slot("where: shop/cart.py:12-20, `in shop/cart.py`")
    value: Expression = slot("the new item")
    target: Expression = slot("what it is set to, if there are several there", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        wanted = read_expression(self.value)
        node = need_one(find_displays(within, self.target, _ROWS), "list, tuple or set", within)
        assert isinstance(node, _ROWS)
        if any(is_same_tree(wanted, element) for element in node.elts):
            raise Refusal(f"{self.value} is already in it", why="nothing")
        unpacks = any(isinstance(element, ast.Starred) for element in node.elts[-1:])
        if unpacks and not isinstance(node, ast.Set):
            raise Refusal("its last item unpacks another collection")
        doubts = _length_doubts(within.source, node)
        kinds = {type(one.value) if isinstance(one, ast.Constant) else None for one in (*node.elts, wanted)}
        if len(kinds) == 2 and None not in kinds and within.source.function_of(node) is not None:
            reason = f"{self.value} is of another type than the other items"
            doubts.append(Unfollowed(within.source.path, node.lineno, reason))
        if not isinstance(node, ast.Set) and _breaks_order([*node.elts, wanted]):
            reason = f"the items are in order, and {self.value} is at the end"
            doubts.append(Unfollowed(within.source.path, node.lineno, reason))
        doubts += _place_doubts(within.source, node, len(node.elts), added=True)
        edit = add_item(within.source, node, self.value.strip())
        return planned_change(repo, [edit], doubts, given=names_in(self.value))


@codemod
class RemoveItem:
    """Remove an item of a list, tuple or set display, or an entry of a dictionary display."""

    place: Place = slot("where: shop/cart.py:12-20, `in shop/cart.py`")
    value: Expression = slot("the item, or the key")
    target: Expression = slot("what it is set to, if there are several there", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        wanted = read_expression(self.value)
        node = need_one(find_displays(within, self.target, (*_ROWS, ast.Dict)), "collection", within)
        if isinstance(node, ast.Set) and len(node.elts) == 1:
            raise Refusal("an empty set has no literal")
        doubts = _length_doubts(source, node) if isinstance(node, _ROWS) else []
        if isinstance(node, ast.List | ast.Tuple):
            doubts += _place_doubts(source, node, find_item(node, wanted), added=False)
        edit = remove_item(source, node, find_item(node, wanted))
        if "\n" in source.text[edit.start : edit.end].rstrip("\r\n"):
            refuse_lost_comments(source, [edit])
        return planned_change(repo, [edit], doubts)


def _breaks_order(elements: list[ast.expr]) -> bool:
    """Whether the last item does not go on with the order of the numbers, or tuples that begin with them."""
    firsts = [one.elts[0] if isinstance(one, ast.Tuple) and one.elts else one for one in elements]
    values = [one.value if isinstance(one, ast.Constant) else None for one in firsts]
    numbers = [one for one in values if isinstance(one, int | float) and not isinstance(one, bool)]
    if len(numbers) != len(elements) or len(numbers) < _FEWEST_IN_ORDER:
        return False
    rises = [two > one for one, two in pairwise(numbers)]
    return len({*numbers}) == len(numbers) and len({*rises[:-1]}) == 1 and rises[-1] is not rises[0]


def _length_doubts(source: Source, node: ast.List | ast.Tuple | ast.Set) -> list[Unfollowed]:
    """Where somebody counts on the number of items: refuses where they are given to names or fill a text."""
    outer, line = source.parents.get(node), f"line {node.lineno}"
    targets = outer.targets if isinstance(outer, ast.Assign) else []
    if any(isinstance(target, ast.Tuple | ast.List) for target in targets):
        raise Refusal(f"{line}: each item is given to a name")
    if isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Mod) and outer.right is node:
        raise Refusal(f"{line}: the items fill the places of a text")
    if isinstance(node, ast.Tuple) and isinstance(outer, ast.Return | ast.Yield):
        return [Unfollowed(source.path, node.lineno, "who takes the result apart gets other items")]
    rows = outer.values if isinstance(outer, ast.Dict) else getattr(outer, "elts", [])
    others = [row for row in rows if isinstance(row, ast.Tuple | ast.List) and row is not node]
    if others and all(len(other.elts) == len(node.elts) for other in others):
        reason = f"the others beside it have {len(node.elts)} items"
        return [Unfollowed(source.path, node.lineno, reason)]
    return []


def _place_doubts(
    source: Source, node: ast.List | ast.Tuple | ast.Set, at: int, *, added: bool
) -> Iterator[Unfollowed]:
    """Doubts where another item is read by its place in the file: one behind that which goes, or one that is
    counted from the end."""
    outer = source.parents.get(node)
    names = {*map(ast.unparse, targets(outer))} if isinstance(outer, ast.Assign | ast.AnnAssign) else set()
    for one in walk(source.tree) if names else ():
        if isinstance(one, ast.Subscript) and ast.unparse(one.value) in names:
            match one.slice:
                case ast.Constant(int(index)) if index >= at and not added:
                    pass
                case ast.UnaryOp(ast.USub(), ast.Constant(int(index))) if (
                    added or len(node.elts) - index <= at
                ):
                    pass
                case _:
                    continue
            yield Unfollowed(source.path, one.lineno, f"{ast.unparse(one)} is another item now")


@codemod
class SetEntry:
    """Set the entry of a dictionary display; a new key is added at the end."""

    place: Place = slot("where: shop/cart.py:12-20, `in shop/cart.py`")
    key: Expression = slot("the key")
    value: Expression = slot("its value")
    target: Expression = slot("what it is set to, if there are several there", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        wanted = read_expression(self.key)
        read_expression(self.value)
        node = need_one(find_displays(within, self.target, (ast.Dict,)), "dictionary", within)
        assert isinstance(node, ast.Dict)
        given = names_in(self.key, self.value)
        for one, value in list_entries(node):
            if is_same_tree(wanted, one):
                return planned_change(repo, [swap_expression(within.source, value, self.value)], given=given)
        edit = add_item(within.source, node, f"{self.key.strip()}: {self.value.strip()}")
        return planned_change(repo, [edit], given=given)
