"""Loops over what an index or key only looks up: `items()` and `zip`."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.codemods.checks.value_kinds import ValueKind, value_kind
from spark_tui.codemods.families.loops.equal_lengths import are_equally_long
from spark_tui.codemods.families.loops.held_items import change_doubts, is_dictionary, refuse_changes
from spark_tui.codemods.places.named import find_region, need_one
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_taken_builtin
from spark_tui.codemods.slots import Place
from spark_tui.pysource.inference.values import InstanceValue
from spark_tui.pysource.names.type_hints import names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk, walk_each

_ENDINGS = (("ies", "y"), ("ses", "s"), ("s", ""))


def find_lookups(node: ast.For, held: str, by: str) -> list[ast.Subscript]:
    """The places in a loop's body where what is held is looked up by the loop's variable."""
    return [inner for inner in _list_subscripts(node, by) if ast.unparse(inner.value) == held]


def _list_subscripts(node: ast.For, by: str) -> list[ast.Subscript]:
    """The places in a loop's body where something is looked up by the loop's variable."""
    inside = (inner for inner in walk_each(node.body) if isinstance(inner, ast.Subscript))
    return [inner for inner in inside if isinstance(inner.slice, ast.Name) and inner.slice.id == by]


def _item_name(
    source: Source, node: ast.For, held: str, places: list[ast.Subscript]
) -> tuple[str, ast.stmt | None]:
    """A name for what is looked up: the one that the first statement gives it, or one made of `held`."""
    first = node.body[0]
    if isinstance(first, ast.Assign) and first.value in places and len(node.body) > 1:
        goal = first.targets[0]
        if len(first.targets) == 1 and isinstance(goal, ast.Name):
            return goal.id, first
    used = names_within(source.function_of(node) or source.tree or node)
    last = (re.findall(r"[^\W\d]\w*", held) or [""])[-1].lower()
    single = next((last.removesuffix(end) + new for end, new in _ENDINGS if last.endswith(end)), "")
    for name in (single, "value", f"{last}_value", f"one_{last}"):
        free = name not in used and not hasattr(builtins, name) and not keyword.iskeyword(name)
        if name and name.isidentifier() and free:
            return name, None
    raise Refusal(f"line {node.lineno}: there is no free name for the items of {held}")


@dataclass
class LookedUp:
    """What a loop looks up by its index or key: a name for it, and the edits that use that."""

    name: str
    edits: list[Edit]
    doubts: list[Unfollowed]
    made_up: bool
    """Whether nobody said the name."""


def rewrite_lookups(
    repo: Repository, source: Source, node: ast.For, held: str, text: str = "", *, row: bool = True
) -> LookedUp:
    """The lookups in what a loop holds, rewritten to a name: that of its first statement, or what is said."""
    assert isinstance(node.target, ast.Name)
    places = find_lookups(node, held, node.target.id)
    refuse_changes(source, node, held, places)
    name, gone = _item_name(source, node, held, places)
    if gone is None and text:
        name = text
        if _is_taken(source, node, name):
            raise Refusal(f"line {node.lineno}: {name} is used there already")
    edits = list(_rewritten(source, places, name, gone))
    doubts = list(change_doubts(source, repo.index.scopes(source.path), node, places, row=row))
    return LookedUp(name, edits, doubts, made_up=gone is None and not text)


def _is_taken(source: Source, node: ast.For, name: str) -> bool:
    """Whether a name is used in a loop, or read outside of it where no other loop sets it."""
    inside = set(walk_each(node.body))
    for item in walk(source.function_of(node) or source.tree):
        if not isinstance(item, ast.Name) or item.id != name:
            continue
        if item in inside:
            return True
        loops = (one for one in source.ancestors(item) if isinstance(one, ast.For | ast.comprehension))
        if isinstance(item.ctx, ast.Load) and all(name not in names_within(one.target) for one in loops):
            return True
    return False


def replace_head(source: Source, node: ast.For, text: str) -> Edit:
    """The head of a loop with another target and iterable."""
    return Edit(source.path, source.span(node.target)[0], source.span(node.iter)[1], text)


def _rewritten(
    source: Source, places: list[ast.Subscript], name: str, gone: ast.stmt | None
) -> Iterator[Edit]:
    """The edits that use a name for what is looked up."""
    if gone is not None:
        yield Edit(source.path, *source.line_span(source.first_line(gone), source.last_line(gone)), "")
    inside = set(ast.walk(gone)) if gone is not None else set()
    for place in places:
        if place not in inside:
            if source.span(place)[0] < 0:
                raise Refusal(f"line {place.lineno}: the place inside a string cannot be edited exactly")
            yield Edit(source.path, *source.span(place), name)


def _own_items(repo: Repository, source: Source, loop: ast.For, held: ast.expr) -> Iterator[Unfollowed]:
    """A doubt where what is looked up is an object of a class of the repository, with `items` of its own.
    Refuses what is no dictionary."""
    scope = repo.index.scopes(source.path).scope_at[loop]
    kind = value_kind(repo, source.path, held, scope)
    if kind in (ValueKind.LIST, ValueKind.TUPLE, ValueKind.TEXT):
        raise Refusal(f"line {loop.lineno}: {ast.unparse(held)} is {kind.value}, which has no items()")
    for value in repo.infer.values(source.path, held, scope):
        if isinstance(value, InstanceValue):
            reason = f"{ast.unparse(held)} is a {value.of.node.name}, whose items() may be something else"
            yield Unfollowed(source.path, held.lineno, reason)


@codemod
class LoopItems:
    """Iterate over the items of a dictionary if each key is only looked up in it."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the line of the loop")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        loops = [item for item in within.heads(ast.For) if self._held(item)]
        node = need_one(loops, "loop that looks its keys up", within)
        assert isinstance(node.target, ast.Name)
        held = self._held(node)
        held_node = find_lookups(node, held, node.target.id)[0].value
        found = rewrite_lookups(repo, source, node, held, row=False)
        head = replace_head(source, node, f"{node.target.id}, {found.name} in {held}.items()")
        doubts = [*_own_items(repo, source, node, held_node), *found.doubts]
        return plan_edits(repo, [head, *found.edits], doubts)

    def _held(self, node: ast.For) -> str:
        """The dictionary that a loop goes through and looks its keys up in."""
        held = node.iter
        if isinstance(held, ast.Call) and isinstance(held.func, ast.Attribute) and held.func.attr == "keys":
            held = held.func.value
        if not isinstance(held, ast.Name | ast.Attribute) or not isinstance(node.target, ast.Name):
            return ""
        text = ast.unparse(held)
        return text if find_lookups(node, text, node.target.id) else ""


