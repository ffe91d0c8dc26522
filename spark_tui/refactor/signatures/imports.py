"""Imports that a new hint or decorator takes, where the top of the file is shown.

Comes in: a source and names. Goes out: changes. Must not know: instructions.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable

from spark_tui.refactor.imports_of import bound, imports_in, with_import
from spark_tui.refactor.source import Change, Source
from spark_tui.refactor.source import parse as parse_text

_ABC = frozenset(re.findall(r"\w+", "Callable Iterable Iterator Sequence Mapping MutableMapping Generator Awaitable Coroutine AsyncIterator AsyncIterable Collection Hashable Sized Container"))  # fmt: skip
_TYPING = frozenset(re.findall(r"\w+", "Any Optional Union List Dict Set Tuple Type FrozenSet Self Literal Final ClassVar NoReturn TextIO BinaryIO IO TypeVar Generic Protocol NamedTuple TypedDict override overload final"))  # fmt: skip
_HOMES = {
    "Path": "pathlib", "Decimal": "decimal", "datetime": "datetime", "date": "datetime", "timedelta": "datetime", "Enum": "enum", "IntEnum": "enum", "ABC": "abc",
    "abstractmethod": "abc", "dataclass": "dataclasses", "field": "dataclasses", "lru_cache": "functools", "cache": "functools", "cached_property": "functools",
    "wraps": "functools", "total_ordering": "functools", "singledispatch": "functools", "contextmanager": "contextlib", "asynccontextmanager": "contextlib",
    "Thread": "threading", "StrEnum": "enum", "Flag": "enum", "OrderedDict": "collections", "defaultdict": "collections", "UserDict": "collections",
}  # fmt: skip
_MODULES = frozenset(re.findall(r"\w+", "functools typing unittest pytest dataclasses contextlib abc enum threading asyncio pathlib collections datetime"))  # fmt: skip
_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__path__"}


def is_whole(src: Source) -> bool:
    """Whether nothing that is shown needs a part that is not, and nothing is imported for one."""
    if src.tree is None or src.headers:
        return False
    bound_here: set[str] = set(_BUILTINS)
    read: set[str] = set()
    imported: set[str] = set()
    tops = {number for node in imports_in(src) for number in range(src.first_line(node), src.last_line(node))}
    code = "\n".join(line for number, line in enumerate(src.lines) if number not in tops)
    for node in src.nodes:
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound_here).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound_here.add(node.name)
        elif isinstance(node, ast.arg):
            bound_here.add(node.arg)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound_here.update(bound(alias, node) for alias in node.names)
            if not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
                imported.update(bound(alias, node) for alias in node.names)
            if any(alias.name == "*" for alias in node.names):
                return True
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            bound_here.add(node.name)
    return read <= bound_here and all(re.search(rf"\b{re.escape(name)}\b", code) for name in imported)


def imports_for(src: Source, sources: Iterable[str]) -> list[Change]:
    """What makes the names of types or decorators known; nothing where a part without imports is shown."""
    names: list[str] = []
    for one in sources:
        tree = parse_text(one)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.Name) and node.id not in names:
                names.append(node.id)
    there = {bound(alias, node) for node in imports_in(src) for alias in node.names}
    here = {node.name for node in (*src.classes, *src.functions)}
    wanted = [name for name in names if name not in there | here | _BUILTINS]
    if not wanted or src.headers or src.tree is None:
        return []
    if not (is_whole(src) and any(not isinstance(node, ast.FunctionDef | ast.ClassDef) for node in src.tree.body)):
        homes = {node.module for node in imports_in(src) if isinstance(node, ast.ImportFrom)}
        wanted = [name for name in wanted if (line := _line(src, name)) and line.split()[1] in homes and line[0] == "f"]
    by_module: dict[str, list[str]] = {}
    for name in wanted:
        if line := _line(src, name):
            by_module.setdefault(line.partition(" import ")[0], []).append(line)
    at = src
    for lines in by_module.values():
        names = sorted({line.partition(" import ")[2] for line in lines})
        joined = f"{lines[0].partition(' import ')[0]} import {', '.join(names)}" if names != [""] else lines[0]
        change = with_import(at, joined)
        at = Source(at.changed([change]).split("\n")[:-1]) if change is not None else at
    return [_difference(src.text, at.text)] if at is not src else []


def _difference(old: str, new: str) -> Change:
    """The one change from one text to another."""
    least = min(len(old), len(new))
    start = next((at for at in range(least) if old[at] != new[at]), least)
    end = next((at for at in range(least - start) if old[-1 - at] != new[-1 - at]), least - start)
    return start, len(old) - end, new[start : len(new) - end]


def _line(src: Source, name: str) -> str | None:
    if name in _MODULES:
        return f"import {name}"
    if name in _HOMES:
        return f"from {_HOMES[name]} import {name}"
    if name in _ABC:
        from_typing = any(
            isinstance(node, ast.ImportFrom)
            and node.module == "typing"
            and any(alias.name in _ABC for alias in node.names)
            for node in imports_in(src)
        )
        return f"from {'typing' if from_typing else 'collections.abc'} import {name}"
    return f"from typing import {name}" if name in _TYPING else None


def without_imports(src: Source, names: Iterable[str], changed: str) -> list[Change]:
    """Takes imported names out where the new text reads them nowhere else."""
    idle = {name for name in names if len(re.findall(rf"\b{re.escape(name)}\b", changed)) == 1}
    out: list[Change] = []
    for node in imports_in(src):
        if not isinstance(node, ast.ImportFrom):
            continue
        going = [bound(alias, node) in idle for alias in node.names]
        if all(going):
            out.append((*src.line_span(src.first_line(node), src.last_line(node)), ""))
            continue
        spans = [src.span(one) for one in node.names]
        last = max(at for at, goes in enumerate(going) if not goes)
        out += [(spans[at][0], spans[at + 1][0], "") for at in range(last) if going[at]]
        out += [(spans[last][1], spans[-1][1], "")] if last + 1 < len(spans) else []
    return out
