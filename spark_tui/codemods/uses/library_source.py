"""The code of the standard library, as far as it tells about a program: it is read, not run."""

from __future__ import annotations

import ast
import builtins
import re
import sys
import sysconfig
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from spark_tui.pysource.inference.classes import PLAIN_BASES
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.words import word_set

_NAMES_ARE_DATA = word_set(
    "enum typing ctypes urllib.request configparser xmlrpc.server"
    " argparse.Namespace optparse.Values logging.LogRecord"
)
"""Modules and classes that make something of the names of what is defined in a class: members, fields, what
answers `s3://`."""
_WORD = re.compile(r"[^\W\d]\w*")
_ASKED = re.compile(r"[.'\"]([^\W\d]\w*)")
"""An attribute, or a text that may name one."""


@lru_cache(maxsize=64)
def library_module(name: str) -> tuple[str, ast.Module] | None:
    """The text and the tree of a module of the standard library that is written in Python."""
    if name.partition(".")[0] not in sys.stdlib_module_names:
        return None
    base = Path(sysconfig.get_path("stdlib"), *name.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        try:
            text = path.read_text("utf-8")
            return text, ast.parse(text)
        except (OSError, ValueError, SyntaxError):
            continue
    return None


@lru_cache(maxsize=32)
def imports_of(source: Source) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The import statements of a file."""
    return tuple(one for one in source.statements if isinstance(one, ast.Import | ast.ImportFrom))


def imported_from(statements: Iterable[ast.stmt], dotted: str) -> tuple[str, str]:
    """The module that a dotted name is of by the imports among statements, and its name there."""
    for statement in statements:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                shown = alias.asname or alias.name
                if dotted.startswith(f"{shown}."):
                    return alias.name, dotted[len(shown) + 1 :]
        elif isinstance(statement, ast.ImportFrom) and not statement.level and statement.module:
            for alias in statement.names:
                if dotted == (alias.asname or alias.name):
                    return statement.module, alias.name
    return "", dotted


def bases_know(repo: Repository, value: ClassValue, name: str) -> bool:
    """Whether the bases of a class that are not of the repository may have or use a member: what is written
    in Python with the library does not where the word is nowhere in it."""
    if not repo.classes.has_foreign_base(value):
        return False
    known = _words_of_bases(repo, value)
    if known is None or name in known:
        return True
    # `getattr(self, "do_" + name)`; and loaders of tests look for a beginning.
    if name.startswith("test") or any(word.endswith("_") and name.startswith(word) for word in known):
        return True
    return "getattr" in known and _is_given_as_text(repo, value, name)


def _is_given_as_text(repo: Repository, value: ClassValue, name: str) -> bool:
    """Whether a text where a class is known is the name: `TestCase("check_size")`."""
    near = {value.path, *repo.index.importers(value.path)}.intersection(repo.index.files_with(name))
    return any(one.value == name for path in near for one in repo.index.source(path).strings)


def _words_of_bases(repo: Repository, value: ClassValue) -> frozenset[str] | None:
    """The words in the code of all bases outside of the repository; None where it is not known."""
    words: frozenset[str] = frozenset()
    for one in repo.classes.ancestors(value):
        source, scopes = repo.index.source(one.path), repo.index.scopes(one.path)
        for base in one.node.bases:
            node = base.value if isinstance(base, ast.Subscript) else base
            values = repo.infer.values(one.path, node, scopes.scope_at.get(one.node, scopes.module))
            if last_name(node) in PLAIN_BASES or all(isinstance(item, ClassValue) for item in values):
                continue
            dotted = ast.unparse(node)
            own = dotted in scopes.module.bound
            # One that several imports bring, as behind `except ImportError`, may be any of them.
            imports = {imported_from([one], dotted) for one in source.statements}
            named = [one for one in imports if one[0] and "." not in one[1]]
            module, name = named[0] if len(named) == 1 else ("", dotted)
            found = _words(module, name) if module else None if own else _of_builtin(dotted)
            if found is None:
                return None
            words |= found
    return words


def _of_builtin(name: str) -> frozenset[str] | None:
    found = getattr(builtins, name, None)
    return frozenset(dir(found)) if isinstance(found, type) else None


@lru_cache(maxsize=128)
def _words(module: str, name: str) -> frozenset[str] | None:
    """The words in the files of a class of the library and of its bases."""
    found = library_module(module)
    if found is None or not _NAMES_ARE_DATA.isdisjoint((module, f"{module}.{name}")):
        return None
    text, tree = found
    own = next((one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == name), None)
    if own is None:
        at = _reexported(module, tree, name)
        return _words(*at) if at is not None else None
    words = frozenset(_WORD.findall(text)) | _asked_in_package(module.partition(".")[0])
    for base in own.bases:
        dotted = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
        above = _above(module, tree, dotted) if dotted != name else None
        if above is None:
            return None
        words |= above
    return words


@lru_cache(maxsize=32)
def _asked_in_package(name: str) -> frozenset[str]:
    """What the other modules of a package of the library ask of objects."""
    folder, words = Path(sysconfig.get_path("stdlib"), name), set[str]()
    for path in folder.rglob("*.py"):
        if not {"test", "tests"}.intersection(path.parts):
            words.update(_ASKED.findall(path.read_text("utf-8", "replace")))
    return frozenset(words)


def _above(module: str, tree: ast.Module, dotted: str) -> frozenset[str] | None:
    """The words of a base that a class of the library names."""
    if any(isinstance(one, ast.ClassDef) and one.name == dotted for one in tree.body):
        return _words(module, dotted)
    home, name = imported_from(tree.body, dotted)
    if home:
        return _words(home, name)
    return _words(*at) if (at := _reexported(module, tree, dotted)) else _of_builtin(dotted)


def _reexported(module: str, tree: ast.Module, name: str) -> tuple[str, str] | None:
    """Where a package has a name from: `from .case import TestCase`."""
    for one in tree.body:
        if (
            isinstance(one, ast.ImportFrom)
            and one.level == 1
            and any(item.name == name for item in one.names)
        ):
            return f"{module}.{one.module}", name
    return None
