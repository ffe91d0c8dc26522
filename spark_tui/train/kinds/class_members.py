"""Methods and properties described by what they return, and attributes with their first use."""

from __future__ import annotations

import ast
import re
from string import Template

from spark_tui.train.kinds.base import Draw, Made, kind
from spark_tui.train.source_windows import Function, SourceWindow, apply_changes, arguments
from spark_tui.train.templates.grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot
from spark_tui.train.templates.tables import table

wording = table("wording/members")

_MANY = re.compile(r"(s|list|queue|items|data|cache|map|stack|rows|history|pending|children|entries)$")


def fields(owner: ast.ClassDef) -> dict[str, ast.expr]:
    """The attributes that `__init__` sets once each."""
    init = next((n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    out: dict[str, ast.expr] = {}
    for node in ast.walk(init) if init else []:
        target = (
            node.targets[0]
            if isinstance(node, ast.Assign)
            else node.target
            if isinstance(node, ast.AnnAssign)
            else None
        )
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if (
            isinstance(target, ast.Attribute)
            and isinstance(target.value, ast.Name)
            and target.value.id == "self"
            and value is not None
        ):
            out[target.attr] = value
    return out


def _holds_many(name: str, value: ast.expr) -> bool:
    return isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp) or (
        isinstance(value, ast.Name | ast.Call) and _MANY.search(name) is not None
    )


def _insert(window: SourceWindow, owner: ast.ClassDef, lines: list[str]) -> str | None:
    """Adds the member after the last one of the class."""
    last = owner.body[-1]
    if not window.own_lines(last) or owner.lineno == last.lineno:
        return None
    indent = window.indent(last)
    at = window.starts[window.last_line(last)]
    return (
        window.text[:at]
        + "\n"
        + "".join(f"{indent}{line}\n" if line else "\n" for line in lines)
        + window.text[at:]
    )


def _shapes(
    window: SourceWindow, owner: ast.ClassDef, draw: Draw
) -> tuple[list[str], dict[str, Slot], tuple[str, ...]] | None:
    known = fields(owner)
    methods = {n.name for n in owner.body if isinstance(n, Function)}
    if not known:
        return None
    names = sorted(known)
    many = [n for n in names if _holds_many(n, known[n])]
    attr, other = draw.choice(names), draw.choice(names)
    noun = attr.strip("_")
    texts = {"class": owner.name, "attribute": attr, "noun": noun}
    slots: dict[str, Slot] = {"c": NameSlot(owner.name), "a": NameSlot(attr), "b": NameSlot(other)}
    holds = {"always"}
    if many:
        holds.add("many")
        rows = texts["rows"] = draw.choice(many)
        slots |= {"rows": NameSlot(rows), "said": WordsSlot(rows.strip("_").replace("_", " "))}
        if empty := _empty_of(window, known[rows]):
            holds.add("empty")
            texts |= {"clear": draw.choice(["clear", "reset", "empty"]), "empty": empty}
            slots |= {"n": NameSlot(texts["clear"], call=True), "lit": CodeSlot(empty)}
    if attr.startswith("_") and noun not in methods and noun not in names:
        holds.add("private")
        slots["p"] = NameSlot(noun)
    if isinstance(known[attr], ast.Constant):
        holds.add("constant")
        texts["first"] = window.source(known[attr])
        slots |= {"r": NameSlot(f"reset_{noun}", call=True), "v": ExactSlot(texts["first"])}
    slots |= {"set": NameSlot(f"set_{noun}", call=True), "get": NameSlot(f"get_{noun}", call=True)}
    if "close" in methods:
        holds.add("close")
    options = []
    for item in (each for each in table("tables/members")["members"] if each["needs"] in holds):
        name = Template(item["name"]).substitute(texts)
        if name not in methods and name not in names:
            options += [item] * item.get("times", 1)
    if not options:
        return None
    chosen = draw.choice(options)
    lines = Template(chosen["code"]).substitute(texts).split("\n")
    return lines, slots, wording[chosen["phrases"]]


def _empty_of(window: SourceWindow, value: ast.expr) -> str:
    """The literal of an empty list or dict, if that is the value."""
    if (isinstance(value, ast.List) and not value.elts) or (isinstance(value, ast.Dict) and not value.keys):
        return window.source(value)
    return ""


@kind("add_member", *wording["str"], needs=r"def __init__", weight=3.0)
def add_member(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a member to a class that is usually not the last definition of the file."""
    for owner in draw.shuffled(window.classes):
        made = _shapes(window, owner, draw)
        if made is None or not isinstance(window.parents.get(owner), ast.Module):
            continue
        if window.tree.body[-1] is owner and draw.chance(0.6):
            later = [n for n in window.tree.body if n is not owner and isinstance(n, Function | ast.ClassDef)]
            if not later:
                continue
            first, last = window.first_line(owner), window.last_line(owner)
            start, end = window.line_span(first, last)
            head = window.starts[window.first_line(later[0]) - 1]
            block = window.text[start:end]
            moved = (
                window.text[:head]
                + block
                + "\n\n"
                + window.text[head:start].rstrip("\n")
                + "\n"
                + window.text[end:]
            )
            try:
                window = SourceWindow(window.path, moved)
            except ValueError:
                return None
            owner = next(n for n in window.classes if n.name == owner.name)
        lines, slots, phrases = made
        after = _insert(window, owner, lines)
        if after is None:
            continue
        return Made(window.text, after, slots, phrases)
    return None


@kind("count_uses", *wording["counter"], needs=r"def __init__", weight=1.0)
def count_uses(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds an attribute that is set in `__init__` and changed by a method."""
    for owner in draw.shuffled(window.classes):
        init = next((n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        others = [
            n
            for n in owner.body
            if isinstance(n, Function) and not n.name.startswith("__") and not n.decorator_list
        ]
        if init is None or not others:
            continue
        method = draw.choice(others)
        body, last = window.body_after_docstring(method), init.body[-1]
        if (
            not body
            or not window.own_lines(body[0])
            or not window.own_lines(last)
            or isinstance(last, ast.If | ast.Return | ast.Raise | ast.Pass)
        ):
            continue
        counters = ("calls", "count", "used", "hits", f"{method.name.strip('_')}_count", "runs", "times")
        name = draw.choice((*counters, "changed", "started", "dirty", "last"))
        if name in window.names:
            continue
        args = [a.arg for a in arguments(method)]
        if name in ("changed", "started", "dirty"):
            first, then, phrases = "False", f"self.{name} = True", wording["flag"]
        elif name == "last":
            if not args:
                continue
            first, then, phrases = "None", f"self.last = {args[0]}", wording["last"]
        else:
            first, then, phrases = "0", f"self.{name} += 1", wording["counter"]
        one, two = window.starts[window.last_line(last)], window.starts[window.first_line(body[0]) - 1]
        after = apply_changes(
            window.text,
            [
                (one, one, f"{window.indent(last)}self.{name} = {first}\n"),
                (two, two, f"{window.indent(body[0])}{then}\n"),
            ],
        )
        slots: dict[str, Slot] = {
            "n": NameSlot(name),
            "sn": NameSlot(f"self.{name}"),
            "f": NameSlot(method.name, call=True),
            "c": NameSlot(owner.name),
            "x": NameSlot(args[0] if args else "self"),
        }
        return Made(window.text, after, slots, phrases)
    return None
