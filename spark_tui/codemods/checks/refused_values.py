"""Calls with a plain value that a new guard at the start of the called function refuses."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from spark_tui.codemods.checks.expected_errors import EXPECTING
from spark_tui.codemods.plan import Finding
from spark_tui.codemods.uses.callsites import CallSite, call_sites
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters

_IN_TEST = ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Name | ast.Constant
_MOST = 200
"""Characters of a test that is tried."""


def refused_values(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Where a value is given that a change made an error."""
    for path in paths:
        if not (before.has(path) and after.has(path)):
            continue
        source = after.index.source(path)
        guards = _guards(source)
        known = {ast.dump(test) for _, test, _ in _guards(before.index.source(path))} if guards else set()
        for function, test, name in guards:
            if ast.dump(test) not in known:
                for site in call_sites(after, [(path, function)]).sites:
                    value = _given(site, function, name)
                    if value is not None and _is_refused(test, name, value) and not _is_expected(after, site):
                        reason = f"gives {function.name} {ast.unparse(value)} as {name}, which it refuses now"
                        yield Finding(site.path, site.call.lineno, "refused values", reason, sure=False)


@lru_cache(maxsize=32)
def _guards(source: Source) -> list[tuple[Function, ast.expr, str]]:
    """The tests of one parameter with which functions begin, and that raise an error."""
    out = []
    for function in source.functions:
        for stmt in function.body[:4]:
            if isinstance(stmt, ast.If) and isinstance(stmt.body[-1], ast.Raise):
                used = {node.id for node in ast.walk(stmt.test) if isinstance(node, ast.Name)}
                names = {one.arg for one in parameters(function)}
                if len(used) == 1 and used <= names and _is_plain(stmt.test):
                    out.append((function, stmt.test, used.pop()))
    return out


def _is_plain(test: ast.expr) -> bool:
    return len(ast.unparse(test)) < _MOST and all(
        isinstance(node, _IN_TEST) or not isinstance(node, ast.expr) for node in ast.walk(test)
    )


def _given(site: CallSite, function: Function, name: str) -> ast.expr | None:
    """The value that a call gives a parameter."""
    if site.partial or any(isinstance(one, ast.Starred) for one in site.call.args):
        return None
    at = [one.arg for one in (*function.args.posonlyargs, *function.args.args)][site.bound :]
    named = (item.value for item in site.call.keywords if item.arg == name)
    given = dict(zip(at, site.call.args, strict=False))
    return given.get(name) or next(named, None)


def _is_refused(test: ast.expr, name: str, value: ast.expr) -> bool:
    """Whether a test is true for a plain value; nothing but comparisons of literals is run."""
    try:
        given = ast.literal_eval(value)
        code = compile(ast.Expression(test), "", "eval")
        return bool(eval(code, {"__builtins__": {}}, {name: given}))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False


def _is_expected(repo: Repository, site: CallSite) -> bool:
    for outer in repo.index.source(site.path).ancestors(site.call):
        if isinstance(outer, ast.With | ast.AsyncWith):
            calls = [one.context_expr for one in outer.items if isinstance(one.context_expr, ast.Call)]
            if any(last_name(one.func) in EXPECTING for one in calls):
                return True
    return False
