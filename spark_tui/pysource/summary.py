"""What the index keeps of a file: its symbols, imports, exports and words. Small, and stored by digest."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from string import digits
from typing import Any, TypeGuard

from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import receiver, suites, targets, walk

_WORD = re.compile(r"[^\W\d]\w*")
# A word in front of `=` is the name of an argument or an attribute; after a colon it is an annotation.
_MEMBER = re.compile(
    r"\.[\s\\]*([^\W\d]\w*)|(?:[(,;]|^)[\s\\]*([^\W\d]\w*)[\s\\]*=(?!=)|['\"]([^\W\d]\w*)['\"]", re.MULTILINE
)
VERSION = 8
_BITS = 2048
EXPORT_METHODS = ("append", "extend", "insert", "remove")
"""Methods of `__all__` that are given names."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition at the top of a module or of a class: `Cart.add` is a method of `Cart`."""

    qualname: str
    kind: str  # function, class, method, variable, attribute
    line: int
    bases: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.qualname.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Imported:
    """One imported name. `name` is empty for `import module`; `alias` is the name that is bound."""

    module: str
    level: int
    name: str
    alias: str
    line: int
    late: bool = False
    """Inside of a function or under a condition: it may not run when the file is imported."""


@dataclass(frozen=True, slots=True)
class Words:
    """Many words in one text: a set of each file's words would be most of what a large repository takes."""

    text: str
    """Each between spaces."""

    @classmethod
    def of(cls, words: Iterable[str]) -> Words:
        return cls(f" {' '.join(sorted({*words}))} ")

    def __contains__(self, word: object) -> bool:
        return f" {word} " in self.text

    def __iter__(self) -> Iterator[str]:
        return iter(self.text.split())


@dataclass(frozen=True)
class Summary:
    """A file in short."""

    parses: bool
    symbols: tuple[Symbol, ...]
    imports: tuple[Imported, ...]
    exports: tuple[str, ...] | None
    words: Words
    """Every word of the code and of strings, those of docstrings and comment lines excepted."""
    members: Words
    """Those that stand after a dot, in front of `=`, or alone in quotes."""
    bases: tuple[tuple[str, str], ...] = ()
    """The classes, those in functions too, each once for every base that has a name."""

    @cached_property
    def symbols_by_name(self) -> dict[str, list[Symbol]]:
        return by_name(self.symbols)

    @cached_property
    def bits(self) -> bytes:
        """The bits of all words: a word whose bit is not set is not there, which is seen at once."""
        bits = bytearray(_BITS // 8)
        for word in self.words:
            at, bit = bit_of(word)
            bits[at] |= bit
        return bytes(bits)

    def to_json(self) -> list[Any]:
        symbols = [[symbol.qualname, symbol.kind, symbol.line, list(symbol.bases)] for symbol in self.symbols]
        imports = [
            [imported.module, imported.level, imported.name, imported.alias, imported.line, imported.late]
            for imported in self.imports
        ]
        exports = None if self.exports is None else list(self.exports)
        bases = list(map(list, self.bases))
        return [self.parses, symbols, imports, exports, self.words.text, self.members.text, bases]

    @classmethod
    def from_json(cls, data: list[Any]) -> Summary:
        parses, symbols, imports, exports, words, members, bases = data
        return cls(
            bool(parses),
            tuple(Symbol(str(q), str(k), int(n), tuple(map(str, b))) for q, k, n, b in symbols),
            tuple(Imported(str(m), int(v), str(n), str(a), int(i), bool(b)) for m, v, n, a, i, b in imports),
            None if exports is None else tuple(map(str, exports)),
            Words(str(words)),
            Words(str(members)),
            tuple((str(name), str(base)) for name, base in bases),
        )


def summarize(source: Source) -> Summary:
    tree = source.tree
    if tree is None:
        every = Words.of(_WORD.findall(source.text))
        return Summary(False, (), (), None, every, every)
    code = code_of(source)
    words = frozenset(_WORD.findall(code))
    members = frozenset(item for found in _MEMBER.findall(code) for item in found if item) & words
    symbols = tuple(symbols_of(tree.body))
    own = Words.of(words), Words.of(members)
    return Summary(True, symbols, tuple(imports_of(tree)), exports_of(tree), *own, tuple(bases_of(tree.body)))


def mentions(code: str, words: Collection[str]) -> bool:
    """Whether one of some words would be among those of the summary of a file with this code."""
    for word in words:
        at = code.find(word)
        while at >= 0:
            end = at + len(word)
            if not (_ends_word(code[end : end + 1]) or _ends_word(code[max(at - 40, 0) : at].rstrip(digits))):
                return True
            at = code.find(word, end)
    return False


def _ends_word(text: str) -> bool:
    return text[-1:].isalnum() or text.endswith("_")


def code_of(source: Source) -> str:
    """The text without lines of docstrings and lines that are comments; all of one that does not parse."""
    if source.tree is None:
        return source.text
    lines = list(source.lines)
    kept: set[int] = set()
    for statement in source.statements:
        body = getattr(statement, "body", None)
        first = statement.lineno - 1
        last = source.first_line(body[0]) if body else source.last_line(statement)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            low, high = source.span(statement)
            around = source.text[source.starts[first] : low] + source.text[high : source.starts[last]]
            if not around.strip():
                lines[first:last] = [""] * (last - first)
        # A string of several lines may have lines that look like comments.
        kept.update(range(first + 1, last))
    return "".join(line for at, line in enumerate(lines) if at in kept or not line.lstrip().startswith("#"))


def bit_of(word: str) -> tuple[int, int]:
    """The place of a byte and the bit in it that stand for a word in this process: other words may have the
    same."""
    at = hash(word) % _BITS
    return at >> 3, 1 << (at & 7)


def by_name(symbols: Iterable[Symbol]) -> dict[str, list[Symbol]]:
    out: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        out.setdefault(symbol.name, []).append(symbol)
    return out


def symbols_of(body: list[ast.stmt], owner: str = "") -> Iterator[Symbol]:
    """The symbols of a module, those in its classes too."""
    for stmt in _flat(body):
        if isinstance(stmt, Function):
            yield Symbol(owner + stmt.name, "method" if owner else "function", stmt.lineno)
            if owner:
                yield from _self_attributes(stmt, owner)
        elif isinstance(stmt, ast.ClassDef):
            bases = tuple(filter(None, map(dotted, stmt.bases)))
            yield Symbol(owner + stmt.name, "class", stmt.lineno, bases)
            yield from symbols_of(stmt.body, f"{owner}{stmt.name}.")
        elif isinstance(stmt, ast.Assign | ast.AnnAssign):
            for target in targets(stmt):
                for name in _target_names(target):
                    yield Symbol(owner + name, "attribute" if owner else "variable", stmt.lineno)


def bases_of(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, str]]:
    """The classes of a module, those in functions too, each once for every base that has a name."""
    for one in _flat(body):
        if isinstance(one, ast.ClassDef):
            yield from ((owner + one.name, base) for base in map(dotted, one.bases) if base)
        if isinstance(one, Function | ast.ClassDef):
            yield from bases_of(one.body, f"{owner}{one.name}.")


