"""Whether what stands in changed files means what it meant: then only new code has to be looked at.

What a name may be follows from bindings, signatures, annotations, bases and results. A change that leaves
these as they are, or only adds names that nothing mentions yet, changes the meaning of no other code.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from spark_tui.pysource.inference.values import (
    ClassValue,
    InstanceValue,
    ModuleValue,
    SuperValue,
    Value,
)
from spark_tui.pysource.names.scopes import ScopeKind
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.tree_comparison import changed_statements

_WITHOUT_BINDING = (
    ast.Expr | ast.Raise | ast.Assert | ast.Pass | ast.Break | ast.Continue | ast.If | ast.While
)
_TELLING = (":=", "yield", "__all__")
"""What gives a statement without a binding a meaning for others."""
_TELLING_CALLS = ("TypeVar", "cast", "type")
"""Calls whose arguments say what they give."""
_MOST_ADDED = 20
_USED_UNNAMED = frozenset(("__init__", "__new__", "__enter__", "__aenter__", "__getattr__", "__class__"))
_SUITES = ("body", "handlers", "orelse", "finalbody", "cases")
_BEHIND = (".", "()")
"""Endings of a class name and of a function name in `_Part.where`."""
_OF_FUNCTIONS = (ScopeKind.FUNCTION, ScopeKind.LAMBDA, ScopeKind.COMPREHENSION)
_OUTSIDE_OF_CLASSES = (*_OF_FUNCTIONS, ScopeKind.MODULE)
_TELLING_NOTHING = ("cache", "lru_cache", "override", "abstractmethod", "final")
"""Decorators that leave a function's signature and what is known of its results."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of code that says what a name is: in which definition, and the names that it binds."""

    where: str
    text: str
    names: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    """Where it imports them from."""
    function: Function | None = field(default=None, compare=False)
    """The function that it begins."""


def new_methods(before: Repository, after: Repository, paths: Collection[str]) -> set[str] | None:
    """The names of methods that a change adds, where every other name that stood in these files, or refers to
    something in them, means what it did; None where some may mean something else."""
    out: set[str] = set()
    for path in paths:
        if path in after.index.modules.paths:
            found = _new_methods_of_file(before, after, path)
            if found is None:
                return None
            out |= found
    return out


def _new_methods_of_file(before: Repository, after: Repository, path: str) -> set[str] | None:
    if before.index.text(path) is None or after.index.text(path) is None:
        return None
    old, new = before.index.source(path), after.index.source(path)
    if old.tree is None or new.tree is None:
        return None
    known, found = (
        tuple(_of_suites(source, ast.Module(body, []), ""))
        for source, body in zip((old, new), changed_statements(old, new), strict=True)
    )
    added = Counter(found) - Counter(known)
    rest = list(found)
    for one in added.elements() if added.total() <= _MOST_ADDED else ():
        rest.remove(one)
    if tuple(rest) != known or not all(one.names for one in added):
        return None
    mentioned = [one for one in added if not _is_new(before, path, one)]
    if all(one.function is not None and _is_only_called(before, path, one) for one in mentioned):
        return {name for one in mentioned for name in one.names}
    return None


def _is_new(repo: Repository, path: str, part: _Part) -> bool:
    """Whether nothing mentions the names of a part yet, or uses them without a mention."""
    index = repo.index
    if part.modules and not any(_is_here(repo, path, one) for one in part.modules):
        # What comes from elsewhere is no function that is known, and hides none where nothing is starred.
        return not index.scopes(path).module.star_import
    if part.where.endswith("."):
        return _is_told_by_name(repo, path, part) and not _mentions(repo, path, part)
    if any(name.startswith("__") for name in part.names):
        return False
    if part.where.endswith("()"):
        texts = _functions(index.source(path), part.where)
        return not any(re.search(rf"\b{name}\b", text) for text in texts for name in part.names)
    if any(name in index.scopes(path).by_name for name in part.names) or _mentions(repo, path, part):
        return False
    imported = {one.name for importer in index.importers(path) for one in index.summary(importer).imports}
    return imported.isdisjoint((*part.names, "*"))


def _is_only_called(repo: Repository, path: str, part: _Part) -> bool:
    """Whether a new method can be meant only by calls that name it."""
    if not part.where.endswith(".") or not _is_told_by_name(repo, path, part):
        return False
    return all(id(node) in repo.index.scopes(where).called for where, node in _mentions(repo, path, part))


def _is_told_by_name(repo: Repository, path: str, part: _Part) -> bool:
    """Whether new members of a class are meant only where an object of it is asked for them."""
    for name in part.names:
        private = name.startswith("__") and not name.endswith("__")
        if private or name in _USED_UNNAMED:
            return False
        for one in repo.index.scopes(path).by_name.get(name, ()):
            if one.scope.kind not in _OUTSIDE_OF_CLASSES and _is_of(part, one.scope.node):
                return False
    return True


def _is_of(part: _Part, node: ast.AST) -> bool:
    """Whether a class may be the one that has a part."""
    return not isinstance(node, ast.ClassDef) or part.where.endswith(f"{node.name}.")


def _mentions(repo: Repository, path: str, part: _Part) -> list[tuple[str, ast.Attribute]]:
    """The attributes, with their files, that may mean a part of a class or module."""
    return [
        (where, one.node)
        for name in part.names
        for where in repo.index.files_with_member(name)
        for one in repo.index.scopes(where).attributes_by_name.get(name, ())
        if any(_has(repo, value, path, part) for value in repo.infer.values(where, one.node.value, one.scope))
    ]


