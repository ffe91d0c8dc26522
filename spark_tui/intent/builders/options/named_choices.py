"""What an option takes by a constant of its file: the choices that there are, or the version that is told."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.source import Source


def constants(source: Source) -> dict[str, str]:
    """The constants at the top of a file, with their types."""
    sets = [stmt for stmt in (source.tree.body if source.tree else ()) if isinstance(stmt, ast.Assign)]
    return {ast.unparse(stmt.targets[0]): literal_type(stmt.value) for stmt in sets}


def named_choices(context: Context, source: Source) -> str:
    """The collection that is named where words say that nothing but its items is taken."""
    if not says("options", "choices", context.situation.instruction):
        return ""
    words = re.findall(r"[A-Z_][A-Z\d_]+", context.situation.instruction)
    known = {one: kind for one, kind in constants(source).items() if one in words}
    kinds = [(one, kind) for one, kind in known.items() if kind in ("list", "tuple", "dict", "set")]
    if len(kinds) != 1:
        return ""
    name, kind = kinds[0]
    return f"sorted({name})" if kind == "set" else f"list({name})" if kind == "dict" else name


def told_version(context: Context, source: Source, names: list[str]) -> list[str]:
    """The arguments of an option that tells the version, where a constant holds it."""
    held = [item for item in ("__version__", "VERSION") if constants(source).get(item) == "str"]
    if "--version" not in names or not held or context.has("type") or context.has("default"):
        return []
    return [f"action={literal('version', source)}", f"version={held[0]}"]
