"""Definitions and constants that an answer made, at another place: beside another definition, or in a class.

Comes in: a text, what is moved, how it is to lie to which definition. Goes out: changes. Must not know: messages,
hunks, engines.
"""

from __future__ import annotations

import ast

from spark_tui.refactor.source import Change, Definition, Source, body_behind_docstring, indent_of


def with_definition(
    src: Source, node: Definition, lines: tuple[int, int], relation: str, target: Definition
) -> list[Change] | None:
    """A function or method, beside another one, or in another class. `lines` are those that go."""
    home: ast.ClassDef | None
    if isinstance(target, ast.ClassDef) and relation in ("in", "top", "end"):
        body, home = body_behind_docstring(target), target
        margin = src.indent(target.body[0])
        relation = "before" if relation == "top" and body else "after"
        at = src.starts[src.first_line(body[0]) if relation == "before" else src.last_line(target.body[-1])]
    elif relation in ("before", "after"):
        at = src.starts[src.first_line(target) if relation == "before" else src.last_line(target)]
        margin, home = src.indent(target), src.class_of(target)
    else:
        return None
    was = src.class_of(node)
    said = src.lines[src.first_line(node) : src.last_line(node)]
    changes: list[Change] = [(*src.line_span(*lines), "")]
    if was is not None and home is None:
        plain = [line for line in said if line.strip() != "@staticmethod"]
        if len(plain) == len(said):
            return None
        said = tuple(plain)
        for item in src.nodes:
            if isinstance(item, ast.Attribute) and item.attr == node.name and _is_in(item.value, was.name):
                changes.append((*src.span(item), node.name))
    elif was is None and home is not None:
        return None
    old, gap = indent_of(said[0]), "\n" if margin else "\n\n"
    text = "".join(f"{margin}{line.removeprefix(old)}\n" if line.strip() else "\n" for line in said)
    changes.append((at, at, text + gap if relation == "before" else gap + text))
    return changes


def _is_in(node: ast.AST, owner: str) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls", owner)


def with_constant(
    src: Source, node: ast.Assign, lines: tuple[int, int], target: ast.ClassDef, message: str
) -> list[Change] | None:
    """A constant of the module as one of a class, with its uses as they are spelled."""
    name, owner = src.segment(node.targets[0]), target.name
    spelled = f"{owner}.{name}" in message
    changes: list[Change] = [(*src.line_span(*lines), "")]
    for item in src.nodes:
        if isinstance(item, ast.Name) and item.id == name and isinstance(item.ctx, ast.Load):
            function = src.function_of(item)
            inside = function is not None and src.class_of(function) is target and not function.decorator_list
            changes.append((*src.span(item), f"self.{name}" if inside and not spelled else f"{owner}.{name}"))
    body = body_behind_docstring(target)
    if not body:
        return None
    at = src.starts[src.first_line(body[0])]
    text = f"{src.indent(body[0])}{src.segment(node)}\n"
    changes.append((at, at, text + ("\n" if isinstance(body[0], Definition) else "")))
    return changes
