"""Branches: a further `elif`, an `else` that is not needed, a body that
leaves early instead of nesting, statements that never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.named import (
    Region,
    find_region,
    insert_at_line,
    need_one,
    own_lines,
    refuse_inline,
    suites_in_region,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    OF_LINTER,
    comments_in,
    indent_statements,
    is_same_tree,
    names_in,
    plan_edits,
    read_expression,
    refuse_lost_comments,
    string_lines,
)
from spark_tui.codemods.rewriting.evaluation import is_elif
from spark_tui.codemods.rewriting.negation import negated_test
from spark_tui.codemods.slots import Expression, Place, Statements
from spark_tui.pysource.names.scopes import Occurrence
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import LEAVING, LOOPS, has_break, walk_each

Loop = ast.For | ast.AsyncFor | ast.While
_MANY = 3
"""Statements that make a branch worth unnesting."""


def _word_elif(source: Source, node: ast.If) -> tuple[int, int]:
    start = source.span(node)[0]
    return start, start + len("elif")


def list_branches(source: Source, node: ast.If) -> list[ast.If]:
    """An `if` with its `elif`s."""
    match node.orelse:
        case [ast.If() as inner] if is_elif(source, inner):
            return [node, *list_branches(source, inner)]
    return [node]


def _ifs(within: Region) -> list[ast.If]:
    found = [item for item in within.nodes_starting(ast.If) if not is_elif(within.source, item)]
    heads = [node for node in found if node.lineno == within.first + 1] if within.node is None else []
    return heads or found


@codemod
class AddElif:
    """Add an `elif` to an `if`, after its other branches and before its `else`."""

    place: Place = slot("the line of the if: app.py:12, or `in fetch`")
    condition: Expression = slot("when the branch is taken")
    body: Statements = slot("what is done then")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        wanted = read_expression(self.condition)
        head = need_one(_ifs(within), "if", within)
        branches = list_branches(source, head)
        if any(is_same_tree(wanted, branch.test) for branch in branches):
            raise Refusal(f"{self.condition} already has a branch", why="nothing")
        last = branches[-1].body[-1]
        refuse_inline(source, branches[-1].body)
        body = indent_statements(source, self.body, source.indent(head) + source.indent_unit)
        text = f"{source.indent(head)}elif {self.condition}:{source.newline}{body}"
        edit = insert_at_line(source, own_lines(source, [last])[1], text)
        return planned_change(repo, [edit], given=names_in(self.condition, self.body))


@codemod
class RemoveElse:
    """Remove an `else` after branches that exit, or of a loop without `break`; its statements move out, and
    an `elif` after branches that exit becomes an `if`."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the lines of the if or the loop")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        if loop := _loop_of(within):
            edits = [outdented_else(source, loop, loop.orelse)]
            refuse_lost_comments(source, edits)
            return plan_edits(repo, edits)
        edits = []
        rewritten: list[Edit] = []
        needed = False
        for node in _held(within) or within.nodes(ast.If):
            branches = list_branches(source, node)
            rest = branches[-1].orelse
            needed |= bool(rest)
            leaving = list(takewhile(lambda item: _leaves(item.body), branches))
            if is_elif(source, node) or (len(leaving) == len(branches) < 2 and not rest):
                continue
            if any(node.lineno <= source.line_number(edit.start) <= source.last_line(node) for edit in edits):
                continue
            behind = branches[1 : len(leaving) + 1]
            words = [Edit(source.path, *_word_elif(source, branch), "if") for branch in behind]
            if rest and len(leaving) == len(branches):
                edits += [*words, outdented_else(source, branches[-1], rest)]
            else:
                rewritten += words
        doubts = [
            Unfollowed(
                source.path, source.line_number(edit.start), "this elif follows a branch that leaves, too"
            )
            for edit in (rewritten if edits else ())
        ]
        edits = edits or rewritten  # where an else goes, no other `elif` is meant
        if not edits:
            raise Refusal("no else follows a branch that leaves", why="unfit" if needed else "nothing")
        refuse_lost_comments(source, edits)
        return plan_edits(repo, edits, doubts)


