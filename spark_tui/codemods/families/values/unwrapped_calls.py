"""Calls that are taken away from around a value, or from behind it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.values.needed_calls import call_doubts
from spark_tui.codemods.imports.doubts import import_doubts
from spark_tui.codemods.imports.unused import with_lost_imports
from spark_tui.codemods.places.named import delete_statements, find_region, need_one
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    comments_in,
    is_same_tree,
    parses_to,
    plan_edits,
    read_expression,
    refuse_lost_comments,
    string_lines,
)
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.codemods.slots import Expression, Place
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.words import word_set

_WITH_MORE = word_set("int str round sorted bytes deepcopy array asarray wait_for")
"""What is given a value first, and then how it is changed."""
_OF_TWO = word_set("enumerate items iteritems zip")
_METHODS = {name for kind in (str, bytes, dict, list, set) for name in dir(kind)}


@codemod
class UnwrapCall:
    """Take a call away and keep the value: `int(x)` becomes `x`, and `x.decode()` too."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12-14")
    call: Expression = slot("the call, or what is called: int(x), sorted, name.decode")
    value: Expression = slot("what stays, if that is not clear", default=Expression(""))
    every: bool = slot("whether all places are meant, not the only one", default=False)

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source, wanted = within.source, read_expression(self.call)
        found = [node for node in within.nodes(ast.Call) if _is_meant(node, wanted)]
        if not self.every or not found:
            found = [need_one(found, self.call, within)]
        edits: list[Edit] = []
        doubts: list[Unfollowed] = []
        for node in found:
            if edits and source.span(node)[0] < edits[-1].end:
                doubts.append(Unfollowed(source.path, node.lineno, "it stands in another one; do it again"))
                continue
            kept = self._kept(repo, source, node)
            if kept is None:
                raise Refusal(f"line {node.lineno}: what is to stay of {source.segment(node)} is not clear")
            edits.append(_unwrapped(source, node, kept))
            reasons = call_doubts(repo, source, node, kept)
            doubts += [Unfollowed(source.path, node.lineno, reason) for reason in reasons]
        doubts += import_doubts(repo, edits)
        return plan_edits(repo, with_lost_imports(repo, edits), doubts)

    def _kept(self, repo: Repository, source: Source, node: ast.Call) -> ast.expr | None:
        if not self.value:
            return kept_value(repo, source, node)
        wanted = read_expression(self.value)
        every = (*values_of(node), *owners(node))
        return next((one for one in every if is_same_tree(wanted, one)), None)


def _is_meant(node: ast.Call, wanted: ast.expr) -> bool:
    """Whether a call is the one that is shown: `int(x)`, or by what is called alone, `int` or `int()`."""
    if isinstance(wanted, ast.Call) and (wanted.args or wanted.keywords):
        return is_same_tree(wanted, node)
    return is_same_tree(wanted.func if isinstance(wanted, ast.Call) else wanted, node.func)


def values_of(node: ast.Call) -> list[ast.expr]:
    """What may stay of a call."""
    owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    return [*owner, *(item for item in node.args if not isinstance(item, ast.Starred))]


def owners(node: ast.expr) -> Iterator[ast.expr]:
    """What methods are called on, from the last one of a row: `a.b().c()` on `a.b()`, and that on `a`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
        yield node


def kept_value(repo: Repository, source: Source, node: ast.Call) -> ast.expr | None:
    """What is left of a call: the value that its method is called on, or the first one that it is given."""
    func, given = node.func, [*node.args, *(item.value for item in node.keywords)]
    if any(isinstance(item, ast.Starred) for item in node.args) or None in [one.arg for one in node.keywords]:
        return None
    if isinstance(func, ast.Attribute) and not _is_holder(repo, source, func.value):
        plain = func.attr in _METHODS and all(isinstance(item, ast.Constant) for item in given)
        return func.value if plain or not given else None
    return node.args[0] if len(node.args) == 1 or (node.args and last_name(func) in _WITH_MORE) else None


def _is_holder(repo: Repository, source: Source, node: ast.expr) -> bool:
    """Whether a function is looked up in a module, a class or the own object."""
    text = ast.unparse(node)
    imported = {name for one in repo.index.summary(source.path).imports for name in (one.alias, one.module)}
    named = text in ("self", "cls") or (text[:1].isupper() and text.isidentifier() and not text.isupper())
    return named or text in imported or text in ("super()", "os.path")


def _unwrapped(source: Source, node: ast.Call, kept: ast.expr) -> Edit:
    """The edit that leaves the value, in brackets where it needs them."""
    old: ast.expr = node
    holder = source.parents.get(node)
    if isinstance(holder, ast.Await) and not isinstance(kept, ast.Call | ast.Await):
        old, holder = holder, source.parents.get(holder)
    if isinstance(holder, ast.Expr) and not has_effects(kept):
        raise Refusal(f"line {node.lineno}: nothing uses its value: the line can be deleted")
    if isinstance(holder, Definition):
        raise Refusal(f"line {node.lineno}: it belongs to the head of a definition")
    apart = isinstance(getattr(holder, "target", None), ast.Tuple | ast.List)
    if isinstance(holder, ast.For | ast.comprehension) and apart and called_name(node) in _OF_TWO:
        raise Refusal(f"line {node.lineno}: the loop takes apart what {called_name(node)} gives")
    if isinstance(holder, ast.Assign) and [ast.unparse(kept)] == list(map(ast.unparse, holder.targets)):
        gone = delete_statements(source, [holder])
        refuse_lost_comments(source, [gone])
        return gone
    low, high = source.span(old)
    start, end = source.span(kept)
    if low < 0 or start < 0:
        raise Refusal(f"line {node.lineno}: the place inside a string cannot be edited exactly")
    texts = [_moved(source, low, start, end)]
    if kept in node.args:
        opened = source.text.index("(", source.span(node.func)[1])
        texts += (
            [source.text[opened : source.span(node)[1]]] if len(node.args) + len(node.keywords) == 1 else []
        )
    for text in (texts[0], *texts[1:], f"({texts[0]})"):
        edit = Edit(source.path, low, high, text)
        if parses_to(source, [edit], {old: kept}):
            if any(item not in text for item in comments_in(source, low, high)):
                raise Refusal(f"line {node.lineno}: there is a comment inside the call")
            return edit
    raise Refusal(f"line {node.lineno}: {source.segment(kept)} does not fit there")


def _moved(source: Source, low: int, start: int, end: int) -> str:
    """The text of a value that moves to another place; lines below its first one move along."""
    line, column = source.position(start)
    own = not source.lines[line][:column].strip()
    first = source.lines[source.position(low)[0]]
    by = column - (len(first) - len(first.lstrip(" \t")) if own else source.position(low)[1])
    strings, out = string_lines(source), []
    for at, text in enumerate(source.text[start:end].splitlines(keepends=True), line):
        deep = len(text) - len(text.lstrip(" \t"))
        out.append(text[by:] if at > line and at not in strings and deep >= column >= by else text)
    return "".join(out)
