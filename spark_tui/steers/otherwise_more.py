"""Ways that take more than a form: a value kept in its bounds, a result kept, what was there before.

Comes in: a text, a message. Goes out: texts that may be wanted. Must not know: engines, ids.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.known import PLAIN, known, with_hunks
from spark_tui.refactor.source import Change, Source
from spark_tui.steers.otherwise_base import Base, Make
from spark_tui.steers.otherwise_said import Said
from spark_tui.steers.tree_forms import expression, places

CLAMP = r"\bclamp\w*\b|\bcap(?:ped|ping)? (?:it|them|that|the|at)\b|\bclip\w*\b|\bsnap it\b|\b(?:limit|force|pin) (?:it|them) (?:to|into) the range\b"
CACHE = r"\b(?:functools\.)?(?:lru_)?cache\b(?! (?:key|dir|file|path|size))|\bmemoi[sz]e\b|\bcached_property\b"


def clamped(base: Base, _: Said) -> Iterator[str]:
    """*just clamp it*: where a guard was put in that turns down what is out of bounds."""
    src = base.src
    for node in base.stands.new(ast.If) if base.new else ():
        if not isinstance(node, ast.If) or node.orelse or not isinstance(node.body[-1], (ast.Raise, ast.Return)):
            continue
        bounds = _bounds(src, node.test)
        if bounds is None:
            continue
        what, low, high = bounds
        made = what
        made = f"max({low}, {made})" if low else made
        made = f"min({high}, {made})" if high else made
        if low and high:
            made = f"max({low}, min({high}, {what}))"
        yield src.changed([(*src.span(node), f"{what} = {made}")])


def _bounds(src: Source, test: ast.expr) -> tuple[str, str, str] | None:
    """What is tested, and the least and the most that it may be."""
    for form, low, high in (
        ("not _a <= _x <= _b", "_a", "_b"), ("not (_a <= _x <= _b)", "_a", "_b"), ("_x < _a or _x > _b", "_a", "_b"), ("_x > _b or _x < _a", "_a", "_b"),
        ("_x < _a", "_a", ""), ("_x <= _a", "_a", ""), ("_x > _b", "", "_b"), ("_x >= _b", "", "_b"),
    ):  # fmt: skip
        for place in places(src, form):
            if place.nodes[0] is test and isinstance(place.holes["_x"], (ast.Name, ast.Attribute, ast.Subscript)):
                return (
                    expression(src, "_x", place.holes),
                    low and expression(src, low, place.holes),
                    high and expression(src, high, place.holes),
                )
    return None


def cached(base: Base, said: Said) -> Iterator[str]:
    """*functools.cache does the same*: for what was kept by hand."""
    src = base.src
    if base.new:
        return
    found = [node for node in src.functions if base.touches(node)]
    if len(found) != 1 or re.search(r"\bcache\b", said.against):
        return
    node = found[0]
    method = src.class_of(node) is not None
    sized = re.search(r"maxsize ?=? ?(\d+|None)", said.message)
    if method:
        if "cached_property" not in said.message:
            return
        name = "cached_property"
        if any(src.segment(one) == "property" for one in node.decorator_list):
            return
    else:
        name = f"lru_cache(maxsize={sized[1]})" if sized else "lru_cache" if "lru_cache" in said.message else "cache"
    plain = re.search(r"^import functools\b", src.text, re.M)
    at = src.starts[src.first_line(node)]
    changes: list[Change] = [(at, at, f"{src.indent(node)}@{'functools.' if plain else ''}{name}\n")]
    yield from base.made(changes, *([] if plain else [f"from functools import {name.partition('(')[0]}"]))


_GONE: dict[str, tuple[type[ast.AST], ...]] = {
    "loop": (ast.For, ast.While, ast.AsyncFor),
    "try": (ast.Try,),
    "if": (ast.If,),
    "match": (ast.Match,),
    "comprehension": (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
}


def undone(what: str) -> Make:
    """What the answer took the place of comes back, where that is what is asked for: *a plain loop*, *the if was fine*."""

    def make(base: Base, _: Said) -> Iterator[str]:
        stands = base.stands
        was = sum(isinstance(one, _GONE[what]) for one in stands.was.nodes)
        now = sum(isinstance(one, _GONE[what]) for one in stands.src.nodes)
        if base.new and len(stands.hunks) == 1 and was > now:
            yield stands.was.text

    return make


def spread(base: Base, said: Said) -> Iterator[str]:
    """*early returns*, *plain ifs*: for conditions in one expression."""
    src = base.src
    for node in base.stands.new((ast.Return, ast.Assign)) if base.new else ():
        if not isinstance(node, (ast.Return, ast.Assign)) or not isinstance(node.value, ast.IfExp):
            continue
        put = src.text[src.span(node)[0] : src.span(node.value)[0]]
        early = isinstance(node, ast.Return) and not re.search(r"\belif\b|\belse\b", said.message)
        yield src.changed(
            [
                (
                    *src.line_span(src.first_line(node), src.last_line(node)),
                    _spread(src, node.value, put, src.indent(node), early),
                )
            ]
        )


def _spread(src: Source, value: ast.expr, put: str, indent: str, early: bool) -> str:
    out, word = "", "if"
    while isinstance(value, ast.IfExp):
        out += f"{indent}{word} {src.segment(value.test)}:\n{indent}{src.step}{put}{src.segment(value.body)}\n"
        word = "if" if early else "elif"
        value = value.orelse
    last = f"{put}{src.segment(value)}\n"
    return f"{out}{indent}{last}" if early else f"{out}{indent}else:\n{indent}{src.step}{last}"


def by_order(*orders: str) -> Make:
    """By an order that a program can do, in the function or class where the answer is."""

    def make(base: Base, _: Said) -> Iterator[str]:
        src = base.src
        around = [node for node in src.functions if base.touches(node)]
        classes = [node for node in src.classes if base.touches(node)]
        if len(around) > 1 and len(classes) != 1:
            return
        for order in orders:
            where = (
                (around[0].name if len(around) == 1 else "")
                if "{f}" in order
                else classes[0].name
                if len(classes) == 1
                else ""
            )
            if not where:
                continue
            found = known(src.lines, order.format(f=where, c=where), headers=src.headers)
            if found and found[0].plain == PLAIN:
                yield "".join(f"{line}\n" for line in with_hunks(src.lines, found[0].hunks))
                return

    return make
