"""Plain values that a guard of a function refuses: given by a call, or as its default."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator
from functools import lru_cache

from spark_tui.codemods.checks.calls import called_anew
from spark_tui.codemods.checks.expected_errors import EXPECTING
from spark_tui.codemods.plan import Finding
from spark_tui.codemods.uses.callsites import call_sites
from spark_tui.pysource.calls.signatures import Signature, defaults, fit
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk

_IN_TEST = (
    *(ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Name, ast.Constant),
    *(ast.Tuple, ast.List, ast.Set),
)
_Guard = tuple[Function, ast.expr, str]
_MOST = 200
"""Characters of a test that is tried."""


def refused_values(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Where a change gives a value that is an error, or makes one of a value that is given."""
    for path in paths:
        if not (before.has(path) and after.has(path)):
            continue
        old, now = before.index.source(path), after.index.source(path)
        guards, was = _guards(now), _guards(old)
        known = {ast.dump(test) for _, test, _ in was}
        had = {(old.qualname(one), name) for one, test, name in was if _default_refused(one, test, name)}
        for function, test, name in guards:
            wrong, is_new = _default_refused(function, test, name), ast.dump(test) not in known
            required = is_new and wrong == "None"  # the guard asks for the value
            if wrong and not required and (now.qualname(function), name) not in had:
                reason = f"{name} is {wrong} by default, which {function.name} refuses"
                yield Finding(path, function.lineno, "refused values", reason, sure=False)
            sites = call_sites(after, [(path, function)]).sites if is_new else ()
            for site in (one for one in sites if not one.partial):
                yield from _refused(after, site.path, site.call, (function, test, name), site.bound, " now")
        yield from _raised_within(old, now)
        for call, where, called, bound in called_anew(before, after, path):
            for guard in _guards(after.index.source(where)):
                if guard[0] is called:
                    yield from _refused(after, path, call, guard, bound, "")


def _raised_within(old: Source, now: Source) -> Iterator[Finding]:
    """The functions that call themselves and raise in more places than before."""
    was = {old.qualname(one): _raises(old, one) for one in old.functions}
    for one in now.functions:
        more = _raises(now, one) > was.get(now.qualname(one), sys.maxsize)
        word = one.name if now.class_of(one) is None else f"self.{one.name}"
        calls = find_nodes(one, ast.Call) if more else ()
        if call := next((call for call in calls if ast.unparse(call.func) == word), None):
            reason = f"{one.name} calls itself, maybe with what it does not take now"
            yield Finding(now.path, call.lineno, "refused values", reason, sure=False)


def _raises(source: Source, function: Function) -> int:
    return sum(isinstance(node, ast.Raise) for node in source.own_nodes(function))


def _refused(
    repo: Repository, path: str, call: ast.Call, guard: _Guard, bound: bool, since: str
) -> Iterator[Finding]:
    function, test, name = guard
    signature = Signature.of(function)
    found = fit(signature.bound() if bound else signature, call)
    left = not found.unsure and name not in found.arguments
    value = defaults(function).get(name) if left else found.arguments.get(name)
    if value is not None and _is_refused(test, name, value) and not _is_expected(repo, path, call):
        given = f"calls {function.name} without" if left else f"gives {function.name} {ast.unparse(value)} as"
        reason = f"{given} {name}, which it refuses{since}"
        yield Finding(path, call.lineno, "refused values", reason, sure=False)


def _default_refused(function: Function, test: ast.expr, name: str) -> str:
    """The default of a parameter, if the function refuses it."""
    value = defaults(function).get(name)
    return ast.unparse(value) if value is not None and _is_refused(test, name, value) else ""


@lru_cache(maxsize=32)
def _guards(source: Source) -> list[_Guard]:
    """The tests of one parameter, as it is given, for which functions raise an error before they return."""
    out = []
    for function in source.functions:
        names = {one.arg for one in parameters(function)}
        for stmt in function.body:
            if isinstance(stmt, ast.If) and isinstance(stmt.body[-1], ast.Raise):
                used = {node.id for node in ast.walk(stmt.test) if isinstance(node, ast.Name)}
                if len(used) == 1 and used <= names and _is_plain(stmt.test):
                    out.append((function, stmt.test, used.pop()))
            inner = [*walk(stmt)]
            if any(isinstance(node, ast.Return) for node in inner):
                break
            names.difference_update(*map(_bound, inner))
    return out


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node sets: a variable, a definition, an import, a handler, a pattern."""
    if isinstance(node, ast.Name):
        yield from [node.id] if isinstance(node.ctx, ast.Store) else []
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    else:
        yield from filter(None, (getattr(node, "name", None), getattr(node, "rest", None)))


def _is_plain(test: ast.expr) -> bool:
    return len(ast.unparse(test)) < _MOST and all(
        isinstance(node, _IN_TEST) or not isinstance(node, ast.expr) for node in ast.walk(test)
    )


def _is_refused(test: ast.expr, name: str, value: ast.expr) -> bool:
    """Whether a test is true for a plain value; nothing but comparisons of literals is run."""
    try:
        given = ast.literal_eval(value)
        code = compile(ast.Expression(test), "", "eval")
        return bool(eval(code, {"__builtins__": {}}, {name: given}))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False


def _is_expected(repo: Repository, path: str, call: ast.Call) -> bool:
    for outer in repo.index.source(path).ancestors(call):
        if isinstance(outer, ast.With | ast.AsyncWith):
            calls = [one.context_expr for one in outer.items if isinstance(one.context_expr, ast.Call)]
            if any(last_name(one.func) in EXPECTING for one in calls):
                return True
    return False
