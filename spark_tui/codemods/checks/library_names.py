"""Names that a module of the repository or of the standard library does not have, and encodings that Python
does not."""

from __future__ import annotations

import ast
import codecs
import importlib
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from types import ModuleType

from spark_tui.codemods.plan import Finding
from spark_tui.codemods.uses.library_source import library_module
from spark_tui.pysource.names.imports import ImportNode
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.names.type_hints import names_set
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_LOOKED_INTO = word_set(
    "collections csv datetime functools itertools json logging math os pathlib random re shutil string"
    " subprocess sys time types typing"
)
"""Common modules, which do nothing when they are imported."""
_SETS_ITS_NAMES = re.compile(r"(?<!in )\bglobals\(\)|\bexec\(")
_ENCODING = re.compile(r"encoding(?<!\wencoding)\s*=\s*[\"']([^\"'\n]*)[\"']")


def library_names(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change uses a name of a library that is not there, in the Python that runs spark."""
    for path in paths:
        known = _uses(before.index.scopes(path))
        for (module, name), line in _uses(after.index.scopes(path)).items():
            if (module, name) not in known and not hasattr(_loaded(module), name):
                yield Finding(path, line, "names", f"{module} has no {name}", False, f"{module}.{name}")
        encodings = _encodings(before.index.source(path))
        for name, line in _encodings(after.index.source(path)).items():
            if name not in encodings and not _is_encoding(name):
                yield Finding(path, line, "values", f"there is no encoding {name!r}")


@lru_cache(maxsize=32)
def _encodings(source: Source) -> dict[str, int]:
    """What is given as an encoding, with its first line."""
    out: dict[str, int] = {}
    for found in _ENCODING.finditer(source.text) if "encoding" in source.text else ():
        out.setdefault(found[1], source.line_number(found.start()))
    return out


def _is_encoding(name: str) -> bool:
    if name == "locale":  # `open` takes it for that of the system
        return True
    try:
        codecs.lookup(name)
    except LookupError:
        return False
    return True


@lru_cache(maxsize=32)
def _uses(scopes: Scopes) -> dict[tuple[str, str], int]:
    """The common modules and their names that a file uses, with the first line of each."""
    out: dict[tuple[str, str], int] = {}
    given: set[str] = set()
    for alias, statement in scopes.aliases.items():
        from_module = isinstance(statement, ast.ImportFrom) and not statement.level and statement.module
        if from_module in _LOOKED_INTO and alias.name != "*":
            out.setdefault((from_module, alias.name), statement.lineno)
        elif isinstance(statement, ast.Import):
            module = alias.name if alias.asname else alias.name.split(".")[0]
            given |= {alias.asname or module} if module in _LOOKED_INTO else set()
    for use in scopes.attributes if given else ():
        named = isinstance(use.node.value, ast.Name) and use.node.value.id in given
        found = library_name(scopes, use.node) if named and isinstance(use.node.ctx, ast.Load) else None
        if found is not None:
            out.setdefault(found, use.node.lineno)
    return out


def library_name(scopes: Scopes, node: ast.expr) -> tuple[str, str] | None:
    """The common module and its name that `json.dumps`, or `dumps` of `from json import dumps`, means."""
    named = node.value if isinstance(node, ast.Attribute) else node
    occurrence = scopes.by_node.get(named) if isinstance(named, ast.Name) else None
    bindings = scopes.resolve(occurrence).bindings if occurrence is not None else []
    found = set()
    for binding in bindings:
        alias = binding.node
        if not isinstance(alias, ast.alias):
            return None
        statement = scopes.aliases[alias]
        if isinstance(node, ast.Attribute) and isinstance(statement, ast.Import):
            found.add((alias.name if alias.asname else alias.name.split(".")[0], node.attr))
        elif isinstance(node, ast.Name) and isinstance(statement, ast.ImportFrom) and not statement.level:
            found.add((statement.module or "", alias.name))
    return found.pop() if len(found) == 1 and all(module in _LOOKED_INTO for module, _ in found) else None


@lru_cache(maxsize=32)
def _loaded(module: str) -> ModuleType:
    return importlib.import_module(module)


def lacks(module: str, name: str) -> bool:
    """Whether a library module is known to have no such name, in the Python that runs spark."""
    if module in _LOOKED_INTO:
        return not hasattr(_loaded(module), name)
    text, tree = library_module(module) or ("", None)
    if tree is None or _SETS_ITS_NAMES.search(text):
        return False
    imports = (one for one in walk(tree) if isinstance(one, ImportNode))
    names = {alias.asname or alias.name.split(".")[0] for one in imports for alias in one.names}
    names |= names_set(tree) | {one.name for one in walk(tree) if isinstance(one, Definition)}
    return not names & {"*", "__getattr__", name}


def new_imports(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change imports what is not there: a rename that leaves the definition as it was, say."""
    for path in paths:
        known = _imported(before, path)
        for (module, name), statement in _imported(after, path).items():
            where = after.index.modules.find(module, path)
            if where is None or (module, name) in known or _has(after, where, module, name, path):
                continue
            if not _is_tried(after.index.source(path), statement):
                reason = f"imports {name}, which {where} does not have"
                yield Finding(path, statement.lineno, "importers", reason)


def new_attributes(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change reads what a module of the repository does not have: `config.USER`."""
    for path in paths:
        used = _attributes(after, path)
        known = _attributes(before, path) if used else {}
        for (where, module, name), line in used.items():
            if (where, module, name) not in known and not _has(after, where, module, name, path):
                yield Finding(path, line, "new attributes", f"{where} has no {name}", sure=False)


def _attributes(repo: Repository, path: str) -> dict[tuple[str, str, str], int]:
    """The attributes of modules of the repository that a file reads and does not set: the file of the module,
    the module and the name, with the first line."""
    scopes, modules = repo.index.scopes(path), repo.index.modules
    out: dict[tuple[str, str, str], int] = {}
    given: dict[str, tuple[str, str]] = {}
    for alias, statement in scopes.aliases.items():
        module = alias.name
        if isinstance(statement, ast.ImportFrom):
            outer = modules.absolute(path, statement.module, statement.level)
            module = f"{outer}.{alias.name}" if outer else alias.name
        elif not alias.asname and "." in module:
            continue
        if (where := modules.find(module, path)) is not None:
            given[alias.asname or alias.name] = where, module
    named = [
        (use.node, use.node.value)
        for use in (scopes.attributes if given else ())
        if isinstance(use.node.value, ast.Name) and use.node.value.id in given
    ]
    stored = {(of.id, node.attr) for node, of in named if not isinstance(node.ctx, ast.Load)}
    for node, of in named:
        occurrence = scopes.by_node.get(of)
        binds = scopes.resolve(occurrence).bindings if occurrence is not None else []
        of_module = bool(binds) and all(isinstance(one.node, ast.alias) for one in binds)
        if of_module and isinstance(node.ctx, ast.Load) and (of.id, node.attr) not in stored:
            out.setdefault((*given[of.id], node.attr), node.lineno)
    return out


def _imported(repo: Repository, path: str) -> dict[tuple[str, str], ast.ImportFrom]:
    """The imports of a file by their module and name."""
    modules = repo.index.modules
    return {
        (modules.absolute(path, statement.module, statement.level), alias.name): statement
        for alias, statement in repo.index.scopes(path).aliases.items()
        if isinstance(statement, ast.ImportFrom) and alias.name != "*"
    }


def _has(repo: Repository, where: str, module: str, name: str, importer: str) -> bool:
    if repo.index.source(where).tree is None or name.startswith("__"):
        return True  # what it offers is not known
    return "__getattr__" in repo.index.scopes(where).module.bound or bool(
        repo.infer.exported(module, name, importer)
    )


def _is_tried(source: Source, statement: ast.stmt) -> bool:
    """Whether an import may fail."""
    return any(isinstance(node, ast.Try) and statement in node.body for node in source.statements)
