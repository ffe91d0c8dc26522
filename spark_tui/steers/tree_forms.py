"""Code with holes in it: where such a form stands in a tree, and another form with the same holes filled.

Comes in: forms as text, a source. Goes out: places with what fills the holes, and code. Must not know:
messages, hunks.

In a form a name that begins with `_` is a hole for an expression (or a name), one that begins with `__` for
any number of statements or arguments.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.idioms.text import negated, own_lines
from spark_tui.refactor.source import Change, Source

Holes = dict[str, object]
_ATOMS = (
    ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.JoinedStr, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp,
)  # fmt: skip
_HOLE = re.compile(r"\bNOT\((_[a-z]+)\)|(?<![\w.])(__?[a-z]+\b)|(?<=\.)(_[a-z]+\b)")
_SILENT = ("ctx", "type_comment", "kind", "type_params")


@dataclass(frozen=True)
class Place:
    """Where a form stands: one expression, or statements in a row."""

    nodes: tuple[ast.AST, ...]
    holes: Holes


@lru_cache(maxsize=512)
def read(form: str) -> list[ast.stmt]:
    return parse_code(textwrap.dedent(form).strip("\n")).body


def is_expression(form: str) -> bool:
    body = read(form)
    return len(body) == 1 and isinstance(body[0], ast.Expr)


def places(src: Source, form: str, holes: Holes | None = None) -> Iterator[Place]:
    """All places of a form, where holes may be filled already."""
    body = read(form)
    first = body[0]
    if is_expression(form) and isinstance(first, ast.Expr):
        for node in src.nodes:
            if type(node) is type(first.value):
                filled = _fits(first.value, node, dict(holes or {}))
                if filled is not None:
                    yield Place((node,), filled)
        return
    for block in blocks(src):
        for at in range(len(block)):
            for end, filled in _row(body, block, at, dict(holes or {})):
                yield Place(tuple(block[at:end]), filled)
                break


def blocks(src: Source) -> Iterator[list[ast.stmt]]:
    """All rows of statements."""
    top = [node for node in (src.tree.body if src.tree else []) if node.lineno > len(src.headers)]
    if top:
        yield top
    for node in src.nodes:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                yield block


def _row(
    form: Sequence[ast.stmt], block: Sequence[ast.stmt], at: int, holes: Holes
) -> Iterator[tuple[int, Holes]]:
    if not form:
        yield at, holes
        return
    many = _many(form[0])
    if many:
        for end in range(len(block), at, -1):
            filled = _bound(many, list(block[at:end]), holes)
            if filled is not None:
                yield from _row(form[1:], block, end, filled)
        return
    if at < len(block):
        filled = _fits(form[0], block[at], dict(holes))
        if filled is not None:
            yield from _row(form[1:], block, at + 1, filled)


def _many(node: ast.AST) -> str:
    inner = node.value if isinstance(node, ast.Expr) else node
    return inner.id if isinstance(inner, ast.Name) and inner.id.startswith("__") else ""


def _fits(form: ast.AST, node: ast.AST, holes: Holes) -> Holes | None:
    if isinstance(form, ast.Name) and form.id.startswith("_") and isinstance(node, ast.expr):
        return _bound(form.id, node, holes)
    if isinstance(form, ast.Call) and isinstance(form.func, ast.Name) and form.func.id == "NOT":
        opposite = _opposite(node)
        return None if opposite is None else _value(form.args[0], opposite, holes)
    if isinstance(form, ast.Assign) and isinstance(node, ast.AnnAssign) and node.value is not None:
        stood = _value(form.targets[0], node.target, holes)
        return None if stood is None else _fits(form.value, node.value, stood)
    if type(form) is not type(node):
        return None
    for field in form._fields:
        if field in _SILENT:
            continue
        one, two = getattr(form, field, None), getattr(node, field, None)
        filled = _value(one, two, holes)
        if filled is None:
            return None
        holes = filled
    return holes


_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Is: ast.IsNot, ast.In: ast.NotIn,
}  # fmt: skip


def _opposite(node: ast.AST) -> ast.AST | None:
    """What holds where a condition does not, where it is written as such."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        both = {**_TURNED, **{new: old for old, new in _TURNED.items()}}
        turned = ast.Compare(node.left, [both[type(node.ops[0])]()], node.comparators)
        return ast.copy_location(turned, node)
    return None


def _value(form: object, value: object, holes: Holes) -> Holes | None:
    if (
        isinstance(form, str)
        and form.startswith("_")
        and not form.startswith("__")
        and isinstance(value, str)
    ):
        return _bound(form, value, holes)
    if isinstance(form, ast.AST):
        return _fits(form, value, holes) if isinstance(value, ast.AST) else None
    if isinstance(form, list) and isinstance(value, list):
        if form and isinstance(form[0], ast.stmt):
            return next((filled for end, filled in _row(form, value, 0, holes) if end == len(value)), None)
        return _items(form, value, holes)
    return holes if form == value and type(form) is type(value) else None