def _has(repo: Repository, value: Value, path: str, part: _Part) -> bool:
    if isinstance(value, ModuleValue):
        return not part.where and path in (value.path, repo.index.modules.find(value.name, value.path))
    if not part.where or not isinstance(value, ClassValue | InstanceValue | SuperValue):
        return False
    owner = value if isinstance(value, ClassValue) else value.of
    return any(one.path == path and _is_of(part, one.node) for one in repo.classes.ancestors(owner))


def _is_here(repo: Repository, path: str, module: str) -> bool:
    modules = repo.index.modules
    top = module.split(".")[0]
    return not module or modules.find(top, path) is not None or modules.is_package(top)


def _functions(source: Source, where: str) -> Iterator[str]:
    """The texts of the functions whose parts are there."""
    for one in source.definitions:
        if isinstance(one, Function) and where.endswith(f"{one.name}()"):
            around = [each for each in (one, *source.ancestors(one)) if isinstance(each, Definition)]
            names = (f"{each.name}{_BEHIND[isinstance(each, Function)]}" for each in reversed(around))
            if "".join(names) == where:
                yield source.segment(one)


def _of_suites(source: Source, node: ast.AST, where: str) -> Iterator[_Part]:
    for one in _statements(node):
        if isinstance(one, Function | ast.ClassDef):
            yield from _of_definition(source, one, where)
            behind = _BEHIND[isinstance(one, Function)]
            yield from _of_suites(source, one, f"{where}{one.name}{behind}")
        elif not (isinstance(one, ast.Return) and _tells_nothing(node, one)):
            yield from _of_statement(source, one, where)


def _tells_nothing(function: ast.AST, node: ast.Return) -> bool:
    """Whether a result is no object that is known, or an annotation says what it is."""
    plain = node.value is None or isinstance(node.value, ast.Constant | ast.JoinedStr)
    return plain or getattr(function, "returns", None) is not None


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements of a definition, those in the suites of others too."""
    for suite in _SUITES:
        for one in getattr(node, suite, ()):
            yield one
            if not isinstance(one, Function | ast.ClassDef):
                yield from _statements(one)


def _of_definition(source: Source, node: Function | ast.ClassDef, where: str) -> Iterator[_Part]:
    names = (node.name,)
    heads: list[ast.AST] = [*node.decorator_list]
    if isinstance(node, ast.ClassDef):
        yield _Part(where, f"class {node.name}", names)
        inner = f"{where}{node.name}."
        heads += [*node.bases, *node.keywords]
    else:
        heads = [one for one in heads if last_name(one) not in _TELLING_NOTHING]
        yield _Part(where, f"{type(node).__name__} {node.name}", names, (), node)
        inner = f"{where}{node.name}()"
        if node.returns is not None:
            yield _Part(inner, f"-> {source.segment(node.returns)}")
    for head in heads:
        yield _Part(inner, f"head {source.segment(head)}")
    if isinstance(node, Function):
        for at, one in enumerate(parameters(node)):
            stars = "*" * (one is node.args.vararg) + "**" * (one is node.args.kwarg)
            first = "" if at else "first "
            yield _Part(inner, f"{first}parameter {stars}{source.segment(one)}", (one.arg,))


def _of_statement(source: Source, node: ast.AST, where: str) -> Iterator[_Part]:
    if isinstance(node, _WITHOUT_BINDING):
        text = source.segment(node.test if isinstance(node, ast.If | ast.While) else node)
        if any(word in text for word in _TELLING):
            yield _Part(where, text)
    elif isinstance(node, ast.ExceptHandler):
        if node.name and node.type is not None:
            yield _Part(where, f"except {source.segment(node.type)} as {node.name}", (node.name,))
    elif isinstance(node, ast.For | ast.AsyncFor):
        text = f"for {source.segment(node.target)} in {_meaning(source, node.iter, where)}"
        yield _Part(where, text, _names(node.target))
    elif isinstance(node, ast.With | ast.AsyncWith):
        for item in node.items:
            text = _meaning(source, item.context_expr, where)
            if item.optional_vars is not None:
                names = _names(item.optional_vars)
                yield _Part(where, f"with {text} as {source.segment(item.optional_vars)}", names)
            elif any(word in text for word in _TELLING):
                yield _Part(where, text)
    elif isinstance(node, ast.Import | ast.ImportFrom):
        names = tuple(one.asname or one.name.split(".")[0] for one in node.names)
        modules = [one.name for one in node.names]
        if isinstance(node, ast.ImportFrom):
            modules = ["" if node.level else node.module or ""]
        yield _Part(where, source.segment(node), () if "*" in names else names, tuple(modules))
    elif isinstance(node, ast.stmt) and not isinstance(node, ast.Try):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        plain = isinstance(node, ast.Assign | ast.AnnAssign)
        names = tuple(one.id for one in targets if isinstance(one, ast.Name) and plain)
        value, text = getattr(node, "value", None), source.segment(node)
        if value is not None:
            low, high = source.span(value)
            start, end = source.span(node)
            text = source.text[start:low] + _meaning(source, value, where) + source.text[high:end]
        yield _Part(where, text, names if len(names) == len(targets) else ())


def _meaning(source: Source, node: ast.expr, where: str) -> str:
    """The code of a value as far as it tells what object it is: inside of functions what a call is given does
    not, nor does an index."""
    text = source.segment(node)
    if not where.endswith("()") or any(word in text for word in _TELLING):
        return text
    match node:
        case ast.Call() if last_name(node.func) not in _TELLING_CALLS:
            return f"{_meaning(source, node.func, where)}()"
        case ast.Attribute() | ast.Subscript() | ast.Await():
            rest = f".{node.attr}" if isinstance(node, ast.Attribute) else f" {type(node).__name__}"
            return f"{_meaning(source, node.value, where)}{rest}"
    return text


def _names(target: ast.expr) -> tuple[str, ...]:
    return tuple(one.id for one in ast.walk(target) if isinstance(one, ast.Name))
