"""No module of the package imports itself by way of others, not even for type checking."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import spark_tui
from spark_tui.pysource.garbage_collection import no_collection

ROOT = Path(spark_tui.__file__).parent


def _modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = [ROOT.name, *path.relative_to(ROOT).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path
    return found


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """All statements at any depth: an import is one, and most of a tree is expressions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, field, ())
            waiting += inner if isinstance(inner, list) else ()


def _imports(name: str, code: str, *, package: bool, known: Mapping[str, object]) -> set[str]:
    """The known modules that the code imports, at any depth and under any condition."""
    found: set[str] = set()
    for node in _statements(ast.parse(code)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = name.split(".")[: len(name.split(".")) - node.level + package] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                submodule = f"{base}.{alias.name}"
                found.update([submodule] if submodule in known else [base] if base in known else [])
    return found - {name}


def _cycles(graph: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """The strongly connected components of more than one module (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> Iterator[list[str]]:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in index:
                yield from visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            at = stack.index(name)
            component = sorted(stack[at:])
            del stack[at:]
            if len(component) > 1:
                yield component

    for name in graph:
        if name not in index:
            yield from visit(name)


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = _modules()
    assert len(known) > 200
    with no_collection():
        graph = {
            name: _imports(name, path.read_text("utf-8"), package=path.name == "__init__.py", known=known)
            for name, path in known.items()
        }
    assert list(_cycles(graph)) == []


def test_imports_for_types_and_inside_functions_count() -> None:
    known = dict.fromkeys(("p", *(f"p.{letter}" for letter in "abcdefgh")))
    code = (
        "if TYPE_CHECKING:\n    from p.b import B\n"
        "def f():\n    from . import c\n    import p.d\n"
        "from p import x\n"
        "class C:\n    try:\n        pass\n    except E:\n        import p.e\n    else:\n        import p.f\n"
        "    finally:\n        import p.g\n"
        "match x:\n    case 1:\n        import p.h\n"
    )
    assert _imports("p.a", code, package=False, known=known) == known.keys() - {"p.a"}
    assert _imports("p", "from .a import b\nfrom . import c", package=True, known=known) == {"p.a", "p.c"}


def test_a_circle_is_found_whatever_its_length() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert sorted(_cycles(graph)) == [["a", "b", "c"], ["d", "e"]]
