"""The `pass` statements of bodies that have something else: *remove the pass statements*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, call
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases

_PASS = re.compile(r"pass(?:es)?(?:\W+\w+)?")


def needless_passes(context: Context, slot: str) -> Iterator[Built]:
    """The deletion of all that nothing needs, where several are meant."""
    said = context.situation.instruction
    if not _PASS.fullmatch(context.text(slot).strip("`").lower()):
        return
    if not any(phrases.mentions(kind, said) for kind in ("passes", "every")):
        return
    found = [(area.path, source, node) for area, source, node in context.find(ast.Pass)]
    spare = [(path, node.lineno) for path, source, node in found if len(source.suite(node)) > 1]
    if found and not spare:
        raise Unresolved("each body needs its pass", nothing=True)
    calls = (call("delete_statements", place=f"{path}:{line}") for path, line in sorted(spare, reverse=True))
    if spare:
        yield Built(tuple(calls))
