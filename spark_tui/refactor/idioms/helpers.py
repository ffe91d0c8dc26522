# ruff: noqa: E501 - forms read better unbroken
"""An expression that gets a function of its own: *pull the slug line out into a helper make_slug(title) above url_for*.

Comes in: an order. Goes out: edits that write the function and call it. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Function, Source, parameters
from spark_tui.refactor.stems import about

_KIND = r"(?P<kind>(?:static ?method|helper|function|func|method)(?: (?:function|method))?)"
_FORM = re.compile(
    rf"(?:extract|pull|move|factor|split|put|lift|turn)\s+(?P<what>.+?)(?:\s+out)?(?:\s+(?:of|from|in)\s+`?(?P<of>\w+)`?(?:\(\))?)?(?:\s+out)?\s+(?:in)?to\s+(?:an?|its own|their own)\s+(?:(?:new|small|little|separate|own|private|module[- ]level|top[- ]level)\s+)*{_KIND}"
    r"\s*,?\s*(?:called\s+|named\s+)?`?(?P<name>[^\W\d]\w*)(?:\((?P<args>[\w, ]*)\))?`?(?:\s*,?\s*(?:right |just |placed )?(?:above|before|in front of)\s+`?(?P<above>\w+)`?(?:\(\))?)?\W*",
    re.I,
)
_FORMS = (
    _FORM,
    re.compile(
        r"(?:extract|pull|move|factor|split|put|lift)\s+(?P<what>.+?)(?:\s+(?:of|from|in)\s+`?(?P<of>\w+)`?(?:\(\))?)?(?:\s+out)?\s+(?:in)?to\s+(?P<kind>)`?(?P<name>[^\W\d]\w*)\((?P<args>[\w, ]*)\)`?(?P<above>)\W*",
        re.I,
    ),
    re.compile(
        rf"(?:add|write|make|introduce)\s+(?:an?\s+)?(?:(?:new|small|little)\s+)*{_KIND}\s*,?\s*(?:called\s+|named\s+)?`?(?P<name>[^\W\d]\w*)(?:\((?P<args>[\w, ]*)\))?`?\s+for\s+(?P<what>.+?)(?P<of>)(?P<above>)(?:,?\s+and\s+(?:use|call)\s+it(?: there)?)\W*",
        re.I,
    ),
    re.compile(
        rf"give\s+(?P<what>.+?)(?P<of>)(?P<above>)\s+(?:its own|an own|a)\s+{_KIND}\s*,?\s*(?:called\s+|named\s+)?`?(?P<name>[^\W\d]\w*)(?:\((?P<args>[\w, ]*)\))?`?\W*",
        re.I,
    ),
)
_GENERIC = re.compile(
    r"\b(?:lines?|expressions?|code|logic|part|bit|steps?|calculation|computation|checks?|tests?|thing|one|value|formula|handling|building)\b",
    re.I,
)
_BUILTINS = frozenset(dir(builtins))


def helpers(order: Order) -> Iterator[Edit]:
    src = order.src
    form = next((match for one in _FORMS if (match := one.fullmatch(order.said))), None)
    if form is None or src.tree is None or re.search(rf"\b{form['name']}\b", src.text):
        return
    inside = [one for one in src.functions if form["of"] in (None, "", one.name)]
    wanted = _GENERIC.sub(" ", form["what"])
    found = [
        (function, statement)
        for function in inside
        for statement in ast.walk(function)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and src.function_of(statement) is function
        and not isinstance(statement.value, ast.Name | ast.Constant) and about(wanted, src.segment(statement))
    ]  # fmt: skip
    if len(found) != 1:
        return
    function, statement = found[0]
    value = statement.value
    args = None if form["args"] is None else [one.strip() for one in form["args"].split(",") if one.strip()]
    made = _parametrized(src, function, value, args)
    place = _place(src, function, form["above"] or None, "static" in (form["kind"] or "").lower())
    if made is None or place is None:
        return
    names, given, body = made
    at, indent, decorated, gap = place
    rows = [f"{indent}@staticmethod"] if decorated else []
    rows += [f"{indent}def {form['name']}({', '.join(names)}):", f"{indent}{src.step}return {body}"]
    text = "".join(f"{row}\n" for row in rows) + gap
    start = src.starts[at]
    call = f"{'self.' if decorated else ''}{form['name']}({', '.join(given)})"
    yield order.edit([(start, start, text), *_called(src, function, statement, call)], order.said)


def _called(src: Source, function: Function, statement: ast.Assign, call: str) -> list[Change]:
    """The call in the place of the expression; of a test in the place of its one use, if that is next."""
    behind = src.block(statement)[src.block(statement).index(statement) + 1 :][:1]
    told = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == ast.unparse(statement.targets[0])
    ]
    near = [node for one in behind for node in ast.walk(one) if node in told]
    if isinstance(statement.value, ast.BoolOp | ast.Compare) and len(told) == 2 and len(near) == 1:
        return [(*src.line_span(src.first_line(statement), src.last_line(statement)), ""), (*src.span(near[0]), call)]
    return [(*src.span(statement.value), call)]


def _parametrized(
    src: Source, function: Function, value: ast.expr, args: list[str] | None
) -> tuple[list[str], list[str], str] | None:
    """Parameters, what is given for them, and the expression in their words."""
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    local = {one.arg for one in parameters(function)} | stored | {"self", "cls"}
    inner = {node.id for node in ast.walk(value) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    if "\n" in src.segment(value) or any(isinstance(node, ast.Await | ast.Yield) for node in ast.walk(value)):
        return None
    free = [node for node in ast.walk(value) if isinstance(node, ast.Name) and node.id in local - inner]
    if args is None:
        args = list(dict.fromkeys(node.id for node in sorted(free, key=lambda node: node.col_offset)))
    changes: list[Change] = []
    given = []
    for name in args:
        standing = [node for node in ast.walk(value) if isinstance(node, ast.expr) and _stands_for(node, name)]
        if len({ast.unparse(node) for node in standing}) != 1:
            return None
        given.append(src.segment(standing[0]))
        changes += [(*src.span(node), name) for node in standing]
    covered = [(start, end) for start, end, _ in changes]
    rest = [node for node in free if not any(a <= src.span(node)[0] < b for a, b in covered)]
    if rest or not args or set(args) & _BUILTINS:
        return None
    start, end = src.span(value)
    text = src.changed(changes)
    return args, given, text[start : len(text) - (len(src.text) - end)]


def _stands_for(node: ast.expr, name: str) -> bool:
    """`title`, `product.title`, `row["title"]` are a title."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and node.slice.value == name
    return (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)


def _place(src: Source, function: Function, above: str | None, static: bool) -> tuple[int, str, bool, str] | None:
    """Line, indentation, whether it belongs to the class, what is between it and what follows."""
    if above is not None and above not in {one.name for one in (*src.functions, *src.classes)}:
        return None
    owner = src.class_of(function)
    if static:
        return None if owner is None else (src.first_line(function), src.indent(function), True, "\n")
    outermost: ast.AST = function
    for one in src.ancestors(function):
        outermost = one if isinstance(one, Function | ast.ClassDef) else outermost
    node = next((one for one in (*src.functions, *src.classes) if one.name == above), outermost)
    at = src.first_line(node) if isinstance(src.parents.get(node), ast.Module) else src.first_line(outermost)
    while at and src.lines[at - 1].startswith("#"):
        at -= 1
    return at, "", False, "\n\n"


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"\b(?:extract|pull|move|factor|split|put|lift|turn)\b.*(?:\b(?:helper|function|func|method|staticmethod)\b|\()|\b(?:helper|function)\b.*\b(?:use|call) it\b|\bgive\b.*\bfunction\b", re.I), helpers),
)  # fmt: skip
