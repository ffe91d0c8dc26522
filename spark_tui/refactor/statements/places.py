"""Where a new line goes: *before the return*, *after line 12*, *at the end of main*, *first thing in the loop*.

Comes in: a phrase of an order. Goes out: places between lines, with the indentation that code has there. Must not
know: what is put there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from spark_tui.refactor.order import _parts as parts
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Source, body_behind_docstring, docstring, indent_of
from spark_tui.refactor.statements.talk import Talk
from spark_tui.refactor.statements.where import (
    Spot,
    around,
    branch,
    definitions,
    find,
    scopes,
    statement_at,
)


@dataclass(frozen=True)
class Place:
    """In front of line `line`; `sure` where the words leave one place only."""

    line: int
    indent: str
    sure: bool = True
    ends: bool = False
    """It is the end of a block."""
    top: bool = False
    """It is among the first lines of the file."""


_CLOSE = r"(?:(?:right|just|directly|straight|immediately|shortly|only|even|exactly|somewhere|one line|a line)\s+)*"
BEFORE = re.compile(
    rf"{_CLOSE}(?:before|above|ahead of|in front of|prior to|on top of|over)\s+(?:the line\s+(?!\d))?(?P<t>.+)$", re.I
)
AFTER = re.compile(
    rf"{_CLOSE}(?:after|below|under|underneath|beneath|behind|following|past)\s+(?:the line\s+(?!\d))?(?P<t>.+)$", re.I
)
TOP = re.compile(
    r"(?:(?:at|on|to|as|in|from|right at|into)\s+)*(?:the\s+)?(?:very\s+)?(?:top|start|beginning|begin|head|first thing|first line|first statement|first)(?:\s+(?:of|in|inside(?: of)?|inside|within|for|at))?(?P<t>\s+.+)?$",
    re.I,
)
BOTTOM = re.compile(
    r"(?:(?:at|on|to|as|in|right at|into)\s+)*(?:the\s+)?(?:very\s+)?(?:end|bottom|tail|last thing|last line|last statement|last)(?:\s+(?:of|in|inside(?: of)?|within|for|at))?(?P<t>\s+.+)?$",
    re.I,
)
INSIDE = re.compile(r"(?:inside(?: of)?|into|within|in|to|at)\s+(?P<t>.+)$", re.I)
ON_LINE = re.compile(r"(?:at|on|as|in)\s+(?:a\s+)?(?:new\s+)?(?:lines?|ln|l)\.?\s*#?(?P<n>\d+)$", re.I)
BETWEEN = re.compile(r"(?:in\s+)?between\s+(?P<a>.+?)\s+and\s+(?P<b>.+)$", re.I)
_DOING = re.compile(
    r"(?:(?:it|the (?:function|method)|we|this|that|you|the loop)\s+)?(?P<verb>[a-z]+?)(?:ing|s)(?P<what>\s.+)?$", re.I
)


def places(talk: Talk, phrase: str, within: tuple[int, int] | None = None) -> list[Place]:
    """All places that the phrase may mean; none where any of its words is not understood."""
    text = phrase.strip(" ,;:")
    if re.search(r"[,;:]\s", text):
        return []
    if re.fullmatch(r"(?:right |just )?(?:here|at (?:the |my )?cursor)", text, re.I):
        here = talk.order.here
        return [_before(talk.src, Spot(here[0], here[1]))] if here is not None else []
    if (match := ON_LINE.match(text)) is not None:
        line = int(match["n"]) - talk.order.first_line
        return [_before(talk.src, spot) for spot in _line(talk, line)]
    if (match := BETWEEN.match(text)) is not None:
        one, two = find(talk, match["a"], within), find(talk, _as_line(match["a"], match["b"]), within)
        if len(one) == len(two) == 1 and one[0].first < two[0].first:
            return [_before(talk.src, two[0])]
        return []
    if (match := BEFORE.match(text)) is not None:
        found = _doing(talk, match["t"], within) or _near(talk, match["t"], within)
        if not found and (rest := re.match(r"(?:the )?(?:rest|body|code|anything|everything)(?: else)?(?: (?:of|in) (.+))?$", match["t"], re.I)):  # fmt: skip
            return [_top(talk.src, block) for block in blocks(talk, rest[1] or "", within)]
        return [_before(talk.src, spot) for spot in found]
    if (match := AFTER.match(text)) is not None:
        if re.fullmatch(r"(?:all )?(?:the )?imports?(?: block| section)?", match["t"], re.I):
            return [Place(_past_imports(talk.src), "", top=True)]
        if re.fullmatch(r"(?:the )?(?:docstring|doc string)(?: .*)?", match["t"], re.I):
            owner = re.sub(r"^(?:the )?doc ?string(?: (?:of|in))?", "", match["t"], flags=re.I)
            return [_top(talk.src, block) for block in blocks(talk, owner, within)]
        found = _doing(talk, match["t"], within) or _near(talk, match["t"], within)
        leaves = ast.Return | ast.Raise | ast.Break | ast.Continue
        return [_after(talk.src, spot) for spot in found if not isinstance(spot.node, leaves)]
    if (match := TOP.match(text)) is not None:
        return [_top(talk.src, block) for block in blocks(talk, match["t"] or "", within)]
    if (match := BOTTOM.match(text)) is not None:
        return [_bottom(talk.src, block) for block in blocks(talk, match["t"] or "", within)]
    if (match := INSIDE.match(text)) is not None and not re.match(r"(?:the\s+)?(?:file|module|script|code|end|top|start)\b", match["t"], re.I):  # fmt: skip
        out = []
        for block in blocks(talk, match["t"], within):
            top, bottom = _top(talk.src, block), _bottom(talk.src, block)
            empty = len(block) == 1 and isinstance(block[0], ast.Pass)
            out += [top] if empty else [Place(top.line, top.indent, False), Place(bottom.line, bottom.indent, False)]
        return out
    return []


def _as_line(one: str, two: str) -> str:
    """*between lines 3 and 4*."""
    return f"line {two}" if re.search(r"\blines?\s+\d+$", one) and two.strip().isdecimal() else two


def _line(talk: Talk, line: int) -> list[Spot]:
    if not 0 <= line < len(talk.src.lines):
        return []
    return [Spot(line, line + 1, statement_at(talk.src, line))]


def _near(talk: Talk, phrase: str, within: tuple[int, int] | None) -> list[Spot]:
    found = find(talk, phrase, within)
    if not found:
        found = _done(talk, phrase, within)
    if not found and re.search(r"\b(?:function|method|class|def|func)\b", phrase, re.I):
        nodes = definitions(talk, phrase)
        found = [Spot(talk.src.first_line(node), talk.src.last_line(node), node) for node in nodes]
    return found


_DONE = re.compile(
    r"(?:the\s+)?(?P<x>\S+)\s+(?:is|was|has been|gets|got)\s+(?:set|created|loaded|assigned|defined|initiali[sz]ed|computed|calculated|read|opened|made|built|parsed|known|filled)$",
    re.I,
)


def _done(talk: Talk, phrase: str, within: tuple[int, int] | None) -> list[Spot]:
    """*below TAX*, *after the cart is created*, *after the append*: where a name is set, else where it is called."""
    match = _DONE.match(phrase.strip())
    name = talk.plain(match["x"] if match is not None else re.sub(r"^the\s+", "", phrase.strip(), flags=re.I)).strip()
    if not re.fullmatch(r"[^\W\d][\w.]*", name):
        return []
    found = find(talk, f"assignment to {name}", within)
    if match is not None or len(found) == 1:
        return found
    return find(talk, f"{name} call", within) if not found else []


def _doing(talk: Talk, phrase: str, within: tuple[int, int] | None) -> list[Spot]:
    """*before returning*, *after it opens the file*: the statement in which that is done."""
    match = _DOING.match(re.sub(r"⟦\d+⟧", "", phrase).strip())
    if match is None or len(match["verb"]) < 3:
        return []
    stem = match["verb"].lower()
    forms = {stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem}
    if stem in ("iterat", "loop"):
        forms |= {"for"}
    low, high = within or (0, len(talk.src.lines))
    what = [word for word in words(match["what"] or "") if word not in FILLERS]
    scope = re.search(r"\s(?:in|of|inside)\s+(.+)$", match["what"] or "")
    if scope is not None and (held := scopes(talk, scope[1])):
        low, high = held[0]
        what = [word for word in words((match["what"] or "")[: scope.start()]) if word not in FILLERS]
    out = []
    for node in talk.src.statements:
        if not low <= talk.src.first_line(node) < high or (
            hasattr(node, "body") and not isinstance(node, ast.For | ast.With)
        ):
            continue
        head = node.items[0] if isinstance(node, ast.With) else node.iter if isinstance(node, ast.For) else node
        text = talk.src.segment(head if hasattr(head, "lineno") else node).split("\n")[0]
        said = words(text)
        there = {part for word in said for part in (word, *parts(word))} | (
            {"for"} if isinstance(node, ast.For) else set()
        )
        done = {part for call in re.findall(r"([\w.]+)\s*\(", text) for part in parts(call)} | set(said[:1])
        if forms & (done | ({"for"} if isinstance(node, ast.For) else set())) and all(word in there for word in what):
            out.append(Spot(talk.src.first_line(node), talk.src.last_line(node), node))
    return out


# -- blocks ----------------------------------------------------------------------------------------------------------

_FILE = re.compile(r"(?:the\s+|this\s+)?(?:file|module|script|program|code)$", re.I)


def blocks(talk: Talk, phrase: str, within: tuple[int, int] | None = None) -> list[list[ast.stmt]]:
    """The statements of each block that a phrase names; without a name, those of the one function there is."""
    src = talk.src
    text = re.sub(r"\s+(?:body)$|^(?:the\s+)?body\s+of\s+", "", phrase.strip(" ,;:"), flags=re.I)
    if _FILE.match(text):
        return [_module(src)] if src.tree is not None and not src.headers and src.tree.body else []
    if not text or re.fullmatch(
        r"(?:the|this|that|it)?\s*(?:function|method|func|fn|it|this|here|routine)?", text, re.I
    ):
        low, high = within or around(talk)
        held = [node for node in src.functions if src.first_line(node) == low and src.last_line(node) == high]
        if not held and within is None and text:
            held = src.functions if len(src.functions) == 1 else []
        if not held and not text and within is None:
            return [_module(src)] if src.tree is not None and not src.headers and src.tree.body else []
        return [_body(node) for node in held]
    named = definitions(talk, text)
    if named:
        return [_body(node) for node in named]
    found = branch(talk, text, within)
    if found:
        return [src.block(spot.node) for spot in found if spot.node is not None]
    spots = [spot.node for spot in find(talk, text, within) if spot.node is not None]
    return [inner for inner in (getattr(node, "body", None) for node in spots) if isinstance(inner, list)]


def _module(src: Source) -> list[ast.stmt]:
    return src.tree.body if src.tree is not None else []


def _body(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.stmt]:
    return body_behind_docstring(node) or list(node.body)


# -- between which lines ---------------------------------------------------------------------------------------------


def _before(src: Source, spot: Spot) -> Place:
    line = src.lines[spot.first]
    if not line.strip():
        line = next((one for one in src.lines[spot.first :] if one.strip()), line)
    return Place(spot.first, indent_of(line))


def _after(src: Source, spot: Spot) -> Place:
    node = spot.node
    inner = getattr(node, "body", None)
    if node is not None and isinstance(inner, list) and spot.header:
        return _top(src, body_behind_docstring(node) or inner if isinstance(node, ast.FunctionDef | ast.ClassDef) else inner)  # fmt: skip
    if node is not None:
        return Place(src.last_line(node), src.indent(node))
    held = statement_at(src, spot.last - 1)
    if held is not None and not hasattr(held, "body"):
        return Place(src.last_line(held), src.indent(held))
    line = src.lines[spot.last - 1]
    if not line.strip() or line.split("#")[0].rstrip().endswith(":"):
        line = next((one for one in src.lines[spot.last :] if one.strip()), line)
    return Place(spot.last, indent_of(line))


def _top(src: Source, block: Sequence[ast.stmt]) -> Place:
    if src.tree is not None and block and block[0] in src.tree.body and len(src.tree.body) == len(block):
        return Place(_past_imports(src), "", top=True)
    line = src.first_line(block[0])
    while line > 0 and re.match(rf"{src.indent(block[0])}#", src.lines[line - 1]):
        line -= 1
    if isinstance(block[0], ast.Expr) and docstring_of(src, block[0]):
        line = src.last_line(block[0])
    return Place(line, src.indent(block[0]))


def docstring_of(src: Source, node: ast.stmt) -> bool:
    parent = src.parents.get(node)
    return isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module) and docstring(parent) is node  # fmt: skip


def _bottom(src: Source, block: Sequence[ast.stmt]) -> Place:
    last = block[-1]
    if isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break) and not docstring_of(src, last):
        return Place(src.first_line(last), src.indent(last))
    return Place(src.last_line(last), src.indent(last), ends=True)


def _past_imports(src: Source) -> int:
    """Behind what a file begins with."""
    at = 0
    for node in src.tree.body if src.tree is not None else []:
        guarded = isinstance(node, ast.Try) and all(isinstance(one, ast.Import | ast.ImportFrom) for one in node.body)
        if not (isinstance(node, ast.Import | ast.ImportFrom) or guarded or docstring_of(src, node)):
            break
        at = src.last_line(node)
    while at == 0 and at < len(src.lines) and src.lines[at].startswith("#!"):
        at += 1
    return at