@codemod
class LoopZip:
    """Iterate over two sequences with `zip` if an index only looks up both."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the line of the loop")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        node = need_one(
            [item for item in within.heads(ast.For) if self._pair(item)], "loop over the index of two", within
        )
        refuse_taken_builtin(repo, source, node, "zip")
        pair = self._pair(node)
        assert pair is not None
        if mapped := next((held for held in pair if is_dictionary(source, node, held)), ""):
            raise Refusal(f"line {node.lineno}: {mapped} is a dictionary: going through it gives its keys")
        one, two = (rewrite_lookups(repo, source, node, held) for held in pair)
        if one.name == two.name:
            raise Refusal(f"line {node.lineno}: both items would be called {one.name}")
        head = replace_head(source, node, f"{one.name}, {two.name} in zip({pair[0]}, {pair[1]})")
        doubts = [*one.doubts, *two.doubts, *self._uneven(source, node, pair)]
        return plan_edits(repo, [head, *one.edits, *two.edits], doubts)

    def _uneven(self, source: Source, node: ast.For, pair: tuple[str, str]) -> Iterator[Unfollowed]:
        """That `zip` ends with the shorter one, where the index failed."""
        over = ast.unparse(node.iter).removeprefix("range(len(").removesuffix("))")
        other = pair[0] if over == pair[1] else pair[1]
        if not are_equally_long(source, node, *pair):
            reason = f"if {other} is shorter than {over}, this ends with it, and not with an IndexError"
            yield Unfollowed(source.path, node.lineno, reason)

    def _pair(self, node: ast.For) -> tuple[str, str] | None:
        """The two sequences that a loop over `range(len(a))` only looks up by its index."""
        if not isinstance(node.target, ast.Name) or not ast.unparse(node.iter).startswith("range(len("):
            return None
        index = node.target.id
        held = [ast.unparse(inner.value) for inner in _list_subscripts(node, index)]
        named = [inner.id for inner in walk_each(node.body) if isinstance(inner, ast.Name)]
        pair = list(dict.fromkeys(held))
        over = ast.unparse(node.iter).removeprefix("range(len(").removesuffix("))")
        if len(pair) != 2 or named.count(index) != len(held) or over not in pair:
            return None
        return (pair[0], pair[1])
