"""Imports in functions, in the main guard and below other code go to the top of their file."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.building.shifted_lines import with_shifted_lines
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words.doubts import unused
from spark_tui.pysource.source import Function, Source, docstring
from spark_tui.pysource.syntax.walking import walk

Import = ast.Import | ast.ImportFrom
_TRIED = "it is imported in a `try`, as it may not be there"
_AT_THE_TOP = "every import there is at the top already"


@builder("hoist_imports")
def hoist_imports(context: Context) -> Iterator[Built]:
    slots = context.reading.slots
    named = [plain_name(item.text) for key in ("module", "name") for item in slots.get(key, ())]
    wanted = dict.fromkeys(filter(None, named))
    found = tried = False
    for area in context.areas[:2]:
        if area.path not in context.repo.index.paths:
            continue
        source = context.source(area.path)
        inner = [one for one in walk(area.node or source.tree) if isinstance(one, Import)]
        inside = [one for one in inner if _is_inside(source, one)]
        tried |= any(_is_tried(source, one) for one in inside)
        inner = [*(one for one in inside if not _is_tried(source, one))]
        inner += _below_code(source) if area.node is None else ()
        heard = {name for name in wanted if any(name in _names(one) for one in inner)}
        inner = [one for one in inner if not heard or heard & _names(one)]
        if inner:
            found = True
            doubts: list[str] = [unused(name) for name in wanted if name not in heard]
            doubts += _conditional(source, inner)
            calls = with_shifted_lines([*_calls(source, inner)], context.repo)
            yield build_at(area, *calls, doubts=doubts)
    if not found:
        raise Unresolved(_TRIED if tried else _AT_THE_TOP, nothing=not tried)


def _names(one: Import) -> set[str]:
    """What an import is called by: its module, that without its packages, and its names."""
    module = getattr(one, "module", None) or ""
    names = {part for alias in one.names for part in (alias.name, alias.asname, alias.name.split(".")[0])}
    return {name for name in (*names, module, module.rpartition(".")[2]) if name}


def _is_inside(source: Source, one: Import) -> bool:
    """Whether an import is in a function, or in what only runs as a script."""
    tests = [ast.unparse(outer.test) for outer in source.ancestors(one) if isinstance(outer, ast.If)]
    return source.function_of(one) is not None or any("__name__" in test for test in tests)


def _below_code(source: Source) -> list[Import]:
    """The imports of the module itself behind a definition, a call or a variable."""
    first = next((one.lineno for one in source.body if not _may_stand_above(one)), sys.maxsize)
    return [one for one in source.body if isinstance(one, Import) and one.lineno > first]


def _may_stand_above(one: ast.stmt) -> bool:
    """Whether a statement may stand above imports: a docstring, an import that is tried, `__all__`."""
    if isinstance(one, ast.Assign):
        return all(ast.unparse(to).startswith("__") for to in one.targets)
    text = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
    return text or isinstance(one, ast.Import | ast.ImportFrom | ast.If | ast.Try)


def _is_tried(source: Source, one: Import) -> bool:
    """Whether an import may fail, or is for a checker of types alone."""
    for outer in source.ancestors(one):
        if isinstance(outer, Function):
            return False
        if isinstance(outer, ast.Try) or (
            isinstance(outer, ast.If) and "TYPE_CHECKING" in ast.unparse(outer.test)
        ):
            return True
    return False


def _conditional(source: Source, inner: list[Import]) -> list[str]:
    """A doubt where a package is imported under a condition: it may not be there otherwise."""
    for one in inner:
        names = [one.module or ""] if isinstance(one, ast.ImportFrom) else [alias.name for alias in one.names]
        for outer in source.ancestors(one):
            if isinstance(outer, Function):
                break
            if isinstance(outer, ast.If) and not all(
                name.partition(".")[0] in sys.stdlib_module_names for name in names
            ):
                return ["it was imported under a condition"]
    return []


def _calls(source: Source, inner: list[Import]) -> Iterator[Operation]:
    """What the top has already is deleted in the functions, from the end; then the others are moved."""
    outer = [one for one in source.statements if isinstance(one, Import) and source.suite(one) is source.body]
    at_top = {_row(one, alias) for one in outer for alias in one.names}
    moved: dict[tuple[str, str, str], None] = {}
    for one in sorted(inner, key=lambda node: -node.lineno):
        rows = [_row(one, alias) for alias in one.names if alias.name != "*"]
        if source.function_of(one) is None:
            yield _to_top(source, one)
        elif rows and at_top.issuperset(rows):
            spot = line_range(source.path, source.first_line(one) + 1, source.last_line(one))
            yield call("delete_statements", place=spot)
        else:
            moved |= dict.fromkeys(row for row in rows if row not in at_top)
    for module, name, alias in reversed(moved):
        yield call("add_import", path=source.path, module=module, name=name, alias=alias, hoist=True)


def _to_top(source: Source, one: Import) -> Operation:
    """The call that moves an import of a script below the others, or before everything else."""
    below = _below_code(source)
    others = [inner for inner in source.body if isinstance(inner, Import) and inner not in below]
    documented = source.tree is not None and docstring(source.tree) is not None
    first = source.body[1 if documented and len(source.body) > 1 else 0]
    there = others[-1] if others else first
    return call(
        "move_statements",
        place=line_range(source.path, source.first_line(one) + 1, source.last_line(one)),
        to=f"{source.path}:{there.lineno}",
        side="after" if others else "before",
    )


def _row(one: Import, alias: ast.alias) -> tuple[str, str, str]:
    if isinstance(one, ast.ImportFrom):
        return "." * one.level + (one.module or ""), alias.name, alias.asname or ""
    return alias.name, "", alias.asname or ""
