"""Turns the constructor of a class that only holds values into the fields of a dataclass, and back."""

from __future__ import annotations

import ast
from itertools import takewhile

from spark_tui.train.kinds.base import Draw
from spark_tui.train.source_windows import (
    Change,
    Function,
    SourceWindow,
    apply_changes,
    arguments,
    docstring_node,
)

_TYPES = ("str", "int", "float", "bool", "list[str]", "dict[str, int]", "Path", "str | None")
_MOST_FIELDS = 5


def fields_of(window: SourceWindow, node: ast.ClassDef, draw: Draw) -> tuple[str, str] | None:
    """The text before and after for a class with such a constructor, whose parameters are first annotated if
    they are not."""
    init = next((f for f in node.body if isinstance(f, Function) and f.name == "__init__"), None)
    if init is None or init.decorator_list or init.args.vararg or init.args.kwarg or init.args.kwonlyargs:
        return None
    args = arguments(init)
    stored = [window.source(s) for s in window.body_after_docstring(init)]
    if not 0 < len(args) <= _MOST_FIELDS or stored != [f"self.{a.arg} = {a.arg}" for a in args]:
        return None
    fields, annotated = [], list[Change]()
    defaults = [None] * (len(args) - len(init.args.defaults)) + list(init.args.defaults)
    for item, default in zip(args, defaults[-len(args) :], strict=True):
        if default is not None and not isinstance(default, ast.Constant):
            return None
        kind_of = type(getattr(default, "value", None)).__name__
        known = (
            "str | None"
            if kind_of == "NoneType" and default
            else kind_of
            if kind_of in _TYPES
            else draw.choice(_TYPES)
        )
        if item.annotation is None:
            _, end = window.span(item)
            if default and window.text[end] != "=":
                return None
            annotated.append((end, end + 1, f": {known} = ") if default else (end, end, f": {known}"))
        else:
            known = window.source(item.annotation)
        fields.append(f"{item.arg}: {known}" + (f" = {window.source(default)}" if default else ""))
    indent = window.indent(init)
    start, end = window.line_span(window.first_line(init), window.last_line(init))
    at = window.starts[window.first_line(node) - 1]
    new = "".join(f"{indent}{field}\n" for field in fields)
    after = apply_changes(window.text, [(at, at, f"{window.indent(node)}@dataclass\n"), (start, end, new)])
    return apply_changes(window.text, annotated), after


def spelled_out(window: SourceWindow, node: ast.ClassDef, draw: Draw) -> tuple[str, str] | None:
    """The text before and after for a class that begins with annotated names: first with a constructor, then
    as a dataclass."""
    body = node.body[1:] if docstring_node(node) is not None else node.body
    inner = list(takewhile(lambda item: isinstance(item, ast.AnnAssign), body))
    lines = [item.lineno for item in inner]
    if (
        not inner
        or lines != list(range(lines[0], lines[0] + len(lines)))
        or inner[-1].end_lineno != lines[-1]
    ):
        return None
    if node.lineno + 1 > lines[0] or not window.lines[node.lineno - 1].endswith(":"):
        return None
    texts = [
        window.source(item) for item in inner if isinstance(getattr(item, "value", None), ast.Constant | None)
    ]
    texts = texts[: draw.rng.randint(3, _MOST_FIELDS)]
    methods = {getattr(item, "name", "") for item in body}
    if len(texts) < min(len(inner), 3) or "Var" in "".join(texts) or methods & {"__init__", "__post_init__"}:
        return None
    names = [text.split(":")[0] for text in texts]
    at_all = ["=" in text.split("]")[-1] for text in texts]
    indent = window.indent(inner[0])
    init = f"{indent}def __init__(self, {', '.join(texts)}){draw.choice([' -> None', ''])}:\n"
    if len(init) > 100 or at_all != sorted(at_all) or not all(map(str.isidentifier, names)):
        return None
    outer = window.indent(node)
    head = (*window.line_span(window.first_line(node), node.lineno), f"{outer}class {node.name}:\n")
    run = window.line_span(lines[0], lines[-1])
    stored = "".join(f"{indent}    self.{name} = {name}\n" for name in names)
    before = apply_changes(window.text, [head, (*run, init + stored)])
    fields = "".join(f"{indent}{text}\n" for text in texts)
    return before, apply_changes(window.text, [(*head[:2], f"{outer}@dataclass\n{head[2]}"), (*run, fields)])
