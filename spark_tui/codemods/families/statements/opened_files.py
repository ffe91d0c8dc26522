"""Files that are opened and not closed in every case, also inside of an expression: `with` closes them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import takewhile

from spark_tui.codemods.families.statements.guards import indent_lines
from spark_tui.codemods.places.named import find_region, own_lines
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_lost_comments
from spark_tui.codemods.rewriting.evaluation import explain_conditional, is_set_within
from spark_tui.codemods.slots import Place
from spark_tui.codemods.uses.dependents import AT_ONCE, Dependents
from spark_tui.pysource.names.type_hints import decorator_names, last_name, names_set, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk, walk_each
from spark_tui.pysource.words import word_set


@codemod
class OpenWith:
    """Open files in a `with` block, so that they are always closed."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the line that opens")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        edits: list[Edit] = []
        doubts: list[Unfollowed] = []
        for node in within.nodes(ast.Assign):
            if not _opens(node) or any(edit.start <= source.span(node)[0] < edit.end for edit in edits):
                continue
            opened = Dependents(repo.index.scopes(within.path), node)
            edits.append(_held(source, node, opened))
            reason = f"{ast.unparse(node.targets[0])} may be read here after it is closed"
            kept = [
                stmt
                for stmt in opened.kept(edits[-1].start, edits[-1].end)
                if not _is_lent(source, stmt, ast.unparse(node.targets[0]))
            ]
            doubts += (Unfollowed(source.path, stmt.lineno, reason) for stmt in kept)
        edits = edits or list(_inline_opens(source, within.nodes(ast.Call)))
        if not edits:
            held = any(_is_held(source, call) for call in within.nodes(ast.Call))
            raise Refusal("no file is opened there without a with", why="nothing" if held else "unfit")
        refuse_lost_comments(source, edits)
        return plan_edits(repo, edits, doubts)


def _opens(node: ast.Assign) -> bool:
    call, goals = node.value, node.targets
    if not isinstance(call, ast.Call) or len(goals) != 1 or not isinstance(goals[0], ast.Name):
        return False
    return ast.unparse(call.func).rpartition(".")[2] == "open"


def _is_held(source: Source, call: ast.Call) -> bool:
    """Whether a call opens what a with closes."""
    return last_name(call.func) == "open" and isinstance(source.parents.get(call), ast.withitem)


def _held(source: Source, node: ast.Assign, opened: Dependents) -> Edit:
    """The statement that opens a file, and those that use it, as a with."""
    if (together := _together(source, node)) is not None:
        return together
    assert isinstance(node.targets[0], ast.Name)
    name, line = node.targets[0].id, f"line {node.lineno}"
    rest = list(takewhile(lambda one: not _sets_anew(one, name), source.following(node)))
    closing = [at for at, one in enumerate(rest) if _closes(one, name)]
    guarded = rest[0] if rest and isinstance(rest[0], ast.Try) else None
    finishes = guarded is not None and not guarded.handlers and not guarded.orelse
    if finishes and guarded is not None and all(_closes(stmt, name) for stmt in guarded.finalbody):
        body, last, ended = guarded.body, source.last_line(guarded), 1
        base = source.indent(guarded)
    else:
        lines = {source.line_number(use.span[0]) for use in opened.uses()}
        using = [at for at, one in enumerate(rest) if lines & {*range(one.lineno, source.last_line(one) + 1)}]
        ended = closing[0] + 1 if closing else max(using, default=-1) + 1
        body = rest[: closing[0]] if closing else rest[:ended]
        last = source.last_line(rest[ended - 1]) if ended else 0
        if not closing and (use := opened.use_beyond(last)) is not None:
            raise Refusal(f"{line}: {use.name} is used after it is closed")
        base = ""
    if not body or not any(name in names_within(stmt) for stmt in body):
        raise Refusal(f"{line}: what is opened is not used there")
    if any(name in names_within(stmt) for stmt in rest[ended:]):
        raise Refusal(f"{line}: {name} is used after it is closed")
    if not _stay(source, body, [name], lent=True):
        raise Refusal(f"{line}: {name} leaves the statements that use it")
    first, _ = own_lines(source, [node])
    low, high = own_lines(source, body)
    moved = indent_lines(source, low, high, "" if base or finishes else source.indent_unit)
    front = f"{source.indent(node)}with {source.segment(node.value)} as {name}:{source.newline}"
    ends = source.newline if source.text[: source.starts[last]].endswith(("\n", "\r")) else ""
    moved = moved if moved.endswith(("\n", "\r")) else moved + ends
    return Edit(source.path, source.starts[first], source.starts[last], front + moved)


