"""What docstrings show of a function that gives something else now: in examples, or as a default."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from spark_tui.codemods.docstrings import find_defaults
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.calls.signatures import Signature, defaults, fit
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import children
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.pysource.words import word_set

_EXAMPLE = re.compile(r"^ *>>> (.*(?:\n *\.\.\. ?.*)*)", re.MULTILINE)
_GOES_ON = re.compile(r"\n *\.\.\. ?")
_NAME = re.compile(r"\w+")
_OPERATORS = (ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
_SAME: dict[type[ast.AST], type[ast.AST]] = {ast.Is: ast.Eq, ast.IsNot: ast.NotEq}
_LOGGING = word_set("debug info warning warn error exception critical")


def shown_examples(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which docstrings of a changed file may not be true any more."""
    for path in paths:
        if before.has(path) and after.has(path):
            yield from _other_examples(before.index.source(path), after.index.source(path))


def _other_examples(before: Source, after: Source) -> Iterator[Finding]:
    """The functions that have another default or another value in their code now, of which an example in a
    docstring of the file shows what they give."""
    was = {before.qualname(one): one for one in before.functions}
    outer = (one for one in after.functions if after.function_of(one) is None)
    pairs = [(was[name], one) for one in outer if (name := after.qualname(one)) in was]
    pairs = [(old, one) for old, one in pairs if _lines(before, old) != _lines(after, one)]
    examples = _examples(after, {word for _, one in pairs for word in (one.name, _made(after, one))})
    methods = {one.name for one in after.functions if examples and after.class_of(one) is not None}
    for known, one in pairs:
        had, has, word = defaults(known), defaults(one), _made(after, one)
        lost = [name for name in had if not _is_default(had[name], has.get(name), name, one)]
        owner, own = after.class_of(one), [one] if ">>> " in _docstring(one) else []
        differs = (word in examples or own) and _gives_other(known, one)
        calls = examples.get(word, ()) if lost or differs else ()
        if owner is not None and word == one.name:
            near = (owner, after.tree)
            calls = [item for item in calls if item[0] in near or after.class_of(item[0]) is owner]
        elif owner is None and word in methods:
            calls = [item for item in calls if isinstance(item[1].func, ast.Name)]
        signature = Signature.of(one) if owner is None else Signature.of(one).bound()
        # Also of a property, which no example calls.
        shown = (*own, *(at for at, _ in calls)) if differs else ()
        reasons = [f"{_place(at, one)} may show that {word} gives something else" for at in shown]
        for name in lost:
            left = (at for at, call in calls if name in has and name not in fit(signature, call).arguments)
            reasons += [f"{_place(at, one)} calls {word} without {name}" for at in left]
            places = (one, owner if word != one.name else None)
            if any(any(find_defaults(_docstring(at), name, had[name])) for at in places):
                reasons.append(f"the docstring says that {name} is {ast.unparse(had[name])} by default")
        for reason in dict.fromkeys(reasons):
            yield Finding(after.path, one.lineno, "shown examples", reason, sure=False)


def _made(source: Source, function: Function) -> str:
    """The name by which a function is called: of `__init__` that of the class."""
    owner = source.class_of(function) if function.name == "__init__" else None
    return owner.name if owner is not None else function.name


def _is_default(was: ast.expr, now: ast.expr | None, name: str, function: Function) -> bool:
    """Whether a default is as before, or comes from the body where None is given."""
    if not isinstance(now, ast.Constant) or now.value is not None:
        return now is not None and ast.dump(now) == ast.dump(was)
    sets = (one for one in find_nodes(function, ast.Assign) if name in map(last_name, one.targets))
    known = ast.dump(was)
    return known == ast.dump(now) or any(known == ast.dump(part) for one in sets for part in walk(one.value))


def _lines(source: Source, function: Function) -> list[str]:
    return list(source.lines[function.lineno - 1 : function.end_lineno])


def _place(at: ast.AST, function: Function) -> str:
    return f"an example in {'its' if at is function else 'another'} docstring"


def _gives_other(before: Function, after: Function) -> bool:
    """Whether the code of a function is as before but for some literals or operators."""
    old, new = map(_code_of, (before, after))
    return old != new and len(old) == len(new) and all(map(_alike, old, new))


def _code_of(function: Function) -> list[tuple[type[ast.AST], str]]:
    """The nodes of a function, and the values of its literals, without its docstrings, errors and logs."""
    out: list[tuple[type[ast.AST], str]] = []
    nodes: list[ast.AST] = [*function.body]
    for node in nodes:
        match node:
            case ast.Raise() | ast.Assert() | ast.Expr(ast.Constant()):
                pass
            case ast.Expr(ast.Call(ast.Attribute(attr=name))) if name in _LOGGING:
                pass
            case ast.Constant(value):
                out.append((ast.Constant, repr(value)))
            case ast.UnaryOp(operand=ast.Constant()):
                out.append((ast.Constant, ast.unparse(node)))
            case _:
                out.append((_SAME.get(type(node), type(node)), str(getattr(node, "conversion", ""))))
                nodes += children(node)
    return out


def _alike(one: tuple[type[ast.AST], str], other: tuple[type[ast.AST], str]) -> bool:
    return one[0] is other[0] or all(issubclass(kind, _OPERATORS) for kind, _ in (one, other))


def _examples(source: Source, words: Collection[str]) -> dict[str, list[tuple[ast.AST, ast.Call]]]:
    """The calls of some names in the examples of the docstrings of a file, with what has the docstring."""
    out: dict[str, list[tuple[ast.AST, ast.Call]]] = {}
    if not words or ">>> " not in source.text or source.tree is None:
        return out
    for at in (source.tree, *source.definitions):
        shown = _EXAMPLE.findall(_docstring(at))
        codes = [_GOES_ON.sub("\n", code) for code in shown if not {*_NAME.findall(code)}.isdisjoint(words)]
        for tree in (Source(code).tree or Source(f"{code} pass").tree for code in codes):
            for call in find_nodes(tree, ast.Call):
                out.setdefault(last_name(call.func), []).append((at, call))
    return out


def _docstring(node: ast.AST | None) -> str:
    text = ast.get_docstring(node) if isinstance(node, ast.Module | ast.ClassDef | Function) else None
    return text or ""
