"""A variant of a module that changes one function is what compiling all of it gives."""

from __future__ import annotations

from types import CodeType
from typing import Any

import pytest

from spark_tui.trials.one_function import Compiler

CODE = """\
from __future__ import annotations

import functools

LIMIT = 3


def plain(a, b=2):
    return a + b


@functools.lru_cache
def cached(a: int) -> int:
    def inner(c):
        return c + a
    return inner(1)


class Base:
    def size(self):
        return 1


class Box(Base):
    scale = 2

    def size(self):
        return super().size() + self.__hidden()

    def __hidden(self):
        return 10

    @staticmethod
    def twice(a):
        return 2 * a


def shown():
    return (plain(1), cached(4), Box().size(), Box.twice(3), LIMIT)
"""
CHANGES = {
    "a function": ("return a + b", "return a - b"),
    "a line more": ("    return a + b", "    b = b * 2\n    return a + b"),
    "a line more at the end": ("    return a + b\n", "    return a + b\n    return 0\n"),
    "a line less": ("    def inner(c):\n        return c + a\n    return inner(1)", "    return a"),
    "a decorated one": ("return inner(1)", "return inner(7)"),
    "an inner one": ("return c + a", "return c * a"),
    "super and a private name": ("super().size() + self", "super().size() * self"),
    "a private method": ("return 10", "return 11"),
    "a static method": ("return 2 * a", "return 3 * a"),
    "no super any more": ("super().size() + self.__hidden()", "self.__hidden()"),
    "a default": ("b=2", "b=3"),
    "a decorator": ("@functools.lru_cache\n", ""),
    "what a module sets": ("LIMIT = 3", "LIMIT = 4"),
    "what a class sets": ("scale = 2", "scale = 3"),
    "two functions": ("a + b", "a * b", "return 10", "return 12"),
    "a function more": ("class Base", "def more():\n    return 1\n\n\nclass Base"),
}
BY_ONE = {
    name for name in CHANGES if not name.startswith(("no super", "a default", "a decorator", "what", "two"))
}


def _shown(code: CodeType) -> object:
    names: dict[str, Any] = {"__name__": "boxes"}
    exec(code, names)
    return names["shown"]()


@pytest.mark.parametrize("name", CHANGES)
def test_it_does_what_the_whole_text_does(name: str) -> None:
    text = CODE
    pieces = CHANGES[name]
    for old, new in zip(pieces[::2], pieces[1::2], strict=True):
        assert text.count(old) == 1
        text = text.replace(old, new)
    compiler = Compiler(CODE, "boxes.py")
    whole = compile(text, "boxes.py", "exec")
    assert _shown(compiler.variant(text)) == _shown(whole)
    assert _shown(compiler.plain()) == (3, 5, 11, 6, 3)
    assert (compiler._by_function(text) is not None) == (name in BY_ONE - {"a function more"})


def test_code_that_is_none_is_told_as_for_the_whole_text() -> None:
    with pytest.raises(SyntaxError):
        Compiler(CODE, "boxes.py").variant(CODE.replace("return a + b", "return a +"))
    assert _shown(Compiler("def shown(:\n", "a.py").variant("def shown():\n    return 1\n")) == 1