def _items(form: list[object], value: list[object], holes: Holes) -> Holes | None:
    for at, one in enumerate(form):
        many = _many(one) if isinstance(one, ast.AST) else ""
        if many:
            rest = len(form) - at - 1
            filled = _bound(many, value[at : len(value) - rest], holes)
            return None if filled is None else _items(form[at + 1 :], value[len(value) - rest :], filled)
        if at >= len(value):
            return None
        made = _value(one, value[at], holes)
        if made is None:
            return None
        holes = made
    return holes if len(form) == len(value) else None


def _bound(name: str, value: object, holes: Holes) -> Holes | None:
    if name in holes:
        stood = holes[name]
        if isinstance(stood, str) and isinstance(value, ast.Name):
            return holes if stood == value.id else None
        return holes if alike(stood, value) else None
    return {**holes, name: value}


def alike(one: object, two: object) -> bool:
    """Whether two pieces are the same code, however they are used."""
    return _dump(one) == _dump(two)


def _dump(value: object) -> str:
    if isinstance(value, list):
        return "|".join(map(_dump, value))
    if isinstance(value, ast.AST):
        return re.sub(r"\b(?:Load|Store|Del)\(\)", "", ast.dump(value))
    return f"{value}"


# -- writing
# ---------------------------------------------------------------------------------------------------------


def filled(src: Source, form: str, holes: Holes, indent: str = "") -> str:
    """A form as code, each statement on a line of its own."""
    out: list[str] = []
    for line in textwrap.dedent(form).strip("\n").split("\n"):
        deep = indent + src.step * ((len(line) - len(line.lstrip())) // 4)
        block = holes.get(line.strip())
        if not line.strip():
            out.append("")
        elif isinstance(block, list):
            out += _lines(src, block, deep)
        else:
            out.append(deep + expression(src, line.strip(), holes))
    return "\n".join(out)


def expression(src: Source, form: str, holes: Holes) -> str:
    def put(match: re.Match[str]) -> str:
        name = match[1] or match[2] or match[3]
        value = holes.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return ", ".join(src.segment(one) for one in value)
        if not isinstance(value, ast.expr):
            return match[0]
        if match[1]:
            return negated(src, value)
        code = _code(src, value)
        before, after = form[: match.start()].rstrip(" "), form[match.end() :].lstrip(" ")
        alone = (not before or before[-1] in "([{,=:") and (
            not after or after[0] in ")]},:" or after.startswith("for ")
        )
        word = re.search(
            r"\b(?:return|in|if|for|while|raise|yield|elif|match|case|with)$", before
        ) is not None and (not after or re.match(r"[)\]},:]|(?:if|for|else|in|as)\b", after) is not None)
        if isinstance(value, ast.Tuple):
            return (
                code
                if before.endswith("for")
                or not code
                or code[0] == "("
                or (alone and before[-1:] not in "([{,=")
                else f"({code})"
            )
        loose = isinstance(value, (ast.IfExp, ast.Lambda, ast.NamedExpr, ast.Yield))
        number = isinstance(value, ast.Constant) and not after.startswith(".")
        if alone or isinstance(value, _ATOMS) or number or (word and not loose):
            return code
        return code if isinstance(value, ast.Constant) else f"({code})"

    return _HOLE.sub(put, form)


def _code(src: Source, value: ast.expr) -> str:
    """The text of an expression; of a comparison that was turned, with its other sign."""
    if isinstance(value, ast.Compare) and len(value.ops) == 1 and value not in src.parents:
        sign = ast.unparse(ast.Compare(ast.Name("a"), value.ops, [ast.Name("a")]))[1:-1].strip()
        return f"{src.segment(value.left)} {sign} {src.segment(value.comparators[0])}"
    return src.segment(value)


def _lines(src: Source, block: list[ast.stmt], indent: str) -> list[str]:
    first, last = src.first_line(block[0]), src.last_line(block[-1])
    while (
        first > 0
        and src.lines[first - 1].strip().startswith("#")
        and _deep(src.lines[first - 1]) == _deep(src.lines[src.first_line(block[0])])
    ):
        first -= 1
    was = src.indent(block[0])
    if not own_lines(src, block[0]):
        return [indent + line for line in "; ".join(src.segment(one) for one in block).split("\n")]
    return [
        indent + line[len(was) :] if line.startswith(was) and line.strip() else line
        for line in src.lines[first:last]
    ]


def _deep(line: str) -> int:
    return len(line) - len(line.lstrip())


def replaced(src: Source, place: Place, form: str) -> Change | None:
    """What puts another form in the place of one; None where a comment would be lost."""
    if isinstance(place.nodes[0], ast.expr):
        return (*src.span(place.nodes[0]), expression(src, form, place.holes))
    first, last = src.first_line(place.nodes[0]), src.last_line(place.nodes[-1])
    if not form.strip():
        return (*src.line_span(first, last), "")
    only = place.nodes[0]
    if isinstance(only, ast.AnnAssign) and only.value is not None and len(place.nodes) == 1:
        return (*src.span(only.value), expression(src, form.partition(" = ")[2], place.holes))
    made = filled(src, form, place.holes, src.indent(place.nodes[0]))
    stood = sum(first <= line < last for line, _, _ in src.comments)
    if stood and len(re.findall(r"#", made)) < stood:
        return None
    start, end = src.line_span(first, last)
    at = src.span(place.nodes[0])[0]
    head = src.text[start:at]
    if head.strip():
        return None
    return start, end, f"{made}\n"
