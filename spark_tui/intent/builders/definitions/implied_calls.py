"""The call that another one replaces where only the new one is said, and functions that are only named."""

from __future__ import annotations

import ast

from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.described_names import is_form_of
from spark_tui.intent.context.import_origins import standard_homes
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.other_words import other_words
from spark_tui.pysource.source import Source


def unsaid_calls(context: Context, new: str) -> list[Anchor]:
    """The calls of a place that are most like the new one: of the same module, of the same name, or of what
    is easily taken for it."""
    holder, _, last = new.rpartition(".")
    homes = standard_homes().get(new, ())
    spots: list[tuple[float, Anchor, str]] = []
    for area, source, node in context.find(ast.Call):
        func = node.func
        if not isinstance(func, ast.Attribute | ast.Name) or source.span(node)[0] < 0:
            continue
        shown = ast.unparse(func)
        owner, _, name = shown.rpartition(".")
        score = 0.0
        if shown != new and holder and owner == holder and not holder.startswith("self"):
            score = 0.8
        elif shown != new and name == last:
            score = 0.7
        elif not holder and owner in homes and name != last and not _is_dropped(source, node):
            score = 0.65
        elif name != last and (_shares_words(name, last) or _is_taken_for(name, last)):
            score = 0.6
        if score:
            spots.append((score, Anchor(area, node, score, area.doubts), shown))
    top = max((score for score, *_ in spots), default=0.0)
    best = [(one, shown) for score, one, shown in spots if score == top]
    if len({shown for _, shown in best}) > 1:  # of several those whose value is used
        best = [item for item in best if not _is_statement(context, item[0])]
    if len({shown for _, shown in best}) > 1:
        return []
    doubt = assumed(f"{best[0][1]} was assumed to be the part to replace") if best else ""
    found = [Anchor(one.area, one.node, one.weight, (*one.doubts, doubt)) for one, _ in best]
    return weighted(context, found)


def is_called(context: Context, name: str) -> bool:
    """Whether a function is called in a place that is named already."""
    calls = [node for _, _, node in context.find(ast.Call)]
    return context.placed and any(ast.unparse(call.func) == name for call in calls)


def functions_named(context: Context, old: str) -> list[Anchor]:
    """Where a function of a module is passed on and not called: `hashlib.sha1` of `sha1`."""
    modules = {
        imported.alias
        for area in context.areas
        if area.path in context.repo.index.paths
        for imported in context.repo.index.summary(area.path).imports
        if not imported.name
    }
    found = [
        Anchor(area, node, 0.9, area.doubts)
        for area, _, node in context.find(ast.Attribute)
        if old in (node.attr, ast.unparse(node))
        and ast.unparse(node.value) in modules
        and isinstance(node.ctx, ast.Load)
    ]
    return weighted(context, found)


def _is_dropped(source: Source, node: ast.AST) -> bool:
    return isinstance(source.parents.get(node), ast.Expr)


def _is_statement(context: Context, anchor: Anchor) -> bool:
    outer = context.source(anchor.path).parents.get(anchor.node) if anchor.node is not None else None
    return isinstance(outer, ast.Expr)


def _is_taken_for(name: str, other: str) -> bool:
    return any(other in kind.get(name, ()) for kind in (other_words()["functions"], other_words()["methods"]))


def _shares_words(one: str, two: str) -> bool:
    """Whether most words of two names are the same."""
    first, last = split_name(one), split_name(two)
    same = [item for item in first if len(item) > 2 and any(is_form_of(item, word) for word in last)]
    return bool(same) and 2 * len(same) >= max(len(first), len(last))
