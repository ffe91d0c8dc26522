"""The `__init__` of a class: what bases do in theirs, and a new one."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence

from spark_tui.codemods.classes.fields import init_of
from spark_tui.codemods.places.named import comment_lines_above, insert_at_line
from spark_tui.codemods.plan import Edit
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.syntax.walking import walk


def calls_init(node: ast.AST) -> bool:
    """Whether a node calls the `__init__` of a base."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__"
    )


def foreign_base(repo: Repository, owner: ClassValue) -> str:
    """The name of a base that is not in the repository and may do something with what a class sets."""
    if not repo.classes.has_foreign_base(owner):
        return ""
    line = repo.classes.ancestors(owner)
    known = {one.node.name for one in line} | {"Generic", "Protocol", "ABC", "Thread", "TestCase"}
    bases = (
        base.value if isinstance(base, ast.Subscript) else base for one in line for base in one.node.bases
    )
    names = map(last_name, bases)
    return next((name or "a base" for name in names if name not in known and not hasattr(builtins, name)), "")


def needs_first(repo: Repository, owner: ClassValue, name: str) -> bool:
    """Whether the `__init__` of a base may need an attribute, or set it too: it has to be there before."""
    above = repo.classes.ancestors(owner)[1:]
    members = (node for one in above for node in repo.classes.own_members(one).get(name, ()))
    if foreign_base(repo, owner) or any(isinstance(node, ast.Attribute) for node in members):
        return True
    called = {node.attr for one in above for node in walk(one.node) if isinstance(node, ast.Attribute)}
    return reaches(repo.classes.descendants(owner), called, name)


def reaches(classes: Sequence[ClassValue], used: Collection[str], name: str) -> bool:
    """Whether an attribute is one of those that are used, or what a method of that name uses."""
    return name in used or any(
        isinstance(inner, ast.Attribute) and inner.attr == name
        for one in classes
        for method in one.node.body
        if isinstance(method, Function) and method.name in used
        for inner in walk(method)
    )


def new_init(
    repo: Repository, source: Source, owner: ClassValue, gone: ast.stmt, text: str, *, first: bool
) -> Edit:
    """An `__init__` in front of the first method of a class, which hands on what a base takes: with a text
    that comes `first`, or behind that call. `gone` is the statement in the class that the text comes from."""
    node, newline, indent = owner.node, source.newline, source.indent(gone)
    above = repo.classes.ancestors(owner)[1:]
    foreign = repo.classes.has_foreign_base(owner)
    inits = [init for one in above if (init := init_of(one.node)) is not None]
    takes = foreign or any(len(parameters(init)) > 1 for init in inits)
    typed = any(isinstance(one, Function) and one.returns is not None for one in node.body)
    given = ", *args, **kwargs" if takes else ""
    head = f"{indent}def __init__(self{given}){' -> None' if typed and not takes else ''}:{newline}"
    call = f"{indent}{source.indent_unit}super().__init__({given.removeprefix(', ')}){newline}"
    body = text if not above and not foreign else text + call if first else call + text
    below = next((one for one in node.body if isinstance(one, Definition)), None)
    if below is not None:
        line = comment_lines_above(source, source.first_line(below))
        return insert_at_line(source, line, head + body + newline)
    last = node.body[-1]
    parted = len(node.body) == 1 or (last is gone and not source.lines[source.first_line(last) - 1].strip())
    return insert_at_line(source, source.last_line(last), newline * (not parted) + head + body)
