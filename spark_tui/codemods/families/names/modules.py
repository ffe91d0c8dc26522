"""A module gets another name or folder; imports follow everywhere."""

from __future__ import annotations

import keyword
import sys
from dataclasses import replace

from spark_tui.codemods.imports.graph import package_doubts
from spark_tui.codemods.plan import Plan, Refusal, edited, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.renaming.module_file import ModuleRename
from spark_tui.codemods.slots import FilePath, Text
from spark_tui.codemods.uses.symbols import missing_file, refuse_existing
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.parse_errors import parse_error
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.words import word_set

_SPECIAL = word_set("__init__ __main__ conftest setup")


@codemod
class RenameModule:
    """Rename or move a Python file; imports follow everywhere, relative ones too."""

    path: FilePath = slot("the file: shop/cart.py")
    new: Text = slot("its new name (basket) or path (store/basket.py)")

    def plan(self, repo: Repository) -> Plan:
        new = new_path(repo, self.path, self.new)
        moved = {str(self.path): new}
        twin = repo.index.modules.twin(self.path)
        if twin is not None:
            moved[twin] = new + "i" if twin.endswith("i") else new.removesuffix("i")
        edits, unfollowed = ModuleRename(repo, moved).follow()
        plan = Plan(tuple(sorted(edits)), tuple(sorted(unfollowed)), moved=moved)
        for path in {edit.path for edit in edits}:
            made = edited(repo.index.text(path) or "", [edit for edit in edits if edit.path == path])
            if repo.with_changes({path: made}).index.source(path).tree is None:
                raise Refusal(f"{path} would not parse")
        after = repo.with_changes(plan.texts(repo))
        doubts = (*plan.unfollowed, *package_doubts(after, self.path, new))
        return replace(plan, unfollowed=tuple(sorted(set(doubts))))


def new_path(repo: Repository, old: str, new: str) -> str:
    """The path that a file gets; refuses where it cannot be imported under it."""
    if not repo.has(old):
        need(missing_file(repo, old))
    folder, _, name = old.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if stem in _SPECIAL:
        raise Refusal(f"{name} has a meaning of its own")
    if error := parse_error(repo.index.source(old)):
        raise Refusal(error)
    plain = "/" not in new and not is_python(new)
    path = (f"{folder}/" if folder else "") + new + dot + ending if plain else new
    made = path.rpartition("/")[2].rpartition(".")[0]
    if not path.endswith(f".{ending}") or path.startswith("/") or ".." in path.split("/"):
        raise Refusal(f"{new} is not the path of a .{ending} file in the repository")
    if not made.isidentifier() or keyword.iskeyword(made) or made in _SPECIAL:
        raise Refusal(f"{made!r} is not a valid module name")
    if path == old:
        raise Refusal(f"it is already called {made}", why="nothing")
    for item in (path, f"{path.rpartition('.')[0]}/__init__.py"):
        refuse_existing(repo, item)
    moved = repo.with_changes({old: None, path: repo.index.text(old)})
    if moved.index.modules.name(path) in sys.stdlib_module_names:
        raise Refusal(f"{made} would hide the module of the standard library")
    return path
