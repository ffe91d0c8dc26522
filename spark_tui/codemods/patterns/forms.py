"""Code with holes: where such a form stands in a tree, and another form with the same holes filled.

In a form a name like `_x` is a hole for one expression or target, `__b` one for any number of statements
or arguments, `NOT(_t)` for a condition that is written as the opposite of `_t`. What fills a hole keeps its
text. The result is compared, as a tree, with what the form says; where no brackets make them equal, the place
is left.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from spark_tui.codemods.plan import Edit, Refusal
from spark_tui.codemods.rewriting.edits import (
    DIRECTIVE,
    SILENT,
    is_same_tree,
    lost_comments,
    parses_to,
    read_statements,
    refuse_lost_comments,
    reindent,
    replace_lines,
)
from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.signs import OPPOSITE, SIGNS
from spark_tui.pysource.syntax.walking import ORDERED

_HOLE = re.compile(r"NOT\((_[a-z]+)\)|(?<![\w.])(__?[a-z]+)\b(?!_)")
_MOST_TRIED = 8


@dataclass(frozen=True, eq=False)
class Filled:
    """What fills a hole: one tree with its text, or several nodes that stand in a row."""

    node: ast.expr | None
    text: str
    row: tuple[ast.AST, ...] = ()


Holes = dict[str, Filled]


@dataclass(frozen=True, eq=False)
class Match:
    """A place of a form: an expression, or statements in a row."""

    nodes: tuple[ast.AST, ...]
    holes: Holes


@lru_cache(maxsize=2048)
def read_form(form: str) -> Source:
    """A form as a source. Its nodes are shared: they are never changed."""
    return read_statements(form)


def expression_of(form: str) -> ast.expr | None:
    body = read_form(form).body
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None


class Matcher:
    """Finds a form in one file."""

    def __init__(self, source: Source, form: str) -> None:
        self.source = source
        self.form = form
        self.body = read_form(form).body
        self.expression = expression_of(form)

    def matches(self, nodes: Sequence[ast.AST], suites: Sequence[list[ast.stmt]]) -> Iterator[Match]:
        """The places of the form among expressions and suites."""
        if self.expression is not None:
            for node in nodes:
                holes = self._node(self.expression, node, {}) if isinstance(node, ast.expr) else None
                if holes is not None and self.source.span(node)[0] >= 0:
                    yield Match((node,), holes)
            return
        for suite in suites:
            at = 0
            while at < len(suite):
                found = next(self._row(self.body, suite, at, {}), None)
                if found is None:
                    at += 1
                    continue
                yield Match(tuple(suite[at : found[0]]), found[1])
                at = found[0]

    def _row(
        self, form: Sequence[ast.AST], nodes: Sequence[ast.AST], at: int, holes: Holes
    ) -> Iterator[tuple[int, Holes]]:
        if not form:
            yield at, holes
            return
        many = _many(form[0])
        if many:
            for end in range(len(nodes), at - (isinstance(form[0], ast.expr)), -1):
                filled = self._bind(many, Filled(None, "", tuple(nodes[at:end])), holes)
                if filled is not None:
                    yield from self._row(form[1:], nodes, end, filled)
            return
        if at < len(nodes):
            filled = self._node(form[0], nodes[at], holes)
            if filled is not None:
                yield from self._row(form[1:], nodes, at + 1, filled)

    def _node(self, form: ast.AST, node: ast.AST, holes: Holes) -> Holes | None:
        if isinstance(form, ast.Name) and form.id.startswith("_") and isinstance(node, ast.expr):
            return self._bind(form.id, Filled(node, self.source.segment(node)), holes)
        if isinstance(form, ast.Call) and isinstance(form.func, ast.Name) and form.func.id == "NOT":
            opposite = negate(self.source, node) if isinstance(node, ast.expr) else None
            inner = form.args[0]
            assert isinstance(inner, ast.Name)
            return self._bind(inner.id, opposite, holes) if opposite is not None else None
        if type(form) is not type(node):
            return None
        for field in form._fields:
            if field in SILENT:
                continue
            filled = self._value(getattr(form, field, None), getattr(node, field, None), holes)
            if filled is None:
                return None
            holes = filled
        return holes

    def _value(self, form: object, value: object, holes: Holes) -> Holes | None:
        if isinstance(form, ast.AST):
            return self._node(form, value, holes) if isinstance(value, ast.AST) else None
        if isinstance(form, list) and isinstance(value, list):
            return next((found for end, found in self._row(form, value, 0, holes) if end == len(value)), None)
        if isinstance(form, str) and re.fullmatch(r"_[a-z]+", form) and isinstance(value, str):
            return self._bind(form, Filled(ast.Name(value, ast.Load()), value), holes)
        return holes if type(form) is type(value) and form == value else None

    def _bind(self, name: str, filled: Filled, holes: Holes) -> Holes | None:
        known = holes.get(name)
        if known is None:
            return {**holes, name: filled}
        if known.node is not None and filled.node is not None:
            return holes if is_same_tree(known.node, filled.node) else None
        equal = len(known.row) == len(filled.row) and all(map(is_same_tree, known.row, filled.row))
        return holes if equal else None


def _many(node: ast.AST) -> str:
    inner = node.value if isinstance(node, ast.Expr | ast.Starred) else node
    return inner.id if isinstance(inner, ast.Name) and inner.id.startswith("__") else ""


def negate(source: Source, node: ast.expr) -> Filled | None:
    """What holds exactly where a condition does not, if it is written as a negation or a comparison that
    has one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return Filled(node.operand, source.segment(node.operand))
    # Of two values without an order neither `<` nor `>=` may hold.
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and not isinstance(node.ops[0], ORDERED):
        op = OPPOSITE[type(node.ops[0])]
        turned = ast.Compare(node.left, [op()], node.comparators)
        low, high = source.span(node.left)[1], source.span(node.comparators[0])[0]
        words = r"\s+".join(SIGNS[type(node.ops[0])].split(" "))
        between, count = re.subn(words, SIGNS[op], source.text[low:high], count=1)
        if count != 1 or "#" in between:
            return None
        start, end = source.span(node)
        return Filled(turned, source.text[start:low] + between + source.text[high:end])
    return None


