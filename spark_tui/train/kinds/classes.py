# ruff: noqa: E501 - phrase tables and one-line cases read better unbroken
"""Classes: special methods, methods, bases, attributes."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, kind
from spark_tui.train.phrasing import Code, Exact, Name, Slot
from spark_tui.train.windows import Function, Window, arguments


def _tuple(fields: list[str], who: str) -> str:
    return "(" + ", ".join(f"{who}.{field}" for field in fields) + (",)" if len(fields) == 1 else ")")


@kind(
    "add_dunder",
    "add [a|an|] {m} [method|] to {c}",
    "{c} [should have|needs] [a|an|] {m}[ method|]",
    "implement {m} [for|in|on] {c}",
    "give {c} [a|an|] {m}[ method|]",
    "define {m} [on|in|for] {c}",
    "write [a|an|] {m} for {c}",
    "{c} lacks {m}",
    needs=r"self\.\w+ = ",
    weight=1.1,
)
def add_dunder(window: Window, draw: Draw) -> Made | None:
    for node in draw.shuffled(window.classes):
        methods = {f.name: f for f in node.body if isinstance(f, Function)}
        init = methods.get("__init__")
        if init is None or node.decorator_list:
            continue
        fields: list[str] = []
        for item in ast.walk(init):
            if (
                isinstance(item, ast.Assign)
                and isinstance(item.targets[0], ast.Attribute)
                and window.source(item.targets[0]).startswith("self.")
            ):
                fields.append(item.targets[0].attr)
        fields = list(dict.fromkeys(fields))
        if not fields or len(fields) > 6:
            continue
        name = draw.choice(
            [
                m
                for m in ("__repr__", "__repr__", "__eq__", "__str__", "__len__", "__enter__", "__iter__", "__hash__")
                if m not in methods
            ]
            or [""]
        )
        if not name:
            continue
        indent = window.indent(init)
        public = fields
        field = draw.choice(fields)
        slots: dict[str, Slot] = {"m": Name(name), "c": Name(node.name)}
        phrases: tuple[str, ...] = ()
        if name == "__repr__":
            inner = ", ".join(f"{f}={{self.{f}!r}}" for f in public)
            body = ["def __repr__(self):", f'    return f"{node.name}({inner})"']
        elif name == "__eq__":
            body = ["def __eq__(self, other):", f"    if not isinstance(other, {node.name}):", "        return NotImplemented",
                    f"    return {_tuple(public, 'self')} == {_tuple(public, 'other')}"]  # fmt: skip
        elif name == "__hash__":
            body = ["def __hash__(self):", f"    return hash({_tuple(public, 'self')})"]
        elif name == "__enter__":
            body = [
                "def __enter__(self):",
                "    return self",
                "",
                "def __exit__(self, exc_type, exc, tb):",
                "    self.close()",
            ]
            if "close" not in methods:
                continue
            phrases = ("make {c} a context manager", "{c} should be usable with with", "add __enter__ and __exit__ to {c}[, close on exit|]",
                       "turn {c} into a context manager[ that closes itself|]", "implement the context manager methods [on|for|in] {c}", "let {c} work in a with statement")  # fmt: skip
        else:
            call = {"__str__": "str", "__len__": "len", "__iter__": "iter"}[name]
            body = [f"def {name}(self):", f"    return {call}(self.{field})"]
            slots["a"] = Name(field)
            phrases = (
                f"add {name} to {{c}}[, based on| using|, from] {{a}}",
                f"{{c}} [should have|needs] {name} [that uses|based on] {{a}}",
                f"implement {name} [for|in|on] {{c}} [with|using] {{a}}",
                f"define {name} [on|in|for] {{c}}: {call} of {{a}}",
                f"let {call}() of a {{c}} be the {call} of its {{a}}",
                f"{call}(x) should work for {{c}}: use {{a}}",
            )
        end = window.last_line(node)
        at = window.starts[end]
        new = "\n" + "".join((indent + line).rstrip() + "\n" for line in body)
        return Made(window.text, window.text[:at] + new + window.text[at:], slots, phrases)
    return None


@kind(
    "add_method",
    "add [a|an|] [empty|] method {m} to {c}",
    "{c} [should have|needs] [a|an|] method {m}",
    "add a stub [for |]{m} to {c}",
    "give {c} a method {m}[ that does nothing|]",
    "create an empty method {m} in {c}",
    "stub a method {m} on {c}",
    needs=r"(?m)^class ",
    weight=0.6,
)
def add_method(window: Window, draw: Draw) -> Made | None:
    node = draw.choice(window.classes) if window.classes else None
    if node is None or not any(isinstance(f, Function) for f in node.body):
        return None
    indent = window.indent(node.body[-1])
    name = draw.name(window.names, draw.pools.functions)
    at = window.starts[window.last_line(node)]
    new = f"\n{indent}def {name}(self):\n{indent}    pass\n"
    return Made(window.text, window.text[:at] + new + window.text[at:], {"m": Name(name), "c": Name(node.name)})


@kind(
    "add_base_class",
    "make {c} [inherit from|a subclass of|extend|derive from] {b}",
    "{c} should [inherit from|subclass|extend] {b}",
    "add {b} as [a|] base [class|] [of|to] {c}",
    "derive {c} from {b}",
    "let {c} inherit {b}",
    "{b} is a parent of {c}, add it",
    needs=r"(?m)^class ",
    weight=0.8,
)
def add_base_class(window: Window, draw: Draw) -> Made | None:
    for node in draw.shuffled(window.classes):
        base = draw.choice([draw.class_name(window.names), "ABC", "Exception", "Protocol", "object", "Enum", "Thread"])
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
        return Made(window.text, after, {"c": Name(node.name), "b": Name(base)})
    return None


def parameters_text(function: Function) -> str:
    return ", ".join(a.arg for a in arguments(function))


@kind(
    "add_attribute",
    "add [an attribute|a field|] {a} to {c}, [initially|set to|starting as] {v}",
    "initialise self.{n} to {v} in [__init__|the constructor|{c}]",
    "store {v} [as|in] self.{n} in __init__",
    "set self.{n} = {v} in [__init__|the constructor]",
    "{c} should have [an attribute|a field] {a}, {v} at first",
    "the constructor should set {a} to {v}",
    needs=r"def __init__",
    weight=0.9,
)
def add_attribute(window: Window, draw: Draw) -> Made | None:
    inits = [f for f in window.functions if f.name == "__init__"]
    if len(inits) != 1:
        return None
    init = inits[0]
    owner = window.owner(init)
    last = init.body[-1]
    if owner is None or not isinstance(last, ast.Assign | ast.Expr | ast.AnnAssign) or not window.own_lines(last):
        return None
    name = draw.name(window.names, draw.pools.attributes)
    value = draw.choice(["None", "0", "[]", "{}", "False", "True", "set()", '""', *(a.arg for a in arguments(init))])
    at = window.starts[window.last_line(last)]
    after = window.text[:at] + f"{window.indent(last)}self.{name} = {value}\n" + window.text[at:]
    slots: dict[str, Slot] = {"a": Name(name), "n": Exact(name), "v": Code(value), "c": Name(owner.name)}
    return Made(window.text, after, slots)
