"""Imports that nothing uses, or nothing any more once an edit is made."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.imports.graph import acts_on_others, describe_demands
from spark_tui.codemods.imports.lines import insert_import, remove_aliases
from spark_tui.codemods.plan import Edit, Unfollowed, edited
from spark_tui.codemods.rewriting.edits import merge_insertions
from spark_tui.codemods.uses.by_string import match_full_name
from spark_tui.codemods.uses.hidden import find_lookups_by_name
from spark_tui.pysource.inference.values import ClassValue, FunctionValue
from spark_tui.pysource.names.imports import ImportNode, UnusedImport, module_imports, unused_imports
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_TEST_FILE = re.compile(r"test_\w*\.py|\w*_test\.py|tests?\.py|conftest\.py")
_FOR_EFFECT = ("readline", "rlcompleter")
"""Modules of the standard library that are imported for what they do."""


def lost_imports(repo: Repository, path: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits that remove what a file imports only for what some edits take away."""
    scopes = repo.index.scopes(path)
    text = edited(scopes.source.text, [one for one in edits if one.path == path])
    after = repo.with_changes({path: text})
    if after.index.source(path).tree is None:
        return []
    before = {one.name for one in unused_imports(scopes)}
    gone: dict[ImportNode, list[ast.alias]] = defaultdict(list)
    for unused in unused_imports(after.index.scopes(path)):
        variable = scopes.variable(unused.name, scopes.module)
        alias = variable.bindings[0].node if variable is not None and len(variable.bindings) == 1 else None
        kept = unused.name in before or unused.doubt or needed_elsewhere(repo, path, unused.name)
        if isinstance(alias, ast.alias) and not kept and not any(effects_of(repo, path, unused)):
            gone[scopes.aliases[alias]].append(alias)
    made = _with_blank_lines(scopes.source, list(remove_aliases(scopes.source, gone)))
    # The blank lines may go with what stands below them already.
    starts = [one.start for one in edits if one.path == path]
    return [replace(one, end=min([one.end, *(at for at in starts if at > one.start)])) for one in made]


