"""Entries that statements set one by one: `msg["Reply-To"] = ...` after `msg["From"] = ...`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.builders.values.replacement import put_value
from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.values.converters.of_slots import literal, read_typed
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk

_NAMED, _UNNAMED = 0.8, 0.1
"""How likely statements are meant that set entries of what is named, or in a function that is; and others."""


def set_by_statement(context: Context) -> Iterator[Built]:
    """The statement for one more key after those of the others, or another value in the one that has it."""
    span, key_text = context.span("value"), context.text("key").strip("`'\"")
    rows = [(area, source, item) for area, source, root in context.trees() for item in _rows(source, root)]
    wanted = key(plain_name(context.text("variable")))
    named = [item for item in rows if wanted and wanted in map(key, _names(item[1], item[2][0]))]
    for area, source, row in (named or rows) if span is not None and key_text else ():
        known = next((item for item in row if _key(item).lower() == key_text.lower()), None)
        last = known or row[-1]
        sure = bool(named) or (area.node is not None and not wanted)
        anchor = Anchor(area, last, (_NAMED if sure else _UNNAMED) / len(named or rows))
        for option in read_typed(context, span, anchor, last.value, "", key_text) if span is not None else ():
            if known is not None:
                yield put_value(context, anchor, known.value, option.text, option.weight, option.doubts)
                continue
            code = f"{source.segment(_owner(last))}[{literal(key_text, source)}] = {option.text}"
            made = call("insert_statements", place=place(context, anchor), code=code, side="after")
            yield Built((made,), anchor.weight * option.weight, (*area.doubts, *option.doubts))


def _rows(source: Source, root: ast.AST) -> Iterator[list[ast.Assign]]:
    """The statements of one body that set entries of one thing by texts, where there are several."""
    found: dict[tuple[int, str], list[ast.Assign]] = {}
    for node in walk(root):
        goal = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if isinstance(node, ast.Assign) and isinstance(goal, ast.Subscript) and _key(node):
            found.setdefault((id(source.parents.get(node)), ast.unparse(_owner(node))), []).append(node)
    yield from (row for row in found.values() if len(row) > 1)


def _names(source: Source, node: ast.Assign) -> tuple[str, ...]:
    """What is set is called, and the function that makes it."""
    inside = source.function_of(node)
    return ast.unparse(_owner(node)), inside.name if inside is not None else ""


def _owner(node: ast.Assign) -> ast.expr:
    goal = node.targets[0]
    assert isinstance(goal, ast.Subscript)
    return goal.value


def _key(node: ast.Assign) -> str:
    goal = node.targets[0]
    index = goal.slice if isinstance(goal, ast.Subscript) else None
    return index.value if isinstance(index, ast.Constant) and isinstance(index.value, str) else ""
