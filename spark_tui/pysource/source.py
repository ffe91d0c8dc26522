"""One Python file: its text, its tree, and the exact place of every node.

Places are character offsets into `text`, which keeps its line endings, byte order mark, form feeds and tabs.
If a file does not parse, `tree` is None and `error` says why; lines, tokens and words work.
"""

from __future__ import annotations

import ast
import io
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

from spark_tui.pysource.syntax.fstring_places import place_f_strings
from spark_tui.pysource.syntax.fstrings import string_literals
from spark_tui.pysource.syntax.parsing import (
    BOM,
    children,
    is_text,
    parents_below,
    parents_of_statements,
    parse_code,
    statements_below,
    suites,
    walk,
)
from spark_tui.pysource.syntax.reparsing import parse_changed
from spark_tui.pysource.syntax.tokens import COMMENT, Token, comments_of, tokens_of

Span = tuple[int, int]
"""Characters `start..end-1` of the text."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


class Source:
    """A Python file. Lines and columns count from 0; columns are characters. What is as in an `earlier` state
    of the file is not parsed again."""

    def __init__(self, text: str, path: str = "", earlier: Source | None = None) -> None:
        self.text = text
        self.path = path
        self.error: SyntaxError | ValueError | RecursionError | None = None
        self.placed: dict[ast.AST, Span] = {}
        """Where nodes stand of which the tree says it wrongly, or not at all."""
        self._earlier = earlier
        self._returned: dict[Function, tuple[ast.expr | None, ...] | None] = {}
        self._qualnames: dict[ast.AST, str] = {}

    # -- lines and offsets

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Lines with their endings. Joined, and after the byte order mark, they are the text."""
        return tuple(io.StringIO(self.text.removeprefix(BOM), newline=""))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The offset of each line, and the end of the text."""
        return tuple(accumulate(map(len, self.lines), initial=int(self.text.startswith(BOM))))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = min(max(bisect_right(self.starts, offset) - 1, 0), max(len(self.lines) - 1, 0))
        return line, offset - self.starts[line]

    def line_number(self, offset: int) -> int:
        """The line of an offset as people count it, from 1."""
        return self.position(offset)[0] + 1

    def offset_of_byte(self, line: int, byte: int) -> int:
        """The offset of a column in UTF-8 bytes, as `ast` counts."""
        if line not in self._wide:
            return self.starts[line] + byte
        before = self.lines[line].encode("utf-8", "surrogatepass")[:byte]
        return self.starts[line] + len(before.decode("utf-8", "replace"))

    @cached_property
    def _wide(self) -> frozenset[int]:
        """The lines in which some characters are more than one byte."""
        lines = () if self.text.isascii() else enumerate(self.lines)
        return frozenset(at for at, line in lines if not line.isascii())

    @cached_property
    def newline(self) -> str:
        """The line ending of the file: that of its first line."""
        first = self.lines[0] if self.lines else ""
        return "\r\n" if first.endswith("\r\n") else "\r" if first.endswith("\r") else "\n"

    # -- tree

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree, or None where the file does not parse."""
        earlier, self._earlier = self._earlier, None
        if earlier is not None and (again := self._parsed_again(earlier)) is not None:
            return again
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree: ast.Module = parse_code(self.text.removeprefix(BOM))
        except (SyntaxError, ValueError, RecursionError) as error:
            self.error = error
            return None
        place_f_strings(self, tree, 0, len(self.text))
        return tree

    def _parsed_again(self, earlier: Source) -> ast.Module | None:
        """The tree, if the earlier one was made and much of it stays."""
        before: ast.Module | None = earlier.__dict__.get("tree")
        found = None if before is None else parse_changed(before, earlier.text, self.text)
        if found is None:
            return None
        tree, first, last = found
        behind, moved = self.starts[min(last, len(self.lines))], len(self.text) - len(earlier.text)
        for node, (low, high) in dict(earlier.placed).items():  # another thread may place more
            by = moved if low + moved >= behind else 0
            self.placed[node] = low + by, high + by
        place_f_strings(self, tree, self.starts[first], behind)
        return tree

    def place_expression(self, node: ast.expr, start: int, end: int) -> bool:
        """Give `node`, parsed from `text[start:end]`, its places. False where that text means something
        else."""
        if self._place_dotted(node, start, end):
            return True
        twins = _places(self.text[start:end])
        nodes = list(walk(node))
        fits = [type(inner) for inner in nodes] == [kind for kind, _ in twins]
        for at, one in enumerate(nodes):
            if not hasattr(one, "lineno"):
                continue
            low, high = twins[at][1] if fits else (-1, -1)
            self.placed[one] = (low - 1 + start, high - 1 + start) if low >= 0 else (-1, -1)
        return fits

    def _place_dotted(self, node: ast.expr, start: int, end: int) -> bool:
        """The same for a dotted name, which is not parsed again; False for anything else."""
        if isinstance(node, ast.Attribute):
            dot = end - len(node.attr) - 1
            if self.text[dot:end] != f".{node.attr}" or not self._place_dotted(node.value, start, dot):
                return False
        elif not isinstance(node, ast.Name) or self.text[start:end] != node.id:
            return False
        self.placed[node] = (start, end)
        return True

    def mark_unplaced(self, node: ast.AST) -> None:
        """Say that the places of a node and what is in it are not known."""
        self.placed.update(dict.fromkeys(ast.walk(node), (-1, -1)))

    @property
    def body(self) -> list[ast.stmt]:
        """The statements of the module; none where the file does not parse."""
        return self.tree.body if self.tree is not None else []

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return parents_below(self.tree) if self.tree is not None else {}

    @cached_property
    def _around(self) -> dict[ast.AST, ast.AST]:
        return parents_of_statements(self.tree) if self.tree is not None else {}

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """What holds a node, the nearest first."""
        whole = "parents" in self.__dict__ or not isinstance(node, ast.stmt)
        parents = self.parents if whole else self._around
        at = parents.get(node)
        while at is not None:
            yield at
            at = parents.get(at)

    def climb(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """The same, each with the part of it that holds the node, or is it."""
        return pairwise((node, *self.ancestors(node)))

    # -- places of nodes

    def span(self, node: ast.AST) -> Span:
        """Where a node stands; (-1, -1) where its place cannot be known (a part of an unusual f-string)."""
        placed = self.placed.get(node)
        if placed is not None:
            return placed
        first, last = node.lineno - 1, node.end_lineno - 1  # type: ignore[attr-defined]
        low, high = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
        if first in self._wide or last in self._wide:
            return self.offset_of_byte(first, low), self.offset_of_byte(last, high)
        return self.starts[first] + low, self.starts[last] + high

    def segment(self, node: ast.AST) -> str:
        """The exact text of a node."""
        low, high = self.span(node)
        return self.text[low:high] if low >= 0 else ""

    def first_line(self, node: ast.AST) -> int:
        """The line on which a statement begins, decorators included."""
        parts = (*getattr(node, "decorator_list", ()), node)
        return int(min(part.lineno for part in parts if hasattr(part, "lineno"))) - 1

    def last_line(self, node: ast.AST) -> int:
        """One past the last line of a node."""
        return int(node.end_lineno)  # type: ignore[attr-defined]

    def line_span(self, first: int, last: int) -> Span:
        """Offsets of the whole lines `first..last-1`, endings included."""
        return self.starts[first], self.starts[last]

    def indent(self, node: ast.AST) -> str:
        """The blank characters in front of the line on which a statement begins."""
        line = self.lines[self.first_line(node)]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    @cached_property
    def indent_unit(self) -> str:
        """One level of indentation, as the file has it."""
        for node in self.statements:
            inner: list[ast.stmt] = getattr(node, "body", [])
            if inner and inner[0].lineno > node.lineno:
                outer, deep = self.indent(node), self.indent(inner[0])
                if deep.startswith(outer) and len(deep) > len(outer):
                    return deep[len(outer) :]
        return "    "

    # -- statements

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """All statements in the order of the text."""
        return tuple(statements_below(self.tree)) if self.tree is not None else ()

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """Functions, methods and classes, nested ones too, in the order of the text."""
        return tuple(one for one in self.statements if isinstance(one, Definition))

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        return tuple(one for one in self.definitions if isinstance(one, Function))

    @cached_property
    def classes(self) -> dict[str, list[ast.ClassDef]]:
        """The classes by their dotted names."""
        out: dict[str, list[ast.ClassDef]] = {}
        for one in self.definitions:
            if isinstance(one, ast.ClassDef):
                out.setdefault(self.qualname(one), []).append(one)
        return out

    @cached_property
    def strings(self) -> tuple[ast.Constant, ...]:
        """The string literals, in annotations and f-strings too."""
        # In the order of the parents, which take longer to find.
        nodes = self.parents if "parents" in self.__dict__ or self.tree is None else walk(self.tree)
        return tuple(one for one in nodes if type(one) is ast.Constant and type(one.value) is str)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement that holds a node, or is it."""
        return next((one for one in (node, *self.ancestors(node)) if isinstance(one, ast.stmt)), None)

    def suite(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements among which one stands."""
        found = (suite for holder in self.ancestors(statement) for suite in suites(holder))
        return next((suite for suite in found if statement in suite), [statement])

    def following(self, statement: ast.stmt) -> list[ast.stmt]:
        """Those of them behind it."""
        suite = self.suite(statement)
        return suite[suite.index(statement) + 1 :]

    def function_of(self, node: ast.AST) -> Function | None:
        """The innermost function around a node."""
        return next((outer for outer in self.ancestors(node) if isinstance(outer, Function)), None)

    def own_nodes(self, function: Function) -> list[ast.AST]:
        """The nodes of a function without those of functions inside of it, and the contexts of names."""
        own = children(function)
        for child in own:
            own += children(child) if not isinstance(child, Function) else []
        return own

    def returned(self, function: Function) -> tuple[ast.expr | None, ...] | None:
        """What the `return` statements of a function give; None for a generator."""
        if function not in self._returned:
            own = self.own_nodes(function)
            yields = any(isinstance(item, ast.Yield | ast.YieldFrom) for item in own)
            results = tuple(item.value for item in own if isinstance(item, ast.Return))
            self._returned[function] = None if yields else results
        return self._returned[function]

    def is_called(self, node: ast.AST) -> bool:
        """Whether a call calls a node."""
        call = self.parents.get(node)
        return isinstance(call, ast.Call) and call.func is node

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The class whose body a definition stands in, also under an `if` or `try`."""
        holders = (one for one in self.ancestors(node) if isinstance(one, Definition | ast.Lambda))
        found = next(holders, None)
        return found if isinstance(found, ast.ClassDef) else None

    def qualname(self, node: ast.AST) -> str:
        """The dotted name of a definition, without `<locals>`."""
        if node not in self._qualnames:
            names = [one.name for one in (node, *self.ancestors(node)) if isinstance(one, Definition)]
            self._qualnames[node] = ".".join(reversed(names))
        return self._qualnames[node]

    # -- tokens

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens as far as the text can be told apart."""
        return tuple(tokens_of(self.lines, self.starts))

    @cached_property
    def comments(self) -> tuple[Token, ...]:
        found = comments_of(self.text) if self.tree is not None else None
        return tuple(token for token in self.tokens if token.kind == COMMENT) if found is None else found

    def literal_body(self, node: ast.Constant) -> Span | None:
        """The place of what stands between the quotes of a plain string without escapes; else None."""
        body = self.quoted(node)
        return body if body is not None and self.text[body[0] : body[1]] == node.value else None

    def quoted(self, node: ast.Constant) -> Span | None:
        """The place of what stands between the quotes of a single string token, escapes and all."""
        low, high = self.span(node)
        found = list(string_literals(self.text, low, high)) if low >= 0 else []
        if len(found) != 1 or set(found[0].prefix.lower()) - {"u", "r"}:
            return None
        return found[0].start, found[0].end


@lru_cache(maxsize=4096)
def _places(text: str) -> tuple[tuple[type[ast.AST], Span], ...]:
    """The nodes of an expression by kind and place, one too late."""
    part = Source(f"({text}\n)")
    nodes = walk(part.body[0].value) if part.body and isinstance(part.body[0], ast.Expr) else ()
    return tuple((type(node), part.span(node) if hasattr(node, "lineno") else (-1, -1)) for node in nodes)


def docstring(node: ast.AST) -> ast.Expr | None:
    """The statement that is the docstring of a module, class or function."""
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    return first if is_text(first) else None


def parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    """All parameters in the order of the head, with `*args` and `**kwargs`."""
    spec = function.args
    every = (*spec.posonlyargs, *spec.args, spec.vararg, *spec.kwonlyargs, spec.kwarg)
    return [one for one in every if one is not None]
