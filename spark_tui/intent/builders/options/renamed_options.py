"""An option of a command line gets another name, with the attribute in which its value is kept."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.builders.options.changed_options import destination, options_named, uses_of
from spark_tui.intent.building.already_done import refuse_turned_rename
from spark_tui.intent.building.building import Built, builder, calls_table, from_entry
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.values.converters.of_slots import literal

_OPTION = re.compile(r"--?[A-Za-z][\w-]*")


@builder("rename")
def rename(context: Context) -> Iterator[Built]:
    """A symbol, or an option where one is named with its dashes."""
    old, new = (context.text(slot).strip("`'\"") for slot in ("symbol", "new"))
    if not _OPTION.fullmatch(old):
        refuse_turned_rename(context)
        yield from from_entry(context, calls_table()["rename"])
        return
    if not _OPTION.fullmatch(new):
        new = old[: len(old) - len(old.lstrip("-"))] + new
    slots = {**context.reading.slots, "name": context.reading.slots["symbol"]}
    asked = Context(replace(context.reading, slots=slots), context.situation, context.names)
    found = list(options_named(asked))
    for area, source, node in found:
        option = next((arg for arg in node.args if isinstance(arg, ast.Constant) and arg.value == old), None)
        if option is None:
            raise Unresolved(f"there is no option {old}")
        changed = ast.parse(source.segment(node).strip(), mode="eval").body
        for arg in changed.args if isinstance(changed, ast.Call) else ():
            if isinstance(arg, ast.Constant) and arg.value == old:
                arg.value = new
        before, after = destination(node), destination(changed) if isinstance(changed, ast.Call) else ""
        spots: list[tuple[ast.expr, str]] = [(option, literal(new, source))]
        spots += [
            (use, f"{ast.unparse(use.value)}.{after}") for use in uses_of(source, node) if before != after
        ]
        calls = [replace_code(context, Anchor(area, spot), text) for spot, text in spots]
        looked_up = before != after and re.search(r"\bvars\(|\.__dict__\b|getattr\(", source.text)
        doubts = ("options are looked up by name there",) if looked_up else ()
        yield Built(tuple(calls), 0.95 * area.weight / len(found), (*area.doubts, *doubts))
