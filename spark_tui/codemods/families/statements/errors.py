"""Exceptions: what is caught, what is raised from what, handlers and `finally` added."""

from __future__ import annotations

import ast
import builtins
import textwrap

from spark_tui.codemods.checks.deferred_results import deferred_results
from spark_tui.codemods.families.statements.branches import list_branches
from spark_tui.codemods.families.statements.guards import indent_text, wrap_statements
from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.named import (
    Region,
    delete_statements,
    find_region,
    insert_at_line,
    need_one,
    own_lines,
    refuse_inline,
    suites_in_region,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.renaming.edits import check_local_name
from spark_tui.codemods.rewriting.edits import (
    indent_statements,
    is_none,
    is_same_tree,
    names_in,
    plan_edits,
    read_expression,
    read_statements,
    swap_expression,
    why_there,
)
from spark_tui.codemods.slots import Expression, NewName, Place, Statements
from spark_tui.pysource.names.type_hints import last_name, names_set, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import LOOPS, walk_each


def handler_at(repo: Repository, place: Place, old: str) -> tuple[Source, ast.ExceptHandler]:
    """The one handler of a place, or the one that catches `old`."""
    within = find_region(repo, place)
    found = within.nodes_starting(ast.ExceptHandler)
    if old:
        wanted = read_expression(old)
        found = [item for item in found if item.type is not None and is_same_tree(wanted, item.type)]
    return within.source, need_one(found, f"except {old}".strip(), within)


def _try(repo: Repository, place: Place) -> tuple[Source, ast.Try]:
    within = find_region(repo, place)
    return within.source, need_one(within.nodes_starting(ast.Try), "try", within)


@codemod
class SetExcept:
    """Catch another exception: narrower, wider, or several."""

    place: Place = slot("where: `in fetch` or app.py:12")
    new: Expression = slot("what is caught: KeyError, or (KeyError, IndexError)")
    old: Expression = slot("what is caught now, if there are several handlers", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        source, handler = handler_at(repo, self.place, self.old)
        read_expression(self.new)
        given = names_in(self.new)
        if handler.type is not None:
            edit = swap_expression(source, handler.type, _bracketed(self.new))
        else:
            at = source.span(handler)[0] + len("except")
            edit = Edit(source.path, at, at, f" {_bracketed(self.new)}")
        return planned_change(repo, [edit], given=given)


def _bracketed(text: str) -> str:
    node = read_expression(text)
    return f"({text})" if isinstance(node, ast.Tuple) and not text.strip().startswith("(") else text


@codemod
class AddHandler:
    """Add an `except` to a `try`, after those that it has."""

    place: Place = slot("where: `in fetch` or app.py:12")
    exception: Expression = slot("what is caught")
    body: Statements = slot("what is done then")
    name: NewName = slot("the name of the caught exception", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        source, node = _try(repo, self.place)
        wanted = read_expression(_bracketed(self.exception))
        caught = [handler.type for handler in node.handlers if handler.type is not None]
        flat = [each for kind in caught for each in (kind.elts if isinstance(kind, ast.Tuple) else [kind])]
        if any(is_same_tree(wanted, kind) for kind in (*flat, *caught)):
            raise Refusal(f"{self.exception} is already caught there", why="nothing")
        names = {kind.id for kind in flat if isinstance(kind, ast.Name)}
        if len(caught) < len(node.handlers) or "BaseException" in names:
            raise Refusal("a handler that catches all comes before it")
        if "Exception" in names:
            raise Refusal("`except Exception` would catch it first")
        if wider := next((name for name in sorted(names) if _is_kind_of(wanted, name)), ""):
            raise Refusal(f"`except {wider}` would catch it first")
        if self.name:
            check_local_name(repo.index.scopes(source.path), node, self.name)
        name = f" as {self.name}" if self.name else ""
        last = node.handlers[-1].body[-1] if node.handlers else node.body[-1]
        text = f"except {_bracketed(self.exception)}{name}:\n" + _deeper(source, self.body)
        edit = _behind(source, node, last, text)
        doubts = deferred_results(repo, source, node.body, "try")
        return plan_edits(repo, [edit], doubts, given=names_in(self.exception, self.body))


def _is_kind_of(node: ast.expr, name: str) -> bool:
    """Whether an error of Python is one of a wider kind."""
    own, wide = (getattr(builtins, one, None) for one in (last_name(node), name))
    if not (isinstance(node, ast.Name) and isinstance(own, type) and isinstance(wide, type)):
        return False
    return issubclass(wide, BaseException) and issubclass(own, wide)


def _deeper(source: Source, code: str) -> str:
    return indent_statements(source, code, source.indent_unit).replace(source.newline, "\n")


def _behind(source: Source, node: ast.stmt, last: ast.stmt, text: str) -> Edit:
    """Lines after the last statement of one suite of a compound statement."""
    refuse_inline(source, source.suite(last))
    line = own_lines(source, [last])[1]
    return insert_at_line(source, line, indent_text(text, source.indent(node), source.newline))


@codemod
class AddFinally:
    """Add a `finally` to a `try`; without one, the lines before what is always done become a `try`."""

    place: Place = slot("where: `in fetch` or app.py:12")
    body: Statements = slot(
        "what is always done; empty for what follows the only `yield`", default=Statements("")
    )

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        if not within.nodes_starting(ast.Try):
            run, after = _to_be_tried(within, read_statements(self.body).body if self.body else [])
            # Comments between the two belong to what always runs.
            low, high = source.line_span(source.last_line(run[-1]), own_lines(source, after or run)[1])
            always = textwrap.dedent(source.text[low:high]).lstrip("\r\n") if after else self.body
            tail = "finally:\n" + _deeper(source, Statements(always))
            edits = [wrap_statements(source, run, "try:", tail)]
            edits += [Edit(source.path, low, high, "")] if after else []
            doubts = deferred_results(repo, source, run, "try")
            return plan_edits(repo, edits, doubts, given=names_in(self.body))
        node = need_one(within.nodes_starting(ast.Try), "try", within)
        if node.finalbody:
            raise Refusal("the try has a finally", why=why_there(self.body, node.finalbody))
        if not self.body:
            raise Refusal("the finally has no statements")
        last = (node.orelse or (node.handlers[-1].body if node.handlers else node.body))[-1]
        edits = [_behind(source, node, last, "finally:\n" + _deeper(source, self.body))]
        given = read_statements(self.body).body
        after = source.following(node)[:1]
        if len(given) == 1 and after and is_same_tree(given[0], after[0]):
            # What is always done is no longer done after the try.
            edits.append(delete_statements(source, after))
        reason = "what leaves a finally takes the place of errors"
        leaves = any(isinstance(one, ast.Return | ast.Break | ast.Continue) for one in given)
        hiding = [Unfollowed(source.path, node.lineno, reason)] if leaves else []
        doubts = deferred_results(repo, source, node.body, "try")
        return plan_edits(repo, edits, [*doubts, *hiding], given=names_in(self.body))


def _to_be_tried(within: Region, given: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The statements that a new `try` gets, and those after it that its `finally` does: what is given, where
    it stands there, after all since the last of its names was set; else all after the only `yield`."""
    for suite in suites_in_region(within.source, within):
        for end, stmt in enumerate(suite if len(given) == 1 else ()):
            if is_same_tree(given[0], stmt):
                read = names_within(stmt)
                sets = [at + 1 for at, one in enumerate(suite[:end]) if read & names_set(one)]
                if run := suite[max(sets, default=_taken_before(suite[:end], stmt)) : end]:
                    return run, [stmt]
    found = []
    for suite in suites_in_region(within.source, within):
        for at, stmt in enumerate(suite):
            value = stmt.value if isinstance(stmt, ast.Expr | ast.Assign) else None
            after = suite[at + 1 :]
            if given:
                after = after[: is_same_tree(given, after[:1])]
            others = walk_each((*suite[:at], *after))
            leaves = any(isinstance(node, ast.Return | ast.Yield) for node in others)
            if isinstance(value, ast.Yield) and not leaves and (after or given):
                found.append(([stmt], after))
    if len(found) != 1:
        raise Refusal("there is no try, and not one yield that could be in it")
    return found[0]


def _taken_before(run: list[ast.stmt], given: ast.stmt) -> int:
    """After which statement what is given has to be done: after the one that does something with the same
    object, `items.add(x)` before `items.remove(x)`; from the first one on where there is none."""
    owner = _owner(given)
    found = [at + 1 for at, one in enumerate(run) if owner and _owner(one) == owner]
    return min(found, default=0)


def _owner(stmt: ast.stmt) -> str:
    value = stmt.value if isinstance(stmt, ast.Expr) else None
    value = value.value if isinstance(value, ast.Await) else value
    func = value.func if isinstance(value, ast.Call) else None
    return ast.unparse(func.value) if isinstance(func, ast.Attribute) else ""


@codemod
class AddElse:
    """Add an `else` to an `if`, a loop or a `try`."""

    place: Place = slot("the line of the statement's head: app.py:12")
    body: Statements = slot("what is done then")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        kinds = (ast.If, *LOOPS, ast.Try)
        found = [item for item in within.nodes_starting(ast.stmt) if isinstance(item, kinds)]
        if len(found) > 1 and not within.node:
            found = [inner for inner in found if inner.lineno == within.first + 1] or found
        node = need_one(found, "if, loop or try", within)
        node = list_branches(source, node)[-1] if isinstance(node, ast.If) else node
        assert isinstance(node, kinds)
        if node.orelse:
            raise Refusal("it has an else", why=why_there(self.body, node.orelse))
        if isinstance(node, ast.Try) and not node.handlers:
            raise Refusal("a try without except has no else")
        last = node.handlers[-1].body[-1] if isinstance(node, ast.Try) else node.body[-1]
        head = found[0]
        edits = [_behind(source, head, last, "else:\n" + _deeper(source, self.body))]
        given = read_statements(self.body).body
        if isinstance(node, ast.Try) and isinstance(node.body[-1], ast.Return):
            if len(node.body) < 2 or len(given) != 1 or not is_same_tree(given[0], node.body[-1]):
                raise Refusal("the statements after the return of the try would never run")
            edits.append(delete_statements(source, node.body[-1:]))
        return plan_edits(repo, edits, given=names_in(self.body))


@codemod
class RaiseFrom:
    """Raise an exception of a handler `from` the caught one, which gets a name if it has none."""

    place: Place = slot("where: `in fetch` or app.py:12")
    cause: Expression = slot("another cause, or None; empty for the caught exception", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        raises = [node for node in within.nodes(ast.Raise) if node.exc is not None]
        found = [item for item in raises if item.cause is None]
        found = found or [item for item in raises if not self.cause and is_none(item.cause)]
        inside = [item for item in found if _caught(source, item) is not None]
        raised = need_one(inside, "raise in a handler", within)
        handler = _caught(source, raised)
        assert handler is not None
        edits: list[Edit] = []
        cause = self.cause or handler.name or ""
        if not cause:
            cause, edit = name_exception(repo, source, handler)
            edits.append(edit)
        elif self.cause:
            read_expression(self.cause)
        elif handler.name and is_name(raised.exc, handler.name):
            raise Refusal("it raises what it caught")
        if raised.cause is not None:
            return plan_edits(repo, [*edits, swap_expression(source, raised.cause, cause)])
        end = source.span(raised)[1]
        edits.append(Edit(source.path, end, end, f" from {cause}"))
        return plan_edits(repo, edits, given=names_in(self.cause))


def is_name(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _caught(source: Source, node: ast.stmt) -> ast.ExceptHandler | None:
    for ancestor in source.ancestors(node):
        if isinstance(ancestor, ast.ExceptHandler):
            return ancestor
        if isinstance(ancestor, Definition):
            return None
    return None


def _named(source: Source, handler: ast.ExceptHandler, name: str) -> Edit:
    if handler.type is None:
        at = source.span(handler)[0] + len("except")
        return Edit(source.path, at, at, f" BaseException as {name}")
    end = source.span(handler.type)[1]
    low = source.text.rfind("(", source.span(handler)[0], source.span(handler.type)[0])
    if low >= 0:
        end = source.text.index(")", end) + 1
    return Edit(source.path, end, end, f" as {name}")


def name_exception(repo: Repository, source: Source, handler: ast.ExceptHandler) -> tuple[str, Edit]:
    """A free name for what a handler catches, and the edit that binds it."""
    used = {occurrence.name for occurrence in repo.index.scopes(source.path).occurrences}
    for name in ("error", "exc", "err", "caught"):
        if name not in used:
            return name, _named(source, handler, name)
    raise Refusal(f"line {handler.lineno}: give the caught exception a name first")


@codemod
class NameException:
    """Bind a caught exception to a name."""

    place: Place = slot("where: `in fetch` or app.py:12")
    name: NewName = slot("the name")
    old: Expression = slot("what is caught, if there are several handlers", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        source, handler = handler_at(repo, self.place, self.old)
        if handler.name:
            same = handler.name == self.name
            raise Refusal(f"it is called {handler.name}", why="nothing" if same else "unfit")
        scopes = repo.index.scopes(source.path)
        check_local_name(scopes, handler, self.name)
        if self.name in scopes.of_function(handler).bound:
            raise Refusal(f"{self.name} exists there and would be unbound after the handler")
        return plan_edits(repo, [_named(source, handler, self.name)])
