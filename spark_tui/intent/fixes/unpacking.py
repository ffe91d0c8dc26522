"""Fixes of a text that is split into more parts than there are names for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed


def split_once(at: SeenError) -> Iterator[Built]:
    """`a, b = text.split("=")` splits once, at the first or the last of them, or at any blanks."""
    instruction = at.context.situation.instruction
    spots = [each for inner in at.nodes(ast.Assign) if (each := _split(inner)) is not None]
    named = [spot for spot in spots if _names_separator(spot[1][0], instruction)]
    if at.kind == "unpacking":
        found = dict(named or spots)
    else:
        tells = phrases.mentions("first_only", instruction) or phrases.mentions("last_only", instruction)
        found = dict(named) if tells else {}
    for anchor in weighted(at.context, [Anchor(at.area, item, 0.9) for item in found]):
        node = anchor.node
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        separator, names = found[node]
        doubts: tuple[str, ...] = ()
        owner, blank = at.source.segment(node.func.value), separator.isspace()
        if blank and phrases.mentions("whitespace", instruction):
            new = f"{owner}.split()"
        else:
            last = phrases.mentions("last_only", instruction) and not phrases.mentions(
                "first_only", instruction
            )
            shown = at.source.segment(node.args[0])
            whole = [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", instruction)]
            last = last or (whole == [names[0]] and not phrases.mentions("first_only", instruction))
            new = f"{owner}.{'rsplit' if last else 'split'}({shown}, {len(names) - 1})"
            kept = names[0] if last else names[-1]
            doubts = (assumed(f"only {kept} keeps further parts"),) if whole and kept not in whole else ()
        made = replace_code(at.context, anchor, new)
        yield build_at(anchor, made, weight=at.area.weight, doubts=doubts)


def _split(stmt: ast.Assign) -> tuple[ast.Call, tuple[str, list[str]]] | None:
    """The call of `split` that gives several names their values, with what it splits at, and the names."""
    goal, value = stmt.targets[0], stmt.value
    if isinstance(value, ast.ListComp):
        value = value.generators[0].iter
    if not isinstance(goal, ast.Tuple | ast.List) or not isinstance(value, ast.Call):
        return None
    if not isinstance(value.func, ast.Attribute) or value.func.attr not in ("split", "rsplit"):
        return None
    separator = value.args[0] if len(value.args) == 1 and not value.keywords else None
    starred = any(isinstance(element, ast.Starred) for element in goal.elts)
    if starred or not isinstance(separator, ast.Constant) or not isinstance(separator.value, str):
        return None
    return value, (separator.value, list(map(ast.unparse, goal.elts)))


def _names_separator(separator: str, text: str) -> bool:
    """Whether the words name what is split at: by itself, or as *the colon*."""
    sign = separator.strip() or separator
    if any(item in text.lower() for item in phrases.table()["signs"].get(sign, ())):
        return True
    alone = rf"(?<![^\s`'\"]){re.escape(sign)}(?![^\s`'\".,])"
    return not sign.isspace() and re.search(alone, text) is not None
