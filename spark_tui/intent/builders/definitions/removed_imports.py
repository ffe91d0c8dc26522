"""Imports that are named are removed: one of them, or several in one go."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.already_done import imported_somewhere
from spark_tui.intent.building.building import Built, builder, call
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Source

Import = ast.Import | ast.ImportFrom


@builder("remove_import")
def remove_import(context: Context) -> Iterator[Built]:
    said = [one.text for one in context.reading.slots.get("module", ())]
    wanted = [name for one in said for name in _names(one)]
    for name in wanted:
        imported_somewhere(context, name)
    for area in context.areas[:2]:
        if area.path not in context.repo.index.paths:
            continue
        source = context.source(area.path)
        gone = {name: _imports(source, name) for name in dict.fromkeys(wanted)}
        if len(gone) > 1:
            yield from _all_removed(source, gone, area.weight)
            continue
        for one, names in next(iter(gone.values()), ()):
            yield Built((_removal(source, one, names),), area.weight)


def _all_removed(
    source: Source, gone: Mapping[str, list[tuple[Import, list[ast.alias]]]], weight: float
) -> Iterator[Built]:
    """The removal of several names, from the end of the file, so that the lines above stay where they are."""
    rows: dict[Import, list[ast.alias]] = {}
    for found in gone.values():
        if found:
            rows.setdefault(found[0][0], []).extend(found[0][1])
    doubts = tuple(f"not used: {name}" for name, found in gone.items() if not found)
    order = sorted(rows, key=lambda one: -one.lineno)
    if order:
        yield Built(tuple(_removal(source, one, rows[one]) for one in order), weight, doubts)


def _names(text: str) -> list[str]:
    """The modules or names in a text: `os`, `import os, sys`, `re and Optional`."""
    plain = re.sub(r"\A(?:import|from)\s+", "", text.strip("`"))
    parts = re.split(r"\s*,\s*|\s+(?:and|und|et|y)\s+", plain)
    return [name for one in parts if (name := plain_name(one))]


def _imports(source: Source, wanted: str) -> list[tuple[Import, list[ast.alias]]]:
    """The imports of a module or name, with what goes of each; all of it where the module is named."""
    imports = [one for one in source.statements if isinstance(one, Import)]
    exact = any(wanted in (each.name, each.asname) for one in imports for each in one.names)
    out = []
    for one in imports:
        names = [each for each in one.names if wanted in (each.name, each.asname)]
        if not names and not exact:
            names = [each for each in one.names if wanted == each.name.partition(".")[0]]
        module = one.module if isinstance(one, ast.ImportFrom) else None
        if module is not None and not names and not exact:
            # The name with its module, as linters show it.
            names = [each for each in one.names if wanted == f"{module}.{each.name}"]
        if module is not None and wanted in (module, module.partition(".")[0]):
            names = list(one.names)
        if names:
            out.append((one, names))
    return out


def _removal(source: Source, one: Import, gone: list[ast.alias]) -> Operation:
    low, high = source.first_line(one) + 1, source.last_line(one)
    spot = f"{source.path}:{low}" + (f"-{high}" if high > low else "")
    left = [each for each in one.names if each not in gone]
    if not left:
        return call("delete_statements", place=spot)
    rest = ", ".join(each.name + (f" as {each.asname}" if each.asname else "") for each in left)
    head = (
        f"from {'.' * one.level}{one.module or ''} import " if isinstance(one, ast.ImportFrom) else "import "
    )
    return call("replace_statements", place=spot, code=head + rest)
