"""Messages and values that a change replaces and a test still expects: `match="no key"` of a raised text,
`timeout is None` of a default."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import statements_below, targets, text_in
from spark_tui.pysource.syntax.walking import walk, walk_each
from spark_tui.pysource.tree_comparison import changed_members

_PATTERN = re.compile(r"\\.|[.*+?()\[\]{}^$|]+")
"""What a regular expression has beside plain text."""
_WORD = re.compile(r"[A-Za-z_]\w+")
_LEAST = 6
_Literals = dict[str, list[ast.Constant]]


def tested_literals(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which tests expect a text or value that a change of other files takes away."""
    for path in paths:
        if is_test_file(path) or not before.has(path) or not after.has(path):
            continue
        _, gone, come = changed_members(before.index.source(path), after.index.source(path))
        lost = set(filter(_is_message, _texts(gone) - _texts(come)))
        if lost:
            there = set(filter(_is_message, _texts(after.index.source(path).body)))
            left = {text for pieces in there for text in pieces}
            for pieces in lost - there:
                yield from _expected_texts(after, pieces, left)
        new = _values(come)
        for name, literals in _values(gone).items():
            if len(literals) == len(new.get(name, ())) == 1 and not _same(literals[0], new[name][0]):
                yield from _expected_values(after, name, literals[0])


def _texts(statements: Iterable[ast.stmt]) -> set[tuple[str, ...]]:
    """The texts in some code, each by what stands between its fields."""
    out: set[tuple[str, ...]] = set()
    for node in walk_each(statements):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            out.add((node.value,))
        elif isinstance(node, ast.JoinedStr):
            out.add(tuple(text_in(part) for part in node.values))
    return out


def _is_message(pieces: Iterable[str]) -> bool:
    """Whether a text has several words."""
    return len(_WORD.findall(" ".join(pieces))) > 1


def _expected_texts(after: Repository, pieces: tuple[str, ...], left: Collection[str]) -> Iterator[Finding]:
    words = _WORD.findall(" ".join(pieces))
    for where in after.index.files_with(max(words, key=len)):
        for node in walk(after.index.source(where).tree) if is_test_file(where) else ():
            expected = text_in(node)
            plain = [part for part in _PATTERN.split(expected) if len(part) >= _LEAST and " " in part.strip()]
            whole = len(expected) >= _LEAST and _stand_in(expected, pieces)
            if not whole and not any(part in piece for part in plain for piece in pieces):
                continue
            if not any(part in text for part in [expected, *plain] for text in left):
                reason = f"expects the text {expected!r}"
                yield Finding(where, getattr(node, "lineno", 0), "tested literals", reason, sure=False)


def _stand_in(text: str, pieces: Iterable[str]) -> bool:
    """Whether a text has all pieces, one after the other."""
    at = 0
    for piece in pieces:
        found = text.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _values(statements: list[ast.stmt]) -> _Literals:
    """The literals that are defaults, or the values of names, by name."""
    out: _Literals = {}
    for node in statements_below(ast.Module(statements, [])):
        given: dict[str, ast.expr | None] = {}
        if isinstance(node, Function):
            given = dict(defaults(node))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and len(targets(node)) == 1:
            given = {last_name(targets(node)[0]): node.value}
        for name, value in given.items():
            if name and isinstance(value, ast.Constant):
                out.setdefault(name, []).append(value)
    return out


def _expected_values(after: Repository, name: str, literal: ast.Constant) -> Iterator[Finding]:
    for where in after.index.files_with(name):
        if not is_test_file(where):
            continue
        source = after.index.source(where)
        for test in source.functions:
            if not _gives(source, test, name, literal):
                for node in ast.walk(test):
                    if _expects(node, name, literal):
                        reason = f"expects {name} to be {literal.value!r}"
                        line = getattr(node, "lineno", test.lineno)
                        yield Finding(where, line, "tested literals", reason, sure=False)


def _expects(node: ast.AST, name: str, literal: ast.Constant) -> bool:
    """Whether a test compares the name with the literal."""
    match node:
        case ast.Compare(left, [ast.Eq() | ast.Is()], [right]):
            sides = [left, right]
        case ast.Call(func, [left, right, *_]) if last_name(func) in ("assertEqual", "assertIs"):
            sides = [left, right]
        case ast.Call(func, [left, *_]) if last_name(func) == "assertIsNone":
            return last_name(left) == name and literal.value is None
        case _:
            return False
    return any(
        last_name(one) == name and isinstance(other, ast.Constant) and _same(other, literal)
        for one, other in (sides, sides[::-1])
    )


def _gives(source: Source, test: Function, name: str, literal: ast.Constant) -> bool:
    """Whether a test may set the name to the literal itself: it has it outside of what it compares."""
    for node in ast.walk(test):
        if isinstance(node, ast.keyword) and node.arg == name:
            return True
        if isinstance(node, ast.Constant) and _same(node, literal):
            around = [node, *source.ancestors(node)]
            if not any(_expects(one, name, literal) for one in around):
                return True
    return False


def _same(one: ast.Constant, two: ast.Constant) -> bool:
    return type(one.value) is type(two.value) and one.value == two.value