@codemod
class RemoveUnreachable:
    """Remove statements after a return, raise, break or continue, which never run."""

    place: Place = slot("where: `in fetch`, `in app.py`, or lines")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        edits: list[Edit] = []
        kept: list[str] = []
        for suite in suites_in_region(source, within):
            at = next((at for at, one in enumerate(suite[:-1]) if isinstance(one, LEAVING)), None)
            if at is None or any(edit.start <= source.span(suite[at + 1])[0] < edit.end for edit in edits):
                continue
            run = suite[at + 1 :]
            if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk_each(run)):
                kept.append(f"{source.path}:{run[0].lineno}: its yield makes the function a generator")
                continue
            _, last = own_lines(source, run)
            edits.append(Edit(source.path, *source.line_span(source.last_line(suite[at]), last), ""))
        if not edits and kept:
            raise Refusal(kept[0])
        if not edits:
            raise Refusal("every statement there can run", why="nothing")
        refuse_lost_comments(source, edits)
        doubts = [
            Unfollowed(source.path, line, f"{name} is no longer a name of its function")
            for name, line in lost_locals(repo, source, edits)
        ]
        return plan_edits(repo, edits, doubts)


def lost_locals(repo: Repository, source: Source, edits: list[Edit]) -> Iterator[tuple[str, int]]:
    """Names of a function, each with a line that reads it, of which all that makes them so goes."""
    scopes = repo.index.scopes(source.path)

    def goes(one: Occurrence) -> bool:
        return any(edit.start <= one.span[0] < edit.end for edit in edits)

    for variable in scopes.variables:
        left = [one for one in variable.loads if not goes(one)]
        if variable.scope in (None, scopes.module) or not left:
            continue
        if variable.bindings and all(map(goes, variable.bindings)):
            yield variable.name, source.line_number(left[0].span[0])


def _held(within: Region) -> list[ast.If]:
    """The `if` around a single line, which is all that a linter names."""
    if within.node is not None or within.last > within.first + 1:
        return []
    source = within.source
    every = [node for node in source.statements if isinstance(node, ast.If) and not is_elif(source, node)]
    held = [node for node in every if source.first_line(node) <= within.first < source.last_line(node)]
    return [max(held, key=lambda node: node.lineno)] if held else []


def _loop_of(within: Region) -> Loop | None:
    """The loop whose lines these are, if it has an `else` and no `break`."""
    for node in within.nodes(ast.stmt) if within.node is None else ():
        if isinstance(node, LOOPS) and node.orelse and within.source.first_line(node) == within.first:
            return None if has_break(node) else node
    return None


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], LEAVING)


def outdented_else(source: Source, owner: ast.If | Loop, rest: list[ast.stmt]) -> Edit:
    """The statements of an else in its place, below the comments of its line."""
    refuse_inline(source, rest)
    low = source.starts[source.last_line(owner.body[-1])]
    first, last = own_lines(source, rest)
    indent = source.indent(owner)
    kept = comments_in(source, low, source.starts[first])
    lines = "".join(indent + one + source.newline for one in kept if not OF_LINTER.fullmatch(one))
    text = lines + dedent_lines(source, first, last, indent)
    return Edit(source.path, low, source.starts[last], text)


def _comments(text: str, indent: str, newline: str) -> str:
    """The lines of a text that are comments, at an indentation."""
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("#")]
    return "".join(indent + line + newline for line in lines)


def dedent_lines(source: Source, first: int, last: int, indent: str) -> str:
    """Lines moved to an indentation; the insides of strings stay."""
    inside = string_lines(source)
    deep = len(source.lines[first]) - len(source.lines[first].lstrip(" \t"))
    out = []
    for at in range(first, last):
        line = source.lines[at]
        moved = indent + line[deep:] if line.strip() and not line[:deep].strip() else line
        out.append(line if at in inside else moved)
    return "".join(out)


@codemod
class LeaveEarly:
    """Return or continue early if the last `if` does not hold, instead of nesting."""

    place: Place = slot("where: `in fetch`, or the line of the if")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        found = [item for item in within.nodes(ast.If) if _exit(source, item) is not None]
        last_ones = [item for item in within.nodes(ast.If) if _last_word(source, item)]
        found = found or [item for item in last_ones if _nests(item)]
        found = found or [item for item in within.nodes(ast.If) if _returned_behind(source, item)]
        found = found or last_ones
        inner = {part for item in found for part in ast.walk(item) if part is not item}
        node = need_one([item for item in found if item not in inner], "if at the end of a body", within)
        refuse_inline(source, node.body)
        if _exit(source, node) is None and not _returned_behind(source, node):
            edit = _short_branch_first(source, node)
            refuse_lost_comments(source, [edit])
            return plan_edits(repo, [edit])
        first, last = own_lines(source, node.body)
        head = source.text[source.starts[node.lineno - 1] : source.starts[first]]
        indent, newline = source.indent(node), source.newline
        kept = _comments(head, indent, newline)
        leave, end = _exit(source, node) or (_returned_behind(source, node), last)
        guard = f"{indent}if {negated_test(source, node)}:{newline}"
        guard += f"{indent}{source.indent_unit}{leave}{newline}"
        text = guard + kept + dedent_lines(source, first, last, indent)
        edit = Edit(source.path, source.starts[node.lineno - 1], source.starts[end], text)
        refuse_lost_comments(source, [edit])
        return plan_edits(repo, [edit])


