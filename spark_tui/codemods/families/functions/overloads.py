"""The signatures that `typing.overload` gives a function for type checkers, which are never run."""

from __future__ import annotations

import ast

from spark_tui.codemods.imports.unused import with_lost_imports
from spark_tui.codemods.places.named import delete_definition, find_region
from spark_tui.codemods.plan import Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.slots import Place
from spark_tui.codemods.uses.library_source import imported_from, imports_of
from spark_tui.pysource.names.type_hints import is_overload, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source

_TYPING = ("typing", "typing_extensions")


@codemod
class RemoveOverloads:
    """Remove the `@overload` signatures of functions; what is run stays, and an import that only they used
    goes."""

    place: Place = slot("where: `in parse`, `in app.py`, or lines")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        known = [one for one in source.functions if is_overload(one)]
        if isinstance(within.node, Function):
            inside = [one for one in known if _is_same(source, one, within.node)]
        else:
            inside = [one for one in known if within.first <= source.first_line(one) < within.last]
        if not inside:
            raise Refusal("there is no overload there", why="nothing")
        alone = next((one for one in inside if not _is_run(source, one)), None)
        if alone is not None:
            raise Refusal(f"{source.qualname(alone)} is defined by its overloads alone")
        if any(not _is_of_typing(source, one) for one in inside):
            raise Refusal("overload is not known to be that of typing: what it marks may be run")
        edits = [delete_definition(source, one) for one in inside]
        doubts = [
            Unfollowed(path, 1, "get_overloads is mentioned: it gives nothing for the function then")
            for path in repo.index.files_with("get_overloads")
        ]
        return plan_edits(repo, with_lost_imports(repo, edits), doubts)


def _is_same(source: Source, one: Function, other: Function) -> bool:
    """Whether two definitions are of the same function."""
    return one.name == other.name and source.parents.get(one) is source.parents.get(other)


def _is_of_typing(source: Source, overload: Function) -> bool:
    names = (ast.unparse(one) for one in overload.decorator_list if last_name(one) == "overload")
    return all(imported_from(imports_of(source), name)[0] in _TYPING for name in names)


def _is_run(source: Source, overload: Function) -> bool:
    return any(_is_same(source, one, overload) and not is_overload(one) for one in source.functions)
