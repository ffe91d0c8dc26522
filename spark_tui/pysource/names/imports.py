"""The imports of a file: which are unused, in which group each belongs, where a new one goes."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from enum import IntEnum

from spark_tui.pysource.modules import Modules
from spark_tui.pysource.names.scopes import Role, Scopes, Variable
from spark_tui.pysource.source import Definition, Function, Source, docstring

_KEPT = re.compile(r"#.*\b(?:noqa|pragma|isort|pylint|pyright|type: ignore)\b", re.IGNORECASE)

ImportNode = ast.Import | ast.ImportFrom


class Group(IntEnum):
    """The blocks of imports, in their order."""

    FUTURE = 0
    STANDARD = 1
    INSTALLED = 2
    LOCAL = 3


def group(module: str, level: int, modules: Modules, path: str) -> Group:
    top = module.split(".")[0]
    if module == "__future__":
        return Group.FUTURE
    if level or modules.find(top, path) is not None or modules.is_package(top):
        return Group.LOCAL
    return Group.STANDARD if top in sys.stdlib_module_names else Group.INSTALLED


@dataclass(frozen=True, slots=True)
class UnusedImport:
    """An imported name that its file does not use. `doubt` says why it may be needed all the same."""

    statement: ImportNode
    alias: ast.alias
    name: str
    doubt: str = ""


def hoisted(scopes: Scopes, module: str, name: str, alias: str = "") -> dict[ImportNode, list[ast.alias]]:
    """The imports in functions that say again what an import at the top says. Those that are tried, and those
    of a name that is also set in another way there, are left out."""
    source = scopes.source
    out: dict[ImportNode, list[ast.alias]] = {}
    for variable in scopes.variables:
        if variable.scope is None or not isinstance(variable.scope.node, Function):
            continue
        found = [(binding.node, source.parents.get(binding.node)) for binding in variable.bindings]
        outer = (ancestor for node, _ in found for ancestor in source.ancestors(node))
        same = all(_says(node, holder, module, name, alias) for node, holder in found)
        if same and not any(isinstance(ancestor, ast.Try) for ancestor in outer):
            for node, holder in found:
                assert isinstance(holder, ImportNode) and isinstance(node, ast.alias)
                out.setdefault(holder, []).append(node)
    return out


def _says(node: ast.AST, holder: ast.AST | None, module: str, name: str, alias: str) -> bool:
    """Whether a name in an import is imported from a module and called so."""
    if not isinstance(node, ast.alias) or not isinstance(holder, ImportNode):
        return False
    home = "." * holder.level + (holder.module or "") if isinstance(holder, ast.ImportFrom) else ""
    return (home, node.name, node.asname or "") == ((module, name, alias) if name else ("", module, alias))


def unused_imports(scopes: Scopes) -> list[UnusedImport]:
    """Imports without a use in their file. Marked, redundant (`a as a`) and conditional ones are left out, so
    are those in a class, which are its members."""
    source = scopes.source
    out = []
    parameters = {occurrence.name for occurrence in scopes.occurrences if occurrence.role is Role.PARAMETER}
    for variable in scopes.variables:
        if variable.scope is None or variable.scope.is_class or not _only_imported(variable):
            continue
        for binding in variable.bindings:
            node = binding.node
            assert isinstance(node, ast.alias)
            statement = scopes.aliases[node]
            if _is_kept(source, statement, node) or is_in_type_comment(source, variable.name):
                continue
            doubt = "a parameter has its name: it may be a fixture" if variable.name in parameters else ""
            owner = source.parents.get(statement)
            if isinstance(owner, ast.With | ast.AsyncWith | Function) and len(owner.body) == 1:
                doubt = "its block does nothing else"
            out.append(UnusedImport(statement, node, variable.name, doubt))
    return sorted(out, key=lambda item: source.span(item.alias))


def is_in_type_comment(source: Source, name: str) -> bool:
    """Whether a name stands in a comment that gives a type: `# type: List[str]`."""
    comments = (comment.text for comment in source.comments if comment.text.startswith("# type:"))
    return any(re.search(rf"\b{re.escape(name)}\b", text) for text in comments)


def _only_imported(variable: Variable) -> bool:
    return all(occurrence.role is Role.IMPORT for occurrence in variable.occurrences)


def _is_kept(source: Source, statement: ImportNode, node: ast.alias) -> bool:
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return True
    if node.asname == node.name or node.name == "*":
        return True
    lines = (source.lines[one.lineno - 1] for one in (statement, node))
    return any(map(_KEPT.search, lines)) or _in_try(source, statement)


def _in_try(source: Source, statement: ImportNode) -> bool:
    """An import in a `try` asks whether a module is there: its name need not be used."""
    holders = (one for one in source.ancestors(statement) if isinstance(one, ast.Try | Definition))
    return isinstance(next(holders, None), ast.Try)


def module_imports(source: Source) -> list[ImportNode]:
    """The imports of the module itself, in the order of the text."""
    return [stmt for stmt in source.body if isinstance(stmt, ImportNode)]


def has_lazy_annotations(source: Source) -> bool:
    """Whether the annotations of a file are kept as texts: by `from __future__ import annotations`."""
    future = (node for node in module_imports(source) if getattr(node, "module", "") == "__future__")
    return any(name.name == "annotations" for node in future for name in node.names)


def top_imports(source: Source) -> list[ImportNode]:
    """Those above the definitions of the module: what stands below may be late because of a circle."""
    first = next((stmt for stmt in source.body if isinstance(stmt, Definition)), None)
    return [node for node in module_imports(source) if first is None or node.lineno < first.lineno]


def first_line(source: Source) -> int:
    """The line where the first import of a file would go: after its docstring and head comments."""
    doc = docstring(source.tree) if source.tree is not None else None
    if doc is not None:
        return source.last_line(doc)
    line = 0
    while line < len(source.lines) and source.lines[line].startswith("#"):
        line += 1
    return line