def _together(source: Source, node: ast.Assign) -> Edit | None:
    """Files that are opened one after the other, and closed at the same end, as one with."""
    suite = source.suite(node)
    at = suite.index(node)
    opened = [node]
    for one in suite[at + 1 :]:
        if not isinstance(one, ast.Assign) or not _opens(one):
            break
        opened.append(one)
    names = [ast.unparse(item.targets[0]) for item in opened]
    rest = suite[at + len(opened) :]
    closing = [at for at, one in enumerate(rest) if any(_closes(one, name) for name in names)]
    closed = [name for name in names if any(_closes(rest[at], name) for at in closing)]
    if len(opened) < 2 or closed != names or closing != list(range(closing[0], closing[-1] + 1)):
        return None
    body = rest[: closing[0]]
    if not body or not _stay(source, body, names):
        return None
    if any(set(names) & names_within(stmt) for stmt in rest[closing[-1] + 1 :]):
        return None
    shown = ", ".join(f"{source.segment(item.value)} as {ast.unparse(item.targets[0])}" for item in opened)
    first, _ = own_lines(source, [node])
    moved = indent_lines(source, *own_lines(source, body), source.indent_unit)
    last = source.last_line(rest[closing[-1]])
    front = f"{source.indent(node)}with {shown}:{source.newline}"
    return Edit(source.path, source.starts[first], source.line_span(first, last)[1], front + moved)


def _sets_anew(node: ast.stmt, name: str) -> bool:
    """Whether a statement sets a name to something that does not depend on what it was."""
    return isinstance(node, ast.Assign) and name in names_set(*node.targets) - names_within(node.value)


def _closes(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.Expr) and ast.unparse(node) == f"{name}.close()"


def _stay(source: Source, body: list[ast.stmt], names: list[str], *, lent: bool = False) -> bool:
    """Whether all uses of some names in statements end with their statement, or are `lent` by a `yield`, at
    which a generator waits inside of the with."""
    named = (inner for inner in walk_each(body) if isinstance(inner, ast.Name) and inner.id in names)
    return all(_stays(source, inner) or (lent and _is_yielded(source, inner)) for inner in named)


def _is_yielded(source: Source, node: ast.Name) -> bool:
    """Whether a statement does nothing but yield a name."""
    outer = source.parents.get(node)
    return isinstance(outer, ast.Yield) and isinstance(source.parents.get(outer), ast.Expr)


def _is_lent(source: Source, stmt: ast.stmt, name: str) -> bool:
    """Whether a statement yields, and a file is closed when the generator goes on or is given up, as by a
    with: by a `finally`, or at the end of what a decorator runs to its end. Where `next` alone holds a
    generator, a with closes the file at once."""
    if not (isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Yield)):
        return False
    for below, one in source.climb(stmt):
        if (
            isinstance(one, ast.Try)
            and below in one.body
            and any(_closes(end, name) for end in one.finalbody)
        ):
            return True
        if isinstance(one, Function):
            later = (end for end in walk(one) if isinstance(end, ast.stmt) and end.lineno > stmt.lineno)
            return bool(_HOLDING & {*decorator_names(one)}) and any(_closes(end, name) for end in later)
    return False


def _stays(source: Source, node: ast.Name) -> bool:
    """Whether a use ends with its statement: an attribute, an argument, what a loop goes through."""
    outer = source.parents.get(node)
    if isinstance(outer, ast.Attribute):
        return isinstance(node.ctx, ast.Load)
    if isinstance(outer, ast.Call | ast.comprehension | ast.For | ast.keyword):
        return True
    return isinstance(outer, ast.Expr | ast.Compare)


_HOLDING = word_set("contextmanager asynccontextmanager fixture")
"""Decorators that run a generator to its end."""
_READS = word_set("read readlines readline write writelines")
_NAMES = ("f", "fh", "file")


def _inline_opens(source: Source, calls: Iterable[ast.Call]) -> Iterator[Edit]:
    """The edits that open files of expressions, as in `json.load(open(path))`, by a `with` around their
    statement, where that is done with them."""
    for call in calls:
        holder = source.statement(call)
        if last_name(call.func) != "open" or holder is None or not _is_read(source, call, holder):
            continue
        taken = names_within(source.function_of(holder) or source.tree or holder)
        name = next((item for item in _NAMES if item not in taken), "")
        low, high = own_lines(source, [holder])
        start, end = source.span(call)
        first = source.starts[low]
        if not name or source.text[first : source.span(holder)[0]].strip():
            continue
        moved = indent_lines(source, low, high, source.indent_unit)
        old = source.segment(call)
        if moved.count(old) != 1 or source.text[start:end] != old:
            continue
        front = f"{source.indent(holder)}with {old} as {name}:{source.newline}"
        yield Edit(source.path, first, source.line_span(low, high)[1], front + moved.replace(old, name))


def _is_read(source: Source, call: ast.Call, holder: ast.stmt) -> bool:
    """Whether the statement always opens the file, and nothing reads that after it."""
    outer = source.parents.get(call)
    if explain_conditional(source, call, holder) or is_set_within(source, call, holder):
        return False
    if isinstance(holder, ast.For):
        return call in ast.walk(holder.iter)
    if not isinstance(holder, ast.Assign | ast.Return | ast.Expr | ast.AugAssign):
        return False
    if isinstance(outer, ast.Attribute):
        return outer.attr in _READS
    return isinstance(outer, ast.Call) and outer.func is not call and last_name(outer.func) in AT_ONCE
