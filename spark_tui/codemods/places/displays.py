"""Lists, tuples, sets and dictionaries that stand in the code: what they are called, their items, and whether
code only reads them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from spark_tui.codemods.places.named import Region
from spark_tui.codemods.plan import Edit, Refusal
from spark_tui.codemods.rewriting.edits import convert_line_endings, is_same_tree, read_expression
from spark_tui.pysource.calls.brackets import items_of
from spark_tui.pysource.names.scopes import ScopeKind
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source, Span
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.words import word_set

D = TypeVar("D", bound=ast.expr)
_READING_METHODS = word_set("choice choices sample join")
_READING = _READING_METHODS | word_set(
    "len sorted min max sum any all enumerate zip reversed list tuple set frozenset dict isinstance"
)
"""Functions that leave what they are given as it is, and give nothing back that is it."""
_ASKING = word_set("get items keys values index count copy isdisjoint issubset issuperset union intersection")


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a display, and the offsets between which they stand."""

    open: int
    close: int
    items: tuple[Span, ...]
    comma: bool
    """Whether the last item has a trailing comma."""


def names_of_value(source: Source, node: ast.AST) -> list[str]:
    """What an expression is set to, passed as, compared with, or gone through by; a list, tuple or set also
    what is set to a value in which it is the only one: `NIX = any(CUR.startswith(i) for i in ["linux"])`."""
    out = [*_set_around(source, node)]
    outer: ast.AST | None = source.parents.get(node)
    if isinstance(outer, ast.Call) and node in outer.args:
        out.append(ast.unparse(outer.func).rpartition(".")[2])
        node = outer
        outer = source.parents.get(node)
    if isinstance(outer, ast.Assign):
        out += [ast.unparse(target) for target in outer.targets]
    elif isinstance(outer, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
        out.append(ast.unparse(outer.target))
    elif isinstance(outer, ast.keyword) and outer.arg:
        out.append(outer.arg)
    elif isinstance(outer, ast.Dict):
        names = [one for one, value in zip(outer.keys, outer.values, strict=True) if value is node]
        out += [str(name.value) for name in names if isinstance(name, ast.Constant)]
    elif isinstance(outer, ast.Compare):
        out += [ast.unparse(item) for item in (outer.left, *outer.comparators) if item is not node]
    elif isinstance(outer, ast.For):
        out.append(ast.unparse(outer.target))
    return [text.removeprefix("self.") for text in out]


def _set_around(source: Source, node: ast.AST) -> Iterator[str]:
    """What is set to the value that holds a list, tuple or set, and no other."""
    statement = source.statement(node) if isinstance(node, ast.List | ast.Tuple | ast.Set) else None
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    if value is not None and value is not node:
        rows = (one for one in ast.walk(value) if isinstance(one, ast.List | ast.Tuple | ast.Set))
        if next(rows, None) is node and next(rows, None) is None:
            yield from map(ast.unparse, targets(statement))


def find_displays(within: Region, target: str, kinds: tuple[type[D], ...]) -> list[D]:
    """The displays of a region that are set to a name or are written so; without a target the outermost."""
    source = within.source
    found = [node for node in within.nodes(ast.expr) if isinstance(node, kinds)]
    found = [node for node in found if not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)]
    if target:
        named = [node for node in found if target.removeprefix("self.") in names_of_value(source, node)]
        if not named:
            wanted = read_expression(target)
            named = [node for node in found if is_same_tree(wanted, node)]
        return named
    inner = {part for node in found for part in ast.walk(node) if part is not node}
    return [node for node in found if node not in inner]


def read_items(source: Source, node: ast.AST) -> Items:
    """The items of a display by its tokens, a pair of a dictionary as one."""
    low, high = source.span(node)
    bare = isinstance(node, ast.Tuple) and not _is_bracketed(source, node)
    low, high = (low, high) if bare else (low + 1, high - 1)
    inside = (token for token in source.tokens if low <= token.span[0] and token.span[1] <= high)
    spans, comma, _ = items_of(inside)
    return Items(low, high, spans, comma)


def _is_bracketed(source: Source, node: ast.Tuple) -> bool:
    """Whether a tuple has brackets of its own: its place then begins in front of its first item's."""
    text = source.segment(node)
    return text.startswith("(") and (not node.elts or source.span(node.elts[0])[0] > source.span(node)[0])


