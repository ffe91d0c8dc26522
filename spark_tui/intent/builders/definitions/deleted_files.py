"""A definition goes, all of a kind, or the whole file where a message names no more than that."""

from __future__ import annotations

from collections.abc import Iterator

from spark_tui.intent.building.building import Built, builder, call, of_table
from spark_tui.intent.building.whole_kinds import is_overloads, kind_said, remove_kind, remove_overloads
from spark_tui.intent.context.areas import is_file_named, paths_named
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.pysource.modules import is_python


@builder("remove_definition")
def remove_definition(context: Context) -> Iterator[Built]:
    path = _file_alone(context)
    if path:
        yield Built((call("delete_file", path=path),), 0.95)
        return
    if is_overloads(context.text("symbol")):
        yield from remove_overloads(context)
        return
    kind = kind_said(context.text("symbol"))
    if kind and context.everywhere and not context.names.find(context.text("symbol")):
        yield from remove_kind(context, kind)
        return
    yield from of_table(context, "remove_definition")


def _file_alone(context: Context) -> str:
    """The file that goes: the one that is named and nothing in it, or the open one, as *the file*."""
    text, said = context.text("symbol"), context.situation.instruction.lower()
    named = context.text("file")
    files = [path for path, _ in paths_named(context.repo, named)]
    if not text and len(files) == 1 and is_python(files[0]):
        if not is_file_named(context.repo, named):
            raise Unresolved(f"there is no file {named}: the nearest is {files[0]}")
        return files[0]
    path = context.situation.path
    here = not files and text.lower() in phrases.words("files") and is_python(path)
    here = here and not context.names.find(text)  # a definition of that name
    return path if here and phrases.any_stands_in(phrases.words("file"), said) else ""
