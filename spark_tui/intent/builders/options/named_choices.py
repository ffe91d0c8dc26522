"""What an option takes by a constant of its file: the choices that there are, or the version that is told."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import targets

_BETWEEN = re.compile(r"\s*(?:[,/|]|\b(?:and|or|und|oder|et|ou|y|o)\b)\s*")
"""What stands between the items of a list."""


def constants(repo: Repository, source: Source) -> dict[str, str]:
    """The constants at the top of a file and those that it imports from the repository, with their types."""
    found = {}
    for stmt in source.tree.body if source.tree else ():
        if isinstance(stmt, ast.ImportFrom):
            modules = repo.index.modules
            where = modules.find(modules.absolute(source.path, stmt.module, stmt.level), source.path)
            if where is not None:
                there = _own_constants(repo.index.source(where))
                names = {alias.asname or alias.name: there.get(alias.name) for alias in stmt.names}
                found.update({name: kind for name, kind in names.items() if kind is not None})
    return {**found, **_own_constants(source)}


def _own_constants(source: Source) -> dict[str, str]:
    body = source.tree.body if source.tree else ()
    sets = [stmt for stmt in body if isinstance(stmt, ast.Assign | ast.AnnAssign)]
    return {ast.unparse(targets(stmt)[0]): literal_type(stmt.value) for stmt in sets}


def named_choices(context: Context, source: Source) -> str:
    """The collection that is named where words say that nothing but its items is taken. As the new value of
    an option a collection is what may be chosen, whatever the words."""
    span = context.span("default")
    if span is None and not says("options", "choices", context.situation.instruction):
        return ""
    words = re.findall(r"[A-Z_][A-Z\d_]+", context.situation.instruction)
    known = constants(context.situation.repo, source)
    kinds = [(one, known[one]) for one in words if known.get(one) in ("list", "tuple", "dict", "set")]
    if len(kinds) != 1:
        return ""
    name, kind = kinds[0]
    return f"sorted({name})" if kind == "set" else f"list({name})" if kind == "dict" else name


def said_choices(context: Context) -> list[str]:
    """The items of a list in words that say that nothing else is taken."""
    beside = context.beside_slots()
    if not says("options", "choices", beside) or re.search(r"\bdefault", beside):
        return []
    slots = context.reading.slots
    for slot, fewest in (("default", 1), ("text", 2)):
        rows = [span.text.strip("[]()") for span in slots.get(slot, ())]
        items = [part for row in rows for part in _BETWEEN.split(row) if part]
        if len(items) >= fewest and all(re.fullmatch(r"\S+", item) for item in items):
            return items
    return []


def told_version(context: Context, source: Source, names: list[str]) -> list[str]:
    """The arguments of an option that tells the version, where a constant holds it."""
    known = constants(context.situation.repo, source)
    held = [item for item in ("__version__", "VERSION") if known.get(item) == "str"]
    if "--version" not in names or not held or context.has("type") or context.has("default"):
        return []
    return [f"action={literal('version', source)}", f"version={held[0]}"]
