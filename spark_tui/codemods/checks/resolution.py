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

from spark_tui.pysource.inference.values import Special, class_behind
from spark_tui.pysource.names.type_hints import called, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.syntax.parsing import suites, targets
from spark_tui.pysource.tree_comparison import changed_members

_WITHOUT_BINDING = (
    ast.Expr | ast.Raise | ast.Assert | ast.Pass | ast.Break | ast.Continue | ast.If | ast.While
)
_TELLING = (":=", "yield", "__all__")
"""What gives a statement without a binding a meaning for others."""
_TELLING_CALLS = ("TypeVar", "cast", "type")
"""Calls whose arguments say what they give."""
_MOST_ADDED = 20
_KEEPING = ("cache", "lru_cache")
"""Decorators that change neither what a name is nor how it is called."""
_USED_UNNAMED = frozenset(("__init__", "__new__", "__enter__", "__aenter__", "__getattr__"))
_BEHIND = (".", "()")
"""Endings of a class name and of a function name in `_Part.where`."""


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
    value: ast.expr | None = field(default=None, compare=False)
    """What it sets its names to."""


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
    where, *changed = changed_members(old, new)
    known, found = (
        tuple(_of_suites(source, ast.Module(body, []), where))
        for source, body in zip((old, new), changed, strict=True)
    )
    added = Counter(found) - Counter(known)
    rest = list(found)
    for element in added.elements() if added.total() <= _MOST_ADDED else ():
        rest.remove(element)
    if tuple(rest) != known or not all(item.names for item in added):
        return None
    mentioned = [item for item in added if not _is_new(before, after, path, item)]
    if all(item.function is not None and _is_only_called(before, path, item) for item in mentioned):
        return {name for item in mentioned for name in item.names}
    return None


def _is_new(before: Repository, after: Repository, path: str, part: _Part) -> bool:
    """Whether nothing mentions the names of a part yet, or uses them without a mention."""
    index = before.index
    if part.modules and not any(_is_here(before, path, module) for module in part.modules):
        # What comes from elsewhere is no function that is known, and hides none where nothing is starred.
        return not index.scopes(path).module.star_import
    if any(name.startswith("__") for name in part.names):
        return False
    if part.where.endswith("()"):
        texts = _functions(index.source(path), part.where)
        return not any(re.search(rf"\b{name}\b", text) for text in texts for name in part.names)
    if any(name in index.scopes(path).by_name for name in part.names):
        return False
    may_be_member = any(True for name in part.names for _ in index.files_with_member(name))
    if may_be_member and not _is_from_elsewhere(before, after, path, part):
        return False
    imported = {item.name for importer in index.importers(path) for item in index.summary(importer).imports}
    return bool(part.where) or imported.isdisjoint((*part.names, "*"))


def _is_from_elsewhere(before: Repository, after: Repository, path: str, part: _Part) -> bool:
    """Whether a name of a module, which means nothing yet as its member, is set to nothing of the
    repository: a call of the member calls nothing that is known."""
    modules = before.index.modules
    members = [f"{module}.{name}" for module in modules.names(path) for name in part.names]
    means_more = before.index.scopes(path).module.star_import or any(
        modules.is_package(member) or modules.find(member, path) is not None for member in members
    )
    if part.where or part.value is None or means_more:
        return False
    found = after.infer.values(path, part.value, after.index.scopes(path).module)
    return all(isinstance(value, Special) for value in found)


def _is_only_called(repo: Repository, path: str, part: _Part) -> bool:
    """Whether a new method can be meant only by calls that name it."""
    (name,) = part.names
    if not part.where.endswith(".") or name in _USED_UNNAMED or name in repo.index.scopes(path).by_name:
        return False
    for where in repo.index.files_with_member(name):
        scopes = repo.index.scopes(where)
        uses = scopes.attributes_by_name.get(name, ())
        unsure = (item for item in uses if id(item.node) not in scopes.called)
        owners = (value for item in unsure for value in repo.infer.values(where, item.node.value, item.scope))
        if any(class_behind(owner) is not None for owner in owners):
            return False
    return True


def _is_here(repo: Repository, path: str, module: str) -> bool:
    modules = repo.index.modules
    top = module.split(".")[0]
    return not module or modules.find(top, path) is not None or modules.is_package(top)


def _functions(source: Source, where: str) -> Iterator[str]:
    """The texts of the functions whose parts are there."""
    for function in source.functions:
        if where.endswith(f"{function.name}()"):
            names = ""
            for around in (function, *source.ancestors(function)):
                if isinstance(around, Definition):
                    names = f"{around.name}{_BEHIND[isinstance(around, Function)]}{names}"
            if names == where:
                yield source.segment(function)


def _of_suites(source: Source, node: ast.AST, where: str) -> Iterator[_Part]:
    for inner in _statements(node):
        if isinstance(inner, Definition):
            yield from _of_definition(source, inner, where)
            behind = _BEHIND[isinstance(inner, Function)]
            yield from _of_suites(source, inner, f"{where}{inner.name}{behind}")
        elif not (isinstance(inner, ast.Return) and _tells_nothing(node, inner)):
            yield from _of_statement(source, inner, where)


def _tells_nothing(function: ast.AST, node: ast.Return) -> bool:
    """Whether a result is no object that is known, or an annotation says what it is."""
    plain = node.value is None or isinstance(node.value, ast.Constant | ast.JoinedStr)
    return plain or getattr(function, "returns", None) is not None


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements of a definition, those in the suites of others too."""
    for suite in suites(node):
        for inner in suite:
            yield inner
            if not isinstance(inner, Definition):
                yield from _statements(inner)


def _of_definition(source: Source, node: Definition, where: str) -> Iterator[_Part]:
    names = (node.name,)
    heads: list[ast.expr | ast.keyword] = [*node.decorator_list]
    if isinstance(node, ast.ClassDef):
        yield _Part(where, f"class {node.name}", names)
        inner = f"{where}{node.name}."
        heads += [*node.bases, *node.keywords]
    else:
        yield _Part(where, f"{type(node).__name__} {node.name}", names, (), node)
        inner = f"{where}{node.name}()"
        if node.returns is not None:
            yield _Part(inner, f"-> {source.segment(node.returns)}")
    for head in heads:
        if last_name(called(head)) not in _KEEPING:
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
        names = tuple(name.asname or name.name.split(".")[0] for name in node.names)
        modules = [name.name for name in node.names]
        if isinstance(node, ast.ImportFrom):
            modules = ["" if node.level else node.module or ""]
        yield _Part(where, source.segment(node), () if "*" in names else names, tuple(modules))
    elif isinstance(node, ast.stmt) and not isinstance(node, ast.Try):
        goals = targets(node)
        plain = isinstance(node, ast.Assign | ast.AnnAssign)
        names = tuple(target.id for target in goals if isinstance(target, ast.Name) and plain)
        if names == ("__slots__",):
            return  # it holds texts
        value, text = getattr(node, "value", None), source.segment(node)
        if value is not None:
            low, high = source.span(value)
            start, end = source.span(node)
            text = source.text[start:low] + _meaning(source, value, where) + source.text[high:end]
        names = names if len(names) == len(goals) else ()
        yield _Part(where, text, names, value=value if isinstance(node, ast.Assign) else None)


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
    return tuple(node.id for node in ast.walk(target) if isinstance(node, ast.Name))
