"""Which of several places is meant by its number (*the second one*, *the last print*) or by what it holds."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.finders.described import is_in_code, keep_nested, ordinal_in, statement_kinds_said
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import DoubtKind, assumed, without
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import names_in

_BY_BRANCH = assumed("the place whose branch tests what is named was taken")


@lru_cache(maxsize=1)
def _numbered() -> re.Pattern[str]:
    ends = "|".join(re.escape(word) for word in phrases.words("ones") if not phrases.has_cjk(word))
    known = [item for word in phrases.table()["ordinals"].values() for item in word]
    plain = "|".join(re.escape(item) for item in known if not phrases.has_cjk(item))
    return re.compile(rf"(?<!\w)(?P<at>{plain})\s+(?:{ends})(?!\w)", re.IGNORECASE)


def keep_numbered(context: Context, found: list[Anchor]) -> list[Anchor]:
    """The one place whose number is said, or which of two nested statements, of several that stand in one
    function; else all of them."""
    found = _of_nesting(context, found)
    match = _numbered().search(context.beside_slots())
    at = ordinal_in(match["at"]) if match is not None else None
    around = {
        (anchor.path, context.enclosing(anchor.path, anchor.node))
        for anchor in found
        if anchor.node is not None
    }
    if len(found) < 2 or len(around) != 1 or None in next(iter(around)):
        return found
    if at is None:
        return _of_branch(context, found)
    spots = sorted(found, key=lambda item: context.source(item.path).span(item.node)[0] if item.node else 0)
    if at >= len(spots):
        return found
    one = spots[at]
    return [replace(one, weight=0.9, doubts=without(one.doubts, DoubtKind.PLACES))]


def _of_branch(context: Context, found: list[Anchor]) -> list[Anchor]:
    """The one of several places whose branch alone tests what the words name: *the warning about cert*."""
    said = set(re.findall(r"\w+", context.situation.instruction))
    tested = [_tested(context.source(one.path), one.node) & said if one.node else set() for one in found]
    shared = set[str]().union(*(a & b for a, b in combinations(tested, 2)))
    named = [
        replace(one, doubts=(*one.doubts, _BY_BRANCH))
        for one, names in zip(found, tested, strict=True)
        if names - shared
    ]
    return named if len(named) == 1 else found


def _tested(source: Source, node: ast.AST) -> set[str]:
    """The names in the tests of the branches around a node."""
    branches = (one for one in source.ancestors(node) if isinstance(one, ast.If))
    return {name for one in branches for name in names_in(one.test)}


def _of_nesting(context: Context, found: list[Anchor]) -> list[Anchor]:
    """The statements inside of others, or around them, where the words say so: *in the inner loop*."""
    said = re.findall(r"[^\W\d]+", context.beside_slots().lower())
    kinds = [statement_kinds_said(word)[0] for word in said]
    pairs = zip(said, kinds[1:], strict=False)
    sides = {side for word, kind in pairs if kind and (side := phrases.lookup("nesting", word))}
    nodes = [anchor.node for anchor in found if isinstance(anchor.node, ast.stmt)]
    if len(sides) != 1 or len(nodes) != len(found) or len({anchor.path for anchor in found}) != 1:
        return found
    kept = keep_nested(context.source(found[0].path), nodes, inner="inner" in sides)
    one = [anchor for anchor in found if anchor.node in kept]
    return [replace(anchor, doubts=without(anchor.doubts, DoubtKind.PLACES)) for anchor in one] or found


def keep_described(context: Context, found: list[Anchor]) -> list[Anchor]:
    """The places that the words beside the slots tell apart from the others; all of them if none do."""

    def code(anchor: Anchor) -> tuple[int, str]:
        source, node = context.source(anchor.path), anchor.node
        return (source.span(node)[0], source.segment(node)) if node is not None else (-1, "")

    beside, removing = context.beside_slots(), phrases.table()["config_lists"]["removing"]
    spots, at = sorted(found, key=lambda item: (item.path, code(item)[0])), ordinal_in(beside)
    if at is not None and -len(spots) <= at < len(spots):
        return [spots[at]]
    if phrases.any_stands_in(phrases.words("several"), context.situation.instruction.lower()):
        return found
    words = [word for word in statement_kinds_said(beside)[1] if word.lower() not in removing]
    held = [sum(is_in_code(word, code(anchor)[1]) for word in words) for anchor in spots]
    return [anchor for anchor, count in zip(spots, held, strict=True) if count == max(held)]
