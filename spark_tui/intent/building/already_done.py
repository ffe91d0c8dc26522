"""Orders with nothing to do: the new name is there already, the import that is to go is not."""

from __future__ import annotations

import ast

from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved


def not_renamed_again(context: Context) -> None:
    """Where the old name of a rename is unknown and the open file defines the new one, it was done before."""
    name, path = plain_name(context.text("new")), context.situation.path
    own = context.names.in_file(path) if path in context.repo.index.paths else {}
    if context.reading.intent == "rename" and any(one.name == name for each in own.values() for one in each):
        raise Unresolved(f"{name} is already called that", nothing=True)


def imported_somewhere(context: Context, wanted: str) -> None:
    """Where no file that is meant imports a name, there is no import to remove."""
    known = [context.source(one.path) for one in context.areas[:2] if one.path in context.repo.index.paths]
    kinds = ast.Import | ast.ImportFrom
    imports = [one for each in known for one in each.statements if isinstance(one, kinds)]
    names = {each for one in imports for alias in one.names for each in (alias.name, alias.asname) if each}
    names |= {one.module for one in imports if isinstance(one, ast.ImportFrom) and one.module}
    parts = {one.partition(".")[0] for one in names}
    if known and wanted.isidentifier() and wanted not in names | parts:
        raise Unresolved(f"{wanted} is not imported there", nothing=True)
