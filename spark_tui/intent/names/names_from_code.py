"""Names that the code gives to values: `loan` in `for l in self.loans`, `parser` of `p = build_parser()`."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Iterator

from spark_tui.intent.context.lookup import split_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_VERBS = word_set(
    "get make build read load parse fetch find create compute new as to calculate collect render format "
    "take list open run do is has"
)
_MADE = {
    "os.path.join": "path",
    "Path": "path",
    "open": "file",
    "re.match": "match",
    "re.search": "match",
    "re.fullmatch": "match",
    "re.compile": "pattern",
    "json.load": "data",
    "json.loads": "data",
    "sqlite3.connect": "connection",
}
"""What well-known functions give."""
_PASSED_ON = ("sorted", "reversed", "list", "tuple", "set", "iter", "enumerate", "values", "copy", "items")
"""Calls whose result has the items of what they are given, or are called on."""
_OPENED = ("f", "fh", "fp", "file", "handle", "infile", "stdin")
_ONE = (("sses", "ss"), ("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ss", ""), ("s", ""))
"""Endings of several things, and of one of them; none where a word only looks like several."""


def name_of(value: ast.AST) -> str:
    """A name for a value by what it is read from or made by; empty where the code tells none."""
    match value:
        case ast.Await(inner):
            return name_of(inner)
        case ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(text))):
            return text.lower()
        case ast.Subscript(value=ast.Name(id=name)):
            return _singular(name)
        case ast.Call(func=func):
            known, name = _MADE.get(ast.unparse(func), ""), ast.unparse(func).rpartition(".")[2]
            words = split_name(name)
            if name[:1].isupper():
                return known or words[-1]
            return known or "_".join(words[1:] if words and words[0] in _VERBS else ())
    return ""


def item_name(items: ast.AST) -> str:
    """A name for one of several things, after the name of all."""
    match items:
        case ast.Call(func=ast.Attribute(attr="keys")):
            return "key"
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _PASSED_ON:
            return item_name(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in _PASSED_ON:
            return item_name(inner)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return "line" if name in _OPENED else _singular(name)
    return _singular(name_of(items))


def _singular(name: str) -> str:
    bare = name.strip("_").lower()
    for ending, one in _ONE:
        if bare.endswith(ending):
            return bare[: -len(ending)] + one if ending != "ss" and len(bare) > len(ending) + 1 else ""
    return ""


def names_for(function: Function, old: str, module: ast.AST) -> list[str]:
    """The names that the code suggests for a variable or parameter of a function, the likeliest first."""
    found = dict.fromkeys(filter(None, (*_suggested(function, old), *_passed(function, old, module))))
    found = found or dict.fromkeys(_returned(function, old))
    if hasattr(builtins, old):
        found = {f"{old}_": None}
    used = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    used |= {node.arg for node in walk(function) if isinstance(node, ast.arg)}
    return [one for one in found if one.isidentifier() and not keyword.iskeyword(one) and one not in used]


def _suggested(function: Function, old: str) -> Iterator[str]:
    for node in walk(function):
        match node:
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                yield from _of_loop(node.target, node.iter, old)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == old:
                yield name_of(value)
            case ast.arg(arg=name, annotation=ast.Name(id=kind)) if name == old and kind[:1].isupper():
                yield split_name(kind)[-1]
            case ast.withitem(context_expr=made, optional_vars=ast.Name(id=name)) if name == old:
                yield "file" if ast.unparse(made).partition("(")[0].endswith("open") else name_of(made)
            case ast.ExceptHandler(name=name) if name == old:
                yield "error"


def _returned(function: Function, old: str) -> Iterator[str]:
    """The words of a function for what it returns, without its verb."""
    for node in walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name) and node.value.id == old:
            words = split_name(function.name)
            yield "_".join(words[1:] if words and words[0] in _VERBS else words)


def _of_loop(target: ast.expr, items: ast.expr, old: str) -> Iterator[str]:
    match target, items:
        case ast.Name(id=name), _ if name == old:
            yield item_name(items)
        case ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]), ast.Call(func=func):
            called = ast.unparse(func).rpartition(".")[2]
            if called in ("enumerate", "items") and old == first:
                yield "index" if called == "enumerate" else "key"
            elif called in ("enumerate", "items") and old == second:
                yield item_name(items) or "value" * (called == "items")


def _passed(function: Function, old: str, module: ast.AST) -> Iterator[str]:
    """What calls in the module pass for a parameter, by its name."""
    own = [one.arg for one in parameters(function)]
    at = own.index(old) - (own[0] in ("self", "cls")) if old in own else -1
    for node in walk(module) if at >= 0 else ():
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == function.name:
            for given in node.args[at : at + 1]:
                yield given.id if isinstance(given, ast.Name) and len(given.id) > 2 else name_of(given)
