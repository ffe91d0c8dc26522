"""Lists that are made only to be handed to a call, which takes a generator as well."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from spark_tui.codemods.checks.stopped_early import acting_call, what_is_read_on
from spark_tui.codemods.checks.value_kinds import ValueKind, value_kind
from spark_tui.codemods.places.named import find_region
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_lost_comments, refuse_taken_builtin
from spark_tui.codemods.rewriting.wrapping import shifted_lines
from spark_tui.codemods.slots import Place
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_STOPPING = word_set("any all")
_TAKING = _STOPPING | word_set("sum min max sorted set frozenset tuple list dict")


@codemod
class PassGenerator:
    """Hand a generator to a call such as sum, any or join in place of a list."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or the line of the call")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        calls = [(node, made) for node in find_nodes(source.tree, ast.Call) if (made := list_passed(node))]
        lines = range(within.first + 1, within.last + 1)
        found = [
            pair for pair in calls if lines.start <= pair[0].lineno < lines.stop or pair[1].lineno in lines
        ]
        found = sorted(found, key=lambda pair: source.span(pair[0]))
        edits: list[Edit] = []
        doubts: list[Unfollowed] = []
        for node, made in found:
            low, high = source.span(node)
            try:
                if low < 0 or any(low < edit.end and edit.start < high for edit in edits):
                    raise Refusal("it stands in another one; do it again")
                edits += _without_list(repo, source, node, made)
                reasons = list(_doubts(repo, source, node, made))
            except Refusal as error:
                reasons = [str(error)]
            doubts += [Unfollowed(source.path, node.lineno, reason) for reason in reasons]
        if not edits:
            raise Refusal(doubts[0].reason if doubts else "no list there is made only for a call")
        return plan_edits(repo, edits, doubts)


def list_passed(node: ast.Call) -> ast.ListComp | None:
    """The comprehension that a call is given first, where the call takes a generator as well."""
    first = node.args[0] if node.args else None
    if not isinstance(first, ast.ListComp):
        return None
    func, alone = node.func, len(node.args) == 1
    if isinstance(func, ast.Attribute):
        text = func.attr == "join" and last_name(func.value) != "path"
        return first if text and alone and not node.keywords else None
    name = func.id if isinstance(func, ast.Name) else ""
    return first if name in _TAKING and (alone or (name == "sum" and len(node.args) == 2)) else None


def _without_list(repo: Repository, source: Source, node: ast.Call, made: ast.ListComp) -> list[Edit]:
    if isinstance(node.func, ast.Name):
        refuse_taken_builtin(repo, source, node, node.func.id)
    for inner in ast.walk(made):
        if isinstance(inner, ast.Await) or (isinstance(inner, ast.comprehension) and inner.is_async):
            raise Refusal("an async generator cannot be handed on")
        if isinstance(inner, ast.NamedExpr) and last_name(node.func) in _STOPPING:
            raise Refusal(f"{inner.target.id} may not be set in the end")
        if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "next" and len(inner.args) == 1:
            raise Refusal("where next() finds nothing, a generator fails with another error")
        if isinstance(inner, ast.Call) and ast.unparse(inner) == "super()":
            raise Refusal("super() does not work in a generator")
    low, high = source.span(made)
    if len(node.args) + len(node.keywords) > 1:
        return [Edit(source.path, low, low + 1, "("), Edit(source.path, high - 1, high, ")")]
    edits = _without_brackets(source, made, re.match(r"\s*,([ \t]*(?=\)))?", source.text[high:]))
    refuse_lost_comments(source, edits)
    return edits


def _without_brackets(source: Source, made: ast.ListComp, comma: re.Match[str] | None) -> list[Edit]:
    """The edits that take the brackets of a list away, with the lines that they have for themselves, and the
    comma behind them."""
    low, high = source.span(made)
    first, last = source.line_number(low) - 1, source.line_number(high - 1) - 1
    if source.lines[first].strip() == "[" and source.lines[last].strip() in ("]", "],"):
        edits = [Edit(source.path, *source.line_span(line, line + 1), "") for line in (first, last)]
        return [*edits, *shifted_lines(source, low, source.starts[last] - 1, 0, -len(source.indent_unit))]
    if re.match(r"\s*\[\s*(#|$)", source.lines[first]) or re.match(r"\s*\],?\s*#", source.lines[last]):
        raise Refusal("its brackets stand beside comments")
    start, stop = low + 1, high - 1
    if source.lines[first][source.position(start)[1] :].strip():
        start += len(source.text[start:]) - len(source.text[start:].lstrip(" \t"))
    after = high + (comma.end() if comma is not None else 0)
    if source.lines[last].strip() == "],":
        stop, after = source.line_span(last, last + 1)
        high = stop - 1
    elif source.lines[last].lstrip()[:1] != "]":
        stop -= len(source.text[:stop]) - len(source.text[:stop].rstrip(" \t"))
    edits = [Edit(source.path, low, start, ""), Edit(source.path, stop, after, "")]
    return [*edits, *shifted_lines(source, low, high, low - start)]


def _doubts(repo: Repository, source: Source, node: ast.Call, made: ast.ListComp) -> Iterator[str]:
    func = node.func
    scopes = repo.index.scopes(source.path)

    def kind(one: ast.expr) -> ValueKind | None:
        return value_kind(repo, source.path, one, scopes.of_function(node))

    if isinstance(func, ast.Attribute) and not _is_text(func.value, kind):
        yield f"{source.segment(func.value)} was taken for a text, whose join takes a generator"
    if isinstance(func, ast.Name) and any(one.name == "*" for one in repo.index.summary(source.path).imports):
        yield f"{func.id} may be another one, from an import of all names"
    if last_name(func) in _STOPPING:
        if (acting := acting_call(made)) is not None:
            yield f"{source.segment(acting)} is not called for those after the one that decides"
        for one in made.generators:
            if left := what_is_read_on(repo, source, one.iter):
                yield f"what is behind the one that decides stays in {left}"


def _is_text(node: ast.expr, kind: Callable[[ast.expr], ValueKind | None]) -> bool:
    """Whether an expression is a text by its form, or by all that its name is set to."""
    if isinstance(node, ast.BinOp):
        return _is_text(node.left, kind) or _is_text(node.right, kind)
    if isinstance(node, ast.Constant) or ast.unparse(node) in ("os.linesep", "os.sep", "os.pathsep"):
        return True
    return kind(node) is ValueKind.TEXT
