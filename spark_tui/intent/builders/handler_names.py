"""The name of a caught error goes: *drop the `as e`*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.anchors import Anchor
from spark_tui.intent.building import Built, builder, call, from_entry, place, table
from spark_tui.intent.context import Context
from spark_tui.intent.situation import Unresolved
from spark_tui.intent.walking import walk

_NAMED = re.compile(r"(?:.*\s)?as\s+(\w+)\Z")


@builder("delete_statement")
def delete_statement(context: Context) -> Iterator[Built]:
    named = _NAMED.match(context.text("code").strip(" `"))
    if named is None:
        yield from from_entry(context, table()["delete_statement"])
        return
    found = []
    for area, source, root in context.trees():
        for one in walk(root):
            if isinstance(one, ast.ExceptHandler) and one.name == named[1] and one.type is not None:
                used = any(isinstance(each, ast.Name) and each.id == one.name for each in walk(one))
                if not used:
                    found.append((area, source, one))
    if not found:
        raise Unresolved(f"no except binds {named[1]} without using it")
    for area, source, one in found:
        line = source.lines[one.lineno - 1]
        new = re.sub(rf"\s+as\s+{one.name}\s*:", ":", line, count=1)
        if new != line:
            spot = place(context, Anchor(area, one)).partition("-")[0]
            made = call("replace_lines", place=spot, text=new)
            yield Built((made,), area.weight / len(found), area.doubts)