def with_lost_imports(repo: Repository, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, with those that remove the imports which only what they take away used."""
    paths = dict.fromkeys(edit.path for edit in edits)
    return [*edits, *(lost for path in paths for lost in lost_imports(repo, path, edits))]


def exchange_lost_imports(
    repo: Repository, path: str, edits: Sequence[Edit], module: str, names: Sequence[str]
) -> list[Edit]:
    """The same with imports of some names of a module, which may stand where another one stood."""
    source = repo.index.source(path)
    every = (one for one in module_imports(source) if isinstance(one, ast.ImportFrom))
    joined = any(one.module == module and not one.level for one in every)
    rows = names if joined else filter(None, [", ".join(names)])
    added = merge_insertions([insert_import(repo, path, module, row, "") for row in rows])
    out = []
    for gone in lost_imports(repo, path, edits):
        text = source.text[gone.start : gone.end]
        here = next((one for one in added if gone.start <= one.start <= gone.end), None)
        if here is not None and not gone.new and here.new.endswith("\n"):
            # It stands below the same blank lines.
            added.remove(here)
            blank = len(text) - len(text.lstrip("\r\n"))
            behind = text[len(text.rstrip("\r\n")) :].removeprefix(source.newline)
            gone = replace(gone, new=text[:blank] + here.new + behind)
        out.append(gone)
    return [*out, *added]


def _with_blank_lines(source: Source, edits: Sequence[Edit]) -> list[Edit]:
    """The edits with the blank lines on one side of what they remove, where blank lines are on both sides."""
    out: list[Edit] = []
    for one in sorted(edits, key=lambda edit: edit.start):
        joined = bool(out) and out[-1].end == one.start and not (out[-1].new or one.new)
        out[-1:] = [replace(out[-1], end=one.end)] if joined else [*out[-1:], one]
    return [one if one.new else _wider(source.text, one) for one in out]


def _wider(text: str, edit: Edit) -> Edit:
    before, behind = text[: edit.start], text[edit.end :]
    blank = len(behind) - len(behind.lstrip("\r\n"))
    if not before.strip():
        return replace(edit, end=edit.end + blank)
    above = before.rstrip("\r\n")
    parted = len(before[len(above) :].splitlines()) > 1
    return (
        replace(edit, start=len(above) + len(before[len(above) :].splitlines(True)[0]))
        if blank and parted
        else edit
    )


def needed_elsewhere(repo: Repository, path: str, name: str) -> str:
    """Why an import that its file does not use is kept; empty where nothing needs it."""
    if path.endswith(("__init__.py", ".pyi")):
        return "the package may offer it to others"
    if name in (repo.index.summary(path).exports or ()):
        return "__all__ names it"
    if _TEST_FILE.fullmatch(path.rpartition("/")[2]) and _is_for_tests(repo, path, name):
        return "a test runner finds it here"
    text = repo.index.text(path) or ""
    if re.search(r"(?<![\w.])(?:eval|exec)\(", text):
        return "code run from a string may use it"
    if re.search(rf"^\s*(?:>>>|\.\.\.) .*(?<![\w.]){re.escape(name)}(?!\w)", text, re.MULTILINE):
        return "an example in a docstring uses it"
    named = [f"{module}.{name}" for module in repo.index.modules.names(path)]
    for other in repo.index.files_with(name):
        if any(match_full_name(str(string.value), named) for string in repo.index.source(other).strings):
            return f"{other} names it in a string"
    for where, _, reason in find_lookups_by_name(repo, path, {name}):
        return f"{where}: {reason}"
    for importer in sorted(repo.index.importers(path)):
        for imported in repo.index.summary(importer).imports:
            if imported.name in (name, "*"):
                module = repo.index.imported_module(importer, imported)
                if repo.index.modules.find(module, importer) == path:
                    return f"{importer} imports it from here"
        scopes = repo.index.scopes(importer)
        if name in scopes.attributes_by_name or any(name == one.value for one in scopes.source.strings):
            return f"{importer} may reach it through the module"
    return ""


def _is_for_tests(repo: Repository, path: str, name: str) -> bool:
    """Whether a test runner uses a name of a file by itself: a fixture, a test, a class of tests."""
    for value in repo.infer.name(path, name, repo.index.scopes(path).module):
        if isinstance(value, FunctionValue):
            return name.startswith("test") or "fixture" in decorator_names(value.node)
        if isinstance(value, ClassValue):
            line = repo.classes.ancestors(value)
            of_tests = any(last_name(base) == "TestCase" for one in line for base in one.node.bases)
            return of_tests or name.startswith("Test")
    return False


def effects_of(repo: Repository, path: str, unused: UnusedImport) -> Iterator[Unfollowed]:
    """What an import may be for that its file does not use: what a module that is neither standard nor plain
    does when it is imported, or a copy of the file's text."""
    module, statement = unused.alias.name, unused.statement
    if reader := _naming_as_file(repo, path):
        yield Unfollowed(path, unused.alias.lineno, f"{reader} names {path}, and may copy its text")
    if isinstance(statement, ast.ImportFrom):
        full = repo.index.modules.absolute(path, statement.module, statement.level)
        if repo.index.modules.find(f"{full}.{unused.alias.name}", path) is None:
            if _is_lost(repo, path, full):
                reason = f"importing {full} may be wanted for what it does"
                yield Unfollowed(path, unused.alias.lineno, reason)
            return
        module = statement.module or ""
    if module.split(".")[0] not in sys.stdlib_module_names or module in _FOR_EFFECT:
        reason = f"importing {unused.alias.name} may be wanted for what it does"
        yield Unfollowed(path, unused.alias.lineno, reason)


def _naming_as_file(repo: Repository, path: str) -> str:
    """The first file with a string that is the path of a file below some folder: *tools/standalone.py*."""
    folder, _, name = path.rpartition("/")
    parent = folder.rpartition("/")[2]
    found = repo.index.files_with(name.removesuffix(".py")) if parent else ()
    return next((one for one in found if _has_path(repo.index.source(one), f"{parent}/{name}", path)), "")


def _has_path(source: Source, ending: str, path: str) -> bool:
    ends = (str(one.value) for one in source.strings if str(one.value).endswith(ending))
    return any(f"/{path}".endswith(f"/{one}") for one in ends)


def _is_lost(repo: Repository, path: str, module: str) -> bool:
    """Whether a module of the repository does something when it is imported, and a file uses no other name of
    it."""
    home = repo.index.modules.find(module, path)
    if home is None or not (acts_on_others(repo, home) or describe_demands(repo, home).startswith("calls")):
        return False
    unused = {one.name for one in unused_imports(repo.index.scopes(path))}
    found = repo.index.summary(path).imports
    return all(one.alias in unused for one in found if repo.index.imported_module(path, one) == module)
