"""What a decorator of the repository makes of a function: a wrapper that takes the calls in its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from spark_tui.codemods.checks.overrides import narrower
from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.uses.callsites import call_sites
from spark_tui.pysource.calls.signatures import Signature, fit
from spark_tui.pysource.inference.values import ClassValue, FunctionValue
from spark_tui.pysource.names.type_hints import called, decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_ASKING = word_set("iscoroutinefunction isgeneratorfunction isasyncgenfunction iscoroutine isawaitable")
_PASSING = word_set("update_wrapper wraps cast")


def wrapper_doubts(repo: Repository, source: Source, node: Definition, decorator: ast.expr) -> Iterator[str]:
    """What a decorator of the repository changes for those who call or ask for what it decorates."""
    shown = ast.unparse(decorator)
    values = repo.infer.values(source.path, called(decorator), repo.index.scopes(source.path).module)
    for value in values:
        if isinstance(value, ClassValue) and isinstance(node, Function):
            yield from _of_class(repo, value, source, node, decorator)
        if not isinstance(value, FunctionValue):
            continue
        try:
            made = _made(repo.index.source(value.path), value.node, decorator)
        except Refusal as error:
            yield f"@{shown}: {error}"
            continue
        if made is not None and isinstance(node, Function):
            yield from (f"@{shown}: {reason}" for reason in _of_wrapper(repo, source, node, *made))


def _of_class(
    repo: Repository, value: ClassValue, source: Source, node: Function, decorator: ast.expr
) -> Iterator[str]:
    shown = ast.unparse(decorator)
    if repo.classes.has_foreign_base(value):
        return
    if repo.classes.lookup(value, "__call__") is None and repo.classes.lookup(value, "__get__") is None:
        yield f"objects of {value.node.name}, which @{shown} makes, cannot be called"
    elif (
        not isinstance(decorator, ast.Call)
        and source.class_of(node) is not None
        and repo.classes.lookup(value, "__get__") is None
    ):
        yield f"under @{shown} the method is not given its object: {value.node.name} has no __get__"


def _made(source: Source, outer: Function, decorator: ast.expr) -> tuple[Source, str, Function] | None:
    """The wrapper that a decorator gives, with the name that it has for what it wraps; None where it gives
    back what it is given, or something of its own."""
    if isinstance(decorator, ast.Call):
        inner = _given_back(source, outer)
        if not isinstance(inner, Function):
            return None
        if (own := _first(outer)) and own in _called_names(inner):
            raise Refusal(f"{outer.name} takes the function itself, without brackets")
        outer = inner
    made = _given_back(source, outer)
    if not isinstance(made, Function):
        return None
    if isinstance(_given_back(source, made, strict=False), Function) and _first(outer) not in _called_names(
        made
    ):
        raise Refusal(f"{outer.name} takes arguments of its own first")
    return source, _first(outer), made


def _first(function: Function) -> str:
    return next((one.arg for one in parameters(function)), "")


def _called_names(function: Function) -> set[str]:
    return {one.func.id for one in find_nodes(function, ast.Call) if isinstance(one.func, ast.Name)}


def _given_back(source: Source, outer: Function, *, strict: bool = True) -> Function | str | None:
    """The inner function that a function returns, the name of a parameter, or None for something else."""
    values = [value for value in source.returned(outer) or () if value is not None]
    if not values and strict:
        raise Refusal(f"{outer.name} gives nothing back")
    inner = {one.name: one for one in source.own_nodes(outer) if isinstance(one, Function)}
    found: set[str] = set()
    for value in values:
        while isinstance(value, ast.Call) and value.args:
            passes = last_name(value.func) in _PASSING
            value = value.args[1 if last_name(value.func) == "cast" else 0] if passes else ast.Constant(None)
        found.add(value.id if isinstance(value, ast.Name) else "")
    name = found.pop() if len(found) == 1 else ""
    return inner.get(name) or name or None


def _of_wrapper(
    repo: Repository, source: Source, node: Function, home: Source, wrapped: str, wrapper: Function
) -> Iterator[str]:
    """What the calls of a function miss in a wrapper."""
    gives, waits = source.returned(node), isinstance(node, ast.AsyncFunctionDef)
    if isinstance(wrapper, ast.AsyncFunctionDef) and not waits:
        yield f"a call of {node.name} has to be awaited then"
    elif home.returned(wrapper) is None and gives is not None:
        yield f"a call of {node.name} gives a generator then"
    later = isinstance(wrapper, ast.FunctionDef) and home.returned(wrapper) is not None
    if later and (waits or gives is None) and not _hands_on(home, wrapper, wrapped):
        what = "coroutine" if waits and gives is not None else "generator"
        yield f"{wrapper.name} is done when it has the {what}, which runs later"
    results = home.returned(wrapper)
    if results is not None and not any(results) and (gives is None or any(gives)):
        yield f"{wrapper.name} does not give back what {node.name} returns"
    method = source.class_of(node) is not None and "staticmethod" not in decorator_names(node)
    wide, narrow = Signature.of(node), Signature.of(wrapper)
    if method and (narrow.positional_only or narrow.positional):
        wide, narrow = wide.bound(), narrow.bound()
    if reason := narrower(wide, narrow) or _unfit(repo, source, node, Signature.of(wrapper)):
        yield f"{wrapper.name} {reason}"
    holder = home.function_of(wrapper)
    passes = holder is not None and "update_wrapper" in home.segment(holder)
    if not passes and "wraps" not in decorator_names(wrapper):
        if node.name.startswith("test") and parameters(node):
            yield f"pytest does not see the parameters of {node.name}: {wrapper.name} needs @wraps"
        elif _is_shown(repo, node.name):
            yield f"{node.name} no longer has its own name and docstring: {wrapper.name} needs @wraps"


def _hands_on(home: Source, wrapper: Function, wrapped: str) -> bool:
    """Whether a wrapper gives back what it wraps, or what that makes, and does nothing afterwards; or asks of
    which kind it is."""
    outer = home.function_of(wrapper) or wrapper
    if {last_name(one.func) for one in find_nodes(outer, ast.Call)} & _ASKING:
        return True
    for call in find_nodes(wrapper, ast.Call):
        if isinstance(call.func, ast.Name) and call.func.id == wrapped:
            around = takewhile(lambda one: one is not wrapper, home.ancestors(call))
            waits = any(isinstance(one, ast.With | ast.Try) for one in around)
            if waits or not isinstance(home.parents.get(call), ast.Return):
                return False
    return True


def _unfit(repo: Repository, source: Source, node: Function, narrow: Signature) -> str:
    """What is wrong with a call of a function if a wrapper takes it."""
    for site in call_sites(repo, [(source.path, node)]).sites:
        if not site.partial and (problem := fit(narrow.bound() if site.bound else narrow, site.call).problem):
            return problem
    return ""


def _is_shown(repo: Repository, name: str) -> bool:
    """Whether something reads the name or the docstring of a function."""
    for path in repo.index.files_with(name):
        known = repo.index.scopes(path).attributes_by_name
        uses = (one for word in ("__name__", "__doc__", "__qualname__") for one in known.get(word, ()))
        if any(last_name(one.node.value) == name for one in uses):
            return True
    return False
