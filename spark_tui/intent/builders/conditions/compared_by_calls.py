"""A comparison by a function in place of an operator: `hmac.compare_digest(a, b)` for `a == b`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, call
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, nodes
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.doubts import places_fit

_MODULES = {"compare_digest": ("hmac", "secrets"), "isclose": ("math", "cmath", "numpy")}
"""The functions that tell whether two values are the same, with the modules that have them."""


def compared_by_call(context: Context) -> Iterator[Built]:
    """The comparisons of a place by the function that is named; nothing where none is."""
    module, _, name = plain_name(context.text("new").partition("(")[0]).rpartition(".")
    known = _MODULES.get(name, ())
    if not known or (module and module not in known):
        return
    found: list[tuple[Anchor, ast.Compare]] = []
    for area, _, root in context.trees():
        tests = [node for node in nodes(root, ast.Compare) if isinstance(node, ast.Compare)]
        same = [node for node in tests if len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq)]
        found += [(Anchor(area, node, area.weight, area.doubts), node) for node in same]
    for anchor, node in found:
        source = context.source(anchor.path)
        bound = context.repo.index.scopes(anchor.path).module.bound
        home = module or next((one for one in known if one in bound), known[0])
        function = name if not module and name in bound else f"{home}.{name}"
        new = f"{function}({source.segment(node.left)}, {source.segment(node.comparators[0])})"
        new = f"not {new}" if isinstance(node.ops[0], ast.NotEq) else new
        calls = [replace_code(context, anchor, new)]
        if function != name and home not in bound:
            calls.append(call("add_import", path=anchor.path, module=home))
        doubts = (*anchor.doubts, *((places_fit(len(found)),) if len(found) > 1 else ()))
        yield Built(tuple(calls), 0.9 * anchor.weight / len(found), doubts)
