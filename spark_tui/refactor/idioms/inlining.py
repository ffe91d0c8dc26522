"""A variable inlined: its value where it is used, and no assignment.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import around, binds_tighter, own_lines, replaced, uses
from spark_tui.refactor.source import Change, Source

_TIGHT = (
    ast.Name,
    ast.Attribute,
    ast.Call,
    ast.Subscript,
    ast.Constant,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.JoinedStr,
)


_SCOPES = (
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    *(ast.FunctionDef, ast.AsyncFunctionDef),
)


def inlined(asked: Asked) -> Iterator[Spot]:
    """Variables that are set once and whose value can stand where they are used."""
    src, named = asked.src, set(asked.order.names) | set(re.findall(r"[^\W\d]\w*", asked.order.said))
    low = {name.lower() for name in named}
    several: list[Spot] = []
    told = False
    if (
        one := re.match(r"(?:just )?inline (?:the )?(?:local )?(?:variable )?`?(\w+)`?", asked.order.said, re.I)
    ) is not None:
        only = one[1] if any(isinstance(node, ast.Name) and node.id == one[1] for node in src.nodes) else ""
    else:
        only = ""
    for node in src.statements:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None or not own_lines(src, node):
            continue
        target = (
            node.targets[0]
            if isinstance(node, ast.Assign) and len(node.targets) == 1
            else node.target
            if isinstance(node, ast.AnnAssign)
            else None
        )
        if not isinstance(target, ast.Name) or only not in ("", target.id):
            continue
        made = _inlined(src, node, target)
        if made is None:
            continue
        value = re.sub(r"\s+", "", src.segment(node.value))
        words = (target.id,) if target.id.lower() in low else ()
        if words or (len(value) > 5 and value in re.sub(r"\s+", "", asked.order.said)):
            told = True
            yield Spot(node, made, (*words, target.id))
        elif re.search(r"\b(?:one line|two lines|one line less|inline|variable)\b", asked.text):
            several.append(Spot(node, made))
    if not told:
        yield from several


def _inlined(src: Source, node: ast.Assign | ast.AnnAssign, target: ast.Name) -> tuple[Change, ...] | None:
    function = src.function_of(node)
    assert node.value is not None
    scope = around(src, node)
    found = [one for one in uses(scope, target.id) if one is not target]
    if function is None or not found or any(not isinstance(one.ctx, ast.Load) for one in found):
        return None
    if any(
        isinstance(one, ast.Global | ast.Nonlocal) and target.id in one.names
        for part in scope
        for one in ast.walk(part)
    ):
        return None
    if any(src.span(one)[0] < src.span(node)[0] for one in found) or any(
        isinstance(one, ast.Assign | ast.For) and src.parents.get(one) is None for one in found
    ):
        return None
    pure = all(
        isinstance(
            one,
            (
                ast.Name,
                ast.Attribute,
                ast.Constant,
                ast.expr_context,
                ast.BinOp,
                ast.operator,
                ast.UnaryOp,
                ast.unaryop,
                ast.Subscript,
                ast.Compare,
                ast.cmpop,
                ast.BoolOp,
                ast.boolop,
                ast.Tuple,
                ast.Slice,
            ),
        )
        for one in ast.walk(node.value)
    )
    if len(found) > 1 and not pure:
        return None
    block = src.block(node)
    at = block.index(node)
    for one in found:
        holder: ast.AST | None = one
        while holder is not None and src.parents.get(holder) is not src.parents.get(node):
            if isinstance(holder, _SCOPES) and not pure:
                return None
            if isinstance(holder, ast.For | ast.While) and one not in set(ast.walk(getattr(holder, "iter", holder))):
                return None
            holder = src.parents.get(holder)
        if not isinstance(holder, ast.stmt) or holder not in block:
            return None
        if isinstance(holder, ast.For | ast.While) and (
            isinstance(holder, ast.While) or one not in set(ast.walk(holder.iter))
        ):
            return None
        between = block[at + 1 : block.index(holder)]
        if not _same_still(node.value, between, pure):
            return None
    if "#" in src.lines[src.first_line(node)] and any(
        src.first_line(node) <= row < src.last_line(node) for row, _, _ in src.comments
    ):
        return None
    value = src.segment(node.value)
    start, end = src.first_line(node), src.last_line(node)
    changes: list[Change] = [replaced(src, start, end, ())]
    for one in found:
        parent = src.parents.get(one)
        text = value
        if isinstance(parent, ast.FormattedValue):
            if (
                "\n" in value
                or "\\" in value
                or (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str))
            ):
                return None
            quoted = next((up for up in src.ancestors(one) if isinstance(up, ast.JoinedStr)), None)
            mark = src.segment(quoted)[1:2] if quoted is not None else '"'
            if mark in value:
                other = "'" if mark == '"' else '"'
                if other in value:
                    return None
                text = value.replace(mark, other)
            if value.startswith("{") or isinstance(node.value, ast.Lambda | ast.NamedExpr):
                return None
        elif any(isinstance(up, ast.JoinedStr) for up in src.ancestors(one)):
            return None
        if not isinstance(node.value, _TIGHT) or (
            isinstance(node.value, ast.Constant)
            and isinstance(parent, ast.Attribute)
            and not isinstance(node.value.value, str)
        ):
            whole = (
                isinstance(
                    parent,
                    ast.Return
                    | ast.Assign
                    | ast.AnnAssign
                    | ast.keyword
                    | ast.Expr
                    | ast.If
                    | ast.While
                    | ast.For
                    | ast.FormattedValue,
                )
                or (isinstance(parent, ast.Call) and parent.func is not one)
                or (isinstance(parent, ast.Subscript) and parent.slice is one)
            )
            if isinstance(node.value, ast.Yield | ast.YieldFrom | ast.NamedExpr):
                return None
            loose = isinstance(node.value, ast.Tuple | ast.GeneratorExp | ast.Await)
            bare = whole and (not loose or isinstance(parent, ast.Return | ast.Assign | ast.For))
            closed = text.startswith("(") and isinstance(node.value, ast.Tuple | ast.GeneratorExp)
            if not bare and not closed and not binds_tighter(node.value, parent, one):
                text = f"({text})"
        changes.append((*src.span(one), text))
    return tuple(changes)


def _same_still(value: ast.expr, between: list[ast.stmt], pure: bool) -> bool:
    """Whether a value is the same behind some statements."""
    if not between:
        return True
    names = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)}
    held = any(isinstance(one, ast.Attribute | ast.Subscript) for one in ast.walk(value))
    for part in between:
        for one in ast.walk(part):
            if isinstance(one, ast.Name) and one.id in names and not isinstance(one.ctx, ast.Load):
                return False
            if (not pure or held) and isinstance(one, ast.Call | ast.Await | ast.Yield | ast.Raise | ast.Return):
                return False
            if (
                isinstance(one, ast.Attribute | ast.Subscript)
                and not isinstance(one.ctx, ast.Load)
                and any(isinstance(up, ast.Attribute | ast.Subscript) for up in ast.walk(value))
            ):
                return False
    return True


_VARIABLE = "variable variables var local locals name named names assignment value expression temporary temp"


WAYS = (
    way(
        r"\binlin\w*|\b(?:variable|var|assignment|local|temp\w*)\b.*\b(?:needed|need|rid|drop|remove|without|unnecessary|necessary|not|no|merge)|\b(?:no|without|drop|remove|unnecessary|redundant|useless|needless|don'?t need|rid of)\b.*\b(?:variable|var|assignment|local)\b|used once|only used|only there to carry|really needed|in the place of|value of \w+ directly|\bmerge (?:the )?assignment|one line (?:is enough|less)|make it one line|directly|^no \w+, |\bremoval of|\bsubstitute\b|\bis needless|is unnecessary|is redundant|instead of|where \w+",
        inlined,
        f"{_VARIABLE} inline inlined inlining drop dropped remove directly direct really needed need without no once only used there carry place put merge assignment line after next one two enough return returned use where instead intermediate superfluous removal substitute is there this unnecessary extra itself less use delete shouldn't rid redundant",
    ),
)
