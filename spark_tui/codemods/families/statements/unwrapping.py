"""Handlers of errors: taken away from around the code, or left with the error raised again."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.families.statements.branches import dedent_lines
from spark_tui.codemods.families.statements.errors import handler_at
from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.named import (
    comment_lines_above,
    find_region,
    insert_at_line,
    need_one,
    own_lines,
    refuse_inline,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    is_same_tree,
    read_expression,
    refuse_harm,
    refuse_lost_comments,
)
from spark_tui.codemods.slots import Expression, Place
from spark_tui.pysource.names.type_hints import names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import LEAVING, LOOPS, walk_each
from spark_tui.pysource.words import word_set

_ANY_IMPORT = word_set("ImportError ModuleNotFoundError Exception BaseException")


@codemod
class UnwrapTry:
    """Take a `try` and its handlers away; the code inside stays, and its errors are no longer caught."""

    place: Place = slot("where: `in fetch` or app.py:12")
    old: Expression = slot("what is caught, if there are several", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        found = [node for node in within.nodes_starting(ast.Try) if node.handlers]
        if self.old:
            wanted = read_expression(self.old)
            found = [node for node in found if any(_catches(one, wanted) for one in node.handlers)]
        node = need_one(found, "try with a handler", within)
        for suite in filter(None, (node.body, node.orelse, node.finalbody)):
            refuse_inline(source, suite)
        edits = [_bare(source, node)]
        gone = source.line_span(source.first_line(node.handlers[0]), _end_of(source, node.handlers[-1]))
        refuse_lost_comments(source, [replace(edits[0], new=edits[0].new + source.text[slice(*gone)])])
        reason = f"all {len(node.handlers)} handlers go"
        doubts = [Unfollowed(source.path, node.lineno, reason)] if len(node.handlers) > 1 else []
        doubts += _doubts(source, node, node.handlers)
        return planned_change(repo, edits, doubts)


def handler_of_lines(source: Source, first: int, last: int) -> ast.ExceptHandler | None:
    """The handler that these lines are, from 0, where its `try` has others."""
    tries = (one for one in source.statements if isinstance(one, ast.Try) and len(one.handlers) > 1)
    handlers = (handler for one in tries for handler in one.handlers if handler.lineno == first + 1)
    return next((one for one in handlers if source.last_line(one.body[-1]) == last), None)


def without_handler(repo: Repository, source: Source, handler: ast.ExceptHandler) -> Plan:
    """The plan that takes one handler away, with the comments about it. What it caught goes on to those
    below."""
    refuse_inline(source, handler.body)
    first, last = comment_lines_above(source, handler.lineno - 1), _end_of(source, handler)
    plan = planned_change(repo, [Edit(source.path, *source.line_span(first, last), "")])
    suite = source.parents[handler]
    below = suite.handlers[suite.handlers.index(handler) + 1 :] if isinstance(suite, ast.Try) else []
    doubts = list(_doubts(source, suite, [handler])) if isinstance(suite, ast.Try) else []
    wide = next((one for one in below if _may_catch(one, handler)), None)
    if wide is not None:
        reason = f"the handler of line {wide.lineno} catches what it caught"
        doubts.append(Unfollowed(source.path, handler.lineno, reason))
    return refuse_harm(repo, replace(plan, unfollowed=(*plan.unfollowed, *doubts)))


def _end_of(source: Source, handler: ast.ExceptHandler) -> int:
    """The line behind a handler, with the comments at its end that stand deeper than its head."""
    last = end = source.last_line(handler.body[-1])
    head = source.lines[handler.lineno - 1]
    lead = len(head) - len(head.lstrip())
    for at in range(last, len(source.lines)):
        line = source.lines[at]
        comment = line.lstrip().startswith("#") and len(line) - len(line.lstrip()) > lead
        if line.strip() and not comment:
            break
        end = at + 1 if comment else end
    return end


def _may_catch(handler: ast.ExceptHandler, above: ast.ExceptHandler) -> bool:
    """Whether a handler may catch what the one above it catches: only of builtin classes is that known."""
    wide, own = (
        [getattr(builtins, name, None) for name in names_within(one.type)] if one.type else [BaseException]
        for one in (handler, above)
    )
    kinds = [one for one in wide if isinstance(one, type)]
    if len(kinds) < len(wide) or not all(isinstance(one, type) for one in own):
        return True
    return any(issubclass(one, tuple(kinds)) for one in own if isinstance(one, type))


def _doubts(source: Source, node: ast.Try, gone: Sequence[ast.ExceptHandler]) -> Iterator[Unfollowed]:
    """What may go wrong where some handlers of a `try` are gone."""
    yield from _optional_imports(source, node, gone)
    yield from _endless(source, node, gone)


def _optional_imports(
    source: Source, node: ast.Try, gone: Sequence[ast.ExceptHandler]
) -> Iterator[Unfollowed]:
    """The modules that a `try` does without where they are not installed."""
    caught = [one.type for one in gone]
    if None not in caught and _ANY_IMPORT.isdisjoint(names_within(*filter(None, caught))):
        return
    for one in walk_each(node.body):
        if not isinstance(one, ast.Import | ast.ImportFrom):
            continue
        whole = [alias.name for alias in one.names]
        for name in whole if isinstance(one, ast.Import) else ["." * one.level + (one.module or "")]:
            if name.partition(".")[0] not in sys.stdlib_module_names:
                yield Unfollowed(source.path, one.lineno, f"{name} may be missing where it is not installed")


def _endless(source: Source, node: ast.Try, handlers: Sequence[ast.ExceptHandler]) -> Iterator[Unfollowed]:
    """That nothing but a handler leaves the endless loop around it."""
    around = [one for one in source.ancestors(node) if isinstance(one, (*LOOPS, Definition))]
    loop = around[0] if around else None
    endless = isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    if not endless or not isinstance(loop, ast.While):
        return
    gone = {one for handler in handlers for one in walk_each(handler.body)}
    exits = [one for one in walk_each(loop.body) if _leaves(source, one, loop)]
    if exits and all(one in gone for one in exits):
        reason = f"nothing but an error ends the loop of line {loop.lineno}: its handler did"
        yield Unfollowed(source.path, node.lineno, reason)


def _leaves(source: Source, node: ast.AST, loop: ast.While) -> bool:
    """Whether a statement leaves a loop."""
    inner = next((one for one in source.ancestors(node) if isinstance(one, (*LOOPS, Definition))), None)
    around = next((one for one in source.ancestors(node) if isinstance(one, Definition)), None)
    if isinstance(node, ast.Break):
        return inner is loop
    own = next((one for one in source.ancestors(loop) if isinstance(one, Definition)), None)
    return isinstance(node, ast.Return | ast.Raise) and around is own


def _catches(handler: ast.ExceptHandler, wanted: ast.expr) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is not None and is_same_tree(wanted, kind) for kind in (*kinds, handler.type))


def _bare(source: Source, node: ast.Try) -> Edit:
    """The statements in place of their `try`; with a `finally`, it stays without handlers."""
    indent, newline = source.indent(node), source.newline
    deeper = indent + source.indent_unit if node.finalbody else indent
    text = f"{indent}try:{newline}" if node.finalbody else ""
    # Comments above the first statement stay.
    text += dedent_lines(source, node.lineno, own_lines(source, node.body)[1], deeper)
    if node.orelse:
        text += dedent_lines(source, *own_lines(source, node.orelse), deeper)
    last = source.last_line(node.orelse[-1]) if node.orelse else _end_of(source, node.handlers[-1])
    return Edit(source.path, source.starts[node.lineno - 1], source.starts[last], text)


@codemod
class Reraise:
    """Raise the caught error again at the end of a handler."""

    place: Place = slot("where: `in fetch` or app.py:12")
    old: Expression = slot("what is caught, if there are several handlers", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        source, handler = handler_at(repo, self.place, self.old)
        last = handler.body[-1]
        if isinstance(last, ast.Raise):
            raise Refusal("the handler raises an error already", why="nothing")
        refuse_inline(source, handler.body)
        first, end = own_lines(source, [last])
        line = f"{source.indent(last)}raise{source.newline}"
        tried = source.parents[handler]
        missing = list(_optional_imports(source, tried, tried.handlers)) if isinstance(tried, ast.Try) else []
        if not isinstance(last, (ast.Pass, *LEAVING)):
            return planned_change(repo, [insert_at_line(source, end, line)], missing)
        reason = f"{source.segment(last)} no longer runs"
        doubts = [Unfollowed(source.path, last.lineno, reason)] if isinstance(last, LEAVING) else []
        edit = Edit(source.path, *source.line_span(first, end), line)
        return planned_change(repo, [edit], [*doubts, *missing])
