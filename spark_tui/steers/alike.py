"""What was done to a node and where else it can be; how alike two nodes are, and where parts of one stand in the other.

Comes in: nodes, of one text or of two. Goes out: shapes, roles, paths. Must not know: messages, answers, what is done
with a node.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.refactor.source import Change, Definition, Function, Source, parameters

Path = tuple[tuple[str, int], ...]
"""The way from a node to a part of it: fields, and the number in a list or -1."""


@dataclass(frozen=True)
class Where:
    """A place where the same can be done."""

    node: ast.AST
    changes: tuple[Change, ...]
    level: int


@dataclass(frozen=True)
class Made:
    """One thing that was done: `old` of the text as it was became `new`, of which statements may be several."""

    kind: str
    old: ast.AST
    new: tuple[ast.AST, ...]
    given: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()


def key_of(node: ast.AST) -> str:
    """By what statements of one block are told to be the same."""
    return f"def {node.name}" if isinstance(node, Definition) else ast.dump(node)


def named(node: ast.AST) -> str:
    """The name that a node is, and nothing else."""
    if isinstance(node, ast.Name):
        return node.id
    return node.arg if isinstance(node, ast.arg) and node.annotation is None else ""


def spelled(node: ast.AST) -> str:
    """How it reads, whether it is stored or read."""
    return ast.dump(node).replace("ctx=Store()", "ctx=Load()")


def last_name(node: ast.AST) -> str:
    """The last part of a dotted name."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def same_method(a: ast.Call, b: ast.Call) -> bool:
    """Called of something that became something else."""
    one, two = a.func, b.func
    found = isinstance(one, ast.Attribute) and isinstance(two, ast.Attribute) and one.attr == two.attr
    return found and not isinstance(getattr(one, "value", None), ast.Name)


def walked(node: ast.AST, path: Path) -> Iterator[tuple[Path, ast.AST]]:
    """With where each part stands, the outer ones first."""
    yield path, node
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield from walked(value, (*path, (field, -1)))
        elif isinstance(value, list):
            for at, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from walked(item, (*path, (field, at)))


def part_at(node: ast.AST, path: Path) -> ast.AST | None:
    """The part that stands there."""
    found: object = node
    for field, number in path:
        found = getattr(found, field, None)
        if number >= 0:
            found = found[number] if isinstance(found, list) and number < len(found) else None
    return found if isinstance(found, ast.AST) else None


def fits(old: ast.AST, node: ast.AST, holes: frozenset[Path], path: Path) -> bool:
    """Whether nothing differs but what stands in the holes."""
    if path in holes:
        return True
    if type(old) is not type(node):
        return False
    for field, x in ast.iter_fields(old):
        y = getattr(node, field, None)
        if field in ("ctx", "kind", "type_comment"):
            continue
        if isinstance(x, ast.AST) and isinstance(y, ast.AST):
            if not fits(x, y, holes, (*path, (field, -1))):
                return False
        elif isinstance(x, list) and isinstance(y, list):
            if len(x) != len(y):
                return False
            for at, (one, two) in enumerate(zip(x, y, strict=True)):
                if isinstance(one, ast.AST) and not fits(one, two, holes, (*path, (field, at))):
                    return False
        elif x != y:
            return False
    return True


def shape(node: ast.AST) -> str:
    """What a node is without its names and values, but with what it calls."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    if isinstance(node, ast.Name):
        return "_"
    if isinstance(node, ast.Call):
        inner = ",".join(shape(one) for one in (*node.args, *(item.value for item in node.keywords)))
        behind = shape(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        return f"{behind}.{last_name(node.func)}({inner})"
    return f"{type(node).__name__}({','.join(shape(one) for one in ast.iter_child_nodes(node))})"


def role(node: ast.AST, src: Source) -> tuple[str, ...]:
    """What a node is in its parent, and for what."""
    parent = src.parents.get(node)
    if parent is None:
        return ("", "", "")
    field = next(
        (
            name
            for name, value in ast.iter_fields(parent)
            if value is node or (isinstance(value, list) and node in value)
        ),
        "",
    )
    about = str(parent.arg) if isinstance(parent, ast.keyword) else ""
    if isinstance(parent, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        target = parent.targets[0] if isinstance(parent, ast.Assign) else parent.target
        about = last_name(target)
    return type(parent).__name__, field, about


def up_to(node: ast.AST, top: ast.AST, src: Source) -> Iterator[ast.AST]:
    """The nodes between one and one that it is in, that included."""
    while node is not top:
        node = src.parents[node]
        yield node


def statement_of(node: ast.AST, src: Source) -> ast.AST:
    """The statement that a node is in, or is."""
    return src.statement(node) or node


def needs_brackets(hole: ast.AST, found: ast.AST, src: Source) -> bool:
    """Whether brackets are needed around what takes the place of a closer node."""
    wide = (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.IfExp, ast.Lambda, ast.Await, ast.NamedExpr)
    inner = isinstance(src.parents.get(hole), (ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Await))
    return inner and isinstance(found, wide) and not isinstance(hole, wide)


def redented(text: str, old: str, new: str) -> str:
    """Text of several lines with another margin."""
    return text.replace("\n" + old, "\n" + new) if "\n" in text else text


SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip


def bound_in(function: Function) -> set[str]:
    """Names that are a function's own."""
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {one.arg for one in parameters(function)}