# -- filling ------------------------------------------------------------------------------------------


def expected_tree(form: ast.AST, holes: Holes) -> ast.AST:
    """The tree that a form means with its holes filled."""
    if isinstance(form, ast.Name) and form.id in holes:
        node = holes[form.id].node
        assert node is not None
        return node
    if isinstance(form, ast.Call) and isinstance(form.func, ast.Name) and form.func.id == "NOT":
        assert isinstance(form.args[0], ast.Name)
        return _not(holes[form.args[0].id])[0]
    fields = {}
    for field in form._fields:
        value = getattr(form, field, None)
        if isinstance(value, ast.AST):
            value = expected_tree(value, holes)
        elif isinstance(value, list):
            value = [each for item in value for each in _several(item, holes)]
        elif isinstance(value, str) and value in holes and not isinstance(form, ast.Constant):
            value = holes[value].text
        fields[field] = value
    # At once: from Python 3.13 on a node that is made without a field that it needs is a warning.
    return type(form)(**fields)


def _several(one: object, holes: Holes) -> list[object]:
    if not isinstance(one, ast.AST):
        return [one]
    many = _many(one)
    return list(holes[many].row) if many else [expected_tree(one, holes)]


def _not(filled: Filled) -> tuple[ast.expr, str]:
    node = filled.node
    assert node is not None
    part = Source(f"({filled.text}\n)")
    one = part.body[0] if part.body else None
    inner = negate(part, one.value) if isinstance(one, ast.Expr) else None
    if inner is not None and inner.node is not None:
        return inner.node, inner.text
    if _is_ordered(node):
        turned = negate_code(filled.text)
        return ast.parse(turned, mode="eval").body, turned
    weak = isinstance(node, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr)
    text = f"not ({filled.text})" if weak else f"not {filled.text}"
    return ast.UnaryOp(ast.Not(), node), text


def _is_ordered(node: ast.expr) -> bool:
    """Whether a length, a text or a row of constants is compared, so that the opposite sign means the
    opposite; of numbers and sets it may not."""
    single = isinstance(node, ast.Compare) and len(node.ops) == 1
    return isinstance(node, ast.Compare) and single and any(map(_has_order, (node.left, *node.comparators)))


