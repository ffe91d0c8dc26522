"""A default that may be a name or a text: *default style should be ascii*."""

from __future__ import annotations

import ast
import builtins
from dataclasses import replace
from types import BuiltinFunctionType, FunctionType

from spark_tui.codemods.families.functions.signature import SetDefault
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.codemods.slots import Expression
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.intent.building.building import Built
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_FUNCTIONS = (BuiltinFunctionType, FunctionType)


def as_text(context: Context, built: Built) -> Built:
    """A default that is called like a local variable as a text: a local one is not there yet. So is one that
    is called like a function of Python, where the file has it as a text and the parameter is a text, too."""
    last = built.calls[-1]
    if not isinstance(last, SetDefault) or not str(last.default).isidentifier():
        return built
    target = find_symbol(context.repo, last.target)
    if not isinstance(target, Target) or not isinstance(target.node, Function):
        return built
    name, scopes = str(last.default), context.repo.index.scopes(target.path)
    source, is_local = context.source(target.path), name in scopes.scope_of[target.node].bound
    if name in scopes.module.bound or not (is_local or isinstance(getattr(builtins, name, None), _FUNCTIONS)):
        return built
    if not is_local:
        parameter, span = str(last.name), context.span("default")
        calls = list(find_nodes(target.node, ast.Call))
        if parameter in map(called_name, calls) or (span is not None and context.quote(span)):
            return built
        given = {
            ast.unparse(one) for node in calls for one in (*node.args, *(k.value for k in node.keywords))
        }
        known = any(one.value == name for one in source.strings)
        if not known or parameter in given or not any(_is_text(one, parameter) for one in source.functions):
            return replace(built, doubts=(*built.doubts, assumed(f"{name} was assumed to be the function")))
    default = Expression(literal(name, source))
    return replace(built, calls=(*built.calls[:-1], replace(last, default=default)))


def _is_text(function: Function, name: str) -> bool:
    """Whether a parameter has a text for its default or its type, or is compared with one. Those of one name
    are alike in a file."""
    hints = [one.annotation for one in parameters(function) if one.arg == name]
    if hints and hints[0] is not None and ast.unparse(hints[0]) == "str":
        return True
    tests = ([one.left, *one.comparators] for one in find_nodes(function, ast.Compare))
    beside = [side for sides in tests if name in map(ast.unparse, sides) for side in sides]
    shown = [default_of(function, name), *beside]
    return any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in shown)
