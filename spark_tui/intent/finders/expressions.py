"""Finders for expressions and statements: calls, literals, names, comparisons, conditions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.checks.expected_errors import EXPECTING
from spark_tui.codemods.families.statements.branches import always_leaves
from spark_tui.intent.context.anchors import (
    Anchor,
    Search,
    finder,
    is_same_code,
    is_same_expression,
    nodes,
    parsed,
    places_shown,
)
from spark_tui.intent.context.areas import functions_in
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.situation import Area
from spark_tui.intent.context.spelling import edit_distance
from spark_tui.intent.context.symbol_kinds import is_member
from spark_tui.intent.finders.described import described_parameters
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.phrases import value
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.syntax.walking import walk

_MOST_FUNCTIONS = 40
_SPELLED = 0.9
"""How well a name fits that is the same in another spelling."""
_CODE = re.compile(r"_|[a-z][A-Z]")


def keep_best(found: Sequence[tuple[float, ast.AST]]) -> Iterator[Anchor]:
    """Those that fit best, as anchors whose weight is how well they fit."""
    top = max((score for score, _ in found), default=0.0)
    for score, node in found:
        if score == top:
            yield Anchor(Area(""), node, weight=score)


@finder
def function(at: Search) -> Iterator[Anchor]:
    """The function that is named, or those that may be meant."""
    if isinstance(at.root, Function):
        yield Anchor(Area(""), at.root)
        return
    inside = functions_in(
        at.context.repo, Area(at.source.path, at.root if isinstance(at.root, ast.ClassDef) else None)
    )
    near = [item for item in inside if at.source.qualname(item) in at.context.near]
    if near:
        yield Anchor(Area(""), near[-1])
        inside = [item for item in inside if item is not near[-1]]
    if len(inside) > _MOST_FUNCTIONS:
        return
    for one in inside:
        yield Anchor(Area(""), one, weight=0.9 if not near else 0.3)


@finder
def class_(at: Search) -> Iterator[Anchor]:
    if isinstance(at.root, ast.ClassDef):
        yield Anchor(Area(""), at.root)
        return
    if isinstance(at.root, Function):
        return
    for item in at.source.definitions:
        if isinstance(item, ast.ClassDef):
            yield Anchor(Area(""), item, weight=0.9)


@finder
def definition(at: Search) -> Iterator[Anchor]:
    """The function or class that is named or around the cursor, or else the file."""
    if isinstance(at.root, Definition):
        yield Anchor(Area(""), at.root)
        return
    near = [item for item in at.source.definitions if at.source.qualname(item) in at.context.near]
    yield from (Anchor(Area(""), item) for item in near[-1:])
    if not near and not at.context.has("file") and len(at.source.definitions) == 1:
        yield Anchor(Area(""), at.source.definitions[0], weight=0.9)


_MEMBER = 0.3
"""How likely a parameter is meant by a name that is shown as one of the object."""


@finder
def parameter(at: Search) -> Iterator[Anchor]:
    """The functions that have the parameter."""
    wanted = key(plain_name(at.context.text(at.slot)))
    found: list[tuple[float, ast.AST, str]] = []
    for item in _callables(at.source, at.root):
        for each in parameters(item):
            name = key(each.arg)
            if name == wanted:
                found.append((1.0, item, each.arg))
            elif wanted.rstrip("s") == name.rstrip("s") or (
                len(wanted) > 4 and edit_distance(wanted, name, 1) <= 1
            ):
                found.append((0.6, item, each.arg))
            elif len(wanted) > 2 and (wanted in name or name in wanted) and len(name) > 2:
                found.append((0.3, item, each.arg))
    found = found or list(described_parameters(at, _callables(at.source, at.root)))
    top = max((score for score, *_ in found), default=0.0)
    text = at.context.text(at.slot)
    shown = _MEMBER if is_member(text) else 1.0
    for score, node, spelled in found:
        if score == top:
            guess = (
                f"{text} was read as {spelled}"
                if text
                else assumed(f"{spelled} was assumed: nothing is named")
            )
            doubts = () if score == 1.0 else (guess,)
            yield Anchor(Area(""), node, weight=score * shown, doubts=doubts, words={"parameter": spelled})


def _callables(source: Source, root: ast.AST) -> list[Function]:
    if isinstance(root, Function):
        return [root]
    if isinstance(root, ast.ClassDef):
        init = [stmt for stmt in root.body if isinstance(stmt, Function)]
        return sorted(init, key=lambda item: item.name != "__init__")
    return list(source.functions)


@finder
def call(at: Search) -> Iterator[Anchor]:
    text = at.context.text(at.slot).strip("`")
    found: list[tuple[float, ast.AST]] = []
    exact = parsed(text) or parsed(f"{text})")
    name = plain_name(text)
    for node in nodes(at.root, ast.Call):
        score = call_score(node, exact, name) or (0.98 if _calls_own(at.source, node, name) else 0.0)
        if score <= _SPELLED and is_member(text) and isinstance(node.func, ast.Name):
            continue  # `self._cookies` is no other spelling of the class `Cookies`
        if score:
            found.append((score, node))
    for anchor in keep_best(_where_said(at, found)):
        assert isinstance(anchor.node, ast.Call)
        shown = ast.unparse(anchor.node.func)
        # What looks like code is spelled as it is: another spelling is another thing.
        other = anchor.weight <= _SPELLED and _CODE.search(name) is not None
        yield replace(anchor, doubts=(f"{name} was read as {shown}",)) if other else anchor


def _where_said(at: Search, found: list[tuple[float, ast.AST]]) -> list[tuple[float, ast.AST]]:
    """What stands on the line that is named or in the code that is shown, if anything does; else all."""
    line = at.context.situation.line
    here = [item for item in found if getattr(item[1], "lineno", 0) == line]
    shown = places_shown(at.context, [(at.source.path, node) for _, node in found])
    return here or [found[index] for index in shown]


def _calls_own(source: Source, node: ast.Call, name: str) -> bool:
    """Whether a class method makes its object: `cls(…)`."""
    inner = source.function_of(node) if isinstance(node.func, ast.Name) and node.func.id == "cls" else None
    owner = source.class_of(inner) if inner is not None else None
    return owner is not None and owner.name == name


def call_score(node: ast.Call, exact: ast.expr | None, name: str) -> float:
    """How well the name of a call fits a call."""
    if isinstance(exact, ast.Call) and (exact.args or exact.keywords) and is_same_expression(exact, node):
        return 1.0
    spelled = ast.unparse(node.func)
    if isinstance(exact, ast.Call) and (exact.args or exact.keywords) and _begins_so(exact, node):
        return 0.995
    if spelled == name:
        return 0.99
    last = spelled.rpartition(".")[2]
    if last == name.rpartition(".")[2] and ("." not in name or spelled.endswith(name)):
        return 0.98
    if "." in name and last == name.rpartition(".")[2]:
        return 0.7
    if key(last) == key(name):
        return 0.9
    if "." not in name and "." in spelled and key(spelled.split(".")[0]) == key(name):
        return 0.4
    return 0.5 if len(name) > 4 and edit_distance(key(last), key(name), 1) <= 1 else 0.0


def _begins_so(shown: ast.Call, node: ast.Call) -> bool:
    """Whether a call is given what a shown one is, and more: `warn("old", Gone)` for `warn("old")`."""
    keywords = [ast.unparse(one) for one in node.keywords]
    pairs = zip((shown.func, *shown.args), (node.func, *node.args), strict=False)
    fits = len(shown.args) <= len(node.args) and all(is_same_expression(*pair) for pair in pairs)
    return fits and all(ast.unparse(one) in keywords for one in shown.keywords)


@finder
def literal(at: Search) -> Iterator[Anchor]:
    """The places of a literal: a number, a string, a display."""
    if not at.context.has(at.slot):
        return
    text = at.context.text(at.slot).strip("`")
    wanted = parsed(value(text) or text)
    span = at.context.span(at.slot)
    # What stands in quotes has the blanks that it has.
    plain = span.text if span is not None and span.quoted else text.strip("'\"")
    found: list[tuple[float, ast.AST]] = []
    for node in nodes(at.root, ast.Constant, ast.List, ast.Dict, ast.Tuple, ast.Set, ast.UnaryOp):
        if at.source.span(node)[0] < 0 or _stands_alone(at.source, node):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            same = node.value in (plain, getattr(wanted, "value", plain))
            if same or node.value.lower() == plain.lower():
                found.append((1.0 if same and (span is None or span.quoted) else 0.9 if same else 0.6, node))
        elif is_same_expression(wanted, node):
            outer = at.source.parents.get(node)
            signed = isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.USub | ast.UAdd)
            if not signed:
                found.append((1.0, node))
    yield from keep_best(behind_setting(at, found))


def _stands_alone(source: Source, node: ast.AST) -> bool:
    return isinstance(source.parents.get(node), ast.Expr)


@finder
def expression(at: Search) -> Iterator[Anchor]:
    """The places of an expression, by its tree; of words, by the names that they are."""
    text = at.context.text(at.slot).strip("`").rstrip(";")
    if _ENDS.match(text):
        yield from _ending(at, text)
        return
    wanted = parsed(text)
    found: list[tuple[float, ast.AST]] = []
    for node in nodes(at.root, ast.expr):
        if at.source.span(node)[0] < 0 or _is_store(node) or _stands_alone(at.source, node):
            continue
        if is_same_expression(wanted, node):
            found.append((1.0, node))
        elif is_same_code(at.source.segment(node), text):
            found.append((0.98, node))
    if not found and not isinstance(wanted, ast.Call):
        visible = at.context.visible(at.source.path, at.root)
        spelled = visible.expression(text)
        again = parsed(spelled) if spelled is not None else None
        if again is not None:
            found = [
                (0.8, inner)
                for inner in nodes(at.root, type(again))
                if at.source.span(inner)[0] >= 0 and not _is_store(inner) and is_same_expression(again, inner)
            ]
    if not found:
        kind = _EXPRESSION_KINDS.get(plain_name(text).lower())
        found = [(0.6, inner) for inner in nodes(at.root, kind)] if kind is not None else []
    if not found and text:
        literals = list(literal(at))
        yield from literals
        replaced = ("replace_expression", "replace_name_use")
        whole = at.slot == "variable" or at.context.reading.intent in replaced
        found = list(_attributes(at, text)) if whole and not literals else []
    if at.context.reading.intent == "extract_variable":
        found = [(score, _result(at.source, node)) for score, node in found]
    yield from keep_best(behind_setting(at, found))


def _result(source: Source, node: ast.AST) -> ast.AST:
    """The call of a function that is named alone: it is what comes of it that gets a name."""
    return source.parents[node] if isinstance(node, ast.Name) and source.is_called(node) else node


def _attributes(at: Search, text: str) -> Iterator[tuple[float, ast.AST]]:
    """Attributes that are called so, or whose name ends so: of `SIGTERM` *TERM*."""
    for node in nodes(at.root, ast.Attribute):
        if not _is_store(node) and not (at.slot != "old" and at.source.is_called(node)):
            if node.attr == text:
                yield 0.7, node
            elif len(text) > 2 and text.isupper() and node.attr.endswith(text):
                yield 0.6, node


_ENDS = re.compile(r"\.[A-Za-z_]|(?:[=!<>]=|[<>])(?=\s)")
"""What code begins with that is the end of an expression: `.lower()`, `== 0`."""


def _ending(at: Search, text: str) -> Iterator[Anchor]:
    """The expressions that end with a text, with what stands in front of it as `holder`."""
    found = [node for node in nodes(at.root, ast.Attribute, ast.Call, ast.Compare) if not _is_store(node)]
    seen: set[int] = set()
    for inner in reversed(found):
        shown, end = at.source.segment(inner), at.source.span(inner)[1]
        if len(shown) > len(text) and shown.endswith(text) and end not in seen:
            seen.add(end)
            yield Anchor(Area(""), inner, weight=0.9, words={"holder": shown[: -len(text)]})


_EXPRESSION_KINDS: dict[str, type[ast.expr]] = {
    "lambda": ast.Lambda,
    "list comprehension": ast.ListComp,
    "dict comprehension": ast.DictComp,
    "set comprehension": ast.SetComp,
    "generator expression": ast.GeneratorExp,
    "ternary": ast.IfExp,
}
"""What expressions are called where they are not shown."""


def _is_store(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)


def mentions(node: ast.AST, text: str) -> float:
    """Whether a text names an expression in a node."""
    plain = text.strip("`")
    wanted = parsed(value(plain) or plain)
    inside = [inner for inner in walk(node) if isinstance(inner, ast.expr)]
    if wanted is not None and any(is_same_expression(wanted, inner) for inner in inside):
        return 1.0
    name = key(plain_name(plain))
    names = {key(item) for inner in inside for item in names_in_node(inner)}
    return 1.0 if name and name in names else 0.0


def names_in_node(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [node.attr, ast.unparse(node)]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return []


def behind_setting(at: Search, found: list[tuple[float, ast.AST]]) -> list[tuple[float, ast.AST]]:
    """Of places where a name is to stand instead, those after the statement that gives it that value."""
    name = at.context.text("new").strip("`")
    if at.slot != "old" or not name.isidentifier():
        return found
    sets = [
        node for node in nodes(at.root, ast.Assign) if any(ast.unparse(goal) == name for goal in node.targets)
    ]
    first = next((node for node in sets if any(each in walk(node.value) for _, each in found)), None)
    if first is None:
        return found
    later = {node for stmt in _run_behind(at.source, first) for node in walk(stmt)}
    if at.source.function_of(first) is None:  # functions run when all is set
        bodies = (stmt for function in at.source.functions for stmt in function.body)
        later |= {node for body in bodies for node in walk(body)}
    return [(score, one) for score, one in found if one in later]


def _run_behind(source: Source, stmt: ast.stmt) -> Iterator[ast.stmt]:
    """What runs only when a statement has: also below its `with`, and its `try` where the handlers leave."""
    yield from source.following(stmt)
    outer = source.parents.get(stmt)
    if (
        isinstance(outer, ast.Try)
        and stmt in outer.body
        and all(always_leaves(h.body) for h in outer.handlers)
    ):
        yield from outer.orelse
        yield from _run_behind(source, outer)
    elif isinstance(outer, ast.With | ast.AsyncWith) and not any(
        called_name(item.context_expr) in EXPECTING for item in outer.items
    ):
        yield from _run_behind(source, outer)
