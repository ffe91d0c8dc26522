"""Enumerations of a file and their members."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.plan import Plan
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


def enumerations(source: Source) -> Iterator[ast.ClassDef]:
    for node in source.definitions:
        bases = map(ast.unparse, node.bases) if isinstance(node, ast.ClassDef) else ()
        if isinstance(node, ast.ClassDef) and any(base.endswith(("Enum", "Flag")) for base in bases):
            yield node


def member(owner: ast.ClassDef, said: str | int) -> str:
    """The member of an enumeration that has this value, or this name; empty for none."""
    for stmt in (item for item in owner.body if isinstance(item, ast.Assign)):
        name, value = ast.unparse(stmt.targets[0]), stmt.value
        if isinstance(value, ast.Constant) and value.value == said:
            return f"{owner.name}.{name}"
        if name.replace("_", "").lower() == re.sub(r"[_ ]", "", str(said)).lower():
            return f"{owner.name}.{name}"
    return ""


def doubts_of_members(plan: Plan, repo: Repository) -> tuple[str, ...]:
    """That a member gets the value of another one, of which it is only a second name then."""
    after = repo.with_changes(plan.texts(repo))
    for path in filter(is_python, plan.paths):
        known = set(_doubled(repo.index.source(path))) if repo.has(path) else set()
        for name, other in _doubled(after.index.source(path)):
            if (name, other) not in known:
                return (assumed(f"{name} has the value of {other}, and is only another name for that then"),)
    return ()


def _doubled(source: Source) -> Iterator[tuple[str, str]]:
    for node in enumerations(source):
        values: dict[str, str] = {}
        for stmt in (item for item in node.body if isinstance(item, ast.Assign)):
            if isinstance(stmt.value, ast.Constant | ast.Tuple):
                name = f"{node.name}.{ast.unparse(stmt.targets[0])}"
                if (first := values.setdefault(ast.unparse(stmt.value), name)) != name:
                    yield name, first


def like_member(code: str, old: ast.AST | None, source: Source | None) -> str:
    """A text in the place of a member of an enumeration, as the member that it is the value of."""
    owner = ast.unparse(old.value) if isinstance(old, ast.Attribute) else ""
    known = [node for node in enumerations(source) if node.name == owner] if source is not None else []
    text = code[1:-1] if code[:1] in "'\"" and code[-1:] == code[:1] else ""
    return (member(known[0], text) or code) if known and text else code
