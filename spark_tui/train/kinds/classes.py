"""Classes: special methods, methods, bases, attributes."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, kind
from spark_tui.train.source_windows import Function, SourceWindow, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/classes")

_HOLDING = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp


def _tuple(fields: list[str], who: str) -> str:
    return "(" + ", ".join(f"{who}.{field}" for field in fields) + (",)" if len(fields) == 1 else ")")


_ALL_FIELDS = {"__repr__": wording["repr"], "__eq__": wording["eq"], "__hash__": wording["hash"]}
_SOME_FIELDS = {"__repr__": wording["repr_of"], "__eq__": wording["eq_of"], "__hash__": wording["hash_of"]}
_CALLS = {"__str__": "str", "__len__": "len", "__iter__": "iter", "__bool__": "bool"}
_OF_ONE = {
    "__str__": wording["string"],
    "__len__": wording["length"],
    "__iter__": wording["iterate"],
    "__bool__": wording["boolean"],
    "__contains__": wording["contains"],
    "__getitem__": wording["getitem"],
    "__lt__": wording["less"],
}
_HOLDERS = ("__len__", "__iter__", "__contains__", "__getitem__")
"""Special methods that only make sense for a field that is a collection."""
_MOST_FIELDS = 4


def _fields(window: SourceWindow, init: Function) -> dict[str, ast.expr]:
    """The attributes that the constructor's own statements set, in order, with their values."""
    out: dict[str, ast.expr] = {}
    for item in init.body:
        target = item.targets[0] if isinstance(item, ast.Assign) else getattr(item, "target", None)
        if not isinstance(target, ast.Attribute) or window.source(target) != f"self.{target.attr}":
            continue
        if isinstance(item, ast.Assign | ast.AnnAssign) and item.value is not None:
            out[target.attr] = item.value
    return out


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def _dunder_body(name: str, owner: str, fields: list[str]) -> list[str]:
    """The lines of a special method over fields; methods of one field use the first."""
    field = fields[0]
    if name == "__repr__":
        inner = ", ".join(f"{f}={{self.{f}!r}}" for f in fields)
        return ["def __repr__(self):", f'    return f"{owner}({inner})"']
    if name == "__eq__":
        return [
            "def __eq__(self, other):",
            f"    if not isinstance(other, {owner}):",
            "        return NotImplemented",
            f"    return {_tuple(fields, 'self')} == {_tuple(fields, 'other')}",
        ]
    if name == "__hash__":
        return ["def __hash__(self):", f"    return hash({_tuple(fields, 'self')})"]
    if name == "__enter__":
        return [
            "def __enter__(self):",
            "    return self",
            "",
            "def __exit__(self, exc_type, exc, tb):",
            "    self.close()",
        ]
    if name == "__contains__":
        return ["def __contains__(self, item):", f"    return item in self.{field}"]
    if name == "__getitem__":
        return ["def __getitem__(self, key):", f"    return self.{field}[key]"]
    if name == "__lt__":
        return ["def __lt__(self, other):", f"    return self.{field} < other.{field}"]
    return [f"def {name}(self):", f"    return {_CALLS[name]}(self.{field})"]