def _has_order(side: ast.expr) -> bool:
    if isinstance(side, ast.Tuple):
        return all(isinstance(item, ast.Constant) for item in side.elts)
    text = isinstance(side, ast.Constant) and isinstance(side.value, str)
    return text or (isinstance(side, ast.Call) and ast.unparse(side.func) == "len")


def replace_match(source: Source, match: Match, old: str, new: str) -> Edit:
    """The edit that puts a form, with the holes of a match filled, in the place of another one."""
    form = expression_of(new)
    first = match.nodes[0]
    if isinstance(first, ast.expr) and form is not None:
        wanted = expected_tree(form, match.holes)
        low, high = source.span(first)
        for text in _texts(source, match, read_form(new).text.strip()):
            for attempt in (text, f"({text})"):
                edit = Edit(source.path, low, high, attempt)
                if parses_to(source, [edit], {first: wanted}):
                    refuse_lost_comments(source, [edit])
                    return edit
        raise Refusal(f"{source.path}:{first.lineno}: the form cannot be put there exactly")
    edit = _statements(source, match, new)
    lost = lost_comments(source, edit)
    # A comment about a condition may be wrong about its opposite; `# type: ignore` belongs to its line.
    if "NOT(" in old + new or any(map(DIRECTIVE.search, lost)):
        refuse_lost_comments(source, [edit])
    above = [f"{source.indent(first)}{one}{source.newline}" for one in lost]
    return replace(edit, new="".join(above) + edit.new)


def _statements(source: Source, match: Match, new: str) -> Edit:
    from spark_tui.codemods.places.named import own_lines, refuse_inline

    run = [node for node in match.nodes if isinstance(node, ast.stmt)]
    refuse_inline(source, source.suite(run[0]))
    first, last = own_lines(source, run)
    wanted = [item for stmt in read_form(new).body for item in _several(stmt, match.holes)]
    for text in _texts(source, match, read_form(new).text, source.indent(run[0])):
        part = Source(text)
        if part.tree is None or not is_same_tree(wanted, part.tree.body):
            continue
        shown = reindent(part, source, source.indent(run[0]))
        return replace_lines(source, first, last, shown)
    raise Refusal(f"{source.path}:{run[0].lineno}: the form cannot be put there exactly")


def _texts(source: Source, match: Match, form: str, base: str = "") -> Iterator[str]:
    """The form as text with its holes filled, with as few brackets around them as possible first."""
    plain = re.compile(r"[\w.]+|\"[^\"\\\n]*\"|'[^'\\\n]*'")
    single = {name: one.text for name, one in match.holes.items() if one.node is not None}
    open_holes = [name for name, text in single.items() if not plain.fullmatch(text)]
    for count in range(len(open_holes) + 1):
        for names in itertools.islice(itertools.combinations(open_holes, count), _MOST_TRIED):
            yield _fill(source, match, form, frozenset(names), base)


def _fill(source: Source, match: Match, form: str, brackets: frozenset[str], base: str) -> str:
    out = []
    done = 0
    for found in _HOLE.finditer(form):
        name = found[1] or found[2]
        filled = match.holes.get(name)
        if filled is None:
            continue
        out.append(form[done : found.start()])
        done = found.end()
        if filled.node is None:
            lead = form[: found.start()].rpartition("\n")[2]
            out.append(_row_text(source, filled.row, lead))
            continue
        text = _not(filled)[1] if found[1] else filled.text.replace("\r\n", "\n")
        if base and not re.search("\"\"\"|'''", text):
            text = text.replace(f"\n{base}", "\n")
        out.append(f"({text})" if name in brackets else text)
    return "".join([*out, form[done:]])


def _row_text(source: Source, row: Sequence[ast.AST], lead: str) -> str:
    """Statements as lines after an indentation that stands there already, or arguments with commas."""
    from spark_tui.codemods.places.named import comment_lines_above, own_lines

    if not row:
        return ""
    run = [node for node in row if isinstance(node, ast.stmt)]
    if not run:
        return ", ".join(source.segment(node) for node in row)
    first, last = own_lines(source, run)
    low, high = source.line_span(comment_lines_above(source, first), last)
    part, plain = Source(source.text[low:high]), Source("if x:\n    y\n")
    return reindent(part, plain, lead, source.indent(run[0])).removeprefix(lead).rstrip("\n")
