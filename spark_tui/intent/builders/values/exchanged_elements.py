"""One element of a named list or tuple that becomes another one: *extensions should be ddl, not sql*."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.values.replacement import VARIABLES, find_assignments
from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.intent.values.converters.of_slots import read_typed


def exchanged_element(context: Context) -> Iterator[Built]:
    """The edits of the one element with the old value, where the variable of that name is set to several
    values, or to one in brackets."""
    span, old = context.span("value"), context.text("old").strip("`'\"")
    name = plain_name(context.text("variable")).rpartition(".")[2]
    if span is None or not old or not name or not (span.quoted or len(span.text.split()) == 1):
        return
    for item in context.names.find(context.text("variable"), VARIABLES, None, context.near):
        if item.target.name != name:
            continue
        area = Area(item.target.path)
        for _, value in find_assignments(context.repo, item.target):
            held = value.elts if isinstance(value, ast.List | ast.Tuple | ast.Set) else []
            same = [one for one in held if isinstance(one, ast.Constant) and str(one.value) == old]
            if len(same) != 1:
                continue
            anchor = Anchor(area, same[0], item.weight, item.doubts)
            for option in read_typed(context, span, anchor, same[0], "", name):
                if _is_like(parsed(option.text), same[0], span.text):
                    yield build_at(anchor, replace_code(context, anchor, option.text), option=option)


def _is_like(new: ast.expr | None, old: ast.Constant, said: str) -> bool:
    """Whether a value is one as the old element was, said as such: no list, and no word for an empty text."""
    if not isinstance(new, ast.Constant) or type(new.value) is not type(old.value):
        return False
    return not isinstance(old.value, str) or new.value == said.strip("`'\"")
