"""Values that are set on a line before a condition, set in the condition by `:=`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from spark_tui.codemods.checks.oldest_python import too_old
from spark_tui.codemods.places.named import find_region, own_lines
from spark_tui.codemods.plan import Edit, Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    DIRECTIVE,
    comments_in,
    is_same_tree,
    plan_edits,
    refuse_lost_comments,
)
from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.codemods.rewriting.wrapping import widest_line
from spark_tui.codemods.slots import NewName, Place
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import suites
from spark_tui.pysource.syntax.walking import ORDERED, find_nodes, names_in, root_name, walk


@dataclass(frozen=True, eq=False)
class Assigned:
    """A line that sets a name, and the condition that it can be set in."""

    line: ast.Assign
    name: str
    holder: ast.If | ast.While
    """The `if` or loop with the condition."""
    test: ast.expr
    """What is asked first: the condition, or that of the `if` with a `break` that begins an endless loop."""
    gone: tuple[ast.stmt, ...]
    """The statements that go, besides the line."""


@codemod
class AssignInCondition:
    """Set a value in a condition by `:=` in place of a line before it."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the line that sets the value or asks for it")
    name: NewName = slot("the variable, if there are several", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        lines = range(within.first + 1, within.last + 1)
        found = [
            one
            for one in assigned_conditions(source.tree)
            if any(node.lineno in lines for node in (one.line, one.test, one.holder))
            and self.name in ("", one.name)
        ]
        if not found:
            raise Refusal("no condition there asks first for what the line before it sets")
        if reason := too_old(repo, 8, ":="):
            raise Refusal(reason)
        edits: list[Edit] = []
        reason = ""
        for one in found:
            try:
                _refuse_rebound(repo, source, one)
                edits += _edits(source, one)
            except Refusal as error:
                reason = reason or str(error)
        if not edits:
            raise Refusal(reason)
        return plan_edits(repo, edits)


def assigned_conditions(root: ast.AST | None) -> Iterator[Assigned]:
    """The conditions in a definition or file that can set what they ask for."""
    for node in walk(root):
        for suite in suites(node):
            for one, two in pairwise(suite):
                if (name := _name_set(one)) and (found := _asked(node, one, two, name)):
                    yield found


def _name_set(stmt: ast.stmt) -> str:
    """The name that a line alone sets to something that is worked out."""
    if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], ast.Name):
        return "" if isinstance(stmt.value, ast.Constant) else stmt.targets[0].id
    return ""


def _asked(around: ast.AST, one: ast.Assign, two: ast.stmt, name: str) -> Assigned | None:
    if not isinstance(two, ast.If | ast.While) or _first_read(two.test, name) is None:
        return None
    if isinstance(two, ast.While):
        again = two.body[-1]
        same = len(two.body) > 1 and is_same_tree(one, again) and not _continues(two)
        return Assigned(one, name, two, two.test, (again,)) if same else None
    breaks = len(two.body) == 1 and isinstance(two.body[0], ast.Break) and not two.orelse
    match around:
        case ast.While(test=ast.Constant(value=endless), body=[first, _, _, *_], orelse=[]):
            if endless and breaks and first is one:
                return Assigned(one, name, around, two.test, (two,))
    return Assigned(one, name, two, two.test, ())


def _continues(loop: ast.While) -> bool:
    """Whether a loop is continued before its end."""
    rest: list[ast.AST] = list(loop.body)
    while rest:
        node = rest.pop()
        if isinstance(node, ast.Continue):
            return True
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            rest += node.orelse
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            rest += ast.iter_child_nodes(node)
    return False


def _first_read(node: ast.AST, name: str) -> ast.Name | None:
    """The use of a name that is evaluated in any case, with nothing before it that does something."""
    if isinstance(node, ast.Name):
        return node if node.id == name else None
    parts: list[ast.expr] = []
    match node:
        case ast.BoolOp(values=[first, *_]) | ast.UnaryOp(operand=first) | ast.Attribute(value=first):
            parts = [first]
        case ast.Compare(left=first, comparators=[second, *_]) | ast.BinOp(left=first, right=second):
            parts = [first, second]
        case ast.Subscript(value=first, slice=second):
            parts = [first, second]
        case ast.Call(func=func, args=args):
            parts = args if root_name(func, ast.Attribute) not in ("", name) else [func]
    others = (
        part for part in parts if not isinstance(part, ast.Constant | ast.Name) or names_in(part) == {name}
    )
    found = next(others, None)
    return _first_read(found, name) if found is not None else None


def _refuse_rebound(repo: Repository, source: Source, one: Assigned) -> None:
    """Refuse where a name that is read before the value may be set to something else by what gives it."""
    read = _first_read(one.test, one.name)
    end = source.span(read)[0] if read is not None else 0
    inside = set(walk(one.line.value))
    scopes = repo.index.scopes(source.path)
    for name in find_nodes(one.test, ast.Name):
        variable = scopes.resolve(scopes.by_node[name])
        sets = (item.scope is not variable.scope or item.node in inside for item in variable.bindings)
        if source.span(name)[0] < end and any(sets):
            raise Refusal(f"line {one.line.lineno}: {name.id} may be another one after it")


