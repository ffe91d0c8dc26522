"""What a module finds changed under another path, and who else has its new name or knows its old file."""

from __future__ import annotations

import ast
import re
from itertools import pairwise

from spark_tui.codemods.plan import Places
from spark_tui.codemods.uses.class_doubts import pickle_doubts
from spark_tui.pysource.repository import Repository

_OF_FOLDER = ("__file__", "__package__", "__spec__")


def own_place(repo: Repository, old: str, new: str) -> Places:
    """Where a module looks at its own folder, and where objects of its classes are stored."""
    scopes = repo.index.scopes(old)
    if old.rpartition("/")[0] != new.rpartition("/")[0]:
        for name in _OF_FOLDER:
            for use in scopes.by_name.get(name, ()):
                yield old, scopes.source.line_number(max(use.span[0], 0)), f"{name} is another one there"
    for one in scopes.source.body:
        for doubt in pickle_doubts(repo, old, one) if isinstance(one, ast.ClassDef) else ():
            yield doubt.path, doubt.line, doubt.reason


def taken_names(repo: Repository, old: str, new: str, module: str) -> Places:
    """What has the new name of a module already: another name of its package, or what a file imports under it
    from elsewhere."""
    package, _, stem = module.rpartition(".")
    init = f"{new.rpartition('/')[0]}/__init__.py"
    if package and init in repo.index.paths and stem != repo.index.modules.name(old).rpartition(".")[2]:
        scopes = repo.index.scopes(init)
        variable = scopes.variable(stem, scopes.module) if stem in scopes.module.bound else None
        for binding in variable.bindings if variable is not None else ():
            yield init, getattr(binding.node, "lineno", 1), f"{stem} is another name of the package"
    for path in sorted(repo.index.files_with(stem)):
        for item in repo.index.summary(path).imports:
            named = repo.index.imported_module(path, item)
            if module in (named, ".".join(named.split(".")[: module.count(".") + 1])):
                yield path, item.line, f"{module} is imported there, which would be this file"


def named_in_text(repo: Repository, path: str, node: ast.Constant, old: str, module: str) -> str:
    """How a text names the file of a module, or the module to be run; empty where it does not."""
    outer, text, name = repo.index.source(path).parents.get(node), str(node.value), old.rpartition("/")[2]
    if not isinstance(outer, ast.Expr) and re.search(rf"(?<![\w.-]){re.escape(name)}(?!\w)", text):
        return name
    if re.search(rf"(?<!\S)-m\s+{re.escape(module)}(?!\w)", text):
        return f"-m {module}"
    row = getattr(outer, "elts", []) if text == module else []
    before = next((one for one, after in pairwise(row) if after is node), None)
    return f"-m {module}" if isinstance(before, ast.Constant) and before.value == "-m" else ""
