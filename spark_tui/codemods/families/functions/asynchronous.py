"""Async: make a function `async` or a plain one with its calls, await a single call."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.places.named import find_region, need_function, need_one
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    is_same_tree,
    one_line,
    parses_to,
    plan_edits,
    read_expression,
    swap_expression,
)
from spark_tui.codemods.signatures.edits import doubtful_callers
from spark_tui.codemods.slots import CALLABLE, Expression, Place, Symbol
from spark_tui.codemods.uses.callsites import call_sites, find_overrides
from spark_tui.codemods.uses.library_source import imported_from, imports_of
from spark_tui.pysource.calls.signatures import standard_function
from spark_tui.pysource.inference.values import FunctionValue
from spark_tui.pysource.names.type_hints import (
    called_name,
    decorator_names,
    last_name,
    names_set,
    names_within,
)
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_ASYNCIO = "asyncio"
_WAITING = word_set(
    "create_task ensure_future gather wait wait_for as_completed shield run run_until_complete start_soon"
    " run_coroutine_threadsafe"
)
"""What is given a coroutine, and waits for it itself."""


def add_await(source: Source, call: ast.Call) -> Edit:
    """The edit that puts `await` in front of a call, with brackets where it needs them."""
    low, high = source.span(call)
    if low < 0:
        raise Refusal(f"{source.path}:{call.lineno}: the call is in a string")
    text = source.text[low:high]
    for attempt in (f"await {text}", f"(await {text})"):
        edit = Edit(source.path, low, high, attempt)
        if parses_to(source, [edit], {call: ast.Await(call)}):
            return Edit(source.path, low, low, "await ") if attempt[0] == "a" else edit
    raise Refusal(f"{source.path}:{call.lineno}: await does not fit there")


def _is_async(source: Source, call: ast.AST, becomes: ast.AST | None = None) -> bool:
    """Whether a call is evaluated by an async function, or by the one that becomes one; its decorators and
    defaults are not. A generator expression that awaits is no plain one any more."""
    for below, one in source.climb(call):
        if isinstance(one, ast.GeneratorExp) and below is not one.generators[0]:
            return False
        if isinstance(one, ast.comprehension) and below is not one.iter:
            around = source.parents.get(one)
            if isinstance(around, ast.GeneratorExp):
                return False
        if isinstance(one, ast.Lambda | ast.ClassDef):
            return False
        if isinstance(one, Function) and below in one.body:
            return isinstance(one, ast.AsyncFunctionDef) or one is becomes
    return False


@codemod
class MakeAsync:
    """Make a function async; calls in async functions are awaited, others are listed."""

    target: Symbol = slot("the function or method", kinds=CALLABLE)

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target, alone=True)
        if isinstance(node, ast.AsyncFunctionDef):
            raise Refusal(f"{target.qualname} is already async", why="nothing")
        kinds = set(map(type, source.own_nodes(node)))
        if ast.YieldFrom in kinds:
            raise Refusal(f"{target.qualname} has `yield from`, which async functions cannot have")
        if target.name.startswith("__") and target.name.endswith("__"):
            raise Refusal(f"Python calls {target.name} by itself")
        if any(ast.unparse(decorator).startswith("property") for decorator in node.decorator_list):
            raise Refusal(f"{target.qualname} is a property")
        related = find_overrides(repo, target.path, node)
        if len(related) > 1:
            raise Refusal(f"other classes override {target.qualname}")
        start = source.span(node)[0]
        edits = [Edit(source.path, start, start, "async ")]
        for inner in source.own_nodes(node):  # an async function is in a loop already
            if isinstance(inner, ast.Call) and inner.args and ast.unparse(inner.func) == "asyncio.run":
                edits.append(swap_expression(source, inner, f"await {source.segment(inner.args[0])}"))
        sites = call_sites(repo, related)
        doubts = list(doubtful_callers(repo, related, sites))
        if any(name in ("cache", "lru_cache") for name in decorator_names(node)):
            doubts.append(Unfollowed(source.path, node.lineno, "what its cache keeps can be awaited once"))
        for site in sites.sites:
            where = repo.index.source(site.path)
            own = where.function_of(site.call) is node
            if ast.Yield in kinds or site.partial or not _is_async(where, site.call, node):
                reason = f"{target.name} is called where nothing awaits"
                doubts.append(Unfollowed(site.path, site.call.lineno, reason))
            elif not isinstance(where.parents.get(site.call), ast.Await):
                low = where.span(site.call)[0]
                edits.append(Edit(site.path, low, low, "await ") if own else add_await(where, site.call))
        return plan_edits(repo, edits, doubts)


@codemod
class AddAwait:
    """Await a call in an async function; in place of a function of the library that blocks, the coroutine of
    that name in asyncio."""

    callee: Expression = slot("what is called: session.get")
    place: Place = slot("where: `in fetch` or app.py:12")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        wanted = read_expression(self.callee)
        found = [node for node in within.nodes(ast.Call) if is_same_tree(wanted, node.func)]
        call = need_one(found, f"call of {self.callee}", within)
        if isinstance(within.source.parents.get(call), ast.Await):
            raise Refusal("it is already awaited", why="nothing")
        if not _is_async(within.source, call):
            raise Refusal(f"{within.path}:{call.lineno}: what evaluates it is not async")
        if blocks := _blocking(within.source, call):
            return _with_asyncio(repo, within.source, call, *blocks)
        reasons = _await_doubts(repo, within.source, call)
        doubts = [Unfollowed(within.path, call.lineno, reason) for reason in reasons]
        return plan_edits(repo, [add_await(within.source, call)], doubts)


def _blocking(source: Source, call: ast.Call) -> tuple[str, str] | None:
    """The module and the name of a plain function of the library that is called, which gives nothing to wait
    for; those of asyncio may give a task."""
    module, name = imported_from(imports_of(source), ast.unparse(call.func))
    found = standard_function(f"{module}.{name}") if module and module.split(".")[0] != _ASYNCIO else None
    plain = callable(found) and not isinstance(found, type) and not inspect.iscoroutinefunction(found)
    return (module, name) if plain else None


def _with_asyncio(repo: Repository, source: Source, call: ast.Call, module: str, name: str) -> Plan:
    """The plan that waits for the coroutine of that name, which asyncio has for what blocks."""
    scopes, shown = repo.index.scopes(source.path), f"{_ASYNCIO}.{name}"
    if not inspect.iscoroutinefunction(standard_function(shown)):
        raise Refusal(f"{module}.{name} gives nothing to wait for")
    there = any((one.module, one.alias) == (_ASYNCIO, _ASYNCIO) for one in repo.index.imports(source.path))
    if _ASYNCIO in scopes.module.bound and not there:
        raise Refusal(f"{_ASYNCIO} is something else in {source.path}")
    (low, high), end = source.span(call), source.span(call.func)[1]
    edit = add_await(source, call)
    front = "(await " if edit.new.startswith("(") else "await "
    edits = [Edit(source.path, low, high, front + shown + source.text[end:high] + ")" * (front[0] == "("))]
    edits += [] if there else [insert_import(repo, source.path, _ASYNCIO, "", "")]
    return plan_edits(repo, edits)


def _await_doubts(repo: Repository, source: Source, call: ast.Call) -> Iterator[str]:
    """Why what a call gives may be nothing to wait for, or is waited for elsewhere."""
    values = repo.infer.values(source.path, call.func, repo.index.scopes(source.path).around(call))
    called = [value for value in values if isinstance(value, FunctionValue)]
    if called and len(called) == len(values) and all(_gives_value(repo, value) for value in called):
        yield f"{last_name(call.func)} is no async function"
    function = source.function_of(call)
    statement = source.statement(call)
    names = names_set(statement) if isinstance(statement, ast.Assign | ast.AnnAssign) else set()
    for one in source.own_nodes(function) if function is not None else ():
        waits = isinstance(one, ast.Await) and isinstance(one.value, ast.Name) and one.value.id in names
        if isinstance(one, ast.Call) and called_name(one) in _WAITING and one is not call:
            waits = call in walk(one) or not names.isdisjoint(names_within(one))
        if waits and isinstance(one, ast.expr):
            yield f"{one_line(source, one)} waits for it"


def _gives_value(repo: Repository, called: FunctionValue) -> bool:
    """Whether a function is no async one, and gives what it has at hand, or an item at a time."""
    node, source = called.node, repo.index.source(called.path)
    plain = (ast.Constant, ast.JoinedStr, ast.Compare, ast.BinOp, ast.List, ast.Dict, ast.Tuple, ast.ListComp)
    if isinstance(node, ast.AsyncFunctionDef) or node.decorator_list:
        return False
    return all(
        value is None or isinstance(value, (*plain, ast.Name)) for value in source.returned(node) or ()
    )


@codemod
class MakeSync:
    """Make an async function synchronous; awaits of its calls are removed, and other uses are listed."""

    target: Symbol = slot("the function or method", kinds=CALLABLE)

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target, alone=True)
        if not isinstance(node, ast.AsyncFunctionDef):
            raise Refusal(f"{target.qualname} is not async", why="nothing")
        related = find_overrides(repo, target.path, node)
        if len(related) > 1:
            raise Refusal(f"other classes override {target.qualname}")
        if re.fullmatch(r"__a\w+__", target.name):
            raise Refusal(f"Python awaits {target.name} by itself")
        low = source.span(node)[0]
        head = re.match(r"async\s+", source.text[low:])
        if head is None:
            raise Refusal(f"{source.path}:{node.lineno}: its head is not plain")
        sites = call_sites(repo, related)
        mine = {site.call for site in sites.sites}
        for inner in source.own_nodes(node):
            waits = isinstance(inner, ast.Await | ast.AsyncFor | ast.AsyncWith)
            waits = waits or (isinstance(inner, ast.comprehension) and bool(inner.is_async))
            if waits and getattr(inner, "value", None) not in mine:
                line = getattr(inner, "lineno", node.lineno)
                raise Refusal(f"{source.path}:{line}: {target.qualname} awaits something there")
        edits = [Edit(source.path, low, low + len(head[0]), "")]
        doubts = list(doubtful_callers(repo, related, sites))
        for site in sites.sites:
            where = repo.index.source(site.path)
            outer = where.parents.get(site.call)
            if isinstance(outer, ast.Await):
                edits.append(Edit(site.path, where.span(outer)[0], where.span(site.call)[0], ""))
            else:
                doubts.append(Unfollowed(site.path, site.call.lineno, f"{target.name} is no coroutine there"))
        return plan_edits(repo, edits, doubts)
