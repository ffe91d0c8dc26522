"""Calls that put another expression in the place of one: a function of both sides, a part of a text. Where
only what is to stand there is shown (*just set(sys.modules) please*), the expression that is most like it
goes."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from spark_tui.intent.building.building import Built, build_at, builder, of_table
from spark_tui.intent.building.called_instead import call_of_another
from spark_tui.intent.building.patterns import shown_with_holes
from spark_tui.intent.building.rewritten import replace_around, replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, parsed, weighted
from spark_tui.intent.context.import_origins import standard_homes
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import is_text

_DIRECTIVE = re.compile(r"%[-#]?[A-Za-z]|\{[^{}]*\}")
_ALIKE, _MOST_COMPARED = 0.6, 500
_SHOWN_KINDS = (ast.Call, ast.Compare, ast.BinOp, ast.BoolOp, ast.Subscript, ast.UnaryOp, ast.IfExp)
"""What is shown has to be more than a name, which would be like many others."""


@builder("replace_expression")
def replace_expression(context: Context) -> Iterator[Built]:
    """As it is said; a function in the place of what has two sides is called with both of them and what is
    counted from the end stays so."""
    if shown := list(shown_with_holes(context)) or list(replace_around(context)):
        yield from shown
        return
    if other := list(_only_result(context)) or list(in_place_of_alike(context)):
        yield from other
        return
    new = context.text("new").strip("`").removesuffix("()")
    count = 0
    for anchor in anchors(context, "expression:old"):
        source = context.source(anchor.path)
        if (whole := _call_for_call(context, anchor, source)) is not None:
            count += 1
            yield whole
            continue
        made = _from_end(source, anchor.node, new)
        if made is not None and anchor.node is not None:
            count += 1
            yield build_at(anchor, replace_code(context, anchor, made))
    if not count:
        yield from of_table(context, "replace_expression")


def _call_for_call(context: Context, anchor: Anchor, source: Source) -> Built | None:
    """A call that is shown whole, or what is taken from it, for the call without arguments of what is named:
    `NamedTemporaryFile(delete=False).name` for `tempfile.mktemp()`. One with nothing but keywords gets the
    arguments that are there."""
    code, func = context.text("new").strip("`"), anchor.node
    called, tree = source.parents.get(func) if func is not None else None, parsed(code)
    inner = tree.value if isinstance(tree, ast.Attribute) else tree
    if not isinstance(called, ast.Call) or called.func is not func:
        return None
    if called.args or called.keywords:
        spot, whole = replace(anchor, node=called), call_of_another(source, called, code)
        made = build_at(spot, replace_code(context, spot, whole)) if whole else None
        return made or _with_arguments_there(context, anchor, called)
    if not isinstance(inner, ast.Call) or not (inner.args or inner.keywords or inner is not tree):
        return None
    home = ast.unparse(func.value) if isinstance(func, ast.Attribute) else ""
    first = inner.func.id if isinstance(inner.func, ast.Name) else ""
    unknown = first and not context.visible(anchor.path, called).knows(first)
    front = f"{home}." if unknown and home in standard_homes().get(first, ()) else ""
    spot = replace(anchor, node=called)
    return build_at(spot, replace_code(context, spot, front + code))


def _with_arguments_there(context: Context, anchor: Anchor, called: ast.Call) -> Built | None:
    new, source = parsed(context.text("new").strip("`")), context.source(anchor.path)
    own = {item.arg for item in new.keywords} if isinstance(new, ast.Call) and not new.args else set()
    if not isinstance(new, ast.Call) or not own or None in own:
        return None
    kept = [*called.args, *(item for item in called.keywords if item.arg not in own)]
    given = ", ".join((*map(source.segment, kept), *map(ast.unparse, new.keywords)))
    doubt = assumed(f"{ast.unparse(new.func)} was assumed to take what {ast.unparse(called.func)} is given")
    spot = replace(anchor, node=called, doubts=(*anchor.doubts, doubt))
    return build_at(spot, replace_code(context, spot, f"{ast.unparse(new.func)}({given})"))


def _only_result(context: Context) -> Iterator[Built]:
    """What a function returns, where it does no more than that, and nothing else is named: *next_number: use
    x + 1 instead*."""
    if context.has("old") or not context.has("function") or parsed(context.text("new").strip("`")) is None:
        return
    for anchor in anchors(context, "function"):
        body = getattr(anchor.node, "body", [])
        last = body[-1] if body[:-1] == [one for one in body[:1] if is_text(one)] else None
        if isinstance(last, ast.Return) and last.value is not None:
            spot = replace(anchor, node=last.value)
            yield build_at(spot, replace_code(context, spot, context.text("new").strip("`")))


def _from_end(source: Source, node: ast.AST | None, new: str) -> str | None:
    """`len(END)` for the 4 of `name[:-4]`, or for `-4`: it is counted from the end still."""
    sign = source.parents.get(node) if isinstance(node, ast.Constant) else node
    if not isinstance(sign, ast.UnaryOp) or not isinstance(sign.op, ast.USub):
        return None
    sliced = isinstance(source.parents.get(sign), ast.Slice | ast.Subscript)
    plain = isinstance(parsed(new), ast.Call | ast.Name | ast.Attribute)
    return f"-{new}" if sliced and plain and sign is node else None


def alike_text(context: Context, new: str) -> list[tuple[Anchor, str]]:
    """The strings in which a part is like a text that is to stand there: the same fields in other order."""
    wanted = sorted(_DIRECTIVE.findall(new))
    found: list[tuple[float, Anchor, str]] = []
    for area, source, node in context.find(ast.Constant):
        if not isinstance(node.value, str) or source.span(node)[0] < 0:
            continue
        if isinstance(source.parents.get(node), ast.Expr):
            continue
        part = _same_fields(node.value, wanted) if len(wanted) > 1 else ""
        score = 1.0 if part else difflib.SequenceMatcher(None, node.value.lower(), new.lower()).ratio()
        if score >= _ALIKE and (part or node.value) != new:
            found.append((score, Anchor(area, node, 0.9), part or node.value))
    top = max((score for score, *_ in found), default=0.0)
    best = {anchor.node: (anchor, part) for score, anchor, part in found if score == top}
    return [
        (anchor, best[anchor.node][1]) for anchor in weighted(context, [each for each, _ in best.values()])
    ]


def _same_fields(text: str, wanted: list[str]) -> str:
    """The part of a text that has the same fields as another one, in whatever order."""
    fields = list(_DIRECTIVE.finditer(text))
    for at in range(len(fields) - len(wanted) + 1):
        run = fields[at : at + len(wanted)]
        if sorted(field[0] for field in run) == wanted:
            return text[run[0].start() : run[-1].end()]
    return ""


def in_place_of_alike(context: Context) -> Iterator[Built]:
    """The edits where nothing old is named and one expression is more like the new one than the others."""
    text = context.text("new").strip("`")
    new = parsed(text)
    if context.has("old") or not isinstance(new, _SHOWN_KINDS):
        return
    shown = ast.unparse(new)
    alike = (
        (area, source, node)
        for area, source, node in context.find(ast.AST)
        if type(node) is type(new) and called_name(node) == called_name(new) and source.span(node)[0] >= 0
    )
    found = [
        (difflib.SequenceMatcher(None, code, shown).ratio(), Anchor(area, node, 0.9))
        for area, source, node in islice(alike, _MOST_COMPARED)
        if (code := source.segment(node)) != shown
    ]
    most = max((score for score, _ in found), default=0.0)
    best = [anchor for score, anchor in found if score == most >= _ALIKE]
    for anchor in weighted(context, best):
        old = context.source(anchor.path).segment(anchor.node) if anchor.node is not None else ""
        guess = assumed(f"{old} was assumed to be what {text} takes the place of")
        built = build_at(anchor, replace_code(context, anchor, text))
        yield replace(built, doubts=(*built.doubts, guess))
