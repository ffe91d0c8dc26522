"""What an object holds open: a connection, a file, a pool that one of its attributes is set to; and which
expressions are open files."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_ENDED_BY = {
    "close": word_set(
        "connect create_connection socket open fdopen urlopen Session Client ZipFile TarFile"
        " NamedTemporaryFile HTTPConnection HTTPSConnection Serial mmap"
    ),
    "shutdown": word_set("ThreadPoolExecutor ProcessPoolExecutor"),
    "quit": word_set("SMTP SMTP_SSL FTP FTP_TLS"),
    "cleanup": word_set("TemporaryDirectory"),
}
"""The methods that end what a call opens, by its last name."""
_MAKING = ("__init__", "__post_init__")
_OPENED = ("open", "stdin")


def ends_of_held(source: Source, owner: ast.ClassDef) -> list[str]:
    """The calls that end what the attributes of a class hold: `self.db.close()`. None of an attribute that is
    also set to something else, or that an object may not have: `__init__` does not always set it."""
    held: dict[str, set[str]] = {}
    starts = [one.body for one in owner.body if isinstance(one, Function) and one.name in _MAKING]
    always = {id(stmt) for body in starts for stmt in body}
    there: set[str] = set()
    for node in walk(owner):
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        for target in targets(node) if value is not None else ():
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self":
                held.setdefault(target.attr, set()).add(_end_of(source, value))
                there |= {target.attr} if id(node) in always else set()
    ended = {name: ends.pop() for name, ends in held.items() if name in there and len(ends) == 1}
    return [f"self.{name}.{end}()" for name, end in ended.items() if end]


def _end_of(source: Source, value: ast.expr | None) -> str:
    """The method that ends what an imported function, or `open`, gives."""
    if not isinstance(value, ast.Call):
        return ""
    begins = ast.unparse(value.func).partition(".")[0]
    imports = (one for one in source.statements if isinstance(one, ast.Import | ast.ImportFrom))
    given = {(alias.asname or alias.name).partition(".")[0] for one in imports for alias in one.names}
    called = called_name(value) if begins in given or begins == "open" else ""
    return next((end for end, opening in _ENDED_BY.items() if called in opening), "")


def is_file(source: Source, inside: ast.AST, node: ast.expr, also: Sequence[str] = ()) -> bool:
    """Whether an expression is an open file where `inside` stands, or what a call of `also` gave."""
    around = source.function_of(inside) or source.tree
    names: set[str] = set()
    for inner in walk(around):
        if isinstance(inner, ast.withitem) and inner.optional_vars is not None:
            names |= {ast.unparse(inner.optional_vars)} if _opens(inner.context_expr, also) else set()
        elif isinstance(inner, ast.Assign):
            names |= {ast.unparse(inner.targets[0])} if _opens(inner.value, also) else set()
    return ast.unparse(node) in names or _opens(node, also)


def _opens(node: ast.expr, also: Sequence[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _OPENED
    func = node.func if isinstance(node, ast.Call) else None
    last = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return last in (*_OPENED, *also)
