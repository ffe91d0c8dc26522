"""Rename a parameter in its function, in overriding methods, and in the keyword arguments of calls."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.docstrings import find_in_backticks, find_parameter_names
from spark_tui.codemods.renaming.edits import Renaming
from spark_tui.codemods.renaming.shown_names import note_passed_functions
from spark_tui.codemods.uses.callsites import (
    HARMLESS,
    CallSite,
    Located,
    call_sites,
    find_overrides,
    hidden_callers,
)
from spark_tui.codemods.uses.hidden import unread_files
from spark_tui.codemods.uses.mocks import expected_arguments
from spark_tui.codemods.uses.protocols import protocol_doubts
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.inference.classes import mangled
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, FunctionValue, Value
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.source import Function, docstring, parameters
from spark_tui.pysource.syntax.walking import find_nodes


def rename_parameter(renaming: Renaming, target: Target) -> None:
    """Rename a parameter in its function, and everywhere it can be given by name."""
    assert target.variable is not None
    if target.function is None:
        renaming.no_clash(target.path, target.variable)
        renaming.variable(target.path, target.variable)
        _at_unknown_calls(renaming, target.path)
        return
    if not _can_be_named(renaming, target.path, target.function):
        _in_function(renaming, target.path, target.function)
        return
    functions = [
        (path, one)
        for path, one in find_overrides(renaming.repo, target.path, target.function)
        if any(parameter.arg == renaming.old for parameter in parameters(one))
    ]
    for path, one in functions:
        _in_function(renaming, path, one)
    _in_examples(renaming, functions)
    found = call_sites(renaming.repo, functions)
    for site in found.sites:
        _at_call(renaming, site)
    for site in found.unknown:
        if any(keyword.arg in (renaming.old, None) for keyword in site.call.keywords):
            reason = f"{ast.unparse(site.call.func)}(…): what it calls is not known"
            renaming.unsure(site.path, site.call.lineno, reason)
    for path, line, reason in unread_files(renaming.repo, {renaming.old}):
        renaming.unsure(path, line, reason)
    renaming.unfollowed.update(expected_arguments(renaming.repo, target.function.name, renaming.old))
    owners = [(path, renaming.repo.index.source(path).class_of(one)) for path, one in functions]
    family = [ClassValue(path, owner) for path, owner in owners if owner is not None]
    if family:
        told = protocol_doubts(renaming.repo, target.function.name, family, renaming.old)
        renaming.unfollowed.update(told)
    passed = bool(found.values) or any(site.partial for site in found.sites)
    if passed:
        note_passed_functions(renaming, found)
    if passed or target.function.name == "__init__" or target.function.decorator_list:
        _at_other_calls(renaming, {id(site.call) for site in (*found.sites, *found.unknown)}, passed)


def _at_unknown_calls(renaming: Renaming, path: str) -> None:
    """Name the calls that give the argument to what is not known: it may be the lambda."""
    index = renaming.repo.index
    for where in sorted({path, *index.importers(path)} & {*index.files_with_member(renaming.old)}):
        for keyword in index.scopes(where).keywords:
            call = keyword.call
            if keyword.name != renaming.old or not isinstance(call, ast.Call):
                continue
            if UNKNOWN in renaming.repo.infer.values(where, call.func, keyword.scope):
                renaming.unsure(where, call.lineno, f"{ast.unparse(call.func)}(…) may call it")


def _in_examples(renaming: Renaming, functions: list[Located]) -> None:
    """Name the examples in docstrings that give the parameter by its name, and classes that do so."""
    for path, one in functions:
        if one.name == "__init_subclass__":
            renaming.unsure(path, one.lineno, "the heads of the classes below give it by its name")
        pattern = re.compile(rf"^\s*(?:>>>|\.\.\.) .*\(.*(?<!\w){re.escape(renaming.old)}=", re.MULTILINE)
        having = set(renaming.repo.index.files_with(renaming.old))
        for where in sorted({path, *renaming.repo.index.importers(path)} & having):
            text = renaming.repo.index.text(where) or ""
            found = pattern.search(text) if ">>> " in text else None
            if found is not None:
                line = text.count("\n", 0, found.end()) + 1
                renaming.unsure(where, line, f"an example gives {renaming.old} by its name")


def _at_other_calls(renaming: Renaming, known: set[int], passed: bool) -> None:
    """Name the calls that give the argument to something that may be the function, which is passed on or, as
    a class, registered."""
    for path in renaming.repo.index.files_with_member(renaming.old):
        for keyword in renaming.repo.index.scopes(path).keywords:
            call = keyword.call
            if keyword.name != renaming.old or not isinstance(call, ast.Call) or id(call) in known:
                continue
            values = renaming.repo.infer.values(path, call.func, keyword.scope)
            unknown = UNKNOWN in values and isinstance(call.func, ast.Name | ast.Subscript)
            hands_on = any(_hands_on(renaming, one) for one in values)
            if hands_on or (passed and (unknown or any(map(_is_wrapped, values)))):
                reason = f"{ast.unparse(call.func)}(…) may call it: the function is passed on elsewhere"
                renaming.unsure(path, call.lineno, reason)


def _hands_on(renaming: Renaming, value: Value) -> bool:
    """Whether a function takes any name and gives it to a call of what is not known."""
    taken = value.node.args.kwarg if isinstance(value, FunctionValue) else None
    if not isinstance(value, FunctionValue) or taken is None:
        return False
    scopes = renaming.repo.index.scopes(value.path)
    passed = [
        call
        for call in find_nodes(value.node, ast.Call)
        if any(item.arg is None and ast.unparse(item.value) == taken.arg for item in call.keywords)
    ]
    return any(
        UNKNOWN in renaming.repo.infer.values(value.path, call.func, scopes.around(call)) for call in passed
    )


def _is_wrapped(value: Value) -> bool:
    """Whether it is a function whose decorators may put another one in its place."""
    if not isinstance(value, FunctionValue):
        return False
    return any(name not in HARMLESS for name in decorator_names(value.node))


def _can_be_named(renaming: Renaming, path: str, function: Function) -> bool:
    """Whether a call can give the parameter by its name: not where the object of a method fills it, where it
    stands in front of `/`, and where it takes what is left over."""
    spec = function.args
    first = [*spec.posonlyargs, *spec.args][:1]
    never = [*spec.posonlyargs, spec.vararg, spec.kwarg]
    of_class = renaming.repo.index.source(path).class_of(function) is not None
    static = "staticmethod" in decorator_names(function)
    never += first if of_class and not static else []
    return all(item is None or item.arg != renaming.old for item in never)


def _in_function(renaming: Renaming, path: str, function: Function) -> None:
    scopes = renaming.repo.index.scopes(path)
    scope = scopes.scope_of[function]
    # A name that begins with two underscores is another one inside of a class.
    classes = (one for one in scopes.source.ancestors(function) if isinstance(one, ast.ClassDef))
    around = next(classes, None)
    variable = scopes.variable(mangled(around, renaming.old) if around else renaming.old, scope)
    if variable is None:
        return
    renaming.no_clash(path, variable)
    renaming.variable(path, variable)
    _in_docstrings(renaming, path, function)
    renaming.unfollowed.update(hidden_callers(renaming.repo, path, function))
    if function.name.startswith("test_") and renaming.old not in ("self", "cls"):
        renaming.unsure(path, function.lineno, "a parameter of a test may be the name of a fixture")


def _in_docstrings(renaming: Renaming, path: str, function: Function) -> None:
    """Rename a parameter where the docstring of its function describes it, or shows it as code; one of a
    constructor is described in that of the class, too."""
    source = renaming.repo.index.source(path)
    owner = source.class_of(function) if function.name == "__init__" else None
    for item in (function, owner):
        doc = docstring(item) if item is not None else None
        body = source.quoted(doc.value) if doc is not None and isinstance(doc.value, ast.Constant) else None
        if body is not None:
            text = source.text[slice(*body)]
            shown = find_in_backticks(text, renaming.old) if item is function else ()
            for low, high in (*find_parameter_names(text, renaming.old), *shown):
                renaming.rename(path, (body[0] + low, body[0] + high))


def _at_call(renaming: Renaming, site: CallSite) -> None:
    for item in renaming.repo.index.scopes(site.path).keywords:
        if item.call is site.call and item.name == renaming.old:
            renaming.rename(site.path, item.span, site.call.lineno)
    for keyword in site.call.keywords:
        if keyword.arg is None:
            shown = ast.unparse(keyword.value)
            renaming.unsure(site.path, site.call.lineno, f"**{shown} may hold the argument {renaming.old}")
