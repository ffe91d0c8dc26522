"""Where an instruction shows only what is to stand in the code: *just set(sys.modules) please*. It takes the
place of the expression that is most like it."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, parsed, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.syntax.walking import walk

_ALIKE, _MOST_COMPARED = 0.6, 500
_KINDS = (ast.Call, ast.Compare, ast.BinOp, ast.BoolOp, ast.Subscript, ast.UnaryOp, ast.IfExp)
"""What is shown has to be more than a name, which would be like many others."""


def in_place_of_alike(context: Context) -> Iterator[Built]:
    """The edits where nothing old is named and one expression is more like the new one than the others."""
    text = context.text("new").strip("`")
    new = parsed(text)
    if context.has("old") or not isinstance(new, _KINDS):
        return
    shown = ast.unparse(new)
    alike = (
        (area, source, node)
        for area, source, root in context.trees()
        for node in walk(root)
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
