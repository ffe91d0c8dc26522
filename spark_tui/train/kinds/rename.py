"""Renames: variable, parameter, function, class, attribute; every use in view."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import (
    Change,
    Function,
    SourceWindow,
    apply_changes,
    arguments,
    docstring_node,
)
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/rename")


def _local_names(function: Function) -> list[str]:
    """Names that the function itself binds by assignment and that nothing nested binds again."""
    if any(
        isinstance(
            node,
            ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Global | ast.Nonlocal | ast.Match,
        )
        for node in ast.walk(function)
        if node is not function
    ):
        return []
    names = {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
    caught = {h.name for h in ast.walk(function) if isinstance(h, ast.ExceptHandler)}
    aliases = {(a.asname or a.name).split(".")[0] for a in ast.walk(function) if isinstance(a, ast.alias)}
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return sorted(stored - names - caught - aliases)


def _uses(window: SourceWindow, node: ast.AST, name: str) -> list[tuple[int, int]]:
    return [window.span(item) for item in ast.walk(node) if isinstance(item, ast.Name) and item.id == name]


def _safe_text(window: SourceWindow, name: str) -> bool:
    """Whether no f-string field holds the name and nothing reads locals by name: nodes in f-strings have no
    exact columns on every Python."""
    return not re.search(
        r"\bf['\"][^\n]*\{[^}\n]*\b" + re.escape(name) + r"\b|\blocals\(\)|\beval\(", window.text
    )


def _roles(function: Function, name: str) -> list[str]:
    """A description that fits only this name: the variable of the only loop, or what is returned."""
    used: dict[str, set[str]] = {role: set() for role in wording["roles"]}
    for node in ast.walk(function):
        where: list[tuple[str, ast.AST | None]] = []
        if isinstance(node, ast.For | ast.AsyncFor):
            where = [("loop", node.target)]
        elif isinstance(node, ast.comprehension):
            where = [("comprehension", node.target)]
        elif isinstance(node, ast.withitem):
            where = [("with", node.optional_vars)]
        elif isinstance(node, ast.Return):
            where = [("return", node.value)]
        elif (
            isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Constant) and node.value.value == 1
        ):
            where = [("count", node.target)]
        for role, place in where:
            used[role] |= (
                {n.id for n in ast.walk(place) if isinstance(n, ast.Name)} if place is not None else set()
            )
    return [wording["roles"][role] for role, names in used.items() if names == {name}]


_MOST_LINES = 8


def _with_some_uses(window: SourceWindow, function: Function, names: Sequence[str], draw: Draw) -> str:
    """One of the names, usually one on two to five lines: names on a single line are soon learned."""
    lines = {name: len({window.line_at(a) for a, _ in _uses(window, function, name)}) for name in names}
    some = [name for name in names if 2 <= lines[name] <= 5]
    fit = [name for name in names if lines[name] <= _MOST_LINES]
    if some and draw.chance(0.8):
        return draw.choice(some)
    return draw.choice(fit) if fit else ""


@kind("rename_variable", *wording["rename_variable"], weight=5.0)
def rename_variable(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        names = [name for name in _local_names(function) if name != "_" and _safe_text(window, name)]
        if not names:
            continue
        old = _with_some_uses(window, function, names, draw)
        if not old:
            continue
        new = draw.variant(old, window.names)
        after = apply_changes(window.text, [(a, b, new) for a, b in _uses(window, function, old)])
        slots: dict[str, Slot] = {
            "old": NameSlot(old),
            "new": NameSlot(new),
            "o": ExactSlot(old),
            "n": ExactSlot(new),
            **placed(inside(window, function, draw)),
        }
        roles = _roles(function, old)
        if roles and draw.chance(0.4):
            return Made(
                window.text,
                after,
                {**slots, "role": SubTemplate(draw.choice(roles))},
                wording["rename_by_role"],
            )
        return Made(window.text, after, slots)
    return None


_DOC_MENTION = (
    r"(?<=:param ){0}(?=:)|(?<=``){0}(?=``)|(?<=`){0}(?=`)"
    r"|(?m:(?<=^    ){0}(?=:| \(| :))|(?m:(?<=^        ){0}(?=:| \(| :))"
)


def _parameter_changes(window: SourceWindow, function: Function, old: str, new: str) -> list[Change]:
    changes: list[Change] = []
    for item in ast.walk(function):
        if isinstance(item, ast.arg) and item.arg == old:
            start, _ = window.span(item)
            changes.append((start, start + len(old), new))
    changes += [(a, b, new) for a, b in _uses(window, function, old)]
    doc = docstring_node(function)
    if doc is not None:
        start, end = window.span(doc)
        pattern = _DOC_MENTION.format(re.escape(old))
        changes += [
            (start + m.start(), start + m.end(), new) for m in re.finditer(pattern, window.text[start:end])
        ]
    for call in window.nodes:
        if isinstance(call, ast.Call) and _called(call) == function.name:
            for keyword in call.keywords:
                if keyword.arg == old:
                    start, _ = window.span(keyword)
                    changes.append((start, start + len(old), new))
    return changes


def _called(call: ast.Call) -> str:
    target = call.func
    return (
        target.id
        if isinstance(target, ast.Name)
        else target.attr
        if isinstance(target, ast.Attribute)
        else ""
    )


@kind(
    "rename_parameter",
    *wording["rename_parameter"],
    weight=3.4,
)
def rename_parameter(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        nested = [
            n for n in ast.walk(function) if isinstance(n, ast.FunctionDef | ast.Lambda) and n is not function
        ]
        args = [a for a in arguments(function) if _safe_text(window, a.arg)]
        if not args or nested or sum(f.name == function.name for f in window.functions) > 1:
            continue
        old = _with_some_uses(window, function, [a.arg for a in args], draw)
        item = next((a for a in args if a.arg == old), None)
        if item is None:
            continue
        new = draw.variant(item.arg, window.names)
        after = apply_changes(window.text, set(_parameter_changes(window, function, item.arg, new)))
        nth = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
        place = arguments(function).index(item)
        if place >= len(nth):
            continue
        slots: dict[str, Slot] = {
            "old": NameSlot(item.arg),
            "new": NameSlot(new),
            "o": ExactSlot(item.arg),
            "n": ExactSlot(new),
            "f": fname(function),
            "g": ExactSlot(function.name),
            "nth": WordsSlot(nth[place]),
        }
        return Made(window.text, after, slots)
    return None


@kind(
    "rename_function",
    *wording["rename_function"],
    weight=2.0,
)
def rename_function(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        old = function.name
        if old.startswith("__") or not _safe_text(window, old) or re.search(rf"['\"]{old}['\"]", window.text):
            continue
        owner = window.owner(function)
        changes: list[Change] = []
        bad = False
        for node in window.nodes:
            if isinstance(node, Function) and node.name == old:
                bad = bad or node is not function
                a, b = window.name_at(node)
                changes.append((a, b, ""))
            elif isinstance(node, ast.Name) and node.id == old:
                if owner is not None and not isinstance(window.parents[node], ast.Call):
                    bad = True
                elif owner is None:
                    bad = bad or isinstance(node.ctx, ast.Store)
                    changes.append((*window.span(node), ""))
            elif isinstance(node, ast.Attribute) and node.attr == old:
                a, b = window.span(node)
                receiver = node.value
                if isinstance(receiver, ast.Name) and receiver.id in ("self", "cls") and owner is not None:
                    changes.append((b - len(old), b, ""))
                elif owner is not None:
                    bad = True
            elif (isinstance(node, ast.arg | ast.keyword) and node.arg == old) or (
                isinstance(node, ast.alias) and old in (node.name, node.asname)
            ):
                bad = True
        if bad:
            continue
        new = draw.variant(old, window.names, draw.pools.functions)
        after = apply_changes(window.text, [(a, b, new) for a, b, _ in changes])
        slots: dict[str, Slot] = {
            "old": NameSlot(old, call=True),
            "new": NameSlot(new),
            "o": ExactSlot(old),
            "n": ExactSlot(new),
        }
        return Made(window.text, after, slots)
    return None


@kind(
    "rename_class",
    *wording["rename_class"],
    needs=r"(?m)^class ",
    weight=0.6,
)
def rename_class(window: SourceWindow, draw: Draw) -> Made | None:
    for node in draw.shuffled(window.classes):
        old = node.name
        if re.search(rf"\.{old}\b|{old}=|['\"#][^\n]*\b{old}\b", window.text) or not _safe_text(window, old):
            continue
        changes = [window.name_at(node), *_uses(window, window.tree, old)]
        if len(changes) != len(re.findall(rf"\b{old}\b", window.text)):
            continue
        new = draw.class_name(window.names)
        after = apply_changes(window.text, [(a, b, new) for a, b in changes])
        slots: dict[str, Slot] = {
            "old": NameSlot(old),
            "new": NameSlot(new),
            "o": ExactSlot(old),
            "n": ExactSlot(new),
        }
        return Made(window.text, after, slots)
    return None


@kind(
    "rename_attribute",
    *wording["rename_attribute"],
    needs=r"self\.\w+ = ",
    weight=2.0,
)
def rename_attribute(window: SourceWindow, draw: Draw) -> Made | None:
    stored = sorted(
        {
            n.attr
            for n in window.nodes
            if isinstance(n, ast.Attribute)
            and isinstance(n.ctx, ast.Store)
            and isinstance(n.value, ast.Name)
            and n.value.id == "self"
        }
    )
    defined = {f.name for f in window.functions}
    for old in draw.shuffled(stored):
        spots = [n for n in window.nodes if isinstance(n, ast.Attribute) and n.attr == old]
        mine = [n for n in spots if isinstance(n.value, ast.Name) and n.value.id == "self"]
        if old in defined or len(mine) != len(spots) or not _safe_text(window, f"self.{old}"):
            continue
        new = draw.variant(old, window.names, draw.pools.attributes)
        after = apply_changes(
            window.text, [(window.span(n)[1] - len(old), window.span(n)[1], new) for n in spots]
        )
        slots: dict[str, Slot] = {
            "old": NameSlot(old),
            "new": NameSlot(new),
            "o": ExactSlot(old),
            "n": ExactSlot(new),
        }
        return Made(window.text, after, slots)
    return None
