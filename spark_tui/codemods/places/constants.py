"""Where a new constant of a module stands: below those that stand at its top, or below one that is named."""

from __future__ import annotations

import ast

from spark_tui.codemods.imports.lines import blank_lines
from spark_tui.codemods.places.named import insert_at_line
from spark_tui.codemods.plan import Edit, Refusal
from spark_tui.pysource.names.imports import first_line, top_imports
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import is_text, targets

_PLAIN = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Import, ast.ImportFrom, ast.Try, ast.If)


def insert_constant(source: Source, text: str, limit: int, below: str = "") -> Edit:
    """The edit that puts a constant at the top of a module, in front of an offset where it is used."""
    above = _named(source, below, limit) if below else _last(source, limit)
    if above is not None:
        above = next(
            filter(is_text, source.body[source.body.index(above) + 1 :][:1]), above
        )  # what it is for
        line = source.last_line(above)
        held = source.lines[line] if line < len(source.lines) else ""
        spread = source.last_line(above) - source.first_line(above) > 1
        front = source.newline if spread else ""
        back = source.newline if spread and held.strip() else ""
        return insert_at_line(source, line, front + text + back)
    imports = [node for node in top_imports(source) if source.span(node)[1] < limit]
    line = source.last_line(imports[-1]) if imports else first_line(source)
    front = source.newline if line and source.lines[line - 1].strip() else ""
    follows = line < len(source.lines) and source.lines[line].strip()
    back = source.newline * blank_lines(source, line) if follows else ""
    return insert_at_line(source, line, front + text + back)


def _named(source: Source, name: str, limit: int) -> ast.stmt:
    found = next((stmt for stmt in source.body if constant_name(stmt) == name), None)
    if found is None:
        raise Refusal(f"{name} is not a constant of {source.path}")
    if source.span(found)[1] > limit:
        raise Refusal(f"it is used above {name}")
    return found


def _last(source: Source, limit: int) -> ast.stmt | None:
    """The last constant in front of the first definition, a plain value where there are such. Where some are
    computed there is none: they may be made of what stands above them."""
    found: list[ast.stmt] = []
    for stmt in source.body:
        if not isinstance(stmt, _PLAIN) or source.span(stmt)[1] > limit:
            break
        if constant_name(stmt).isupper():
            found.append(stmt)
    imports = [node for node in top_imports(source) if source.span(node)[1] < limit]
    found = [inner for inner in found if not imports or inner.lineno > imports[-1].lineno]
    if any(isinstance(node, ast.Call) for inner in found for node in ast.walk(inner)):
        return None
    plain = [inner for inner in found if isinstance(getattr(inner, "value", None), ast.Constant)]
    return (plain or found)[-1] if found else None


def constant_name(node: ast.stmt) -> str:
    """The one name that a statement sets; empty where it sets none or several."""
    match targets(node):
        case [ast.Name(name)]:
            return name
    return ""
