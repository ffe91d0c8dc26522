"""A module that nothing imports is deleted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.codemods.plan import Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.slots import FilePath
from spark_tui.codemods.uses.hidden import imported_by_computed_name
from spark_tui.codemods.uses.looked_up import IMPORTING
from spark_tui.codemods.uses.symbols import missing_file
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.words import word_set

_SPECIAL = word_set("__init__ __main__ conftest")
_MOST_NAMED = 5


@codemod
class DeleteFile:
    """Delete a Python file that nothing imports."""

    path: FilePath = slot("the file: shop/cart.py")

    def plan(self, repo: Repository) -> Plan:
        if not repo.has(self.path):
            need(missing_file(repo, self.path))
        name = self.path.rpartition("/")[2]
        if name.partition(".")[0] in _SPECIAL:
            raise Refusal(f"{name} has a meaning of its own")
        twin = repo.index.modules.twin(self.path)
        gone = [str(self.path), *filter(None, [twin])]
        users = sorted({user for path in gone for user in repo.index.importers(path)} - {*gone})
        if users:
            more = f" and {len(users) - _MOST_NAMED} more" if len(users) > _MOST_NAMED else ""
            shown = ", ".join(users[:_MOST_NAMED])
            raise Refusal(f"{self.path} is imported by {shown}{more}", why="used")
        return Plan(unfollowed=tuple(sorted(set(_mentions(repo, self.path, gone)))), removed=tuple(gone))


def _mentions(repo: Repository, path: str, gone: list[str]) -> Iterator[Unfollowed]:
    """Where a file may be run or imported by its name."""
    module = repo.index.modules.name(path)
    for place in imported_by_computed_name(repo, module):
        yield Unfollowed(*place)
    file_name, dotted = re.escape(path.rpartition("/")[2]), re.escape(module)
    importing = rf"(?:(?:{'|'.join(IMPORTING)})\(\s*|\bpytest_plugins\b[^\w\n]*)[\"']{dotted}[\"'][\])]?"
    # Without its package the name may be any word.
    alone = rf"(?<![\w./-]){dotted}" + (r"(?!\w)" if "." in module else r"(?=[:.][A-Za-z_])")
    imported = rf"(?m)^[ \t]*(?:import|from) {dotted}(?![\w.])"
    named = re.compile(rf"{imported}|(?<![\w.]){file_name}(?!\w)|{alone}|-m {dotted}(?![\w.])|{importing}")
    for other in repo.index.all_paths:
        text = repo.index.text(other) or "" if other not in gone else ""
        # What imports it in a file that parses is known.
        known = is_python(other) and repo.index.parses(other) and re.search(imported, text) is not None
        if not known and (found := named.search(text)) is not None:
            reason = f"{found[0].strip()} may be used there"
            yield Unfollowed(other, text.count("\n", 0, found.start()) + 1, reason)