def _last_word(source: Source, node: ast.If) -> str:
    """How a body is left that ends with an `if` with an `else`."""
    owner = source.parents.get(node)
    ends = getattr(owner, "body", [None])[-1] is node and isinstance(owner, (Function, *LOOPS))
    plain = node.orelse and not is_elif(source, node) and len(list_branches(source, node)) == 1
    return ("return" if isinstance(owner, Function) else "continue") if ends and plain else ""


def _nests(node: ast.If) -> bool:
    """Whether the longer branch of an `if` holds a block of its own, or several statements."""
    longer = max(node.body, node.orelse, key=_height)
    deep = any(hasattr(one, "body") for one in longer) or len(longer) >= _MANY
    return deep and _height(node.body) != _height(node.orelse)


def _height(suite: list[ast.stmt]) -> int:
    return (suite[-1].end_lineno or 0) - suite[0].lineno


def _short_branch_first(source: Source, node: ast.If) -> Edit:
    """The shorter branch as a guard that leaves, and the longer one behind it without its indentation."""
    refuse_inline(source, node.orelse)
    indent, newline = source.indent(node), source.newline
    deeper = indent + source.indent_unit
    turned = _height(node.orelse) < _height(node.body)
    short, long = (node.orelse, node.body) if turned else (node.body, node.orelse)
    test = negated_test(source, node) if turned else source.segment(node.test)
    text = f"{indent}if {test}:{newline}" + dedent_lines(source, *own_lines(source, short), deeper)
    text += "" if _leaves(short) else f"{deeper}{_last_word(source, node)}{newline}"
    text += dedent_lines(source, *own_lines(source, long), indent)
    return Edit(source.path, source.starts[node.lineno - 1], source.starts[source.last_line(node)], text)


def _returned_behind(source: Source, node: ast.If) -> str:
    """The `return` of a plain value behind an `if` that ends with a block, if a function ends with it."""
    owner = source.parents.get(node)
    body = owner.body if isinstance(owner, Function) else []
    last = body[-1] if body[-2:-1] == [node] else None
    nested = hasattr(node.body[-1], "body") and not node.orelse and not is_elif(source, node)
    plain = isinstance(last, ast.Return) and isinstance(last.value, ast.Constant | ast.Name | None)
    return source.segment(last) if last is not None and nested and plain else ""


def _exit(source: Source, node: ast.If) -> tuple[str, int] | None:
    """How a body is left when its last condition does not hold, and the line after what that replaces."""
    rest = node.orelse
    if len(rest) == 1 and isinstance(rest[0], ast.Return | ast.Raise) and not is_elif(source, node):
        leaves = rest[0].lineno == rest[0].end_lineno and len(node.body) > 1 and _leaves(node.body)
        return (source.segment(rest[0]), source.last_line(rest[0])) if leaves else None
    alone = len(node.body) == 1 and _leaves(node.body)
    if node.orelse or is_elif(source, node) or alone:
        return None
    owner = source.parents.get(node)
    body = getattr(owner, "body", [])
    if not isinstance(owner, (Function, *LOOPS)) or node not in body:
        return None
    end = source.last_line(node)
    if body[-1] is node:
        return ("return" if isinstance(owner, Function) else "continue"), end
    last = body[-1]
    ends = body[-2] is node and isinstance(owner, Function) and isinstance(last, ast.Return | ast.Raise)
    if ends and always_leaves(node.body) and last.lineno == last.end_lineno:
        return source.segment(last), source.last_line(last)
    return None


def _ends_no_error(item: ast.withitem) -> bool:
    """Whether an error surely goes through a context: that of a file or a lock."""
    shown = item.context_expr
    return called_name(shown) in ("open", "closing") or "lock" in ast.unparse(shown).lower()


def always_leaves(body: list[ast.stmt]) -> bool:
    """Whether a body leaves its function on every way through it."""
    last = body[-1]
    if isinstance(last, ast.If) and last.orelse:
        return always_leaves(last.body) and always_leaves(last.orelse)
    if isinstance(last, ast.With) and all(map(_ends_no_error, last.items)):
        return always_leaves(last.body)
    return isinstance(last, ast.Return | ast.Raise)