@kind("add_dunder", *wording["dunder"], needs=r"self\.\w+(: [^\n=]+)? = ", weight=1.5)
def add_dunder(window: SourceWindow, draw: Draw) -> Made | None:
    """A special method at the end of a class: over all fields, over those that the instruction names, or over
    one."""
    for node in draw.shuffled(window.classes):
        methods = {f.name: f for f in node.body if isinstance(f, Function)}
        init = methods.get("__init__")
        if init is None or node.decorator_list:
            continue
        values = _fields(window, init)
        fields = list(values)
        if not fields:
            continue
        holders = [
            f
            for f, value in values.items()
            if isinstance(value, _HOLDING) or f.endswith(("s", "map", "list"))
        ]
        names = ["__repr__", "__repr__", "__eq__", "__eq__", "__hash__", "__str__", "__lt__", "__bool__"]
        names += [*_HOLDERS] if holders else []
        names += ["__enter__"] * 4 if "close" in methods and "__exit__" not in methods else []
        name = draw.choice([m for m in names if m not in methods] or [""])
        if not name:
            continue
        slots: dict[str, Slot] = {"m": NameSlot(name), "c": NameSlot(node.name)}
        phrases: tuple[str, ...] = wording["context"]
        if name in _ALL_FIELDS:
            phrases = (*wording["dunder"][:-2], *_ALL_FIELDS[name]) if draw.chance(0.5) else _ALL_FIELDS[name]
            if len(fields) > _MOST_FIELDS or draw.chance(0.5):
                kept = draw.rng.sample(range(len(fields)), draw.rng.randint(1, min(3, len(fields))))
                fields, phrases = [fields[number] for number in sorted(kept)], _SOME_FIELDS[name]
            slots["fields"] = ExactSlot(_listed(fields))
        elif name in _OF_ONE:
            fields = [draw.choice(holders if name in _HOLDERS else fields)]
            slots["a"] = NameSlot(fields[0])
            phrases = _OF_ONE[name]
            if name in _CALLS and draw.chance(0.6):
                slots["call"] = WordsSlot(_CALLS[name])
                phrases = (*wording["of_field"], "{call}(x) should work for {c}: use {a}")
        indent = window.indent(init)
        at = window.starts[window.last_line(node)]
        body = _dunder_body(name, node.name, fields)
        new = "\n" + "".join((indent + line).rstrip() + "\n" for line in body)
        return Made(window.text, window.text[:at] + new + window.text[at:], slots, phrases)
    return None


@kind(
    "add_method",
    *wording["method"],
    needs=r"(?m)^class ",
    weight=0.4,
)
def add_method(window: SourceWindow, draw: Draw) -> Made | None:
    node = draw.choice(window.classes) if window.classes else None
    if node is None or not any(isinstance(f, Function) for f in node.body):
        return None
    indent = window.indent(node.body[-1])
    name = draw.name(window.names, draw.pools.functions)
    at = window.starts[window.last_line(node)]
    new = f"\n{indent}def {name}(self):\n{indent}    pass\n"
    return Made(
        window.text,
        window.text[:at] + new + window.text[at:],
        {"m": NameSlot(name), "c": NameSlot(node.name)},
    )


@kind(
    "add_base_class",
    *wording["base_class"],
    needs=r"(?m)^class ",
    weight=0.6,
)
def add_base_class(window: SourceWindow, draw: Draw) -> Made | None:
    for node in draw.shuffled(window.classes):
        base = draw.choice(
            [draw.class_name(window.names), "ABC", "Exception", "Protocol", "object", "Enum", "Thread"]
        )
        _, end = window.name_at(node)
        rest = window.text[end:]
        match = re.match(r"\(([^()\n]*)\):", rest)
        if node.keywords or base in window.names:
            continue
        if match:
            inner = match[1].strip()
            after = window.text[: end + 1] + (f"{inner}, {base}" if inner else base) + rest[match.end() - 2 :]
        elif rest.startswith(":"):
            after = window.text[:end] + f"({base})" + rest
        else:
            continue
        return Made(window.text, after, {"c": NameSlot(node.name), "b": NameSlot(base)})
    return None


@kind(
    "add_attribute",
    *wording["attribute"],
    needs=r"def __init__",
    weight=1.4,
)
def add_attribute(window: SourceWindow, draw: Draw) -> Made | None:
    inits = [f for f in window.functions if f.name == "__init__"]
    if len(inits) != 1:
        return None
    init = inits[0]
    owner = window.owner(init)
    last = init.body[-1]
    if (
        owner is None
        or not isinstance(last, ast.Assign | ast.Expr | ast.AnnAssign)
        or not window.own_lines(last)
    ):
        return None
    name = draw.name(window.names, draw.pools.attributes)
    value = draw.choice(
        ["None", "0", "[]", "{}", "False", "True", "set()", '""', *(a.arg for a in arguments(init))]
    )
    at = window.starts[window.last_line(last)]
    after = window.text[:at] + f"{window.indent(last)}self.{name} = {value}\n" + window.text[at:]
    slots: dict[str, Slot] = {
        "a": NameSlot(name),
        "n": ExactSlot(name),
        "v": CodeSlot(value),
        "c": NameSlot(owner.name),
    }
    return Made(window.text, after, slots)
