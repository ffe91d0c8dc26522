"""An option of a command line gets a short form beside its long one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code, replace_within
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.names.options_named import OPTION_CALLS
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.syntax.walking import find_nodes

_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_SHORT = 2
"""The characters of a short form: `-o`."""


def with_short_form(context: Context) -> Iterator[Built]:
    """The two forms of an order that names them and no other option: the long one is there."""
    shown = set(_OPTION.findall(context.situation.instruction))
    short = [one for one in shown if len(one) == _SHORT]
    try:
        trees = list(context.trees()) if len(shown) == 2 and len(short) == 1 else []
    except Unresolved:
        return  # what is named as a function is a command
    for area, source, root in trees:
        calls = [node for node in find_nodes(root, ast.Call) if called_name(node) in OPTION_CALLS]
        names = {
            arg.value: (arg, node) for node in calls for arg in node.args if isinstance(arg, ast.Constant)
        }
        long = [made for name, made in names.items() if name in shown]
        if len(long) == 1 and short[0] not in names:
            arg, node = long[0]
            new = replace_within(source, node, arg, f"{literal(short[0], source)}, {source.segment(arg)}")
            yield build_at(area, replace_code(context, Anchor(area, node), new))
