"""The types of an operation's fields. Each reads itself from a text and prints itself back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class SymbolKind(Enum):
    FUNCTION = "function"
    CLASS = "class"
    METHOD = "method"
    ATTRIBUTE = "attribute"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    LOCAL = "local"
    IMPORT = "import"


ANY_SYMBOL = frozenset(SymbolKind)
CLASS = frozenset((SymbolKind.CLASS,))
CALLABLE = frozenset((SymbolKind.FUNCTION, SymbolKind.METHOD))

_SYMBOL = re.compile(r"(?:(?P<path>.+)::)?(?P<name>[^@:]+)(?:@(?P<line>\d+))?\Z")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol as people name it: `Cart.add`, `checkout.total` (a local), `shop/cart.py::Cart.add`,
    `total@12`."""

    name: str
    path: str = ""
    line: int = 0

    @classmethod
    def parse(cls, text: str) -> Symbol:
        found = _SYMBOL.match(text.rstrip() if "::" in text else text.strip())  # paths may begin with a space
        if found is None:
            raise ValueError(f"no symbol: {text!r} (write name, Class.method, or path.py::name)")
        return cls(found["name"].strip(), found["path"] or "", int(found["line"] or 0))

    def __str__(self) -> str:
        text = f"{self.path}::{self.name}" if self.path else self.name
        return f"{text}@{self.line}" if self.line else text


class NewName(str):
    """A name that a symbol gets. Whether it is a legal one is the operation's to say."""

    __slots__ = ()


class Value(str):
    """A literal, as it stands in code."""

    __slots__ = ()


class Expression(str):
    """An expression of Python."""

    __slots__ = ()


class Statements(str):
    """One or more statements, unindented."""

    __slots__ = ()


class Annotation(str):
    """A type, as it stands after a colon."""

    __slots__ = ()


class Text(str):
    """Free text: a message, a docstring, a comment."""

    __slots__ = ()


class FilePath(str):
    """A file of the repository; empty for all files."""

    __slots__ = ()


_PLACE = re.compile(
    r"(?:(?P<path>(?:(?!::).)+):(?P<first>\d+)(?:-(?P<last>\d+))?(?P<shared> inside| among)?"
    r"|(?P<side>before |after |in )?(?P<symbol>.+))\Z"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file (`shop/cart.py:12-14`, counted from 1) or a place at a symbol (`after Cart.add`).

    `inside` or `among`: a statement shares its `first` line, with no more than its header or with others, and
    stands on the `last` one once that is split. Only for calls that are being built."""

    path: str = ""
    first: int = 0
    last: int = 0
    side: str = ""
    symbol: str = ""

    @classmethod
    def parse(cls, text: str) -> Place:
        found = _PLACE.match(text.rstrip())
        if found is None:
            raise ValueError(f"no place: {text!r} (write path.py:12, path.py:12-14 or 'after Cart.add')")
        if found["path"]:
            first = int(found["first"])
            return cls(found["path"], first, int(found["last"] or first), (found["shared"] or "").strip())
        return cls(side=(found["side"] or "in ").strip(), symbol=found["symbol"])

    def __str__(self) -> str:
        if self.path:
            return f"{self.path}:{self.first}" + (f"-{self.last}" if self.last != self.first else "")
        return f"{self.side} {self.symbol}"


class Choice(Enum):
    """Base of enumerations that are slots: the value is what people write."""
