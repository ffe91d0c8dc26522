"""Compiles a variant of a module that changes the body of one function by compiling that function alone. Runs
in the child."""

from __future__ import annotations

import ast
from types import CodeType
from typing import NamedTuple

_FUTURE = 0x1FF0000
"""The flags of `from __future__ import …` in a code object."""
_ANNOTATIONS = "__annotate__"


class _Span(NamedTuple):
    """Lines of a function: the first with its decorators, that of its body, and the last."""

    first: int
    body: int
    last: int
    name: str
    owner: str


class Compiler:
    """Variants of one module."""

    def __init__(self, text: str, path: str) -> None:
        self._text, self._path, self._lines = text, path, text.splitlines(keepends=True)
        self._code: CodeType | None = None
        self._spans: list[_Span] | None = None

    def plain(self) -> CodeType:
        if self._code is None:
            self._code = self._compiled(self._text)
        return self._code

    def variant(self, text: str) -> CodeType:
        return self._by_function(text) or self._compiled(text)

    def _compiled(self, text: str) -> CodeType:
        return compile(text, self._path, "exec", dont_inherit=True)

    def _by_function(self, text: str) -> CodeType | None:
        """None where more than the body of one function differs."""
        if self._spans is None:
            try:
                self._spans = list(_spans(ast.parse(self._text))) if self.plain() else []
            except (SyntaxError, ValueError):
                self._spans = []
        old, new = self._lines, text.splitlines(keepends=True)
        low, most = 0, min(len(old), len(new))
        while low < most and old[low] == new[low]:
            low += 1
        high = 0
        while high < most - low and old[-1 - high] == new[-1 - high]:
            high += 1
        end, more = len(old) - high, len(new) - len(old)
        span = next((one for one in self._spans if one.body <= low + 1 and end <= one.last), None)
        if span is None:
            return None
        head = "\n" * (span.first - 2) + f"class {span.owner}:\n" if span.owner else "\n" * (span.first - 1)
        body = "".join(new[span.first - 1 : span.last + more])
        whole = self.plain()
        if span.owner and span.first < 2:
            return None
        made = compile(head + body, self._path, "exec", whole.co_flags & _FUTURE, dont_inherit=True)
        names = [span.owner, span.name] if span.owner else [span.name]
        inner = _inner(made, names, span.first)
        return _replaced(whole, names, inner) if inner is not None else None


def _spans(tree: ast.Module) -> list[_Span]:
    out = []
    for node in tree.body:
        owner = node.name if isinstance(node, ast.ClassDef) else ""
        for one in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.end_lineno:
                first = min([one.lineno, *(item.lineno for item in one.decorator_list)])
                if one.body[0].lineno > one.lineno:
                    out.append(_Span(first, one.body[0].lineno, one.end_lineno, one.name, owner))
    return out


def _inner(code: CodeType, names: list[str], first: int) -> CodeType | None:
    """The code of a function that is all there is in some code."""
    for name in names:
        # From Python 3.14 on, annotations have code of their own.
        found = [one for one in code.co_consts if isinstance(one, CodeType) and one.co_name != _ANNOTATIONS]
        if len(found) != 1 or found[0].co_name != name:
            return None
        code = found[0]
    return code if code.co_firstlineno == first else None


def _replaced(code: CodeType, names: list[str], new: CodeType) -> CodeType | None:
    """Some code with another function in it; None where it is not there or reaches for other cells."""
    name, *rest = names
    consts, count = list(code.co_consts), 0
    for at, one in enumerate(consts):
        if not isinstance(one, CodeType) or one.co_name != name:
            continue
        if rest:
            made = _replaced(one, rest, new)
        else:
            same = one.co_firstlineno == new.co_firstlineno and one.co_freevars == new.co_freevars
            made = new if same else None
        if made is not None:
            consts[at], count = made, count + 1
    return code.replace(co_consts=tuple(consts)) if count == 1 else None
