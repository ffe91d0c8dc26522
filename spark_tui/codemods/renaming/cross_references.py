"""Renames what documentation links to for Sphinx, in docstrings, comments and files: :meth:`Cart.add`,
.. autofunction:: total, :raises Full:."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from weakref import WeakKeyDictionary

from spark_tui.codemods.renaming.edits import Renaming
from spark_tui.codemods.renaming.sphinx_links import MARKS, Link, links_in, may_link, roles_in
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import is_text

_OF_CLASSES = ("attr", "meth")
"""Roles of what a class has; other ones look at the module first, as Sphinx does."""
_MOST_IMPORTS = 8
"""Files that hand a name on, one after the other."""
_DOCUMENTS = (".rst", ".txt")


def rename_cross_references(renaming: Renaming) -> None:
    index = renaming.repo.index
    for path in _linking(renaming.repo):
        text = index.text(path) or ""
        if renaming.old not in text:
            continue
        if path.endswith(_DOCUMENTS):
            _in_text(renaming, path, links_in(text), [], [])
        elif may_link(text, renaming.old) and index.parses(path):
            _in_code(renaming, path)


def _linking(repo: Repository) -> tuple[str, ...]:
    """The files that link to anything."""
    found = _LINKING.get(repo)
    if found is None:
        index = repo.index
        documents = (path for path in index.all_paths if path.endswith(_DOCUMENTS))
        texts = ((path, index.text(path) or "") for path in index.paths)
        code = (path for path, text in texts if any(mark in text for mark in MARKS))
        found = _LINKING[repo] = (*documents, *code)
    return found


_LINKING: WeakKeyDictionary[Repository, tuple[str, ...]] = WeakKeyDictionary()


def _in_code(renaming: Renaming, path: str) -> None:
    """The links of docstrings and other texts that stand alone, and the roles of comments."""
    source, modules = renaming.repo.index.source(path), renaming.repo.index.modules.names(path)
    links: list[tuple[int, list[Link]]] = []
    for low, high in (source.span(statement) for statement in source.statements if is_text(statement)):
        if renaming.old in source.text[low:high]:
            links.append((low, links_in(source.text, low, high)))
    for low, high in (comment.span for comment in source.comments):
        if renaming.old in source.text[low:high]:
            links.append((low, list(roles_in(source.text, low, high))))
    for low, found in links:
        _in_text(renaming, path, found, modules, [f"{one}." for one in _classes_at(source, low)])


def _classes_at(source: Source, at: int) -> list[str]:
    """The dotted names of the classes around a place, the innermost first."""
    classes = [one for one in reversed(source.definitions) if isinstance(one, ast.ClassDef)]
    spans = ((one, source.span(one)) for one in classes)
    return [source.qualname(one) for one, (low, high) in spans if low <= at < high]


def _in_text(
    renaming: Renaming, path: str, links: Iterable[Link], modules: Sequence[str], classes: Sequence[str]
) -> None:
    """The targets of links, which go on from the module and the class above them, or around the text."""
    owners: list[tuple[int, str]] = []
    """The classes whose directives hold the place, with their indents."""
    for link in links:
        owners = [one for one in owners if one[0] < link.indent]
        around = f"{owners[-1][1]}." if owners else ""
        _rename_in(renaming, path, link, modules, [around] if around else classes)
        if link.kind in ("module", "currentmodule"):
            modules = [] if link.target == "None" else [link.target]
        elif link.kind in ("class", "exception"):
            own = next((f"{one}." for one in modules if link.target.startswith(f"{one}.")), "")
            owners.append((link.indent, around + link.target.removeprefix(own)))


def _rename_in(
    renaming: Renaming, path: str, link: Link, modules: Sequence[str], owners: Sequence[str]
) -> None:
    """Rename the parts of a dotted name that stand for what is renamed."""
    target, everywhere = link.target, link.is_type or link.target.startswith(".")
    if link.is_type and not renaming.of_class:
        return  # words of a type are names of classes, or plain words
    dotted = target.removeprefix(".")
    at = link.start + len(target) - len(dotted)
    for part in re.finditer(r"\w+", dotted):
        whole = dotted[: part.end()]
        last = part.end() == len(dotted)
        if part[0] != renaming.old or not (last or renaming.of_class):
            continue
        inside = [f"{module}.{owner}{whole}" for owner in owners for module in modules or [""]]
        beside = [f"{module}.{whole}" for module in modules]
        if last and (not link.role or link.role in _OF_CLASSES or everywhere):
            names = (*inside, *beside, whole)
        else:
            names = (whole, *beside, *inside)
        known = (
            _is_renamed(renaming, path, name.strip("."))
            for name in (*names, *_reached(renaming, path, whole))
        )
        fits = next((one for one in known if one is not None), None)
        if fits is None and everywhere:
            fits = _all_renamed(renaming, whole)
        if fits:
            line = (renaming.repo.index.text(path) or "").count("\n", 0, at) + 1
            renaming.rename(path, (at + part.start(), at + part.end()), line)


def _reached(renaming: Renaming, path: str, dotted: str) -> Iterator[str]:
    """What a name means by the imports of a Python file, or in the packages around it."""
    index = renaming.repo.index
    if path.endswith(_DOCUMENTS):
        return
    first, _, _ = dotted.partition(".")
    for one in index.imports(path):
        if one.alias == first:
            module = index.imported_module(path, one)
            yield f"{module}.{one.name}".strip(".") + dotted[len(first) :]
    package = index.modules.name(path)
    while package := package.rpartition(".")[0]:
        yield f"{package}.{dotted}"


def _is_renamed(renaming: Renaming, importer: str, full: str) -> bool | None:
    """Whether a full name, also by way of modules that import it, means what is renamed; None where nothing
    is called so."""
    index = renaming.repo.index
    for _ in range(_MOST_IMPORTS):
        if full in renaming.full_names:
            return True
        path, name = _split(index, importer, full)
        if path is None:
            return None
        if any(
            one.qualname == name
            for one in index.summary(path).symbols_by_name.get(name.rpartition(".")[2], ())
        ):
            return False
        first, dot, rest = name.partition(".")
        for one in index.imports(path):
            if one.name and one.alias == first:
                full = f"{index.imported_module(path, one)}.{one.name}{dot}{rest}"
                break
        else:
            return None
    return None


def _split(index: Index, importer: str, full: str) -> tuple[str | None, str]:
    """The file of the module of a full name, and what the name is in it."""
    module = full
    while module := module.rpartition(".")[0]:
        if (path := index.modules.find(module, importer)) is not None:
            return path, full[len(module) + 1 :]
    return None, full


def _all_renamed(renaming: Renaming, dotted: str) -> bool:
    """Whether all of this name are renamed."""
    index = renaming.repo.index
    known = index.symbols(dotted)
    full = {f"{module}.{one.qualname}" for path, one in known for module in index.modules.names(path)}
    return bool(full) and full <= renaming.full_names
