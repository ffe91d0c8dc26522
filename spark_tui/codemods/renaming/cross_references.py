"""Renames what documentation links to by roles and directives of Sphinx, in docstrings, comments and files:
:meth:`Cart.add`, .. autofunction:: total."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from weakref import WeakKeyDictionary

from spark_tui.codemods.renaming.edits import Renaming
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source, Span
from spark_tui.pysource.syntax.parsing import is_text

_ROLES = "attr|class|const|data|exc|func|meth|mod|obj"
_ROLE = re.compile(rf":(?:py:)?(?:{_ROLES}):`(?:[^`<]*<)?[~!]?(?P<target>\.?\w+(?:\.\w+)*)(?:\(\))?>?`")
_OBJECTS = "attribute|class|data|decorator|exception|function|method|property"
_DIRECTIVE = re.compile(
    rf"^[ ]*\.\. (?:py:)?(?:auto)?(?P<kind>{_OBJECTS}|module|currentmodule)::[ ]+(?P<target>\w+(?:\.\w+)*)",
    re.MULTILINE,
)
_DOCUMENTS = (".rst", ".txt")

_Meant = Callable[[str], Iterable[str]]
"""The full names that a dotted name may stand for at a place."""


def rename_cross_references(renaming: Renaming) -> None:
    index = renaming.repo.index
    for path in _linking(renaming.repo):
        text = index.text(path) or ""
        if renaming.old not in text:
            continue
        if path.endswith(_DOCUMENTS):
            _in_document(renaming, path, text)
        elif index.parses(path):
            _in_code(renaming, path)


def _linking(repo: Repository) -> tuple[str, ...]:
    """The files that link to anything."""
    found = _LINKING.get(repo)
    if found is None:
        index = repo.index
        documents = (path for path in index.all_paths if path.endswith(_DOCUMENTS))
        code = (path for path in index.paths if ":`" in (index.text(path) or ""))
        found = _LINKING[repo] = (*documents, *code)
    return found


_LINKING: WeakKeyDictionary[Repository, tuple[str, ...]] = WeakKeyDictionary()


def _in_code(renaming: Renaming, path: str) -> None:
    source = renaming.repo.index.source(path)
    for low, high in _texts(source):
        for found in _ROLE.finditer(source.text, low, high):
            meant = _meant_in_code(renaming, path, _classes_at(source, found.start()))
            _rename_in(renaming, path, found["target"], found.start("target"), meant)


def _texts(source: Source) -> Iterator[Span]:
    """The places of docstrings, other texts that stand alone, and comments."""
    yield from (source.span(statement) for statement in source.statements if is_text(statement))
    yield from (comment.span for comment in source.comments)


def _classes_at(source: Source, at: int) -> list[str]:
    """The dotted names of the classes around a place, the innermost first."""
    classes = [one for one in reversed(source.definitions) if isinstance(one, ast.ClassDef)]
    spans = ((one, source.span(one)) for one in classes)
    return [source.qualname(one) for one, (low, high) in spans if low <= at < high]


def _meant_in_code(renaming: Renaming, path: str, classes: list[str]) -> _Meant:
    index = renaming.repo.index
    defined = {symbol.qualname for symbol in index.summary(path).symbols}

    def meant(dotted: str) -> Iterator[str]:
        first, _, _ = dotted.partition(".")
        owner = next((f"{one}." for one in classes if f"{one}.{first}" in defined), "")
        yield from (f"{module}.{owner}{dotted}" for module in index.modules.names(path))
        if owner:
            return
        yield dotted
        for one in index.imports(path):
            if one.alias == first:
                module = index.imported_module(path, one)
                yield f"{f'{module}.{one.name}'.strip('.')}{dotted[len(first) :]}"

    return meant


def _in_document(renaming: Renaming, path: str, text: str) -> None:
    """The targets of roles and of directives, which go on from the module and the class above them."""
    module = owner = ""
    places = sorted((*_ROLE.finditer(text), *_DIRECTIVE.finditer(text)), key=lambda found: found.start())
    for found in places:
        kind, dotted = found.groupdict().get("kind"), found["target"]
        _rename_in(renaming, path, dotted, found.start("target"), partial(_meant_below, module, owner))
        if kind in ("module", "currentmodule"):
            module, owner = dotted, ""
        elif kind in ("class", "exception"):
            owner = dotted.removeprefix(f"{module}.") if module else dotted


def _meant_below(module: str, owner: str, dotted: str) -> tuple[str, ...]:
    return dotted, f"{module}.{dotted}", f"{module}.{owner}.{dotted}".removeprefix(".")


def _rename_in(renaming: Renaming, path: str, target: str, at: int, meant: _Meant) -> None:
    """Rename the parts of a dotted name that stand for what is renamed."""
    dotted = target.removeprefix(".")
    at += len(target) - len(dotted)
    for part in re.finditer(r"\w+", dotted):
        whole = dotted[: part.end()]
        if part[0] != renaming.old:
            continue
        if target != dotted:  # a dot in front looks for it in all modules
            known = renaming.repo.index.symbols(whole)
            names = renaming.repo.index.modules.names
            full = {f"{module}.{one.qualname}" for where, one in known for module in names(where)}
            fits = bool(full) and full <= renaming.full_names
        else:
            fits = not renaming.full_names.isdisjoint(meant(whole))
        if fits:
            line = (renaming.repo.index.text(path) or "").count("\n", 0, at) + 1
            renaming.rename(path, (at + part.start(), at + part.end()), line)
