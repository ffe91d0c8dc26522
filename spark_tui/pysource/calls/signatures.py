"""Signatures, those of Python's own functions too, and whether the arguments of a call fit one."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from inspect import Parameter
from typing import Any, NamedTuple

from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.parsing import positional


def defaults(function: Function | ast.Lambda) -> dict[str, ast.expr]:
    """The defaults of the parameters that have one."""
    spec = function.args
    last = zip(positional(function)[::-1], spec.defaults[::-1], strict=False)
    named = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    return {one.arg: value for one, value in (*last, *named) if value is not None}


def required(function: Function | ast.Lambda) -> list[str]:
    """The names of the parameters that have no default."""
    given = defaults(function)
    return [arg.arg for arg in (*positional(function), *function.args.kwonlyargs) if arg.arg not in given]


class Signature(NamedTuple):
    """The parameters of a function. `required` has the names that need an argument."""

    positional_only: tuple[str, ...]
    positional: tuple[str, ...]
    keyword_only: tuple[str, ...]
    required: frozenset[str]
    rest: str = ""
    keywords: str = ""

    @classmethod
    def of(cls, node: Function | ast.Lambda) -> Signature:
        spec = node.args
        return cls(
            tuple(arg.arg for arg in spec.posonlyargs),
            tuple(arg.arg for arg in spec.args),
            tuple(arg.arg for arg in spec.kwonlyargs),
            frozenset(required(node)),
            spec.vararg.arg if spec.vararg else "",
            spec.kwarg.arg if spec.kwarg else "",
        )

    def bound(self) -> Signature:
        """The signature without its first parameter, which the receiver fills."""
        first = "positional_only" if self.positional_only else "positional"
        made = self._replace(**{first: getattr(self, first)[1:]})
        names = {*made.positional_only, *made.positional, *made.keyword_only}
        return made._replace(required=self.required & names)


class Fit(NamedTuple):
    """How the arguments of a call go to parameters. `problem` is empty where the call fits.

    `arguments` maps a parameter to its argument. `unsure`: the call passes `*args` or `**kwargs`.
    """

    arguments: dict[str, ast.expr]
    problem: str = ""
    unsure: bool = False


def _passes_more(call: ast.Call) -> bool:
    """Whether a call passes `*args` or `**kwargs`."""
    for arg in call.args:
        if type(arg) is ast.Starred:
            return True
    return any(keyword.arg is None for keyword in call.keywords) if call.keywords else False


def fit(signature: Signature, call: ast.Call) -> Fit:
    """Whether a call fits, and which argument is which parameter's."""
    arguments: dict[str, ast.expr] = {}
    ordered = [*signature.positional_only, *signature.positional]
    unsure = _passes_more(call)
    for at, value in enumerate(call.args):
        if isinstance(value, ast.Starred):
            break
        if at >= len(ordered):
            if not signature.rest:
                problem = f"takes {len(ordered)} positional arguments, not {len(call.args)}"
                return Fit(arguments, problem, unsure)
            break
        arguments[ordered[at]] = value
    for keyword in call.keywords:
        if keyword.arg is None:
            continue
        if keyword.arg in signature.positional or keyword.arg in signature.keyword_only:
            if keyword.arg in arguments:
                return Fit(arguments, f"gets two values for '{keyword.arg}'", unsure)
            arguments[keyword.arg] = keyword.value
        elif not signature.keywords:
            return Fit(arguments, f"has no parameter '{keyword.arg}'", unsure)
    missing = signature.required - arguments.keys() if not unsure else ()
    if missing:
        return Fit(arguments, "needs " + ", ".join(f"'{name}'" for name in sorted(missing)), unsure)
    return Fit(arguments, "", unsure)


_WITH_KEYWORDS = (ImportError, NameError, AttributeError)
"""The errors that take keywords."""
_OF_ERRORS = Signature((), (), (), frozenset(), rest="args")
"""What Python does not tell of the other errors."""


@lru_cache(maxsize=256)
def builtin_signature(name: str, module: str = "builtins") -> Signature | None:
    """The signature of a function of Python; None where there is none, or Python does not tell."""
    own = getattr(importlib.import_module(module), name, None)
    if isinstance(own, type) and issubclass(own, BaseException) and not issubclass(own, _WITH_KEYWORDS):
        return _OF_ERRORS
    try:
        every = list(inspect.signature(own).parameters.values()) if callable(own) else None
    except (TypeError, ValueError):
        return None
    if every is None:
        return None

    def of(*kinds: object) -> tuple[str, ...]:
        return tuple(item.name for item in every if item.kind in kinds)

    stars = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    needed = (one for one in every if one.default is Parameter.empty and one.kind not in stars)
    return Signature(
        of(Parameter.POSITIONAL_ONLY),
        of(Parameter.POSITIONAL_OR_KEYWORD),
        of(Parameter.KEYWORD_ONLY),
        frozenset(parameter.name for parameter in needed),
        "".join(of(Parameter.VAR_POSITIONAL)),
        "".join(of(Parameter.VAR_KEYWORD)),
    )


def standard_function(name: str) -> Callable[..., Any] | None:
    """A builtin function, one of a builtin class, or one of a module of the standard library."""
    module, _, last = name.rpartition(".")
    if not module:
        return getattr(builtins, last, None)
    if isinstance(owner := getattr(builtins, module, None), type):
        return getattr(owner, last, None)
    if module not in sys.stdlib_module_names or module in ("this", "antigravity"):
        return None
    with suppress(ImportError):
        return getattr(importlib.import_module(module), last, None)
    return None
