"""Changes that a value has already: nothing is to do, or they are to go again: *don't strip the key*."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from spark_tui.intent.building.building import Built, build_at, call, place
from spark_tui.intent.building.rewritten import add_brackets
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source

_STEM = 4
"""How many letters of a verb its forms share: *strip*, *stripping*."""


def find_made(source: Source, node: ast.expr, change: Callable[[str], str]) -> ast.expr | None:
    """What stands there of a change already: `key.strip()` around `key`, the value itself, or a call in the
    chain of its methods (`key.strip().lower()`)."""
    wanted = change(add_brackets(source, node))
    above = islice((ancestor for ancestor in source.ancestors(node) if isinstance(ancestor, ast.expr)), 2)
    around = next((ancestor for ancestor in above if source.segment(ancestor) == wanted), None)
    if around is not None or not isinstance(node, ast.Call):
        return around
    link: ast.expr = node
    while isinstance(link, ast.Call):
        holder = [link.func.value] if isinstance(link.func, ast.Attribute) else []
        if any(change(add_brackets(source, one)) == source.segment(link) for one in (*holder, *link.args)):
            return link
        link = holder[0] if holder else ast.Constant(None)
    return None


def leave_or_undo(context: Context, made: Sequence[tuple[Anchor, ast.expr]], reason: str) -> Iterator[Built]:
    """The calls that are to go again if the order is denied; otherwise the claim that nothing is to do."""
    for anchor, node in made:
        if not isinstance(node, ast.Call) or not _is_denied(context, called_name(node)):
            raise Unresolved(reason, nothing=not _denial().search(context.situation.instruction))
        at = replace(anchor, node=node)
        yield build_at(at, call("unwrap_call", place=place(context, at), call=ast.unparse(node)))


def _is_denied(context: Context, verb: str) -> bool:
    """Whether something is not to be done: *stop stripping*, *should not be stripped*."""
    denied = _denial().search(context.situation.instruction)
    return denied is not None and denied[1].lower()[:_STEM] == verb.lower()[:_STEM]


def _denial() -> re.Pattern[str]:
    known = sorted(map(re.escape, phrases.words("undone")), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(known)})\s+(?:to\s+|be\s+)?(\w+)", re.IGNORECASE)
