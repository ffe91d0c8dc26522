"""Changes due to Python's own deprecations: usually all of them are made together."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from spark_tui.next_edit.changes import Change
from spark_tui.next_edit.tokens import NEWLINE, tokens_of
from spark_tui.pysource.words import word_set
from spark_tui.tables import table_beside

_PREFIXES = (("typing", "."), ("t", "."))
_MOST_OF_TYPE = 60
_OLD_FUTURE = word_set(
    "from __future__ import absolute_import division print_function unicode_literals with_statement"
    " generators nested_scopes __metaclass__ = type ( , )"
)
"""What files began with that had to run in Python 2."""
_TYPING_AS_T = "import typing as t"


@lru_cache(maxsize=8)
def is_known(change: Change) -> bool:
    """Whether a change is one that Python asks for, whatever the repository is about."""
    prefixes = _PREFIXES if _TYPING_AS_T in change.before.text + change.after.text else _PREFIXES[:1]
    went, came = _plain(change.went, prefixes), _plain(change.came, prefixes)
    if went == came:
        return change.went != change.came  # only `typing.` went or came
    if _is_in_table(went, came):
        return True
    if not came and {"__future__", "__metaclass__"}.intersection(went) and _OLD_FUTURE.issuperset(went):
        return True
    if not went and any(_is_in_table([word], made) for word, made in _beside(change, came)):
        return True
    if len(went) == 1 and went[0][-1] in "'\"" and _is_unquoted(went[0], change.came):
        return True
    if _is_same_type(change, {name for name, _ in prefixes}):
        return True
    low = change.old[0]
    behind_super = change.before.texts[max(low - 2, 0) : low] == ["super", "("]
    return not came and went[-2:] in ([",", "self"], [",", "cls"]) and behind_super


def _is_in_table(went: Sequence[str], came: Sequence[str]) -> bool:
    return _table().get(" ".join(went)) == " ".join(came)


def _beside(change: Change, came: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """The tokens on both sides of an insertion, and what it makes of them."""
    at, texts = change.old[0], change.before.texts
    yield texts[at - 1] if at else "", [*texts[max(at - 1, 0) : at], *came]
    yield texts[at] if at < len(texts) else "", [*came, *texts[at : at + 1]]


_table = table_beside(__file__, "known_rewrites.toml")


def _plain(words: Sequence[str], prefixes: Sequence[tuple[str, str]]) -> list[str]:
    out = [word for word in words if word != NEWLINE]
    for prefix in prefixes:
        at = 0
        while at < len(out):
            if tuple(out[at : at + 2]) == prefix:
                del out[at : at + 2]
            else:
                at += 1
    return out


def _is_same_type(change: Change, modules: Collection[str]) -> bool:
    """Whether both sides are one type: `Optional[List[int]]` and `list[int] | None`."""
    if max(len(change.old_texts), len(change.new_texts)) > _MOST_OF_TYPE:
        return False
    try:
        old, new = (
            ast.parse(" ".join(words), mode="eval").body for words in (change.old_texts, change.new_texts)
        )
        newer = _NewerTypes(modules)
        return ast.dump(newer.visit(old)) == ast.dump(newer.visit(new))
    except (SyntaxError, ValueError, RecursionError):
        return False


class _NewerTypes(ast.NodeTransformer):
    """Spells types as Python does now. `modules` are names of `typing`."""

    def __init__(self, modules: Collection[str]) -> None:
        self._modules = modules

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in self._modules:
            return self.visit_Name(ast.Name(node.attr, ast.Load()))
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(_table().get(node.id, node.id), ast.Load())

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, str):
            return node
        newer: ast.AST = self.visit(ast.parse(node.value.strip(), mode="eval").body)
        return newer

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        if name == "Optional":
            return _union([node.slice, ast.Constant(None)])
        if name == "Union":
            return _union(node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _union([node.left, node.right]) if isinstance(node.op, ast.BitOr) else node


def _union(members: Sequence[ast.expr]) -> ast.AST:
    """A set of types: those of a union in it are members of their own."""
    found = [
        inner for member in members for inner in (member.elts if isinstance(member, ast.Set) else [member])
    ]
    return ast.Set(sorted(found, key=ast.dump))


def _is_unquoted(literal: str, came: Sequence[str]) -> bool:
    """`u'x'` that became `'x'`, or `\"Name\"` that became `Name`."""
    if list(came) == [literal[1:]] and literal[0] in "uU":
        return True
    try:
        text = ast.literal_eval(literal)
    except (ValueError, SyntaxError):
        return False
    return isinstance(text, str) and bool(text.strip()) and tokens_of(text).texts == list(came)
