"""Signatures, and whether the arguments of a call fit one."""

from __future__ import annotations

import ast
from typing import NamedTuple

from spark_tui.pysource.source import Function, required


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
            tuple(one.arg for one in spec.posonlyargs),
            tuple(one.arg for one in spec.args),
            tuple(one.arg for one in spec.kwonlyargs),
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
    for one in call.args:
        if type(one) is ast.Starred:
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
                return Fit(
                    arguments, f"takes {len(ordered)} positional arguments, not {len(call.args)}", unsure
                )
            break
        arguments[ordered[at]] = value
    for one in call.keywords:
        if one.arg is None:
            continue
        if one.arg in signature.positional or one.arg in signature.keyword_only:
            if one.arg in arguments:
                return Fit(arguments, f"gets two values for '{one.arg}'", unsure)
            arguments[one.arg] = one.value
        elif not signature.keywords:
            return Fit(arguments, f"has no parameter '{one.arg}'", unsure)
    missing = signature.required - arguments.keys() if not unsure else ()
    if missing:
        return Fit(arguments, "needs " + ", ".join(f"'{name}'" for name in sorted(missing)), unsure)
    return Fit(arguments, "", unsure)
