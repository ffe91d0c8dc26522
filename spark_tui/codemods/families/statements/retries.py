"""Retries: statements that may fail are tried again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.checks.deferred_results import deferred_results
from spark_tui.codemods.families.statements.guards import statements_of, wrap_lines
from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.places.named import find_region, own_lines, refuse_inline
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import names_in, read_expression
from spark_tui.codemods.slots import Expression, Place
from spark_tui.codemods.uses.cached_results import fills
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import LOOPS, root_name, walk_each
from spark_tui.pysource.words import word_set

_LEAVES = (ast.Raise, ast.Return)
_PASSING = word_set(
    "OSError IOError ConnectionError TimeoutError URLError HTTPError RequestException ClientError"
    " SMTPException"
)
"""Errors of networks, disks and devices, which come and go."""
_COUNTERS = ("attempt", "attempt_number", "retry")


@codemod
class WrapInRetry:
    """Retry statements that raise, up to a number of attempts; the last error is raised."""

    place: Place = slot("the statements: shop/cart.py:12-14, or the body of a function (`in fetch`)")
    exception: Expression = slot("what is tried again: OSError, or (OSError, TimeoutError)")
    attempts: int = slot("how often they run at most", default=3)
    delay: Expression = slot("seconds between two attempts; empty for none", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        read_expression(self.exception)
        if self.delay:
            read_expression(self.delay)
        if self.attempts < 2:
            raise Refusal(f"{self.attempts} attempts are no retry")
        within = find_region(repo, self.place)
        source, run = statements_of(within)
        _can_run_again(source, run)
        swallowing = [
            one for one in walk_each(run) if isinstance(one, ast.Try) and _swallows(one, self.exception)
        ]
        reason = "what would be tried again is caught here already"
        doubts = [Unfollowed(source.path, one.lineno, reason) for one in swallowing]
        if len(swallowing) == 1 and within.node is not None and swallowing[0] in run:
            # The attempts belong inside of it, so that it gets the last error.
            run, doubts = swallowing[0].body, []
            refuse_inline(source, run)
        doubts += deferred_results(repo, source, run, "retry")
        doubts += _done_again(source, run)
        counter = _counter(repo, source, run)
        waits, imports = self._waiting(repo, source, run)
        unit, newline, indent = source.indent_unit, source.newline, source.indent(run[0])
        lines = [] if isinstance(run[-1], _LEAVES) else [f"{unit * 2}break"]
        lines += [f"{unit}except {self.exception}:", f"{unit * 2}if {counter} == {self.attempts - 1}:"]
        lines += [f"{unit * 3}raise", *(f"{unit * 2}{wait}" for wait in waits)]
        head = f"{indent}for {counter} in range({self.attempts}):{newline}{indent}{unit}try:{newline}"
        tail = "".join(indent + line + newline for line in lines)
        wrapped = wrap_lines(source, *own_lines(source, run), head, tail, depth=2)
        return planned_change(repo, [wrapped, *imports], doubts, given=names_in(self.exception, self.delay))

    def _waiting(self, repo: Repository, source: Source, run: list[ast.stmt]) -> tuple[list[str], list[Edit]]:
        """The line that waits, and the import that it needs."""
        if not self.delay:
            return [], []
        waits = isinstance(source.function_of(run[0]), ast.AsyncFunctionDef)
        module = "asyncio" if waits else "time"
        line = f"await asyncio.sleep({self.delay})" if waits else f"time.sleep({self.delay})"
        scopes = repo.index.scopes(source.path)
        known = scopes.variable(module, scopes.module)
        if known is None:
            if scopes.by_name.get(module):
                raise Refusal(f"{module} means something else in {source.path}")
            return [line], [insert_import(repo, source.path, module, "", "")]
        if not known.is_imported:
            raise Refusal(f"{module} means something else in {source.path}")
        return [line], []


def _swallows(node: ast.Try, exception: str) -> bool:
    """Whether a `try` ends the error that is waited for: a handler for it, or for all, raises nothing. Where
    any error is waited for, that is one of what may go well the next time."""
    ending = {"Exception", "BaseException", exception}
    ending |= _PASSING if exception in ("Exception", "BaseException") else set()
    for handler in node.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        caught = {last_name(kind) for kind in kinds if kind is not None}
        ends = not any(isinstance(inner, ast.Raise) for inner in ast.walk(handler))
        if ends and (not caught or caught & ending):
            return True
    return False


def _can_run_again(source: Source, run: list[ast.stmt]) -> None:
    """Refuse statements that would mean something else inside of a loop and a `try`."""
    if len(run) == 1 and isinstance(run[0], ast.For) and _is_retry(run[0]):
        raise Refusal("it is already retried", why="nothing")
    function = source.function_of(run[0])
    for inner in walk_each(run):
        line = f"{source.path}:{getattr(inner, 'lineno', 0)}"
        if isinstance(inner, ast.Yield | ast.YieldFrom) and source.function_of(inner) is function:
            raise Refusal(f"{line}: what it yields would come twice")
        if isinstance(inner, ast.Break | ast.Continue) and not _has_loop(source, inner, run):
            raise Refusal(f"{line}: break and continue would mean the loop of the attempts")
        if isinstance(inner, ast.ImportFrom) and (inner.module == "__future__" or inner.names[0].name == "*"):
            raise Refusal(f"{line}: this import must be at the top")


def _done_again(source: Source, run: list[ast.stmt]) -> Iterator[Unfollowed]:
    """What each attempt would change once more, in front of a call that may fail."""
    stored = (one for one in walk_each(run) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    made = {one.id for one in stored if not isinstance(source.parents[one], ast.AugAssign)}
    last = max((one.lineno for one in walk_each(run) if isinstance(one, ast.Call)), default=0)
    for one in walk_each(run):
        changed = one.target if isinstance(one, ast.AugAssign) else one if fills(source, one) else None
        taken = isinstance(one, ast.Call) and called_name(one) == "next"
        changed = one.args[0] if taken and isinstance(one, ast.Call) and one.args else changed
        name, line = root_name(changed, ast.Attribute, ast.Subscript), getattr(one, "lineno", 0)
        if name and name not in made and (line < last or taken):
            yield Unfollowed(source.path, line, f"each attempt changes {name} again")


def _is_retry(loop: ast.For) -> bool:
    counts = isinstance(loop.target, ast.Name) and loop.target.id in _COUNTERS
    return counts and isinstance(loop.body[0], ast.Try)


def _has_loop(source: Source, node: ast.AST, run: list[ast.stmt]) -> bool:
    """Whether the loop that a `break` leaves is among the statements."""
    for below, one in source.climb(node):
        if below in run:
            break
        if isinstance(one, LOOPS) and below not in one.orelse:
            return True
    return False


def _counter(repo: Repository, source: Source, run: list[ast.stmt]) -> str:
    """A name for the number of the attempt that means nothing else in the file."""
    known = repo.index.scopes(source.path).by_name
    for name in _COUNTERS:
        if name not in known and not (isinstance(run[0], Definition) and run[0].name == name):
            return name
    raise Refusal(f"{', '.join(_COUNTERS)} are used in {source.path}: rename one first")
