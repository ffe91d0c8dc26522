"""Calls of another function than the one that is called now, and other modules and dotted names: `secrets`
for `random`, `self.rate` instead of `self.tax`."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.builders.definitions.exchanged_calls import exchanged
from spark_tui.intent.builders.definitions.implied_calls import functions_named, is_called, unsaid_calls
from spark_tui.intent.building.building import Built, build_at, builder, call, found, from_entry, place
from spark_tui.intent.building.called_instead import any_moves
from spark_tui.intent.building.patterns import shown_with_holes
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, parsed, weighted
from spark_tui.intent.context.import_origins import standard_homes
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.matches import Match
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import DoubtKind, is_of
from spark_tui.intent.words.other_words import other_words
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes

_ADDS_ALL = {"append": "extend"}
"""What adds all items, by what adds one."""
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_OWN = "self."
_UNSAID = 0.8
"""How likely all of several places are meant where that is not said."""


@builder("replace_call")
def replace_call(context: Context) -> Iterator[Built]:
    if patterns := list(shown_with_holes(context)) or list(other_module(context)):
        yield from patterns
        return
    new = context.text("new").strip("`").strip()
    bare = re.sub(r"\(\s*\)\Z", "", new)
    bare = bare if bare.isidentifier() and hasattr(builtins, bare) else _container(context, bare) or bare
    if other := _no_plain_call(context, bare):
        yield from other
        return
    unsaid = [] if context.has("old") else unsaid_calls(context, bare)
    if meant := list(taken_for_method(context, bare)):
        yield from meant
        return
    if not unsaid and (uncalled := _uncalled(context, bare)):
        yield from uncalled
        return
    made = []
    for anchor in unsaid or _able(context, found(context, "call:old", "call like that"), bare):
        first, *others = exchanged(context, anchor, new, bare) or (None,)
        made += [first] if first is not None else []
        yield from others
    if unsaid and len(made) > 1:
        yield Built(_calls(made), 0.8, made[0].doubts[-1:])
    elif _is_about_all(context) and len(made) > 1:
        yield Built(_calls(made), 0.95)
    elif len(made) > 1:
        yield from _one_or_all(context, made)
    else:
        yield from made


def _is_about_all(context: Context) -> bool:
    return context.everywhere or context.has("file")


def _calls(made: Sequence[Built]) -> tuple[Operation, ...]:
    return tuple(dict.fromkeys(one for item in made for one in item.calls))


def _one_or_all(context: Context, made: Sequence[Built]) -> Iterator[Built]:
    """In a class all are meant, in a function maybe one of them; of those outside of what is named, one."""
    within = context.placed and not any(isinstance(item.node, ast.ClassDef) for item in context.named)
    each, every = (1.0, 0.5) if within else (0.5, 0.85)
    yield from (replace(item, weight=item.weight * each) for item in made)
    if not any(is_of(doubt, DoubtKind.MEANT) for item in made for doubt in item.doubts):
        yield Built(_calls(made), every, (f"all {len(made)} calls are changed",))


def _no_plain_call(context: Context, new: str) -> list[Built]:
    """What is exchanged where no call of another function by itself is meant: a member that is not called,
    everywhere, or a loop that adds each item."""
    old = plain_name(context.text("old"))
    whole = context.everywhere and not any_moves(context, old, new) and list(replaced_attributes(context))
    if whole:
        return whole
    adds = old.rpartition(".")[2]
    if _ADDS_ALL.get(adds) == new and any(_adds_each(root, adds) for _, _, root in context.trees()):
        return [*from_entry(context, {"op": "apply_pattern", "name": "extend", "place": "{in}"})]
    return []


def _uncalled(context: Context, new: str) -> list[Built]:
    """Functions that are passed on, and members, in the place of calls that are not there."""
    said = context.has("old")
    if said and anchors(context, "call:old"):
        return []
    passed = functions_named(context, plain_name(context.text("old"))) if said else []
    made = [_passed_on(context, item, new) for item in passed] or [*replaced_attributes(context)]
    if not made and is_called(context, new):
        raise Unresolved(f"{new} is already called there", nothing=True)
    if made and _is_about_all(context):
        return [Built(tuple(edit for item in made for edit in item.calls), 0.95, made[0].doubts)]
    return made


def _adds_each(root: ast.AST, name: str) -> bool:
    """Whether a loop does nothing but add items."""
    bodies = [loop.body[0] for loop in find_nodes(root, ast.For) if len(loop.body) == 1]
    inner = [one.body[0] if isinstance(one, ast.If) and len(one.body) == 1 else one for one in bodies]
    calls = [one.value for one in inner if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)]
    return any(isinstance(one.func, ast.Attribute) and one.func.attr == name for one in calls)


def _able(context: Context, spots: list[Anchor], new: str) -> list[Anchor]:
    """The calls of other objects, where a class of the file has no method with the new name."""
    out = []
    for spot in spots if new.isidentifier() else ():
        source, func = context.source(spot.path), getattr(spot.node, "func", None)
        own = isinstance(func, ast.Attribute) and ast.unparse(func.value) == "self"
        inside = source.function_of(spot.node) if own and spot.node is not None else None
        owner = source.class_of(inside) if inside is not None else None
        members = _own_members(owner) if owner is not None and not owner.bases else set()
        out += [spot] if getattr(func, "attr", "") not in members or new in members else []
    return spots if not out or len(out) == len(spots) else weighted(context, out)


def _own_members(owner: ast.ClassDef) -> set[str]:
    return {stmt.name for stmt in owner.body if isinstance(stmt, Function)}


def _passed_on(context: Context, anchor: Anchor, new: str) -> Built:
    """A function that is passed on, exchanged for another one of its module."""
    node = anchor.node
    assert isinstance(node, ast.Attribute)
    other = new if "." in new else f"{ast.unparse(node.value)}.{new}"
    if parsed(other) is None:
        raise Unresolved(f"{new!r} is not a function")
    return build_at(anchor, replace_code(context, anchor, other))


def _container(context: Context, text: str) -> str:
    """The builtin that words name, where they are no name of the file: `dict` for *plain dicts*."""
    words = text.split()
    if not words or context.visible(context.situation.path, None).knows(text):
        return ""
    found = phrases.lookup("types", words[-1])
    return found if found in ("dict", "list", "set", "tuple") else ""


def other_module(context: Context) -> Iterator[Built]:
    """All that is used of a module, of another one, with the imports of both."""
    old, new = (plain_name(context.text(slot)) for slot in ("old", "new"))
    if not {old, new} <= sys.stdlib_module_names or old == new:
        return
    for path in dict.fromkeys(area.path for area in context.areas):
        source = context.source(path)
        stmt = _import_of(source, old)
        names = [node for node in find_nodes(source.tree, ast.Name) if node.id == old]
        uses = [source.parents.get(node) for node in names]
        attributes = [node for node in uses if isinstance(node, ast.Attribute)]
        if stmt is None or not names or len(attributes) < len(names):
            continue
        homes = standard_homes()
        if lost := sorted({node.attr for node in attributes if new not in homes.get(node.attr, ())}):
            raise Unresolved(f"{new} has no {lost[0]}")
        edits = [
            call(
                "replace_expression",
                place=f"{path}:{line}",
                old=f"{old}.{name}",
                new=f"{new}.{name}",
                every=True,
            )
            for line, name in sorted({(node.lineno, node.attr) for node in attributes}, reverse=True)
        ]
        gone = call("delete_statements", place=place(context, Anchor(Area(path), stmt)))
        known = new in context.repo.index.scopes(path).module.bound
        added = () if known else (call("add_import", path=path, module=new),)
        yield Built((*edits, gone, *added), 0.95)


def _import_of(source: Source, name: str) -> ast.Import | None:
    """The statement that imports a module and nothing else."""
    found = [one for one in source.body if isinstance(one, ast.Import)]
    return next((one for one in found if [(a.name, a.asname) for a in one.names] == [(name, None)]), None)


def replaced_attributes(context: Context) -> Iterator[Built]:
    """The attribute under its new name where both are attributes of the object and the new one is set
    nowhere; else another expression at each place where the dotted name stands."""
    old, new = (context.text(slot).strip("`'\" ") for slot in ("old", "new"))
    if not _DOTTED.fullmatch(old) or parsed(new) is None:
        return
    if old.startswith(_OWN) and new.startswith(_OWN) and _DOTTED.fullmatch(new) and new.count(".") == 1:
        found = _attributes(context, old)
        if found and not _attributes(context, new):
            yield build_at(found[0], call("rename", target=found[0].symbol, new=new.removeprefix(_OWN)))
            return
    for area, _, root in context.trees():
        places = [
            node
            for node in find_nodes(root, ast.Attribute)
            if isinstance(node.ctx, ast.Load) and ast.unparse(node) == old
        ]
        if places:
            several = len(places) > 1 and not context.everywhere
            edit = call("replace_expression", place=area.place, old=old, new=new, every=True)
            doubts = (*area.doubts, *([f"all {len(places)} places are changed"] if several else ()))
            yield Built((edit,), area.weight * (_UNSAID if several else 1.0), doubts)


def taken_for_method(context: Context, method: str) -> Iterator[Built]:
    """The attributes that are easily taken for what a method gives: `.seconds` for `total_seconds`."""
    method, old = method.removeprefix("."), context.text("old").strip("`'\"() ").rpartition(".")[2]
    for area, source, node in context.find(ast.Attribute):
        meant = f"{method}()" in other_words()["methods"].get(node.attr, ()) and old in ("", node.attr)
        if meant and isinstance(node.ctx, ast.Load):
            anchor = Anchor(area, node, area.weight, area.doubts)
            new = f"{source.segment(node).removesuffix(node.attr)}{method}()"  # with its brackets
            yield build_at(anchor, replace_code(context, anchor, new))


def _attributes(context: Context, text: str) -> list[Match]:
    """The attributes of exactly this name."""
    found = context.names.find(text, frozenset((SymbolKind.ATTRIBUTE,)), None, context.near)
    return [item for item in found if item.target.name == text.removeprefix(_OWN)]
