"""Statements that are inserted into a branch that is named: *in the finally of load*."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at, call, filled, place
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.branches_said import branches_said, suites_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import places_fit
from spark_tui.pysource.syntax.walking import LEAVING


def branch_ends(context: Context, anchor: Anchor) -> list[tuple[str, str]]:
    """Where something new belongs in each branch of a function that is named, and on which side of what
    stands there: at its end, before what leaves it, or at its start where that is said."""
    said = branches_said(context.beside_slots())
    if len({one.kind for one in said}) != 1:
        return []
    first = re.search("|".join(phrases.words("at_the_start")), context.beside_slots(), re.IGNORECASE)
    out = []
    for suite in suites_of(context.source(anchor.path), anchor.node, said[0]):
        where = place(context, replace(anchor, node=suite[0] if first else suite[-1]))
        out.append((where, "before" if first or isinstance(suite[-1], LEAVING) else "after"))
    return out


def in_branch(context: Context) -> Iterator[Built]:
    """The statements in each such branch of the function."""
    functions = anchors(context, "function")[: context.most_places] if context.has("function") else []
    spots = [(anchor, *end) for anchor in functions for end in branch_ends(context, anchor)]
    doubts = (places_fit(len(spots)),) if len(spots) > 1 else ()
    for anchor, where, side in spots:
        for option in filled(context, "{code:code}", anchor) or ():
            made = call("insert_statements", place=where, code=option.text, side=side)
            yield build_at(anchor, made, option=option, weight=1 / len(spots), doubts=doubts)
