"""Statements: insert, delete, replace, move."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from spark_tui.codemods.families.statements.reach import (
    catching_doubts,
    import_doubts,
    leaving_doubts,
    refuse_other_reach,
)
from spark_tui.codemods.families.statements.removed_branches import branch_at, without_branch
from spark_tui.codemods.families.statements.unwrapping import handler_of_lines, without_handler
from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.descriptions import with_description
from spark_tui.codemods.places.lost_bindings import lost_bindings
from spark_tui.codemods.places.named import (
    Region,
    comment_lines_above,
    delete_definition,
    delete_statements,
    find_region,
    insert_after,
    insert_at_line,
    insert_at_start,
    insert_before,
    own_lines,
    refuse_inline,
    statements,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    indent_statements,
    is_same_tree,
    names_in,
    plan_edits,
    read_statements,
    refuse_harm,
    reindent,
    replace_lines,
)
from spark_tui.codemods.rewriting.evaluation import is_elif
from spark_tui.codemods.slots import Choice, Place, Statements, Symbol, SymbolKind
from spark_tui.codemods.uses.symbols import find_symbol
from spark_tui.pysource.names.type_hints import names_set
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, docstring
from spark_tui.pysource.syntax.parsing import is_text
from spark_tui.pysource.syntax.walking import LEAVING, walk_each


class Side(Choice):
    """On which side of a place, or where in it."""

    BEFORE = "before"
    AFTER = "after"
    START = "start"
    END = "end"


def insert_statements(repo: Repository, place: Place, side: Side, code: str) -> Edit:
    """Puts statements next to a place, or into a body."""
    given = read_statements(code)
    if not given.body:
        raise Refusal("there are no statements in it; comments have their own operation")
    if place.side in ("before", "after"):
        source, one = _anchor(repo, place)
        side = Side.BEFORE if place.side == "before" else Side.AFTER
        return _beside(source, [one], side, code, given)
    found = find_region(repo, place)
    if side in (Side.BEFORE, Side.AFTER):
        return _beside(found.source, statements(found), side, code, given)
    node = found.node if found.node is not None else statements(found)[0]
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        raise Refusal(f"{place} has no body")
    if not body:  # a file without statements
        lines = indent_statements(found.source, code, "")
        return insert_at_line(found.source, len(found.source.lines), lines)
    _stands(found.source, body, given)
    if side is Side.START:
        if isinstance(node, ast.Module):
            raise Refusal("write the line before which it goes")
        _goes_on(found.source, body, given)
        return insert_at_start(found.source, node, code)
    return _at_end(found.source, node, body, code)


def _anchor(repo: Repository, place: Place) -> tuple[Source, ast.stmt]:
    """The statement that defines a symbol."""
    target = need(find_symbol(repo, Symbol.parse(place.symbol)))
    source = repo.index.source(target.path)
    one = source.statement(target.node) if target.node is not None else None
    if one is None or target.kind is SymbolKind.PARAMETER:
        raise Refusal(f"{place.symbol} has no statement of its own")
    return source, one


def _stands(source: Source, suite: list[ast.stmt], given: Source) -> None:
    """Refuse what stands in a suite already."""
    for at in range(len(suite) - len(given.body) + 1):
        if all(is_same_tree(one, two) for one, two in zip(suite[at:], given.body, strict=False)):
            raise Refusal(f"{source.path}:{suite[at].lineno}: it is already there", why="nothing")


def _goes_on(source: Source, rest: list[ast.stmt], given: Source) -> None:
    """Refuse to leave in front of other statements."""
    if rest and given.body and isinstance(given.body[-1], LEAVING):
        raise Refusal(f"{source.path}:{rest[0].lineno}: what comes after it would never run")


def _beside(source: Source, run: list[ast.stmt], side: Side, code: str, given: Source) -> Edit:
    suite, run = source.suite(run[0]), with_description(source, run)
    at = suite.index(run[0]) if side is Side.BEFORE else suite.index(run[-1]) + 1
    count = len(given.body)
    _stands(source, suite[max(at - count, 0) : at + count], given)
    refuse_inline(source, suite)
    _goes_on(source, suite[at:], given)
    if side is Side.BEFORE:
        first = own_lines(source, run)[0]
        line = comment_lines_above(source, first) if isinstance(run[0], Definition) else first
        text = indent_statements(source, code, source.indent(run[0]))
        return insert_at_line(source, line, text + _gap(source, run[0], given))
    if isinstance(run[-1], LEAVING):
        raise Refusal(f"{source.path}:{run[-1].lineno}: what comes after it would never run")
    line = own_lines(source, run)[1]
    text = indent_statements(source, code, source.indent(run[-1]))
    return insert_at_line(source, line, _gap(source, run[-1], given) + text)


def _gap(source: Source, beside: ast.stmt, given: Source) -> str:
    """Blank lines between definitions: two in a module, one in a class."""
    if not (isinstance(beside, Definition) or any(isinstance(stmt, Definition) for stmt in given.body)):
        return ""
    if source.parents.get(beside) is source.tree:
        return source.newline * 2
    return source.newline if isinstance(source.parents.get(beside), ast.ClassDef) else ""


def _at_end(source: Source, node: ast.AST, body: list[ast.stmt], code: str) -> Edit:
    refuse_inline(source, body)
    if isinstance(body[-1], LEAVING):
        _goes_on(source, body[-1:], read_statements(code))
        return insert_before(source, body[-1], code)
    if isinstance(node, ast.ClassDef) and len(body) == 1 and isinstance(body[0], ast.Pass):
        low, high = source.line_span(*own_lines(source, body))
        return Edit(source.path, low, high, indent_statements(source, code, source.indent(body[0])))
    edit = insert_after(source, body[-1], code)
    gap = _gap(source, body[-1], read_statements(code))
    return Edit(edit.path, edit.start, edit.end, gap + edit.new)


@codemod
class InsertStatements:
    """Insert statements before or after a place, or at the start or end of a body (before its last
    return)."""

    place: Place = slot("where: shop/cart.py:12, `in Cart.add`, `after LIMIT`, `before Cart`")
    code: Statements = slot("the statements")
    side: Side = slot("before or after the lines, or at the start or end of the body", default=Side.END)

    def plan(self, repo: Repository) -> Plan:
        side = Side.BEFORE if self.place.path and self.side is Side.END else self.side
        edit = insert_statements(repo, self.place, side, self.code)
        plan = plan_edits(repo, [edit], given=names_in(self.code))
        return with_generator_doubts(repo, plan, edit.path)


@codemod
class DeleteStatements:
    """Delete whole statements, or one branch or handler of several; an empty body gets `pass`."""

    place: Place = slot("the lines: shop/cart.py:12-14")
    anyway: bool = slot("whether what they set may still be used, which is marked", default=False)

    def plan(self, repo: Repository) -> Plan:
        found = _lines(repo, self.place)
        if (branch := branch_at(found.source, found.first, found.last)) is not None:
            return without_branch(repo, found.source, branch)
        if (handler := handler_of_lines(found.source, found.first, found.last)) is not None:
            return without_handler(repo, found.source, handler)
        run = statements(found)
        if len(run) == 1 and isinstance(run[0], ast.Pass) and len(found.source.suite(run[0])) == 1:
            raise Refusal("the body needs its pass")
        alone = len(run) == 1 and isinstance(run[0], Definition)
        branch = run[0] if len(run) == 1 and isinstance(run[0], ast.If) else None
        if branch is not None and is_elif(found.source, branch):
            return without_branch(repo, found.source, branch)
        edit = delete_definition(found.source, run[0]) if alone else delete_statements(found.source, run)
        doubts = tuple(lost_bindings(repo, found.source, run))
        plan = _planned(repo, run, [edit], _set(run) if self.anyway else set())
        return refuse_harm(repo, replace(plan, unfollowed=(*plan.unfollowed, *doubts)))


def _planned(repo: Repository, run: list[ast.stmt], edits: list[Edit], given: Iterable[str] = ()) -> Plan:
    """The plan that takes statements away. What only binds names is followed by them."""
    if all(map(_only_binds, run)):
        return plan_edits(repo, edits)
    return planned_change(repo, edits, given=given)


def _set(run: list[ast.stmt]) -> set[str]:
    """The names that assignments set."""
    assigned = [stmt for stmt in run if isinstance(stmt, ast.Assign | ast.AnnAssign | ast.AugAssign)]
    return names_set(*assigned)


def _only_binds(stmt: ast.stmt) -> bool:
    if isinstance(stmt, ast.Expr):
        return isinstance(stmt.value, ast.Constant)
    return isinstance(stmt, Definition | ast.Import | ast.ImportFrom | ast.Pass)


def _lines(repo: Repository, place: Place) -> Region:
    if not place.path:
        raise Refusal("write the lines of a file: shop/cart.py:12-14; definitions have remove_definition")
    return find_region(repo, place)


@codemod
class ReplaceStatements:
    """Replace whole statements by others, or the body of a function; its docstring stays."""

    place: Place = slot("the lines (shop/cart.py:12-14), or a function for its body (`in Cart.add`)")
    code: Statements = slot("the new statements")
    anyway: bool = slot("whether what the old ones set may still be used, which is marked", default=False)

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        source = found.source
        given = read_statements(self.code)
        if not given.body:
            raise Refusal("there are no statements in it; delete_statements takes them away")
        if isinstance(found.node, Function):
            run = found.node.body
            refuse_inline(source, run)
            if len(run) > 1 and is_text(run[0]) and not is_text(given.body[0]):
                run = run[1:]
        else:
            run = statements(found)
        if len(run) == len(given.body) and all(map(is_same_tree, run, given.body)):
            raise Refusal("it is already there", why="nothing")
        first, last = own_lines(source, run)
        edit = replace_lines(source, first, last, reindent(given, source, source.indent(run[0])))
        doubts = tuple(lost_bindings(repo, source, run, given.tree))
        plan = planned_change(repo, [edit], given=names_in(self.code) | (_set(run) if self.anyway else set()))
        plan = with_generator_doubts(repo, plan, source.path)
        return refuse_harm(repo, replace(plan, unfollowed=(*plan.unfollowed, *doubts)))


@codemod
class MoveStatements:
    """Move whole statements before or after other ones of the same file."""

    place: Place = slot("the lines: shop/cart.py:12-14")
    to: Place = slot("the line of the other statement: shop/cart.py:20")
    side: Side = slot("before or after it", default=Side.BEFORE)

    def plan(self, repo: Repository) -> Plan:
        found = _lines(repo, self.place)
        source, run = found.source, with_description(found.source, statements(found))
        goal = _lines(repo, self.to)
        other = with_description(goal.source, statements(goal))
        if self.to.path != self.place.path:
            raise Refusal("both places must be in one file")
        if self.side not in (Side.BEFORE, Side.AFTER):
            raise Refusal("write before or after")
        suite = source.suite(run[0])
        for holder, one in ((source, run[0]), (goal.source, other[0])):
            moves = one is run[0] or self.side is Side.BEFORE
            if moves and docstring(holder.parents.get(one, one)) is one:
                raise Refusal("a docstring stays at the start of what it describes")
        if not set(walk_each(run)).isdisjoint(other):
            raise Refusal("the place is inside the code that moves")
        if source.suite(other[0]) is suite:
            gap = suite.index(other[0]) - suite.index(run[-1]) if self.side is Side.BEFORE else 0
            back = suite.index(run[0]) - suite.index(other[-1]) if self.side is Side.AFTER else 0
            if gap == 1 or back == 1:
                raise Refusal("it is already there", why="nothing")
        first, last = own_lines(source, run)
        first = comment_lines_above(source, first)
        low, high = source.line_span(first, last)
        spot = own_lines(source, other)
        line = comment_lines_above(source, spot[0]) if self.side is Side.BEFORE else spot[1]
        if first < line < last:
            raise Refusal("the place is inside the code that moves")
        part = Source(source.text[low:high])
        text = reindent(part, source, source.indent(other[0]), source.indent(run[0]))
        refuse_other_reach(repo, source, run, source.starts[line])
        cut = Edit(source.path, low, high, delete_statements(source, run).new)
        if len(run) == 1 and isinstance(run[0], Definition):
            cut = delete_definition(source, run[0])
        blank = _gap(source, other[0], read_statements(part.text))
        text = text + blank if self.side is Side.BEFORE else blank + text
        if self.side is Side.AFTER and line < len(source.lines) and source.lines[line].strip():
            text += blank if text.endswith(("\n", "\r")) else ""
        found_plan = refuse_harm(repo, _planned(repo, run, [cut, insert_at_line(source, line, text)]))
        left = [*import_doubts(repo, source, run, source.starts[line])]
        if not all(map(_only_binds, run)):
            left += leaving_doubts(source, run, other[0], source.starts[line])
        if not all(isinstance(one, Definition) for one in run):
            left += catching_doubts(source, run, other[0])
        owner = source.class_of(run[0])
        if owner is not None and owner is not source.class_of(other[0]):
            left.append(Unfollowed(source.path, run[0].lineno, f"it is no longer in {owner.name}"))
        return replace(found_plan, unfollowed=(*found_plan.unfollowed, *left))


def with_generator_doubts(repo: Repository, plan: Plan, path: str) -> Plan:
    """The plan, with a doubt for each function whose calls give an iterator in place of its result then, or a
    result in place of an iterator."""
    old, new = repo.index.source(path), repo.with_changes(plan.texts(repo)).index.source(path)
    now = {new.qualname(node): node for node in new.functions}
    doubts = []
    for was in old.functions:
        node = now.get(old.qualname(was))
        if node is None or (old.returned(was) is None) is (new.returned(node) is None):
            continue
        plain, of = (was, old) if new.returned(node) is None else (node, new)
        if _gives(of, plain):
            how = "is a generator now" if plain is was else "is no generator any more"
            doubts.append(Unfollowed(path, was.lineno, f"{was.name} {how}: its callers are not followed"))
    return replace(plan, unfollowed=tuple(sorted({*plan.unfollowed, *doubts})))


def _gives(source: Source, function: Function) -> bool:
    """Whether a function returns something."""
    given = source.returned(function) or ()
    return any(one is not None and not isinstance(one, ast.Constant) for one in given)
