"""Renames what documentation links to by roles and directives of Sphinx, in docstrings, comments and files:
:meth:`Cart.add`, .. autofunction:: total."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from weakref import WeakKeyDictionary

from spark_tui.codemods.renaming.edits import Renaming
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source, Span
from spark_tui.pysource.syntax.parsing import is_text

_ROLES = "any|attr|class|const|data|deco|exc|func|meth|mod|obj|type"
_ROLE = re.compile(
    rf"(?<![\w:])(?::py)?:(?P<role>{_ROLES}):`(?:[^`<]*<)?[~!]?(?P<target>\.?\w+(?:\.\w+)*)(?:\(\))?>?`"
)
_OBJECTS = "attribute|class|classmethod|data|decorator|exception|function|method|property|staticmethod"
_DIRECTIVE = re.compile(
    rf"^(?P<indent>[ \t]*)\.\. (?:py:)?(?:auto)?(?P<kind>{_OBJECTS}|module|currentmodule)::[ \t]+"
    r"(?P<target>\w+(?:\.\w+)*)",
    re.MULTILINE,
)
_MEMBERS = re.compile(r"^[ \t]+:(?:exclude-|private-)?members:(?P<names>.*)", re.MULTILINE)
_MEMBER = re.compile(r"(?P<target>\w+)")
_OF_CLASSES = ("attr", "meth")
"""Roles of what a class has; other ones look at the module first, as Sphinx does."""
_MOST_IMPORTS = 8
"""Files that hand a name on, one after the other."""
_DOCUMENTS = (".rst", ".txt")


def rename_cross_references(renaming: Renaming) -> None:
    index = renaming.repo.index
    linked = re.compile(rf":`[^`]*(?<!\w){re.escape(renaming.old)}(?!\w)")
    for path in _linking(renaming.repo):
        text = index.text(path) or ""
        if renaming.old not in text:
            continue
        if path.endswith(_DOCUMENTS):
            _in_document(renaming, path, text)
        elif linked.search(text) and index.parses(path):
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
    index = renaming.repo.index
    source = index.source(path)
    modules = index.modules.names(path)
    for low, high in _texts(source):
        for found in _ROLE.finditer(source.text, low, high):
            if renaming.old in found["target"]:
                owners = [f"{one}." for one in _classes_at(source, found.start())]
                _rename_in(renaming, path, found, modules, owners)


def _texts(source: Source) -> Iterator[Span]:
    """The places of docstrings, other texts that stand alone, and comments."""
    yield from (source.span(statement) for statement in source.statements if is_text(statement))
    yield from (comment.span for comment in source.comments)


def _classes_at(source: Source, at: int) -> list[str]:
    """The dotted names of the classes around a place, the innermost first."""
    classes = [one for one in reversed(source.definitions) if isinstance(one, ast.ClassDef)]
    spans = ((one, source.span(one)) for one in classes)
    return [source.qualname(one) for one, (low, high) in spans if low <= at < high]


def _in_document(renaming: Renaming, path: str, text: str) -> None:
    """The targets of roles, of directives and of their lists of members, which go on from the module and the
    class above them."""
    module = ""
    owners: list[tuple[int, str]] = []
    """The classes whose directives hold the place, with their indents."""
    lists = (_MEMBER.finditer(text, *found.span("names")) for found in _MEMBERS.finditer(text))
    found_all = (*_ROLE.finditer(text), *_DIRECTIVE.finditer(text), *chain.from_iterable(lists))
    places = sorted(found_all, key=lambda found: found.start())
    for found in places:
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.end()].expandtabs(8)
        indent = len(line) - len(line.lstrip())
        owners = [one for one in owners if one[0] < indent]
        kind, dotted = found.groupdict().get("kind"), found["target"]
        around = f"{owners[-1][1]}." if owners else ""
        _rename_in(renaming, path, found, [module] if module else [], [around] if around else [])
        if kind in ("module", "currentmodule"):
            module = "" if dotted == "None" else dotted
        elif kind in ("class", "exception"):
            owners.append((indent, around + (dotted.removeprefix(f"{module}.") if module else dotted)))


def _rename_in(
    renaming: Renaming, path: str, found: re.Match[str], modules: Sequence[str], owners: Sequence[str]
) -> None:
    """Rename the parts of a dotted name that stand for what is renamed."""
    target, role = found["target"], found.groupdict().get("role")
    dotted = target.removeprefix(".")
    at = found.end("target") - len(dotted)
    for part in re.finditer(r"\w+", dotted):
        whole = dotted[: part.end()]
        last = part.end() == len(dotted)
        if part[0] != renaming.old or not (last or renaming.of_class):
            continue
        inside = [f"{module}.{owner}{whole}" for owner in owners for module in modules or [""]]
        beside = [f"{module}.{whole}" for module in modules]
        if last and (role is None or role in _OF_CLASSES or dotted != target):
            names = (*inside, *beside, whole)
        else:
            names = (whole, *beside, *inside)
        known = (
            _is_renamed(renaming, path, name.strip("."))
            for name in (*names, *_reached(renaming, path, whole))
        )
        fits = next((one for one in known if one is not None), None)
        if fits is None and dotted != target:  # a dot in front looks for it in all modules
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
