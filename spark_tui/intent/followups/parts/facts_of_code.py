"""What code has of one kind, each as a text that can be compared: its names, defaults, types, messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from spark_tui.intent.finders.blocks import is_log
from spark_tui.pysource.source import Definition, Source, docstring
from spark_tui.pysource.syntax.walking import walk

Facts = Callable[[Source], Iterable[str]]
ABSENT = ""
"""The fact that something has no default, type, docstring or decorator."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def _nodes(source: Source) -> Iterator[ast.AST]:
    yield from walk(source.tree) if source.tree is not None else ()


def _of_kind(*kinds: type[ast.AST]) -> Facts:
    """The nodes of some kinds."""
    return lambda source: (ast.dump(node) for node in _nodes(source) if isinstance(node, kinds))


def _bound(source: Source) -> set[str]:
    """The names that are bound, and texts that are names, such as keys."""
    return {*names_defined(source), *filter(str.isidentifier, _texts(source))}


def names_defined(source: Source) -> set[str]:
    """The names that are bound."""
    names: set[str] = set()
    for node in _nodes(source):
        if isinstance(node, Definition):
            names.add(node.name)
        elif isinstance(node, ast.arg | ast.keyword):
            names.add(node.arg or "")
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.id if isinstance(node, ast.Name) else node.attr)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
        elif isinstance(node, ast.ExceptHandler):
            names.add(node.name or "")
    return names - {""}


def _texts(source: Source) -> Iterator[str]:
    """The texts that are no docstrings."""
    told = {id(found.value) for node in _nodes(source) if (found := docstring(node)) is not None}
    for node in _nodes(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def _values(source: Source) -> Iterator[str]:
    """What is no docstring and no type, and where a name stands for a value, that name."""
    yield from _texts(source)
    for node in _nodes(source):
        if isinstance(node, ast.Constant) and not isinstance(node.value, str):
            yield repr(node.value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield f"name {node.id}"


def _numbers(source: Source) -> Iterator[str]:
    for node in _nodes(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            yield repr(node.value)


def _defaults(source: Source) -> Iterator[str]:
    for node in _nodes(source):
        if isinstance(node, ast.arguments):
            plain = [*node.posonlyargs, *node.args]
            yield from [ABSENT] * (len(plain) - len(node.defaults))
            yield from map(ast.dump, node.defaults)
            yield from (ast.dump(one) if one is not None else ABSENT for one in node.kw_defaults)
        elif isinstance(node, ast.keyword):
            yield ast.dump(node.value)  # of an option
        elif isinstance(node, ast.ClassDef):
            fields = (one for one in node.body if isinstance(one, ast.Assign | ast.AnnAssign))
            yield from (ast.dump(one.value) if one.value is not None else ABSENT for one in fields)


def _types(source: Source) -> Iterator[str]:
    for node in _nodes(source):
        if isinstance(node, ast.arg | ast.AnnAssign):
            yield ast.dump(node.annotation) if node.annotation is not None else ABSENT
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.dump(node.returns) if node.returns is not None else ABSENT
    yield from _errors(source)


def _docstrings(source: Source) -> Iterator[str]:
    for node in _nodes(source):
        if isinstance(node, Definition | ast.Module):
            found = docstring(node)
            yield ast.dump(found) if found is not None else ABSENT


def _decorators(source: Source) -> Iterator[str]:
    for node in _nodes(source):
        if isinstance(node, Definition):
            yield " ".join(map(ast.dump, node.decorator_list))


def _conditions(source: Source) -> Iterator[str]:
    for node in _nodes(source):
        if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
            yield ast.dump(node.test)
        elif isinstance(node, ast.comprehension):
            yield from map(ast.dump, node.ifs)
        elif isinstance(node, ast.Compare):
            yield ast.dump(node)


def _errors(source: Source) -> Iterator[str]:
    """What is raised and caught."""
    for node in _nodes(source):
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield ast.dump(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
        elif isinstance(node, ast.ExceptHandler) and node.type is not None:
            yield ast.dump(node.type)


def _parameters(source: Source) -> Iterator[str]:
    for node in _nodes(source):
        if isinstance(node, ast.arguments):
            yield ast.dump(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.dump(node.returns) if node.returns is not None else ABSENT


def _logs(source: Source) -> Iterator[str]:
    return (ast.dump(node) for node in _nodes(source) if is_log(node))


def _levels(source: Source) -> Iterator[str]:
    for node in _nodes(source):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_log(node):
            yield node.func.attr


def _prints(source: Source) -> Iterator[str]:
    for node in _nodes(source):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            yield ast.dump(node)


def _comments(source: Source) -> Iterable[str]:
    return re.findall(r"#.*", source.text)


FACTS: Mapping[str, Facts] = {
    "name": _bound,
    "value": _values,
    "number": _numbers,
    "default": _defaults,
    "type": _types,
    "message": _texts,
    "docstring": _docstrings,
    "comment": _comments,
    "condition": _conditions,
    "error": _errors,
    "return": _of_kind(ast.Return),
    "import": _of_kind(ast.Import, ast.ImportFrom),
    "decorator": _decorators,
    "parameters": _parameters,
    "log": _logs,
    "level": _levels,
    "print": _prints,
    "loop": _of_kind(*_LOOPS),
}
