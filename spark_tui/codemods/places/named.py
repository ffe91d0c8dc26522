"""From a place that people name to the lines, statements and suites that it means."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from spark_tui.codemods.places.descriptions import with_description
from spark_tui.codemods.plan import Edit, Refusal, Unfollowed, need
from spark_tui.codemods.rewriting.edits import indent_statements, is_same_tree, replace_lines
from spark_tui.codemods.slots import CALLABLE, Place, Symbol, SymbolKind
from spark_tui.codemods.uses.symbols import Target, find_symbol, missing_file
from spark_tui.pysource.names.type_hints import is_overload
from spark_tui.pysource.parse_errors import parse_error
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, Span, docstring
from spark_tui.pysource.syntax.parsing import walk_lines

N = TypeVar("N", bound=ast.AST)
DEFINED = CALLABLE | {SymbolKind.CLASS}


@dataclass(frozen=True, eq=False)
class Region:
    """Lines `first..last-1` of a file, and the definition that they are, if any."""

    source: Source
    first: int
    last: int
    node: ast.AST | None = None

    @property
    def path(self) -> str:
        return self.source.path

    def nodes(self, kind: type[N]) -> list[N]:
        """The nodes of a kind in the region, in the order of the text. Places in strings that are not
        known are out."""
        inside = [item for item in self._every(kind) if self._holds(item)]
        return sorted(inside, key=lambda item: (self.source.span(item)[0], -self.source.span(item)[1]))

    def nodes_starting(self, kind: type[N]) -> list[N]:
        """The nodes of a kind that begin in the region, decorators included; they may end after it."""
        return [item for item in self._every(kind) if self.first <= self.source.first_line(item) < self.last]

    def heads(self, kind: type[N]) -> list[N]:
        """Of lines the nodes that begin on the first one, or else all that begin in the region."""
        found = self.nodes_starting(kind)
        first = [item for item in found if getattr(item, "lineno", 0) == self.first + 1]
        return (first if self.node is None else []) or found

    def _every(self, kind: type[N]) -> list[N]:
        tree = self.source.tree
        nodes = walk_lines(tree, range(self.first + 1, self.last + 1)) if tree is not None else ()
        return [node for node in nodes if isinstance(node, kind) and hasattr(node, "lineno")]

    def _holds(self, node: ast.AST) -> bool:
        if self.source.span(node)[0] < 0:
            return False
        first: int = node.lineno - 1  # type: ignore[attr-defined]
        return self.first <= first and self.source.last_line(node) <= self.last

    def expressions(self, wanted: ast.expr) -> list[ast.expr]:
        """The places where an expression stands, told by its tree."""
        found = [node for node in self.nodes(type(wanted)) if is_same_tree(wanted, node)]
        return [node for node in found if isinstance(getattr(node, "ctx", ast.Load()), ast.Load)]


def need_source(repo: Repository, path: str) -> Source:
    """A Python file that parses."""
    if path not in repo.index.paths:
        need(missing_file(repo, path))
    source = repo.index.source(path)
    if error := parse_error(source):
        raise Refusal(error)
    return source


def need_definition(
    repo: Repository, symbol: Symbol, kinds: frozenset[SymbolKind] = DEFINED, *, alone: bool = False
) -> tuple[Source, Target, Function | ast.ClassDef]:
    """The definition of a function, method or class; of overloads the function that is run, unless it has to
    be `alone`."""
    target = need(find_symbol(repo, symbol, kinds))
    node = target.node
    if not isinstance(node, Definition):
        raise Refusal(f"{target.qualname} has no definition to change")
    every = [binding.node for binding in target.variable.bindings] if target.variable is not None else []
    if symbol.line:
        definitions = (item for item in every if isinstance(item, Definition))
        node = next((item for item in definitions if item.lineno == symbol.line), node)
    elif len(every) > 1 and (alone or sum(not is_overload(item) for item in every) != 1):
        lines = [str(getattr(item, "lineno", 0)) for item in every]
        raise Refusal(f"{target.qualname} is defined more than once: lines {', '.join(lines)}")
    return repo.index.source(target.path), target, node


def need_function(
    repo: Repository, symbol: Symbol, *, alone: bool = False
) -> tuple[Source, Target, Function]:
    source, target, node = need_definition(repo, symbol, CALLABLE, alone=alone)
    if not isinstance(node, Function):
        raise Refusal(f"{target.qualname} is not a function")
    return source, target, node


def need_class(repo: Repository, symbol: Symbol) -> tuple[Source, Target, ast.ClassDef]:
    source, target, node = need_definition(repo, symbol, frozenset((SymbolKind.CLASS,)))
    if not isinstance(node, ast.ClassDef):
        raise Refusal(f"{target.qualname} is not a class")
    return source, target, node


def find_region(repo: Repository, place: Place) -> Region:
    """The lines that a place means: `path.py:3-5`, `in Cart.add`, or `in path.py` for a whole file."""
    if place.path and place.side:
        raise Refusal(f"{place.path}:{place.first}: several statements share the line")
    if place.path:
        source = need_source(repo, place.path)
        if not 1 <= place.first <= place.last <= len(source.lines):
            raise Refusal(f"{place.path} has {len(source.lines)} lines, not {place.last}")
        return Region(source, place.first - 1, place.last)
    if place.symbol in repo.index.paths:
        source = need_source(repo, place.symbol)
        return Region(source, 0, len(source.lines), source.tree)
    if place.side != "in":
        raise Refusal(f"{place}: write `in {place.symbol}` or lines of a file")
    source, _, node = need_definition(repo, Symbol.parse(place.symbol))
    return Region(source, source.first_line(node), source.last_line(node), node)


def statements(found: Region) -> list[ast.stmt]:
    """The statements that lines cover: a run in one suite, whole. One line may be the head of a longer
    statement."""
    source = found.source
    extents = [(stmt, source.first_line(stmt), source.last_line(stmt)) for stmt in source.statements]
    if found.last == found.first + 1:
        begun = [stmt for stmt, first, _ in extents if first <= found.first < stmt.lineno]
        if begun and begun[0].lineno - 1 == found.first:
            return begun[:1]
    extents = [one for one in extents if found.first < one[2] and one[1] < found.last]
    inside = [stmt for stmt, _, _ in extents]
    whole = [stmt for stmt, first, last in extents if found.first <= first and last <= found.last]
    if not whole:
        raise Refusal(f"{found.path}:{found.first + 1}: there is no complete statement there")
    outer = [statement for statement in whole if source.statement(source.parents[statement]) not in whole]
    suite = source.suite(outer[0])
    if any(item not in suite for item in outer):
        raise Refusal(f"{found.path}:{found.first + 1}: the lines cut a block")
    cut = [statement for statement in inside if statement not in whole and statement.lineno > found.first]
    if cut and source.first_line(cut[0]) < found.first:
        raise Refusal(f"{found.path}:{cut[0].lineno}: its decorator is above the lines")
    if cut:
        raise Refusal(f"{found.path}:{cut[0].lineno}: a statement begins there and ends outside")
    above = range(found.first, source.first_line(outer[0]))
    for line in (*above, *range(source.last_line(outer[-1]), found.last)):
        text = source.lines[line].strip()
        if text and not text.startswith("#"):
            raise Refusal(f"{found.path}:{line + 1}: `{text}` is part of a statement that ends outside")
    return outer


def need_one(found: list[N], what: str, where: Region) -> N:
    """The one node of a list."""
    if len(found) == 1:
        return found[0]
    spot = f"{where.path}:{where.first + 1}-{where.last}"
    if not found:
        raise Refusal(f"no {what} in {spot}")
    lines = ", ".join(str(getattr(item, "lineno", 0)) for item in found[:8])
    raise Refusal(f"{len(found)} places fit {what} in {spot}: lines {lines}")


# -- suites and lines --------------------------------------------------------------------------------


def extent(source: Source, run: Sequence[ast.stmt]) -> Span:
    """Where statements begin, with the decorators of the first one, and end."""
    first = (run[0], *getattr(run[0], "decorator_list", ()))
    return min(source.span(item)[0] for item in first), source.span(run[-1])[1]


def own_lines(source: Source, run: list[ast.stmt]) -> tuple[int, int]:
    """The lines of some statements, where nothing else stands on them."""
    first, last = source.first_line(run[0]), source.last_line(run[-1])
    if isinstance(run[0], ast.If) and source.text.startswith("elif", source.span(run[0])[0]):
        raise Refusal(f"{source.path}:{first + 1}: the elif belongs to the if above it")
    low, high = extent(source, run)
    front = source.text[source.starts[first] : low].strip(" \t\f@")
    rest = source.text[high : source.starts[last]].strip()
    if front or (rest and not rest.startswith("#")):
        raise Refusal(f"{source.path}:{first + 1}: there is other code on the same line")
    return first, last


def is_inline(source: Source, suite: list[ast.stmt]) -> bool:
    """Whether a suite stands on the line of its head: `if x: return`."""
    line, column = source.position(source.span(suite[0])[0])
    return bool(source.lines[line][:column].strip()) and not isinstance(suite[0], Definition)


def refuse_inline(source: Source, suite: list[ast.stmt]) -> None:
    if is_inline(source, suite):
        raise Refusal(f"{source.path}:{suite[0].lineno}: its body is on the line of its header")


def insert_before(source: Source, statement: ast.stmt, code: str) -> Edit:
    """Put statements in front of one."""
    first, _ = own_lines(source, [statement])
    at = source.starts[first]
    return Edit(source.path, at, at, indent_statements(source, code, source.indent(statement)))


def insert_after(source: Source, statement: ast.stmt, code: str) -> Edit:
    _, last = own_lines(source, with_description(source, [statement]))
    return insert_at_line(source, last, indent_statements(source, code, source.indent(statement)))


def insert_at_line(source: Source, line: int, text: str) -> Edit:
    """Put whole lines in front of a line, or at the end of a file that may lack its line ending."""
    at = source.starts[line]
    open_end = at > source.starts[0] and not source.text[:at].endswith(("\n", "\r"))
    if open_end:
        text = source.newline + text.removesuffix(source.newline)
    return Edit(source.path, at, at, text)


def insert_at_start(source: Source, node: ast.AST, code: str) -> Edit:
    """Put statements at the start of a body, after its docstring; in front of the comments above its first
    statement, but for one that gives types."""
    body: list[ast.stmt] = node.body  # type: ignore[attr-defined]
    doc = docstring(node) if isinstance(node, Definition) else None
    refuse_inline(source, body)
    if doc is not None:
        return insert_after(source, doc, code)
    line, _ = own_lines(source, [body[0]])
    above = comment_lines_above(source, line)
    above += above < line and source.lines[above].lstrip().startswith("# type:")
    return insert_at_line(source, above, indent_statements(source, code, source.indent(body[0])))


def delete_statements(source: Source, run: list[ast.stmt]) -> Edit:
    """Take statements away with their lines; a suite that is left empty gets `pass`, and an `else` that is
    left empty goes."""
    suite = source.suite(run[0])
    parent = source.parents.get(run[0])
    emptied = len(run) == len(suite) and parent is not source.tree
    first, last = own_lines(source, run)
    if emptied and suite is getattr(parent, "orelse", None):
        head = comment_lines_above(source, first) - 1
        if source.lines[head].split("#")[0].strip() == "else:":
            return Edit(source.path, *source.line_span(head, last), "")
    at_end = run[-1] is suite[-1] and (parent is not source.tree or not "".join(source.lines[last:]).strip())
    while first and at_end and not emptied and not source.lines[first - 1].strip():
        first -= 1  # blank lines above it are none between statements any more
    while not first and not emptied and last < len(source.lines) and not source.lines[last].strip():
        last += 1  # no file begins with blank lines
    left = f"{source.indent(run[0])}pass{source.newline}" if emptied else ""
    return replace_lines(source, first, last, left)


def delete_definition(source: Source, stmt: ast.stmt, *behind: ast.stmt) -> Edit:
    """The edit that takes a definition away, with those directly `behind` it, its comments and the blank
    lines on one side."""
    run = with_description(source, [stmt, *behind])
    edit = delete_statements(source, run)
    first, last = own_lines(source, run)
    first = comment_lines_above(source, first)
    if edit.new:
        return edit
    above = first
    while above and not source.lines[above - 1].strip():
        above -= 1
    below = last
    while below < len(source.lines) and not source.lines[below].strip():
        below += 1
    if isinstance(stmt, Definition):
        if below == len(source.lines) or below - last < first - above:
            first = above if below == len(source.lines) else first - (below - last)
        else:
            heads = above and (first > above or source.suite(stmt)[0] is not stmt)
            last += min(below - last, first - above) if heads else below - last
    elif source.parents.get(stmt) is source.tree:
        last += min(below - last, first - above) if first else below - last
    return Edit(source.path, *source.line_span(first, last), "")


def comment_lines_above(source: Source, line: int) -> int:
    """The first of the comment lines that stand directly above a line, at its indentation."""
    lead = source.lines[line][: len(source.lines[line]) - len(source.lines[line].lstrip())]
    while line and source.lines[line - 1].startswith(f"{lead}#"):
        line -= 1
    return line


def suites_in_region(source: Source, within: Region) -> Iterator[list[ast.stmt]]:
    """All suites with a statement in a region."""
    seen: set[int] = set()
    for node in within.nodes(ast.stmt):
        suite = source.suite(node)
        if id(suite) not in seen:
            seen.add(id(suite))
            yield suite


def find_unbound_names(repo: Repository, source: Source, run: list[ast.stmt]) -> Iterator[Unfollowed]:
    """Names that are used after statements and bound in them only, so that they may be unbound."""
    low, high = extent(source, run)
    for variable in repo.index.scopes(source.path).variables:
        inside = [binding for binding in variable.bindings if low <= binding.span[0] < high]
        outside = [binding for binding in variable.bindings if not low <= binding.span[0] < high]
        later = [load for load in variable.loads if load.span[0] >= high]
        if inside and later and not outside:
            line = source.line_number(later[0].span[0])
            yield Unfollowed(source.path, line, f"{variable.name} may not be set there")