def _edits(source: Source, one: Assigned) -> list[Edit]:
    first, last = own_lines(source, [one.line])
    endless = one.test is not one.holder.test
    rest = one.holder.body[2] if endless and isinstance(one.holder, ast.While) else one.holder
    low, high = source.span(one.holder.test)
    room = len(source.lines[source.line_number(low) - 1].rstrip()) - (high - low)
    edits = [Edit(source.path, low, high, _condition(source, one, _asked_for(source, one), room))]
    left = comments_in(source, source.span(one.line)[1], source.starts[last])
    if any(map(DIRECTIVE.search, left)):
        raise Refusal(f"line {one.line.lineno}: {left[0]} is about this line")
    for stmt in one.gone:
        start, end = own_lines(source, [stmt])
        if endless:
            last = end
            continue
        while not source.lines[start - 1].strip():
            start -= 1
        edits.append(Edit(source.path, *source.line_span(start, end), ""))
    while last + 1 < rest.lineno and not source.lines[last].strip():
        last += 1
    kept = "".join(f"{source.indent(one.line)}{item}{source.newline}" for item in left)
    edits.append(Edit(source.path, *source.line_span(first, last), kept))
    value = source.span(one.line.value)
    inside = [item for item in comments_in(source, *value) if item not in edits[0].new]
    if inside or any(item not in left for item in comments_in(source, value[1], edits[-1].end)):
        raise Refusal(f"line {one.line.lineno}: a comment would be lost")
    refuse_lost_comments(source, edits[:-1])
    return edits


def _asked_for(source: Source, one: Assigned) -> str:
    """The condition without its value: that under which an endless loop does not end, where there is one."""
    text = source.segment(one.test)
    if one.test is one.holder.test:
        return text
    single = isinstance(one.test, ast.Compare) and len(one.test.ops) == 1
    ordered = isinstance(one.test, ast.Compare) and isinstance(one.test.ops[0], ORDERED)
    chained = isinstance(one.test, ast.BoolOp | ast.Compare | ast.IfExp) and not single
    if chained or (ordered and not text.startswith("len(")) or "\n" in text:
        raise Refusal(f"line {one.test.lineno}: the opposite of its condition is not as plain")
    return negate_code(text)


def _condition(source: Source, one: Assigned, asked: str, room: int) -> str:
    """The condition with the value in it, in as few brackets as it needs."""
    part = Source(f"({asked}\n)")
    node = part.body[0].value if part.body and isinstance(part.body[0], ast.Expr) else None
    read = _first_read(node, one.name) if node is not None else None
    if node is None or read is None:
        raise Refusal(f"line {one.test.lineno}: {one.name} is not asked for first")
    holder = part.parents.get(read)
    bare = read is node or (isinstance(holder, ast.Call) and read in holder.args)
    low, high = (at - 1 for at in part.span(read))
    row, *below = part.lines[read.lineno - 1 :]
    deepest = _depth(row) + 2 * len(source.indent_unit)
    if read.lineno == 1:
        deepest += _depth(source.lines[one.test.lineno - 1])
    if any(_depth(line) > deepest for line in below):
        raise Refusal(f"line {one.test.lineno}: its condition is aligned over several lines")
    wanted: dict[ast.AST, ast.AST] = {read: ast.NamedExpr(ast.Name(one.name, ast.Store()), one.line.value)}
    for value in _values(source, one, alone=read is node):
        inner = [f"{one.name} := {value}", f"{one.name} := ({value})"]
        for shown in [*(inner if bare else ()), *(f"({item})" for item in inner)]:
            text = f"{asked[:low]}{shown}{asked[high:]}"
            made = Source(f"({text}\n)").body
            if made and isinstance(made[0], ast.Expr) and is_same_tree(node, made[0].value, wanted):
                if room + max(map(len, text.splitlines())) > widest_line(source):
                    raise Refusal(f"line {one.test.lineno}: the line would be too long")
                return text
    raise Refusal(f"line {one.line.lineno}: its value cannot be put there on one line")


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _values(source: Source, one: Assigned, *, alone: bool) -> Iterator[str]:
    """The value as it is written, where it is all of a condition of the same indentation; or on one line."""
    text = source.text[source.span(one.line.targets[0])[1] : source.span(one.line)[1]].lstrip()[1:].strip()
    first, *below = text.splitlines(keepends=True)
    hanging = first.rstrip()[-1:] in "([{" and text.splitlines()[-1].lstrip()[:1] in (")", "]", "}")
    aligned = below and min(map(_depth, below)) > source.position(source.span(one.line.value)[0])[1]
    if not below or (hanging and alone and one.test is one.holder.test):
        yield text
    elif aligned and alone and one.test is one.holder.test:
        more = " " * len("if :" if isinstance(one.holder, ast.If) else "while :")
        yield first + "".join(more + line for line in below)
    joined = re.sub(r"\s*\n\s*", " ", source.segment(one.line.value))
    yield re.sub(r",? ([)\]}])", r"\1", re.sub(r"([(\[{]) ", r"\1", joined))