def add_item(source: Source, node: ast.AST, text: str) -> Edit:
    """The edit that puts an item after the others; one item a line, and a comma at the end, stay so."""
    found = read_items(source, node)
    if not found.items:
        shown = f"{text}," if isinstance(node, ast.Tuple) else text
        return Edit(source.path, found.open, found.open, shown)
    start, end = found.items[-1]
    line, column = source.position(start)
    lead = source.lines[line][:column]
    if lead.strip() or not isinstance(node, ast.expr) or line == source.position(source.span(node)[0])[0]:
        single = isinstance(node, ast.Tuple) and len(found.items) == 1
        if single and found.comma and "\n" not in source.text[end : found.close]:
            return Edit(source.path, end, source.text.index(",", end) + 1, f", {text}")
        return Edit(source.path, end, end, f", {text}")
    behind = source.text.index(",", end) + 1 if found.comma else end
    stop = source.starts[source.position(max(behind - 1, end - 1))[0] + 1]
    rest = source.text[behind:stop]
    if "\n" not in rest or (rest.strip() and not rest.strip().startswith("#")):
        return Edit(source.path, end, end, f",{source.newline}{lead}{text}")
    comma = "," if found.comma else ""
    kept = (source.text[end:behind] or ",") + rest
    return Edit(source.path, end, stop, kept + convert_line_endings(source, f"{lead}{text}{comma}\n"))


def remove_item(source: Source, node: ast.AST, at: int) -> Edit:
    """The edit that takes an item away, with its line where it has one of its own."""
    found = read_items(source, node)
    start, end = found.items[at]
    last = at == len(found.items) - 1
    first_line, column = source.position(start)
    behind = source.text.index(",", end) + 1 if not last or found.comma else end
    last_line = source.position(behind - 1)[0]
    rest = source.text[behind : source.starts[last_line + 1]]
    alone = not source.lines[first_line][:column].strip() and rest.strip()[:1] in ("", "#")
    if alone and (behind > end or not at):
        return Edit(source.path, *source.line_span(first_line, last_line + 1), "")
    single = isinstance(node, ast.Tuple) and len(found.items) == 2
    if not last:
        following = found.items[at + 1][0]
        if single and not found.comma and at == 0:
            tail = found.items[1]
            return Edit(source.path, start, tail[1], source.text[slice(*tail)] + ",")
        return Edit(source.path, start, following, "")
    if at == 0:
        return Edit(source.path, start, behind, "")
    before = found.items[at - 1][1]
    return Edit(source.path, before, end, "," if single and not found.comma else "")


def find_item(node: ast.AST, wanted: ast.expr) -> int:
    """The index of an item, or of the pair with a key; raises where there is none."""
    parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
    for at, one in enumerate(parts):
        if one is not None and is_same_tree(wanted, one):
            return at
    raise Refusal(f"{ast.unparse(wanted)} is not in it", why="nothing")


def list_entries(node: ast.Dict) -> Iterator[tuple[ast.expr, ast.expr]]:
    for one, value in zip(node.keys, node.values, strict=True):
        if one is not None:
            yield one, value


def is_only_read(repo: Repository, source: Source, node: ast.expr) -> bool:
    """Whether a display holds nothing that can change, and is read where it stands, or under the one local
    name that it is given."""
    mutable = (ast.List, ast.Dict, ast.Set)
    if any(isinstance(inner, mutable) for inner in ast.walk(node) if inner is not node):
        return False
    outer = source.parents.get(node)
    goal = outer.targets[0] if isinstance(outer, ast.Assign) and len(outer.targets) == 1 else None
    if not isinstance(goal, ast.Name):
        return _reads(source, node)
    scopes = repo.index.scopes(source.path)
    variable = scopes.resolve(scopes.by_node[goal])
    scope = variable.scope
    if scope is None or scope.kind is not ScopeKind.FUNCTION or len(variable.bindings) != 1:
        return False
    return bool(variable.loads) and all(
        isinstance(load.node, ast.expr) and _reads(source, load.node) for load in variable.loads
    )


def _reads(source: Source, node: ast.expr) -> bool:
    """Whether what stands around a value only reads it."""
    outer = source.parents.get(node)
    if isinstance(outer, ast.For | ast.comprehension):
        return outer.iter is node
    if isinstance(outer, ast.Compare):
        return isinstance(outer.ops[-1], ast.In | ast.NotIn) and outer.comparators[-1] is node
    if isinstance(outer, ast.Subscript):
        return outer.value is node and isinstance(outer.ctx, ast.Load)
    if isinstance(outer, ast.Call):
        reading = _READING_METHODS if isinstance(outer.func, ast.Attribute) else _READING
        return node in outer.args and last_name(outer.func) in reading
    called = source.parents.get(outer) if isinstance(outer, ast.Attribute) else None
    return isinstance(outer, ast.Attribute) and isinstance(called, ast.Call) and outer.attr in _ASKING
