"""Cases of `match` statements that words ask for: *add a case for "quit"*."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, call, filled, word
from spark_tui.intent.context.anchors import Anchor, nodes, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.pysource.syntax.walking import find_nodes


def cases(context: Context) -> Iterator[Built]:
    """A case for the value that the condition names, in each `match` whose other cases are like it; where
    nothing says what is done, nothing is, and that is marked."""
    spots = [
        Anchor(area, node, area.weight, area.doubts)
        for area, _, root in context.trees()
        for node in nodes(root, ast.Match)
    ]
    fitting = [(spot, option) for spot in spots for option in _values(context, spot)]
    matches = len({id(spot.node) for spot, _ in fitting})
    several = (places_fit(matches),) if matches > 1 else ()
    for spot, value in fitting[: context.most_places]:
        bodies = filled(context, "{code:code}", spot) if context.has("code") else None
        unsaid = Option("pass", 0.9, (assumed("what the new case does was not said"),))
        for body in [unsaid] if bodies is None else bodies:
            made = call("add_case", place=word(context, "line", spot), value=value.text, body=body.text)
            doubts = (*spot.doubts, *value.doubts, *body.doubts, *several)
            yield Built((made,), spot.weight * value.weight * body.weight / max(matches, 1), doubts)


def _values(context: Context, spot: Anchor) -> Iterator[Option]:
    """What the words mean as a value like those of the other cases."""
    assert isinstance(spot.node, ast.Match)
    patterns = [case.pattern for case in spot.node.cases]
    known = [inner.value for one in patterns for inner in find_nodes(one, ast.MatchValue)]
    listed = [one for one in patterns if isinstance(one, ast.MatchSequence)]
    alone = [one for one in patterns if isinstance(one, ast.MatchValue | ast.MatchOr)]
    if not known:
        return
    for option in filled(context, "{condition:value}", replace(spot, extra={"old": known[0]})) or ():
        tree = parsed(option.text)
        if not isinstance(tree, ast.Constant | ast.Attribute) or not _is_like(tree, known):
            continue
        if alone or not listed:
            yield option
        else:
            doubt = assumed("the new case was assumed to take nothing more")
            yield Option(f"[{option.text}]", option.weight, (*option.doubts, doubt))


def _is_like(tree: ast.expr, known: list[ast.expr]) -> bool:
    """Whether a value is of the type that one of the others has."""
    kinds = {type(getattr(one, "value", None)) for one in known if isinstance(one, ast.Constant)}
    mine = type(tree.value) if isinstance(tree, ast.Constant) else None
    return mine in kinds if mine is not None else any(isinstance(one, ast.Attribute) for one in known)
