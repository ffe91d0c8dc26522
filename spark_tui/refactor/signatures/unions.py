"""Old forms of types become new ones, and back: `Optional[X]`, `Union[X, Y]`, `List[X]`.

Comes in: orders. Goes out: edits of every hint in the scope, and of the import that is not needed any more. Must not
know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.imports import imports_for, without_imports
from spark_tui.refactor.signatures.talk import accounted, mended, plain_words
from spark_tui.refactor.signatures.words import NOISE
from spark_tui.refactor.source import Change, Source

_WORDS = NOISE | frozenset(
    words(
        """optional union unions none typing type types hint hints annotation annotations annotate modern modernise modernize style syntax new old form pipe pep 604 585 up007 up006 up045 pyupgrade ruff use using instead replace replaced swap
        change rewrite write rid get nuke prefer over x y in all everywhere the to with drop remove builtin builtins generics generic list dict set tuple lowercase lower case back switch convert turn we i here rather should be no more
        on demo stop avoid as go ahead import imports reviewer wants complains this file whole module otpinoal agreed meeting sorry but"""
    )
)
_GENERICS = {"List": "list", "Dict": "dict", "Set": "set", "Tuple": "tuple", "FrozenSet": "frozenset", "Type": "type"}
_OLD = re.compile(r"\bOptional\b|\bUnion\b|\bUP007\b|\bUP045\b|\bpep ?604\b|\bunions?\b", re.I)
_GENERIC = re.compile(
    r"\b(?:List|Dict|Set|Tuple|FrozenSet|Type)\b(?=\[|[^\w]|$)|\bUP006\b|\bpep ?585\b|\bbuiltin generics\b|\btyping generics\b",
    re.I,
)
_BACK = re.compile(
    r"(?:\bOptional(?:\[X\])?`?\s+(?:instead of|rather than|over|not)\s+`?(?:X |T )?\|)|\|\s*None`?\s*(?:->|→|to|with|by|into|as)\s*`?Optional",
    re.I,
)
_STOP = re.compile(
    r"\b(?:optional (?:param\w*|arg\w*|\w+ (?:param|arg))|default|make \S+ optional|parameter|import (?!\w*\b(?:list|optional|union))|field|key|argument|if|return(?:s)?|raise|empty|comprehension|convert \S+ to an?)\b",
    re.I,
)


def modernise(order: Order) -> Iterator[Edit]:
    src, text = order.src, mended(plain_words(order), _WORDS, order.identifiers)
    text = re.sub(
        r"\bO[a-z]{7}\b", lambda match: "Optional" if sorted(match[0].lower()) == sorted("optional") else match[0], text
    )
    if src.tree is None or _STOP.search(text):
        return
    first, last = order.scope() if order.numbered or order.selection else _named_scope(order)
    wide = (0, len(src.lines))
    old = _OLD.search(text) is not None
    generic = (
        _GENERIC.search(text) is not None
        and re.search(r"typing|UP006|585|generic|builtin|lower|instead|->|→|\bList\b|\bDict\b|\bTuple\b|\bSet\b", text)
        is not None
    )
    if _BACK.search(text) and not re.search(r"\bprefer\b.*\bto\b", text, re.I):
        changes = [change for node in src.nodes if (change := _optional_again(src, node)) is not None]
        changes = imports_for(src, ["Optional"]) + changes
        yield from _put(order, changes, text)
        return
    if not old and not generic:
        return
    numbered = bool(order.numbered)
    places = (first, last) if not numbered else wide
    kinds = frozenset((["Optional", "Union"] if old else []) + (list(_GENERICS) if generic else []))
    if re.search(r"\bOptional\b", text) and not re.search(r"\bUnion\b|UP007|604", text):
        kinds -= {"Union"}
    if generic and (only := {one for one in _GENERICS if re.search(rf"\b{one}\b", text)}):
        kinds -= frozenset(_GENERICS) - only
    nodes = [
        node
        for node in src.nodes
        if isinstance(node, ast.Subscript | ast.Name) and places[0] <= src.line_at(src.span(node)[0]) < places[1]
    ]
    tops = _outermost(src, nodes, kinds)
    changes = []
    for node in tops:
        new = _rewritten(src, node, kinds)
        if new is None:
            return
        changes.append((*src.span(node), new))
    if changes:
        after = src.changed(changes)
        changes += without_imports(src, kinds, after)
        yield from _put(order, changes, text)


def _named_scope(order: Order) -> tuple[int, int]:
    named = order.functions() or order.classes()
    if len(named) == 1:
        return order.src.first_line(named[0]), order.src.last_line(named[0])
    return 0, len(order.src.lines)


def _put(order: Order, changes: list[Change], text: str) -> Iterator[Edit]:
    if changes:
        places = re.findall(r"\b(?:lines?|ln|l)\s*#?\d+\b", order.said, re.I)
        named = [node.name for node in (order.functions() or order.classes())][:1]
        yield order.edit(changes, *places, *named, *accounted(order.said, _WORDS), *accounted(text, _WORDS))


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_old(node: ast.AST, kinds: frozenset[str]) -> bool:
    if isinstance(node, ast.Subscript):
        return _name(node.value) in kinds
    return isinstance(node, ast.Name) and node.id in kinds & frozenset(_GENERICS)


def _outermost(src: Source, nodes: list[ast.Subscript | ast.Name], kinds: frozenset[str]) -> list[ast.expr]:
    found = [node for node in nodes if _is_old(node, kinds)]
    every = set(found)
    return [
        node
        for node in found
        if not any(one in every for one in src.ancestors(node)) and not isinstance(src.parents.get(node), ast.alias)
    ]


def _rewritten(src: Source, node: ast.expr, kinds: frozenset[str]) -> str | None:
    """The source in the new form; None where that cannot be written."""
    if isinstance(node, ast.Name):
        return _GENERICS.get(node.id, node.id) if node.id in kinds else node.id
    inside = [
        child
        for child in ast.walk(node)
        if child is not node and isinstance(child, ast.Subscript | ast.Name) and _is_old(child, kinds)
    ]
    if isinstance(node, ast.Subscript) and _name(node.value) in kinds:
        name = _name(node.value)
        if name in _GENERICS:
            inner = _piece(src, node.slice, kinds)
            return f"{_GENERICS[name]}[{inner}]" if inner is not None else None
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in parts):
            return None
        pieces = [_piece(src, one, kinds) for one in parts]
        if any(one is None for one in pieces):
            return None
        return " | ".join([*(one for one in pieces if one), *(["None"] if name == "Optional" else [])])
    return src.segment(node) if not inside else None


def _piece(src: Source, node: ast.expr, kinds: frozenset[str]) -> str | None:
    """A part of a type, with what is old in it made new."""
    start = src.span(node)[0]
    inside = [
        child for child in ast.walk(node) if isinstance(child, ast.Subscript | ast.Name) and _is_old(child, kinds)
    ]
    spans: list[tuple[int, int, str]] = []
    for child in sorted(inside, key=lambda one: (src.span(one)[0], -src.span(one)[1])):
        begin, end = src.span(child)
        if spans and begin < spans[-1][1]:
            continue
        new = _rewritten(src, child, kinds)
        if new is None:
            return None
        spans.append((begin, end, new))
    text = src.segment(node)
    for begin, end, new in reversed(spans):
        text = text[: begin - start] + new + text[end - start :]
    return text


def _optional_again(src: Source, node: ast.AST) -> Change | None:
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)):
        return None
    if not (isinstance(node.right, ast.Constant) and node.right.value is None):
        return None
    if isinstance(node.left, ast.BinOp):
        return None
    return (*src.span(node), f"Optional[{src.segment(node.left)}]")


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"o[pt]{2}in?o[na]+l|option|optoinal|union|up00[67]|up045|\bo[a-z]{7}\b|pep ?(?:604|585)|typing|\bList\b|\bDict\b|\bTuple\b|\| ?none",
            re.I,
        ),
        modernise,
    ),
)
