"""Dotted names that another name replaces, everywhere or uncalled: `use self.rate instead of self.tax`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.building.building import Built, build_at, call
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.matches import Match
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.other_words import other_words
from spark_tui.pysource.syntax.walking import find_nodes

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_OWN = "self."
_UNSAID = 0.8
"""How likely all of several places are meant where that is not said."""


def replaced_attributes(context: Context) -> Iterator[Built]:
    """The attribute under its new name where both are attributes of the object and the new one is set
    nowhere; else another expression at each place where the dotted name stands."""
    old, new = (context.text(slot).strip("`'\" ") for slot in ("old", "new"))
    if not _DOTTED.fullmatch(old) or parsed(new) is None:
        return
    if old.startswith(_OWN) and new.startswith(_OWN) and _DOTTED.fullmatch(new) and new.count(".") == 1:
        found = _attributes(context, old)
        if found and not _attributes(context, new):
            yield build_at(found[0], call("rename", target=found[0].symbol, new=new.removeprefix(_OWN)))
            return
    for area, _, root in context.trees():
        places = [
            node
            for node in find_nodes(root, ast.Attribute)
            if isinstance(node.ctx, ast.Load) and ast.unparse(node) == old
        ]
        if places:
            several = len(places) > 1 and not context.everywhere
            edit = call("replace_expression", place=area.place, old=old, new=new, every=True)
            doubts = (*area.doubts, *([f"all {len(places)} places are changed"] if several else ()))
            yield Built((edit,), area.weight * (_UNSAID if several else 1.0), doubts)


def taken_for_method(context: Context, method: str) -> Iterator[Built]:
    """The attributes that are easily taken for what a method gives: `.seconds` for `total_seconds`."""
    method, old = method.removeprefix("."), context.text("old").strip("`'\"() ").rpartition(".")[2]
    for area, source, node in context.find(ast.Attribute):
        meant = f"{method}()" in other_words()["methods"].get(node.attr, ()) and old in ("", node.attr)
        if meant and isinstance(node.ctx, ast.Load):
            anchor = Anchor(area, node, area.weight, area.doubts)
            new = f"{source.segment(node).removesuffix(node.attr)}{method}()"  # with its brackets
            yield build_at(anchor, replace_code(context, anchor, new))


def _attributes(context: Context, text: str) -> list[Match]:
    """The attributes of exactly this name."""
    found = context.names.find(text, frozenset((SymbolKind.ATTRIBUTE,)), None, context.near)
    return [item for item in found if item.target.name == text.removeprefix(_OWN)]
