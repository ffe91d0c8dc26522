"""Imports that are named are removed: one of them, or several in one go."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import PurePosixPath

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.already_done import refuse_missing_import
from spark_tui.intent.building.building import Built, builder, call, of_table
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import unused
from spark_tui.pysource.source import Source

Import = ast.Import | ast.ImportFrom


@builder("remove_import")
def remove_import(context: Context) -> Iterator[Built]:
    module_texts = [item.text for item in context.reading.slots.get("module", ())]
    wanted = [name for item in module_texts for name in _names(item)]
    for name in wanted:
        if (path := _module_said(context, name)) is not None:
            yield Built((call("delete_file", path=path),), 0.95)
            return
    sources = [context.source(one.path) for one in context.areas[:2] if one.path in context.repo.index.paths]
    if not any(_imports(source, name) for source in sources for name in wanted):
        for name in wanted:
            refuse_missing_import(context, name)
    for area in context.areas[:2]:
        if area.path not in context.repo.index.paths:
            continue
        source = context.source(area.path)
        gone = {name: _imports(source, name) for name in dict.fromkeys(wanted)}
        if len(gone) > 1:
            yield from _all_removed(source, gone, area.weight)
            continue
        for one, names in next(iter(gone.values()), ()):
            alias = names[0]
            loads = context.repo.index.scopes(area.path).by_name.get(alias.asname or "", ())
            if alias.asname == wanted[0] and len(names) == 1 and len(loads) > 1 and "." not in alias.name:
                # Only what it is called here goes: it is used.
                made = call("rename", target=f"{area.path}::{alias.asname}", new=alias.name)
                yield Built((made,), area.weight)
                continue
            yield Built((_removal(source, one, names),), area.weight)


@builder("remove_unused_imports")
def remove_unused_imports(context: Context) -> Iterator[Built]:
    """Where the words name no imports, other things may be meant, too."""
    words = re.findall(r"\w+", context.situation.instruction.lower())
    said = any(get_close_matches(word, phrases.words("imports"), 1, 0.8) for word in words)
    for built in of_table(context, "remove_unused_imports"):
        yield built if said else replace(built, doubts=(*built.doubts, "only imports were looked at"))


def _module_said(context: Context, name: str) -> str | None:
    """The file of a module that is called one where it is named, and that the open file does not import: an
    import that is spoken of is no file."""
    opened, told = context.situation.path, "|".join((*phrases.words("of_module"), *phrases.words("files")))
    one, text = rf"[`'\"]?{re.escape(name)}[`'\"]?", context.situation.instruction
    named = re.search(rf"(?<!\w)(?:(?:{told})\s+{one}|{one}\s+(?:{told}))(?!\w)", text)
    if named is None or phrases.any_stands_in(phrases.words("imports"), text.lower()):
        return None
    found = [path for path, _ in paths_named(context.repo, f"{name}.py") if PurePosixPath(path).stem == name]
    there = opened in context.repo.index.paths and _imports(context.source(opened), name)
    return found[0] if len(found) == 1 and not there else None


def _all_removed(
    source: Source, gone: Mapping[str, list[tuple[Import, list[ast.alias]]]], weight: float
) -> Iterator[Built]:
    """The removal of several names, from the end of the file, so that the lines above stay where they are."""
    rows: dict[Import, list[ast.alias]] = {}
    for found in gone.values():
        if found:
            rows.setdefault(found[0][0], []).extend(found[0][1])
    doubts = tuple(unused(name) for name, found in gone.items() if not found)
    order = sorted(rows, key=lambda node: -node.lineno)
    if order:
        yield Built(tuple(_removal(source, row, rows[row]) for row in order), weight, doubts)


def _names(text: str) -> list[str]:
    """The modules or names in a text: `os`, `import os, sys`, `re and Optional`."""
    plain = re.sub(r"\A(?:import|from)\s+", "", text.strip("`"))
    parts = re.split(r"\s*,\s*|\s+(?:and|und|et|y)\s+", plain)
    return [name for part in parts if (name := plain_name(part))]


def _imports(source: Source, wanted: str) -> list[tuple[Import, list[ast.alias]]]:
    """The imports of a module or name, with what goes of each; all of it where the module is named."""
    imports = [statement for statement in source.statements if isinstance(statement, Import)]
    exact = any(wanted in (name.name, name.asname) for imported in imports for name in imported.names)
    out = []
    for item in imports:
        names = [name for name in item.names if wanted in (name.name, name.asname)]
        if not names and not exact:
            names = [name for name in item.names if wanted == name.name.partition(".")[0]]
        module = item.module if isinstance(item, ast.ImportFrom) else None
        if module is not None and not names and not exact:
            # The name with its module, as linters show it.
            names = [name for name in item.names if wanted == f"{module}.{name.name}"]
        if module is not None and wanted in (module, module.partition(".")[0]):
            names = list(item.names)
        if names:
            out.append((item, names))
    return out


def _removal(source: Source, one: Import, gone: list[ast.alias]) -> Operation:
    spot = line_range(source.path, source.first_line(one) + 1, source.last_line(one))
    left = [name for name in one.names if name not in gone]
    if not left:
        return call("delete_statements", place=spot)
    rest = ", ".join(name.name + (f" as {name.asname}" if name.asname else "") for name in left)
    head = (
        f"from {'.' * one.level}{one.module or ''} import " if isinstance(one, ast.ImportFrom) else "import "
    )
    return call("replace_statements", place=spot, code=head + rest)