def _self_attributes(function: Function, owner: str) -> Iterator[Symbol]:
    own = receiver(function)
    for node in walk(function):
        if is_own_attribute(node, own):
            yield Symbol(owner + node.attr, "attribute", node.lineno)


def is_own_attribute(node: ast.AST, receiver: str) -> TypeGuard[ast.Attribute]:
    """Whether a node assigns to `self.name`."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
        return False
    return isinstance(node.value, ast.Name) and node.value.id == receiver


def _flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that bind in the same scope: also those under `if`, `try`, `with`, loops."""
    for stmt in body:
        yield stmt
        if isinstance(stmt, Function | ast.ClassDef):
            continue
        for part in (part for suite in suites(stmt) for part in suite):
            yield from _flat([part] if isinstance(part, ast.stmt) else part.body)


def _target_names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _target_names(element.value if isinstance(element, ast.Starred) else element)


def dotted(node: ast.AST) -> str:
    """`a.b` of a chain of names, also of `a.b[T]`; empty for anything else."""
    if isinstance(node, ast.Subscript):
        return dotted(node.value)
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return node.id if isinstance(node, ast.Name) else ""


def imports_of(tree: ast.Module) -> Iterator[Imported]:
    """What a module imports, also in its functions."""
    for one, late in _import_statements(tree, late=False):
        for alias in one.names:
            if isinstance(one, ast.Import):
                bound = alias.asname or alias.name.split(".")[0]
                yield Imported(alias.name, 0, "", bound, one.lineno, late)
            else:
                bound = alias.asname or alias.name
                yield Imported(one.module or "", one.level, alias.name, bound, one.lineno, late)


def _import_statements(node: ast.AST, *, late: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The imports below a node, and whether something may keep each from running on import."""
    for suite in suites(node):
        inner = late or isinstance(node, Function) or _is_conditional(node, suite)
        for stmt in suite:
            if isinstance(stmt, ast.Import | ast.ImportFrom):
                yield stmt, inner
            elif suites(stmt):
                yield from _import_statements(stmt, late=inner)


def _is_conditional(node: ast.AST, suite: list[ast.AST]) -> bool:
    if not isinstance(node, ast.If):
        return False
    return suite is node.body or dotted(node.test).rpartition(".")[2] != "TYPE_CHECKING"


def exports_of(tree: ast.Module) -> tuple[str, ...] | None:
    """The strings of `__all__`; None where there is none."""
    found: dict[str, None] | None = None
    for stmt in _flat(tree.body):
        match stmt:
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if stmt.value:
                if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets(stmt)):
                    found = {} if found is None else found
                    found.update(_strings(stmt.value))
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name("__all__"), attr=method)) as call):
                if found is not None and method in EXPORT_METHODS:
                    named = _strings(call)
                    for one in named:
                        found.pop(one, None)
                    found.update(named if method != "remove" else {})
    return None if found is None else tuple(found)


def _strings(node: ast.expr) -> dict[str, None]:
    values = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
    return dict.fromkeys(value for value in values if isinstance(value, str))
